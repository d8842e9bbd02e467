"""A card set that cannot be used is refused with file, line, card, field and what is accepted."""

import pytest

from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.cards.source import MAX_BYTES, CardError

# What is replaced in the small set, by what, and the message after "cards.yaml:<line>: ".
SPOILT = {
    "endless redraws": (
        "redraw: [{discard_deck: 1}]",
        "redraw: [{recover: 3}]",
        "Bird Bath: enemy.redraw: 'recover' in a redraw effect would allow endless redraws",
    ),
    "an enemy met for ever": (
        "end: [{may: [{move: true}]}]",
        "end: [{save_step: 2}, {move: true}]",
        "Lost Key: enemy.end: an enemy that moves away cannot save steps",
    ),
    "moving twice": (
        "end: [{may: [{move: true}]}]",
        "end: [{may: [{move: true}]}, {move: true}]",
        "Lost Key: enemy.end[0]: 'move' must be the last step: the enemy is gone after it",
    ),
    "unknown verb": (
        "effect: [{draw: 3}]",
        "effect: [{drow: 3}]",
        "Overwind: effect[0]: unknown verb 'drow' (did you mean 'draw'?); accepted: each, ",
    ),
    "two verbs in one step": (
        "effect: [{draw: 3}]",
        "effect: [{draw: 3, power: 1}]",
        "Overwind: effect[0]: one step has one verb, got 'draw', 'power'; write a step for each",
    ),
    "empty step": (
        "effect: [{draw: 3}]",
        "effect: [{}]",
        "Overwind: effect[0]: empty step; accepted: each, ",
    ),
    "step that is not a mapping": (
        "effect: [{draw: 3}]",
        "effect: [draw]",
        "Overwind: effect[0]: expected a mapping, got 'draw'",
    ),
    "effect that is not a list": (
        "effect: [{draw: 3}]",
        "effect: {draw: 3}",
        "Overwind: effect: expected a list, got a mapping",
    ),
    "empty effect": (
        "effect: [{draw: 3}]",
        "effect: []",
        "Overwind: effect: expected 1 to 12 entries, got 0",
    ),
    "wrong type": (
        "effect: [{draw: 3}]",
        "effect: [{draw: many}]",
        "Overwind: effect[0].draw: expected a whole number from 1 to 6, got 'many'",
    ),
    "a fraction is not a number of cards": (
        "effect: [{draw: 3}]",
        "effect: [{draw: 1.5}]",
        "Overwind: effect[0].draw: expected a whole number from 1 to 6, got '1.5'",
    ),
    "true is not a number": (
        "effect: [{draw: 3}]",
        "effect: [{draw: true}]",
        "Overwind: effect[0].draw: expected a whole number from 1 to 6, got true",
    ),
    "out of range": (
        "effect: [{draw: 3}]",
        "effect: [{draw: 7}]",
        "Overwind: effect[0].draw: 7 is out of range; accepted: 1 to 6",
    ),
    "zero power": (
        "then: [{others: [{power: 1}]}]",
        "then: [{others: [{power: 0}]}]",
        "Music Box: effect[0].then[0].others[0].power: 0 changes nothing;"
        " accepted: -10 to 10 without 0",
    ),
    "unknown field of a verb": (
        "{search: 1, filter: basic_1}",
        "{search: 1, fliter: basic_1}",
        "Spring Frog: loot.effect[0].fliter: unknown key 'fliter' (did you mean 'filter'?);"
        " accepted: search, filter, up_to",
    ),
    "missing field of a verb": (
        "{take: 2, level: here, to: discard}",
        "{take: 2, level: here}",
        "Skeleton Key: effect[0]: missing field 'to'",
    ),
    "unknown filter": (
        "{search: 1, filter: basic_1}",
        "{search: 1, filter: basic_2}",
        "Spring Frog: loot.effect[0].filter: unknown filter 'basic_2' (did you mean 'basic_1'?);"
        " accepted: any, basic, basic_0, basic_1, loot, skill",
    ),
    "unknown pile": (
        "from: [hand, discard]",
        "from: [hand, played]",
        "Hedge Engine: loot.effect[0].from[1]: unknown pile 'played'; accepted:"
        " deck, hand, discard",
    ),
    "pile given twice": (
        "from: [hand, discard]",
        "from: [hand, hand]",
        "Hedge Engine: loot.effect[0].from[1]: pile 'hand' is given twice",
    ),
    "unknown count": (
        "{power_per: cards_in_your_hand, each: 1}",
        "{power_per: cards_in_hand, each: 1}",
        "Wire Ant: loot.effect[0].power_per: unknown count 'cards_in_hand'"
        " (did you mean 'cards_in_your_hand'?); accepted: basic_0_in_discards, ",
    ),
    "unknown level word": (
        "{take: 2, level: here, to: discard}",
        "{take: 2, level: there, to: discard}",
        "Skeleton Key: effect[0].level: unknown level 'there'; accepted: 1 to 5, here",
    ),
    "unknown condition": (
        "{if: {first_turn: true}",
        "{if: {first: true}",
        "Pendulum: loot.effect[0].if: unknown condition 'first' (did you mean 'first_turn'?);"
        " accepted: hero, first_turn, last_turn, exhausted, boss, level_at_least, hand_empty",
    ),
    "two conditions": (
        "{if: {first_turn: true}",
        "{if: {first_turn: true, boss: true}",
        "Pendulum: loot.effect[0].if: expected one condition, got 2; accepted: hero, ",
    ),
    "condition that is not true": (
        "{if: {first_turn: true}",
        "{if: {first_turn: false}",
        "Pendulum: loot.effect[0].if.first_turn: expected true, got false",
    ),
    "unknown hero": (
        "hero: thief,",
        "hero: sorcerer,",
        "Skeleton Key: hero: unknown hero 'sorcerer'; accepted: barbarian, bard, cleric, thief",
    ),
    "two Skills of a hero": (
        "hero: thief,",
        "hero: cleric,",
        "Oil Can: hero: second Skill of the Cleric",
    ),
    "not a cost": (
        "{pay: {discard_deck: 2}",
        "{pay: {draw: 2}",
        "Bird Bath: loot.effect[0].pay: 'draw' is not a cost;"
        " accepted: discard_deck, discard, discard_hand, remove",
    ),
    "cost that may be declined": (
        "{pay: {remove: 1, filter: basic_0, from: [hand]}",
        "{pay: {remove: 1, filter: basic_0, up_to: true}",
        "Rose Guard: loot.effect[0].pay: a cost is paid in full: 'up_to' is not accepted here",
    ),
    "one branch": (
        "{choose: [[{draw: 1}], [{power: 1}], [{enemy: -1}]]}",
        "{choose: [[{draw: 1}]]}",
        "Mole Drill: loot.effect[0].choose: expected 2 to 4 entries, got 1",
    ),
    "player block in a player block": (
        "{any: [{recover: 2}]}",
        "{any: [{may: [{each: [{recover: 2}]}]}]}",
        "Compost Heap: loot.effect[0].any[0].may[0]: 'each' cannot stand inside 'any':"
        " one player block at most",
    ),
    "blocks too deep": (
        "effect: [{draw: 3}]",
        "effect: [{may: [{may: [{may: [{may: [{may: [{draw: 3}]}]}]}]}]}]",
        "Overwind: effect[0].may[0].may[0].may[0].may[0].may: more than 4 blocks inside each other",
    ),
    "combat verb in a reward": (
        "options: [[{scout: 4}]",
        "options: [[{draw: 4}]",
        "Almanac: options[0][0]: 'draw' cannot be used in a reward effect;"
        " accepted in: play, start, turn, redraw",
    ),
    "combat condition in a reward": (
        "{if: {hero: cleric}, then: [{take: 1, level: 5, to: deck}]",
        "{if: {boss: true}, then: [{take: 1, level: 5, to: deck}]",
        "Grafting: options[0][0].if: condition 'boss' cannot be used in a reward effect;"
        " accepted: hero",
    ),
    "reward into the hand": (
        "options: [[{take: 1, level: 2, to: deck}]",
        "options: [[{take: 1, level: 2, to: hand}]",
        "Toolbox: options[0][0].to: unknown pile 'hand'; accepted: deck",
    ),
    "reward without a level": (
        "options: [[{take: 1, level: 2, to: deck}]",
        "options: [[{take: 1, level: here, to: deck}]",
        "Toolbox: options[0][0].level: 'here' is for combats; a reward names a level from 1 to 5",
    ),
    "move on a loot": (
        "effect: [{enemy: -2}]",
        "effect: [{move: true}]",
        "Cog Wasp: loot.effect[0]: 'move' cannot be used in a play effect; accepted in: start, end",
    ),
    "move for each player": (
        "end: [{may: [{move: true}]}]",
        "end: [{each: [{move: true}]}]",
        "Lost Key: enemy.end[0].each[0]: 'move' cannot stand inside 'each';"
        " accepted blocks: choose, if, may, random",
    ),
    "move on a Boss card": (
        "start: [{join: 2, level: 1}]",
        "start: [{move: true}]",
        "Pruning: start[0]: 'move' is for enemies of Dungeon cards only",
    ),
    "join on a Dungeon card": (
        "end: [{may: [{move: true}]}]",
        "end: [{join: 1, level: 1}]",
        "Lost Key: enemy.end[0]: 'join' is for enemies of Boss cards only",
    ),
    "boost on a loot": (
        "effect: [{enemy: -2}]",
        "effect: [{boost: power, by: 1, for: combat}]",
        "Cog Wasp: loot.effect[0]: 'boost' cannot be used in a play effect;"
        " accepted in: end, reward",
    ),
    "boost too large": (
        "{boost: hand, by: 1, for: combat}",
        "{boost: hand, by: 4, for: combat}",
        "Watering Can: options[0][0].by: 4 is out of range; accepted: 1 to 3",
    ),
    "hand after the enemy has fallen": (
        "end: [{scout: 2}]",
        "end: [{take: 1, level: 1, to: hand}]",
        "Sundial: enemy.end[0].to: unknown pile 'hand'; accepted: deck, discard",
    ),
    "unknown continuous rule": (
        "always: [{no_skills: true}]",
        "always: [{no_skill: true}]",
        "Iron Gnome: enemy.always[0]: unknown rule 'no_skill' (did you mean 'no_skills'?);"
        " accepted: basics, loot, hand, starter_hand, power_per, no_redraw, no_skills",
    ),
    "continuous rule twice": (
        "always: [{no_skills: true}]",
        "always: [{hand: 1}, {hand: 1}]",
        "Iron Gnome: enemy.always[1]: rule 'hand' is given twice",
    ),
    "continuous rule of nothing": (
        "always: [{loot: -1}]",
        "always: [{loot: 0}]",
        "Steam Mower: enemy.always[0].loot: 0 changes nothing; accepted: -5 to 5 without 0",
    ),
    "continuous rule about you": (
        "always: [{power_per: redraws, each: 1}]",
        "always: [{power_per: cards_you_played, each: 1}]",
        "Peacock: enemy.always[0].power_per: unknown count of the whole table 'cards_you_played'",
    ),
    "missing half": (
        "    loot: {name: Brass Shell, power: 1}\n",
        "",
        "Tin Snail: missing field 'loot'",
    ),
    "missing name": (
        "enemy: {name: Tin Snail, power",
        "enemy: {power",
        "dungeon[0].enemy: missing field 'name'",
    ),
    "unknown key of a card": (
        "loot: {name: Brass Shell, power: 1}",
        "loot: {name: Brass Shell, power: 1, efect: []}",
        "Tin Snail: loot.efect: unknown key 'efect' (did you mean 'effect'?);"
        " accepted: name, power, effect, achievement",
    ),
    "missing player count": (
        "power: {2: 0, 3: 1, 4: 2}",
        "power: {2: 0, 3: 1}",
        "Tin Snail: enemy.power: missing field 4",
    ),
    "unknown player count": (
        "power: {2: 0, 3: 1, 4: 2}",
        "power: {2: 0, 3: 1, 4: 2, 5: 3}",
        "Tin Snail: enemy.power.5: unknown key 5; accepted: 2, 3, 4",
    ),
    "enemy too strong": (
        "power: {2: 0, 3: 1, 4: 2}",
        "power: {2: 0, 3: 1, 4: 41}",
        "Tin Snail: enemy.power.4: 41 is out of range; accepted: 0 to 40",
    ),
    "unknown level": (
        "- level: 1\n    enemy: {name: Tin Snail",
        "- level: 6\n    enemy: {name: Tin Snail",
        "Tin Snail: level: 6 is out of range; accepted: 1 to 5",
    ),
    "too many cards of a level": (
        "- level: 2\n    enemy: {name: Pipe Viper",
        "- level: 1\n    enemy: {name: Pipe Viper",
        "Pipe Viper: level: level 1 has more than the 8 Dungeon cards that 'components' states",
    ),
    "too few rewards of a level": (
        "  - {level: 5, name: First Snow, kind: together, options: [[{save_step: 2}],"
        " [{starter: [{take: 2, level: 5, to: deck}]}]], origin: design}\n",
        "",
        "rewards: level 5 has 1 rewards; 'components' states 2",
    ),
    "too few components": (
        "components: {dungeon: 8,",
        "components: {dungeon: 7,",
        "components.dungeon: 7 is out of range; accepted: 8 to 14",
    ),
    "unknown format": (
        "format: 1",
        "format: 2",
        "format: 2 is out of range; accepted: 1 to 1",
    ),
    "missing list": (
        "\nskills:",
        "\nskils:",
        "skils: unknown key 'skils' (did you mean 'skills'?); accepted: format, name, ",
    ),
    "three Boss cards": (
        "      - {name: Weeding, power: {2: 11, 3: 15, 4: 19}, turn: [{discard_deck: 1}],"
        " origin: design}\n",
        "",
        "The Gardener: cards: expected 4 entries, got 3",
    ),
    "one option": (
        ", [{boost: power, by: 3, for: dungeon}]]",
        "]",
        "Almanac: options: expected 2 entries, got 1",
    ),
    "unknown kind of reward": (
        "name: Almanac, kind: together",
        "name: Almanac, kind: both",
        "Almanac: kind: unknown kind 'both'; accepted: each, together",
    ),
    "unknown origin": (
        "basics: {origin: rulebook}",
        "basics: {origin: rulebok}",
        "basics.origin: unknown origin 'rulebok' (did you mean 'rulebook'?);"
        " accepted: rulebook, design",
    ),
    "duplicate enemy": (
        "name: Wire Ant,",
        "name: tin snail,",
        "tin snail: enemy.name: second enemy named 'tin snail'; the first is at cards.yaml:",
    ),
    "duplicate enemy on a Boss card": (
        "name: Weeding,",
        "name: Tin Snail,",
        "Tin Snail: name: second enemy named 'Tin Snail'; the first is at cards.yaml:",
    ),
    "duplicate loot": (
        "name: Copper Pincer,",
        "name: Brass Shell,",
        "Wire Ant: loot.name: second card in a deck named 'Brass Shell'; the first is at",
    ),
    "loot named as a Basic": (
        "name: Copper Pincer,",
        "name: Basic 1,",
        "Wire Ant: loot.name: second card in a deck named 'Basic 1'; the first is at",
    ),
    "duplicate reward": (
        "name: Almanac,",
        "name: Toolbox,",
        "Toolbox: name: second reward named 'Toolbox'; the first is at",
    ),
    "name that is a number": (
        "name: Copper Pincer,",
        "name: 7,",
        "Wire Ant: loot.name: expected a text, got 7",
    ),
    "name that moves the cursor": (
        "name: Copper Pincer,",
        'name: "Copper\\e[2J",',
        "Wire Ant: loot.name: 'Copper\\x1b[2J' is not a text of at most 40 printable characters",
    ),
    "name that is too long": (
        "name: Copper Pincer,",
        f"name: {'x' * 41},",
        "is not a text of at most 40 printable characters without blanks at its ends",
    ),
    "unknown achievement": (
        "achievement: A15",
        "achievement: A16",
        "Night Gardener: loot.achievement: unknown achievement 'A16' (did you mean 'A15'?);"
        " accepted: A15",
    ),
    "achievement twice": (
        "loot: {name: Oaken Beam, power: 7}",
        "loot: {name: Oaken Beam, power: 7, achievement: A15}",
        "Night Gardener: loot.achievement: second card marked A15; accepted: one in a set",
    ),
    "two heroes on a loot": (
        "effect: [{enemy: -2}]",
        "effect: [{if: {hero: bard}, then: [{draw: 1}]}, {if: {hero: thief}, then: [{draw: 1}]}]",
        "Cog Wasp: loot: names Bard, Thief; a loot has the symbol of one hero at most",
    ),
    "too many monsters join": (
        "start: [{join: 2, level: 1}]",
        "start: [{join: 4, level: 1}, {join: 4, level: 2}, {join: 4, level: 3}]",
        "Winter: 13 monsters can join The Gardener; accepted: 12 at most",
    ),
    "duplicate key": (
        "version: 3",
        "version: 3\nversion: 4",
        "key 'version' is given twice",
    ),
    "alias": (
        "version: 3",
        "version: *three",
        "version: anchors (&) and aliases (*) are not accepted",
    ),
    "tag": (
        "version: 3",
        "version: !!python/object/apply:os.getcwd []",
        "version: tag 'tag:yaml.org,2002:python/object/apply:os.getcwd' is not accepted",
    ),
    "bad YAML": ("version: 3", "version: {3", "not valid YAML: "),
    "list as a key": ("version: 3", "[version]: 3", "expected a word or a number as the key, got"),
    "key that moves the cursor": (
        "version: 3",
        '"a\\e[2J": 3',
        "'a\\x1b[2J': unknown key 'a\\x1b[2J'; accepted: format, ",
    ),
    "second document": ("version: 3", "version: 3\n---\nmore: 1", "more than one YAML document"),
}


