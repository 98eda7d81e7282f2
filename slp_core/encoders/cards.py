"""What there is to know about an encoder before it is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from slp_core.encoders.base import Encoder, EncoderInfo
from slp_core.encoders.choice import EncoderChoice
from slp_core.encoders.chunks import ChunkEncoder
from slp_core.encoders.combine import CombinedEncoder
from slp_core.encoders.meta_checkpoint import WEIGHTS_FILE, MetaCheckpoint
from slp_core.encoders.minilm import MiniLMCheckpoint, model_folder
from slp_core.encoders.registry import load_encoder
from slp_core.encoders.transformer import TransformerEncoder
from slp_core.facts import ClassName, EncoderName, Facts, Listed, Stated, fact

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class EncoderCard(Stated):
    """An encoder described."""

    info: EncoderInfo
    layer: int | None  # that its vectors are taken from; None where it has none of its own
    file_bytes: int | None  # of MiniLM's weights, or of what a checkpoint adds to them
    meta: dict[str, Any] | None  # the card that meta-training has written, checked
    parts: tuple[str, ...] = ()  # names of the encoders that its vectors are made of

    @property
    def base(self) -> str | None:
        """Name of the encoder that meta-training went out from, here or in a part; None without."""
        return self.meta["encoder"] if self.meta else next(iter(self.parts), None)

    def facts(self) -> Facts:
        """What data it takes, how large it is, and what it needs beside itself."""
        kinds = fact("card.kinds", "For {kinds} data.", kinds=Listed(self.info.kinds))
        if self.parts:
            return (kinds,)
        if self.file_bytes is None:
            return kinds, fact("card.no_file", "No weights file comes with it.")
        size = {"megabytes": self.file_bytes / 1e6}
        if self.meta is not None:
            template = "{megabytes:.1f} MB of differences, added to MiniLM's weights."
            return kinds, fact("card.differences", template, **size)
        template = "{megabytes:.1f} MB of weights, of which layers up to {layer} are read."
        return kinds, fact("card.weights", template, layer=self.layer, **size)

    def validation_facts(self) -> Facts:
        """Accuracy on the validation sets, of these weights and of those training ended with."""
        if self.meta is None:
            return ()
        found = self.meta["validation"]
        template = (
            "Accuracy on the validation sets: {before:.1%} before meta-training, {accuracy:.1%} "
            "with these weights ({how})."
        )
        shares = {"before": found["before"], "accuracy": found["accuracy"]}
        told = [fact("card.validation", template, **shares, how=found["how"])]
        way, step = self.interpolation, self.meta.get("best_step")
        if way is not None and step is not None:
            trained = curve_at(self.meta["curve"], step)
            template = (
                "Meta-training itself came to {trained:.1%}, after outer step {step:,}; these "
                "weights lie {share:.0%} of the way from the base's to those."
            )
            shares = {"trained": trained, "share": way["share"]}
            told.append(fact("card.way", template, step=step, **shares))
        elif step is not None:
            template = "These are the weights after outer step {step:,}."
            told.append(fact("card.step", template, step=step))
        if members := self.meta.get("average"):
            template = (
                "These weights are the mean of those of {n:,} encoders, which came to {low:.1%} to "
                "{high:.1%} there: {members}."
            )
            titles = Listed([EncoderName(each["title"]) for each in members])
            found = np.array([each["validation"] for each in members])
            values = {"n": len(members), "members": titles, **_range(found)}
            told.append(fact("card.average", template, **values))
        return tuple(told)

    def accuracy_facts(self) -> Facts:
        """What it gets right on each validation set and on a bundled one, as far as is known."""
        if self.meta is None:
            return ()
        told = []
        if sets := self.meta["validation"].get("sets"):
            each = [
                fact("card.set", "{name} {share:.1%}", name=ClassName(name), share=share)
                for name, share in sets.items()
            ]
            told.append(fact("card.sets", "With these weights: {sets}.", sets=Listed(each)))
        if sample := self.meta.get("sample"):
            template = (
                "On {dataset}, nearest centroid (shots: {shots:,}, draws: {draws:,}): "
                "{before:.1%} before, {accuracy:.1%} with these weights."
            )
            figures = {name: sample[name] for name in ("shots", "draws", "before", "accuracy")}
            dataset = ClassName(str(sample.get("dataset", "a bundled dataset")))
            told.append(fact("card.sample", template, dataset=dataset, **figures))
        return tuple(told)

    def seeds_facts(self) -> Facts:
        """How far the same training came from other seeds; none where its card names no others."""
        meta = self.meta or {}
        seeds = meta.get("seeds", [])
        if len(seeds) < 2:
            return ()
        template = (
            "The same training from {n:,} seeds came to {low:.1%} to {high:.1%} on the validation "
            "sets: mean {mean:.1%}, standard deviation {deviation:.1f} points."
        )
        found = np.array([each["validation"] for each in seeds])
        spread = {"mean": float(found.mean()), "deviation": 100 * float(found.std(ddof=1))}
        told = [fact("card.seeds", template, n=len(seeds), **_range(found), **spread)]
        if sample := meta.get("sample"):
            template = "On {dataset} they came to {low:.1%} to {high:.1%}."
            found = np.array([each["sample"] for each in seeds])
            dataset = ClassName(str(sample.get("dataset", "a bundled dataset")))
            told.append(fact("card.seeds_sample", template, dataset=dataset, **_range(found)))
        return tuple(told)

    @property
    def interpolation(self) -> dict[str, Any] | None:
        """How far its weights lie from the base's, and what other ways gave; None without any."""
        return (self.meta or {}).get("interpolation") or None

    def ways_table(self) -> pd.DataFrame:
        """A row for each share of the way that was tried: accuracies, and which was kept."""
        import pandas as pd

        way = self.interpolation or {"share": None, "tried": []}
        tried = way["tried"]
        return pd.DataFrame(
            {
                "share of the way": [each["share"] for each in tried],
                "validation sets": [each["validation"] for each in tried],
                "bundled texts": [each["samples"] for each in tried],
                "kept": [each["share"] == way["share"] for each in tried],
            }
        )

    def data_facts(self) -> Facts:
        """How much data it was trained and validated on."""
        data = (self.meta or {}).get("data")
        if not data:
            return ()
        n_rows = sum(each["rows"] for each in data)
        return (fact("card.data", "Data: {rows:,} rows, sets: {n:,}.", n=len(data), rows=n_rows),)

    def origin_facts(self) -> Facts:
        """Minutes, machine, code version and digest; none without meta-training."""
        meta = self.meta or {}
        parts = {
            "minutes": "{minutes} minutes",
            "machine": "{machine}",
            "code_version": "code version {code_version}",
            "weights_sha256": "weights file's digest {weights_sha256:.16}…",
        }
        there = {name: part for name, part in parts.items() if meta.get(name)}
        if not there:
            return ()
        values = {name: str(meta[name]) for name in there}
        return (fact("card.origin", " · ".join(there.values()), **values),)


