"""A compiled card set: its ids, its table, its names and its hash."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import yaml

from tenefyr_env.cards.card_set import hash_of
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.cards.table import (
    BASIC_1,
    DUNGEON_CARDS_PER_LEVEL,
    FIRST_BOSS_CARD,
    FIRST_DUNGEON_CARD,
    FIRST_SKILL,
    MAX_ROWS,
    NO_HERO,
    TABLE,
)
from tenefyr_env.cards.vocabulary import Count, Hero, Kind, Trigger

CLONE = Path(__file__).parents[2]
MINI_SET = Path(__file__).with_name("mini_set.yaml")


def card_called(card_set, name):
    """The id of the card with this name on either half."""
    found = [card.id for card in card_set.cards if card and name in (card.name, card.enemy_name)]
    assert len(found) == 1
    return found[0]


def test_the_small_set_has_its_own_sizes(mini_set):
    kinds = [card.kind for card in mini_set.cards if card]
    assert {kind: kinds.count(kind) for kind in Kind if kind} == {
        Kind.BASIC: 2,
        Kind.SKILL: 4,
        Kind.DUNGEON: 40,
        Kind.BOSS: 4,
    }
    assert sum(reward is not None for reward in mini_set.rewards) == 10
    assert mini_set.bosses == ("The Gardener",)
    assert (mini_set.name, mini_set.version) == ("Clockwork Garden", 3)


def test_ids_stand_in_their_blocks(mini_set):
    assert mini_set.card_name(BASIC_1) == "Basic 1"
    assert mini_set.card_name(FIRST_SKILL + Hero.THIEF) == "Skeleton Key"
    assert mini_set.enemy_name(FIRST_DUNGEON_CARD) == "Tin Snail"
    assert mini_set.enemy_name(FIRST_DUNGEON_CARD + DUNGEON_CARDS_PER_LEVEL) == "Pipe Viper"
    assert mini_set.enemy_name(FIRST_BOSS_CARD) == "Pruning"
    assert mini_set.cards[FIRST_DUNGEON_CARD + 8] is None


def test_the_table_says_what_the_cards_say(mini_set):
    table = mini_set.table[0]
    for card in mini_set.cards:
        if card is None:
            continue
        assert table["kind"][card.id] == card.kind
        assert table["level"][card.id] == card.level
        assert table["power"][card.id] == card.power
        assert table["hero"][card.id] == (NO_HERO if card.hero is None else card.hero)
        if card.enemy_power:
            assert tuple(table["enemy_power"][card.id]) == card.enemy_power
    assert not table["kind"][[card is None for card in mini_set.cards]].any()


def test_continuous_rules_fill_their_columns(mini_set):
    table = mini_set.table[0]
    frost, robin = card_called(mini_set, "Frost"), card_called(mini_set, "Robin")
    assert (table["hand"][frost], table["no_redraw"][frost]) == (-1, 1)
    assert table["power_each"][robin] == -1
    assert table["power_count"][robin] == Count.CARDS_PLAYED
    assert table["basics"][card_called(mini_set, "Winter")] == -1
    assert table["loot"][card_called(mini_set, "Steam Mower")] == -1
    assert table["starter_hand"][card_called(mini_set, "Kite")] == 1
    assert table["no_skills"][card_called(mini_set, "Iron Gnome")] == 1


def test_achievement_cards_are_marked_once(mini_set):
    table = mini_set.table[0]
    assert list(np.flatnonzero(table["is_deathstrike"])) == [card_called(mini_set, "Last Harvest")]
    assert list(np.flatnonzero(table["is_lost_goblin"])) == [card_called(mini_set, "Lost Key")]


def test_rows_of_effects_follow_each_other(mini_set):
    table = mini_set.table[0]
    spans = np.stack([table["first_row"], table["last_row"]], axis=-1).reshape(-1, 2)
    options = np.stack([table["reward_first_row"], table["reward_last_row"]], axis=-1)
    used = [tuple(span) for span in [*spans, *options.reshape(-1, 2)] if span[0] != span[1]]
    used.sort()
    assert used[0][0] == 0
    assert all(before[1] == after[0] for before, after in pairwise(used))
    assert not table["rows"][used[-1][1] :].any()


def test_a_card_without_an_effect_has_no_rows(mini_set):
    shell = card_called(mini_set, "Brass Shell")
    table = mini_set.table[0]
    assert table["first_row"][shell, Trigger.PLAY] == table["last_row"][shell, Trigger.PLAY]
    assert mini_set.text(shell) == ""
    assert mini_set.enemy_text(shell) == ""


def test_rewards_know_their_kind_and_options(mini_set):
    reward = mini_set.rewards[0]
    assert reward.text == (
        "Each player chooses one: Remove 2 Basic 0 cards from your deck."
        " Or: Give 1 card from your deck or discard pile to another player."
    )
    assert mini_set.rewards[1].text.startswith("Choose one together: ")
    assert list(mini_set.table[0]["reward_together"][:2]) == [0, 1]


def test_the_table_is_one_read_only_record(mini_set):
    assert mini_set.table.shape == (1,)
    assert mini_set.table.dtype == TABLE
    assert mini_set.table.flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        mini_set.table["power"][0, 0] = 9


def test_an_unknown_card_is_named_in_the_error(mini_set):
    with pytest.raises(ValueError, match="card 999: not a card of the set Clockwork Garden"):
        mini_set.card_name(999)


def test_a_boss_card_has_only_the_name_of_its_enemy(mini_set):
    assert mini_set.card_name(FIRST_BOSS_CARD) == "Pruning"
    assert mini_set.card(FIRST_BOSS_CARD).boss == "The Gardener"


def test_the_hash_is_the_same_every_time(mini_set, load_text, mini_text):
    assert load_text(mini_text).hash == mini_set.hash
    assert len(mini_set.hash) == 64


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        ("Brass Shell, power: 1", "Brass Shell, power: 2", False),
        ("Brass Shell", "Tin Shell", False),
        ("effect: [{draw: 3}]", "effect: [{draw: 2}]", False),
        ("name: Seed Bag", "name: Sack of Seeds", False),
        ("# A small set", "# A tiny set", True),
        ("version: 3", "version: 4", True),
        ("basics: {origin: rulebook}", "basics: {origin: design}", True),
    ],
)
def test_the_hash_covers_what_affects_play(mini_set, load_text, mini_text, old, new, is_same):
    assert old in mini_text
    assert (load_text(mini_text.replace(old, new)).hash == mini_set.hash) is is_same


def test_the_hash_ignores_the_padding_of_the_record(mini_set):
    # The record in memory may have any bytes between its columns.
    dirty = np.frombuffer(bytes([255]) * TABLE.itemsize, TABLE).copy()
    for column in TABLE.names:
        dirty[column] = mini_set.table[column]
    assert hash_of(dirty, []) == hash_of(mini_set.table, [])


def test_a_set_may_be_a_folder_of_files(tmp_path, mini_set, mini_text):
    for key, value in yaml.safe_load(mini_text).items():
        (tmp_path / f"{key}.yaml").write_text(yaml.safe_dump({key: value}), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not a card file", encoding="utf-8")
    assert load_card_set(str(tmp_path)).hash == mini_set.hash


def test_words_of_older_yaml_are_plain_names(load_text, mini_text):
    spoilt = mini_text.replace("name: Brass Shell", "name: No").replace("name: Noon", "name: on")
    names = [card.name for card in load_text(spoilt).cards if card]
    assert "No" in names
    assert "on" in names


def test_the_limit_of_rows_fits_the_table():
    assert TABLE["first_row"].base == np.int16
    assert np.iinfo(np.int16).max >= MAX_ROWS


def test_the_shipped_set_is_loaded_once():
    assert load_card_set("tenefyr") is load_card_set()


@pytest.mark.parametrize("width", [60, 100, 160])
@pytest.mark.parametrize("arguments", [[], ["--set", str(MINI_SET)], ["--hero", "thief"]])
def test_the_card_list_fits_the_terminal(width, arguments):
    lines = card_list("--width", str(width), *arguments).stdout.splitlines()
    assert len(lines) > 10
    assert max(map(len, lines)) <= width


def test_the_card_list_can_be_narrowed(mini_set):
    levels = card_list("--set", str(MINI_SET), "--level", "3", "--kind", "dungeon").stdout
    assert "Steam Mower" in levels
    assert "Tin Snail" not in levels
    boss = card_list("--set", str(MINI_SET), "--boss", "the gardener").stdout
    assert all(mini_set.enemy_name(FIRST_BOSS_CARD + slot) in boss for slot in range(4))


def test_the_card_list_names_what_it_accepts():
    assert "accepted: The Gardener" in card_list("--set", str(MINI_SET), "--boss", "Bob").stderr
    assert "no such folder or file" in card_list("--set", "nowhere").stderr
    assert "these filters leave no card" in card_list("--boss", "Dark Lord", "--level", "1").stderr


def card_list(*arguments):
    """Run the script as from a clone."""
    return subprocess.run(
        [sys.executable, "scripts/cards.py", *arguments],
        cwd=CLONE,
        capture_output=True,
        text=True,
        check=False,
    )
