"""Sentences about runs, their comparison and published results, in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slp_core.evaluation.comparison import (
    CONFIDENCE,
    FEWEST,
    RESAMPLES,
    PairedDifference,
    Ranking,
    on_same_draws,
)
from slp_core.evaluation.meta_testing import MetaTest
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.paper import (
    PAPER_DRAWS,
    PAPER_ENCODER_NAME,
    PAPER_SEEDS,
    encoder_title,
    method_title,
    outcome_counts,
    paper_results,
)
from slp_core.evaluation.saved_model import LoadedModel
from slp_core.evaluation.shot_experiments import Experiment
from slp_core.evaluation.shot_search import CANDIDATES, ShotSwap
from slp_core.explain.difference import difference_text
from slp_core.methods.table import Method
from slp_core.sentences import (
    ClassName,
    EncoderName,
    MethodTitle,
    Verbatim,
    class_names,
    count,
    decimals_apart,
    listed,
    number,
    percent,
    signed,
)

if TYPE_CHECKING:
    import pandas as pd

_NAMED = 4  # methods that a sentence names

SD_TIP = "SD: standard deviation over the support sets (population SD)."
CI_TIP = (
    f"{CONFIDENCE:.0%} confidence interval of the mean difference: BCa bootstrap over the support "
    f"sets, {RESAMPLES:,} resamples. It says how far the difference may be due to which examples "
    f"were drawn. With fewer than {FEWEST} support sets the band is the range of the differences; "
    "with 10 or fewer the interval tends to be too narrow."
)
COSTS_TIP = (
    "*Trainable*: parameters that fitting chooses. *Stored*: all numbers that a prediction needs, "
    "prototypes or stored examples too. The encoder counts only where it is trained. Both are "
    "counted on the first support set. The paper reports 1,500 to 10,000 per line for DeepSLP, "
    "50,000 to 100,000 for LoRA of rank 2 and over 10⁸ for a fine-tuned BERT. Fit times depend on "
    "this machine and on what else it does."
)


def signed_points(difference: float) -> str:
    """A difference of accuracies (−1 to 1) with its sign: "+0.6 percentage points"."""
    return f"{signed(100 * difference, 1)} percentage points"


def outcomes_text(wins: int, losses: int, ties: int) -> str:
    each = count(wins, "win"), count(losses, "loss", "losses"), count(ties, "tie")
    return ", ".join(each)


# Over support sets


def ranking_text(ranking: Ranking) -> str:
    """Which method wins, by how much, and whether that could be chance."""
    where = f"{Verbatim(ranking.dataset)} ({count(ranking.shots, 'shot')} per class)"
    if not ranking.names:
        return f"No method has finished on {where}: {unfinished_text(ranking)}."
    first = MethodTitle(ranking.names[0])
    sets = count(len(ranking.draws), "support set")
    if not ranking.draws:
        return f"The {len(ranking.names)} methods on {where} share no support set to compare on."
    if ranking.lead is None:
        return f"{first} on {where}: accuracy {ranking.mean[0]:.1%} over {sets}."
    others = [f"{MethodTitle(name):inside}" for name in ranking.runners_up]
    interval = interval_text(ranking.lead)
    if ranking.lead.distinguishable:
        return (
            f"{first} wins on {where}, ahead of {listed(others, _NAMED)}: {ranking.mean[0]:.1%} "
            f"against {ranking.mean[1]:.1%}, difference {signed_points(ranking.lead.mean)}, "
            f"{interval}."
        )
    means = [f"{mean:.1%}" for mean in ranking.mean[: 1 + len(others)]]
    why = "" if ranking.lead.interval else f" ({interval})"
    if len(means) == len(ranking.names):  # nobody is behind
        each = [f"{n} {mean}" for n, mean in zip([f"{first:inside}", *others], means, strict=True)]
        return f"No clear winner on {where}: {listed(each, _NAMED)}{why}."
    return (
        f"{listed([first, *others], _NAMED)} lead on {where} with {listed(means, _NAMED)}: "
        f"no clear winner{why}."
    )


def unfinished_text(ranking: Ranking) -> str:
    return listed(
        [
            f"{MethodTitle(name)} ({len(run.draws)} of "
            f"{count(len(run.draws) + run.missing, 'support set')})"
            for name, run in ranking.unfinished.items()
        ]
    )


def interval_text(difference: PairedDifference) -> str:
    """The confidence interval of the mean difference in percentage points, if there is one."""
    if difference.interval is None:
        n = count(len(difference.draws), "support set")
        return f"{n}: too few for a confidence interval"
    low, high = (100 * end for end in difference.interval)
    near = min(abs(low), abs(high))
    digits = decimals_apart(near, 0.0, 1) if difference.distinguishable else 1
    text = f"{CONFIDENCE:.0%} CI {number(low, digits)} to {number(high, digits)}"
    return text if difference.distinguishable else f"{text}, which includes 0"


def paired_text(difference: PairedDifference) -> str:
    a, b = MethodTitle(difference.a), MethodTitle(difference.b)
    return (
        f"{a} − {b:inside}: {signed_points(difference.mean)} ({interval_text(difference)}); "
        f"{outcomes_text(*difference.outcomes)}."
    )


def draws_text(runs: Sequence[MethodRuns]) -> str:
    numbers = sorted({len(run.draws) for run in runs})
    least = f"{numbers[0]} to " if len(numbers) > 1 else ""
    return f"{least}{count(numbers[-1], 'support set')}"


def means_text(runs: Sequence[MethodRuns]) -> str:
    """What means are averaged over, and whether these are the same support sets."""
    text = f"Mean ± SD over {draws_text(runs)}."
    if not on_same_draws(runs):
        text += " Support sets differ between methods, which may cause part of a difference."
    return text


def explained_text(b: str, here: str, there: str = "", method: str = "") -> str:
    """What choosing a row shows on Explain; ``there``: B's encoder, ``method``: the sidebar's."""
    title = MethodTitle(b)
    if there:
        return f"To explain {title:inside}, choose {EncoderName(there)} in the sidebar."
    if method:
        return (
            f"{title} trains the encoder, which Explain cannot show: choose a row to see the "
            f"example there with {MethodTitle(method):inside} and {EncoderName(here)}."
        )
    return f"Choose a row to see on Explain why {title:inside} misclassifies it."


# Methods that train the encoder


def settings_text(methods: Sequence[Method], judged: int | None = None, available: int = 0) -> str:
    """How methods are run with reduced effort."""
    efforts = dict.fromkeys(MethodTitle(method.effort) for method in methods if method.effort)
    text = f"Shorter training than on the command line: {listed(list(efforts))}."
    if judged is not None and judged < available:
        text += (
            f" All methods are evaluated on the same {judged:,} of {available:,} query examples."
        )
    return text


def other_shots_text(titles: Sequence[str], trainings: int) -> str:
    """The cost of training with the other numbers of shots."""
    return (
        f"{listed([MethodTitle(title) for title in titles])}: trained with the sidebar's shots per "
        f"class only. The others take {count(trainings, 'more training')}."
    )


def files_text(runs: Sequence[MethodRuns]) -> str:
    shots = listed(sorted({run.shots for run in runs}))
    return (
        f"Shots per class: {shots}. The CSV has every run, in the columns of the command line's "
        "`evaluate`; the LaTeX table has the means (package booktabs)."
    )


# Published results


def published_text(comparison: pd.DataFrame, against_paper: bool) -> str:
    """Which encoders the results are of, how many settings were run, and how they compare."""
    settings = len(paper_results()[["task", "shots"]].drop_duplicates())
    if comparison.empty:
        return "Nothing to compare with these choices."
    names = comparison["encoder"].unique()
    ours = encoder_title(names[0], size=False) if len(names) == 1 else f"{len(names)} encoders"
    run = len(comparison[["task", "shots"]].drop_duplicates())
    encoders, whose = f"Same encoder ({MethodTitle(ours)})", ""
    if len(names) > 1:
        encoders = f"Same encoder for both, {ours} in turn"
    if against_paper:
        encoders = f"Encoders differ ({MethodTitle(ours)} here, {PAPER_ENCODER_NAME} in the paper)"
        whose = "the paper's "
    text = f"{encoders}; {run} of the paper's {settings} settings were run"
    counts = outcome_counts(comparison)
    if len(counts) > 1:
        return f"{text}."
    row = counts.iloc[0]
    return (
        f"{text}. {MethodTitle(method_title(row['method']))} against {whose}"
        f"{MethodTitle(row['system']):inside}: "
        f"{outcomes_text(row['wins'], row['losses'], row['ties'])}, mean difference "
        f"{signed_points(row['mean_difference'] / 100)}."
    )


def published_means_text(comparison: pd.DataFrame) -> str:
    least, most = int(comparison["n"].min()), int(comparison["n"].max())
    n = f"{least}" if least == most else f"{least} to {most}"
    return (
        f"Our means are over {n} runs (support sets × seeds), the paper's over {PAPER_DRAWS} "
        f"support sets and {PAPER_SEEDS} seeds. A tie: equal when rounded to 0.1."
    )


def task_text(task: str) -> str:
    """The contents of a table of one task with the paper's results."""
    known = task in set(paper_results()["task"])
    other = "" if known else f" The paper has no task called {ClassName(task)}."
    return f"Accuracy (%), mean ± SD over the runs. A tie: equal when rounded to 0.1.{other}"


