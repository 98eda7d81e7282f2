"""``meta-train``: meta-train an encoder and write it as a checkpoint."""

from __future__ import annotations

import argparse
import time
from typing import Any

from slp_core.cli.arguments import Commands, count, given_path
from slp_core.cli.printing import note
from slp_core.progress import Progress


def add(commands: Commands) -> None:
    from slp_core.meta.settings import METHODS, PRESETS

    meta = commands.add_parser(
        "meta-train",
        help="meta-train an encoder and write it as a checkpoint",
        description="Teach the top layers of MiniLM on many small tasks, and keep what does best "
        "on the validation sets. The same command goes on after an interruption, to the same "
        "result.",
        epilog="FOLDER holds *_train.jsonl to train on and validation_*.jsonl to validate on, "
        "gzipped or not: one object per line with sentence1, label and, for pairs, sentence2. "
        "OUT gets model.safetensors, card.json and log.jsonl, the curves.",
    )
    meta.add_argument(
        "--data",
        required=True,
        type=given_path,
        metavar="FOLDER",
        help="a validation file needs 2 to 100 classes and, where it has K, 100 / K + 32 rows of "
        "each (rounded down): 82 where there are two",
    )
    meta.add_argument("--out", required=True, type=given_path, metavar="OUT")
    meta.add_argument("--title", help="what lists call it (default: after the method)")
    meta.add_argument("--method", choices=METHODS, default=METHODS[0])
    meta.add_argument(
        "--preset",
        choices=PRESETS,
        default=PRESETS[0],
        help="minilm: for the small bundled encoder (default); paper: the paper's values",
    )
    meta.add_argument(
        "--device",
        choices=("auto", "cpu", "cuda", "mps"),
        default="cpu",
        help="where it is computed, in float32 (default: cpu); auto: cuda where there is one, else "
        "cpu; the card names it",
    )
    meta.add_argument(
        "--bf16",
        action="store_const",
        const=True,
        help="round matrix products to bfloat16, which a GPU does faster; the card says so",
    )
    meta.add_argument("--encoder", metavar="NAME", help="what is trained (default: minilm-l4)")
    for name, what in (
        ("steps", "outer steps"),
        ("patience", "outer steps without a better validation before the run stops"),
        ("max-classes", "classes of a task at most; more than two for protonet only"),
        ("shots", "shots per class"),
        ("batch-size", "examples of an inner step's loss"),
        ("tasks-per-step", "tasks an outer step averages"),
        ("inner-steps", "steps on a task"),
        ("n-trainable", "trained layers, from the top"),
        ("max-tokens", "token limit"),
        ("validate-every", "outer steps between validations"),
    ):
        meta.add_argument(f"--{name}", type=count, metavar="N", help=what)
    for name, what in (
        ("outer-rate", "outer learning rate at the start"),
        ("final-outer-rate", "and at the end"),
        ("pull", "way back to the base's weights after each outer step, times the outer rate"),
        ("averaging", "share that the running mean of the weights keeps at a step; 0: no mean"),
        ("encoder-rate", "inner learning rate of the layers"),
        ("head-rate", "and of the heads"),
        ("temperature", "of the nearest-centroid rule that heads start from"),
    ):
        meta.add_argument(f"--{name}", type=float, metavar="RATE", help=what)
    meta.add_argument("--seed", type=int, metavar="N", help="0 or more (default: 0)")
    meta.set_defaults(command=meta_train)


def meta_train(options: argparse.Namespace) -> int:
    from dataclasses import fields

    from slp_core.encoders.checkpoint import chosen_device
    from slp_core.meta import training
    from slp_core.meta.settings import MetaSettings, preset_settings

    given = vars(options)
    names = {field.name for field in fields(MetaSettings)} - {"method", "preset"}
    changes = {name: given[name] for name in names if given.get(name) is not None}
    settings = preset_settings(options.method, options.preset, **changes)
    shown = time.monotonic()

    def progress(state: Progress, loss: float, last: dict[str, Any], best: dict[str, Any]) -> None:
        nonlocal shown
        validated = state.done % settings.validate_every == 0 or state.done == state.total
        if not validated and time.monotonic() - shown < 10.0:
            return
        shown = time.monotonic()
        left = "" if state.seconds_left is None else f", {state.seconds_left / 60:.0f} min left"
        note(
            f"step {state.done}/{state.total}: loss {loss:.3f}, validation "
            f"{100 * last['validation']:.1f}% (best {100 * best['validation']:.1f}% at step "
            f"{best['step']}){left}"
        )

    device = chosen_device(options.device)
    if options.device == "auto":
        note(f"computing on {device}")

    def resumed(step: int) -> None:
        note(
            f"{options.out} holds a run that was stopped: going on from step {step} of at most "
            f"{settings.steps}, where it was last saved."
        )

    training.meta_train(
        options.data,
        options.out,
        settings,
        title=options.title,
        device=device,
        progress=progress,
        resumed=resumed,
    )
    print(f"{options.out}: a checkpoint; use it as --encoder meta:{options.out}")
    return 0
