"""Planning by sampling: flat Monte Carlo search with sequential halving.

Every option is tried in sampled games: all that the seat cannot know is redrawn, the option taken,
and the game played out by a scripted policy. The weaker half of the options drops out, the rest is
tried again in more samples, until two are left. The policy's own choice stays to the end, and is
only given up for one that is better beyond the noise: so the search does not do worse for a small
budget.
"""

import time
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from agents.agent import BatchAgent, Turns
from agents.scripted import strategies
from agents.scripted.guide import guide_to
from agents.search.rollouts import scripted_choices, try_actions
from tenefyr_env.engine.state import MAX_SEATS, Decision, new_states

POLICIES = {
    "greedy": strategies.GREEDY,
    "careful": strategies.CAREFUL,
    "looter": strategies.LOOTER,
    "quick": strategies.QUICK,
    "odds": strategies.ODDS,
}
BIG = (Decision.DUNGEON, Decision.CONTINUE, Decision.KEEP, Decision.PLAY)
KINDS = {
    "all": [int(kind) for kind in Decision],
    "small": [int(kind) for kind in Decision if kind not in BIG],
}
MAX_ROLLOUTS = 1_000_000  # of one decision
SAMPLES_AT_ONCE = 16  # of each option between two looks at the clock


def is_number(value: object, above: float | None = None) -> bool:
    """Whether an option is a finite number from 0, or above a bound."""
    if type(value) not in (int, float) or not np.isfinite(value):  # type: ignore[call-overload]
        return False
    return value >= 0 if above is None else value > above  # type: ignore[operator]


class Search(BatchAgent):
    """Tries every option in sampled games and takes the best.

    `rollouts` is the number of games played out for a decision, at least one for each option; `ms`
    a limit on its time, for a player against the clock: with it, results depend on the machine.
    `policy` plays the games out. A defeat counts `credit` times the share of the boss deck beaten.
    The policy's own choice, or that of `habit` if there is one, is given up for one that is
    `margin` standard errors better. With `kinds=small` only the small choices are searched, the
    many that are not about a raid, a hand or the order of play.
    """

    is_oracle: ClassVar[bool] = False

    def __init__(
        self,
        rollouts: int = 80,
        ms: float | None = None,
        policy: str = "quick",
        credit: float = 0.3,
        margin: float = 1.5,
        habit: str = "",
        kinds: str = "all",
    ) -> None:
        if type(rollouts) is not int or not 1 <= rollouts <= MAX_ROLLOUTS:
            raise ValueError(f"rollouts {rollouts!r}: accepted are 1 to {MAX_ROLLOUTS}")
        if ms is not None and not is_number(ms, above=0):
            raise ValueError(f"ms {ms!r}: accepted are numbers above 0")
        for name, chosen in (("policy", policy), ("habit", habit or policy)):
            if not isinstance(chosen, str) or chosen not in POLICIES:
                raise ValueError(f"{name} {chosen!r}: accepted are {', '.join(POLICIES)}")
        if kinds not in KINDS:
            raise ValueError(f"kinds {kinds!r}: accepted are {', '.join(KINDS)}")
        for name, value in (("credit", credit), ("margin", margin)):
            if not is_number(value):
                raise ValueError(f"{name} {value!r}: accepted are numbers from 0")
        self.rollouts = rollouts
        self.ms = ms
        self.policy = POLICIES[policy]
        self.habit = POLICIES[habit or policy]
        self.kinds = KINDS[kinds]
        self.credit = float(credit)
        self.margin = float(margin)
        self._scratch = new_states(2)

    def act_batch(
        self, observations: Any, masks: npt.NDArray[np.int8], turns: Turns
    ) -> npt.NDArray[np.int64]:
        actions = np.zeros(len(turns), np.int64)
        is_plain = np.zeros(len(turns), np.bool_)
        tables, guides = turns.card_set.table, guide_to(turns.card_set)
        scripted_choices(turns.states, tables, guides, self.habit, turns.seeds, actions, is_plain)
        is_plain |= ~np.isin(turns.states["decision"], self.kinds)
        for row in np.flatnonzero(~is_plain):
            actions[row] = self.plan(turns, int(row), int(actions[row]))[0]
        return actions

    def plan(self, turns: Turns, row: int, usual: int) -> tuple[int, dict[int, float]]:
        """The best action of one decision, and what each option was worth."""
        trial = Trial(self, turns, row, usual)
        trial.run()
        return trial.best(), trial.worths()