# Encoders


def encoder_gain_text(accuracy: pd.DataFrame, names: tuple[str, str]) -> str:
    """Wins and losses of the encoder after, over the settings of `accuracy_by_shots`."""
    gains = accuracy["difference"].round(9)
    if gains.empty:
        return "No support set leaves a query set to evaluate on."
    before, after = map(EncoderName, names)
    outcomes = outcomes_text((gains > 0).sum(), (gains < 0).sum(), (gains == 0).sum())
    return f"{after} against {before}: {outcomes}, mean difference {signed_points(gains.mean())}."


def tuning_text(result: MetaTest) -> str:
    support, m = count(result.n_support, "support example"), len(result.difference.examples)
    text = f"Fine-tuned for {result.fit_seconds:.1f} s on {support}"
    text = f"{text}. {difference_text(result.difference)}"
    if m == result.available:
        return text
    return f"{text} They are a random part of {result.available:,}."


def saved_model_text(loaded: LoadedModel) -> str:
    parts = (count(loaded.n_classes, "class", "classes"), count(loaded.n_lines, "line"))
    text = f"**{MethodTitle(loaded.kind)}**, {', '.join(parts)}"
    if loaded.origin is not None:
        text += f", fitted on {ClassName(loaded.origin[0])}, support set {loaded.origin[1]}"
    if not loaded.n_query:
        return f"{text}. There is no query example to evaluate it on."
    text += f": accuracy {loaded.accuracy:.1%} on {count(loaded.n_query, 'query example')}."
    if loaded.left_out is None:
        return f"{text} It may have been fitted on some of them: its file does not say."
    return f"{text} Query examples left out because it was fitted on them: {loaded.left_out:,}."


