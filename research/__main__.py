"""The command line ``python -m research COMMAND``; see README.md."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from slp_core.cli.arguments import count, given_path
from slp_core.cli.printing import note
from slp_core.errors import SLPError
from slp_core.meta.settings import METHODS

if TYPE_CHECKING:
    from research.stored import Evaluation


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status, 2 for invalid requests."""
    options = parser().parse_args(arguments)
    try:
        options.command(options)
    except SLPError as error:
        print(f"research: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("research: interrupted; what was written is kept.", file=sys.stderr)
        return 130
    return 0


def parser() -> argparse.ArgumentParser:
    """All commands, each with its arguments and what it calls."""
    whole = argparse.ArgumentParser(
        prog="python -m research",
        description="How the bundled checkpoints and the stored table of runs were made.",
    )
    commands = whole.add_subparsers(metavar="COMMAND", required=True)

    one = commands.add_parser("make", help="make a bundled checkpoint, and its rows if asked")
    one.add_argument("names", nargs="+", metavar="NAME", help="of a folder in checkpoints/")
    _add_data(one)
    one.add_argument("--out", required=True, type=given_path, metavar="FOLDER")
    one.add_argument(
        "--steps", type=count, metavar="N", help="outer steps, to try it (default: all)"
    )
    one.add_argument("--tasks", nargs="+", metavar="DATA", help="evaluate on these tasks as well")
    _add_runs(one)
    one.set_defaults(command=make)

    one = commands.add_parser("rows", help="run all that is stored, and write the table")
    one.add_argument("--tasks", nargs="+", required=True, metavar="DATA", help="LEOPARD's folder")
    one.add_argument("--out", required=True, type=given_path, metavar="FOLDER")
    _add_runs(one)
    one.set_defaults(command=rows)

    one = commands.add_parser("interpolate", help="go part of the way back to the base's weights")
    one.add_argument("--checkpoint", required=True, type=given_path, metavar="FOLDER")
    _add_data(one)
    one.add_argument("--out", required=True, type=given_path, metavar="OUT")
    one.add_argument("--shares", nargs="+", type=float, metavar="SHARE", help="of the way, to try")
    one.set_defaults(command=interpolate)

    one = commands.add_parser("average", help="average the weights of several checkpoints")
    one.add_argument("checkpoints", nargs="+", type=given_path, metavar="CHECKPOINT")
    _add_data(one)
    one.add_argument("--out", required=True, type=given_path, metavar="OUT")
    one.add_argument("--title", help="its title (default: Mean of checkpoints)")
    one.set_defaults(command=average)

    one = commands.add_parser("seeds", help="write results of other seeds to a card")
    one.add_argument("checkpoint", type=given_path, metavar="CHECKPOINT", help="gets the results")
    one.add_argument("others", nargs="+", type=given_path, metavar="OTHER", help="of another seed")
    one.set_defaults(command=seeds)

    one = commands.add_parser("compare", help="encoders on the validation sets")
    _add_data(one)
    one.add_argument("names", nargs="*", metavar="NAME", help="default: the bundled checkpoints")
    one.set_defaults(command=compare)

    one = commands.add_parser("families", help="meta-train without a family, evaluate on it")
    _add_data(one)
    one.add_argument("--out", required=True, type=given_path, help="a folder for the trainings")
    one.add_argument("--method", choices=METHODS, default="protonet")
    one.add_argument("--steps", type=count, metavar="N", help="outer steps (default: the method's)")
    one.add_argument("--families", nargs="+", metavar="FAMILY", help="to leave out (default: each)")
    one.set_defaults(command=families)

    one = commands.add_parser("between", help="weights between the base and a mean of trainings")
    one.add_argument("checkpoints", nargs="+", type=given_path, metavar="CHECKPOINT")
    _add_data(one)
    one.add_argument("--shares", nargs="+", type=float, metavar="SHARE")
    one.set_defaults(command=between)

    one = commands.add_parser("weighted", help="shares of two encoders by the support set")
    one.add_argument("checkpoint", metavar="NAME", help="of a bundled checkpoint")
    _add_data(one)
    one.set_defaults(command=weighted)
    return whole


def _add_data(one: argparse.ArgumentParser) -> None:
    one.add_argument(
        "--data", required=True, type=given_path, metavar="FOLDER", help="the auxiliary files"
    )


def _add_runs(one: argparse.ArgumentParser) -> None:
    one.add_argument("--shots", nargs="+", type=count, default=[4, 8, 16], metavar="N")
    one.add_argument("--draws", type=count, metavar="N", help="default: all")
    one.add_argument("--jobs", type=count, default=1, metavar="N", help="worker processes")


def make(options: argparse.Namespace) -> None:
    """Checkpoints by their recipes and, with tasks, a table of their rows."""
    from research import recipes, stored

    made = {
        name: recipes.make(name, options.data, options.out, options.steps) for name in options.names
    }
    for folder in made.values():
        _tell_written(folder)
    if options.tasks:
        encoders = {f"meta:{folder}": name for name, folder in made.items()}
        plain = stored.Evaluation(tuple(encoders), ("deep_slp", "nearest_centroid"))
        _evaluate(options, [plain], encoders)


def rows(options: argparse.Namespace) -> None:
    """All that is stored."""
    from research.stored import EVALUATIONS

    options.out.mkdir(parents=True, exist_ok=True)
    _evaluate(options, EVALUATIONS, {})


def _evaluate(
    options: argparse.Namespace, evaluations: Sequence[Evaluation], names: dict[str, str]
) -> None:
    from research import stored
    from slp_core.evaluation.paper import STORED

    results, table = options.out / "runs.csv", options.out / STORED
    outcomes = stored.run(
        options.tasks,
        results,
        evaluations,
        shots=options.shots,
        n_draws=options.draws,
        n_jobs=options.jobs,
    )
    for outcome in outcomes:
        for line in (*outcome.skipped, *outcome.failed):
            note(line)
    about = [
        f"{', '.join(names.get(name, name) for name in each.encoders)}: {', '.join(each.methods)}"
        for each in evaluations
    ]
    stored.pack(results, table, about, names)
    print(f"{table}: {sum(outcome.n_new + outcome.n_kept for outcome in outcomes)} rows")


def interpolate(options: argparse.Namespace) -> None:
    """The best of the weights between an encoder and a checkpoint."""
    from research import interpolation

    def progress(tried: interpolation.Tried) -> None:
        note(
            f"{tried.share:.0%} of the way: validation {tried.validation:.1%}, bundled texts "
            f"{tried.samples:.1%}, mean {tried.both:.1%}"
        )

    shares = tuple(options.shares or interpolation.SHARES)
    interpolation.interpolate(options.checkpoint, options.data, options.out, shares, progress)
    _tell_written(options.out)


def average(options: argparse.Namespace) -> None:
    """The mean of several checkpoints' weights."""
    from research import averaging

    averaging.average(options.checkpoints, options.data, options.out, options.title)
    _tell_written(options.out)


def seeds(options: argparse.Namespace) -> None:
    """Write results of other seeds to a card."""
    from research.seeds import note_seeds
    from slp_core.encoders.cards import read_encoder_card
    from slp_core.encoders.text import seeds_texts

    note_seeds(options.checkpoint, options.others)
    for sentence in seeds_texts(read_encoder_card(f"meta:{options.checkpoint}")):
        print(sentence)


def compare(options: argparse.Namespace) -> None:
    """Encoders, alone and concatenated with MiniLM."""
    from research.validation import compared
    from slp_core.encoders.meta_checkpoint import find_checkpoints

    _print(compared(options.data, options.names or [path.name for path in find_checkpoints()]))


def families(options: argparse.Namespace) -> None:
    """Families of tasks left out of the training."""
    from research.families import FAMILIES, left_out

    chosen = options.families or list(FAMILIES)
    if unknown := set(chosen) - set(FAMILIES):
        raise SLPError(f"There is no family {min(unknown)!r}: choose from {', '.join(FAMILIES)}.")
    _print(left_out(chosen, options.data, options.out, options.method, options.steps))


def between(options: argparse.Namespace) -> None:
    """Shares of the way to a mean of trainings."""
    from research.between import SHARES, tried

    _print(tried(options.data, options.checkpoints, options.shares or SHARES))


def weighted(options: argparse.Namespace) -> None:
    """Rules for the share of two encoders."""
    from research.weighted import tried

    _print(tried(options.data, options.checkpoint))


def _print(table: Iterable[list[str]]) -> None:
    """Print a Markdown table row by row."""
    for number, cells in enumerate(table):
        print("|", " | ".join(cells), "|", flush=True)
        if number == 0:
            print("|" + "---|" * len(cells), flush=True)


def _tell_written(out: Path) -> None:
    print(f"{out}: a checkpoint; use it as --encoder meta:{out}")


if __name__ == "__main__":
    sys.exit(main())
