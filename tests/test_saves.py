"""Games saved and loaded: nothing is lost, and nothing bad gets in."""

import hashlib
import json
import os
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenefyr_env import save_codecs, saves
from tenefyr_env.cards.card_set import CardSet
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.invariants import Fault
from tenefyr_env.engine.state import MAX_EVENTS, STATE, Decision
from tenefyr_env.game import Game
from tenefyr_env.save_codecs import SaveError
from tenefyr_env.scenario import scenario

MINI_SET = Path(__file__).parent / "cards" / "mini_set.yaml"
MODES = [
    GameConfig(
        players=players,
        mode=mode,
        joint_choice=joint_choice,
        hands="open" if joint_choice == "vote" else "private",
        take_single_options=joint_choice == "leader",
    )
    for players in (1, 2, 3, 4)
    for mode in ("regular", "quick")
    for joint_choice in ("leader", "vote")
]
MODE_NAMES = [f"{mode.players}-{mode.mode}-{mode.joint_choice}" for mode in MODES]

Edit = Callable[[dict[str, Any]], None]


def positions(config: GameConfig, seed: int, card_set: CardSet | None = None) -> Iterator[Game]:
    """Every decision of a random game, and its end."""
    chance = np.random.default_rng(seed)
    game = Game.new(config, seed, card_set)
    while not game.is_over:
        yield game
        game.step(int(chance.choice(game.decision.options)))
    yield game


def is_sampled(game: Game, index: int) -> bool:
    """One position in eight, and all with an effect being resolved, a vote or an end."""
    state = game.state
    return index % 8 == 0 or state.num_frames > 0 or state.num_votes > 0 or game.is_over


@pytest.fixture
def game() -> Game:
    """A game in the middle of a combat, with cards in every kind of pile."""
    game = scenario(
        GameConfig(players=3, heroes=("bard", "thief", "cleric")),
        decks={0: ["Basic 1", "Quick Strike", "Basic 0", "Basic 1"]},
        discards={1: ["Basic 0"]},
        starter=0,
    )
    for action in ("dungeon 1", "keep", "card Basic 1"):
        game.step(action)
    return game


def edited(game: Game, edit: Edit) -> str:
    """The game's JSON after an edit of the document."""
    document = json.loads(game.to_json())
    edit(document)
    return json.dumps(document)


def sealed(content: bytes) -> bytes:
    """Bytes with the checksum they need."""
    return content + hashlib.sha256(content).digest()


def forged(game: Game, **fields: Any) -> bytes:
    """The game's bytes with other numbers in the record, and a right checksum."""
    packed = np.zeros(1, saves.PACKED)
    for name in save_codecs.FIELDS:
        packed[name] = fields.get(name, game.states[name])
    data = game.to_bytes()[: -saves.CHECKSUM_SIZE]
    return sealed(data[: -saves.PACKED.itemsize] + packed.tobytes())


def with_header(game: Game, edit: Edit) -> bytes:
    """The game's bytes with another header, and a right checksum."""
    data = game.to_bytes()
    magic, version, size, record = saves.PREFIX.unpack_from(data)
    start = saves.PREFIX.size
    header = json.loads(data[start : start + size])
    edit(header)
    text = json.dumps(header).encode()
    rest = data[start + size : -saves.CHECKSUM_SIZE]
    return sealed(saves.PREFIX.pack(magic, version, len(text), record) + text + rest)


# Nothing is lost


@pytest.mark.parametrize("config", MODES, ids=MODE_NAMES)
def test_json_and_bytes_give_back_every_byte_of_positions_reached_by_play(
    config: GameConfig,
) -> None:
    """JSON writes no unused places, so this also proves that play leaves them empty."""
    for seed in range(2):
        for index, game in enumerate(positions(config, seed)):
            if is_sampled(game, index):
                assert Game.from_json(game.to_json()).state_bytes() == game.state_bytes()
                assert Game.from_bytes(game.to_bytes()).state_bytes() == game.state_bytes()


def test_a_loaded_game_goes_on_as_the_saved_one(game: Game) -> None:
    copies = [Game.from_json(game.to_json()), Game.from_bytes(game.to_bytes())]
    while not game.is_over:
        action = game.decision.options[-1]
        for each in (game, *copies):
            each.step(action)
        assert all(copy == game for copy in copies)


