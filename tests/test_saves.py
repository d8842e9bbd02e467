"""A saved game loads to the same bytes, and a save that does not fit is refused with its reason."""

import hashlib
import json
import struct

import numpy as np
import pytest

from tenefyr_env import Game, GameConfig, load_card_set
from tenefyr_env.engine.invariants import Fault
from tenefyr_env.saves import HEAD, MAGIC, MAX_BYTES, SaveError

CONFIGS = [
    GameConfig(players=1),
    GameConfig(players=2, mode="quick", joint_choice="vote"),
    GameConfig(players=3, remove_absent_heroes=True, take_single_options=False),
    GameConfig(players=4, hands="open", joint_choice="vote"),
]


def random_games(config, games=2):
    """Positions of random games, every seventh decision."""
    for seed in range(games):
        game, chance = Game.new(config, seed), np.random.default_rng(seed)
        yield game
        while not game.is_over:
            game.step(int(chance.choice(game.decision.options)))
            if game.state.num_decisions % 7 == 0 or game.is_over:
                yield game


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: f"{config.players} players")
def test_a_game_loads_to_the_same_bytes(config):
    for game in random_games(config):
        assert Game.from_bytes(game.to_bytes()).state_bytes() == game.state_bytes()
        assert Game.from_json(game.to_json()).state_bytes() == game.state_bytes()


def test_a_loaded_game_goes_on_identically():
    game = Game.new(seed=3)
    game.step("dungeon 1")
    for copy in (Game.from_bytes(game.to_bytes()), Game.from_json(game.to_json())):
        copy.step("keep")
        expected = game.clone()
        expected.step("keep")
        assert copy == expected


def test_the_json_names_cards_actions_and_phases():
    game = Game.new(GameConfig(heroes=("thief", "bard", "cleric", "barbarian")), seed=1)
    game.step("dungeon 1")
    state = json.loads(game.to_json())["state"]
    assert sorted(set(state["piles"][0])) == ["Basic 0", "Basic 1", "Sleight of Hand"] or (
        "Sleight of Hand" in state["piles"][0] + state["piles"][1]
    )
    assert state["options"] == ["keep", "redraw"]
    assert state["phase"] == "keep"


@pytest.mark.parametrize("name", ["game.json", "game.tenefyr"])
def test_save_and_load_by_file(tmp_path, name):
    game = Game.new(seed=5)
    game.save(tmp_path / name)
    assert Game.load(tmp_path / name) == game
    assert [path.name for path in tmp_path.iterdir()] == [name]  # no half-written file is left


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(SaveError, match=r"gone\.json: cannot be read: No such file"):
        Game.load(tmp_path / "gone.json")


def sealed(body: bytes) -> bytes:
    """Bytes with the checksum that belongs to them."""
    return body + hashlib.sha256(body).digest()


def with_header(data: bytes, change) -> bytes:
    """A save whose header was changed, with a right checksum."""
    start = len(MAGIC) + HEAD.size
    version, length = HEAD.unpack_from(data, len(MAGIC))
    header = json.loads(data[start : start + length])
    change(header)
    text = json.dumps(header).encode()
    return sealed(MAGIC + HEAD.pack(version, len(text)) + text + data[start + length : -32])


SAVE = Game.new(seed=1).to_bytes()
BROKEN_BYTES = {
    "foreign": (b"PK\x03\x04" + SAVE, "not a saved game of Tenefyr"),
    "empty": (b"", "not a saved game of Tenefyr"),
    "only the beginning": (SAVE[:20], "it is cut off"),
    "cut off": (SAVE[:-100], "it is cut off or has a tail"),
    "tail": (SAVE + b"x", "it is cut off or has a tail"),
    "damaged": (SAVE[:-50] + b"\xff" + SAVE[-49:], "the checksum is wrong"),
    "huge": (SAVE + b"x" * MAX_BYTES, "accepted are at most"),
    "other version": (
        MAGIC + struct.pack("<HI", 2, 0) + SAVE[14:],
        "format version 2; accepted is 1",
    ),
    "other layout": (with_header(SAVE, lambda h: h.update(layout="abc")), "another engine version"),
    "other cards": (
        with_header(SAVE, lambda h: h["card_set"].update(hash="0" * 64, name="Mine")),
        "played with the card set Mine 000000000000, not with Tenefyr",
    ),
    "bad config": (
        with_header(SAVE, lambda h: h["config"].update(players=9)),
        "GameConfig.players: 9 is not accepted",
    ),
    "other players": (
        with_header(SAVE, lambda h: h["config"].update(players=3)),
        "other numbers of players",
    ),
    "unknown header": (with_header(SAVE, lambda h: h.update(extra=1)), "unknown key 'extra'"),
}


