"""The entities observation: one token for each card in a place, each player, pile and reward."""

import numpy as np
import pytest
from seeing import MODES, positions, tokens, view

from tenefyr_env.cards.vocabulary import Pile
from tenefyr_env.config import GameConfig
from tenefyr_env.engine.state import NO_REWARD, Decision
from tenefyr_env.game import Game
from tenefyr_env.scenario import scenario
from tenefyr_env.spaces.encoders import make_encoder
from tenefyr_env.spaces.entities import MAX_TOKENS, TOKEN, Place
from tenefyr_env.spaces.flat import FLAT, TABLE_SECTIONS

HEROES = ("barbarian", "bard", "cleric", "thief")
every_mode = pytest.mark.parametrize("config", MODES, ids=lambda c: f"{c.players} {c.mode}")


def fight(**fields: object) -> Game:
    """Seat 1 is asked to keep its first hand against the Tavern Brawler."""
    config = GameConfig(players=4, heroes=HEROES, **fields)  # type: ignore[arg-type]
    game = scenario(
        config,
        decks={1: ["Basic 0", "Sturdy Club", "Basic 1", "Basic 1", "Quick Strike"]},
        discards={2: ["Basic 1", "Basic 1"]},
        dungeons={1: ["Tavern Brawler", "Cave Bat", "Grave Digger", "Wild Boar"]},
        starter=1,
    )
    game.step("dungeon 1")
    assert game.decision.kind == Decision.KEEP
    return game


def named(game: Game, seat: int, place: Place, owner: int) -> dict[str, int]:
    """The cards of a player's place, by name, with their counts."""
    return {
        game.card_set.card_name(token["card"] - 1): token["count"]
        for token in tokens(game, seat, place)
        if token["owner"][owner]
    }


def one(game: Game, seat: int, place: Place, **features: object) -> dict:
    """The one token of a place with these features."""
    found = [t for t in tokens(game, seat, place) if features.items() <= t.items()]
    assert len(found) == 1
    return found[0]


def card_id(game: Game, name: str) -> int:
    return next(c.id for c in game.card_set.cards if c and name in (c.name, c.enemy_name))


def test_the_own_hand_has_a_token_for_each_card() -> None:
    assert named(fight(), 1, Place.HAND, 0) == {"Basic 0": 1, "Basic 1": 1, "Sturdy Club": 1}


def test_copies_of_a_card_in_one_place_are_one_token() -> None:
    assert named(fight(), 0, Place.DISCARD, 2) == {"Basic 1": 2}


def test_R58_the_hidden_hand_of_another_is_part_of_the_deck_contents() -> None:
    game = fight()
    assert named(game, 0, Place.HAND, 1) == {}
    deck = {"Basic 0": 1, "Basic 1": 2, "Sturdy Club": 1, "Quick Strike": 1}
    assert named(game, 0, Place.DECK, 1) == deck
    assert named(fight(hands="open"), 0, Place.HAND, 1) == named(game, 1, Place.HAND, 0)


def test_a_card_token_says_what_is_printed_on_the_card() -> None:
    game = fight()
    card = game.card_set.card(card_id(game, "Sturdy Club"))
    token = one(game, 1, Place.HAND, card=card.id + 1)
    assert token["power"] == card.power
    assert token["level"] == card.level
    assert token["enemy power"] == card.enemy_power[2]
    assert token["kind"] == [0, 0, 1, 0]
    assert token["triggers"][0] == int(bool(card.text))


def test_a_skill_has_its_hero() -> None:
    game = fight()
    skill = next(t for t in tokens(game, 0, Place.DECK) if t["kind"] == [0, 1, 0, 0])
    hero = game.card_set.card(skill["card"] - 1).hero
    assert hero is not None
    assert skill["hero"] == [int(place == hero) for place in range(4)]


def test_played_cards_have_the_power_they_give_now() -> None:
    game = fight()
    game.step("keep")
    game.step("card Sturdy Club")
    token = one(game, 3, Place.PLAYED, card=card_id(game, "Sturdy Club") + 1)
    assert token["owner"] == [0, 0, 1, 0]
    assert token["power now"] == game.state.played_power[1, 0]


def test_each_player_has_a_token_clockwise_from_the_observer() -> None:
    found = tokens(fight(), 3, Place.PLAYER)
    assert [token["hero"].index(1) for token in found] == [3, 0, 1, 2]
    assert [token["starter"] for token in found] == [0, 0, 1, 0]
    assert [token["decider"] for token in found] == [0, 0, 1, 0]
    assert [token["current"] for token in found] == [0, 0, 1, 0]
    assert found[2]["pile sizes"] == [2, 3, 0, 0]


