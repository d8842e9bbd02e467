"""Tune the powers of the bosses until every boss and every number of players is equally hard.

python scripts/calibrate.py            measure on the train deals, and say what would change
python scripts/calibrate.py --write    change tenefyr_env/cards/data/tenefyr/bosses.yaml as well

The judge is the best scripted player on Normal. A boss that falls too often gets more power, a
point on one of its four cards at a time, for each number of players by itself. Solo reads the
powers for two (R52), so that both together are brought to the target. Tracks and dungeons are set
by hand; `scripts/evaluate.py` measures what comes of it, on deals that were not used here.
"""

import argparse
import re
import sys
from math import log
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import numpy.typing as npt

from agents.evaluation.deals import deal_seeds
from agents.scripted.guide import GuideWriter, Habits
from agents.scripted.play import play_games_out
from agents.scripted.strategies import ODDS
from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.cards.table import BOSS_CARDS, FIRST_BOSS_CARD
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.batch import set_up_games
from tenefyr_env.engine.state import MAX_SEATS, Outcome, new_states

BOSSES = Path(__file__).resolve().parents[1] / "tenefyr_env/cards/data/tenefyr/bosses.yaml"
COLUMNS = {2: (1, 2), 3: (3,), 4: (4,)}  # printed powers, and the parties that read them
POINTS_OF_A_LOGIT = 7.0  # power on the whole boss deck, for each player, that moves the odds by e
LARGEST = 31  # 32 is a power that the achievement sheet finds noteworthy (A21)


def win_rate(tables: npt.NDArray[Any], card_set: CardSet, config: GameConfig, games: int) -> float:
    """How often the best scripted player wins with these powers, on train deals."""
    states = new_states(games)
    seeds = deal_seeds("train", games)
    set_up_games(states, tables, config.to_setup(card_set.bosses), seeds)
    guides = GuideWriter(tables[0], Habits()).guide
    play_games_out(states, tables, guides, np.full(MAX_SEATS, ODDS), seeds)
    return float((states["outcome"] == Outcome.WON).mean())


def rate_of_boss(
    tables: npt.NDArray[Any], card_set: CardSet, boss: str, column: int, games: int
) -> float:
    """The mean win rate against a boss of the parties that read a column of powers."""
    rates = [
        win_rate(tables, card_set, GameConfig(players=players, boss=boss), games)
        for players in COLUMNS[column]
    ]
    return float(np.mean(rates))


def log_odds(rate: float) -> float:
    """A rate on the scale where a point of power counts alike everywhere."""
    rate = min(max(rate, 0.005), 0.995)
    return log(rate / (1 - rate))


def add_points(powers: npt.NDArray[Any], points: int) -> None:
    """Spread points of power over a boss's cards: the weakest gains, the strongest loses first."""
    for _ in range(abs(points)):
        if points > 0:
            powers[np.argmin(powers)] += 1
        else:
            powers[np.argmax(powers)] -= 1
    np.minimum(powers, LARGEST, out=powers)


def tune(card_set: CardSet, target: float, games: int, rounds: int) -> npt.NDArray[Any]:
    """The card table with powers that bring every boss near the target."""
    tables = card_set.table.copy()
    for number in range(rounds):
        for place, boss in enumerate(card_set.bosses):
            first = FIRST_BOSS_CARD + place * BOSS_CARDS
            for index, column in enumerate(COLUMNS):
                rate = rate_of_boss(tables, card_set, boss, column, games)
                distance = log_odds(rate) - log_odds(target)
                points = round(distance * POINTS_OF_A_LOGIT * column / 4)
                powers = tables[0].enemy_power[first : first + BOSS_CARDS, index]
                add_points(powers, points)
                shown = " ".join(map(str, powers))
                print(
                    f"round {number + 1}  {boss:13} {column} players  won {rate:5.1%}"
                    f"  points {points:+d}  powers {shown}",
                    flush=True,
                )
    return tables


def write(card_set: CardSet, tables: npt.NDArray[Any], path: Path) -> None:
    """Put the powers of a table into the file of the bosses, and leave everything else there."""
    text = path.read_text(encoding="utf-8")
    for card in card_set.cards[FIRST_BOSS_CARD:]:
        if card is None:
            continue
        two, three, four = tables[0].enemy_power[card.id].tolist()
        place = re.compile(rf"(name: {re.escape(card.enemy_name)}\b[^}}]*?power: )\{{[^}}]*\}}")
        text, count = place.subn(rf"\g<1>{{2: {two}, 3: {three}, 4: {four}}}", text)
        if count != 1:
            raise SystemExit(f"{path.name}: the power of {card.enemy_name!r} was not found")
    path.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", type=float, default=0.25, help="win rate of the best script")
    parser.add_argument("--games", type=int, default=1000, help="games of each boss and party")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="change the card file")
    options = parser.parse_args()
    card_set = load_card_set("tenefyr")
    tables = tune(card_set, options.target, options.games, options.rounds)
    if options.write:
        write(card_set, tables, BOSSES)
        print(f"written: {BOSSES.name}; now raise the version in set.yaml, or freeze it anew")


if __name__ == "__main__":
    main()
