"""The sentences about encoders: their cards, the list to choose from, combined ones."""

from __future__ import annotations

import re
import statistics
from typing import Any

from slp_core.data import list_datasets
from slp_core.encoders.cards import EncoderCard
from slp_core.encoders.combine import Shares
from slp_core.encoders.registry import load_encoder
from slp_core.markdown import literal
from slp_core.sentences import ClassName, EncoderName, count, listed, number, percent, signed


def size_text(card: EncoderCard) -> str:
    """What data it takes, and how large it is."""
    kinds = f"For {listed(card.info.kinds)} data."
    if card.parts or card.file_bytes is None:
        return kinds
    megabytes = number(card.file_bytes / 1e6, 1)
    if card.meta is not None:
        return f"{kinds} {megabytes} MB, added to the weights of MiniLM."
    return f"{kinds} {megabytes} MB of weights; layers up to {card.layer} are used."


def training_texts(card: EncoderCard) -> tuple[str, ...]:
    """How accurate meta-training has made it, and which weights these are."""
    if card.meta is None:
        return ()
    found, step = card.meta["validation"], card.meta.get("best_step")
    texts = [
        f"Validation accuracy: {percent(found['before'], 1)} before meta-training, "
        f"{percent(found['accuracy'], 1)} with these weights ({literal(found['how'])})."
    ]
    if (moved := card.meta.get("interpolation")) and step is not None:
        reached = {point["step"]: point["validation"] for point in card.meta["curve"]}[step]
        texts.append(
            f"Meta-training reached {percent(reached, 1)} after outer step {step:,}; these weights "
            f"are interpolated, {percent(moved['share'])} of the way from the base's."
        )
    elif step is not None:
        texts.append(f"Weights after outer step {step:,}.")
    if members := card.meta.get("average"):
        accuracies = [each["validation"] for each in members]
        texts.append(
            f"Averaged weights of {count(len(members), 'encoder')} with validation accuracies "
            f"from {percent(min(accuracies), 1)} to {percent(max(accuracies), 1)}: "
            f"{listed([EncoderName(each['title']) for each in members])}."
        )
    texts += seeds_texts(card)
    if sets := found.get("sets"):
        each = [f"{ClassName(name)} {percent(share, 1)}" for name, share in sets.items()]
        texts.append(f"Validation sets: {listed(each)}.")
    if sample := card.meta.get("sample"):
        dataset = ClassName(str(sample.get("dataset", "a bundled dataset")))
        texts.append(
            f"Nearest centroid on {dataset} ({count(sample['shots'], 'shot')}, "
            f"{count(sample['draws'], 'support set')}): {percent(sample['before'], 1)} before, "
            f"{percent(sample['accuracy'], 1)} with these weights."
        )
    return tuple(texts)


def seeds_texts(card: EncoderCard) -> list[str]:
    """How accurate the same training is from other seeds."""
    meta = card.meta or {}
    seeds = meta.get("seeds") or []
    if len(seeds) < 2:
        return []
    found = [each["validation"] for each in seeds]
    text = (
        f"The same training from {len(seeds):,} seeds: validation accuracy "
        f"{percent(min(found), 1)} to {percent(max(found), 1)}, mean "
        f"{percent(statistics.mean(found), 1)}, SD {number(100 * statistics.stdev(found), 1)}"
    )
    if sample := meta.get("sample"):
        on = [each["sample"] for each in seeds]
        dataset = ClassName(str(sample.get("dataset", "a bundled dataset")))
        text += f"; on {dataset} {percent(min(on), 1)} to {percent(max(on), 1)}"
    return [f"{text}."]


def data_text(card: EncoderCard) -> str:
    """How much data it was trained and validated on."""
    data = (card.meta or {}).get("data", [])
    rows = sum(each["rows"] for each in data)
    return f"Data: {count(rows, 'row')} of {count(len(data), 'set')}."


def origin_text(card: EncoderCard) -> str:
    """Minutes, machine, code version and digest, as far as they are known."""
    meta = card.meta or {}
    parts = {
        "minutes": "{} minutes",
        "machine": "{}",
        "code_version": "code version {}",
        "weights_sha256": "SHA-256 of the weights {:.16}…",
    }
    known = {name: str(meta[name]) for name in parts if meta.get(name)}
    return " · ".join(literal(parts[name].format(value)) for name, value in known.items())


def list_label(card: EncoderCard) -> str:
    """Its title for a narrow list, with its group or points gained; ★ is recommended."""
    title, group = card.info.title, "Hub" if card.group == "Hugging Face hub" else card.group
    label = f"{group} · {title}" if group in ("Uploaded", "Hub") else title
    if group == "Meta-trained" and (sample := (card.meta or {}).get("sample")):
        label = f"{short_title(title)} · {_gain(sample)}"
    return f"★ {label}" if card.recommended else label


def short_title(title: str) -> str:
    """An encoder's title without the base that it was meta-trained from."""
    return re.sub(" on MiniLM, (layer 4|last layer)", "", title)


def _gain(sample: dict[str, Any]) -> str:
    return signed(100 * (sample["accuracy"] - sample["before"]), 1)


def caption_text(card: EncoderCard) -> str:
    """Its gain over its base on the bundled sample, or else the first sentence about it."""
    meta = card.meta or {}
    if not (sample := meta.get("sample")):
        return literal(f"{card.info.description.partition('. ')[0].rstrip('.')}.")
    titles = {info.name: info.title for info in list_datasets()}
    name = str(sample.get("dataset", ""))
    return (
        f"{card.group}: {_gain(sample)} points of accuracy over "
        f"{EncoderName(load_encoder(meta['encoder']).info.title)} on "
        f"{ClassName(titles.get(name, name))} (nearest centroid, "
        f"{count(sample['shots'], 'shot')} per class, mean of "
        f"{count(sample['draws'], 'support set')})."
    )


def shares_text(shares: Shares, titles: tuple[str, str], relabelled: bool = False) -> str:
    """The shares of two encoders with these titles, and the separations behind them."""
    first, second = map(EncoderName, titles)
    split = f"{second} makes up {percent(shares.second)} of each vector, {first} the rest"
    if shares.separations is None:
        return f"{split}: no class of the support set has two examples that differ."
    before, after = shares.separations
    labels = " Relabelled shots count by their true labels." if relabelled else ""
    return (
        f"{split}. Class separation on the support set: {number(after)} under {second}, "
        f"{number(before)} under {first}.{labels}"
    )
