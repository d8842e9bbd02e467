"""Small card sets and shorthands for the tests of the rules.

    cards = set_with(
        enemies={"Ghost": "power: 5, start: [{each: [{discard_deck: 1}]}]"},
        loot={"Hammer": "power: 2, effect: [{draw: 1}]"},
    )
    game = combat(cards, "Ghost", [["Hammer", "Basic 1"], ["Basic 0"]])  # a deck for each player
    do(game, "keep")
    play(game, "Hammer", "Basic 1")

Every choice is seen: these games do not take single options by themselves unless told so.
"""

import math
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.cards.vocabulary import Hero, Pile
from tenefyr_env.config import HERO_NAMES, HEROES_IN_PLAY, GameConfig
from tenefyr_env.engine.combat import enemy_power as engine_enemy_power
from tenefyr_env.engine.jit import entry
from tenefyr_env.engine.state import BOSS_DECK, NO_REWARD
from tenefyr_env.game import Game
from tenefyr_env.scenario import scenario

Texts = Mapping[str, str]
LEVELS = range(1, 6)
FIRST_CARDS = "abcdefgh"  # the plain cards of a level: "Foe 1a" and "Loot 1a" to "Foe 5h"


def set_with(
    *,
    enemies: Texts | None = None,
    loot: Texts | None = None,
    skills: Texts | None = None,
    bosses: Texts | None = None,
    rewards: Texts | None = None,
) -> CardSet:
    """A set of plain cards, some of them replaced by those under test.

    Each is given as its name and the fields of its entry in a card file. Enemies, loot and rewards
    may name a `level` (1 if not); a `power` of one number counts for every number of players.
    Skills go by hero (`{"thief": "power: 0, effect: [...]"}`), bosses' cards replace "Boss 1" to
    "Boss 4" in this order, and rewards need a `kind` and `options`.

    The plain ones: "Foe 1a" to "Foe 5h" have the power of their level and no rule, "Loot 1a" to
    "Loot 5h" the power of their level and no effect, a "Thief Skill" has power 1 and the effect of
    1 more, Boss cards have power 5 and no rule.
    """
    dungeon = [_plain_card(level, letter) for level in LEVELS for letter in FIRST_CARDS]
    for name, text in (enemies or {}).items():
        _replace_half(dungeon, "enemy", name, _enemy_fields(text))
    for name, text in (loot or {}).items():
        _replace_half(dungeon, "loot", name, _fields(text))
    source = {
        "format": 1,
        "name": "Small Set",
        "version": 1,
        "components": {"dungeon": len(FIRST_CARDS), "rewards": 2},
        "basics": {"origin": "design"},
        "skills": [_skill(hero, (skills or {}).get(hero, "")) for hero in HERO_NAMES],
        "dungeon": dungeon,
        "bosses": [_boss(bosses or {})],
        "rewards": _rewards(rewards or {}),
    }
    return compile_text(yaml.safe_dump(source, sort_keys=False))


