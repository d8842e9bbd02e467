"""Every card of the shipped set resolves, whatever is chosen on the way."""

from collections.abc import Callable

import pytest
from playing import config_of, do

from tenefyr_env.cards.card_set import Card
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.cards.table import VERB, N
from tenefyr_env.cards.vocabulary import Boost, Hero, Kind, Span, Trigger, Verb
from tenefyr_env.config import HEROES_IN_PLAY
from tenefyr_env.engine.state import Decision, Event
from tenefyr_env.game import Game
from tenefyr_env.scenario import scenario

SHIPPED = load_card_set("tenefyr")
CARDS = [card for card in SHIPPED.cards if card is not None]
REWARDS = [reward for reward in SHIPPED.rewards if reward is not None]
MOST_POSITIONS = 3000  # no card comes near it: its choices are all seen
SEEDS = range(40)  # for the effects that chance picks

BASICS = ["Basic 0", "Basic 1"]
LOOT = ["Ogre Maul", "Silver Fang", "Rotten Axe", "Iron Gauntlet", "Amber Stinger"]
ENEMIES = ["Orc", "Cave Bat", "Grave Digger", "Roadside Bandit"]  # under the one that is met
DUNGEON = ["Mountain Giant", "Lava Drake", *ENEMIES]

IsDone = Callable[[Game], bool]


def spare(names: list[str], card: Card) -> list[str]:
    """These cards but the one under test, by either of its names."""
    return [name for name in names if name not in (card.name, card.enemy_name)]


def branches(game: Game) -> tuple[int, ...]:
    """The options to try: all of an effect's, and one redraw; otherwise the first will do."""
    decision = game.decision
    is_effect = game.state.num_frames > 0 or decision.kind in (Decision.REWARD, Decision.MOVE)
    is_first_hand = decision.kind == Decision.KEEP and game.state.redraws_now == 0
    return decision.options if is_effect or is_first_hand else decision.options[:1]


def explore(game: Game, is_done: IsDone) -> list[Game]:
    """Every position the branches lead to until `is_done`, each of them checked, none twice."""
    stack, found = [game], {}
    while stack:
        position = stack.pop()
        key = position.state_bytes()
        if key in found:
            continue
        found[key] = position
        assert len(found) < MOST_POSITIONS
        position.check()
        if position.is_over or is_done(position):
            continue
        for action in branches(position):
            following = position.clone()
            following.step(action)
            stack.append(following)
    return list(found.values())


def chances(positions: list[Game]) -> set[tuple[int, int]]:
    """What chance picked: the card that asked for it and the number of the branch."""
    found = set()
    for position in positions:
        state = position.state
        for slot in range(min(int(state.num_events), len(state.event_number))):
            if state.event[slot, 0] == Event.CHANCE:
                found.add((int(state.event[slot, 2]), int(state.event_number[slot])))
    return found


def heroes_for(card: Card, players: int) -> list[str]:
    """Heroes of which seat 0 has the card's, if it names one."""
    order = [hero.name.lower() for hero in Hero]
    if card.hero is not None:
        order.sort(key=lambda hero: hero != card.hero.name.lower())
    return order[: HEROES_IN_PLAY[players]]


PLAYED = [card for card in CARDS if card.kind != Kind.BOSS]
SEATS = {"hero first": (0, 0), "hero last": (0, 1), "stranger": (1, 1)}  # who plays, who starts


@pytest.mark.parametrize("place", ["dungeon 9", "boss"])
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("card", PLAYED, ids=lambda card: card.name)
def test_every_played_card_resolves_whatever_is_chosen(card, seats, place):
    """In the first turn and in the last, by its hero and by another, up to the next dungeon."""
    player, starter = SEATS[seats]
    loot, enemies = spare(LOOT, card), spare(DUNGEON, card)[:4]
    decks = {seat: [*BASICS, loot[seat], *BASICS] for seat in range(3)}
    decks[player] = [card.name, *BASICS, loot[player], *BASICS]
    piles = {"boss_deck": enemies} if place == "boss" else {"dungeons": {9: enemies}}
    game = scenario(
        config_of(3, heroes=heroes_for(card, 3)),
        card_set=SHIPPED,
        decks=decks,
        discards={seat: [*BASICS, loot[3]][seat : seat + 2] for seat in range(2)},
        starter=starter,
        steps_left=6,
        **piles,
    )
    do(game, place)
    while game.decision.seat != player or game.decision.kind != Decision.KEEP:
        do(game, game.options()[0])
    do(game, "keep", f"card {card.name}")
    explore(game, lambda position: position.decision.kind == Decision.DUNGEON)


