"""What is kept of a game: enough for every figure, and nothing that depends on the machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy.typing as npt

from tenefyr_env.cards.table import FIRST_BOSS_CARD, FIRST_DUNGEON_CARD
from tenefyr_env.cards.vocabulary import Hero, Pile
from tenefyr_env.engine.state import BOSS_DECK, NO_BOSS, Outcome
from tenefyr_env.game import Game
from tenefyr_env.statistics import achievements

WON = "won"
LOST = "lost"
FAILED = "failed"
NO_BOSS_NAME = "none"  # quick mode has none


@dataclass(frozen=True)
class Failure:
    """Why a game could not be played on: what an agent did instead of answering."""

    agent: str
    seat: int
    message: str
    actions: tuple[int, ...]  # of the game, up to the decision that was not answered


@dataclass(frozen=True)
class Choices:
    """What was chosen in a game (`choices.py` counts it)."""

    by_kind: tuple[int, ...] = ()  # decisions, by Decision
    dungeons: tuple[tuple[int, int], ...] = ()  # entered: steps left, and the level
    left: int = 0
    chances_to_leave: int = 0
    redrawn: int = 0
    chances_to_redraw: int = 0


NO_CHOICES = Choices()


@dataclass(frozen=True)
class GameResult:
    """How one game went."""

    deal: int
    outcome: str  # WON, LOST or FAILED
    agents: tuple[str, ...]  # by seat
    heroes: tuple[str, ...]  # by seat; a player of two is "barbarian_bard"
    boss: str
    decisions: tuple[int, ...]  # by seat
    redraws: tuple[int, ...]  # by seat
    loot: tuple[int, ...]  # by seat
    skill_uses: tuple[int, ...]  # by hero
    cleared: tuple[int, ...]  # dungeons, by level
    combats_won: int
    combats_lost: int
    steps_left: int  # of the boss token, at the end
    boss_stages: int  # enemies of the boss deck defeated
    lost_to: str  # the enemy that stood at the end: "Boss: its card", or one that joined the boss
    achievements: tuple[str, ...]
    owned_loot: tuple[int, ...] = ()  # ids of the loot cards in all players' piles, at the end
    choices: Choices = NO_CHOICES
    failure: Failure | None = None

    @property
    def is_won(self) -> bool:
        """Whether the party has beaten the boss."""
        return self.outcome == WON

    @property
    def is_failed(self) -> bool:
        """Whether an agent kept the game from being played to its end."""
        return self.outcome == FAILED

    def to_dict(self) -> dict[str, Any]:
        """The result in plain values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> GameResult:
        """The result that `to_dict` wrote, also after a way through JSON."""
        plain: dict[str, Any] = {key: _as_tuples(value) for key, value in values.items()}
        plain["choices"] = Choices(**plain["choices"])
        if failure := plain.get("failure"):
            plain["failure"] = Failure(**failure)
        return cls(**plain)


def _as_tuples(value: Any) -> Any:
    """Lists, which JSON has instead, as tuples, at every depth."""
    if isinstance(value, Mapping):
        return {key: _as_tuples(each) for key, each in value.items()}
    return tuple(map(_as_tuples, value)) if isinstance(value, list | tuple) else value


def result_of(
    game: Game,
    deal: int,
    agents: Sequence[str],
    decisions: npt.NDArray[Any],
    choices: Choices = NO_CHOICES,
    failure: Failure | None = None,
) -> GameResult:
    """The result of a game that has ended, or could not be played on."""
    state = game.states[0]
    seats = slice(0, game.config.players)
    is_lost = game.outcome == Outcome.LOST
    return GameResult(
        deal=deal,
        outcome=FAILED if failure else game.outcome.name.lower(),
        agents=tuple(agents[seats]),
        heroes=tuple(hero_label(bits) for bits in state["heroes"][seats].tolist()),
        boss=NO_BOSS_NAME if state["boss"] == NO_BOSS else game.card_set.bosses[state["boss"]],
        decisions=tuple(decisions[seats].tolist()),
        redraws=tuple(state["redraws"][seats].tolist()),
        loot=tuple(state["loot_taken"][seats].tolist()),
        skill_uses=tuple(state["skill_uses"].tolist()),
        cleared=tuple(state["cleared"].tolist()),
        combats_won=int(state["combats_won"]),
        combats_lost=int(state["combats_lost"]),
        steps_left=int(state["steps_left"]),
        boss_stages=int(state["boss_stages"]),
        lost_to=_enemy_standing(game) if is_lost and not failure else "",
        achievements=achievements(game),
        owned_loot=_owned_loot(game),
        choices=choices,
        failure=failure,
    )


def hero_label(bits: int) -> str:
    """A player by hero, or by both, as the environments name their agents."""
    return "_".join(hero.name.lower() for hero in Hero if bits >> hero & 1)


def _owned_loot(game: Game) -> tuple[int, ...]:
    """The loot cards of all players, in all piles."""
    state = game.states[0]
    owned = {
        card
        for seat in range(game.config.players)
        for pile in Pile
        for card in state["piles"][seat, pile, : state["pile_size"][seat, pile]].tolist()
    }
    return tuple(sorted(card for card in owned if FIRST_DUNGEON_CARD <= card < FIRST_BOSS_CARD))


def _enemy_standing(game: Game) -> str:
    """The enemy on top of the boss deck: a game is lost nowhere else (R42)."""
    state = game.states[0]
    top = int(state["dungeon_size"][BOSS_DECK]) - 1
    card = game.card_set.card(int(state["dungeon_cards"][BOSS_DECK, top]))
    owner = "level 5" if state["is_quick"] else card.boss  # the boss deck of quick mode (R54)
    return f"{owner}: {card.enemy_name}" if owner else card.enemy_name