def compile_text(text: str) -> CardSet:
    """The card set of a file with this text."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cards.yaml"
        file.write_text(text, encoding="utf-8")
        return load_card_set(file)


def _fields(text: str) -> dict[str, Any]:
    """The fields of an entry, written without its braces."""
    fields: dict[str, Any] = yaml.safe_load(f"{{{text}}}")
    return fields


def _enemy_fields(text: str) -> dict[str, Any]:
    fields = _fields(text)
    power = fields.get("power", fields.get("level", 1))
    fields["power"] = power if isinstance(power, dict) else dict.fromkeys((2, 3, 4), power)
    return fields


def _plain_card(level: int, letter: str) -> dict[str, Any]:
    return {
        "level": level,
        "enemy": {"name": f"Foe {level}{letter}", **_enemy_fields(f"power: {level}")},
        "loot": {"name": f"Loot {level}{letter}", "power": level},
        "origin": "design",
    }


def _replace_half(
    dungeon: list[dict[str, Any]], half: str, name: str, fields: dict[str, Any]
) -> None:
    """Put a card's half in the place of a plain one of its level.

    Enemies from the first card on, loot from the last back: an enemy that is fought and a loot
    that is held must not be the two halves of one card.
    """
    level = fields.pop("level", 1)
    order = dungeon if half == "enemy" else dungeon[::-1]
    plain = ("Foe ", "Loot ")
    card = next(c for c in order if c["level"] == level and c[half]["name"].startswith(plain))
    card[half] = {"name": name, "power": level, **fields}


def _skill(hero: str, text: str) -> dict[str, Any]:
    plain = {"name": f"{hero.capitalize()} Skill", "power": 1, "effect": [{"power": 1}]}
    return {"hero": hero, **plain, **_fields(text), "origin": "design"}


def _boss(texts: Texts) -> dict[str, Any]:
    cards = [{"name": name, **_enemy_fields(text)} for name, text in texts.items()]
    while len(cards) < 4:
        cards.append({"name": f"Boss {len(cards) + 1}", **_enemy_fields("power: 5")})
    return {
        "name": "The Boss",
        "origin": "design",
        "cards": [{**card, "origin": "design"} for card in cards],
    }


def _rewards(texts: Texts) -> list[dict[str, Any]]:
    """Two for each level; the plain ones save one step or two."""
    plain = "kind: together, options: [[{save_step: 1}], [{save_step: 2}]]"
    found = [
        {"level": level, "name": f"Reward {level}{letter}", **_fields(plain)}
        for level in LEVELS
        for letter in "ab"
    ]
    for name, text in texts.items():
        fields = _fields(text)
        level = fields.pop("level", 1)
        place = next(
            i
            for i, r in enumerate(found)
            if r["level"] == level and str(r["name"]).startswith("Reward ")
        )
        found[place] = {"level": level, "name": name, **fields}
    return [{**reward, "origin": "design"} for reward in found]


def config_of(players: int, **fields: Any) -> GameConfig:
    """A game of the first heroes in the order of `Hero`, in which every choice is seen."""
    defaults = {
        "players": players,
        "heroes": HERO_NAMES[: HEROES_IN_PLAY[players]],
        "take_single_options": False,
        "starting_player": 0,
    }
    return GameConfig(**{**defaults, **fields})


def combat(
    card_set: CardSet,
    enemy: str | Sequence[str],
    decks: Sequence[Sequence[str]],
    *,
    discards: Mapping[int, Sequence[str]] | None = None,
    starter: int = 0,
    steps_left: int | None = None,
    reward: str | None = None,
    reserve: Mapping[int, Sequence[str]] | None = None,
    boss_deck: Sequence[str] | None = None,
    seed: int = 0,
    **fields: Any,
) -> Game:
    """As many players as decks (from the top) have entered dungeon 1, where these enemies wait."""
    game = scenario(
        config_of(len(decks), **fields),
        seed=seed,
        card_set=card_set,
        decks=dict(enumerate(decks)),
        discards=discards,
        dungeons={1: [enemy] if isinstance(enemy, str) else enemy},
        rewards={1: reward} if reward is not None else None,
        reserve=reserve,
        boss_deck=boss_deck,
        starter=starter,
        steps_left=steps_left,
    )
    num_votes = len(decks) if game.config.joint_choice == "vote" else 1  # R20
    do(game, *["dungeon 1"] * num_votes)
    return game


def do(game: Game, *actions: str) -> list[str]:
    """Take these actions one after the other; all that happened meanwhile."""
    events: list[str] = []
    for action in actions:
        game.step(action)
        events += game.events()
    return events


def play(game: Game, *names: str) -> list[str]:
    """Play these cards one after the other; all that happened meanwhile."""
    return do(game, *(f"card {name}" for name in names))


def play_hand(game: Game) -> list[str]:
    """Keep the hand and play it, first options first, to the end of the turn."""
    events: list[str] = []
    turn, combats = int(game.state.turn), num_combats(game)
    while not game.is_over and (int(game.state.turn), num_combats(game)) == (turn, combats):
        events += do(game, game.options()[0])
    return events


def fight(game: Game) -> list[str]:
    """Keep every hand and play it, first options first, to the end of this combat."""
    events: list[str] = []
    combats = num_combats(game)
    while not game.is_over and num_combats(game) == combats:
        events += do(game, game.options()[0])
    return events


def num_combats(game: Game) -> int:
    """How many combats have been decided."""
    return int(game.state.combats_won + game.state.combats_lost)


def pile(game: Game, seat: int, which: Pile) -> list[str]:
    """The names of a pile's cards, from the top."""
    size = game.state.pile_size[seat, which]
    cards = game.state.piles[seat, which, :size][::-1]
    return [game.card_set.card_name(int(card)) for card in cards]


