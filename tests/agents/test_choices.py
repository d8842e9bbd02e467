"""What is chosen where there is a choice, and the calibration report made of it."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
from test_evaluation_figures import result

from agents.evaluation.calibration import (
    LADDER,
    PARTS,
    REDRAWS,
    Request,
    between,
    budget_runs,
    checked,
    choice_rows,
    command_of,
    loot_row,
    over,
    report_of,
    runs_of,
    under,
)
from agents.evaluation.calibration_text import text_of
from agents.evaluation.choices import FEWEST_CHOICES, ChoiceNotes, choices_in, figures_of_choices
from agents.evaluation.deals import deal_seeds
from agents.evaluation.plots import budgets, save_picture
from agents.evaluation.results import FAILED, LOST, WON, Choices, GameResult
from agents.evaluation.runner import play_games
from tenefyr_env import Game, GameConfig
from tenefyr_env.cards.table import FIRST_BOSS_CARD, FIRST_DUNGEON_CARD
from tenefyr_env.engine.state import Decision
from tenefyr_env.scenario import scenario

SCRIPT = Path(__file__).parents[2] / "scripts" / "report.py"
ALL_LOOT = tuple(range(FIRST_DUNGEON_CARD, FIRST_BOSS_CARD))


def load_script():
    spec = importlib.util.spec_from_file_location("report", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class NotedGame:
    """A game whose choices are noted."""

    def __init__(self, game: Game) -> None:
        self.game, self.notes = game, ChoiceNotes(1)

    def step(self, *names: str) -> None:
        for name in names:
            action = self.game.action(name)
            self.notes.note(np.zeros(1, np.int64), self.game.states, np.array([action]))
            self.game.step(action)

    @property
    def choices(self) -> Choices:
        return self.notes.of(0)


# Counts


def test_dungeons_are_counted_by_steps_left_and_level():
    noted = NotedGame(scenario(steps_left=5))
    noted.step("dungeon 3")
    assert noted.choices.dungeons == ((5, 2),)
    assert noted.choices.by_kind[Decision.DUNGEON] == 1
    noted = NotedGame(scenario(steps_left=2))
    noted.step("boss")
    assert noted.choices.dungeons == ((2, 6),)


def test_redraws_are_counted_beside_the_chances():
    noted = NotedGame(scenario(dungeons={1: ["Kobold"]}, decks={0: ["Basic 0"] * 9}, starter=0))
    noted.step("dungeon 1", "redraw", "redraw")
    # The deck is empty, and the engine keeps the last hand itself.
    assert (noted.choices.redrawn, noted.choices.chances_to_redraw) == (2, 2)
    noted = NotedGame(scenario(dungeons={1: ["Kobold"]}, starter=0))
    noted.step("dungeon 1", "keep")
    assert (noted.choices.redrawn, noted.choices.chances_to_redraw) == (0, 1)


@pytest.mark.parametrize(("answer", "left"), [("leave", 1), ("continue", 0)])
def test_leaving_is_counted_beside_the_chances(answer, left):
    game = scenario(
        dungeons={1: ["Kobold", "Giant Rats"]}, decks={s: ["Basic 1"] * 6 for s in range(4)}
    )
    noted = NotedGame(game)
    noted.step("dungeon 1")
    while game.decision.kind != Decision.CONTINUE:
        noted.step(game.options()[0])
    noted.step(answer)
    assert (noted.choices.left, noted.choices.chances_to_leave) == (left, 1)


def test_what_is_counted_at_the_table_is_in_the_replay():
    played = play_games("random", GameConfig(), deal_seeds("train", 3))
    for index, each in enumerate(played.results):
        assert choices_in(played.replay(index)) == each.choices
        assert sum(each.choices.by_kind) == sum(each.decisions)
        assert each.choices.redrawn == sum(each.redraws)
        assert GameResult.from_dict(json.loads(json.dumps(each.to_dict()))) == each
        state = played.positions[index][0]
        entered = [level for _, level in each.choices.dungeons]
        assert [entered.count(level) for level in range(1, 6)] == state["entered"].tolist()


# Figures


def chosen(dungeons=(), **counts):
    return result(outcome=WON, choices=Choices(dungeons=tuple(dungeons), **counts))


def test_shares_are_of_the_chances_of_all_games(shipped):
    games = [chosen(left=1, chances_to_leave=2), chosen(left=0, chances_to_leave=8)]
    failed = result(outcome=FAILED, choices=Choices(left=5, chances_to_leave=5))
    figures = figures_of_choices([*games, failed], shipped)
    assert figures["leave"] == {"share": 0.1, "chances": 10, "chances_per_game": 5}
    assert figures["redraw"]["share"] is None
    assert figures["games"] == 2


def test_a_level_that_is_always_entered_is_marked(shipped):
    often, seldom = FEWEST_CHOICES, FEWEST_CHOICES - 1
    dungeons = [(9, 1)] * often + [(8, 2)] * seldom + [(7, 3)] * often + [(7, 6)]
    figures = figures_of_choices([chosen(dungeons)], shipped)
    found = {steps: each["always"] for steps, each in figures["dungeons"].items()}
    assert found == {"9": "1", "8": "", "7": ""}
    row = choice_rows("easy", figures)[-1]
    assert (row["holds"], row["found"]) == (False, "level 1 at 9")


def test_a_loot_card_in_no_winning_deck_is_named(shipped):
    won = result(outcome=WON, owned_loot=ALL_LOOT[1:])
    loot = figures_of_choices([won, result(outcome=LOST, owned_loot=ALL_LOOT)], shipped)["loot"]
    first = shipped.card(ALL_LOOT[0])
    assert loot[first.name] == {"level": first.level, "won": 0, "games": 1}
    row = loot_row(loot)
    assert (row["holds"], row["missing"], row["found"]) == (False, [first.name], "69 of 70")


# What is wanted


@pytest.mark.parametrize(
    ("wanted", "value", "interval", "holds", "is_clear"),
    [
        (between(5, 20), 0.05, (0.05, 0.2), True, True),
        (between(5, 20), 0.1, (0.04, 0.15), True, False),
        (between(5, 20), 0.21, (0.19, 0.23), False, False),
        (between(5, 20), 0.3, (0.25, 0.4), False, True),
        (under(1), 0.009, (0.001, 0.0099), True, True),
        (under(1), 0.01, (0.005, 0.02), False, False),
        (over(85), 0.85, (0.8, 0.9), False, False),
        (over(85), 0.9, (0.86, 0.94), True, True),
        (between(0, 0), 0.0, (0.0, 0.002), True, False),
        (between(0, 0), 0.001, (0.0001, 0.002), False, True),
        (REDRAWS, 0.15, None, True, True),
        (REDRAWS, None, None, False, False),
    ],
)
def test_a_range_holds_or_not_and_beyond_the_noise_or_not(wanted, value, interval, holds, is_clear):
    judged = wanted.judge(value, interval)
    assert (judged["holds"], judged["is_clear"]) == (holds, is_clear)


def test_the_table_of_the_issue_is_what_is_wanted():
    texts = [[str(wanted) for wanted in row.values()] for row in LADDER.values()]
    assert texts == [
        ["under 1 %", "5 to 20 %", "45 to 65 %", "over 85 %"],
        ["under 0.5 %", "1 to 8 %", "20 to 40 %", "60 to 80 %"],
        ["0 %", "under 2 %", "5 to 15 %", "30 to 55 %"],
    ]


# The report

RATES = {"random": 0, "greedy": 4, "odds": 30, "search": 70}
REQUEST = checked(Request(games=100, search_games=100, budget_games=100, parts=tuple(PARTS)))


def imagined(run):
    """Games that are won as often as their agent's name says."""
    agent = run.agent.partition(":")[0]
    rollouts = int(run.agent.rpartition("=")[2]) if ":" in run.agent else 0
    more = {"easy": 20, "normal": 0, "hard": -20}[run.config.difficulty]
    wins = RATES[agent] and RATES[agent] + more + 5 * (run.config.mode == "quick") + rollouts // 16
    choices = Choices(
        dungeons=((9, 1), (8, 2)), left=1, chances_to_leave=4, redrawn=1, chances_to_redraw=2
    )
    return [
        result(deal, WON if deal < wins else LOST, choices=choices, owned_loot=ALL_LOOT)
        for deal in range(run.games)
    ]


