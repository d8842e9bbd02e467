"""Choosing a dungeon (R18 to R20)."""

from itertools import product

import pytest
from playing import (
    combat,
    config_of,
    do,
    dungeon,
    fight,
    owned,
    set_with,
)

from tenefyr_env.engine.actions import FIRST_DUNGEON
from tenefyr_env.engine.state import BOSS_DECK, NO_DUNGEON, Decision, Outcome
from tenefyr_env.game import Game, IllegalAction
from tenefyr_env.scenario import scenario

ALL_DUNGEONS = [f"dungeon {number}" for number in range(1, 11)]
WEAK = [["Basic 0"]] * 4
STRONG = [["Loot 5a"], ["Loot 5b"], ["Loot 5c"], ["Loot 5d"]]


def at_the_choice(plain, players: int, **fields) -> Game:
    """The party stands before the choice of a dungeon."""
    layout = {key: fields.pop(key) for key in ("decks", "dungeons", "starter") if key in fields}
    return scenario(config_of(players, **fields), card_set=plain, **layout)


def entered(game: Game) -> int:
    """The number of the dungeon the party is in."""
    return int(game.state.dungeon) + 1


# Any dungeon, or the boss


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_R18_every_dungeon_and_the_boss_may_be_chosen_first(plain, players):
    game = at_the_choice(plain, players)
    assert game.decision.kind == Decision.DUNGEON
    assert game.decision.is_joint
    assert game.options() == [*ALL_DUNGEONS, "boss"]


@pytest.mark.parametrize("number", range(1, 11))
def test_R18_no_level_order_is_imposed(plain, number):
    game = at_the_choice(plain, 4)
    do(game, f"dungeon {number}")
    assert entered(game) == number
    level = (number + 1) // 2
    assert game.events()[0] == f"The party enters dungeon {number} (level {level})."
    assert game.events()[1] == f"The party meets {dungeon(game, number)[0]}, power {level}."


def test_R18_a_dungeon_without_a_card_cannot_be_chosen(plain):
    game = at_the_choice(plain, 3, dungeons={2: [], 7: []})
    assert "dungeon 2" not in game.options()
    assert "dungeon 7" not in game.options()
    assert len(game.options()) == 9
    with pytest.raises(IllegalAction, match=r"dungeon 7"):
        game.step("dungeon 7")


def test_R18_a_dungeon_cleared_in_play_is_no_longer_a_choice(plain):
    game = combat(plain, "Foe 1a", STRONG[:3])
    fight(game)
    do(game, "option 1")
    assert game.decision.kind == Decision.DUNGEON
    assert game.options() == [*ALL_DUNGEONS[1:], "boss"]


def test_R18_a_dungeon_that_was_left_may_be_chosen_again(plain):
    game = combat(plain, ["Foe 1a", "Foe 1b"], STRONG[:3])
    fight(game)
    do(game, "leave", "dungeon 1")
    assert "The party meets Foe 1b, power 1." in game.events()


def test_R19_the_boss_may_be_fought_before_the_track_ends(plain):
    game = at_the_choice(plain, 4)
    steps = int(game.state.steps_left)
    do(game, "boss")
    assert game.state.dungeon == BOSS_DECK
    assert game.state.steps_left == steps > 0
    assert game.events()[0] == "The party stands before the boss."


def test_R19_the_boss_is_the_only_choice_when_no_dungeon_has_a_card(plain):
    game = at_the_choice(plain, 4, dungeons={number: [] for number in range(1, 11)})
    assert game.options() == ["boss"]


def test_R19_clearing_the_last_dungeon_leads_to_the_boss(plain):
    others = {number: [] for number in range(2, 11)}
    game = scenario(
        config_of(4, take_single_options=True),
        card_set=plain,
        dungeons={1: ["Foe 1a"], **others},
        decks=dict(enumerate(STRONG)),
        starter=0,
    )
    do(game, "dungeon 1", "option 1")
    assert game.state.cleared[0] == 1
    assert "The party stands before the boss." in game.events()
    assert game.state.dungeon == BOSS_DECK


# Joint choices by the starting player


@pytest.mark.parametrize("players", [2, 3, 4])
def test_R20_by_default_the_starting_player_chooses_the_dungeon_alone(plain, players):
    for starter in range(players):
        game = at_the_choice(plain, players, starter=starter)
        assert (game.decision.seat, game.decision.is_joint) == (starter, True)
        do(game, "dungeon 4")
        assert entered(game) == 4


def test_R20_R31_the_new_starting_player_decides_whether_to_continue(plain):
    for starter in range(4):
        game = combat(plain, ["Foe 1a", "Foe 1b"], STRONG, starter=starter)
        fight(game)
        assert game.decision.kind == Decision.CONTINUE
        assert (game.decision.seat, game.decision.is_joint) == ((starter + 1) % 4, True)
        do(game, "leave")
        assert game.state.dungeon == NO_DUNGEON


