"""Play random games through the AEC environment and check its promises at every decision.

python scripts/fuzz_env.py
python scripts/fuzz_env.py --games 100000 --seed 7

Masks are the same in observation, info and engine. Every hero earns the same, and what `last` gave
a hero adds up to the team's return. Flags and `agents` are right at every kind of end: won, lost,
and given up by an illegal action, which is otherwise refused or punished.
"""

import argparse
import itertools
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from tenefyr_env import Game, GameConfig, IllegalAction, TenefyrEnv, scenario
from tenefyr_env.env import ILLEGAL_MODES, ILLEGAL_PENALTY
from tenefyr_env.rewards import REWARDS

GAMES = 10_000
ILLEGAL_SHARE = {"raise": 0.02, "penalty": 0.02, "terminate": 0.002}  # of the decisions
OTHERS_EVERY = 10  # decisions after which those who wait are looked at
NEAR_END_EVERY = 5  # games after which one begins before a weak boss, so that some are won


class BrokenPromise(Exception):  # noqa: N818
    """Something the environment does not keep."""


def expect(holds: object, promise: str) -> None:
    """Raise unless a promise is kept."""
    if not holds:
        raise BrokenPromise(promise)


def main() -> None:
    """Play, and print what came of it."""
    options = parse_arguments()
    envs = [TenefyrEnv(config, **rest) for config, rest in all_kinds()]
    start = time.perf_counter()
    ends: Counter[str] = Counter()
    for number in range(options.games):
        seed = options.seed * 2**32 + number
        env = envs[number % len(envs)]
        try:
            ends[play(env, seed, is_near_end=number % NEAR_END_EVERY == 0)] += 1
        except BrokenPromise as broken:
            sys.exit(f"failed: {broken}\nseed {seed}, {kind_of(env)}")
        if (number + 1) % max(1, options.games // 10) == 0:
            print(f"{number + 1:,} of {options.games:,} games", flush=True)
    print_summary(ends, len(envs), time.perf_counter() - start)


def parse_arguments() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=GAMES, help="to play")
    parser.add_argument("--seed", type=int, default=0, help="of the run")
    return parser.parse_args()


def all_kinds() -> Iterator[tuple[GameConfig, dict[str, str]]]:
    """Every kind of environment, so mixed that a few of them are unlike each other."""
    kinds = list(
        itertools.product(
            (1, 2, 3, 4), ("regular", "quick"), ("leader", "vote"), ILLEGAL_MODES, REWARDS
        )
    )
    for players, mode, joint, illegal, reward in kinds[::5] + [
        kind for index, kind in enumerate(kinds) if index % 5
    ]:
        config = GameConfig(players=players, mode=mode, joint_choice=joint)
        yield config, {"illegal": illegal, "reward": reward}


def kind_of(env: TenefyrEnv) -> str:
    """What a failure is played again with."""
    return f"{env.config}, illegal={env.illegal!r}, gamma={env.reward.gamma}"


def play(env: TenefyrEnv, seed: int, is_near_end: bool = False) -> str:
    """Play one game and check everything; how it ended."""
    choices = np.random.default_rng(seed)
    options = {"game": near_end(env.config, seed)} if is_near_end else {}
    env.reset(seed=seed, options=options)
    team = list(env.agents)
    earned = dict.fromkeys(team, 0.0)
    penalties = decisions = 0
    is_given_up = False
    while not any(env.terminations.values()):
        check_decision(env, team, decisions)
        earned[env.agent_selection] += float(env.last(observe=False)[1])
        decisions += 1
        is_refused = choices.random() < ILLEGAL_SHARE[env.illegal]
        if is_refused:
            is_given_up = try_illegal(env, choices)
            penalties += env.illegal == "penalty"
        if not is_refused or env.illegal == "raise":
            first = is_near_end and decisions <= len(team)
            env.step(choose(env, choices, first))
            expect(len(set(env.rewards.values())) == 1, "every hero earns the same")
    check_end(env, team, earned)
    won = env.game.outcome.name == "WON"
    team_return = won + penalties * ILLEGAL_PENALTY
    for agent in team:
        expect(abs(earned[agent] - team_return) < 1e-9, f"{agent} earned {earned[agent]}")
    return "given up" if is_given_up else env.game.outcome.name.lower()


def near_end(config: GameConfig, seed: int) -> Game:
    """A game whose boss deck is one weak enemy."""
    return scenario(config, seed=seed, boss_deck=["Kobold"])


def choose(env: TenefyrEnv, choices: np.random.Generator, prefers_boss: bool) -> int:
    """Any legal action; the boss where it is to be preferred."""
    legal = np.flatnonzero(env.game.state.legal)
    boss = env.game.action("boss")
    return boss if prefers_boss and boss in legal else int(choices.choice(legal))


def try_illegal(env: TenefyrEnv, choices: np.random.Generator) -> bool:
    """Take an illegal action: it is refused, punished, or ends the game (True)."""
    before = env.game.state_bytes()
    action = int(choices.choice(np.flatnonzero(env.game.state.legal == 0)))
    try:
        env.step(action)
        expect(env.illegal != "raise", f"illegal action {action} is refused")
    except IllegalAction:
        expect(env.illegal == "raise", f"illegal action {action} does not raise")
    expect(env.game.state_bytes() == before, "an illegal action leaves the game as it is")
    expect(all(env.terminations.values()) == (env.illegal == "terminate"), "all end, or none")
    return env.illegal == "terminate"


def check_decision(env: TenefyrEnv, team: list[str], decisions: int) -> None:
    """Who acts, the masks, and the flags of a game that goes on."""
    agent = env.agent_selection
    legal = env.game.state.legal
    expect(env.agents == team, "all agents stay to the end")
    expect(agent == team[int(env.game.state.decider)], "the engine's decider acts")
    expect(not any(env.truncations.values()), "nothing is truncated")
    expect((env.infos[agent]["action_mask"] == legal).all(), "the info's mask is the engine's")
    if decisions % OTHERS_EVERY == 0:
        check_masks(env, team)


def check_masks(env: TenefyrEnv, team: list[str]) -> None:
    """Only the agent who acts has legal actions, and observation and info agree."""
    for agent in team:
        mask = env.observe(agent)["action_mask"]
        expect((mask == env.infos[agent]["action_mask"]).all(), "masks of obs and info are equal")
        expect(mask.any() == (agent == env.agent_selection), "only the one who acts may act")


def check_end(env: TenefyrEnv, team: list[str], earned: dict[str, float]) -> None:
    """All end together, and leave one by one with what they are still owed."""
    expect(all(env.terminations.values()), "all heroes end together")
    left = set(team)
    for _ in team:
        agent = env.agent_selection
        observation, reward, terminated, truncated, info = env.last()
        expect(set(env.agents) == left and agent in left, "agents are those who have not left")
        expect(terminated and not truncated, "the end is a termination")
        expect(not observation["action_mask"].any(), "nobody may act after the end")
        expect(not info["action_mask"].any(), "nobody may act after the end")
        earned[agent] += float(reward)
        env.step(None)
        left.discard(agent)
    expect(env.agents == [], "nobody is left")


def print_summary(ends: Counter[str], kinds: int, seconds: float) -> None:
    """What was played."""
    print(f"games   {ends.total():,} of {kinds} kinds in {seconds:.0f} s")
    print(f"ends    {', '.join(f'{end} {count:,}' for end, count in sorted(ends.items()))}")
    print("result  every promise kept")


if __name__ == "__main__":
    main()
