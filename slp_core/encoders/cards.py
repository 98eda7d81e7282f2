"""What there is to know about an encoder before it is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from slp_core.encoders.base import EncoderInfo
from slp_core.encoders.meta_checkpoint import WEIGHTS_FILE, MetaCheckpoint
from slp_core.encoders.minilm import MiniLMCheckpoint, model_folder
from slp_core.encoders.registry import load_encoder
from slp_core.encoders.transformer import TransformerEncoder


@dataclass(frozen=True)
class EncoderCard:
    """An encoder described.

    Attributes
    ----------
    info : EncoderInfo
    layer : int or None
        The hidden layer that its vectors are taken from; None where it has none of its own.
    file_bytes : int or None
        Of the file that makes it what it is: MiniLM's weights, or what a checkpoint adds to them;
        None where there is no file, or where it is fetched first.
    meta : dict or None
        The card that meta-training has written, checked.
    """

    info: EncoderInfo
    layer: int | None
    file_bytes: int | None
    meta: dict[str, Any] | None

    def size_sentence(self) -> str:
        """How large it is, and what it needs beside itself."""
        if self.file_bytes is None:
            return "No weights file comes with it."
        size = f"{self.file_bytes / 1e6:.1f} MB"
        if self.meta is not None:
            return f"{size} of differences, added to MiniLM's weights."
        return f"{size} of weights, of which layers up to {self.layer} are read."

    def validation_sentence(self) -> str:
        """Accuracy on the validation sets before and after meta-training; empty without one."""
        if self.meta is None:
            return ""
        found = self.meta["validation"]
        best = f" at outer step {self.meta['best_step']}" if "best_step" in self.meta else ""
        return (
            f"Validation {found['before']:.1%} before, {found['accuracy']:.1%} after{best} "
            f"({found['how']})."
        )

    def interpolation_sentence(self) -> str:
        """How far its weights lie from the base's, and what other ways gave; empty without any."""
        way = (self.meta or {}).get("interpolation")
        if not way:
            return ""
        shown = "; ".join(
            f"{tried['share']:.0%}: {tried['validation']:.1%} and {tried['samples']:.1%}"
            for tried in way["tried"]
        )
        return (
            f"Its weights lie {way['share']:.0%} of the way from the base's to the trained ones. "
            "Validation accuracy and accuracy on the bundled texts, by the share of the way: "
            f"{shown} ({way['samples']})."
        )

    def accuracy_sentences(self) -> list[str]:
        """What it gets right on the validation sets and on a bundled one, as far as is known."""
        if self.meta is None:
            return []
        sets = self.meta["validation"].get("sets", {})
        sentences = [self.validation_sentence(), self.interpolation_sentence()]
        if sets:
            shares = ", ".join(f"{name} {share:.1%}" for name, share in sets.items())
            sentences.append(f"After: {shares}")
        if sample := self.meta.get("sample"):
            sentences.append(
                f"On *{sample.get('dataset')}*, nearest centroid, {sample['shots']} shots, "
                f"{sample['draws']} draws: {sample['before']:.1%} before, "
                f"{sample['accuracy']:.1%} after."
            )
        return [sentence for sentence in sentences if sentence]

    def origin(self) -> str:
        """Minutes, machine, code version and digest, in Markdown; empty without meta-training."""
        meta = self.meta or {}
        parts = (
            ("minutes", "{} minutes"),
            ("machine", "{}"),
            ("code_version", "code version `{}`"),
            ("weights_sha256", "weights SHA-256 `{:.16}…`"),
        )
        return " · ".join(form.format(meta[key]) for key, form in parts if meta.get(key))


def read_encoder_card(name: str) -> EncoderCard:
    """Describe an encoder; reads a checkpoint's card, and no weights.

    Parameters
    ----------
    name : str
        As `load_encoder` takes it.

    Raises
    ------
    EncoderError
        There is no such encoder, or its card is broken.
    """
    encoder = load_encoder(name)
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
