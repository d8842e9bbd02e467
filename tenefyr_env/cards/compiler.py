"""The card compiler: checks a card set and turns it into the table the engine reads."""

import importlib.resources
from collections.abc import Sequence
from functools import cache
from importlib.resources.abc import Traversable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from tenefyr_env.cards.card_set import Card, CardSet, Reward, hash_of
from tenefyr_env.cards.continuous import read_rules
from tenefyr_env.cards.effects import Row, Step, effect_text, heroes_named, read_effect, rows, walk
from tenefyr_env.cards.source import CardError, Node, read_source
from tenefyr_env.cards.table import (
    BASIC_0,
    BASIC_1,
    BOSS_CARDS,
    DUNGEON_CARDS_PER_LEVEL,
    DUNGEON_SIZE,
    FIRST_BOSS_CARD,
    FIRST_DUNGEON_CARD,
    FIRST_SKILL,
    MAX_MOVERS,
    MAX_ROWS,
    NO_HERO,
    NUM_BOSSES,
    NUM_CARDS,
    NUM_HEROES,
    NUM_LEVELS,
    NUM_OPTIONS,
    NUM_REWARDS,
    REWARDS_PER_LEVEL,
    TABLE,
)
from tenefyr_env.cards.text import Place, hero_name
from tenefyr_env.cards.vocabulary import Hero, Kind, Trigger

SHIPPED = "tenefyr"
FORMAT = 1  # of the card language
SET_FIELDS = (
    "format",
    "name",
    "version",
    "components",
    "basics",
    "skills",
    "dungeon",
    "bosses",
    "rewards",
)
ORIGINS = ("rulebook", "design")
REWARD_KINDS = ("each", "together")
PRINTED_PLAYERS = (2, 3, 4)
LOOT_POWERS = (-5, 15)
ENEMY_POWERS = (0, 40)
DUNGEONS_PER_LEVEL = 2  # R8
FEWEST_DUNGEON_CARDS = DUNGEONS_PER_LEVEL * DUNGEON_SIZE
TRIGGERS = {
    Place.START: Trigger.START,
    Place.TURN: Trigger.TURN,
    Place.REDRAW: Trigger.REDRAW,
    Place.END: Trigger.END,
}
ENEMY_FIELDS = [*(place.value for place in TRIGGERS), "always"]
DEATHSTRIKE = ("A15", "is_deathstrike")
LOST_GOBLIN = ("A18", "is_lost_goblin")


def load_card_set(path_or_name: str | Path = SHIPPED) -> CardSet:
    """The card set of this name ("tenefyr", the shipped one), or of this folder or file."""
    if path_or_name == SHIPPED:
        return _shipped()
    path = Path(path_or_name)
    if not path.exists():
        raise CardError(
            f"card set {str(path_or_name)!r}: no such folder or file;"
            f" accepted: {SHIPPED!r}, a folder of YAML files, or one YAML file"
        )
    return compile_card_set(path)


@cache
def _shipped() -> CardSet:
    folder = importlib.resources.files("tenefyr_env.cards").joinpath("data", SHIPPED)
    return compile_card_set(folder)


def compile_card_set(place: Traversable) -> CardSet:
    """Check and compile the card set of a folder or file."""
    return _Compiler(read_source(place)).card_set()


