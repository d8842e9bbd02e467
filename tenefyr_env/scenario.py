"""A game in a chosen position: for tests, puzzles and experiments.

    game = scenario(
        GameConfig(players=3),
        decks={0: ["Basic 1", "Quick Strike"]},  # from the top; the others keep theirs
        dungeons={1: ["Kobold", "Giant Rats"]},  # "dungeon 1", from the top, which lies face up
        starter=0,
    )
    game.step("dungeon 1")

Every card stays in exactly one place: what a pile is given is taken from where it lay, and what a
pile had before goes to the reserve or out of play.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tenefyr_env.cards.card_set import Card, CardSet
from tenefyr_env.cards.table import DUNGEON_CARDS_PER_LEVEL, DUNGEON_SIZE, NUM_LEVELS
from tenefyr_env.cards.vocabulary import Kind, Pile
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.batch import ask_games_again
from tenefyr_env.engine.state import BOSS_DECK, DUNGEON_CAPACITY, NO_REWARD, PILE_CAPACITY
from tenefyr_env.game import Game

Names = Sequence[str]


class ScenarioError(ValueError):
    """A position that cannot be laid out with the cards there are."""


def scenario(
    config: GameConfig | None = None,
    *,
    seed: int = 0,
    card_set: CardSet | None = None,
    decks: Mapping[int, Names] | None = None,
    discards: Mapping[int, Names] | None = None,
    dungeons: Mapping[int, Names] | None = None,
    boss_deck: Names | None = None,
    reserve: Mapping[int, Names] | None = None,
    rewards: Mapping[int, str | None] | None = None,
    starter: int | None = None,
    steps_left: int | None = None,
) -> Game:
    """A game that waits for the choice of a dungeon, with the given piles, each from the top."""
    game = Game.new(config, seed, card_set)
    layout = _Layout(game)
    for seat, names in (decks or {}).items():
        layout.want(("pile", _seat(game, seat), Pile.DECK), names)
    for seat, names in (discards or {}).items():
        layout.want(("pile", _seat(game, seat), Pile.DISCARD), names)
    for number, names in (dungeons or {}).items():
        layout.want(("dungeon", _dungeon(number), 0), names)
    if boss_deck is not None:
        layout.want(("dungeon", BOSS_DECK, 0), boss_deck)
    for level, names in (reserve or {}).items():
        layout.want(("reserve", _within("reserve level", level, 1, NUM_LEVELS) - 1, 0), names)
    layout.lay_out()
    _set_rewards(game, rewards or {})
    _set_tokens(game, starter, steps_left)
    ask_games_again(game.states, game.table)
    game.check()
    return game


def _within(what: str, value: int, low: int, high: int) -> int:
    """The value, if it is one of those accepted."""
    if not isinstance(value, int) or not low <= value <= high:
        raise ScenarioError(f"{what} {value!r}: accepted are {low} to {high}")
    return value


def _seat(game: Game, seat: int) -> int:
    return _within("seat", seat, 0, game.config.players - 1)


def _dungeon(number: int) -> int:
    """Dungeons are numbered as in the names of actions."""
    return _within("dungeon", number, 1, BOSS_DECK) - 1


def _set_tokens(game: Game, starter: int | None, steps_left: int | None) -> None:
    """Put the starting player token and the boss token where they are wanted."""
    if starter is not None:
        game.state.starter = _within("starter", starter, 0, game.config.players - 1)
    if steps_left is not None:
        game.state.steps_left = _within("steps_left", steps_left, 1, game.config.steps)
        game.state.gifts_left = steps_left


def _set_rewards(game: Game, rewards: Mapping[int, str | None]) -> None:
    """Lay rewards beside dungeons, by name."""
    ids = {reward.name: reward.id for reward in game.card_set.rewards if reward is not None}
    for number, name in rewards.items():
        if name is not None and name not in ids:
            raise ScenarioError(f"reward {name!r}: accepted are {', '.join(ids)}")
        _lay_reward(game.state.reward, _dungeon(number), NO_REWARD if name is None else ids[name])


def _lay_reward(rewards: npt.NDArray[np.int8], dungeon: int, reward: int) -> None:
    """Lay a reward beside a dungeon; a dungeon that had it gets the other one in exchange."""
    for other in range(len(rewards)):
        if reward != NO_REWARD and rewards[other] == reward:
            rewards[other] = rewards[dungeon]
    rewards[dungeon] = reward


class _Layout:
    """Moves cards into the wanted places and finds room for those they push out."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state = game.state
        self.wanted: dict[tuple[str, int, int], list[int]] = {}
        self.loose: list[int] = []  # taken up from a wanted place and not yet laid down

    def want(self, place: tuple[str, int, int], names: Names) -> None:
        """A place shall hold these cards, given from the top."""
        find = self._enemy if place[0] == "dungeon" else self._held
        self.wanted[place] = [find(name) for name in reversed(names)]
        if len(names) > self._capacity(place[0]):
            raise ScenarioError(
                f"{place[0]}: {len(names)} cards, room for {self._capacity(place[0])}"
            )

    def lay_out(self) -> None:
        """Fill the wanted places, then put the loose cards away."""
        for place in self.wanted:
            self.loose += self._contents(place)
            self._fill(place, [])
        for place, cards in self.wanted.items():
            for card in cards:
                self._pick_up(card)
            self._fill(place, cards)
        for card in self.loose:
            self._put_away(card)
        self._refill_dungeons()

    def _held(self, name: str) -> int:
        """A card by its name in a deck."""
        return self._find(name, {c.name: c.id for c in self._cards() if c.name})

    def _enemy(self, name: str) -> int:
        """A card by its enemy's name."""
        return self._find(name, {c.enemy_name: c.id for c in self._cards() if c.enemy_name})

    def _cards(self) -> Iterable[Card]:
        return (card for card in self.game.card_set.cards if card is not None)

    def _find(self, name: str, ids: Mapping[str, int]) -> int:
        if name not in ids:
            raise ScenarioError(f"card {name!r}: not in the set; accepted are {', '.join(ids)}")
        return ids[name]

    @staticmethod
    def _capacity(kind: str) -> int:
        return {
            "pile": PILE_CAPACITY,
            "dungeon": DUNGEON_CAPACITY,
            "reserve": DUNGEON_CARDS_PER_LEVEL,
        }[kind]

    def _places(self) -> list[tuple[str, int, int]]:
        """Every place a card may lie in, the reserve before the table, the players' piles last."""
        places = [("reserve", level, 0) for level in range(NUM_LEVELS)]
        places += [("dungeon", dungeon, 0) for dungeon in range(BOSS_DECK + 1)]
        seats = range(self.game.config.players)
        return places + [("pile", seat, pile) for seat in seats for pile in Pile]

    def _contents(self, place: tuple[str, int, int]) -> list[int]:
        """The cards of a place, from the bottom."""
        kind, first, second = place
        if kind == "pile":
            size = self.state.pile_size[first, second]
            return [int(card) for card in self.state.piles[first, second, :size]]
        if kind == "dungeon":
            return [
                int(c) for c in self.state.dungeon_cards[first, : self.state.dungeon_size[first]]
            ]
        return [int(c) for c in self.state.reserve[first, : self.state.reserve_size[first]]]

    def _fill(self, place: tuple[str, int, int], cards: list[int]) -> None:
        """Put exactly these cards into a place."""
        kind, first, second = place
        if kind == "pile":
            row, sizes, index = self.state.piles[first, second], self.state.pile_size[first], second
        elif kind == "dungeon":
            row, sizes, index = self.state.dungeon_cards[first], self.state.dungeon_size, first
            self.state.is_known[first] = 0
            self.state.is_known[first, max(0, len(cards) - 1)] = 1 if cards else 0
        else:
            row, sizes, index = self.state.reserve[first], self.state.reserve_size, first
        row[:] = 0
        row[: len(cards)] = cards
        sizes[index] = len(cards)

    def _pick_up(self, card: int) -> None:
        """Take one copy of a card from where it may be spared."""
        if card in self.loose:
            self.loose.remove(card)
        elif self.state.out_of_play[card] > 0:
            self.state.out_of_play[card] -= 1
        else:
            self._pick_up_from_table(card)

    def _pick_up_from_table(self, card: int) -> None:
        for place in self._places():
            cards = self._contents(place)
            if place not in self.wanted and card in cards:
                cards.remove(card)
                self._fill(place, cards)
                return
        name = self.game.card_set.card_name(card)
        raise ScenarioError(f"card {name!r}: no copy is left for the wanted places")

    def _put_away(self, card: int) -> None:
        """A Dungeon card goes to the reserve unless that is laid out by hand; others to the box."""
        found = self.game.card_set.card(card)
        place = ("reserve", found.level - 1, 0)
        if found.kind == Kind.DUNGEON and place not in self.wanted:
            self._fill(place, [*self._contents(place), card])
        else:
            self.state.out_of_play[card] += 1

    def _refill_dungeons(self) -> None:
        """A dungeon that lost a card to a wanted place gets one from the reserve, at the bottom."""
        for dungeon in range(BOSS_DECK + 1):
            place = ("dungeon", dungeon, 0)
            level = int(self.state.dungeon_level[dungeon])
            source = ("reserve", level - 1, 0)
            if place in self.wanted or level == 0 or source in self.wanted:
                continue
            while len(self._contents(place)) < DUNGEON_SIZE and self._contents(source):
                reserve = self._contents(source)
                self._fill(place, [reserve.pop(), *self._contents(place)])
                self._fill(source, reserve)
