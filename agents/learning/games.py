"""Games for learners: all heroes of a party learn together, or some have partners who do not.

A row waits whenever a learner must choose; what the others choose is played inside, in batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.agent import NO_OBSERVATION, Agent, Turns
from agents.registry import make_agent
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.knowledge import conceal_games
from tenefyr_env.engine.rng import MAX_SEED
from tenefyr_env.engine.state import BOSS_DECK, MAX_SEATS, Outcome
from tenefyr_env.gym_vector import HeroVectorEnv, Rows
from tenefyr_env.spaces.encoders import Encoder, make_encoder

LOST = int(Outcome.LOST)
EVERYBODY = -1  # instead of a seat: all players of the game are learners

Arrays = dict[str, npt.NDArray[Any]]


class LearnersVectorEnv(HeroVectorEnv):
    """Games in which all heroes learn, or one among partners.

    `hero` alone learns, a seat or a name, with `partners` in the other seats. Without it all heroes
    learn; in a share `strangers` of the games one of them, drawn by lot, sits among partners. The
    partners are names of agents, drawn by lot for each seat of a game. A defeat earns `credit`
    times the share of the boss deck beaten: a victory is far away for those who begin.
    """

    def __init__(
        self,
        num_envs: int,
        config: GameConfig,
        *,
        hero: int | str | None = None,
        partners: Sequence[str] = (),
        strangers: float = 0.0,
        credit: float = 0.0,
        **options: Any,
    ) -> None:
        if not partners and (strangers or (hero is not None and config.players > 1)):
            raise ValueError(
                f"partners {list(partners)}: accepted are names of agents, at least one"
            )
        super().__init__(num_envs, config, hero=0 if hero is None else hero, copy=False, **options)
        self.credit = credit
        self._is_party = hero is None
        self._strangers = 1.0 if hero is not None else strangers
        self._agents = [make_agent(name) for name in partners]
        self._encoders = [encoder_of(agent) for agent in self._agents]
        self._agent_at = np.zeros((num_envs, MAX_SEATS), np.int64)  # by seat: who plays it

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """Start all games anew, row i from seed + i."""
        if seed is not None or self._partner_random is None:
            self._partner_random = np.random.default_rng(seed)  # seats are drawn before all turns
        return super().reset(seed=seed, options=options)

    def _find_hero(self, rows: Rows) -> None:
        super()._find_hero(rows)
        if not self._agents:
            self._hero_seats[rows] = EVERYBODY
            return
        lots = self._lots
        seats = lots.integers(len(self._agents), size=(len(rows), MAX_SEATS))
        self._agent_at[rows] = seats
        if self._is_party:
            alone = lots.integers(self.config.players, size=len(rows))
            is_among_strangers = lots.random(len(rows)) < self._strangers
            self._hero_seats[rows] = np.where(is_among_strangers, alone, EVERYBODY)

    @property
    def _lots(self) -> np.random.Generator:
        assert self._partner_random is not None
        return self._partner_random

    def _partners_turns(self, rows: Rows) -> Rows:
        waiting = super()._partners_turns(rows)
        return waiting[self._hero_seats[waiting] != EVERYBODY]

    def _partner_actions(self, rows: Rows) -> Rows:
        batch = self._rows
        actions = np.zeros(len(rows), np.int64)
        who = self._agent_at[rows, batch.seats[rows]]
        for number, agent in enumerate(self._agents):
            chosen = np.flatnonzero(who == number)
            if len(chosen):
                turns = self._turns_of(agent, rows[chosen])
                seen = seen_by(self._encoders[number], turns)
                answer = agent.act_batch(seen, turns.masks, turns)
                actions[chosen] = self._checked(rows[chosen], answer)
        return actions

    def _turns_of(self, agent: Agent, rows: Rows) -> Turns:
        """The pending decisions of these rows as a partner is given them."""
        batch = self._rows
        seeds = self._lots.integers(MAX_SEED, size=len(rows))
        turns = Turns(batch.states[rows], seeds, batch.config, batch.card_set)
        if not agent.is_oracle:
            conceal_games(turns.states, batch.card_set.table, turns.seats)
        return turns

    def _book(self, rows: Rows) -> None:
        batch = self._rows
        if self.credit:
            lost = rows[batch.outcomes[rows] == LOST]
            batch.rewards[lost] += self.credit * beaten_share(batch.last_positions(lost))
        super()._book(rows)

    def _seats_at_end(self, rows: Rows) -> Rows:
        return np.maximum(super()._seats_at_end(rows), 0)

    def save(self) -> tuple[Arrays, dict[str, Any]]:
        """Where all games stand, as arrays, and the state of the lots."""
        batch = self._rows
        arrays = {name: getattr(self, name) for name in ("_hero_seats", "_carried", "_agent_at")}
        arrays |= {name: getattr(batch, name) for name in ("_streams", "_potentials")}
        arrays["states"] = batch.states.view(np.uint8).reshape(self.num_envs, -1)
        return arrays, self._lots.bit_generator.state

    def restore(self, arrays: Arrays, lots: dict[str, Any]) -> None:
        """Go on from where `save` was called; the steps that follow are the same ones."""
        batch = self._rows
        for name in ("_hero_seats", "_carried", "_agent_at"):
            getattr(self, name)[:] = arrays[name]
        for name in ("_streams", "_potentials"):
            getattr(batch, name)[:] = arrays[name]
        batch.states.view(np.uint8).reshape(self.num_envs, -1)[:] = arrays["states"]
        batch.show_all()
        self._partner_random = np.random.default_rng()
        self._partner_random.bit_generator.state = lots


def beaten_share(states: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """The share of the boss deck that was beaten, in games that have ended."""
    beaten = states["boss_stages"].astype(np.float32)
    return np.asarray(beaten / np.maximum(1, beaten + states["dungeon_size"][:, BOSS_DECK]))


def encoder_of(agent: Agent) -> Encoder | None:
    """The encoder of the observations that an agent asks for."""
    return None if agent.encoder == NO_OBSERVATION else make_encoder(agent.encoder)


def seen_by(encoder: Encoder | None, turns: Turns) -> Any:
    """What the deciding seats see through an encoder."""
    if encoder is None:
        return None
    out = encoder.empty(len(turns))
    encoder.encode(turns.states, turns.card_set.table, turns.seats, out)
    return out
