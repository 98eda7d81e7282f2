"""``evaluate`` and ``report``: runs of methods on tasks, and their results."""

from __future__ import annotations

import argparse
import warnings

from slp_core.cli.arguments import (
    DATA_HELP,
    Commands,
    Words,
    add_encoder_options,
    count,
    given_path,
    with_options,
)
from slp_core.cli.printing import ProgressLine, fetch, note
from slp_core.errors import SLPError


def add(commands: Commands) -> None:
    from slp_core.methods.table import METHODS

    many = commands.add_parser(
        "evaluate",
        help="run methods on tasks and write one row a run",
        description="Run every method on every task, encoder, number of shots, draw and seed, and "
        "write one row a run. Runs whose rows FILE.csv already holds are not done again, so the "
        "same command goes on after an interruption. Rows of other data or another encoder under "
        "the same name are refused; delete the file after a change of code. "
        "Accuracy and macro-F1 are fractions, NLL is in nats.",
        epilog=f"Methods: {', '.join(METHODS)}. Those without randomness are run with seed 0 only. "
        "Exit status: 0, or 1 if a task or a run failed; an empty draw is named and skipped.",
    )
    many.add_argument("--data", required=True, nargs="+", metavar="DATA", help=f"each {DATA_HELP}")
    many.add_argument(
        "--encoder",
        nargs="+",
        default=[],
        action=Words,
        metavar="NAME",
        help="see `encoders`; default: each dataset's own",
    )
    add_encoder_options(many)
    many.add_argument(
        "--methods",
        required=True,
        nargs="+",
        action=Words,
        metavar="NAME",
        help="see `methods`; separated by commas or spaces",
    )
    many.add_argument(
        "--shots",
        nargs="+",
        type=count,
        default=[4, 8, 16],
        metavar="N",
        help="shots per class (default: 4 8 16)",
    )
    for name, default, what in (
        ("draws", None, "draws 0 to N - 1 (default: all that come with the data, else 10)"),
        ("seeds", 1, "seeds 0 to N - 1 (default: 1)"),
        (
            "ways",
            None,
            "each draw is of N classes, chosen at random; rows call the task "
            "'NAME (N-way)' (default: all classes)",
        ),
    ):
        many.add_argument(f"--{name}", type=count, default=default, metavar="N", help=what)
    where = many.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs",
        type=count,
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
    many.add_argument("--out", required=True, type=given_path, metavar="FILE.csv")
    many.add_argument(
        "--predictions",
        type=given_path,
        metavar="FILE.parquet",
        help="write what each run predicts too: one row a query example, with its row in the data, "
        "the true and the predicted class, and the probability of each class",
    )
    many.add_argument("--report", action="store_true", help="print the report at the end")
    many.set_defaults(command=evaluate)
    table = commands.add_parser(
        "report",
        help="print results and the published ones",
        description="Print a results file as Markdown: mean ± standard deviation (runs) for each "
        "setting, with the published results, wins, losses and ties.",
    )
    table.add_argument("--results", required=True, type=given_path, metavar="FILE.csv")
    table.add_argument(
        "--against",
        metavar="SYSTEM",
        help="compare every method with this system of the paper, such as DeepSLP "
        "(default: each with the same method)",
    )
    table.set_defaults(command=report)


def evaluate(options: argparse.Namespace) -> int:
    from slp_core.evaluation import runner
    from slp_core.evaluation.protocol import find_tasks

    if (options.combine or options.chunks) and not options.encoder:
        raise SLPError("--combine and --chunks are options of an encoder: name it with --encoder.")
    tasks = find_tasks(options.data)
    encoders = [with_options(name, options) for name in options.encoder]
    for name in encoders:
        fetch(name)
    progress = ProgressLine()
    # joblib's, where the command is interrupted: what that means is said by `main`. And Dask's, of
    # the rows, which it would have scattered.
    for told in (".*which were still being processed", "Sending large graph"):
        warnings.filterwarnings("ignore", told, UserWarning)
    outcome = runner.evaluate(
        tasks,
        options.methods,
        options.out,
        encoders=encoders,
        normalisation=options.normalisation,
        shots=options.shots,
        n_draws=options.draws,
        n_seeds=options.seeds,
        n_jobs=options.jobs,
        dask=options.dask,
        ways=options.ways,
        predictions=options.predictions,
        progress=progress,
    )
    progress.end()
    skipped = [f"skipped: {line}" for line in outcome.skipped]
    for line in (*outcome.remarks, *skipped, *(f"failed: {line}" for line in outcome.failed)):
        note(line)
    note(f"{options.out}: {outcome.n_new} rows added, {outcome.n_kept} were there already.")
    if options.report and (outcome.n_new or outcome.n_kept):
        report(argparse.Namespace(results=options.out, against=None))
    return 1 if outcome.failed else 0


def report(options: argparse.Namespace) -> int:
    from slp_core.evaluation.report import markdown_report
    from slp_core.evaluation.results import read_results

    print(markdown_report(read_results(options.results), options.against), end="")
    return 0
