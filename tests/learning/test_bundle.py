"""Bundles: what was saved acts as before, what does not fit is refused, no code is run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save

from agents.agent import Info, turns_of
from agents.evaluation.runner import play_games
from agents.learning.bundle import KEY, Bundle, BundleError, load_bundle
from agents.learning.player import SHIPPED, Learned
from agents.learning.policy import Party
from agents.registry import AgentError, make_agent
from tenefyr_env import Batch, Game, GameConfig
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import HERO_NAMES

SIZES = {"width": 16, "head": 16, "card_size": 4, "dungeon_size": 4}


def bundle_of(seed: int = 0, heroes: tuple[str, ...] = HERO_NAMES, **options: object) -> Bundle:
    torch.manual_seed(seed)
    return Bundle.of(Party("flat", False, SIZES), heroes, **options)  # type: ignore[arg-type]


def saved(tmp_path: Path, bundle: Bundle, name: str = "heroes.safetensors") -> Path:
    bundle.save(tmp_path / name)
    return tmp_path / name


@pytest.mark.parametrize("encoder", ["flat", "advised", "entities"])
@pytest.mark.parametrize("shared", [False, True])
def test_loaded_heroes_act_exactly_as_before(tmp_path: Path, encoder: str, shared: bool) -> None:
    sizes = {"width": 16, "head": 16}
    party = Party(encoder, shared, sizes).eval()
    loaded = load_bundle(saved(tmp_path, Bundle.of(party, HERO_NAMES))).party()
    seen = Batch(32, GameConfig(), encoder=encoder).observations
    if isinstance(seen, dict):
        seen = {name: torch.from_numpy(part) for name, part in seen.items()}
    else:
        seen = torch.from_numpy(seen)
    for before, after in zip(party(seen), loaded(seen), strict=True):
        assert torch.equal(before, after)


def test_a_bundle_keeps_what_is_known_of_it(tmp_path: Path) -> None:
    bundle = bundle_of(config={"steps": 5}, scores=[{"rate": 0.5}], made={"command": "x"})
    loaded = load_bundle(saved(tmp_path, bundle))
    assert replace(loaded, weights={}) == replace(bundle, weights={})


def test_a_bundle_is_an_agent(tmp_path: Path) -> None:
    path = saved(tmp_path, bundle_of())
    played = play_games(f"learned:bundle={path}", GameConfig(players=2), [1, 2, 3])
    assert [result.outcome for result in played.results] == ["lost"] * 3
    again = play_games(f"learned:bundle={path},sample=true", GameConfig(players=2), [1, 2, 3])
    same = play_games(f"learned:bundle={path},sample=true", GameConfig(players=2), [3])
    assert again.actions[2] == same.actions[0] != played.actions[2]


def test_one_decision_is_answered_as_in_a_batch(tmp_path: Path) -> None:
    agent = Learned(str(saved(tmp_path, bundle_of())))
    batch = Batch(16, GameConfig())
    for row in range(16):
        info = Info.of(batch.game(row))
        alone = agent.act(batch.observations[row], batch.masks[row], info)
        logits, _ = agent.party(torch.from_numpy(batch.observations[row : row + 1]))
        legal = np.where(batch.masks[row] != 0, logits[0].detach().numpy(), -np.inf)
        assert alone == legal.argmax()


def test_the_answer_does_not_depend_on_the_rows_beside_it(tmp_path: Path) -> None:
    """With all scores nearly alike, single precision alone would not settle them."""
    agent = Learned(str(saved(tmp_path, bundle_of())))
    with torch.no_grad():
        for weight in agent.party.parameters():
            weight *= 0.3
    states = Batch(300, GameConfig()).states
    turns = turns_of(states, GameConfig(), load_card_set(), np.arange(300))
    seen = Batch(300, GameConfig()).observations
    together = agent.act_batch(seen, turns.masks, turns)
    for row in range(0, 300, 7):
        assert agent.act(seen[row], turns.masks[row], turns.row(row)) == together[row]


def test_a_hero_is_taken_out_and_put_into_another_party(tmp_path: Path) -> None:
    ours, theirs = bundle_of(0), bundle_of(1)
    thief = theirs.only(["thief"])
    assert load_bundle(saved(tmp_path, thief)).heroes == ("thief",)
    mixed = ours.joined_by(thief)
    for name, weight in mixed.weights.items():
        source = theirs if name.startswith("thief.") else ours
        assert torch.equal(weight, source.weights[name])
    with pytest.raises(BundleError, match="accepted are thief"):
        thief.only(["bard"])
    with pytest.raises(BundleError, match="sizes"):
        ours.joined_by(Bundle.of(Party("flat", False, {**SIZES, "width": 8}), ["thief"]))


def test_a_hero_without_network_is_named(tmp_path: Path) -> None:
    path = saved(tmp_path, bundle_of().only(["thief"]))
    together = play_games(f"thief=learned:bundle={path}+others=greedy", GameConfig(), [1])
    assert not together.results[0].is_failed
    alone = play_games(f"learned:bundle={path}", GameConfig(), [1])
    failure = alone.results[0].failure
    assert failure is not None
    assert "the bundle has thief only" in failure.message


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("card_set", "0" * 64, "card set 'tenefyr': trained on 000000000000, but this version has"),
        ("encoder_layout", "1" * 64, "encoder 'flat', layout: trained on 111111111111"),
        ("actions", "2" * 64, "action space: trained on 222222222222"),
        ("encoder", "text", "encoder 'text': accepted are flat, flat_odds, advised, entities"),
        ("format", 7, "format 7: accepted is 1"),
        ("heroes", ("wizard",), "heroes \\['wizard'\\]: accepted are barbarian"),
        ("sizes", {**SIZES, "width": 8}, "the network has no such"),
        ("sizes", {"breadth": 8}, "breadth"),
    ],
)
def test_what_does_not_fit_is_named(
    tmp_path: Path, field: str, value: object, message: str
) -> None:
    path = saved(tmp_path, replace(bundle_of(), **{field: value}))  # type: ignore[arg-type]
    with pytest.raises(BundleError, match=message):
        load_bundle(path)
    with pytest.raises(AgentError, match=r"heroes\.safetensors"):
        make_agent(f"learned:bundle={path}")


def test_a_truncated_bundle_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, bundle_of())
    whole = path.read_bytes()
    for size in (0, 5, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(BundleError, match="not a whole safetensors file"):
            load_bundle(path)


def test_missing_weights_are_named(tmp_path: Path) -> None:
    bundle = bundle_of()
    name = next(each for each in bundle.weights if each.startswith("bard."))
    weights = {key: value for key, value in bundle.weights.items() if key != name}
    with pytest.raises(BundleError, match=f"weights '{name}': missing"):
        load_bundle(saved(tmp_path, replace(bundle, weights=weights)))


@pytest.mark.parametrize(
    "told", [{}, {KEY: "no json"}, {KEY: "[]"}, {KEY: json.dumps({"format": 1})}]
)
def test_a_header_that_is_none_of_ours_is_refused(tmp_path: Path, told: dict[str, str]) -> None:
    path = tmp_path / "odd.safetensors"
    path.write_bytes(save({"x": torch.zeros(1)}, told))
    with pytest.raises(BundleError, match=r"odd\.safetensors"):
        load_bundle(path)


def test_no_such_file_is_said() -> None:
    with pytest.raises(AgentError, match="no such file"):
        make_agent("learned:bundle=nowhere.safetensors")


def test_the_shipped_heroes_play() -> None:
    assert SHIPPED.stat().st_size <= 5_000_000
    bundle = load_bundle(SHIPPED)
    assert bundle.heroes == HERO_NAMES
    assert bundle.made["command"]
    assert bundle.scores[0]["games"] >= 1000
    game = Game.new(GameConfig(), 1)
    agent = make_agent("learned")
    info = Info.of(game)
    seen = Batch(1, GameConfig(), seed=1, encoder=agent.encoder).observations[0]
    assert info.game.states["legal"][0][agent.act(seen, info.game.states["legal"][0], info)]
