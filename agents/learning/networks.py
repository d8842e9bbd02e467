"""The networks of one hero: from what it sees to the scores of its actions and what it expects.

`FlatNetwork` reads the flat observation by its sections: the piles of all players share one set of
card weights, the dungeons another, so that what is learned of a card or a dungeon in one place
holds in all. `EntityNetwork` reads the tokens of the entities observation with attention.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from agents.scripted.advised import ADVISED
from tenefyr_env.engine.actions import NUM_ACTIONS
from tenefyr_env.engine.state import MAX_SEATS, NUM_DUNGEONS, NUM_PILES
from tenefyr_env.spaces.actions import ACTIONS
from tenefyr_env.spaces.entities import TABLE_SIZE, TOKEN
from tenefyr_env.spaces.flat import (
    DECK,
    DUNGEON_SIZE,
    DUNGEONS_AT,
    FLAT,
    HIGH,
    NUM_OWNABLE,
    PLAYER_SIZE,
    PLAYERS_AT,
    TABLE_SECTIONS,
)
from tenefyr_env.spaces.odds import FLAT_ODDS
from tenefyr_env.spaces.sections import Layout, Section

DUNGEON_ACTIONS = ACTIONS["dungeon"]
CARD_SECTIONS = ("about", "enemy", "returned", "out of play")  # of the table: a card each entry
LAYOUTS = {"flat": FLAT, "flat_odds": FLAT_ODDS, "advised": ADVISED}
ENCODERS = (*LAYOUTS, "entities")  # whose observations there is a network for
ADVICE_SCALE = 0.03
USUAL_HIGH = 10.0  # entries that may be large are mostly this small
POINTER_SIZE = 32  # of the comparison of a dungeon with the rest of the table
FEW_HEADS = 4
# What can be set of a network, by the kind of observation it reads.
NETWORK_SIZES = {
    "flat": ("card_size", "dungeon_size", "width", "head"),
    "entities": ("token_size", "layers", "width", "head"),
}


def scales(layout: Layout) -> Tensor:
    """What each entry is multiplied with, so that most lie between -1 and 1."""
    return torch.cat([torch.full((s.size,), _scale(s)) for s in layout])


def _scale(section: Section) -> float:
    high = section.high
    if section.name.startswith("advice"):
        return ADVICE_SCALE
    if high == HIGH:
        return 1 / USUAL_HIGH
    return 1.0 / high


class FlatBody(nn.Module):
    """The flat observation as features: the piles, the dungeons, the table."""

    def __init__(self, card_size: int, dungeon_size: int, layout: Layout) -> None:
        super().__init__()
        advice = layout["advice on dungeons"] if "advice on dungeons" in layout.first else slice(0)
        each = (advice.stop - (advice.start or 0)) // NUM_DUNGEONS
        self.advice, self.more = advice, slice(max(FLAT.size, advice.stop), layout.size)
        cards = [torch.arange(FLAT.size)[TABLE_SECTIONS[name]] for name in CARD_SECTIONS]
        table = torch.ones(PLAYERS_AT, dtype=torch.bool)
        table[torch.cat(cards)] = False
        factors = scales(layout)
        self.register_buffer("card_entries", torch.cat(cards), persistent=False)
        self.register_buffer("table_entries", torch.nonzero(table).flatten(), persistent=False)
        self.register_buffer("table_scale", factors[:PLAYERS_AT][table], persistent=False)
        self.register_buffer(
            "player_scale", factors[PLAYERS_AT : PLAYERS_AT + DECK], persistent=False
        )
        self.register_buffer(
            "dungeon_scale", factors[DUNGEONS_AT : DUNGEONS_AT + DUNGEON_SIZE], persistent=False
        )
        self.register_buffer("more_scale", factors[self.more], persistent=False)
        self.piles = nn.Linear(NUM_OWNABLE, card_size, bias=False)
        self.table_cards = nn.Linear(len(self.card_entries), 2 * card_size)
        self.dungeons = nn.Sequential(
            nn.Linear(DUNGEON_SIZE + each, 2 * dungeon_size),
            nn.ReLU(),
            nn.Linear(2 * dungeon_size, dungeon_size),
            nn.ReLU(),
        )
        self.features_size = (
            len(self.table_entries)
            + 2 * card_size
            + MAX_SEATS * (DECK + NUM_PILES * card_size)
            + NUM_DUNGEONS * dungeon_size
            + len(self.more_scale)
        )

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """The features, and those of each dungeon by itself."""
        rows = len(seen)
        players = seen[:, PLAYERS_AT:DUNGEONS_AT].view(rows, MAX_SEATS, PLAYER_SIZE)
        piles = players[:, :, DECK:].reshape(-1, NUM_OWNABLE).to(self.player_scale.dtype)
        persons = players[:, :, :DECK] * self.player_scale
        table = seen.index_select(1, self.table_entries) * self.table_scale
        cards = seen.index_select(1, self.card_entries).to(self.player_scale.dtype)
        laid_out = seen[:, DUNGEONS_AT : FLAT.size].view(rows, NUM_DUNGEONS, DUNGEON_SIZE)
        laid_out = laid_out * self.dungeon_scale
        if self.advice.stop:
            advice = seen[:, self.advice].view(rows, NUM_DUNGEONS, -1) * ADVICE_SCALE
            laid_out = torch.cat([laid_out, advice], 2)
        dungeons = self.dungeons(laid_out)
        parts = [
            table,
            self.table_cards(cards),
            persons.flatten(1),
            self.piles(piles).view(rows, -1),
            dungeons.flatten(1),
        ]
        if len(self.more_scale):
            parts.append(seen[:, self.more] * self.more_scale)
        return torch.cat(parts, 1), dungeons


class FlatNetwork(nn.Module):
    """A hero's actor and critic on the flat observation, with or without odds."""

    def __init__(
        self,
        encoder: str = "flat",
        heroes: int = 0,
        card_size: int = 16,
        dungeon_size: int = 16,
        width: int = 256,
        head: int = 128,
    ) -> None:
        super().__init__()
        self.body = FlatBody(card_size, dungeon_size, LAYOUTS[encoder])
        self.trunk = nn.Linear(self.body.features_size, width)
        self.hero = nn.Embedding(heroes, width) if heroes else None  # a network shared by heroes
        self.heads = Heads(width, head)
        self.pointer = nn.Linear(head, POINTER_SIZE)
        self.pointed = nn.Linear(dungeon_size, POINTER_SIZE, bias=False)
        self.point = nn.Linear(POINTER_SIZE, 1, bias=False)

    def forward(self, seen: Tensor, hero: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The score of every action, and the expected return."""
        features, dungeons = self.body(seen)
        trunk = self.trunk(features)
        if self.hero is not None:
            trunk = trunk + self.hero(hero)
        logits, values, thought = self.heads(torch.relu(trunk))
        compared = torch.relu(self.pointed(dungeons) + self.pointer(thought).unsqueeze(1))
        pointed = nn.functional.pad(
            self.point(compared).squeeze(2),
            (DUNGEON_ACTIONS.start, NUM_ACTIONS - DUNGEON_ACTIONS.stop),
        )
        return logits + pointed, values


class Heads(nn.Module):
    """The actor and the critic on a hero's features."""

    def __init__(self, width: int, head: int) -> None:
        super().__init__()
        self.actor = nn.Linear(width, head)
        self.critic = nn.Linear(width, head)
        self.action = nn.Linear(head, NUM_ACTIONS)
        self.value = nn.Linear(head, 1)
        nn.init.orthogonal_(self.action.weight, 0.01)
        nn.init.orthogonal_(self.value.weight, 0.1)
        nn.init.zeros_(self.action.bias)
        nn.init.zeros_(self.value.bias)

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Scores of the actions, expected return, and what the actor thought of."""
        thought = torch.relu(self.actor(features))
        values = self.value(torch.relu(self.critic(features))).squeeze(1)
        return self.action(thought), values, thought


class EntityNetwork(nn.Module):
    """A hero's actor and critic on the tokens of the table, by attention."""

    def __init__(
        self, heroes: int = 0, token_size: int = 32, layers: int = 1, width: int = 256,
        head: int = 128,
    ) -> None:  # fmt: skip
        super().__init__()
        self.register_buffer("token_scale", scales(TOKEN), persistent=False)
        self.register_buffer("table_scale", scales(TABLE_SECTIONS), persistent=False)
        self.tokens = nn.Linear(TOKEN.size, token_size)
        layer = nn.TransformerEncoderLayer(
            token_size, FEW_HEADS, 2 * token_size, dropout=0.0, batch_first=True
        )
        self.attention = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.trunk = nn.Linear(TABLE_SIZE + 2 * token_size, width)
        self.hero = nn.Embedding(heroes, width) if heroes else None
        self.heads = Heads(width, head)

    def forward(self, seen: dict[str, Tensor], hero: Tensor | None = None) -> Any:
        """The score of every action, and the expected return."""
        mask = seen["entity_mask"] != 0
        longest = int(mask.sum(1).max())  # the rest is padding in all rows
        mask = mask[:, :longest]
        tokens = self.tokens(seen["entities"][:, :longest] * self.token_scale)
        tokens = self.attention(tokens, src_key_padding_mask=~mask)
        there = mask.unsqueeze(2)
        mean = (tokens * there).sum(1) / there.sum(1)
        most = tokens.masked_fill(~there, -torch.inf).amax(1)
        trunk = self.trunk(torch.cat([seen["table"] * self.table_scale, mean, most], 1))
        if self.hero is not None:
            trunk = trunk + self.hero(hero)
        logits, values, _ = self.heads(torch.relu(trunk))
        return logits, values