@pytest.mark.parametrize("case", SPOILT)
def test_a_spoilt_set_is_refused(load_text, mini_text, case):
    old, new, message = SPOILT[case]
    assert mini_text.count(old) == 1
    with pytest.raises(CardError, match=r"^cards\.yaml:\d+: ") as caught:
        load_text(mini_text.replace(old, new))
    assert message in str(caught.value)


@pytest.mark.parametrize("case", ["unknown verb", "out of range", "duplicate loot", "one branch"])
def test_the_line_is_that_of_the_mistake(load_text, mini_text, case):
    old, new, _ = SPOILT[case]
    line = mini_text[: mini_text.index(old)].count("\n") + 1
    with pytest.raises(CardError, match=rf"^cards\.yaml:{line}: "):
        load_text(mini_text.replace(old, new))


def test_R14_a_level_keeps_eight_cards_for_any_party(load_text, mini_text):
    spoilt = mini_text.replace(
        "effect: [{enemy: -2}]", "effect: [{if: {hero: thief}, then: [{draw: 1}]}]"
    )
    expected = "dungeon: level 1 keeps 7 cards for a party of Barbarian, Bard when loot of absent"
    with pytest.raises(CardError, match=expected):
        load_text(spoilt)


def test_at_most_twelve_enemies_can_move(load_text, mini_text):
    spoilt = mini_text.replace("}}\n    loot", "}, end: [{move: true}]}\n    loot")
    for rule in ("basics: 1", "no_redraw: true", "no_skills: true", "loot: -1", "hand: -1"):
        spoilt = spoilt.replace(f"always: [{{{rule}}}]", "end: [{move: true}]")
    for count in ("turns_taken, each: 2", "redraws, each: 1", "cards_played, each: -1"):
        spoilt = spoilt.replace(f"always: [{{power_per: {count}}}]", "start: [{move: true}]")
    with pytest.raises(CardError, match="enemy: more than the 12 enemies accepted in a set can"):
        load_text(spoilt)