def test_configuration_comes_back_whole() -> None:
    config = GameConfig(
        players=2,
        heroes=("thief", "bard", "cleric", "barbarian"),
        boss="Dark Lord",
        difficulty="hard",
        track={"easy": 9, "normal": 8, "hard": 7},
        starting_player=1,
        hands="open",
    )
    game = Game.new(config, 3)
    assert Game.from_json(game.to_json()).config == config
    assert Game.from_bytes(game.to_bytes()).config == config


def test_every_field_of_the_state_is_written_configured_or_derived() -> None:
    game = Game.new(GameConfig(), 1)
    blank = np.zeros(1, STATE)
    codec = save_codecs.state_codec(game.card_set, 4)
    codec.read(blank, (0,), codec.write(full_of_ones(), (0,)), "state")
    unwritten = {name for name in save_codecs.FIELDS if not blank[name].any()}
    assert unwritten == {*save_codecs.CONFIGURED, *save_codecs.DERIVED}


def full_of_ones() -> Any:
    """A record with a 1 everywhere: no position, but it shows what is written."""
    states = np.zeros(1, STATE)
    for name in save_codecs.FIELDS:
        states[name] = 1
    states["dungeon_cards"] = 6  # a card with an enemy
    return states


def test_log_that_has_lost_events_comes_back_in_its_order(game: Game) -> None:
    total = MAX_EVENTS + 5
    game.state.num_events = total
    for index in range(5, total):
        game.state.event[index % MAX_EVENTS] = (3, index % 3, -1)
    game.state.event_number[:] = 0
    document = json.loads(game.to_json())
    assert document["state"]["events"]["lost"] == 5
    assert [player for _, player, _, _ in document["state"]["events"]["told"]][:3] == [2, 0, 1]
    assert Game.from_json(game.to_json()) == game


def test_custom_card_set_is_named_by_its_path_and_found_again() -> None:
    game = Game.new(GameConfig(players=2, cards=str(MINI_SET)), 5)
    assert Game.from_json(game.to_json()) == game
    assert Game.from_bytes(game.to_bytes(), load_card_set(MINI_SET)) == game


def test_two_cards_of_one_name_are_told_apart() -> None:
    name = save_codecs.Name("card", {3: "Fury", 4: "Quick Strike", 9: "Fury"})
    assert [name.write(number) for number in (3, 4, 9)] == ["Fury #3", "Quick Strike", "Fury #9"]
    assert name.read("Fury #9", "here") == 9


# What is written


def test_json_speaks_in_names_from_the_top(game: Game) -> None:
    document = json.loads(game.to_json())
    state = document["state"]
    assert document["order"] == "top first"
    assert document["card_set"]["name"] == "Tenefyr"
    assert state["phase"] == "play"
    assert state["outcome"] == "open"
    assert state["dungeon"] == "dungeon 1"
    assert state["decision"]["kind"] == "play"
    assert state["decision"]["options"] == game.options()
    assert state["players"][0]["heroes"] == ["bard"]
    assert state["players"][0]["deck"] == ["Basic 1"]
    assert state["players"][0]["played"] == ["Basic 1"]
    assert state["players"][1]["discard"] == ["Basic 0"]
    top = game.card_set.enemy_name(int(game.state.dungeon_cards[0, 3]))
    assert state["dungeons"]["dungeon 1"]["cards"][0] == top
    assert state["dungeons"]["dungeon 1"]["known"] == [True, False, False, False]
    assert state["events"]["told"][0] == ["play", 0, "Basic 1", int(game.state.power[0])]


def test_json_does_not_repeat_what_follows_from_the_rest(game: Game) -> None:
    state = json.loads(game.to_json())["state"]
    # "players" is there, as the list of what each of them has.
    assert ({*save_codecs.CONFIGURED, *save_codecs.DERIVED} - {"players"}).isdisjoint(state)


def test_bytes_are_little_endian_and_without_padding(game: Game) -> None:
    record = game.to_bytes()[-saves.CHECKSUM_SIZE - saves.PACKED.itemsize : -saves.CHECKSUM_SIZE]
    assert saves.PACKED.itemsize == sum(STATE[name].itemsize for name in save_codecs.FIELDS)
    assert struct.unpack_from("<4q", record) == tuple(game.state.rng)


