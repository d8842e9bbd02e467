"""Replays: recorded from anywhere, played to the identical end, refused when anything differs."""

import copy
import json

import gymnasium
import numpy as np
import pytest

from tenefyr_env import Game, GameConfig, Replay, ReplayError, env, record_game, recording, scenario
from tenefyr_env.replays import FORMAT, MAX_BYTES, RecordedGame, state_hash

CONFIGS = [
    GameConfig(players=players, mode=mode, joint_choice=joint)
    for players in (1, 2, 3, 4)
    for mode in ("regular", "quick")
    for joint in ("leader", "vote")
]


def random_choices(seed):
    """A player who takes any option."""
    choices = np.random.default_rng(seed)
    return lambda game: int(choices.choice(game.decision.options))


@pytest.fixture(scope="module")
def replay() -> Replay:
    return record_game(GameConfig(players=3, mode="quick"), 7, random_choices(7))


@pytest.fixture
def values(replay) -> dict:
    """A replay's file as plain values, to be spoilt."""
    return json.loads(json.dumps(replay.to_dict()))


def test_a_replay_leads_to_the_identical_final_state(tmp_path):
    for config in CONFIGS:
        game = RecordedGame(config, 5)
        choose = random_choices(5)
        while not game.game.is_over:
            game.step(choose(game.game))
        path = tmp_path / "game.json"
        game.replay().save(path)
        loaded = Replay.load(path)
        assert loaded == game.replay()
        assert state_hash(loaded.final()) == state_hash(game.game)


def test_play_shows_every_position(replay):
    game = Game.new(replay.config, replay.seed)
    positions = list(replay.play())
    assert len(positions) == len(replay.actions) + 1
    assert state_hash(positions[0]) == state_hash(game)
    for action, position in zip(replay.actions, positions[1:], strict=True):
        game.step(action)
        assert state_hash(position) == state_hash(game)


def test_a_replay_is_readable(replay, values):
    assert values["format"] == FORMAT
    assert values["version"] == 1
    assert values["card_set"]["name"] == "Tenefyr"
    assert "keep" in values["names"]
    assert replay.outcome in ("won", "lost")


def test_recording_an_env_keeps_every_game_of_it():
    table = env(players=2, mode="quick")
    with recording(table) as recorder:
        for seed in (1, 2):
            play_random_game(table, seed)
        last = recorder.replay()
    assert [replay.seed for replay in [*recorder.finished, last]] == [1, 2]
    assert state_hash(last.final()) == state_hash(table.game)
    assert recorder.finished[0].final().is_over
    play_random_game(table, 3)
    assert len(recorder.finished) == 1  # the recording is over


def play_random_game(table, seed):
    table.reset(seed=seed)
    choices = np.random.default_rng(seed)
    for _ in table.agent_iter():
        options = np.flatnonzero(table.last(observe=False)[4]["action_mask"])
        table.step(int(choices.choice(options)) if len(options) else None)


@pytest.mark.parametrize("name", ["Tenefyr/Party-v0", "Tenefyr/Hero-v0"])
def test_recording_a_gymnasium_env_holds_everybodys_actions(name):
    wrapped = gymnasium.make(name, players=3, mode="quick")
    with recording(wrapped) as recorder:
        _, info = wrapped.reset(seed=4)
        terminated = False
        while not terminated:
            action = int(np.flatnonzero(info["action_mask"])[0])
            _, _, terminated, _, info = wrapped.step(action)
        replay = recorder.replay()
    assert replay.outcome in ("won", "lost")
    assert state_hash(replay.final()) == state_hash(wrapped.unwrapped.game)


def test_recording_refuses_what_is_not_one_game():
    other = gymnasium.make("CartPole-v1")
    with pytest.raises(ReplayError, match="accepted is an environment of one game"):
        recording(other).__enter__()


def test_recording_leaves_out_refused_actions_and_takes_names():
    table = env(players=2, illegal="penalty")
    table.reset()  # a seed of the env's own
    with recording(table) as recorder:
        table.step("dungeon 1")
        table.step("dungeon 1")
        table.step(None)
        assert recorder.replay().names == ("dungeon 1",)
        assert state_hash(recorder.replay().final()) == state_hash(table.game)
        assert recorder.replay().seed == table.game_seed


def test_recording_needs_the_beginning_of_a_game_and_its_seed():
    table = env(players=3)
    table.reset(seed=1)
    table.step("dungeon 1")
    with recording(table) as recorder:
        with pytest.raises(ReplayError, match="beginning of this game was not seen"):
            recorder.replay()
        table.reset(options={"game": scenario(GameConfig(players=3))})
        with pytest.raises(ReplayError, match="from a position"):
            recorder.replay()
        table.reset(seed=2)
        assert recorder.replay().actions == ()
    assert recorder.finished == []