def swap_text(found: ShotSwap) -> str:
    """The gain of the best swap of a shot, on examples that were not used to choose it."""
    if not len(found.judged):
        return "The query set is too small to choose on one half of it and test on the other."
    if found.best is None:
        return f"None of the examples tried ({CANDIDATES} per class) does better in its place."
    gain = f"{signed(100 * found.gain, 1)} points on {count(len(found.judged), 'query example')}"
    chance = "" if found.beats_chance else "; swaps at random do as well"
    return f"Best of the examples tried: {gain} not used to choose it{chance}."


def experiment_text(found: Experiment) -> str:
    names = class_names(found.classes)
    watched, other, n = names[found.watched], names[found.other], len(found.rows)
    moves = f"Its centroid moves by {percent(found.moved)} of its distance from that of {other}"
    if found.kind == "wrong label":
        return f"A shot of {other} is labelled {watched}. {moves}: watch what {watched} loses."
    if found.kind == "outlier":
        return f"An outlier joined {watched}. {moves}: watch the regions move with it."
    if found.kind == "twice the shots":
        return (
            f"{watched} has {count(n, 'more shot')}, twice as many as before. {moves}: watch "
            f"whether {watched} is predicted more often."
        )
    return (
        f"{watched} and {other} have exchanged every second shot, {n:,} in all. Their centroids "
        f"keep {percent(found.apart)} of their distance, mostly by chance: watch how often they "
        "are confused."
    )