def row_of(part, what):
    return next(row for row in part["rows"] if row["what"] == what)


def test_the_report_marks_what_holds_and_what_does_not():
    parts = report_of(REQUEST, imagined)["parts"]
    ladder = parts["ladder"]
    assert row_of(ladder, "normal, odds")["holds"]
    assert not row_of(ladder, "hard, greedy")["is_clear"]
    assert row_of(ladder, "easy, search")["win_rate"] == 0.9
    assert row_of(ladder, "normal, intervals apart")["found"] == "random and greedy are not"
    assert row_of(parts["players"], "1 player")["difference"] == 0
    assert all(row["holds"] for row in parts["bosses"]["rows"])
    assert row_of(parts["quick"], "normal, quick")["holds"]
    assert not row_of(parts["choices"], "easy, dungeons")["holds"]
    assert row_of(parts["choices"], "all, loot")["holds"]
    assert row_of(parts["budget"], "256 against 4 rollouts")["difference"] == 0.16


def test_the_text_has_every_part_with_its_command():
    text = text_of(report_of(REQUEST, imagined, failed=3))
    for name, part in PARTS.items():
        heading = text.index(f"## {part.title}\n")
        command = text.index(f"    {command_of(name, REQUEST)}\n")
        assert heading < command < text.index("\n|", heading)
    assert "3 games FAILED" in text
    assert "- choices: all, dungeons: level 1 at 9, level 2 at 8, wanted no level" in text
    assert "Dungeons entered, hard, by steps left" in text


