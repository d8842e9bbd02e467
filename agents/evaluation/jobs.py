"""Evaluations: every team in every configuration over the same deals, shared out to all cores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.evaluation.deals import deal_seeds
from agents.evaluation.kept import KeptGames, kept_name
from agents.evaluation.results import GameResult
from agents.evaluation.teams import Team
from agents.evaluation.workers import Crew, Report, Task, Timing
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import GameConfig
from tenefyr_env.replays import Replay

FIRST_CHUNK = 4  # games that a worker is given before it is known how fast they go
MOST_GAMES = 256  # in one chunk
CHUNK_SECONDS = 4.0  # what an interruption may lose of each worker's time
KEPT_FOLDER = "games"
FAILED_FOLDER = "failed"


@dataclass(frozen=True)
class Deals:
    """Which deals are played."""

    name: str
    count: int
    first: int = 0

    def seeds(self) -> list[int]:
        """The seeds of the games."""
        return [int(seed) for seed in deal_seeds(self.name, self.count, self.first)]


class Job:
    """One team in one configuration, and what is known of its games."""

    def __init__(self, team: Team, config: GameConfig, deals: Deals, folder: Path) -> None:
        self.team, self.config, self.folder = team, config, folder
        self.seeds = deals.seeds()
        self.chunk = FIRST_CHUNK
        name = kept_name(team, config, load_card_set(config.cards).hash, deals.name)
        self._kept = KeptGames(folder / KEPT_FOLDER / name)
        self._waiting = [seed for seed in self.seeds if seed not in self._kept.results]

    @property
    def results(self) -> list[GameResult]:
        """The finished games of these deals, in their order."""
        kept = self._kept.results
        return [kept[seed] for seed in self.seeds if seed in kept]

    @property
    def timing(self) -> Timing:
        """By agent: decisions, and the seconds they took."""
        return self._kept.timing

    def next_deals(self) -> tuple[int, ...]:
        """The deals to be played next, if there are any left."""
        deals = tuple(self._waiting[: self.chunk])
        del self._waiting[: self.chunk]
        return deals

    def add(self, report: Report) -> None:
        """Keep what a worker has finished; the next chunk is as long as its speed suggests."""
        self._kept.add(report.results, report.timing)
        if report.seconds:
            games = len(report.results) * CHUNK_SECONDS / report.seconds
            self.chunk = int(min(max(1, games), 4 * self.chunk, MOST_GAMES))
        for result in report.results:
            if result.failure:
                self.save_replay(result)

    def replay_path(self, result: GameResult) -> Path:
        """Where a failed game's replay lies in the folder."""
        return Path(FAILED_FOLDER) / f"{self._kept.path.stem}-{result.deal}.json"

    def save_replay(self, result: GameResult) -> None:
        """Write a failed game up to the decision that was not answered."""
        assert result.failure is not None
        path = self.folder / self.replay_path(result)
        path.parent.mkdir(exist_ok=True)
        Replay.from_actions(self.config, result.deal, result.failure.actions).save(path)


def run_jobs(
    jobs: Sequence[Job],
    workers: int,
    limit: float,
    tell: Callable[[Job, list[GameResult]], None],
) -> None:
    """Play all games that are not finished yet; `tell` hears of them as they come in."""
    for job in jobs:
        tell(job, job.results)
    waiting = list(jobs)

    def next_task() -> Task | None:
        while waiting:
            job = waiting[0]
            if deals := job.next_deals():
                return Task(jobs.index(job), job.team, job.config, deals)
            waiting.pop(0)
        return None

    first = next_task()
    if first is None:
        return
    tasks = [first]
    with Crew(workers, limit) as crew:
        for report in crew.play(lambda: tasks.pop() if tasks else next_task()):
            jobs[report.job].add(report)
            tell(jobs[report.job], report.results)
