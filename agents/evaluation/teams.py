"""Teams: which agent plays which seat.

odds                             the same agent in every seat
odds+greedy+random+odds          an agent for each seat
thief=search+others=odds         an agent for a hero, and one for all others

A player of two heroes has the agent that is named first for one of them. Agents may have options
(`search:rollouts=400,policy=odds`), and several teams are listed with commas between them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tenefyr_env.cards.vocabulary import Hero
from tenefyr_env.config import HERO_NAMES, GameConfig

OTHERS = "others"
ACCEPTED = "agent, agent+agent+... for each seat, or hero=agent+others=agent"


class TeamError(ValueError):
    """A team that cannot sit down to play."""


@dataclass(frozen=True)
class Team:
    """Agents by seat, or by hero."""

    spec: str
    by_seat: tuple[str, ...] = ()  # one for all seats, or one for each
    by_hero: tuple[tuple[str, str], ...] = ()  # hero or OTHERS, and its agent, as they were named

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """The agents' names, each once."""
        return tuple(dict.fromkeys(self.by_seat or (agent for _, agent in self.by_hero)))

    def check(self, config: GameConfig) -> None:
        """Refuse a game that has another number of seats."""
        if len(self.by_seat) > 1 and len(self.by_seat) != config.players:
            raise TeamError(
                f"team {self.spec!r}: {len(self.by_seat)} agents for {config.players} players;"
                f" accepted: one agent, or one for each player"
            )

    def seating(self, heroes: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """The place in `agents` of who plays each seat, from the hero bits of the seats."""
        seats = np.zeros(heroes.shape, np.int64)
        if self.by_seat:
            seats[:] = 0 if len(self.by_seat) == 1 else self._places_by_seat(heroes.shape[1])
            return seats
        for hero, agent in reversed(self.by_hero):  # the first named is written last
            bits = ~0 if hero == OTHERS else 1 << Hero[hero.upper()]
            seats[(heroes & bits) != 0] = self.agents.index(agent)
        return seats

    def _places_by_seat(self, seats: int) -> list[int]:
        places = [self.agents.index(agent) for agent in self.by_seat]
        return places + [0] * (seats - len(places))


def parse_team(spec: str) -> Team:
    """The team a text describes."""
    parts = spec.split("+")
    named = [_named(part) for part in parts]
    if not all(agent for _, agent in named):
        raise TeamError(f"team {spec!r}: an agent is missing; accepted: {ACCEPTED}")
    heroes = [hero for hero, _ in named if hero]
    if not heroes:
        return Team(spec, by_seat=tuple(parts))
    if len(heroes) < len(parts):
        raise TeamError(f"team {spec!r}: seats and heroes mixed; accepted: {ACCEPTED}")
    if len(set(heroes)) < len(heroes):
        raise TeamError(f"team {spec!r}: a hero is named twice; accepted: once")
    missing = [hero for hero in HERO_NAMES if hero not in heroes]
    if OTHERS not in heroes and missing:
        raise TeamError(f"team {spec!r}: no agent for {', '.join(missing)}; add {OTHERS}=agent")
    by_hero = sorted(named, key=lambda pair: pair[0] == OTHERS)  # whoever is left
    return Team(spec, by_hero=tuple(by_hero))


def short_name(spec: str) -> str:
    """A team as a table shows it: of paths only what they lead to."""
    return re.sub(r"[^=+,:]*/(?=[^/+,:]+)", "", spec)


def split_teams(text: str) -> list[str]:
    """The teams of a list; a comma before an agent's further option does not part two teams."""
    teams: list[str] = []
    for part in text.split(","):
        key, equals, _ = part.partition("=")
        is_option = bool(equals) and key.isidentifier() and not _named(part)[0]
        if is_option and teams and ":" in teams[-1]:
            teams[-1] += f",{part}"
        else:
            teams.append(part.strip())
    return teams


def _named(part: str) -> tuple[str, str]:
    """The hero that a part of a team names, if any, and the agent."""
    key, equals, agent = part.partition("=")
    if equals and key in (*HERO_NAMES, OTHERS):
        return key, agent
    return "", part