@pytest.mark.parametrize("case", BROKEN_BYTES)
def test_broken_bytes_are_refused(case):
    data, message = BROKEN_BYTES[case]
    with pytest.raises(SaveError) as caught:
        Game.from_bytes(data)
    assert message in str(caught.value)


def spoil(path, value):
    """A change of one place in a JSON save."""

    def change(saved):
        *parents, last = path
        for key in parents:
            saved = saved[key]
        saved[last] = value

    return change


BROKEN_JSON = {
    "foreign": (spoil(["format"], "chess"), "format 'chess': not a saved game"),
    "other version": (spoil(["version"], 2), "format version 2; accepted is 1"),
    "missing": (lambda saved: saved["state"].pop("turn"), "state: 'turn' is missing"),
    "unknown": (spoil(["state", "tern"], 1), "unknown key 'tern' (did you mean 'turn'?)"),
    "wrong type": (spoil(["state", "turn"], "two"), "turn: 'two': accepted are whole numbers"),
    "true": (spoil(["state", "turn"], True), "turn: True: accepted are whole numbers"),
    "too large": (spoil(["state", "turn"], 40000), "turn: 40000: accepted are -32768 to 32767"),
    "wrong shape": (spoil(["state", "power"], [1, 2]), "power: accepted are lists of 4 entries"),
    "unknown card": (
        spoil(["state", "piles", 0], ["Basic 2"]),
        "piles: card 'Basic 2' is not in the set (did you mean 'Basic 1'?)",
    ),
    "unknown phase": (spoil(["state", "phase"], "lunch"), "phase: 'lunch': accepted are"),
    "unknown option": (
        spoil(["state", "options"], ["fly"]),
        "action 'fly': no action has",
    ),
    "impossible": (
        spoil(["state", "piles", 0], []),
        "a card is in two places or missing",
    ),
    "no state": (spoil(["state"], []), "state: accepted is a mapping"),
    "out of range": (spoil(["state", "starter"], 7), "position: a number is outside its range"),
}


@pytest.mark.parametrize("case", BROKEN_JSON)
def test_broken_json_is_refused(case):
    change, message = BROKEN_JSON[case]
    saved = json.loads(Game.new(seed=1).to_json())
    change(saved)
    with pytest.raises(SaveError) as caught:
        Game.from_json(json.dumps(saved))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "text is not JSON"),
        ("[]", "text is list; accepted is a mapping"),
        ('{"format": 1, "format": 2}', "key 'format' is given twice"),
        ("[" * 100_000, "text is not JSON"),
    ],
)
def test_what_is_no_json_mapping_is_refused(text, message):
    with pytest.raises(SaveError, match=message):
        Game.from_json(text)


def test_another_card_set_is_asked_for_by_its_hash():
    game = Game.new(seed=1)
    assert Game.from_bytes(game.to_bytes(), load_card_set("tenefyr")) == game


def test_a_forged_position_never_crashes_and_if_sound_can_be_played_on():
    """Random bytes of real positions are changed; whatever passes the check plays to its end."""
    chance = np.random.default_rng(0)
    positions = [game.clone() for config in CONFIGS for game in random_games(config, 1)]
    sound = 0
    for _ in range(3000):
        game = positions[int(chance.integers(len(positions)))].clone()
        raw = game.states.view(np.uint8)
        raw[chance.integers(len(raw), size=int(chance.integers(1, 4)))] = chance.integers(256)
        if game.fault() != Fault.NONE:
            continue
        sound += 1
        for _ in range(30):
            if game.is_over:
                break
            game.step(int(chance.choice(game.decision.options)))
    assert sound > 100