def test_each_dungeon_has_a_token_for_its_pile_and_one_for_its_top_card() -> None:
    game = fight()
    piles, cards = tokens(game, 0, Place.DUNGEON), tokens(game, 0, Place.DUNGEON_CARD)
    assert len(piles) == len(cards) == 11
    assert [token["count"] for token in piles] == [4] * 11
    assert [token["face down"] for token in piles] == [3] * 11
    assert [token["current"] for token in piles] == [1] + [0] * 10
    assert [token["level"] for token in piles] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0]
    assert cards[0]["card"] == card_id(game, "Tavern Brawler") + 1
    assert all(token["depth"] == 0 for token in cards)


def test_R57_cards_that_were_looked_at_have_tokens_with_their_depth() -> None:
    game = scenario(
        GameConfig(players=1, heroes=("thief", "bard")),
        decks={0: ["Echo Stone", "Basic 0", "Basic 1", "Basic 0"]},
        dungeons={1: ["Tavern Brawler", "Kobold", "Grave Digger", "Wild Boar"]},
        starter=0,
    )
    for action in ("dungeon 1", "keep", "card Echo Stone"):
        game.step(action)
    found = [t for t in tokens(game, 0, Place.DUNGEON_CARD) if t["dungeon"][0]]
    names = [game.card_set.enemy_name(token["card"] - 1) for token in found]
    assert names == ["Tavern Brawler", "Kobold", "Grave Digger", "Wild Boar"]
    assert [token["depth"] for token in found] == [0, 1, 2, 3]


def test_each_reward_has_a_token_beside_its_dungeon() -> None:
    game = fight()
    for token in tokens(game, 0, Place.REWARD):
        dungeon = token["dungeon"].index(1)
        reward = game.card_set.rewards[token["reward"] - 1]
        assert reward is not None
        assert token["reward"] - 1 == game.state.reward[dungeon]
        assert (token["level"], token["together"]) == (reward.level, int(reward.is_together))
    assert len(tokens(game, 0, Place.REWARD)) == sum(game.state.reward != NO_REWARD)


def test_the_enemy_has_its_current_power() -> None:
    game = fight()
    (token,) = tokens(game, 0, Place.ENEMY)
    assert token["card"] == card_id(game, "Tavern Brawler") + 1
    assert token["power now"] == view(game, 0)[FLAT["enemy power"]][0]
    assert not tokens(Game.new(GameConfig(), 1), 0, Place.ENEMY)


@every_mode
def test_tokens_come_first_in_their_order_and_the_rest_is_padding(config: GameConfig) -> None:
    for game in positions(config, 4):
        observation = view(game, int(game.state.num_decisions) % config.players, "entities")
        count = int(observation["entity_mask"].sum())
        assert 0 < count <= MAX_TOKENS
        assert observation["entity_mask"][:count].all()
        assert not observation["entities"][count:].any()
        places = observation["entities"][:count, TOKEN["place"]]
        assert (places.sum(axis=1) == 1).all()
        assert (np.diff(places.argmax(axis=1)) >= 0).all()


@every_mode
def test_the_tokens_count_what_the_flat_observation_counts(config: GameConfig) -> None:
    for game in positions(config, 5):
        flat = view(game, 0)
        for pile, place in zip(Pile, list(Place)[:4], strict=True):
            counts = np.zeros((4, FLAT.section("player 0: deck").size), int)
            for token in tokens(game, 0, place):
                counts[token["owner"].index(1), token["card"] - 1] = token["count"]
            for offset in range(4):
                section = f"player {offset}: {pile.name.lower()}"
                assert (counts[offset] == flat[FLAT[section]]).all(), section


def test_the_table_is_that_of_the_flat_observation() -> None:
    game = fight()
    for seat in range(4):
        table = view(game, seat, "entities")["table"]
        assert (table == view(game, seat)[: TABLE_SECTIONS.size]).all()


def test_what_was_in_the_arrays_before_does_not_show() -> None:
    encoder, game = make_encoder("entities"), fight()
    clean, used = encoder.empty(1), encoder.empty(1)
    for array in used.values():
        array[:] = 7
    for out in (clean, used):
        encoder.encode(game.states, game.table, np.array([0]), out)
    assert all((clean[name] == used[name]).all() for name in clean)
