"""Old links: their requests under today's names."""

from __future__ import annotations

from functools import cache

import slp_core as slp
from pages.session import settings
from slp_core.encoders.choice import EncoderChoice
from slp_core.encoders.registry import unlisted_encoders

RENAMED: dict[str, dict[str, str]] = {
    "ask": {"answer": "prediction"},
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

RETITLED = {
    "ProtoNet (mean of four)": "Averaged ProtoNet",
    "MetaSLP (mean of three)": "Averaged MetaSLP",
    "MetaSLP (mean of two)": "Averaged MetaSLP (two)",
    "constraintSLP, along the line": "constraintSLP, projected onto the line",
}
"""Parts of titles: as in old links, and as they are now."""

THROUGH = "through "  # before an encoder's title where methods stand in the same list


@cache
def old_titles() -> dict[str, EncoderChoice]:
    """Titles that were in the list of encoders and are an encoder with options now."""
    found = {"MiniLM, layer 4, by passage": EncoderChoice("minilm-l4", chunks=True)}
    for name, title in _titles().items():
        method, trained, _ = title.partition(" on MiniLM")
        if trained:
            both = f"MiniLM and {method}"
            found[f"{both}, side by side"] = EncoderChoice(name, "concatenated")
            found[f"{both}, weighted, by passage"] = EncoderChoice(name, "weighted", chunks=True)
    return found


def current_names(requested: dict[str, list[str]]) -> dict[str, list[str]]:
    """What a URL requests, by key, with today's names."""
    renewed: dict[str, list[str]] = {}
    for key, values in requested.items():
        for old_part, part in RETITLED.items():
            values = [value.replace(old_part, part) for value in values]
        if key in (settings.HIDDEN.key, settings.QUESTIONS.key):  # which were in one, with commas
            values = [word.strip() for value in values for word in value.split(",")]
        old = old_titles().get(values[-1]) if values else None
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
    old = old_titles().get(value.removeprefix(THROUGH))
    if old is None:
        return value
    return f"{THROUGH if value.startswith(THROUGH) else ''}{old.titled(_title(old.name))}"


def _title(name: str) -> str:
    return _titles().get(name, name)


def _titles() -> dict[str, str]:
    return {info.name: info.title for info in (*unlisted_encoders(), *slp.list_encoders())}
