"""Bundles: trained heroes in one file that anybody may open.

The weights are safetensors, and the header of that file holds a JSON text with all that is needed
to use them: which heroes, which encoder, actions and cards they know, how they were trained, and
how well they did. Nothing in it can run code. A bundle that does not fit is refused, with what does
not.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from agents.learning.networks import ENCODERS
from agents.learning.policy import SHARED, Party
from tenefyr_env.cards.compiler import load_card_set
from tenefyr_env.config import HERO_NAMES
from tenefyr_env.spaces.actions import ACTIONS
from tenefyr_env.spaces.encoders import make_encoder

FORMAT = 1
SUFFIX = ".safetensors"
KEY = "tenefyr_bundle"  # of the JSON text in the file's header


class BundleError(ValueError):
    """A bundle that cannot be used."""


@dataclass(frozen=True)
class Bundle:
    """Trained heroes: their networks, and what is known of them."""

    heroes: tuple[str, ...]  # who have been trained; one network serves them all if `shared`
    encoder: str
    shared: bool
    sizes: dict[str, int]  # of the networks
    weights: dict[str, Tensor]
    encoder_layout: str = ""  # hashes of what the weights were trained on
    actions: str = ""
    cards: str = "tenefyr"
    card_set: str = ""
    config: dict[str, Any] = field(default_factory=dict)  # of the training
    scores: list[dict[str, Any]] = field(default_factory=list)  # win rates with intervals
    made: dict[str, Any] = field(default_factory=dict)  # the command, versions, the git commit
    format: int = FORMAT

    @classmethod
    def of(cls, party: Party, heroes: Sequence[str], cards: str = "tenefyr", **more: Any) -> Bundle:
        """The bundle of a party's networks, with a copy of the weights."""
        kept = [SHARED] if party.shared else list(heroes)
        weights = {
            name: value.detach().clone()
            for name, value in party.networks.state_dict().items()
            if name.partition(".")[0] in kept
        }
        return cls(
            heroes=tuple(heroes),
            encoder=party.encoder,
            shared=party.shared,
            sizes=dict(party.sizes),
            weights=weights,
            encoder_layout=make_encoder(party.encoder).layout_hash,
            actions=ACTIONS.hash(),
            cards=cards,
            card_set=load_card_set(cards).hash,
            **more,
        )

    def party(self) -> Party:
        """The networks, ready to act; those of heroes that the bundle lacks are left untrained."""
        party = Party(self.encoder, self.shared, self.sizes)
        wanted = party.networks.state_dict()
        for name, value in self.weights.items():
            if name not in wanted or wanted[name].shape != value.shape:
                raise BundleError(f"weights {name!r} {tuple(value.shape)}: the network has no such")
        missing = [
            name
            for name in wanted
            if name not in self.weights and name.partition(".")[0] in (*self.heroes, SHARED)
        ]
        if missing:
            raise BundleError(f"weights {missing[0]!r}: missing, with {len(missing) - 1} more")
        party.networks.load_state_dict(self.weights, strict=False)
        return party.eval()

    def only(self, heroes: Sequence[str]) -> Bundle:
        """These heroes by themselves."""
        absent = [hero for hero in heroes if hero not in self.heroes]
        if absent or not heroes:
            raise BundleError(f"hero {absent or heroes}: accepted are {', '.join(self.heroes)}")
        kept = (SHARED, *heroes)
        weights = {n: w for n, w in self.weights.items() if n.partition(".")[0] in kept}
        return replace(self, heroes=tuple(heroes), weights=weights)

    def joined_by(self, other: Bundle) -> Bundle:
        """A party of both bundles' heroes; where both have one, the other's comes in."""
        for name in ("encoder", "shared", "sizes", "encoder_layout", "actions", "card_set"):
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours != theirs:
                raise BundleError(f"{name} {theirs!r}: accepted is the party's, {ours!r}")
        if self.shared:
            raise BundleError("shared networks: heroes with one network cannot be put together")
        heroes = tuple(h for h in HERO_NAMES if h in self.heroes or h in other.heroes)
        return replace(self, heroes=heroes, weights={**self.weights, **other.weights}, scores=[])

    def save(self, path: str | Path) -> None:
        """Write the file at once: whoever reads it finds the old one or the new one."""
        path = Path(path)
        told = asdict(replace(self, weights={}))
        del told["weights"]
        weights = {name: value.contiguous() for name, value in self.weights.items()}
        write_at_once(path, save(weights, {KEY: json.dumps(told, sort_keys=True)}))


def write_at_once(path: Path, content: bytes) -> None:
    """Replace a file in one go, on disk before this returns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.draft")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def load_bundle(path: str | Path) -> Bundle:
    """The bundle in a file, checked against this version's encoders, actions and cards."""
    path = Path(path)
    if not path.is_file():
        raise BundleError(f"bundle {str(path)!r}: no such file")
    try:
        with safe_open(path, framework="pt") as file:
            told = (file.metadata() or {}).get(KEY)
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise BundleError(f"bundle {str(path)!r}: not a whole safetensors file: {error}") from error
    try:
        bundle = _read(told, weights)
        _check(bundle)
        bundle.party()
    except (BundleError, RuntimeError, TypeError, AssertionError) as error:
        raise BundleError(f"bundle {str(path)!r}: {error}") from error
    return bundle


def _read(told: str | None, weights: dict[str, Tensor]) -> Bundle:
    if told is None:
        raise BundleError(f"no {KEY!r} in its header; accepted: files that Bundle.save has written")
    try:
        values = json.loads(told)
        if values.get("format") != FORMAT:
            raise BundleError(f"format {values.get('format')!r}: accepted is {FORMAT}")
        bundle = Bundle(**{**values, "heroes": tuple(values["heroes"]), "weights": weights})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BundleError(f"header: {error}") from error
    if not isinstance(bundle.sizes, dict) or not bundle.heroes:
        raise BundleError(f"header: heroes {bundle.heroes!r}, sizes {bundle.sizes!r}")
    if bundle.encoder not in ENCODERS:
        raise BundleError(f"encoder {bundle.encoder!r}: accepted are {', '.join(ENCODERS)}")
    unknown = [hero for hero in bundle.heroes if hero not in HERO_NAMES]
    if unknown:
        raise BundleError(f"heroes {unknown}: accepted are {', '.join(HERO_NAMES)}")
    return bundle


def _check(bundle: Bundle) -> None:
    """Refuse what was trained on something else."""
    try:
        layout = make_encoder(bundle.encoder).layout_hash
        card_set = load_card_set(bundle.cards).hash
    except (ValueError, OSError) as error:
        raise BundleError(str(error)) from error
    for name, theirs, ours in (
        (f"encoder {bundle.encoder!r}, layout", bundle.encoder_layout, layout),
        ("action space", bundle.actions, ACTIONS.hash()),
        (f"card set {bundle.cards!r}", bundle.card_set, card_set),
    ):
        if theirs != ours:
            raise BundleError(
                f"{name}: trained on {str(theirs)[:12]}, but this version has {ours[:12]}"
            )


def trained_heroes(path: str | Path) -> Bundle:
    """A bundle by its file, or by the folder of the run that made it."""
    path = Path(path)
    return load_bundle(path / f"best{SUFFIX}" if path.is_dir() else path)