def test_R20_a_choice_of_one_player_is_not_joint(plain):
    game = combat(plain, "Foe 5a", WEAK, starter=2, joint_choice="vote")
    assert game.decision.kind == Decision.KEEP
    assert (game.decision.seat, game.decision.is_joint) == (2, False)
    do(game, "keep")
    assert (game.decision.seat, game.decision.kind) == (2, Decision.PLAY)
    do(game, "card Basic 0")
    assert (game.decision.seat, game.decision.kind) == (3, Decision.KEEP)


# Joint choices by vote


def winner_by_the_rule(votes: tuple[int, ...]) -> int:
    """R20 as it is written; the first vote is the starting player's.

    Four votes cannot tie without the starting player's among the tied, so the last words of the
    rule, "the tied option voted for first", never come to bear.
    """
    most = max(votes.count(vote) for vote in votes)
    tied = [vote for vote in votes if votes.count(vote) == most]
    return votes[0] if votes[0] in tied else tied[0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_R20_all_players_vote_clockwise_from_the_starting_player(plain, players):
    for starter in range(players):
        game = at_the_choice(plain, players, starter=starter, joint_choice="vote")
        options = game.options()
        for offset in range(players):
            assert game.decision.seat == (starter + offset) % players
            assert game.decision.kind == Decision.DUNGEON
            assert game.decision.is_joint
            assert game.options() == options
            assert game.state.dungeon == NO_DUNGEON
            do(game, "dungeon 9")
        assert entered(game) == 9


@pytest.mark.parametrize(
    ("votes", "winner"),
    [
        ([3, 3, 3, 3], 3),
        ([1, 2, 2, 2], 2),  # a majority, against the starting player
        ([1, 2, 2, 3], 2),  # the most, if not the majority
        ([1, 2, 3, 3], 3),
        ([1, 1, 2, 2], 1),  # a tie with the starting player's vote in it
        ([2, 1, 1, 2], 2),
        ([2, 1, 2, 1], 2),
        ([4, 3, 2, 1], 4),  # a tie of all
    ],
)
def test_R20_the_most_votes_of_four_win_and_a_tie_goes_to_the_starting_players_vote(
    plain, votes, winner
):
    game = at_the_choice(plain, 4, starter=1, joint_choice="vote")
    do(game, *(f"dungeon {vote}" for vote in votes))
    assert entered(game) == winner


@pytest.mark.parametrize(
    ("votes", "winner"), [([1, 2, 2], 2), ([1, 2, 1], 1), ([3, 2, 1], 3), ([2, 2, 1], 2)]
)
def test_R20_the_most_votes_of_three_win(plain, votes, winner):
    game = at_the_choice(plain, 3, starter=2, joint_choice="vote")
    do(game, *(f"dungeon {vote}" for vote in votes))
    assert entered(game) == winner


@pytest.mark.parametrize("votes", [(1, 2), (2, 1), (5, 5)])
def test_R20_with_two_players_the_starting_players_vote_decides(plain, votes):
    for starter in range(2):
        game = at_the_choice(plain, 2, starter=starter, joint_choice="vote")
        do(game, *(f"dungeon {vote}" for vote in votes))
        assert entered(game) == votes[0]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("starter", [0, 1])
def test_R20_every_vote_on_four_dungeons_ends_as_the_rule_says(plain, players, starter):
    start = at_the_choice(plain, players, starter=starter, joint_choice="vote")
    for votes in product(range(4), repeat=players):
        game = start.clone()
        for vote in votes:
            game.step(FIRST_DUNGEON + vote)
        assert game.state.dungeon == winner_by_the_rule(votes), votes


def test_R20_the_boss_may_be_voted_for(plain):
    game = at_the_choice(plain, 3, starter=0, joint_choice="vote")
    do(game, "dungeon 1", "boss", "boss")
    assert game.state.dungeon == BOSS_DECK


def test_R20_votes_are_cast_openly(plain):
    game = at_the_choice(plain, 3, starter=1, joint_choice="vote")
    assert do(game, "dungeon 2") == ["Bard votes for dungeon 2."]
    assert do(game, "boss") == ["Cleric votes for boss."]


def test_R20_a_vote_may_only_be_for_what_is_offered_and_changes_nothing_otherwise(plain):
    game = at_the_choice(plain, 3, joint_choice="vote", dungeons={4: []})
    do(game, "dungeon 1")
    before = game.state_bytes()
    with pytest.raises(IllegalAction):
        game.step("dungeon 4")
    assert game.state_bytes() == before


def test_R20_one_vote_leaves_no_trace_in_the_next(plain):
    game = at_the_choice(plain, 4, starter=3, joint_choice="vote", decks=dict(enumerate(WEAK)))
    do(game, "dungeon 10", "dungeon 10", "dungeon 10", "dungeon 9")
    fight(game)
    assert game.decision.seat == 0
    do(game, "dungeon 1", "dungeon 2", "dungeon 3")
    assert game.state.dungeon == NO_DUNGEON
    do(game, "dungeon 3")
    assert entered(game) == 3


def test_R20_R33_whether_to_continue_is_voted_on(plain):
    for votes, stays in (("cll", False), ("lcc", True), ("ccl", True), ("llc", False)):
        game = at_the_choice(
            plain,
            3,
            joint_choice="vote",
            dungeons={1: ["Foe 1a", "Foe 1b"]},
            decks=dict(enumerate(STRONG[:3])),
        )
        do(game, *["dungeon 1"] * 3)
        fight(game)
        assert (game.decision.kind, game.decision.seat) == (Decision.CONTINUE, 1)
        do(game, *({"c": "continue", "l": "leave"}[vote] for vote in votes))
        assert game.state.dungeon == (0 if stays else NO_DUNGEON)


def test_R20_R38_a_reward_chosen_together_is_voted_on():
    reward = "kind: together, options: [[{save_step: 1}], [{save_step: 3}]]"
    game = scenario(
        config_of(3, joint_choice="vote"),
        card_set=set_with(rewards={"Gift": reward}),
        dungeons={1: ["Foe 1a"]},
        decks=dict(enumerate(STRONG[:3])),
        rewards={1: "Gift"},
        starter=0,
    )
    do(game, *["dungeon 1"] * 3)
    fight(game)
    for seat, vote in ((1, "option 1"), (2, "option 2"), (0, "option 2")):
        assert (game.decision.kind, game.decision.seat) == (Decision.REWARD, seat)
        do(game, vote)
    assert game.state.saved_steps == 3


def quick_game(plain, starter: int, **fields) -> Game:
    """A party that is thrown out of a dungeon of the quick side, where one card is its comfort."""
    game = scenario(
        config_of(3, mode="quick", quick_gifts=[(1, 1)] * 8, **fields),
        card_set=plain,
        decks=dict(enumerate(WEAK[:3])),
        dungeons={1: ["Foe 1a"], 7: ["Foe 4a"]},
        starter=starter,
    )
    while game.decision.kind == Decision.DUNGEON:
        do(game, "dungeon 7")
    fight(game)
    return game


def test_R20_R55_players_voted_for_are_counted_from_each_voter(plain):
    for starter in range(3):
        game = quick_game(plain, starter, joint_choice="vote")
        voters = [(starter + 1 + offset) % 3 for offset in range(3)]
        for gets_it in range(3):
            vote = game.clone()
            for voter in voters:
                assert (vote.decision.kind, vote.decision.seat) == (Decision.HAND_OUT, voter)
                do(vote, f"player {(gets_it - voter) % 3}")
            assert [len(owned(vote, seat)) for seat in range(3)] == [
                1 + (seat == gets_it) for seat in range(3)
            ]


def test_R20_R55_a_vote_on_players_is_counted_by_seat(plain):
    game = quick_game(plain, starter=2, joint_choice="vote")
    assert game.decision.seat == 0
    do(game, "player 0", "player 1", "player 0")  # for seats 0, 2 and 2
    assert [len(owned(game, seat)) for seat in range(3)] == [1, 1, 2]


def test_R20_a_vote_on_players_that_ties_goes_to_the_starting_players_choice(plain):
    game = quick_game(plain, starter=0, joint_choice="vote")
    assert game.decision.seat == 1
    do(game, "player 2", "player 0", "player 1")  # for seats 0, 2 and 1
    assert [len(owned(game, seat)) for seat in range(3)] == [2, 1, 1]


def test_R20_nobody_votes_on_a_single_option(plain):
    game = scenario(
        config_of(3, joint_choice="vote", take_single_options=True),
        card_set=plain,
        dungeons={number: [] for number in range(1, 11)},
    )
    assert game.decision.kind == Decision.KEEP
    assert game.state.dungeon == BOSS_DECK


def test_R20_a_single_player_has_nobody_to_vote_with(plain):
    game = at_the_choice(plain, 1, joint_choice="vote")
    do(game, "dungeon 3")
    assert entered(game) == 3
    assert game.decision.kind == Decision.KEEP


@pytest.mark.parametrize("joint_choice", ["leader", "vote"])
def test_R20_both_ways_of_choosing_play_a_game_to_its_end(shipped, joint_choice):
    for players in (1, 2, 3, 4):
        for mode in ("regular", "quick"):
            config = config_of(players, joint_choice=joint_choice, mode=mode)
            game = Game.new(config, 1, shipped)
            for number in range(20_000):
                if game.is_over:
                    break
                game.step(game.decision.options[number % len(game.decision.options)])
                game.check()
            assert game.outcome in (Outcome.WON, Outcome.LOST)
