"""What a team chooses where it has a choice: which dungeons, to leave, to redraw, which loot.

Counted while a game is played, or from its replay:

print(figures_of_choices([result], card_set)["leave"])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.evaluation.figures import Figures, mean_of, share_of
from agents.evaluation.results import Choices, GameResult
from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.table import FIRST_BOSS_CARD, FIRST_DUNGEON_CARD, NUM_LEVELS
from tenefyr_env.engine.actions import FIRST_DUNGEON, LEAVE, REDRAW
from tenefyr_env.engine.state import BOSS_DECK, Decision
from tenefyr_env.replays import Replay

BOSS_LEVEL = NUM_LEVELS + 1  # stands for the boss deck among the levels
LEVEL_NAMES = {**{level: str(level) for level in range(1, BOSS_LEVEL)}, BOSS_LEVEL: "boss"}
FEWEST_CHOICES = 20  # at one track position, before "always" means something


class ChoiceNotes:
    """Notes on the choices of games that are played side by side.

    A chance is a decision in which the action is legal: the engine takes single options itself, so
    there is always another. In a vote (R20) every voice counts.
    """

    def __init__(self, games: int) -> None:
        self._by_kind = np.zeros((games, len(Decision)), np.int64)
        self._left = np.zeros((games, 2), np.int64)  # how often, and how many chances
        self._redrawn = np.zeros((games, 2), np.int64)
        self._dungeons: list[list[tuple[int, int]]] = [[] for _ in range(games)]

    def note(
        self,
        games: npt.NDArray[np.int64],
        states: npt.NDArray[Any],
        actions: npt.NDArray[np.int64],
    ) -> None:
        """The games with these numbers stand at `states`, and the actions are about to be taken."""
        kinds, legal = states["decision"], states["legal"]
        self._by_kind[games, kinds] += 1
        for counts, action in ((self._left, LEAVE), (self._redrawn, REDRAW)):
            counts[games, 0] += actions == action
            counts[games, 1] += legal[:, action]
        for row in np.flatnonzero(kinds == Decision.DUNGEON):
            dungeon = int(actions[row]) - FIRST_DUNGEON
            is_boss = dungeon == BOSS_DECK
            level = BOSS_LEVEL if is_boss else int(states["dungeon_level"][row, dungeon])
            self._dungeons[games[row]].append((int(states["steps_left"][row]), level))

    def of(self, game: int) -> Choices:
        """The choices of one game so far."""
        left, chances_to_leave = self._left[game].tolist()
        redrawn, chances_to_redraw = self._redrawn[game].tolist()
        return Choices(
            by_kind=tuple(self._by_kind[game].tolist()),
            dungeons=tuple(self._dungeons[game]),
            left=left,
            chances_to_leave=chances_to_leave,
            redrawn=redrawn,
            chances_to_redraw=chances_to_redraw,
        )


def choices_in(replay: Replay, card_set: CardSet | None = None) -> Choices:
    """The choices of a recorded game."""
    notes = ChoiceNotes(1)
    first = np.zeros(1, np.int64)
    for position, action in zip(replay.play(card_set), replay.actions, strict=False):
        notes.note(first, position.states, np.array([action]))
    return notes.of(0)


def figures_of_choices(results: Iterable[GameResult], card_set: CardSet) -> Figures:
    """How often what was chosen, in games that were played to their end."""
    played = [result for result in results if not result.is_failed]
    made = [result.choices for result in played]
    return {
        "games": len(played),
        "won": sum(result.is_won for result in played),
        "mean_decisions": mean_of(sum(result.decisions) for result in played),
        "leave": _taken([(each.left, each.chances_to_leave) for each in made]),
        "redraw": _taken([(each.redrawn, each.chances_to_redraw) for each in made]),
        "dungeons": _dungeons(made),
        "decisions": _kinds(made),
        "loot": _loot(played, card_set),
    }


def _taken(counts: Sequence[tuple[int, int]]) -> Figures:
    times, chances = (sum(column) for column in zip((0, 0), *counts, strict=True))
    per_game = round(chances / len(counts), 2) if counts else None
    return {"share": share_of(times, chances), "chances": chances, "chances_per_game": per_game}


def _dungeons(made: Sequence[Choices]) -> Figures:
    """By steps left to the skull: how often each level was entered, and which always."""
    entered = Counter(choice for each in made for choice in each.dungeons)
    figures: Figures = {}
    for steps in sorted({steps for steps, _ in entered}, reverse=True):
        levels = [entered[steps, level] for level in LEVEL_NAMES]
        choices = sum(levels)
        shares = {
            name: share_of(count, choices)
            for name, count in zip(LEVEL_NAMES.values(), levels, strict=True)
        }
        is_rule = choices >= FEWEST_CHOICES
        always = [name for name, share in shares.items() if is_rule and share == 1]
        figures[str(steps)] = {"choices": choices, "shares": shares, "always": "".join(always)}
    return figures


def _kinds(made: Sequence[Choices]) -> Figures:
    """The share of each kind of decision, the most frequent first."""
    counts: Counter[str] = Counter()
    for each in made:
        for kind, count in zip(Decision, each.by_kind, strict=False):
            counts[kind.name.lower()] += count
    found = sorted((name for name in counts if counts[name]), key=lambda name: -counts[name])
    return {name: share_of(counts[name], counts.total()) for name in found}


def _loot(played: Sequence[GameResult], card_set: CardSet) -> Figures:
    """For every loot card: the games at whose end a player has it, and those of them won."""
    owned = Counter(card for result in played for card in result.owned_loot)
    won = Counter(card for result in played if result.is_won for card in result.owned_loot)
    cards = card_set.cards[FIRST_DUNGEON_CARD:FIRST_BOSS_CARD]
    return {
        card.name: {"level": card.level, "won": won[card.id], "games": owned[card.id]}
        for card in cards
        if card is not None
    }