# Files


@pytest.mark.parametrize("name", ["game.json", "game.tenefyr", "GAME.JSON"])
def test_file_comes_back_and_leaves_nothing_beside_it(
    game: Game, tmp_path: Path, name: str
) -> None:
    game.save(tmp_path / name)
    game.save(tmp_path / name)
    assert Game.load(tmp_path / name) == game
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_file_is_as_it_was_when_writing_fails(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "game.json"
    game.save(path)
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", fail)
    game.step(game.decision.options[0])
    with pytest.raises(SaveError, match=r"game\.json: cannot be written: No space left"):
        game.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match=r"lost\.tenefyr: no such file"):
        Game.load(tmp_path / "lost.tenefyr")


def test_folder_is_no_save(tmp_path: Path) -> None:
    (tmp_path / "a.json").mkdir()
    with pytest.raises(SaveError, match=r"a\.json: cannot be read: "):
        Game.load(tmp_path / "a.json")


def test_other_suffix_is_refused(game: Game, tmp_path: Path) -> None:
    with pytest.raises(SaveError, match=r"suffix '\.pkl' .* accepted: \.json, \.tenefyr"):
        game.save(tmp_path / "game.pkl")


def test_file_error_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_bytes(b"\xff")
    with pytest.raises(SaveError, match=r"bad\.json: save: not text in UTF-8"):
        Game.load(tmp_path / "bad.json")


def test_large_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "large.json").write_bytes(b" " * (saves.MAX_SIZE + 1))
    with pytest.raises(SaveError, match="larger than the 1048576 bytes accepted"):
        Game.load(tmp_path / "large.json")


# Bytes that are refused


def test_truncated_bytes_are_refused_at_every_length(game: Game) -> None:
    data = game.to_bytes()
    for length in (0, 4, 8, 17, 18, 100, len(data) - 33, len(data) - 1):
        with pytest.raises(SaveError, match=rf"truncated: {length} bytes"):
            Game.from_bytes(data[:length])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(99), r"not a saved game: it begins with b'\\x89PNG"),
        (b" " * (saves.MAX_SIZE + 1), "larger than the 1048576 bytes accepted"),
        ("text", "a save of type str is not accepted; accepted: bytes"),
    ],
    ids=["foreign", "large", "text"],
)
def test_foreign_bytes_are_refused(data: Any, message: str) -> None:
    with pytest.raises(SaveError, match=message):
        Game.from_bytes(data)


def test_other_format_version_is_refused(game: Game) -> None:
    data = game.to_bytes()
    with pytest.raises(SaveError, match="format version 2 is not accepted; accepted: 1"):
        Game.from_bytes(data[:8] + b"\x02\x00" + data[10:])
    with pytest.raises(SaveError, match="format version 2 is not accepted; accepted: 1"):
        Game.from_json(edited(game, lambda document: document.update(version=2)))


def test_bytes_behind_the_end_are_refused(game: Game) -> None:
    with pytest.raises(SaveError, match=r"too long: \d+ bytes; the save says \d+"):
        Game.from_bytes(game.to_bytes() + b"\0")


