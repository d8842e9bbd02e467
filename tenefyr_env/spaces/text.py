"""The text observation: what a person at the table would read, and a parser for the answers.

    env = tenefyr_env.env(players=2, encoder="text")
    ...
    action = parse_answer(ask_somebody(observation["observation"]), observation["observation"])

Only the seat that decides is shown the options: those of others may tell what is in a hidden hand.
"""

import hashlib
import re
import string
import textwrap
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from tenefyr_env.cards.card_set import CardSet, Reward
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.cards.vocabulary import Pile
from tenefyr_env.config import DIFFICULTIES, GameConfig
from tenefyr_env.engine.actions import FIRST_OPTION, FIRST_PLAYER
from tenefyr_env.engine.state import MAX_SEATS, Decision, Outcome
from tenefyr_env.engine.words import action_name, parse_action
from tenefyr_env.game import Game
from tenefyr_env.render.text import is_fighting, table_text

Array = npt.NDArray[Any]

FORMAT = 1  # of the text; another one is another layout
MAX_LENGTH = 65_536  # far above the longest text of a game: under 10,000 characters
WIDTH = 100
OPTIONS_HEAD = "Options:"
NUMBER_ONLY = re.compile(r"\(?(\d+)[.):]?")
NUMBERED = re.compile(r"(\d+)[.):]\s+(\S.*)")


class AnswerError(ValueError):
    """An answer that names no option of the pending decision."""


class TextEncoder:
    """One text for each game; names and texts are those of one card set."""

    name = "text"

    def __init__(self, card_set: CardSet | None = None) -> None:
        self.card_set = card_set or load_card_set()
        self.space = gymnasium.spaces.Text(
            MAX_LENGTH, min_length=0, charset=frozenset(characters(self.card_set))
        )
        digest = hashlib.sha256(f"text {FORMAT} {self.card_set.hash}".encode())
        self.layout_hash = digest.hexdigest()

    def empty(self, count: int) -> Array:
        """Room for the texts of `count` games."""
        return np.full(count, "", object)

    def encode(self, states: Array, tables: Array, seats: Array, out: Array) -> None:
        """Write what each seat reads."""
        self._check_cards(tables)
        for row in range(len(seats)):
            game = game_of(states[row : row + 1], self.card_set)
            out[row] = observation_text(game, int(seats[row]))

    def _check_cards(self, tables: Array) -> None:
        """The names must belong to the cards of the game."""
        own = self.card_set.table
        if tables is not own and tables.tobytes() != own.tobytes():
            raise ValueError(
                f"text encoder: the game is not played with the card set {self.card_set.name!r};"
                " give the encoder its own: encoder=TextEncoder(card_set)"
            )

    def row(self, out: Array, index: int) -> str:
        """The text of one game."""
        return str(out[index])

    def describe(self) -> str:
        """The parts of the text."""
        return (
            "the table as the seat sees it, then the texts of the cards in hand and of the enemy,\n"
            "then what happened since the last decision, then the question, and for the seat that\n"
            f"decides {OPTIONS_HEAD!r} with one numbered option a line"
        )


def characters(card_set: CardSet) -> set[str]:
    """Every character a text may have."""
    found = set(string.ascii_letters + string.digits + string.punctuation + " \n")
    for card in card_set.cards:
        if card is not None:
            found.update(card.name, card.text, card.enemy_name, card.enemy_text, card.boss)
    for reward in card_set.rewards:
        if reward is not None:
            found.update(reward.name, reward.text)
    return found


def game_of(states: Array, card_set: CardSet) -> Game:
    """The game of a record, with as much of its configuration as the record tells."""
    state = states[0]
    config = GameConfig(
        players=int(state.players),
        difficulty=DIFFICULTIES[int(state.difficulty)],  # type: ignore[arg-type]
        mode="quick" if state.is_quick else "regular",
        joint_choice="vote" if state.is_vote else "leader",
        hands="open" if state.has_open_hands else "private",
        take_single_options=bool(state.takes_single_options),
    )
    return Game(config, card_set, states)