class _Compiler:
    """One pass over a card set: every card is checked, given its id and written to the table."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.table = np.zeros((1,), TABLE)
        self.record: Any = self.table[0]
        self.record["hero"] = NO_HERO
        self.rows: list[Row] = []
        self.cards: list[Card | None] = [None] * NUM_CARDS
        self.rewards: list[Reward | None] = [None] * NUM_REWARDS
        self.bosses: list[str] = []
        self.claimed: dict[tuple[str, str], Node] = {}
        self.movers = 0

    def card_set(self) -> CardSet:
        """The whole set, from the fields of its files."""
        fields = self.root.mapping(SET_FIELDS)
        fields["format"].integer(FORMAT, FORMAT)
        name, version = fields["name"].string(), fields["version"].integer(0, 10**6)
        components = fields["components"].mapping(["dungeon", "rewards"])
        per_level = components["dungeon"].integer(FEWEST_DUNGEON_CARDS, DUNGEON_CARDS_PER_LEVEL)
        rewards = components["rewards"].integer(DUNGEONS_PER_LEVEL, REWARDS_PER_LEVEL)
        self.read_basics(fields["basics"])
        self.read_skills(fields["skills"])
        self.read_dungeon(fields["dungeon"], per_level)
        self.read_bosses(fields["bosses"])
        self.read_rewards(fields["rewards"], rewards)
        self.check_absent_heroes(fields["dungeon"])
        self.record["rows"][: len(self.rows)] = self.rows
        self.table.flags.writeable = False
        return CardSet(
            name=name,
            version=version,
            table=self.table,
            hash=hash_of(self.table, self.names()),
            cards=tuple(self.cards),
            rewards=tuple(self.rewards),
            bosses=tuple(self.bosses),
        )

    def names(self) -> list[str]:
        """Every name of the set in the order of the ids, empty where there is none."""
        cards = [(card.name, card.enemy_name) if card else ("", "") for card in self.cards]
        rewards = [reward.name if reward else "" for reward in self.rewards]
        return [*(name for pair in cards for name in pair), *rewards, *self.bosses]

    def read_basics(self, node: Node) -> None:
        """The two Basic cards, whose powers the rulebook fixes (R1)."""
        origin = _origin(node.mapping(["origin"])["origin"])
        for card, power in ((BASIC_0, 0), (BASIC_1, 1)):
            self.record["kind"][card] = Kind.BASIC
            self.record["power"][card] = power
            self.cards[card] = Card(card, Kind.BASIC, origin, name=f"Basic {power}", power=power)
            self.claimed["card in a deck", f"basic {power}"] = node

    def read_skills(self, node: Node) -> None:
        """The Skill of each hero (R1)."""
        for item in node.items(NUM_HEROES, NUM_HEROES):
            item.label = _label(item)
            fields = item.mapping(["hero", "name", "power", "effect", "origin"])
            hero = Hero[fields["hero"].word([hero.name.lower() for hero in Hero], "hero").upper()]
            card = FIRST_SKILL + hero
            if self.cards[card] is not None:
                raise fields["hero"].error(f"second Skill of the {hero_name(hero)}")
            half, _ = self.read_played_half(fields, card, Kind.SKILL)
            self.record["hero"][card] = hero
            origin = _origin(fields["origin"])
            self.cards[card] = Card(card, Kind.SKILL, origin, hero=hero, **half)

    def read_played_half(
        self, fields: dict[Any, Node], card: int, kind: Kind
    ) -> tuple[dict[str, Any], tuple[Step, ...]]:
        """Name, power and text of a card that is held in a deck; and its effect."""
        name = self.claim("card in a deck", fields["name"])
        power = fields["power"].integer(*LOOT_POWERS)
        steps: tuple[Step, ...] = ()
        if "effect" in fields:
            steps = read_effect(fields["effect"], Place.PLAY, kind)
            self.write_rows(fields["effect"], steps, card, Trigger.PLAY)
        self.record["kind"][card] = kind
        self.record["power"][card] = power
        return {"name": name, "power": power, "text": effect_text(steps, Place.PLAY)}, steps

    def read_dungeon(self, node: Node, per_level: int) -> None:
        """The Dungeon cards (R2)."""
        slots = _Slots(node, "Dungeon cards", per_level)
        for item in node.items(high=NUM_LEVELS * DUNGEON_CARDS_PER_LEVEL):
            item.label = _label(item)
            fields = item.mapping(["level", "enemy", "loot", "origin"])
            level = fields["level"].integer(1, NUM_LEVELS)
            slot = slots.next(fields["level"], level)
            card = FIRST_DUNGEON_CARD + (level - 1) * DUNGEON_CARDS_PER_LEVEL + slot
            self.read_dungeon_card(fields, card, level)
        slots.check_full()

    def read_dungeon_card(self, fields: dict[Any, Node], card: int, level: int) -> None:
        """Both halves of one Dungeon card."""
        enemy = fields["enemy"].mapping(["name", "power"], [*ENEMY_FIELDS, "achievement"])
        loot = fields["loot"].mapping(["name", "power"], ["effect", "achievement"])
        enemy_half, rules = self.read_enemy_half(enemy, card, Kind.DUNGEON)
        loot_half, effect = self.read_played_half(loot, card, Kind.DUNGEON)
        self.count_mover(fields["enemy"], rules)
        hero = self.hero_symbol(fields["loot"], effect, card)
        self.mark_achievement(enemy, card, *LOST_GOBLIN)
        self.mark_achievement(loot, card, *DEATHSTRIKE)
        self.record["level"][card] = level
        self.cards[card] = Card(
            card,
            Kind.DUNGEON,
            _origin(fields["origin"]),
            level=level,
            hero=hero,
            **enemy_half,
            **loot_half,
        )

    def hero_symbol(self, loot: Node, effect: Sequence[Step], card: int) -> Hero | None:
        """The hero a loot names, printed on it as a symbol (R14)."""
        heroes = sorted(heroes_named(effect))
        if len(heroes) > 1:
            names = ", ".join(hero_name(hero) for hero in heroes)
            raise loot.error(f"names {names}; a loot has the symbol of one hero at most")
        if not heroes:
            return None
        self.record["hero"][card] = heroes[0]
        return heroes[0]

    def mark_achievement(
        self, fields: dict[Any, Node], card: int, achievement: str, column: str
    ) -> None:
        """Mark the one card that an achievement speaks of."""
        if "achievement" not in fields:
            return
        node = fields["achievement"]
        node.word([achievement], "achievement")
        if self.record[column].any():
            raise node.error(f"second card marked {achievement}; accepted: one in a set")
        self.record[column][card] = 1

    def read_enemy_half(
        self, fields: dict[Any, Node], card: int, kind: Kind
    ) -> tuple[dict[str, Any], list[Step]]:
        """Name, powers and text of an enemy; and the steps of all its rules."""
        name = self.claim("enemy", fields["name"])
        printed = fields["power"].mapping(PRINTED_PLAYERS)
        powers = tuple(printed[players].integer(*ENEMY_POWERS) for players in PRINTED_PLAYERS)
        self.record["kind"][card] = kind
        self.record["enemy_power"][card] = powers
        texts = []
        if "always" in fields:
            columns, words = read_rules(fields["always"])
            texts.append(words)
            for column, value in columns.items():
                self.record[column][card] = value
        rules: list[Step] = []
        for place, trigger in TRIGGERS.items():
            if place.value in fields:
                steps = read_effect(fields[place.value], place, kind)
                self.write_rows(fields[place.value], steps, card, trigger)
                texts.append(effect_text(steps, place))
                rules += steps
        half = {"enemy_name": name, "enemy_power": powers, "enemy_text": " ".join(texts)}
        return half, rules

    def count_mover(self, node: Node, rules: Sequence[Step]) -> None:
        """Count an enemy that moves; the engine has room for so many new dungeons only (R51)."""
        self.movers += any(step.definition.key == "move" for step in walk(rules))
        if self.movers > MAX_MOVERS:
            raise node.error(f"more than the {MAX_MOVERS} enemies accepted in a set can move")

    def read_bosses(self, node: Node) -> None:
        """The bosses with their four cards each (R3)."""
        for boss, item in enumerate(node.items(1, NUM_BOSSES)):
            item.label = _label(item)
            fields = item.mapping(["name", "cards", "origin"])
            _origin(fields["origin"])
            name = self.claim("boss", fields["name"])
            joined = 0
            for slot, entry in enumerate(fields["cards"].items(BOSS_CARDS, BOSS_CARDS)):
                card = FIRST_BOSS_CARD + boss * BOSS_CARDS + slot
                joined += self.read_boss_card(entry, card, name)
                if joined > MAX_MOVERS:
                    raise entry.error(
                        f"{joined} monsters can join {name}; accepted: {MAX_MOVERS} at most"
                    )
            self.bosses.append(name)
            self.record["boss_exists"][boss] = 1

    def read_boss_card(self, node: Node, card: int, boss: str) -> int:
        """One Boss card; the number of monsters it can make join the boss deck."""
        node.label = _label(node)
        fields = node.mapping(["name", "power", "origin"], ENEMY_FIELDS)
        half, rules = self.read_enemy_half(fields, card, Kind.BOSS)
        self.cards[card] = Card(card, Kind.BOSS, _origin(fields["origin"]), boss=boss, **half)
        return sum(int(step.values.get("join", 0)) for step in walk(rules))

    def read_rewards(self, node: Node, per_level: int) -> None:
        """The Reward cards (R4)."""
        slots = _Slots(node, "rewards", per_level)
        for item in node.items(high=NUM_REWARDS):
            item.label = _label(item)
            fields = item.mapping(["level", "name", "kind", "options", "origin"])
            level = fields["level"].integer(1, NUM_LEVELS)
            slot = slots.next(fields["level"], level)
            self.read_reward(fields, (level - 1) * REWARDS_PER_LEVEL + slot, level)
        slots.check_full()

    def read_reward(self, fields: dict[Any, Node], reward: int, level: int) -> None:
        """One Reward card with its two options (R37, R38)."""
        name = self.claim("reward", fields["name"])
        is_together = fields["kind"].word(REWARD_KINDS, "kind") == "together"
        texts = []
        for option, node in enumerate(fields["options"].items(NUM_OPTIONS, NUM_OPTIONS)):
            steps = read_effect(node, Place.REWARD, Kind.NONE)
            first, last = self.add_rows(node, steps)
            self.record["reward_first_row"][reward, option] = first
            self.record["reward_last_row"][reward, option] = last
            texts.append(effect_text(steps, Place.REWARD))
        self.record["reward_exists"][reward] = 1
        self.record["reward_together"][reward] = is_together
        origin = _origin(fields["origin"])
        self.rewards[reward] = Reward(reward, level, name, is_together, tuple(texts), origin)

    def write_rows(self, node: Node, steps: Sequence[Step], card: int, trigger: Trigger) -> None:
        """Write an effect of a card to the table."""
        first, last = self.add_rows(node, steps)
        self.record["first_row"][card, trigger] = first
        self.record["last_row"][card, trigger] = last

    def add_rows(self, node: Node, steps: Sequence[Step]) -> tuple[int, int]:
        """Append the rows of an effect: the first of them, and one past the last."""
        first = len(self.rows)
        self.rows += rows(steps)
        if len(self.rows) > MAX_ROWS:
            raise node.error(f"the set has more than the {MAX_ROWS} effect rows accepted")
        return first, len(self.rows)

    def claim(self, role: str, node: Node) -> str:
        """A name that no other card has in this role."""
        name = node.string()
        first = self.claimed.setdefault((role, name.casefold()), node)
        if first is not node:
            raise node.error(
                f"second {role} named {name!r}; the first is at {first.file}:{first.line}"
            )
        return name

    def check_absent_heroes(self, node: Node) -> None:
        """Enough cards stay on every level when absent heroes' cards are taken out (R14)."""
        heroes = np.asarray(self.record["hero"])
        levels = np.asarray(self.record["level"])
        for size in (2, 3):
            for party in combinations(Hero, size):
                stays = (heroes == NO_HERO) | np.isin(heroes, party)
                for level in range(1, NUM_LEVELS + 1):
                    left = int((stays & (levels == level)).sum())
                    if left < FEWEST_DUNGEON_CARDS:
                        names = ", ".join(hero_name(hero) for hero in party)
                        raise node.error(
                            f"level {level} keeps {left} cards for a party of {names} when loot"
                            f" of absent heroes is taken out (R14);"
                            f" accepted: {FEWEST_DUNGEON_CARDS} at least"
                        )


class _Slots:
    """The places of a level's cards, handed out in the order of the file."""

    def __init__(self, node: Node, what: str, per_level: int) -> None:
        self.node = node
        self.what = what
        self.per_level = per_level
        self.used = [0] * NUM_LEVELS

    def next(self, node: Node, level: int) -> int:
        """The next free place of a level."""
        slot = self.used[level - 1]
        if slot == self.per_level:
            raise node.error(
                f"level {level} has more than the {self.per_level} {self.what}"
                " that 'components' states"
            )
        self.used[level - 1] += 1
        return slot

    def check_full(self) -> None:
        """Every level has all the cards the set states."""
        for level, used in enumerate(self.used, start=1):
            if used != self.per_level:
                raise self.node.error(
                    f"level {level} has {used} {self.what}; 'components' states {self.per_level}"
                )


def _origin(node: Node) -> str:
    return node.word(ORIGINS, "origin")


def _label(node: Node) -> str:
    """The name errors use for a card, as far as it can be read."""
    fields = node.value if isinstance(node.value, dict) else {}
    if "enemy" in fields:
        return _label(fields["enemy"])
    name = fields["name"].value if "name" in fields else None
    return name if isinstance(name, str) and name.isprintable() else ""