def test_a_copy_of_a_recorded_env_goes_its_own_way():
    table = env(players=3)
    with recording(table) as recorder:
        table.reset(seed=1)
        other = copy.deepcopy(table)
        other.step("dungeon 1")
        assert table.game.state.num_decisions == 0
        assert recorder.replay().actions == ()


def test_from_actions_takes_any_list():
    replay = Replay.from_actions(GameConfig(players=4), 3, ["dungeon 1", "keep"])
    assert (replay.outcome, replay.names) == ("open", ("dungeon 1", "keep"))
    assert replay.final().events()[0].endswith("keeps the hand.")
    with pytest.raises(ReplayError, match=r"action 2 of 2: action .* is not legal in decision"):
        Replay.from_actions(GameConfig(players=4), 3, ["dungeon 1", "leave"])


def refused(values) -> str:
    """Why a replay with these values is not played."""
    with pytest.raises(ReplayError) as caught:
        Replay.from_dict(values).final()
    return str(caught.value)


def test_another_card_set_is_named(values, replay, tmp_path):
    values["card_set"]["hash"] = "0" * 64
    assert refused(values).startswith("card set: recorded with 'Tenefyr', hash 000000000000; this")
    values["config"]["cards"] = str(tmp_path / "cards.yaml")
    assert "is not shipped; give it: play(card_set=" in refused(values)


def test_an_illegal_action_is_named(values):
    values["actions"][4], values["names"][4] = 3, "leave"
    text = refused(values)
    assert text.startswith(f"action 5 of {len(values['actions'])}: action 3 (leave) is not legal")
    values["actions"][4] = 2
    assert "it is 'continue', the replay calls it 'leave'" in refused(values)


def test_another_end_is_named(values):
    values["final_state"] = "1" * 64
    assert "final state: hash " in refused(values)
    del values["actions"][-1], values["names"][-1]
    assert refused(values).startswith("outcome: 'open' after")
    values["seed"] += 1
    assert refused(values)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("format", "chess", "format: 'chess'; accepted is 'tenefyr-env replay'"),
        ("version", 2, "version: 2; accepted is 1"),
        ("version", True, "version: True; accepted is 1"),
        ("config", {"players": 9}, "config: GameConfig.players: 9 is not accepted"),
        ("config", {"boss": "Dark Cat"}, "config: GameConfig.boss: 'dark_cat' is not accepted"),
        ("config", [], "config: GameConfig"),
        ("seed", -1, "seed -1: accepted are 0 to"),
        ("seed", 1.5, "seed 1.5: accepted are whole numbers"),
        ("card_set", "Tenefyr", "card_set: 'Tenefyr'; accepted is a mapping of name, hash"),
        ("card_set", {"name": 1, "hash": "0" * 64}, "card_set.name: 1; accepted is a text"),
        ("card_set", {"name": "", "hash": "xyz"}, "card_set.hash: 'xyz'; accepted are 64"),
        ("actions", "keep", "actions: str; accepted is a list"),
        ("actions", [True], "actions[0]: True; accepted is int"),
        ("actions", [], "names: "),
        ("names", [None], "names[0]: None; accepted is str"),
        ("outcome", [], "outcome: []; accepted are open, won, lost"),
        ("final_state", None, "final_state: None; accepted is a text"),
        ("extra", 1, "replay: missing keys [], unknown keys ['extra']"),
    ],
)
def test_wrong_values_are_named(values, key, value, reason):
    values[key] = value
    assert refused(values).startswith(reason)


def test_an_action_there_is_not_is_named(values):
    values["actions"][0] = 10**6
    assert refused(values).startswith("actions[0]: 1000000; accepted are 0 to")
    del values["actions"]
    assert refused(values) == "replay: missing keys ['actions'], unknown keys []"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not JSON, or cut off"),
        (b"\xff\xfe", "not JSON, or cut off"),
        (b"[1, 2]", "format: 'list'"),
        (b'{"format": 1, "format": 2}', "a key is given twice"),
        (b"[" * 100_000, "not a replay"),
        (b'{"seed": ' + b"9" * 5000 + b"}", "not a replay"),
        (b" " * (MAX_BYTES + 1), "the file is larger than"),
    ],
)
def test_foreign_files_are_refused(tmp_path, content, reason):
    path = tmp_path / "foreign.json"
    path.write_bytes(content)
    with pytest.raises(ReplayError, match=reason) as caught:
        Replay.load(path)
    assert str(path) in str(caught.value)


def test_a_truncated_file_is_refused(tmp_path, replay):
    path = tmp_path / "game.json"
    replay.save(path)
    content = path.read_bytes()
    for size in range(0, len(content) - 2, 97):
        path.write_bytes(content[:size])
        with pytest.raises(ReplayError, match="not JSON, or cut off"):
            Replay.load(path)
