"""Old links: their requests under today's names."""

from __future__ import annotations

import slp_core as slp
from pages.session import settings
from slp_core.encoders.choice import EncoderChoice
from slp_core.encoders.registry import unlisted_encoders

_TRAINED = {
    "LEOPARD": "leopard-minilm-l4",
    "MetaSLP (first-order MAML)": "metaslp-fomaml-minilm-l4",
    "MetaSLP (mean of two)": "metaslp-mean-minilm-l4",
    "MetaSLP (mean of three)": "metaslp-mean3-minilm-l4",
    "MetaSLP (Reptile)": "metaslp-reptile-minilm-l4",
    "ProtoNet (mean of four)": "protonet-mean-minilm-l6",
    "ProtoNet": "protonet-minilm-l4",
    "ProtoNet (sentiment)": "protonet-sentiment-minilm-l4",
    "Reptile, plain head": "reptile-minilm-l4",
}
OLD_TITLES = {
    "MiniLM, layer 4, by passage": EncoderChoice("minilm-l4", chunks=True),
    **{
        f"MiniLM and {title}, side by side": EncoderChoice(name, "concatenated")
        for title, name in _TRAINED.items()
    },
    **{
        f"MiniLM and {title}, weighted, by passage": EncoderChoice(
            _TRAINED[title], "weighted", chunks=True
        )
        for title in ("ProtoNet (mean of four)", "MetaSLP (mean of three)", "MetaSLP (mean of two)")
    },
}
"""Titles that were in the list of encoders and are an encoder with options now."""


RENAMED: dict[str, dict[str, str]] = {
    "ask": {
        "answer": "prediction",
        "answer,cause": "prediction,cause",
        "cause,answer": "cause,prediction",
    },
    "normalisation": {
        "unit length": "L2",
        "centred, unit length": "centred, L2",
        "as they come": "none",
    },
    "distance": {"of the point itself": "full", "along the line": "projected onto the line"},
    "errors_sorted": {
        "surest first": "most confident first",
        "closest first": "smallest margin first",
    },
    "tolerance": {f"{gaps} typical gaps": gaps for gaps in ("0.1", "0.02", "0.5")},
}
"""Values by key of their setting: as old links name them, and as they are called now."""

THROUGH = "through "  # before an encoder's title where methods stand in the same list


def current_names(requested: dict[str, list[str]]) -> dict[str, list[str]]:
    """What a URL requests, by key, with today's names."""
    renewed: dict[str, list[str]] = {}
    for key, values in requested.items():
        old = OLD_TITLES.get(values[-1]) if values else None
        if key == settings.ENCODER.key and old is not None:
            renewed |= _sidebar(old)
        else:
            renamed = RENAMED.get(key, {})
            renewed[_key(key)] = [renamed.get(value, _value(value)) for value in values]
    return renewed


def _sidebar(choice: EncoderChoice) -> dict[str, list[str]]:
    labels = {how: label for label, how in settings.COMBINES.items()}
    found = {settings.ENCODER.key: [_title(choice.name)]}
    if choice.combine:
        found[settings.COMBINE.key] = [labels[choice.combine]]
    if choice.chunks:
        found[settings.CHUNKS.key] = ["true"]
    return found


def _key(key: str) -> str:
    """The key of a choice that once depended on the encoder, or did not."""
    what, _, name = key.rpartition("_")
    beginning = what.partition("_")[0]
    return f"{what}_{EncoderChoice.of(name)}" if beginning in settings.CHOICES_AMONG else key


def _value(value: str) -> str:
    old = OLD_TITLES.get(value.removeprefix(THROUGH))
    if old is None:
        return value
    return f"{THROUGH if value.startswith(THROUGH) else ''}{old.titled(_title(old.name))}"


def _title(name: str) -> str:
    known = {info.name: info.title for info in (*unlisted_encoders(), *slp.list_encoders())}
    return known.get(name, name)
