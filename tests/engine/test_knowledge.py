"""`determinize` and `conceal`: what a seat cannot know is redrawn or put away, the rest stays."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations

import numpy as np
import pytest
from playing import combat, do, set_with

from tenefyr_env.cards.vocabulary import Kind, Pile
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.knowledge import conceal_games
from tenefyr_env.engine.state import BOSS_DECK, NO_CARD, NUM_DUNGEONS, STATE, Decision, Event
from tenefyr_env.game import Game
from tenefyr_env.render.text import decision_text, table_text
from tenefyr_env.scenario import scenario

SAMPLES = 1200
# Where hidden cards lie, and what follows from them; every other field is public.
HIDDEN = {"rng", "dungeon_cards", "reserve", "piles", "event", "options", "legal", "num_options"}
PUBLIC = [name for name in STATE.names or () if name not in HIDDEN and not name.startswith("gap")]
MODES = {
    "solo": GameConfig(players=1),
    "two quick": GameConfig(players=2, mode="quick"),
    "three vote": GameConfig(players=3, joint_choice="vote"),
    "four": GameConfig(players=4),
    "four quick vote": GameConfig(players=4, mode="quick", joint_choice="vote"),
    "three without absent heroes": GameConfig(players=3, remove_absent_heroes=True),
    "four open hands": GameConfig(players=4, hands="open"),
}
every_mode = pytest.mark.parametrize("config", MODES.values(), ids=MODES)


def positions(config: GameConfig, seed: int) -> Iterator[Game]:
    """Every position of a game whose party puts off the boss."""
    game = Game.new(config, seed)
    choices = np.random.default_rng(seed)
    while not game.is_over:
        yield game
        options = game.decision.options
        game.step(min(int(action) for action in choices.choice(options, 2)))


def pile(game: Game, seat: int, which: Pile) -> list[int]:
    return [
        int(card) for card in game.state.piles[seat, which, : game.state.pile_size[seat, which]]
    ]


def reserve(game: Game, level: int) -> list[int]:
    size = game.state.reserve_size[level - 1]
    return [int(card) for card in game.state.reserve[level - 1, :size]]


def dungeon(game: Game, place: int) -> list[int]:
    return [int(card) for card in game.state.dungeon_cards[place, : game.state.dungeon_size[place]]]


def known_cards(game: Game) -> list[tuple[int, int, int]]:
    """All cards of dungeons that are face up or have been looked at."""
    return [
        (place, slot, card)
        for place in range(NUM_DUNGEONS)
        for slot, card in enumerate(dungeon(game, place))
        if game.state.is_known[place, slot]
    ]


def returned_cards(game: Game) -> list[int]:
    cards = (card for level in range(1, 6) for card in reserve(game, level))
    return sorted(card for card in cards if game.state.is_returned[card])


def own_cards(game: Game, seat: int) -> Counter[int]:
    """Deck and hand of a player: what they hold together is known to all (R16)."""
    return Counter(pile(game, seat, Pile.DECK) + pile(game, seat, Pile.HAND))


def events_seen(game: Game, seat: int) -> list[str]:
    return game.events(seat)


def chi_square(counts: Counter, outcomes: int) -> float:
    """How far counts are from uniform, in standard deviations of the chi-square statistic."""
    expected = counts.total() / outcomes
    found = sum((count - expected) ** 2 / expected for count in counts.values())
    found += expected * (outcomes - len(counts))
    freedom = outcomes - 1
    return float((found - freedom) / np.sqrt(2 * freedom))


def assert_uniform(game: Game, seat: int, outcomes: int, seen: Callable[[Game], object]) -> None:
    """What copies show is uniform over so many outcomes; the seeds are fixed."""
    counts = Counter(seen(game.determinize(seat, seed)) for seed in range(SAMPLES))
    assert len(counts) <= outcomes, "an outcome that cannot be"
    assert abs(chi_square(counts, outcomes)) < 4, counts.most_common(5)


# What the seat sees


@every_mode
def test_R16_R57_R58_a_copy_shows_the_seat_the_same_table(config: GameConfig) -> None:
    for seed, game in enumerate(positions(config, 11)):
        for seat in range(config.players):
            copy = game.determinize(seat, seed)
            assert table_text(copy, seat) == table_text(game, seat)
            assert events_seen(copy, seat) == events_seen(game, seat)
            if game.decision.seat == seat:
                assert decision_text(copy, seat) == decision_text(game, seat)


@every_mode
def test_a_copy_keeps_every_public_field(config: GameConfig) -> None:
    for seed, game in enumerate(positions(config, 12)):
        for seat in range(config.players):
            copy = game.determinize(seat, seed)
            for name in PUBLIC:
                assert np.array_equal(copy.state[name], game.state[name]), name
            assert known_cards(copy) == known_cards(game)
            assert returned_cards(copy) == returned_cards(game)


@every_mode
def test_R16_a_copy_keeps_the_piles_that_are_known(config: GameConfig) -> None:
    for seed, game in enumerate(positions(config, 13)):
        seat = seed % config.players
        copy = game.determinize(seat, seed)
        assert pile(copy, seat, Pile.HAND) == pile(game, seat, Pile.HAND)
        for other in range(config.players):
            assert pile(copy, other, Pile.PLAYED) == pile(game, other, Pile.PLAYED)
            assert pile(copy, other, Pile.DISCARD) == pile(game, other, Pile.DISCARD)
            assert own_cards(copy, other) == own_cards(game, other)
            shown = int(game.state.num_shown[other])
            assert pile(copy, other, Pile.HAND)[:shown] == pile(game, other, Pile.HAND)[:shown]


@every_mode
def test_a_copy_asks_the_same_and_the_decider_has_the_same_options(config: GameConfig) -> None:
    for seed, game in enumerate(positions(config, 14)):
        for seat in range(config.players):
            copy = game.determinize(seat, seed)
            one, two = copy.decision, game.decision
            assert (one.seat, one.kind, one.card, one.is_joint) == (
                two.seat,
                two.kind,
                two.card,
                two.is_joint,
            )
            if two.seat == seat:
                assert one.options == two.options


@every_mode
def test_a_copy_keeps_all_invariants_and_can_be_played_to_its_end(config: GameConfig) -> None:
    for seed, game in enumerate(positions(config, 15)):
        copy = game.determinize(seed % config.players, seed)
        copy.check()
        if seed % 10 == 0:
            while not copy.is_over:
                copy.step(copy.decision.options[-1])
            copy.check()


def searching(deck: list[str]) -> Game:
    """A player searches a deck that holds these cards, from the top, for loot."""
    game = scenario(
        GameConfig(players=1, heroes=("thief", "bard")),
        decks={0: ["Basic 0", "Basic 0", "Silk Lasso", *deck]},
        dungeons={1: ["Tavern Brawler", "Cave Bat", "Grave Digger", "Wild Boar"]},
        starter=0,
    )
    for action in ("dungeon 1", "keep", "card Silk Lasso"):
        game.step(action)
    assert game.decision.kind == Decision.SEARCH
    return game


def test_R16_R48_the_options_of_a_search_do_not_tell_the_order_of_the_deck() -> None:
    cards = ["Sturdy Club", "Quick Strike", "Gnawed Spear"]
    offered = {tuple(searching(list(order)).options()) for order in permutations(cards)}
    assert len(offered) == 1


def test_a_copy_made_during_a_search_offers_the_same_and_is_sound() -> None:
    game = searching(["Sturdy Club", "Quick Strike", "Gnawed Spear"])
    for seed in range(20):
        copy = game.determinize(0, seed)
        copy.check()
        assert copy.options() == game.options()


def test_the_game_itself_is_not_changed() -> None:
    game = Game.new(GameConfig(), 3)
    before = game.state_bytes()
    game.determinize(0, 1)
    assert game.state_bytes() == before


def test_the_same_seed_gives_the_same_copy() -> None:
    game = Game.new(GameConfig(), 3)
    assert game.determinize(0, 5).state_bytes() == game.determinize(0, 5).state_bytes()
    assert game.determinize(0, 5).state_bytes() != game.determinize(0, 6).state_bytes()


def test_R58_a_copy_does_not_tell_what_others_have_drawn() -> None:
    game = in_the_first_hand(GameConfig(players=2))
    copy = game.determinize(1 - game.decision.seat, 1)
    drawn = [event for event in copy.state.event if event[0] == Event.DRAW]
    assert drawn
    assert all(card == NO_CARD for _, _, card in drawn)


# What the seat does not see


def in_the_first_hand(config: GameConfig) -> Game:
    """A game in which the first player has three of five different cards in hand."""
    game = scenario(
        config,
        decks={0: ["Basic 0", "Basic 1", "Sturdy Club", "Quick Strike", "Gnawed Spear"]},
        dungeons={1: ["Tavern Brawler", "Cave Bat", "Grave Digger", "Wild Boar"]},
        starter=0,
    )
    game.step("dungeon 1")
    assert game.decision.kind == Decision.KEEP
    return game


def test_the_order_of_a_deck_is_redrawn_uniformly() -> None:
    deck = ["Basic 0", "Basic 1", "Sturdy Club", "Quick Strike"]
    game = scenario(GameConfig(players=3), decks={1: deck})
    for seat in (0, 1):  # not even its owner knows it
        assert_uniform(game, seat, 24, lambda copy: tuple(pile(copy, 1, Pile.DECK)))


def test_a_face_down_dungeon_card_may_be_any_unseen_card_of_its_level() -> None:
    game = Game.new(GameConfig(players=4), 21)
    place = 2  # of level 2: both dungeons show one card, so 12 of the 14 are unseen
    unseen = set(reserve(game, 2))
    for other in (2, 3):
        unseen |= set(dungeon(game, other)[:-1])
    assert len(unseen) == 12
    for slot in range(3):
        assert_uniform(game, 0, 12, lambda copy, slot=slot: dungeon(copy, place)[slot])
    copies = [game.determinize(0, seed) for seed in range(100)]
    assert {card for copy in copies for card in dungeon(copy, place)[:-1]} == unseen


def test_the_reserve_holds_each_unseen_card_equally_often() -> None:
    game = Game.new(GameConfig(players=4), 22)
    assert_uniform(game, 0, 12, lambda copy: reserve(copy, 3)[0])
    held = Counter(
        card for seed in range(SAMPLES) for card in reserve(game.determinize(0, seed), 3)
    )
    assert len(held) == 12
    assert all(abs(count / SAMPLES - 0.5) < 0.06 for count in held.values())  # 6 of 12 cards


def test_the_order_of_the_face_down_boss_cards_is_redrawn_uniformly() -> None:
    game = Game.new(GameConfig(players=4), 23)
    cards = dungeon(game, BOSS_DECK)
    orders = {(*order, cards[-1]) for order in permutations(cards[:-1])}
    assert {tuple(dungeon(game.determinize(0, seed), BOSS_DECK)) for seed in range(100)} == orders
    assert_uniform(game, 0, 6, lambda copy: tuple(dungeon(copy, BOSS_DECK)))


def test_R54_the_quick_boss_deck_is_redrawn_with_the_reserve_of_level_5() -> None:
    game = Game.new(GameConfig(players=2, mode="quick"), 24)
    assert_uniform(game, 0, 13, lambda copy: dungeon(copy, BOSS_DECK)[0])


def test_R58_the_hand_of_another_may_be_any_of_their_unseen_cards() -> None:
    game = in_the_first_hand(GameConfig(players=2))
    assert_uniform(game, 1, 10, lambda copy: frozenset(pile(copy, 0, Pile.HAND)))


def test_R58_an_open_hand_stays_in_every_copy() -> None:
    game = in_the_first_hand(GameConfig(players=2, hands="open"))
    hand = pile(game, 0, Pile.HAND)
    assert all(pile(game.determinize(1, seed), 0, Pile.HAND) == hand for seed in range(50))


def test_the_own_hand_stays_in_every_copy() -> None:
    game = in_the_first_hand(GameConfig(players=2))
    hand = pile(game, 0, Pile.HAND)
    assert all(pile(game.determinize(0, seed), 0, Pile.HAND) == hand for seed in range(50))


def test_R47_a_card_that_all_saw_go_back_stays_in_the_reserve() -> None:
    """A removed loot is known to lie in the reserve: no dungeon of a copy can hold it."""
    game = scenario(
        GameConfig(players=1, heroes=("thief", "bard")),
        decks={0: ["Blade of Regret", "Sturdy Club", "Basic 0", "Quick Strike", "Basic 1"]},
        starter=0,
    )
    game.step("dungeon 1")
    while not returned_cards(game):
        options = game.options()
        wanted = ["keep", "card Blade of Regret", "card Sturdy Club"]
        game.step(next((name for name in wanted if name in options), options[-1]))
    returned = returned_cards(game)
    level = game.card_set.card(returned[0]).level
    for seed in range(200):
        copy = game.determinize(0, seed)
        assert returned_cards(copy) == returned
        assert returned[0] in reserve(copy, level)


def test_R57_a_card_that_was_looked_at_stays_where_it_lies() -> None:
    game = looked_into()
    known = known_cards(game)
    assert sum(place == 0 for place, _, _ in known) == 4
    assert all(known_cards(game.determinize(0, seed)) == known for seed in range(100))


def looked_into() -> Game:
    """A party that has looked at all cards of dungeon 1."""
    game = scenario(
        GameConfig(players=1, heroes=("thief", "bard")),
        decks={0: ["Echo Stone", "Basic 0", "Basic 1", "Basic 0"]},
        dungeons={1: ["Tavern Brawler", "Kobold", "Grave Digger", "Wild Boar"]},
        starter=0,
    )
    game.step("dungeon 1")
    game.step("keep")
    game.step("card Echo Stone")
    return game


# The future


def test_playing_on_from_copies_tells_nothing_of_the_true_future() -> None:
    """The next card drawn in a copy agrees with the true one as often as chance has it."""
    agree = 0
    for seed in range(SAMPLES):
        game = scenario(
            GameConfig(players=2),
            seed=seed,
            decks={0: ["Basic 0", "Basic 1", "Sturdy Club", "Quick Strike"]},
        ).determinize(0, 10_000 + seed)
        copy = game.determinize(0, seed)
        agree += pile(game, 0, Pile.DECK)[-1] == pile(copy, 0, Pile.DECK)[-1]
    spread = np.sqrt(SAMPLES * 0.25 * 0.75)
    assert abs(agree - SAMPLES / 4) < 4 * spread


def test_chance_itself_is_redrawn() -> None:
    """What a shuffle will do in the true game does not show in copies made with other seeds."""
    game = Game.new(GameConfig(), 31)
    streams = {
        tuple(int(word) for word in game.determinize(0, seed).state.rng) for seed in range(50)
    }
    assert len(streams) == 50
    assert tuple(int(word) for word in game.state.rng) not in streams


def test_outcomes_of_playouts_from_copies_are_uncorrelated_with_the_true_one() -> None:
    """Decisions of a random playout of the true game and of a copy of it, over many games."""
    config = GameConfig(players=2, mode="quick", difficulty="hard")
    true, copied = [], []
    for seed in range(300):
        game = Game.new(config, 77).determinize(0, 50_000 + seed)
        true.append(playout_length(game.clone()))
        copied.append(playout_length(game.determinize(0, seed)))
    assert np.std(true) > 0
    assert abs(np.corrcoef(true, copied)[0, 1]) < 4 / np.sqrt(300)


def playout_length(game: Game) -> int:
    """Decisions of a game that goes by a fixed rule: only what is hidden makes it differ."""
    while not game.is_over:
        options = game.decision.options
        game.step(options[int(game.state.num_decisions) % len(options)])
    return int(game.state.num_decisions)


def test_boss_cards_are_never_dealt_into_dungeons() -> None:
    game = Game.new(GameConfig(), 32)
    for seed in range(50):
        copy = game.determinize(0, seed)
        kinds = {
            game.card_set.card(c).kind for place in range(BOSS_DECK) for c in dungeon(copy, place)
        }
        assert kinds == {Kind.DUNGEON}


# What an agent is shown


def concealed(game: Game) -> Game:
    """A copy in which what the deciding seat cannot know is put away."""
    copy = game.clone()
    conceal_games(copy.states, copy.table, np.array([game.decision.seat], np.int64))
    return copy


@every_mode
def test_all_copies_of_a_position_are_concealed_to_the_same_bytes(config: GameConfig) -> None:
    for seed, game in enumerate(positions(config, 16)):
        seat = game.decision.seat
        found = {
            concealed(game.determinize(seat, 2 * seed + more)).state_bytes() for more in (0, 1)
        }
        assert found == {concealed(game).state_bytes()}


@every_mode
def test_what_is_concealed_stays_so_when_it_is_concealed_again(config: GameConfig) -> None:
    for game in positions(config, 17):
        once = concealed(game)
        assert concealed(once).state_bytes() == once.state_bytes()


@every_mode
def test_concealing_leaves_what_the_seat_sees(config: GameConfig) -> None:
    for game in positions(config, 18):
        seat, copy = game.decision.seat, concealed(game)
        for name in PUBLIC:
            assert np.array_equal(copy.state[name], game.state[name]), name
        assert known_cards(copy) == known_cards(game)
        assert returned_cards(copy) == returned_cards(game)
        assert table_text(copy, seat) == table_text(game, seat)
        assert events_seen(copy, seat) == events_seen(game, seat)


@every_mode
def test_concealing_leaves_the_piles_that_are_known(config: GameConfig) -> None:
    for game in positions(config, 19):
        seat, copy = game.decision.seat, concealed(game)
        assert pile(copy, seat, Pile.HAND) == pile(game, seat, Pile.HAND)
        for other in range(config.players):
            assert pile(copy, other, Pile.PLAYED) == pile(game, other, Pile.PLAYED)
            assert pile(copy, other, Pile.DISCARD) == pile(game, other, Pile.DISCARD)
            assert own_cards(copy, other) == own_cards(game, other)
            shown = int(game.state.num_shown[other])
            assert pile(copy, other, Pile.HAND)[:shown] == pile(game, other, Pile.HAND)[:shown]


@every_mode
def test_concealing_leaves_the_decision_and_its_options(config: GameConfig) -> None:
    for game in positions(config, 20):
        copy = concealed(game)
        assert copy.decision == game.decision
        assert np.array_equal(copy.legal_mask(), game.legal_mask())


@every_mode
def test_what_is_concealed_is_a_sound_position(config: GameConfig) -> None:
    for game in positions(config, 21):
        concealed(game).check()


def test_concealing_leaves_open_hands() -> None:
    for game in positions(MODES["four open hands"], 22):
        copy = concealed(game)
        for seat in range(4):
            assert pile(copy, seat, Pile.HAND) == pile(game, seat, Pile.HAND)


def with_waiting_hands(deck: list[str]) -> Game:
    """A game in which the other player holds two cards of this deck, drawn out of turn (R59)."""
    cards = set_with(loot={"Horn": "power: 0, effect: [{others: [{draw: 2}]}]"})
    game = combat(cards, ["Foe 5a", "Foe 1b"], [["Horn", "Basic 0", "Basic 1"], deck])
    do(game, "keep", "card Horn")
    assert (game.decision.seat, len(pile(game, 1, Pile.HAND))) == (0, 2)
    return game


def test_concealing_puts_away_the_hidden_hands_of_others() -> None:
    orders = permutations(["Basic 0", "Loot 1a", "Loot 2a", "Loot 3a"])
    games = [with_waiting_hands(list(order)) for order in orders]
    assert len({frozenset(pile(game, 1, Pile.HAND)) for game in games}) == 6
    assert len({concealed(game).state_bytes() for game in games}) == 1


@every_mode
def test_a_copy_follows_from_its_seed_however_the_hidden_cards_lay(config: GameConfig) -> None:
    for seed, game in enumerate(positions(config, 23)):
        seat = game.decision.seat
        copy = game.determinize(seat, seed).state_bytes()
        assert game.determinize(seat, seed + 1).determinize(seat, seed).state_bytes() == copy
        assert concealed(game).determinize(seat, seed).state_bytes() == copy
