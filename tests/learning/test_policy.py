"""The party's policy: learning, masks, and each hero by itself."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from toys import CHOICES, NUM_HEROES, Toy, seen_by_heroes

from agents.learning.buffer import PartyBuffer
from agents.learning.policy import Party, PartyPolicy, acting_heroes, drawn, masked
from tenefyr_env import Batch, GameConfig
from tenefyr_env.cards.vocabulary import Hero
from tenefyr_env.engine.actions import NUM_ACTIONS

SIZES = {"width": 32, "head": 32, "card_size": 4, "dungeon_size": 4}
ENCODERS = ("flat", "flat_odds", "advised", "entities")


def party_of(encoder: str = "flat", shared: bool = False) -> Party:
    sizes = {"width": 16, "head": 16} if encoder == "entities" else SIZES
    torch.manual_seed(0)
    return Party(encoder, shared, sizes)


def tensors_of(batch: Batch) -> object:
    seen = batch.observations
    if isinstance(seen, dict):
        return {name: torch.from_numpy(part) for name, part in seen.items()}
    return torch.from_numpy(seen)


@pytest.mark.parametrize("shared", [False, True])
def test_a_toy_is_learned_to_the_optimum(shared: bool) -> None:
    env = Toy(256)
    model = MaskablePPO(
        PartyPolicy, env, n_steps=4, batch_size=256, n_epochs=4, gamma=0.0, ent_coef=0.05,
        learning_rate=3e-3, seed=1, device="cpu", rollout_buffer_class=PartyBuffer,
        policy_kwargs={"shared": shared, "sizes": SIZES},
    )  # fmt: skip
    model.learn(80 * 1024)
    seen = env.reset()
    actions, _ = model.predict(seen, deterministic=True, action_masks=env.masks)
    assert (actions == env.right()).all()


def test_illegal_actions_have_the_probability_zero() -> None:
    seen = torch.from_numpy(seen_by_heroes(np.arange(4), np.zeros(4, int)))
    masks = np.zeros((4, NUM_ACTIONS), np.int8)
    masks[:, [3, 7, 100]] = 1
    policy = PartyPolicy(
        Toy(1).observation_space, Toy(1).action_space, lambda left: 1e-3, sizes=SIZES
    )
    probs = torch.softmax(masked(policy.party(seen)[0], masks), 1).detach().numpy()
    assert (probs[masks == 0] == 0).all()
    assert probs.sum(1) == pytest.approx(np.ones(4), abs=1e-6)
    told = policy.get_distribution(seen, masks).distribution.probs.detach().numpy()
    assert (told[masks == 0] == 0).all()
    np.testing.assert_allclose(told, probs, atol=1e-6)


def test_an_action_of_probability_zero_is_never_drawn() -> None:
    probs = torch.zeros(20_000, 6)
    probs[:, 1], probs[:, 4] = 0.25, 0.75
    torch.manual_seed(0)
    counts = drawn(probs).bincount(minlength=6)
    assert counts[[0, 2, 3, 5]].sum() == 0
    assert counts[4] / 20_000 == pytest.approx(0.75, abs=0.02)


@pytest.mark.parametrize("hero", range(NUM_HEROES))
def test_a_hero_s_gradient_touches_its_own_network_only(hero: int) -> None:
    party = party_of()
    heroes = np.array([0, 1, 2, 3] * 8)
    logits, values = party(torch.from_numpy(seen_by_heroes(heroes, np.zeros(32, int))))
    rows = torch.from_numpy(heroes == hero)
    (logits[rows].square().sum() + values[rows].sum()).backward()
    touched = {
        name.partition(".")[0]
        for name, weight in party.networks.named_parameters()
        if weight.grad is not None and weight.grad.abs().sum() > 0
    }
    assert touched == {Hero(hero).name.lower()}


def test_every_row_is_answered_by_its_hero_s_network() -> None:
    party = party_of()
    heroes = np.random.default_rng(0).integers(NUM_HEROES, size=50)
    seen = torch.from_numpy(seen_by_heroes(heroes, np.arange(50) % 3))
    logits, values = party(seen)
    for row, hero in enumerate(heroes):
        own = party.networks[Hero(int(hero)).name.lower()]
        alone, value = own(seen[row : row + 1])
        torch.testing.assert_close(logits[row : row + 1], alone, rtol=1e-4, atol=1e-6)
        torch.testing.assert_close(values[row : row + 1], value, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("encoder", ["flat", "entities"])
def test_the_acting_hero_is_read_off_the_observation(players: int, encoder: str) -> None:
    batch = Batch(64, GameConfig(players=players), encoder=encoder)
    random = np.random.default_rng(0)
    for _ in range(20):
        batch.step(batch.random_actions(random))
    bits = batch.states["heroes"][np.arange(64), batch.seats]
    first = [min(hero for hero in Hero if bit >> hero & 1) for bit in bits.tolist()]
    assert acting_heroes(tensors_of(batch)).tolist() == first


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("encoder", ENCODERS)
def test_networks_read_every_encoder(encoder: str, shared: bool) -> None:
    batch = Batch(16, GameConfig(), encoder=encoder)
    logits, values = party_of(encoder, shared)(tensors_of(batch))
    assert logits.shape == (16, NUM_ACTIONS)
    assert values.shape == (16,)
    assert logits.isfinite().all()
    assert CHOICES < NUM_ACTIONS


def test_padding_does_not_change_what_attention_sees() -> None:
    batch = Batch(8, GameConfig(players=1), encoder="entities")
    seen = tensors_of(batch)
    party = party_of("entities").eval()
    alone = {name: part[:1] for name, part in seen.items()}
    torch.testing.assert_close(party(alone)[0], party(seen)[0][:1], rtol=1e-4, atol=1e-5)