def observation_text(game: Game, seat: int) -> str:
    """What a seat reads: table, card texts, events, question and numbered options."""
    blocks = [
        [f"You are {game.player_name(seat)} (seat {seat})."],
        table_text(game, seat).splitlines(),
        [line for text in card_texts(game, seat) for line in textwrap.wrap(text, WIDTH)],
        ["What just happened:", *game.events(seat)] if game.state.num_events else [],
        list(question_lines(game, seat)),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def card_texts(game: Game, seat: int) -> Iterator[str]:
    """The cards in the own hand and the enemy being fought with its loot, as they read."""
    state = game.state
    hand = state.piles[seat, Pile.HAND, : state.pile_size[seat, Pile.HAND]]
    for card in sorted({int(card) for card in hand}):
        found = game.card_set.card(card)
        yield f"In your hand, {found.name}: power {found.power}. {found.text}".strip()
    if is_fighting(game):
        top = state.dungeon_size[state.dungeon] - 1
        enemy = game.card_set.card(int(state.dungeon_cards[state.dungeon, top]))
        yield f"Enemy, {enemy.enemy_name}: {enemy.enemy_text or 'No rule.'}"
        if enemy.name:
            yield f"Its loot, {enemy.name}: power {enemy.power}. {enemy.text}".strip()


def question_lines(game: Game, seat: int) -> Iterator[str]:
    """Who is asked what, and to the one who is asked, the numbered options."""
    if game.is_over:
        yield "The party has won." if game.outcome == Outcome.WON else "The party has lost."
        return
    decision = game.decision
    together = " for the party" if decision.is_joint else ""
    who = "You decide" if decision.seat == seat else f"{game.player_name(decision.seat)} decides"
    yield f"{who}{together}: {decision.question}"
    yield from (line for text in about(game) for line in textwrap.wrap(text, WIDTH))
    if decision.seat == seat:
        yield OPTIONS_HEAD
        for number, action in enumerate(options_of(game), 1):
            yield f"{number}. {option_text(game, action)}"


def about(game: Game) -> Iterator[str]:
    """The card or reward that asks."""
    decision = game.decision
    if decision.card >= 0:
        card = game.card_set.card(decision.card)
        halves = (f"{card.name}: {card.text}", f"{card.enemy_name}: {card.enemy_text}")
        yield "About " + " / ".join(half for half in halves if not half.startswith(":"))
    elif decision.kind == Decision.REWARD:
        reward = reward_of(game)
        yield f"About {reward.name}: {reward.text}"


def reward_of(game: Game) -> Reward:
    """The reward being taken."""
    reward = game.card_set.rewards[int(game.state.reward[game.state.dungeon])]
    assert reward is not None, "a reward on the table is in the set"
    return reward


def options_of(game: Game) -> list[int]:
    """The legal actions as they are numbered: in ascending order, which tells of no pile's."""
    return sorted(game.decision.options)


def option_text(game: Game, action: int) -> str:
    """An option's name, and after a colon what a number in it stands for."""
    name = game.action_name(action)
    if FIRST_PLAYER <= action < FIRST_PLAYER + MAX_SEATS:
        seat = (game.decision.seat + action - FIRST_PLAYER) % game.config.players
        return f"{name}: {game.player_name(seat)}"
    if game.decision.kind == Decision.REWARD:
        return f"{name}: {reward_of(game).options[action - FIRST_OPTION]}"
    return name


def options_in(observation: str) -> list[str]:
    """The names of the options that an observation lists."""
    _, head, listed = observation.rpartition(f"\n{OPTIONS_HEAD}\n")
    if not head:
        return []
    return [_option_name(line.partition(". ")[2]) for line in listed.splitlines()]


def _option_name(text: str) -> str:
    """An option without what is said about it; a card's own name may have a colon."""
    return text if text.startswith("card ") else text.partition(": ")[0]


def parse_answer(answer: str, asked: Game | str, card_set: CardSet | None = None) -> int:
    """The action an answer chooses: by its number in the list, by its name, or by both.

    `asked` is the game, or the observation that was read; with an observation of another card set
    than the shipped one, give the set.
    """
    if isinstance(asked, Game):
        cards, actions = asked.card_set, options_of(asked)
    else:
        cards = card_set or load_card_set()
        actions = [parse_action(name, cards) for name in options_in(asked)]
    if not actions:
        raise AnswerError(f"answer {answer!r}: nothing is asked of this seat now")
    return _chosen(answer, actions, cards)


def _chosen(answer: str, actions: list[int], cards: CardSet) -> int:
    """One of the actions, as the answer names it."""
    words = " ".join(answer.split())
    if match := NUMBER_ONLY.fullmatch(words):
        return _numbered(answer, int(match[1]), actions, cards)
    if match := NUMBERED.fullmatch(words):
        action = _numbered(answer, int(match[1]), actions, cards)
        named = _named(answer, _option_name(match[2]), actions, cards)
        if named != action:
            other = action_name(action, cards)
            raise AnswerError(f"answer {answer!r}: number {match[1]} is {other!r}")
        return action
    return _named(answer, _option_name(words), actions, cards)


def _numbered(answer: str, number: int, actions: list[int], cards: CardSet) -> int:
    """The action with this number in the list."""
    if not 1 <= number <= len(actions):
        raise AnswerError(f"answer {answer!r}: accepted are {_listed(actions, cards)}")
    return actions[number - 1]


def _named(answer: str, name: str, actions: list[int], cards: CardSet) -> int:
    """The action with this name, if it is an option."""
    try:
        action = parse_action(name, cards)
    except ValueError as error:
        raise AnswerError(
            f"answer {answer!r}: {error}; accepted are {_listed(actions, cards)}"
        ) from error
    if action not in actions:
        raise AnswerError(
            f"answer {answer!r}: not an option now; accepted are {_listed(actions, cards)}"
        )
    return action


def _listed(actions: list[int], cards: CardSet) -> str:
    """The options with their numbers, for an error."""
    return ", ".join(
        f"{number} ({action_name(action, cards)})" for number, action in enumerate(actions, 1)
    )
