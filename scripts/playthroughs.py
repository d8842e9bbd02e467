"""Write the golden games of the tests: one of every mode, as text that a player can read.

python scripts/playthroughs.py
python scripts/playthroughs.py --folder /tmp/games

A file has a header that fixes the game, and then for every decision the whole table, the question
with its options, the choice behind ">", and what followed. The choices are those of a simple
player: weak enemies first, hands of more than average power are kept, good cards are not given up.

The games of a version of the card set are frozen when they are first written: `frozen.json` keeps
their fingerprint. Whatever changes one of them needs a new version in the set's `set.yaml`.
"""

import argparse
import hashlib
import json
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.cards.vocabulary import Kind, Pile
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.actions import CONTINUE, DECLINE, KEEP, LEAVE, REDRAW, USE
from tenefyr_env.engine.state import BOSS_DECK, NO_CARD, Decision, Outcome
from tenefyr_env.engine.words import card_of_action, dungeon_of_action
from tenefyr_env.game import Game
from tenefyr_env.render.text import (
    MARGIN,
    WIDTH,
    current_enemy_power,
    decision_text,
    is_fighting,
    table_text,
)

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "playthroughs"
CHOICE = "> "
SEEDS_TRIED = 1000
READABLE = 140  # decisions
SHORT = {"easy": 4, "normal": 3, "hard": 2}  # a track for games that are soon read
SHORT_QUICK: dict[str, Any] = {
    "mode": "quick",
    "quick_track": SHORT,
    "quick_gifts": [[3, 1], [2, 2], [1, 3], [1, 4]],
}

# The golden games: the name of the file, the configuration, and the seed (of one that must be won:
# the first to be tried).
GAMES: dict[str, tuple[dict[str, Any], int]] = {
    "solo_regular": ({"players": 1, "track": SHORT, "difficulty": "easy"}, 1),
    "solo_quick": ({"players": 1, **SHORT_QUICK}, 2),
    "solo_quick_won": ({"players": 1, "mode": "quick", "difficulty": "easy"}, 900),
    "solo_absent_heroes": (
        {
            "players": 1,
            "track": SHORT,
            "heroes": ["thief", "cleric"],
            "remove_absent_heroes": True,
            "boss": "spider_queen",
        },
        3,
    ),
    "two_regular": ({"players": 2, "track": SHORT, "boss": "dark_lord"}, 4),
    "two_quick_vote": ({"players": 2, "joint_choice": "vote", **SHORT_QUICK}, 5),
    "two_asked_everything": (
        {"players": 2, "track": SHORT, "difficulty": "hard", "take_single_options": False},
        6,
    ),
    "three_regular": ({"players": 3, "track": SHORT, "boss": "chaos_dragon"}, 7),
    "three_quick": ({"players": 3, **SHORT_QUICK, "difficulty": "hard"}, 8),
    "three_absent_heroes_vote": (
        {
            "players": 3,
            "track": SHORT,
            "heroes": ["barbarian", "bard", "thief"],
            "remove_absent_heroes": True,
            "joint_choice": "vote",
            "difficulty": "hard",
        },
        9,
    ),
    "four_regular": ({"players": 4, "track": SHORT, "boss": "stone_titan"}, 10),
    "four_regular_vote": (
        {"players": 4, "track": SHORT, "joint_choice": "vote", "difficulty": "hard"},
        11,
    ),
    "four_quick": ({"players": 4, **SHORT_QUICK}, 12),
    "four_open_hands": (
        {
            "players": 4,
            "track": SHORT,
            "hands": "open",
            "difficulty": "hard",
            "starting_player": 2,
            "heroes": ["cleric", "thief", "bard", "barbarian"],
        },
        13,
    ),
}

Choose = Callable[[Game], str]


