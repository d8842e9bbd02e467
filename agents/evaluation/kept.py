"""Finished games on disk, so that an evaluation that is interrupted goes on where it stopped.

One file for each team and configuration, a line for each report of a worker. Its name is a hash of
everything a game depends on, so other sources, cards or options never meet old results. A line that
was cut off is as if it had not been written. Failed games are not read back: they are tried again.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from agents.evaluation.results import GameResult
from agents.evaluation.teams import Team
from agents.registry import AGENTS
from tenefyr_env.config import GameConfig

ROOT = Path(__file__).resolve().parents[2]
FORMAT = 2  # of the lines


class KeptGames:
    """The finished games of one team and configuration."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.results: dict[int, GameResult] = {}  # by deal
        self.timing: dict[str, tuple[int, float]] = {}  # by agent: decisions, seconds
        if path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                self._read(line)

    def add(self, results: Sequence[GameResult], timing: dict[str, tuple[int, float]]) -> None:
        """Keep finished games, on disk before this returns."""
        self._take(results, timing)
        line = json.dumps({"results": [each.to_dict() for each in results], "timing": timing})
        # The break before the line ends one that was cut off.
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
            file.flush()
            os.fsync(file.fileno())

    def _read(self, line: str) -> None:
        try:
            values = json.loads(line)
            results = [GameResult.from_dict(each) for each in values["results"]]
            timing = {name: (int(n), float(s)) for name, (n, s) in values["timing"].items()}
        except (ValueError, TypeError, KeyError, AttributeError):
            return
        self._take([each for each in results if not each.is_failed], timing)

    def _take(self, results: Sequence[GameResult], timing: dict[str, tuple[int, float]]) -> None:
        self.results.update({result.deal: result for result in results})
        for name, (decisions, seconds) in timing.items():
            before = self.timing.get(name, (0, 0.0))
            self.timing[name] = (before[0] + decisions, before[1] + seconds)


def kept_name(team: Team, config: GameConfig, card_set_hash: str, deal_set: str) -> str:
    """The name of the file for a team and configuration."""
    digest = hashlib.sha256()
    played = [FORMAT, team.spec, config.to_dict(), card_set_hash, deal_set]
    digest.update(json.dumps(played, sort_keys=True).encode())
    digest.update(source_hash().encode())
    for path in _own_files(team):
        digest.update(path.read_bytes())
    readable = re.sub(r"[^A-Za-z0-9=+]+", "_", team.spec)[:60]
    return f"{readable}-{config.difficulty}-{config.players}-{digest.hexdigest()[:16]}.jsonl"


@cache
def source_hash() -> str:
    """A hash of the engine's and the shipped agents' sources."""
    digest = hashlib.sha256()
    sources = [*(ROOT / "tenefyr_env").rglob("*.py"), *(ROOT / "agents").rglob("*.py")]
    for path in sorted([*sources, *(ROOT / "agents" / "heroes").glob("*.safetensors")]):
        if "evaluation" not in path.relative_to(ROOT).parts:
            digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def _own_files(team: Team) -> Iterator[Path]:
    """The sources of agents that do not ship with the project, and files that options name."""
    for agent in team.agents:
        head = agent.partition(":")[0]
        if head not in AGENTS:
            spec = importlib.util.find_spec(head)
            if spec and spec.origin:
                yield Path(spec.origin)
        for word in filter(None, re.split("[:,=]", agent)):
            yield from _files_at(Path(word))


def _files_at(path: Path) -> list[Path]:
    """The file of a path, or the trained heroes of a run's folder."""
    return [each for each in (path, path / "best.safetensors") if each.is_file()]
