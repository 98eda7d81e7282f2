"""The command line: ``slp COMMAND`` or ``python -m slp_core COMMAND``, where COMMAND is one of
``datasets``, ``encoders``, ``methods``, ``encode``, ``evaluate``, ``report``, ``meta-train``,
``meta-interpolate``, ``meta-average``, ``meta-seeds`` and ``export-encoder``.

Results go to standard output, progress and notes to standard error. Exit status: 0 when all was
done, 1 when something asked for could not be (and was named), 2 when the request itself needs
mending, 130 when interrupted.
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from slp_core.errors import SLPError
from slp_core.markdown import unmarked

if TYPE_CHECKING:
    from slp_core.encoders import Progress

DATA_HELP = (
    "a LEOPARD task folder, a folder of task folders, a dataset file (CSV, JSONL, ...), "
    "or the name of a bundled dataset (see `datasets`)"
)
# What is wrong with a path itself; asking whether there is a file may raise them already.
_OF_A_PATH = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG, errno.ELOOP}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; ``arguments`` default to those of the process. Returns the exit status."""
    options = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        status = command(options)
        sys.stdout.flush()  # what cannot be written is to be known here, and not at the very end
        return status
    except SLPError as error:
        print(f"slp_core: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # its reader, such as `head`, has read what it wanted
        _write_no_more()
        return 0
    except OSError as error:
        if error.errno in _OF_A_PATH and error.filename is not None:
            why = f"{error.filename} can be neither read nor written here ({error.strerror})"
            print(f"slp_core: {why}: name another path, or mend this one.", file=sys.stderr)
            return 2
        if error.errno != errno.ENOSPC:
            raise
        _write_no_more()
        print("slp_core: what was found cannot be written: the disk is full.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("slp_core: interrupted; what was written is kept.", file=sys.stderr)
        return 130


def _write_no_more() -> None:
    """Python itself writes what is left as it ends, and would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def datasets(options: argparse.Namespace) -> int:
    """List the bundled datasets."""
    from slp_core.data import list_datasets

    _print_table(
        ("name", "kind", "classes", "group", "title", "what it is"),
        (
            (info.name, info.kind, str(info.n_classes), info.group, info.title, info.description)
            for info in list_datasets()
        ),
    )
    return 0


def encoders(options: argparse.Namespace) -> int:
    """List the encoders."""
    from slp_core.encoders import list_encoders

    _print_table(
        ("name", "kinds", "title", "what it is"),
        (
            (info.name, " ".join(info.kinds), info.title, info.description)
            for info in list_encoders()
        ),
    )
    _note("Any other BERT-like model is named hf:FOLDER or hf:HUB-ID, as in hf:bert-base-uncased;")
    _note("a folder that meta-train has written, meta:FOLDER.")
    return 0


def methods(options: argparse.Namespace) -> int:
    """List the methods."""
    from slp_core.methods.table import METHODS

    _print_table(
        ("name", "reads", "title", "what it does"),
        ((method.name, method.reads, method.title, method.sentence) for method in METHODS.values()),
    )
    _note("Those that read vectors are fitted on an encoder's; those that read texts train it.")
    return 0


def encode(options: argparse.Namespace) -> int:
    """Write the embeddings of one dataset as a NumPy file."""
    import numpy as np

    from slp_core.encoders import load_encoder
    from slp_core.evaluation.protocol import find_tasks

    tasks = find_tasks([options.data])
    if len(tasks) > 1:
        raise SLPError(
            f"{options.data} holds {len(tasks)} tasks, and one file takes the embeddings of one: "
            "name a single task folder."
        )
    task = tasks[0]
    dataset = task.load()
    encoder = load_encoder(
        options.encoder or dataset.default_encoder, normalisation=options.normalisation
    )
    progress = _ProgressLine()
    with _written(options.out) as file:  # what cannot be written is said before it is computed
        embeddings = encoder.encode(
            dataset, progress=lambda state: progress(f"{task.name}: encoding", state)
        )
        progress.end()
        np.save(file, embeddings)
    for remark in dataset.warnings:
        _note(unmarked(str(remark)))
    if encoder.by_draw:
        how = (
            "Columns are standardised by all rows here"
            if dataset.kind == "numeric"
            else "The two encoders are weighted as where nothing is known of the classes here"
        )
        _note(f"{how}; `evaluate` does it by each draw's support set.")
    if encoder.n_truncated:
        _note(f"{encoder.n_truncated} texts are longer than the token limit and were cut.")
    n, d = embeddings.shape
    print(f"{options.out}: {n} rows of {d} numbers (float32), in the order of the dataset's rows")
    return 0


@contextmanager
def _written(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes its name once all is written, and none if anything fails."""
    if path.is_dir():  # "." has not even a name to make the scratch file's from
        raise SLPError(f"{path} cannot be written: it is a folder; name a file.")
    scratch = path.with_name(f".{path.name}.part")
    try:
        with open(scratch, "wb") as file:
            yield file
        os.replace(scratch, path)
    except OSError as error:
        if error.filename not in (None, str(scratch)):  # of what was read meanwhile
            raise
        raise SLPError(f"{path} cannot be written: {error.strerror or error}.") from error
    finally:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)


def evaluate(options: argparse.Namespace) -> int:
    """Run methods on tasks and write one row a run."""
    from slp_core.evaluation import find_tasks, runner

    tasks = find_tasks(options.data)
    progress = _ProgressLine()
    # joblib's, where the command is interrupted: what that means is said by `main`.
    warnings.filterwarnings("ignore", ".*which were still being processed", UserWarning)
    outcome = runner.evaluate(
        tasks,
        options.methods,
        options.out,
        encoders=options.encoder,
        normalisation=options.normalisation,
        shots=options.shots,
        n_draws=options.draws,
        n_seeds=options.seeds,
        n_jobs=options.jobs,
        dask=options.dask,
        progress=progress,
    )
    progress.end()
    for line in outcome.remarks:
        _note(line)
    for line in outcome.skipped:
        _note(f"skipped: {line}")
    for line in outcome.failed:
        _note(f"failed: {line}")
    _note(f"{options.out}: {outcome.n_new} rows added, {outcome.n_kept} were there already.")
    if options.report and (outcome.n_new or outcome.n_kept):
        _print_report(options.out, None)
    return 1 if outcome.failed else 0


def meta_train(options: argparse.Namespace) -> int:
    """Meta-train an encoder and write it as a checkpoint."""
    from dataclasses import fields

    from slp_core.meta import training
    from slp_core.meta.settings import MetaSettings, preset_settings

    given = vars(options)
    names = {field.name for field in fields(MetaSettings)} - {"method", "preset"}
    changes = {name: given[name] for name in names if given.get(name) is not None}
    settings = preset_settings(options.method, options.preset, **changes)
    shown = time.monotonic()

    def progress(state: training.MetaProgress) -> None:
        nonlocal shown
        validated = state.step % settings.validate_every == 0 or state.step == state.steps
        if not validated and time.monotonic() - shown < 10.0:
            return
        shown = time.monotonic()
        left = "" if state.seconds_left is None else f", {state.seconds_left / 60:.0f} min left"
        _note(
            f"step {state.step}/{state.steps}: loss {state.loss:.3f}, validation "
            f"{100 * state.validation:.1f}% (best {100 * state.best:.1f}% at step "
            f"{state.best_step}){left}"
        )

    device = training.chosen_device(options.device)
    if options.device == "auto":
        _note(f"computing on {device}")

    def resumed(step: int) -> None:
        _note(
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


def meta_interpolate(options: argparse.Namespace) -> int:
    """Write the best of the weights between an encoder and a checkpoint."""
    from slp_core.meta.interpolation import SHARES, Tried, interpolate

    def progress(tried: Tried) -> None:
        _note(
            f"{tried.share:.0%} of the way: validation {tried.validation:.1%}, bundled texts "
            f"{tried.samples:.1%}, mean {tried.both:.1%}"
        )

    shares = tuple(options.shares or SHARES)
    interpolate(options.checkpoint, options.data, options.out, shares, progress)
    print(f"{options.out}: a checkpoint; use it as --encoder meta:{options.out}")
    return 0


def meta_average(options: argparse.Namespace) -> int:
    """Write the mean of several checkpoints' weights."""
    from slp_core.meta.averaging import average

    average(options.checkpoints, options.data, options.out, options.title)
    print(f"{options.out}: a checkpoint; use it as --encoder meta:{options.out}")
    return 0


def meta_seeds(options: argparse.Namespace) -> int:
    """Write onto a checkpoint's card what the same training came to from other seeds."""
    from slp_core.encoders.cards import read_encoder_card
    from slp_core.meta.seeds import note_seeds

    note_seeds(options.checkpoint, options.others)
    for told in read_encoder_card(f"meta:{options.checkpoint}").seeds_facts():
        print(told)
    return 0


def export_encoder(options: argparse.Namespace) -> int:
    """Write an encoder as a folder that other programs load."""
    from slp_core.encoders import load_encoder
    from slp_core.encoders.export import export_encoder

    encoder = load_encoder(options.name, normalisation=options.normalisation)
    export_encoder(encoder, options.folder)
    print(f"{options.folder}: {encoder.info.title}; here it is --encoder hf:{options.folder}")
    return 0


def report(options: argparse.Namespace) -> int:
    """Print a results file as a Markdown table, beside the paper's figures."""
    _print_report(options.results, options.against)
    return 0


def _print_report(path: Path, against: str | None) -> None:
    from slp_core.evaluation import markdown_report, read_results

    print(markdown_report(read_results(path), against), end="")


def _parser() -> argparse.ArgumentParser:
    from slp_core.methods.table import METHODS

    parser = argparse.ArgumentParser(
        prog="slp" if Path(sys.argv[0]).stem == "slp" else "python -m slp_core",
        description="Few-shot classifiers made of soft-label prototypes: embed and evaluate.",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    listing = commands.add_parser("datasets", help="list the bundled datasets")
    listing.set_defaults(command=datasets)

    listing = commands.add_parser("encoders", help="list the encoders")
    listing.set_defaults(command=encoders)

    listing = commands.add_parser("methods", help="list the methods")
    listing.set_defaults(command=methods)

    one = commands.add_parser(
        "encode",
        help="write a dataset's embeddings as a NumPy file",
        description="Write the embeddings of one dataset: float32, one row an example.",
    )
    one.add_argument("--data", required=True, metavar="DATA", help=DATA_HELP)
    one.add_argument("--encoder", metavar="NAME", help="see `encoders`; default: the dataset's own")
    _add_normalisation(one)
    one.add_argument("--out", required=True, type=Path, metavar="FILE.npy")
    one.set_defaults(command=encode)

    many = commands.add_parser(
        "evaluate",
        help="run methods on tasks and write one row a run",
        description="Run every method on every task, encoder, number of shots, draw and seed, and "
        "write one row a run. Runs whose rows FILE.csv already holds are not done again, so the "
        "same command goes on after an interruption; delete the file after a change of data or "
        "code. Accuracy and macro-F1 are fractions, NLL is in nats.",
        epilog=f"Methods: {', '.join(METHODS)}. Those without randomness are run with seed 0 only. "
        "Exit status: 0, or 1 if a task or a run failed; an empty draw is named and skipped.",
    )
    many.add_argument("--data", required=True, nargs="+", metavar="DATA", help=f"each {DATA_HELP}")
    many.add_argument(
        "--encoder",
        nargs="+",
        default=[],
        action=_Words,
        metavar="NAME",
        help="see `encoders`; default: each dataset's own",
    )
    _add_normalisation(many)
    many.add_argument(
        "--methods",
        required=True,
        nargs="+",
        action=_Words,
        metavar="NAME",
        help="see `methods`; separated by commas or spaces",
    )
    many.add_argument(
        "--shots",
        nargs="+",
        type=_count,
        default=[4, 8, 16],
        metavar="N",
        help="support examples a class (default: 4 8 16)",
    )
    many.add_argument(
        "--draws",
        type=_count,
        metavar="N",
        help="draws 0 to N - 1 (default: all that come with the data, else 10)",
    )
    many.add_argument(
        "--seeds", type=_count, default=1, metavar="N", help="seeds 0 to N - 1 (default: 1)"
    )
    where = many.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs",
        type=_count,
        default=1,
        metavar="N",
        help="worker processes, one thread each (default: 1)",
    )
    where.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="carry the runs out on the workers of this Dask scheduler instead, such as "
        "tcp://127.0.0.1:8786",
    )
    many.add_argument("--out", required=True, type=Path, metavar="FILE.csv")
    many.add_argument("--report", action="store_true", help="print the report at the end")
    many.set_defaults(command=evaluate)

    table = commands.add_parser(
        "report",
        help="print results beside the paper's figures",
        description="Print a results file as Markdown: mean ± standard deviation (runs) for each "
        "setting, beside the paper's figures, with wins and losses.",
    )
    table.add_argument("--results", required=True, type=Path, metavar="FILE.csv")
    table.add_argument(
        "--against",
        metavar="SYSTEM",
        help="set every method beside this system of the paper, such as DeepSLP "
        "(default: each beside its own counterpart)",
    )
    table.set_defaults(command=report)
    _add_meta_train(commands)
    _add_meta_interpolate(commands)
    _add_meta_average(commands)
    _add_meta_seeds(commands)
    _add_export_encoder(commands)
    return parser


def _add_meta_train(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from slp_core.meta.settings import METHODS, PRESETS

    meta = commands.add_parser(
        "meta-train",
        help="meta-train an encoder and write it as a checkpoint",
        description="Teach the top layers of MiniLM on many small tasks, and keep what does best "
        "on the validation sets. The same command goes on after an interruption, to the same "
        "result.",
        epilog="FOLDER holds *_train.jsonl to train on and validation_*.jsonl to validate on, "
        "gzipped or not: one object a line with sentence1, label and, for pairs, sentence2. "
        "OUT gets model.safetensors, card.json and log.jsonl, the curves.",
    )
    meta.add_argument(
        "--data",
        required=True,
        type=Path,
        metavar="FOLDER",
        help="a validation file needs 2 to 100 classes and, where it has K, 100 / K + 32 rows of "
        "each (rounded down): 82 where there are two",
    )
    meta.add_argument("--out", required=True, type=Path, metavar="OUT")
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
        ("shots", "support examples a class"),
        ("batch-size", "examples of an inner step's loss"),
        ("tasks-per-step", "tasks an outer step averages"),
        ("inner-steps", "steps on a task"),
        ("n-trainable", "trained layers, from the top"),
        ("max-tokens", "token limit"),
        ("validate-every", "outer steps between validations"),
    ):
        meta.add_argument(f"--{name}", type=_count, metavar="N", help=what)
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


def _add_meta_interpolate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    between = commands.add_parser(
        "meta-interpolate",
        help="go part of the way back from a checkpoint's weights to the encoder's own",
        description="Try weights between an encoder and what meta-training made of it, on the "
        "validation sets and the bundled sample data, and write the best as a checkpoint: "
        "meta-training makes an encoder forget what its validation sets do not ask for.",
    )
    between.add_argument("--checkpoint", required=True, type=Path, metavar="FOLDER")
    between.add_argument(
        "--data", required=True, type=Path, metavar="FOLDER", help="with validation_*.jsonl"
    )
    between.add_argument("--out", required=True, type=Path, metavar="OUT")
    between.add_argument(
        "--shares",
        nargs="+",
        type=float,
        metavar="SHARE",
        help="of the way that are tried, 1 being all of it (default: 0.25 0.5 0.75 1)",
    )
    between.set_defaults(command=meta_interpolate)


def _add_meta_average(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    mean = commands.add_parser(
        "meta-average",
        help="average the weights of several checkpoints",
        description="Write the mean of the weights of several checkpoints of one encoder, as a "
        "checkpoint. What one of them forgot, another may have kept.",
    )
    mean.add_argument("checkpoints", nargs="+", type=Path, metavar="CHECKPOINT")
    mean.add_argument(
        "--data", required=True, type=Path, metavar="FOLDER", help="with validation_*.jsonl"
    )
    mean.add_argument("--out", required=True, type=Path, metavar="OUT")
    mean.add_argument("--title", default="Mean of checkpoints", help="default: %(default)s")
    mean.set_defaults(command=meta_average)


def _add_meta_seeds(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    seeds = commands.add_parser(
        "meta-seeds",
        help="note on a checkpoint's card what its training came to from other seeds",
        description="Write the accuracies of trainings that differ in their seed alone onto a "
        "checkpoint's card, from where pages and tables take the spread.",
    )
    seeds.add_argument("checkpoint", type=Path, metavar="CHECKPOINT", help="gets the figures")
    seeds.add_argument(
        "others", nargs="+", type=Path, metavar="OTHER", help="checkpoint of another seed"
    )
    seeds.set_defaults(command=meta_seeds)


def _add_export_encoder(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = commands.add_parser(
        "export-encoder",
        help="write an encoder as a folder that other programs load",
        description="Write an encoder as a standard folder: sentence_transformers's "
        "SentenceTransformer gives the same vectors from it, transformers's AutoModel the hidden "
        "states. README.md says how it was made.",
    )
    one.add_argument("name", metavar="NAME", help="see `encoders`; or meta:FOLDER")
    one.add_argument("folder", type=Path, metavar="FOLDER", help="not there yet, or empty")
    _add_normalisation(one)
    one.set_defaults(command=export_encoder)


def _add_normalisation(parser: argparse.ArgumentParser) -> None:
    from slp_core.encoders.base import NORMALISATIONS

    parser.add_argument(
        "--normalisation", choices=NORMALISATIONS, help="default: the encoder's own"
    )


def _count(text: str) -> int:
    """Read a whole number of at least 1, as argparse's ``type``."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least 1")
    return int(text)


class _Words(argparse.Action):
    """Names separated by commas, spaces or both; a name given twice counts once."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[str] | None,
        option_string: str | None = None,
    ) -> None:
        before = getattr(namespace, self.dest) or ()  # an option given twice adds to itself
        words = (word.strip() for value in values or () for word in value.split(","))
        names = list(dict.fromkeys([*before, *filter(None, words)]))
        if not names:
            raise argparse.ArgumentError(self, "no name is given: name at least one")
        setattr(namespace, self.dest, names)


class _ProgressLine:
    """Progress on standard error: one line rewritten on a terminal, else a line every 10 s.

    By hand: tqdm rewrites its line in a log too, where each state should stand on a line of its
    own, and would guess the time left from rows, where it is known from tokens.
    """

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._shown = time.monotonic()
        self._width = 0

    def __call__(self, label: str, state: Progress) -> None:
        now = time.monotonic()
        if now - self._shown < (0.1 if self._terminal else 10.0) and state.done < state.total:
            return
        self._shown = now
        left = "" if state.seconds_left is None else f", {state.seconds_left:.0f} s left"
        line = f"{label} {state.done}/{state.total}{left}"
        if self._terminal:
            print(f"\r{line:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(line)
        else:
            print(line, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the rewritten line."""
        if self._width:
            print(file=sys.stderr)


def _note(line: str) -> None:
    print(line, file=sys.stderr)


def _print_table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Print aligned columns; the last one is free to be long."""
    lines = [header, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print(
            "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
        )