def main() -> None:
    """Write all golden games anew."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the files go")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, (values, seed) in GAMES.items():
        config = GameConfig.from_dict(values)
        if name.endswith("_won"):
            seed = first_won_seed(config, seed)
        text = play_through(config, seed, sensible_choice)
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        print(f"{name}: {text.count(chr(10) + CHOICE)} decisions, {len(text) // 1000} kB")
    freeze(folder)


def fingerprint(folder: Path) -> str:
    """A hash of all golden games of a folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.txt")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def freeze(folder: Path) -> None:
    """Note the fingerprint of a new version's games; one that has one already keeps it."""
    path = folder / "frozen.json"
    frozen = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    card_set = load_card_set("tenefyr")
    now = {"cards": card_set.hash, "games": fingerprint(folder)}
    version = str(card_set.version)
    if frozen.setdefault(version, now) != now:
        print(f"version {version} is frozen with other games: raise the version in set.yaml")
    path.write_text(json.dumps(frozen, indent=2) + "\n", encoding="utf-8")


def first_won_seed(config: GameConfig, first: int) -> int:
    """The first seed with which the simple player wins within a readable number of decisions."""
    for seed in range(first, first + SEEDS_TRIED):
        game = Game.new(config, seed)
        while not game.is_over and game.state.num_decisions < READABLE:
            game.step(sensible_choice(game))
        if game.outcome == Outcome.WON:
            return seed
    sys.exit(f"no game of {SEEDS_TRIED} is won within {READABLE} decisions")


def play_through(config: GameConfig, seed: int, choose: Choose) -> str:
    """The text of a whole game."""
    game = Game.new(config, seed)
    lines = header(game, seed)
    number = 0
    while not game.is_over:
        number += 1
        choice = choose(game)
        lines += ["", f"Decision {number}", table_text(game), decision_text(game)]
        game.step(choice)
        lines += [f"{CHOICE}{choice}", *wrapped(game.events())]
    lines += ["", "The end", table_text(game), decision_text(game)]
    return "\n".join(lines) + "\n"


def wrapped(events: list[str]) -> list[str]:
    """The events, a long one continued on the next line."""
    lines = (textwrap.wrap(event, WIDTH, subsequent_indent=MARGIN) for event in events)
    return [line for event in lines for line in event]


def header(game: Game, seed: int) -> list[str]:
    """What fixes the game: the configuration where it is not the default, seed and card set."""
    default = GameConfig().to_dict()
    values = game.config.to_dict()
    given = {name: value for name, value in values.items() if value != default[name]}
    card_set = game.card_set
    return [
        "A game of Heroes of Tenefyr",
        *(f"{name}: {json.dumps(value)}" for name, value in given.items()),
        f"seed: {seed}",
        f"card set: {card_set.name}, version {card_set.version}, hash {card_set.hash[:12]}",
    ]


def read_header(text: str) -> tuple[GameConfig, int, str]:
    """The configuration, the seed and the line of the card set of a written game."""
    top = text.split("\n\n", 1)[0].splitlines()[1:]
    fields = dict(line.split(": ", 1) for line in top)
    card_set, seed = fields.pop("card set"), int(fields.pop("seed"))
    values = {name: json.loads(value) for name, value in fields.items()}
    return GameConfig.from_dict(values), seed, card_set


def choices_in(text: str) -> list[str]:
    """The choices of a written game."""
    return [line.removeprefix(CHOICE) for line in text.splitlines() if line.startswith(CHOICE)]


def sensible_choice(game: Game) -> str:
    """What a simple player would do."""
    decision = game.decision
    chooser = CHOOSERS.get(decision.kind, take_turns)
    return game.action_name(chooser(game, decision.options))


def take_turns(game: Game, options: tuple[int, ...]) -> int:
    """Another option every time, so that a game shows something of everything."""
    return options[int(game.state.num_decisions) % len(options)]


