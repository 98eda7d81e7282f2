"""Write a checkpoint: its differences from the base encoder, and a card on how it was made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save

from slp_core.data import load_dataset
from slp_core.encoders import load_encoder
from slp_core.encoders.checkpoint import sha256
from slp_core.encoders.meta_checkpoint import BESIDE, CARD_FILE, WEIGHTS_FILE
from slp_core.encoders.minilm import model_folder
from slp_core.encoders.trainable import TrainableLayers
from slp_core.meta.episodes import (
    VALIDATION_DRAWS,
    VALIDATION_QUERY,
    VALIDATION_SHOTS,
    Source,
)
from slp_core.meta.settings import MetaSettings
from slp_core.meta.validation import dataset_accuracy
from slp_core.sentences import count

# A bundled dataset on which whoever has the checkpoint, but not its data, can check it.
SAMPLE, SAMPLE_SHOTS, SAMPLE_DRAWS = "airline", 8, 10

TITLES = {
    "metaslp-reptile": "MetaSLP (Reptile)",
    "metaslp-fomaml": "MetaSLP (first-order MAML)",
    "reptile": "Reptile, plain head",
    "protonet": "ProtoNet",
    "leopard": "LEOPARD",
}
_HOW = {
    "metaslp-reptile": "soft-label prototypes inside Reptile",
    "metaslp-fomaml": "soft-label prototypes inside first-order MAML",
    "reptile": "Reptile with one linear head",
    "protonet": "a prototypical network",
    "leopard": "LEOPARD",
}


def describe(base_title: str, settings: MetaSettings, n_tasks: int, gain: str) -> str:
    """A sentence about a checkpoint, which `gained` ends."""
    most = settings.max_classes
    kind = "two-class tasks" if most == 2 else f"tasks of 2 to {most} classes"
    if n_tasks == 1:
        kind = kind.replace("tasks", "task")
    return (
        f"{top_layers(base_title, settings.n_trainable)} meta-trained on {n_tasks} {kind} by "
        f"{_HOW[settings.method]}: {gain}"
    )


def top_layers(base_title: str, n: int) -> str:
    """Those of a base that are trained, as the beginning of a sentence."""
    return f"{base_title}, its top {'layer' if n == 1 else count(n, 'layer')}"


def gained(before: float, after: float) -> str:
    """Accuracies, in [0, 1], on the validation sets, as the end of a sentence."""
    return f"{100 * before:.1f}% before, {100 * after:.1f}% after, on texts it was not trained on."


def validated(by: str) -> str:
    """How accuracies on the validation sets are measured."""
    return (
        f"{by}, {VALIDATION_SHOTS} shots, {VALIDATION_DRAWS} support sets, {VALIDATION_QUERY} "
        "query examples of each set"
    )


def write_weights(
    out: Path, layers: TrainableLayers, beside: Mapping[str, torch.Tensor] | None = None
) -> None:
    """Write the layers' differences from the bundled MiniLM, in float16."""
    with safe_open(model_folder() / "model.safetensors", framework="pt") as base:
        differences = {
            name: (tensor - base.get_tensor(name)).half()
            for name, tensor in layers.changed().items()
        }
    for name, tensor in (beside or {}).items():
        differences[BESIDE + name] = tensor.detach().cpu().contiguous()
    # Not by save_file, which lets nobody but the writer read the file.
    (out / WEIGHTS_FILE).write_bytes(save(differences))


def write_card(out: Path, card: dict[str, Any]) -> None:
    """Write a card, with its weights file's digest and the sample figures of those weights."""
    digest = sha256(out / WEIGHTS_FILE)
    written = card | {"weights_sha256": digest}
    replace_card(out, written)  # an encoder is not loaded without one
    before, after = (sample_accuracy(name) for name in (card["encoder"], f"meta:{out}"))
    sample = {
        "dataset": SAMPLE,
        "shots": SAMPLE_SHOTS,
        "draws": SAMPLE_DRAWS,
        "accuracy": after,
        "before": before,
    }
    replace_card(out, written | {"sample": sample})


def replace_card(out: Path, card: dict[str, Any]) -> None:
    """Write a card as given, over the existing one."""
    text = json.dumps(card, indent=1, ensure_ascii=False) + "\n"
    (out / CARD_FILE).write_text(text, encoding="utf-8")


def sample_accuracy(encoder: str) -> float:
    """The card's check: nearest centroid on a bundled dataset, averaged over its draws."""
    dataset = load_dataset(SAMPLE)
    vectors = load_encoder(encoder, normalisation="l2", cache=False).encode(dataset)
    return dataset_accuracy(dataset, vectors, SAMPLE_SHOTS, SAMPLE_DRAWS)


def code_version() -> str:
    """Digest of the code that makes a checkpoint, and so of what its settings mean."""
    package = Path(__file__).parents[1]
    more = (package / "encoders" / "trainable.py", package / "methods" / "leopard.py")
    files = [*sorted((package / "meta").glob("*.py")), *more]
    contents = b"\n".join(file.read_bytes() for file in files)
    return blake2b(contents, digest_size=8).hexdigest()


def described(source: Source, use: str, n_tasks: int) -> dict[str, Any]:
    """A source and the number of tasks that were made of it."""
    unused = use == "training" and not n_tasks
    return {
        "name": source.name,
        "title": "",
        "licence": "not known",
        "rows": len(source.examples),
        "classes": {label: len(rows) for label, rows in source.rows.items()},
        "use": "none (read, but too few rows for a task)" if unused else use,
        "tasks": n_tasks,
        "sha256": source.sha256,
    }