def deck(game: Game, seat: int) -> list[str]:
    """A player's deck, from the top."""
    return pile(game, seat, Pile.DECK)


def hand(game: Game, seat: int) -> list[str]:
    """A player's hand, sorted by name."""
    return sorted(pile(game, seat, Pile.HAND))


def played(game: Game, seat: int) -> list[str]:
    """What lies in front of a player, in the order of play."""
    return pile(game, seat, Pile.PLAYED)[::-1]


def discard_pile(game: Game, seat: int) -> list[str]:
    """A player's discard pile, sorted by name."""
    return sorted(pile(game, seat, Pile.DISCARD))


def owned(game: Game, seat: int) -> list[str]:
    """All cards of a player, sorted by name."""
    return sorted(name for which in Pile for name in pile(game, seat, which))


def dungeon(game: Game, number: int) -> list[str]:
    """The enemies of "dungeon 1" and so on, from the top; 11 is the boss deck."""
    size = game.state.dungeon_size[number - 1]
    cards = game.state.dungeon_cards[number - 1, :size][::-1]
    return [game.card_set.enemy_name(int(card)) for card in cards]


def face_up(game: Game, number: int) -> list[bool]:
    """Of each enemy of a dungeon, from the top, whether all know it."""
    size = game.state.dungeon_size[number - 1]
    return [bool(known) for known in game.state.is_known[number - 1, :size][::-1]]


def boss_deck(game: Game) -> list[str]:
    """The enemies of the boss deck, from the top."""
    return dungeon(game, BOSS_DECK + 1)


def reserve(game: Game, level: int) -> list[str]:
    """The loot names of a level's reserve, sorted."""
    size = game.state.reserve_size[level - 1]
    return sorted(game.card_set.card_name(int(c)) for c in game.state.reserve[level - 1, :size])


def reward_of(game: Game, number: int) -> str | None:
    """The reward beside a dungeon."""
    reward = int(game.state.reward[number - 1])
    found = game.card_set.rewards[reward] if reward != NO_REWARD else None
    return found.name if found else None


def heroes_of(game: Game, seat: int) -> set[str]:
    """The heroes a player counts as."""
    return {hero.name.lower() for hero in Hero if game.state.heroes[seat] >> hero & 1}


def power(game: Game) -> list[int]:
    """The power of each player in this combat, by seat."""
    return [int(each) for each in game.state.power[: game.config.players]]


@entry
def _enemy_power(states, tables):
    return engine_enemy_power(states[0], tables[0])


def enemy_power(game: Game) -> int:
    """The current power of the enemy being fought."""
    return int(_enemy_power(game.states, game.table))


def set_ups(config: GameConfig, card_set: CardSet, count: int) -> list[Game]:
    """Games of one configuration, set up with the seeds 0, 1, 2 and so on."""
    return [Game.new(config, seed, card_set) for seed in range(count)]


def copies(game: Game) -> Counter[str]:
    """How many copies of each card there are in all places together, by name."""
    state = game.state
    found = Counter({card: int(count) for card, count in enumerate(state.out_of_play)})
    for seat in range(game.config.players):
        for which in Pile:
            found.update(int(c) for c in state.piles[seat, which, : state.pile_size[seat, which]])
    for number in range(BOSS_DECK + 1):
        found.update(int(c) for c in state.dungeon_cards[number, : state.dungeon_size[number]])
    for level in range(len(LEVELS)):
        found.update(int(c) for c in state.reserve[level, : state.reserve_size[level]])
    return Counter({game.card_set.card_name(card): n for card, n in found.items() if n})


def is_even(counts: Iterable[int], tolerance: float = 5.0) -> bool:
    """Whether counts of equally likely cases differ no more than chance explains.

    The statistic is chi square, which has mean `cases - 1` and twice that as variance; the seeds
    are fixed, so this is the same in every run.
    """
    counts = list(counts)
    cases, expected = len(counts), sum(counts) / len(counts)
    spread = sum((count - expected) ** 2 for count in counts) / expected
    return spread <= cases - 1 + tolerance * math.sqrt(2 * (cases - 1))