def weakest_dungeon(game: Game, options: tuple[int, ...]) -> int:
    """The dungeon whose first enemy is the weakest; the boss comes last.

    In a vote every other player prefers the second weakest.
    """

    def difficulty(action: int) -> tuple[bool, int, int]:
        dungeon = dungeon_of_action(action)
        assert dungeon is not None
        top = int(game.state.dungeon_size[dungeon]) - 1
        return dungeon == BOSS_DECK, enemy_of(game, dungeon, top), action

    ranked = sorted(options, key=difficulty)
    return ranked[min(int(game.state.num_votes) % 2, len(ranked) - 1)]


def enemy_of(game: Game, dungeon: int, slot: int) -> int:
    """The printed power of an enemy."""
    card = game.card_set.card(int(game.state.dungeon_cards[dungeon, slot]))
    return card.enemy_power[max(2, game.config.players) - 2]


def keep_or_redraw(game: Game, options: tuple[int, ...]) -> int:
    """Keep what beats the enemy or is at least as good as the deck on average."""
    seat = game.decision.seat
    hand, deck = cards_in(game, seat, Pile.HAND), cards_in(game, seat, Pile.DECK)
    if REDRAW not in options or len(deck) < len(hand):
        return KEEP
    power = sum(worth(game, card) for card in hand)
    missing = current_enemy_power(game) - party_power(game)
    average = sum(worth(game, card) for card in hand + deck) / len(hand + deck)
    return KEEP if power >= min(missing, average * len(hand)) else REDRAW


def party_power(game: Game) -> int:
    """The power of all players together (R27)."""
    return int(game.state.party_power) + int(game.state.power.sum())


def cards_in(game: Game, seat: int, pile: Pile) -> list[int]:
    """The cards of a pile."""
    return [int(card) for card in game.state.piles[seat, pile, : game.state.pile_size[seat, pile]]]


def worth(game: Game, card: int) -> float:
    """How good a card is to have: its power, and a little for an effect."""
    found = game.card_set.card(card)
    return found.power + (1.5 if found.text else 0)


def continue_or_leave(game: Game, options: tuple[int, ...]) -> int:
    """Go on while the decks of all hold two hands on average."""
    decks = int(game.state.pile_size[:, Pile.DECK].sum())
    return CONTINUE if decks >= 6 * game.config.players else LEAVE


def best_card(game: Game, options: tuple[int, ...]) -> int:
    """The card that is best to have."""
    return max(options, key=lambda action: card_worth(game, action))


def worst_card(game: Game, options: tuple[int, ...]) -> int:
    """The card that is least missed."""
    return min(options, key=lambda action: card_worth(game, action))


def card_worth(game: Game, action: int) -> float:
    """How good the card of an action is; to decline lies between the Basics and the others."""
    card = card_of_action(action)
    return 1.25 if card == NO_CARD else worth(game, card)


def card_to_play(game: Game, options: tuple[int, ...]) -> int:
    """Skills first, then other effects, then Basics from the best down."""

    def order(action: int) -> tuple[bool, bool, int]:
        card = game.card_set.card(card_of_action(action))
        return card.kind == Kind.SKILL, bool(card.text), card.power

    return max(options, key=order)


def use_or_decline(game: Game, options: tuple[int, ...]) -> int:
    """Use what there is, unless the enemy is beaten already."""
    is_beaten = is_fighting(game) and party_power(game) >= current_enemy_power(game)
    return DECLINE if is_beaten and DECLINE in options else USE


CHOOSERS: dict[Decision, Callable[[Game, tuple[int, ...]], int]] = {
    Decision.DUNGEON: weakest_dungeon,
    Decision.MOVE: weakest_dungeon,
    Decision.KEEP: keep_or_redraw,
    Decision.PLAY: card_to_play,
    Decision.CONTINUE: continue_or_leave,
    Decision.USE: use_or_decline,
    Decision.DISCARD: worst_card,
    Decision.REMOVE: worst_card,
    Decision.GIVE: worst_card,
    Decision.SWAP: worst_card,
    Decision.SEARCH: best_card,
    Decision.RETURN: best_card,
    Decision.RECOVER: best_card,
    Decision.DOUBLE: best_card,
}


if __name__ == "__main__":
    main()