def _range(values: np.ndarray) -> dict[str, float]:
    return {"low": float(values.min()), "high": float(values.max())}


def curve_at(curve: Sequence[Mapping[str, Any]], step: int) -> float:
    """Accuracy on the validation sets at an outer step of a card's curve."""
    return float(next(point["validation"] for point in curve if point["step"] == step))


def read_encoder_card(name: str) -> EncoderCard:
    """Describe an encoder; reads a checkpoint's card, and no weights."""
    return card_of(load_encoder(name))


def card_of(encoder: Encoder) -> EncoderCard:
    """Describe an encoder that is loaded, as `read_encoder_card` does by its name."""
    if isinstance(encoder, CombinedEncoder):
        parts = tuple(EncoderChoice.of(part.info.name).name for part in encoder.parts)
        return EncoderCard(encoder.info, None, None, None, parts)
    if isinstance(encoder, ChunkEncoder):
        reader = card_of(encoder.reader)
        return replace(reader, info=encoder.info, meta=None, parts=(reader.info.name,))
    if not isinstance(encoder, TransformerEncoder):
        return EncoderCard(encoder.info, None, None, None)
    checkpoint = encoder.checkpoint
    if isinstance(checkpoint, MetaCheckpoint):
        weights = checkpoint.folder / WEIGHTS_FILE
        size = weights.stat().st_size if weights.is_file() else None
        return EncoderCard(encoder.info, encoder.layer, size, checkpoint.card())
    if isinstance(checkpoint, MiniLMCheckpoint):
        size = (model_folder() / "model.safetensors").stat().st_size
        return EncoderCard(encoder.info, encoder.layer, size, None)
    return EncoderCard(encoder.info, encoder.layer, None, None)