def test_changed_byte_is_noticed_wherever_it_is(game: Game) -> None:
    data = game.to_bytes()
    for place in (30, len(data) // 2, len(data) - 40, len(data) - 1):
        changed = bytearray(data)
        changed[place] ^= 1
        with pytest.raises(SaveError, match="checksum wrong"):
            Game.from_bytes(bytes(changed))


def test_other_layout_is_refused(game: Game) -> None:
    data = with_header(game, lambda header: header.update(layout="0" * 64))
    with pytest.raises(SaveError, match=f"other layout of the state: 0000.*{saves.LAYOUT}"):
        Game.from_bytes(data)


def test_other_card_set_is_refused_with_both_names_and_hashes(game: Game) -> None:
    mini = load_card_set(MINI_SET)
    message = f"'Tenefyr' version 1.*{game.card_set.hash}.*'Clockwork Garden' .*{mini.hash}"
    with pytest.raises(SaveError, match=message):
        Game.from_bytes(game.to_bytes(), mini)
    with pytest.raises(SaveError, match=message):
        Game.from_json(game.to_json(), mini)


def test_card_set_changed_since_the_save_is_refused(tmp_path: Path) -> None:
    cards = tmp_path / "cards.yaml"
    text = MINI_SET.read_text(encoding="utf-8")
    cards.write_text(text, encoding="utf-8")
    saved = Game.new(GameConfig(cards=str(cards)), 1).to_json()
    cards.write_text(text.replace("Tin Snail", "Zinc Snail"), encoding="utf-8")
    with pytest.raises(SaveError, match="the save was made with 'Clockwork Garden'"):
        Game.from_json(saved)


def test_card_set_that_is_gone_is_named(game: Game) -> None:
    text = edited(game, lambda document: document["config"].update(cards="gone.yaml"))
    with pytest.raises(SaveError, match=r"card set 'gone\.yaml' of the save cannot be loaded"):
        Game.from_json(text)


def test_forged_record_is_refused(game: Game) -> None:
    with pytest.raises(SaveError, match="impossible position: a number is outside its range"):
        Game.from_bytes(forged(game, dungeon=99))
    with pytest.raises(SaveError, match="impossible position: a card is in two places or missing"):
        Game.from_bytes(forged(game, out_of_play=0))


def test_record_that_contradicts_its_configuration_is_refused(game: Game) -> None:
    with pytest.raises(SaveError, match=r"impossible position: difficulty is 2; .* says 1"):
        Game.from_bytes(forged(game, difficulty=2))
    with pytest.raises(SaveError, match=r"heroes is \[1, 8, 4\]; .* says \[2, 8, 4\]"):
        Game.from_bytes(forged(game, heroes=[1, 8, 4, 0]))


def test_impossible_position_is_not_saved_either(game: Game, tmp_path: Path) -> None:
    game.state.dungeon = 99
    with pytest.raises(SaveError, match="impossible position"):
        game.save(tmp_path / "game.json")
    assert not list(tmp_path.iterdir())


# JSON that is refused


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "save: not JSON: Expecting value"),
        ("{", "save: not JSON"),
        ("[" * 100_000, "save: not JSON"),
        ("[]", "not a saved game: accepted is an object with format 'tenefyr game'"),
        ('{"format": "chess"}', "not a saved game"),
        ('{"format": "tenefyr game", "format": 1}', "key 'format' is given twice"),
        ('{"format": NaN}', "NaN is not accepted; accepted: whole numbers"),
        (b"{}", "a save of type bytes is not accepted; accepted: text"),
    ],
    ids=["empty", "open", "deep", "list", "foreign", "twice", "nan", "bytes"],
)
def test_text_that_is_no_save_is_refused(text: Any, message: str) -> None:
    with pytest.raises(SaveError, match=message):
        Game.from_json(text)


def put(*path: Any) -> Edit:
    """An edit: the last of the path is the value, the others are keys."""

    def edit(document: dict[str, Any]) -> None:
        place: Any = document
        for key in path[:-2]:
            place = place[key]
        place[path[-2]] = path[-1]

    return edit