def test_a_set_has_a_limit_of_rows(load_text, mini_text):
    branch = "[" + ", ".join(["{discard: 6}"] * 12) + "]"
    choice = "{choose: [" + ", ".join([branch] * 4) + "]}"
    spoilt = mini_text.replace("[{scout: 3}]", "[" + ", ".join([choice] * 8) + "]")
    with pytest.raises(CardError, match="the set has more than the 2048 effect rows accepted"):
        load_text(spoilt)


def test_a_set_that_is_not_a_mapping_is_refused(load_text):
    with pytest.raises(CardError, match=r"^cards\.yaml:1: expected a mapping, got a list$"):
        load_text("- 1\n- 2\n")


def test_an_empty_file_lacks_everything(load_text):
    with pytest.raises(CardError, match=r"^cards\.yaml:1: missing field 'format'$"):
        load_text("")


def test_a_huge_file_is_refused_unread(load_text):
    with pytest.raises(CardError, match=rf"^cards\.yaml: larger than the {MAX_BYTES} bytes"):
        load_text("#" * (MAX_BYTES + 1))


def test_deep_nesting_is_refused(load_text):
    with pytest.raises(CardError, match="nested more than 40 levels deep"):
        load_text("name: " + "[" * 100_000)


def test_a_file_that_is_not_text_is_refused(tmp_path):
    file = tmp_path / "cards.yaml"
    file.write_bytes(b"name: x\nversion: \xff\n")
    with pytest.raises(CardError, match=r"^cards\.yaml:2: not UTF-8 text"):
        load_card_set(file)


def test_a_control_character_is_not_yaml(load_text):
    with pytest.raises(CardError, match=r"^cards\.yaml(:1)?: not valid YAML: "):
        load_text("name: \x07\n")


def test_a_set_that_does_not_exist_is_refused():
    with pytest.raises(CardError, match="card set 'nowhere': no such folder or file; accepted: "):
        load_card_set("nowhere")


def test_a_folder_without_card_files_is_refused(tmp_path):
    with pytest.raises(CardError, match=r"0 files that end in \.yaml or \.yml; accepted: 1 to 64"):
        load_card_set(tmp_path)


def test_a_key_in_two_files_is_refused(tmp_path, mini_text):
    (tmp_path / "a.yaml").write_text(mini_text, encoding="utf-8")
    (tmp_path / "b.yaml").write_text("# more\nversion: 4\n", encoding="utf-8")
    with pytest.raises(CardError, match=r"^b\.yaml:2: version: key already given in a\.yaml:4$"):
        load_card_set(tmp_path)
