"""Model cards of encoders, and the list of encoders to choose from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from slp_core.encoders.base import Encoder, EncoderInfo
from slp_core.encoders.choice import EncoderChoice
from slp_core.encoders.combine import CombinedEncoder
from slp_core.encoders.meta_checkpoint import WEIGHTS_FILE, MetaCheckpoint
from slp_core.encoders.minilm import MiniLMCheckpoint, model_folder
from slp_core.encoders.registry import HUB_PREFIX, META_PREFIX, RECOMMENDED, load_encoder
from slp_core.encoders.transformer import TransformerEncoder

Group = Literal[
    "Pretrained",
    "Meta-trained",
    "Uploaded",
    "Hugging Face hub",
    "Without a neural network",
]


@dataclass(frozen=True)
class EncoderCard:
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

    @property
    def recommended(self) -> bool:
        """Whether it is the encoder that is recommended, in some form."""
        return self.info.name == RECOMMENDED.name

    @property
    def group(self) -> Group:
        """Where it stands in a list."""
        if self.info.name.startswith(META_PREFIX):
            return "Uploaded"
        if self.info.name.startswith(HUB_PREFIX):
            return "Hugging Face hub"
        if self.meta is not None:
            return "Meta-trained"
        return "Without a neural network" if self.layer is None else "Pretrained"


def cards_by_group(infos: Iterable[EncoderInfo]) -> list[EncoderCard]:
    """The cards of encoders, each group in the order given; reads no weights."""
    cards = [read_encoder_card(info.name) for info in infos]
    return sorted(cards, key=lambda card: get_args(Group).index(card.group))


def read_encoder_card(name: str) -> EncoderCard:
    """Describe an encoder; reads a checkpoint's card, and no weights."""
    return card_of(load_encoder(name))


def card_of(encoder: Encoder) -> EncoderCard:
    """Describe an encoder that is loaded, as `read_encoder_card` does by its name."""
    if isinstance(encoder, CombinedEncoder):
        parts = tuple(EncoderChoice.of(part.info.name).name for part in encoder.parts)
        return EncoderCard(encoder.info, None, None, None, parts)
    if not isinstance(encoder, TransformerEncoder):
        return EncoderCard(encoder.info, None, None, None)
    checkpoint = encoder.checkpoint
    weights: Path | None = None
    meta: dict[str, Any] | None = None
    if isinstance(checkpoint, MetaCheckpoint):
        weights, meta = checkpoint.folder / WEIGHTS_FILE, checkpoint.card()
    elif isinstance(checkpoint, MiniLMCheckpoint):
        weights = model_folder() / "model.safetensors"
    size = weights.stat().st_size if weights is not None and weights.is_file() else None
    card = EncoderCard(encoder.info, encoder.layer, size, meta)
    if not encoder.chunks:
        return card
    return replace(card, meta=None, parts=(EncoderChoice.of(encoder.info.name).name,))