def test_a_command_names_all_its_part_depends_on():
    assert command_of("budget", REQUEST) == (
        "python scripts/report.py --parts budget --deals validation --games 100 --search search"
        " --budgets 4,16,64,256 --budget-games 100"
    )


def test_same_figures_same_bytes(tmp_path):
    one, two = report_of(REQUEST, imagined), report_of(REQUEST, imagined)
    assert (json.dumps(one), text_of(one)) == (json.dumps(two), text_of(two))
    for name, report in (("one.png", one), ("two.png", two)):
        save_picture(budgets(report["parts"]["budget"]), tmp_path / name)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_a_budget_keeps_the_other_options_of_the_search():
    request = Request(search="search:rollouts=9,policy=odds", budgets=(16, 4))
    agents = [run.agent for run in budget_runs(request)]
    assert agents == [
        "greedy", "odds", "search:rollouts=4,policy=odds", "search:rollouts=16,policy=odds",
    ]  # fmt: skip


def test_parts_share_their_games():
    runs = runs_of(REQUEST)
    assert len({(run.agent, run.config) for run in runs}) < len(runs)


# The command


def test_a_report_is_the_same_from_kept_games_and_only_of_the_parts_asked_for(tmp_path, capfd):
    script = load_script()
    command = ["--parts", "choices", "--search", "random", "--search-games", "4"]
    command += ["--workers", "1", "--out", str(tmp_path)]
    assert script.main(command) == 0
    printed = capfd.readouterr().out
    before = {each.name: each.read_bytes() for each in tmp_path.glob("report.*")}
    assert set(before) == {"report.md", "report.json"}
    assert printed == before["report.md"].decode() + "\n"
    assert str(tmp_path) not in printed
    assert list(json.loads(before["report.json"])["parts"]) == ["choices"]
    assert script.main([*command, "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == json.loads(before["report.json"])
    assert before == {each.name: each.read_bytes() for each in tmp_path.glob("report.*")}


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--parts", "ladder,luck"], "parts 'luck': accepted: ladder"),
        (["--parts", "choices", "--search", "serach"], "did you mean 'search'"),
        (["--deals", "exam"], "deals 'exam'"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments, named, tmp_path, capfd):
    assert load_script().main([*arguments, "--out", str(tmp_path / "out")]) == 2
    printed = capfd.readouterr()
    assert named in printed.err
    assert len(printed.err.splitlines()) == 1
    assert not (tmp_path / "out").exists()
