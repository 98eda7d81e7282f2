"""Write a checkpoint: its differences from the base encoder, and a card on how it was made."""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save

from slp_core.data import load_dataset
from slp_core.encoders import load_encoder
from slp_core.encoders.checkpoint import sha256
from slp_core.encoders.meta_checkpoint import BESIDE, CARD_FILE, FORMAT, WEIGHTS_FILE
from slp_core.encoders.minilm import WEIGHTS_SHA256, model_folder
from slp_core.encoders.trainable import TrainableLayers
from slp_core.meta.episodes import (
    VALIDATION_DRAWS,
    VALIDATION_QUERY,
    VALIDATION_SHOTS,
    Source,
    Task,
)
from slp_core.meta.settings import MetaSettings
from slp_core.meta.validation import dataset_accuracy
from slp_core.methods.leopard import RATES, LeopardNetworks
from slp_core.sentences import count

# A bundled dataset on which whoever has the checkpoint, but not its data, can check it.
SAMPLE, SAMPLE_SHOTS, SAMPLE_DRAWS = "airline", 8, 10

_TITLES = {
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


def write_checkpoint(
    out: Path,
    layers: TrainableLayers,
    settings: MetaSettings,
    networks: LeopardNetworks | None = None,
    *,
    title: str | None = None,
    device: str,
    training: tuple[Source, ...],
    validation: tuple[Source, ...],
    tasks: tuple[Task, ...],
    curve: list[dict[str, Any]],
    best_step: int,
    seconds: float,
) -> None:
    """Write the layers' differences from the base in float16, LEOPARD's networks, and the card."""
    best = next(point for point in curve if point["step"] == best_step)
    beside = {} if networks is None else networks.state_dict()
    if networks is not None:
        beside[RATES] = torch.tensor(best["inner_rates"])
    write_weights(out, layers, beside)
    base_encoder = load_encoder(settings.encoder)
    # A task of two sources is counted with the first: so the counts add up to the tasks.
    n_tasks = Counter(task.sources[0] for task in tasks)
    card = {
        "format": FORMAT,
        "title": f"{title or _TITLES[settings.method]} on {base_encoder.info.title}",
        "description": describe(
            base_encoder.info.title,
            settings,
            len(tasks),
            gained(curve[0]["validation"], best["validation"]),
        ),
        "method": settings.method,
        "encoder": settings.encoder,
        "layer": layers.n_frozen + settings.n_trainable,
        "base_sha256": WEIGHTS_SHA256,
        "settings": asdict(settings),
        "best_step": best_step,
        "validation": {
            "accuracy": best["validation"],
            "before": curve[0]["validation"],
            "sets": best["sets"],
            "how": (
                f"{validated(_tested(settings))}; chosen as the best of {len(curve)} validations, "
                "so a little too high"
            ),
        },
        "inner_rates": best["inner_rates"],
        "curve": curve,
        "data": [
            *(_described(source, "training", n_tasks[source.name]) for source in training),
            *(_described(source, "validation", 0) for source in validation),
        ],
        "minutes": round(seconds / 60, 1),
        "machine": f"{platform.machine()}, {_named(device)}, torch {torch.__version__}",
        "code_version": code_version(),
    }
    write_card(out, card)


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
        f"{by}, {VALIDATION_SHOTS} shots, {VALIDATION_DRAWS} fixed draws, {VALIDATION_QUERY} "
        "query rows of each set"
    )


def _tested(settings: MetaSettings) -> str:
    """The classifiers that are validated."""
    if settings.method == "leopard":
        return f"LEOPARD's own classifiers, each after {settings.inner_steps} inner steps"
    return "nearest centroid"


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


def _named(device: str) -> str:
    """A device as a card names it: a GPU with its maker's name."""
    return f"{device} ({torch.cuda.get_device_name()})" if device == "cuda" else device


def _described(source: Source, use: str, n_tasks: int) -> dict[str, Any]:
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