class Oracle(Search):
    """The same search in the true game, hidden cards and all: a bound that no honest player has.

    It knows every deck's order and every face-down card; dice still to be thrown it does not.
    """

    is_oracle: ClassVar[bool] = True


class Trial:
    """One decision being planned."""

    def __init__(self, search: Search, turns: Turns, row: int, usual: int) -> None:
        states = turns.states[row : row + 1]
        self.search = search
        self.states = states
        self.tables, self.guides = turns.card_set.table, guide_to(turns.card_set)
        self.seed = int(turns.seeds[row])
        self.seat = int(states["decider"][0])
        self.usual = usual
        self.options = states["options"][0][: states["num_options"][0]].astype(np.int64)
        self.policies = np.full(MAX_SEATS, search.policy)
        self.deadline = np.inf if search.ms is None else time.perf_counter() + search.ms / 1000
        self.results = np.zeros((len(self.options), search.rollouts), np.float64)
        self.tried = np.zeros(len(self.options), np.int64)

    def run(self) -> None:
        """Round by round, until the budget is used."""
        alive = np.arange(len(self.options))
        rounds = max(1, int(np.ceil(np.log2(len(alive)))))
        done = 0
        for number in range(rounds):
            samples = max(1, self.search.rollouts // rounds // len(alive))
            last = min(self.search.rollouts, done + samples)
            if not self.try_out(alive, done, last, rounds - number):
                return
            done = int(self.tried[alive].max())
            if number < rounds - 1:
                alive = self.better_half(alive)

    def try_out(self, alive: npt.NDArray[np.int64], first: int, last: int, rounds: int) -> bool:
        """Play out samples of these options; False when the time is up."""
        now = time.perf_counter()
        until = now + (self.deadline - now) / rounds if np.isfinite(self.deadline) else np.inf
        results = np.zeros((len(alive), last))
        step = last - first if np.isinf(until) else SAMPLES_AT_ONCE
        for start in range(first, last, max(1, step)):
            end = min(last, start + max(1, step))
            try_actions(
                self.states, self.tables, self.guides, self.policies, self.seat, self.seed,
                self.search.is_oracle, start, end, self.search.credit,
                self.options[alive], results, self.search._scratch,
            )  # fmt: skip
            self.results[alive, start:end] = results[:, start:end]
            self.tried[alive] = end
            if time.perf_counter() > until:
                return time.perf_counter() < self.deadline
        return True

    def better_half(self, alive: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The better half of the options, and the policy's own choice."""
        means = np.array([self.mean(option) for option in alive])
        order = np.argsort(-means, kind="stable")
        kept = alive[order[: (len(alive) + 1) // 2]]
        return np.union1d(kept, np.flatnonzero(self.options == self.usual))

    def mean(self, option: int) -> float:
        """How well an option has done so far."""
        return float(self.results[option, : self.tried[option]].mean()) if self.tried[option] else 0

    def worths(self) -> dict[int, float]:
        """What each option was worth in the samples it was tried in."""
        return {int(action): self.mean(index) for index, action in enumerate(self.options)}

    def best(self) -> int:
        """The best of those tried to the end, if it beats the policy's choice beyond the noise."""
        finalists = np.flatnonzero(self.tried == self.tried.max())
        leader = int(max(finalists, key=self.mean))
        own = int(np.flatnonzero(self.options == self.usual)[0])
        count = min(self.tried[leader], self.tried[own])
        if leader == own or count == 0:
            return int(self.options[leader])
        difference = self.results[leader, :count] - self.results[own, :count]
        noise = float(difference.std()) / np.sqrt(count)
        chosen = leader if difference.mean() > self.search.margin * noise else own
        return int(self.options[chosen])