@pytest.mark.parametrize("card", PLAYED, ids=lambda card: card.name)
def test_every_played_card_resolves_in_solo(card):
    """Exhausted with its last card, so that nothing is left to draw or to choose from."""
    for deck in ([card.name], [card.name, *BASICS, *BASICS, *spare(LOOT, card)[:1]]):
        game = scenario(
            config_of(1, heroes=heroes_for(card, 1)),
            card_set=SHIPPED,
            decks={0: deck},
            dungeons={9: spare(DUNGEON, card)[:4]},
            starter=0,
        )
        do(game, "dungeon 9", "keep", f"card {card.name}")
        explore(game, lambda position: position.decision.kind == Decision.DUNGEON)


FOUGHT = [card for card in CARDS if card.enemy_name]


def random_branches(card: int) -> int:
    """How many branches the largest random effect of an enemy has."""
    table = SHIPPED.table[0]
    sizes = [0]
    for trigger in set(Trigger) - {Trigger.PLAY}:
        first, last = table["first_row"][card, trigger], table["last_row"][card, trigger]
        sizes += [int(row[N]) for row in table["rows"][first:last] if row[VERB] == Verb.RANDOM]
    return max(sizes)


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("card", FOUGHT, ids=lambda card: card.enemy_name)
def test_every_enemy_can_be_beaten_and_can_win_whatever_is_chosen(card, players):
    """With a great boost and with weak hands, until the combat is over; chance picks all it can."""
    is_boss = card.kind == Kind.BOSS
    enemies = [card.enemy_name, *spare(ENEMIES, card)]
    place = "boss" if is_boss else f"dungeon {2 * card.level - 1}"
    piles = {"boss_deck": enemies} if is_boss else {"dungeons": {2 * card.level - 1: enemies}}
    decks = [[*BASICS, loot, "Basic 1"] for loot in spare(LOOT, card)[:players]]
    weak = [["Basic 0"] * 4] * players
    has_won, picked = set(), set()
    num_random = random_branches(card.id)
    for seed in SEEDS if num_random else SEEDS[:1]:
        for hands, boost in ((decks, 60), (weak, 0)):
            game = scenario(
                config_of(players, boss=card.boss or "random"),
                seed=seed,
                card_set=SHIPPED,
                decks=dict(enumerate(hands)),
                starter=0,
                **piles,
            )
            game.state.boost[Boost.POWER, Span.COMBAT] = boost
            do(game, place)
            is_done = combat_is_over(game)
            positions = explore(game, is_done)
            picked |= {branch for asker, branch in chances(positions) if asker == card.id}
            last = [position for position in positions if is_done(position) or position.is_over]
            has_won |= {bool(position.state.combats_won) for position in last}
    assert picked == set(range(num_random))
    assert True in has_won
    if SHIPPED.table["power_each"][0, card.id] >= 0:  # else the cards themselves may wear it down
        assert False in has_won


def combat_is_over(game: Game) -> IsDone:
    """Whether the combat has been decided or the enemy gone."""
    enemies = int(game.state.dungeon_size.sum())
    starter = int(game.state.starter)

    def is_done(position: Game) -> bool:
        state = position.state
        is_decided = state.combats_won + state.combats_lost > 0
        is_calm = state.num_frames == 0 and position.decision.kind != Decision.HAND_OUT
        has_passed = int(state.starter) != starter or int(state.dungeon_size.sum()) < enemies
        return bool(is_calm and (is_decided or (has_passed and state.has_moved)))

    return is_done


@pytest.mark.parametrize("joint_choice", ["leader", "vote"])
@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("reward", REWARDS, ids=lambda reward: reward.name)
def test_every_reward_resolves_whatever_is_chosen(reward, players, joint_choice):
    place = 2 * reward.level - 1
    game = scenario(
        config_of(players, joint_choice=joint_choice),
        card_set=SHIPPED,
        decks={seat: [LOOT[seat], "Basic 1", "Basic 0", "Basic 0"] for seat in range(players)},
        dungeons={place: ["Kobold"], **{number: [] for number in range(4, 9) if number != place}},
        rewards={place: reward.name},
        starter=0,
    )
    while game.decision.kind != Decision.KEEP:
        do(game, f"dungeon {place}")
    while game.decision.kind != Decision.REWARD:
        do(game, game.options()[0])
    positions = explore(game, lambda position: position.decision.kind == Decision.DUNGEON)
    ends = [position for position in positions if position.decision.kind == Decision.DUNGEON]
    assert ends
    assert all(position.state.rewards_taken == 1 for position in ends)