BAD_DOCUMENTS: list[tuple[Edit, str]] = [
    (lambda d: d["state"].pop("phase"), "state: key 'phase' is missing"),
    (lambda d: d["config"].pop("hands"), "config: key 'hands' is missing"),
    (put("state", "phse", 1), "state: unknown key 'phse'; did you mean 'phase'"),
    (put("extra", 1), "save: unknown key 'extra'; accepted: format, version"),
    (put("order", "bottom first"), "order: \"bottom first\" .* accepted: 'top first'"),
    (put("config", "players", 7), "config: GameConfig.players: 7 is not accepted"),
    (put("card_set", "hash", 5), "card_set.hash: 5 is not accepted; accepted: a text"),
    (put("state", "starter", "0"), 'state.starter: "0" .* accepted: a whole number'),
    (put("state", "starter", True), "state.starter: true .* accepted: a whole number"),
    (put("state", "starter", 1.0), r"state.starter: 1\.0 .* accepted: a whole number"),
    (put("state", "starter", 40000), "starter: 40000 does not fit; accepted: -32768 to 32767"),
    (put("state", "random", [1, 2, 3]), "state.random: 3 entries .* accepted: 4"),
    (put("state", "random", 0, 2**63), "does not fit; accepted: -9223372036854775808 to"),
    (put("state", "outcome", "drawn"), "unknown outcome 'drawn'; accepted: open, won, lost"),
    (put("state", "gift", 3), "state.gift: 3 .* the name of a card, or null"),
    (put("state", "combat", "has_moved", 0), "has_moved: 0 .* accepted: true or false"),
    (put("state", "players", {}), "state.players: an object .* accepted: a list"),
    (
        put("state", "players", 0, "deck", 0, "Quik Strike"),
        r"players\[0\]\.deck\[0\]: unknown card 'Quik Strike'; did you mean 'Quick Strike'",
    ),
    (put("state", "players", 0, "deck", ["Fury"] * 123), "123 entries .* accepted: 0 to 122"),
    (put("state", "players", 0, "heroes", ["bard", "bard"]), "different heroes in the order"),
    (put("state", "dungeons", "dungeon 1", "known", []), "0 entries .* accepted: 4"),
    (put("state", "events", "told", [["play", 0]]), "2 entries are not accepted; accepted: 4"),
    (put("state", "events", "lost", 1), r"events\.told: \d+ entries .* accepted: 64"),
    (put("state", "out_of_play", "Basic 0", 200), "200 does not fit; accepted: -128 to 127"),
    (put("state", "out_of_play", "Basic 0", -1), "impossible position: a card is in two"),
    (put("state", "gifts_left", 13), "impossible position: 13 spaces .* configuration has 12"),
    (put("state", "dungeon", None), "impossible position: a number is outside its range"),
    (
        put("state", "decision", "options", ["keep"]),
        "impossible position: the pending decision is not the one the rules ask here",
    ),
]


@pytest.mark.parametrize(("edit", "message"), BAD_DOCUMENTS, ids=range(len(BAD_DOCUMENTS)))
def test_bad_document_is_refused_by_name(game: Game, edit: Edit, message: str) -> None:
    with pytest.raises(SaveError, match=message):
        Game.from_json(edited(game, edit))


# Whatever is loaded can be played


def test_flipped_bits_are_refused_or_give_a_game_that_can_be_played_to_its_end() -> None:
    chance = np.random.default_rng(11)
    accepted = 0
    for config in MODES:
        for index, game in enumerate(positions(config, 1)):
            if index % 6 == 0:
                accepted += sum(play_flipped(game, chance) for _ in range(8))
    assert accepted > 20


def play_flipped(game: Game, chance: np.random.Generator) -> bool:
    """Flip a bit of a field; whether the invariants let it pass, and then it is played out."""
    name = chance.choice(save_codecs.FIELDS)
    field = game.states[name].copy()
    flat = field.view(np.uint8).reshape(-1)
    flat[chance.integers(len(flat))] ^= np.uint8(1 << chance.integers(8))
    try:
        copy = Game.from_bytes(forged(game, **{name: field}))
    except SaveError:
        return False
    while not copy.is_over:
        copy.step(int(chance.choice(copy.decision.options)))
        assert copy.fault() == Fault.NONE
    return True


def test_random_records_never_pass() -> None:
    game = Game.new(GameConfig(), 1)
    chance = np.random.default_rng(5)
    for _ in range(500):
        raw = np.frombuffer(chance.bytes(saves.PACKED.itemsize), saves.PACKED)
        with pytest.raises(SaveError, match="impossible position"):
            Game.from_bytes(forged(game, **{name: raw[name] for name in save_codecs.FIELDS}))


def test_position_without_any_enemy_is_refused_instead_of_asked_forever() -> None:
    game = Game.new(GameConfig(), 1)
    assert game.decision.kind == Decision.DUNGEON
    for dungeon in range(len(game.state.dungeon_size)):
        for slot in range(game.state.dungeon_size[dungeon]):
            game.state.out_of_play[game.state.dungeon_cards[dungeon, slot]] += 1
    game.state.dungeon_cards[:] = 0
    game.state.is_known[:] = 0
    game.state.dungeon_size[:] = 0
    assert game.fault() == Fault.DUNGEONS
