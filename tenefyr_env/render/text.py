"""The table as text: what lies where, who has what, and what is asked."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from tenefyr_env.cards.table import NUM_LEVELS
from tenefyr_env.cards.vocabulary import Boost, Kind, Pile, Span
from tenefyr_env.config import DIFFICULTIES
from tenefyr_env.engine.combat import enemy_power
from tenefyr_env.engine.jit import entry
from tenefyr_env.engine.state import (
    BOSS_DECK,
    NO_BOSS,
    NO_CARD,
    NO_DUNGEON,
    NO_REWARD,
    Decision,
    Outcome,
    Phase,
)
from tenefyr_env.game import Game

WIDTH = 100
MARGIN = "  "
LABEL = 10  # the column of names in front of a row
HALF = (WIDTH - LABEL) // 2  # two dungeons of a level stand side by side
FACE_DOWN = "?"
FIGHTING = (Phase.START_TURN, Phase.DRAW, Phase.KEEP, Phase.PLAY, Phase.END_TURN, Phase.TAKE_LOOT)


@entry
def enemy_powers(states: Any, tables: Any, powers: npt.NDArray[np.int64]) -> None:
    """Write for each game the current power of the enemy that is fought."""
    for game in range(len(states)):
        powers[game] = enemy_power(states[game], tables[0])


def table_text(game: Game, seat: int | None = None) -> str:
    """Everything on the table, as `seat` sees it; an onlooker (None) sees all hands."""
    return "\n".join(_Table(game, seat).lines())


def decision_text(game: Game, seat: int | None = None) -> str:
    """What is asked of whom, with the options; others do not see the cards of a private hand."""
    return "\n".join(_Table(game, seat).question())


class _Table:
    """Writes down one position."""

    def __init__(self, game: Game, seat: int | None) -> None:
        self.game = game
        self.state = game.state
        self.cards = game.card_set
        self.seat = seat

    def lines(self) -> list[str]:
        """The whole table, from the boss track to the players."""
        blocks = [self.track(), self.dungeons(), self.reserve(), self.combat(), self.players()]
        return [line for block in blocks for line in block]

    def track(self) -> Iterator[str]:
        """The boss track and what the whole party has (R12)."""
        state = self.state
        mode = "quick" if state.is_quick else "regular"
        notes = [
            f"{mode}, {DIFFICULTIES[state.difficulty]}",
            f"boss token {int(state.steps_left)} from the skull",
            f"starting player {self.game.player_name(int(state.starter))}",
        ]
        if state.saved_steps:
            notes.append(f"{int(state.saved_steps)} saved")
        yield from _row("track", "; ".join([*notes, *self.boosts()]))

    def boosts(self) -> Iterator[str]:
        """What rewards have given the party for a while."""
        for kind, span in ((kind, span) for kind in Boost for span in Span):
            if gain := int(self.state.boost[kind, span]):
                yield f"{gain:+d} {kind.name.lower()} for the next {span.name.lower()}"
            if gain := int(self.state.boost_now[kind, span]):
                yield f"{gain:+d} {kind.name.lower()} in this {span.name.lower()}"

    def dungeons(self) -> Iterator[str]:
        """The dungeons, a level in a row, and the boss deck."""
        for level in range(1, NUM_LEVELS + 1):
            places = [dungeon for dungeon in range(BOSS_DECK) if self.is_shown(dungeon, level)]
            cells = [self.dungeon(dungeon) for dungeon in places]
            if any(len(cell) >= HALF for cell in cells):
                for index, cell in enumerate(cells):
                    yield from _row(f"level {level}" if index == 0 else "", cell)
            elif cells:
                yield from _row(f"level {level}", "".join(f"{cell:<{HALF}}" for cell in cells))
        yield from _row("boss deck", self.boss_deck())

    def is_shown(self, dungeon: int, level: int) -> bool:
        """Whether a dungeon of the level lies in this place, or did."""
        return int(self.state.dungeon_level[dungeon]) == level

    def dungeon(self, dungeon: int) -> str:
        """One dungeon with its cards from the top and its reward (R8, R10)."""
        mark = ">" if self.state.dungeon == dungeon else " "
        reward = int(self.state.reward[dungeon])
        beside = "" if reward == NO_REWARD else f" [{self.reward_name(reward)}]"
        return f"{mark}{dungeon + 1:>2} {self.pile_of_enemies(dungeon)}{beside}"

    def boss_deck(self) -> str:
        """The boss deck with its cards from the top (R11)."""
        mark = ">" if self.state.dungeon == BOSS_DECK else " "
        boss = int(self.state.boss)
        name = "level 5" if boss == NO_BOSS else self.cards.bosses[boss]
        return f"{mark} {name}: {self.pile_of_enemies(BOSS_DECK)}"

    def pile_of_enemies(self, dungeon: int) -> str:
        """The cards of a dungeon from the top; those nobody has seen are face down."""
        names = [
            self.enemy(int(self.state.dungeon_cards[dungeon, slot]))
            if self.state.is_known[dungeon, slot]
            else FACE_DOWN
            for slot in range(int(self.state.dungeon_size[dungeon]) - 1, -1, -1)
        ]
        runs = groupby(names, lambda name: name == FACE_DOWN)
        return " ".join("".join(run) if hidden else ", ".join(run) for hidden, run in runs) or "-"

    def enemy(self, card: int) -> str:
        """An enemy with its printed power (R2, R52)."""
        powers = self.cards.card(card).enemy_power
        return f"{self.cards.enemy_name(card)} {powers[max(2, int(self.state.players)) - 2]}"

    def reward_name(self, reward: int) -> str:
        """A reward's name."""
        found = self.cards.rewards[reward]
        return found.name if found is not None else f"reward {reward}"

    def reserve(self) -> Iterator[str]:
        """How many cards the reserve has of each level, and those that all saw go there (R47)."""
        state = self.state
        sizes = " ".join(str(int(size)) for size in state.reserve_size)
        held = (card for level in range(NUM_LEVELS) for card in self.reserve_of(level))
        returned = [self.cards.card_name(card) for card in held if state.is_returned[card]]
        seen = f", among them {', '.join(sorted(returned))}" if returned else ""
        yield from _row("reserve", f"{sizes} cards of levels 1 to {NUM_LEVELS}{seen}")

    def reserve_of(self, level: int) -> list[int]:
        """The reserve cards of a level, counted from 0."""
        return [int(card) for card in self.state.reserve[level, : self.state.reserve_size[level]]]

    def combat(self) -> Iterator[str]:
        """The enemy being fought, its rule, and how the powers stand (R27, R32)."""
        if not is_fighting(self.game):
            return
        state = self.state
        card = int(state.dungeon_cards[state.dungeon, state.dungeon_size[state.dungeon] - 1])
        party = int(state.party_power) + sum(
            int(state.power[seat]) for seat in range(state.players)
        )
        title = f"{self.cards.enemy_name(card)}, power {current_enemy_power(self.game)}"
        rule = self.cards.enemy_text(card)
        turn = f"turn {int(state.turn) + 1} of {int(state.num_turns)}"
        yield from _row("enemy", f"{title}; the party has {party}; {turn}")
        if rule:
            yield from _row("", rule)

    def players(self) -> Iterator[str]:
        """Every player with all piles (R15)."""
        for seat in range(self.state.players):
            yield from self.player(seat)

    def player(self, seat: int) -> Iterator[str]:
        """One player: name, power of this combat, and what each pile holds."""
        state = self.state
        token = ", starting player" if seat == state.starter else ""
        power = f", power {int(state.power[seat])}" if is_fighting(self.game) else ""
        yield f"{self.game.player_name(seat)} (seat {seat}{token}{power})"
        yield from self.hand_and_deck(seat)
        if played := self.pile(seat, Pile.PLAYED):
            powers = state.played_power[seat]
            listed = (
                f"{self.cards.card_name(card)} ({int(power)})"
                for card, power in zip(played, powers, strict=False)
            )
            yield from _row(f"{MARGIN}played", ", ".join(listed))
        if discard := self.pile(seat, Pile.DISCARD):
            yield from _row(f"{MARGIN}discard", self.counted(discard))

    def hand_and_deck(self, seat: int) -> Iterator[str]:
        """Hand and deck; a hidden hand is part of the deck to all who do not see it (R16, R58)."""
        hand, deck = self.pile(seat, Pile.HAND), self.pile(seat, Pile.DECK)
        shown = hand if self.sees_hand(seat) else hand[: int(self.state.num_shown[seat])]
        hidden = hand[len(shown) :]
        if hand:
            unseen = [f"{len(hidden)} face down"] if hidden else []
            names = [self.counted(shown, sized=False)] if shown else []
            yield from _row(f"{MARGIN}hand", ", ".join(names + unseen))
        label = "unseen" if hidden else "deck"
        split = f"{len(deck)} in the deck, {len(hidden)} in hand, " if hidden else ""
        yield from _row(f"{MARGIN}{label}", split + self.counted(deck + hidden))

    def sees_hand(self, seat: int) -> bool:
        """Whether a hand lies open to the one who looks (R58)."""
        return self.seat is None or self.seat == seat or bool(self.state.has_open_hands)

    def pile(self, seat: int, pile: Pile) -> list[int]:
        """The cards of a pile."""
        size = self.state.pile_size[seat, pile]
        return [int(card) for card in self.state.piles[seat, pile, :size]]

    def counted(self, cards: Iterable[int], sized: bool = True) -> str:
        """Cards in the order of their ids, so that the order of a deck stays hidden."""
        counts = Counter(cards)
        listed = [
            self.cards.card_name(card) + (f" x{count}" if count > 1 else "")
            for card, count in sorted(counts.items())
        ]
        size = f"{counts.total()}: " if sized else ""
        return size + ", ".join(listed) if listed else "empty"

    def question(self) -> Iterator[str]:
        """Who is asked what, about which card, and what may be answered."""
        if self.game.is_over:
            yield (
                "The party has won." if self.game.outcome == Outcome.WON else "The party has lost."
            )
            return
        decision = self.game.decision
        together = " for the party" if decision.is_joint else ""
        asked = f"{self.game.player_name(decision.seat)} decides{together}: {decision.question}"
        yield from textwrap.wrap(asked, WIDTH)
        yield from self.about()
        for options in textwrap.wrap(", ".join(self.options()), WIDTH - len(MARGIN)):
            yield f"{MARGIN}{options}"

    def about(self) -> Iterator[str]:
        """The text of the card or reward that asks."""
        decision = self.game.decision
        if decision.card != NO_CARD:
            yield from _indented(f"{self.cards.card_name(decision.card)}: {self.asking_text()}")
        elif self.state.phase == Phase.REWARD:
            reward = self.cards.rewards[int(self.state.reward[self.state.dungeon])]
            if reward is not None:
                yield from _indented(f"{reward.name}: {reward.text}")

    def asking_text(self) -> str:
        """The half of the card that asks: the enemy's rule while it is an enemy, else the loot."""
        card = self.game.decision.card
        if is_fighting(self.game) and card == self.top_enemy():
            return f"as {self.cards.enemy_name(card)}: {self.cards.enemy_text(card)}"
        found = self.cards.card(card)
        if found.kind == Kind.BOSS:
            return found.enemy_text
        return f"power {found.power}. {found.text}".strip()

    def top_enemy(self) -> int:
        """The enemy being fought."""
        dungeon = self.state.dungeon
        return int(self.state.dungeon_cards[dungeon, self.state.dungeon_size[dungeon] - 1])

    def options(self) -> list[str]:
        """The names of the options; a hidden hand does not show in them."""
        decision = self.game.decision
        if decision.kind in (Decision.PLAY, Decision.DISCARD) and not self.sees_hand(decision.seat):
            return ["(cards of the hand)"]
        return self.game.options()


def is_fighting(game: Game) -> bool:
    """Whether an enemy is being fought now."""
    state = game.state
    return (
        not game.is_over
        and state.phase in FIGHTING
        and state.dungeon != NO_DUNGEON
        and not state.has_moved
        and state.dungeon_size[state.dungeon] > 0
    )


def current_enemy_power(game: Game) -> int:
    """The current power of the enemy that is fought (R32)."""
    powers = np.zeros(1, np.int64)
    enemy_powers(game.states, game.table, powers)
    return int(powers[0])


def _row(label: str, text: str) -> list[str]:
    """A label and its text, wrapped behind the label."""
    wrapped = textwrap.wrap(text, WIDTH - LABEL, break_long_words=False) or [""]
    lines = [f"{label if index == 0 else '':<{LABEL}}{line}" for index, line in enumerate(wrapped)]
    return [line.rstrip() for line in lines]


def _indented(text: str) -> list[str]:
    """Running text under a question."""
    return textwrap.wrap(text, WIDTH, initial_indent=MARGIN, subsequent_indent=MARGIN)
