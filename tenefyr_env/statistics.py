"""What a game will be remembered for: its statistics, and the achievements it earned.

print(statistics(game).dungeons_cleared)
for number in achievements(game):
    print(number, ACHIEVEMENTS[number])
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tenefyr_env.cards.table import BASIC_0, BASIC_1, NUM_LEVELS
from tenefyr_env.cards.vocabulary import Hero, Pile
from tenefyr_env.config import DIFFICULTIES
from tenefyr_env.engine.state import NO_BOSS, Outcome
from tenefyr_env.game import Game

ACHIEVEMENTS: Mapping[str, str] = {
    "A1": "Win on Easy",
    "A2": "Win on Normal",
    "A3": "Win on Hard",
    "A4": "Win without the Barbarian",
    "A5": "Win without the Bard",
    "A6": "Win without the Cleric",
    "A7": "Win without the Thief",
    "A8": "Win against the Dark Lord",
    "A9": "Win against the Spider Queen",
    "A10": "Win against the Chaos Dragon",
    "A11": "Win against the Stone Titan",
    "A12": "Win with every dungeon cleared",
    "A13": "Win without clearing a level 1 dungeon",
    "A14": "Win without entering a level 5 dungeon",
    "A15": "Defeat the last enemy of the boss deck with Deathstrike",
    "A16": "End with no Basic card in one player's deck",
    "A17": "End with twelve or more Basic 0 in one player's deck",
    "A18": "Defeat the Lost Goblin in a level 1 dungeon",
    "A19": "Use the Thief Skill eight times or more in one game",
    "A20": "Defeat a boss card in a single turn",
    "A21": "Have a combined power of 32 or more",
}

REGULAR_REWARDS = 10  # dungeons that have a reward at set-up (R10) ...
QUICK_REWARDS = 4  # ... and in quick mode (R54)
MANY_BASIC_0 = 12  # A17
MANY_THIEF_SKILLS = 8  # A19
GREAT_POWER = 32  # A21


@dataclass(frozen=True)
class GameStatistics:
    """The figures of one game so far; players are known by hero, or by both (R6)."""

    outcome: Outcome
    decisions: int
    dungeons_cleared: tuple[int, ...]  # by level, from 1
    dungeons_entered: tuple[int, ...]  # by level, from 1; the boss deck is none of them
    combats_won: int
    combats_lost: int
    redraws: tuple[int, ...]  # by seat
    steps_spent: int  # of the boss token
    loot_taken: Mapping[str, int]  # by player, in seat order
    skill_uses: Mapping[str, int]  # by hero in play
    boss_stages: int  # enemies of the boss deck defeated
    best_power: int  # the largest combined power of any combat
    decks: Mapping[str, Mapping[str, int]]  # by player: card name to copies, over all piles


def statistics(game: Game) -> GameStatistics:
    """The figures of a game so far; after its end they are final."""
    state = game.state
    seats = range(game.config.players)
    names = [game.player_name(seat) for seat in seats]
    return GameStatistics(
        outcome=game.outcome,
        decisions=int(state.num_decisions),
        dungeons_cleared=tuple(int(state.cleared[level]) for level in range(NUM_LEVELS)),
        dungeons_entered=tuple(int(state.entered[level]) for level in range(NUM_LEVELS)),
        combats_won=int(state.combats_won),
        combats_lost=int(state.combats_lost),
        redraws=tuple(int(state.redraws[seat]) for seat in seats),
        steps_spent=int(state.steps_spent),
        loot_taken={names[seat]: int(state.loot_taken[seat]) for seat in seats},
        skill_uses={
            hero.name.capitalize(): int(state.skill_uses[hero])
            for hero in Hero
            if _is_in_play(game, hero)
        },
        boss_stages=int(state.boss_stages),
        best_power=int(state.best_power),
        decks={names[seat]: _deck_by_name(game, seat) for seat in seats},
    )


def achievements(game: Game) -> tuple[str, ...]:
    """The achievements a finished game has earned, in the order of the sheet."""
    if not game.is_over:
        return ()
    return tuple(number for number in ACHIEVEMENTS if _EARNED[number](game))


def _is_won(game: Game) -> bool:
    return game.outcome == Outcome.WON


def _is_in_play(game: Game, hero: Hero) -> bool:
    """Whether some player counts as the hero (R6)."""
    heroes = game.state.heroes
    return any(int(heroes[seat]) >> hero & 1 for seat in range(game.config.players))


def _owned(game: Game, seat: int) -> Counter[int]:
    """The cards of a player, in all piles."""
    state = game.state
    return Counter(
        int(state.piles[seat, pile, slot])
        for pile in Pile
        for slot in range(state.pile_size[seat, pile])
    )


def _deck_by_name(game: Game, seat: int) -> dict[str, int]:
    """The cards of a player by name, in the order of the card table."""
    owned = _owned(game, seat)
    return {game.card_set.card_name(card): owned[card] for card in sorted(owned)}


def _won_on(difficulty: str) -> Callable[[Game], bool]:
    number = DIFFICULTIES.index(difficulty)
    return lambda game: _is_won(game) and int(game.state.difficulty) == number


def _won_without(hero: Hero) -> Callable[[Game], bool]:
    return lambda game: _is_won(game) and not _is_in_play(game, hero)


def _won_against(boss: str) -> Callable[[Game], bool]:
    """Won against the boss of this name; quick mode has none (R54)."""

    def is_earned(game: Game) -> bool:
        number = int(game.state.boss)
        return _is_won(game) and number != NO_BOSS and game.card_set.bosses[number] == boss

    return is_earned


def _cleared_every_dungeon(game: Game) -> bool:
    """Every dungeon of set-up lies beside a reward, which only clearing it gives (R34, R51)."""
    rewards = QUICK_REWARDS if game.state.is_quick else REGULAR_REWARDS
    return _is_won(game) and int(game.state.rewards_taken) == rewards


def _never_entered_level_5(game: Game) -> bool:
    """Level 5 is the boss deck of quick mode (R54): to win is to enter it."""
    return _is_won(game) and not game.state.is_quick and int(game.state.entered[4]) == 0


def _has_player_without_basics(game: Game) -> bool:
    decks = [_owned(game, seat) for seat in range(game.config.players)]
    return any(deck[BASIC_0] + deck[BASIC_1] == 0 for deck in decks)


def _has_player_with_many_basic_0(game: Game) -> bool:
    decks = [_owned(game, seat) for seat in range(game.config.players)]
    return any(deck[BASIC_0] >= MANY_BASIC_0 for deck in decks)


_EARNED: Mapping[str, Callable[[Game], bool]] = {
    "A1": _won_on("easy"),
    "A2": _won_on("normal"),
    "A3": _won_on("hard"),
    "A4": _won_without(Hero.BARBARIAN),
    "A5": _won_without(Hero.BARD),
    "A6": _won_without(Hero.CLERIC),
    "A7": _won_without(Hero.THIEF),
    "A8": _won_against("Dark Lord"),
    "A9": _won_against("Spider Queen"),
    "A10": _won_against("Chaos Dragon"),
    "A11": _won_against("Stone Titan"),
    "A12": _cleared_every_dungeon,
    "A13": lambda game: _is_won(game) and int(game.state.cleared[0]) == 0,
    "A14": _never_entered_level_5,
    "A15": lambda game: bool(game.state.finished_with_deathstrike),
    "A16": _has_player_without_basics,
    "A17": _has_player_with_many_basic_0,
    "A18": lambda game: bool(game.state.beat_lost_goblin),
    "A19": lambda game: int(game.state.skill_uses[Hero.THIEF]) >= MANY_THIEF_SKILLS,
    "A20": lambda game: bool(game.state.beat_boss_in_one_turn),
    "A21": lambda game: int(game.state.best_power) >= GREAT_POWER,
}
