"""What is said of a training run while it is watched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from slp_core.facts import Facts, Listed, MethodTitle, fact

if TYPE_CHECKING:
    from slp_core.evaluation.draws import Spread
    from slp_core.methods.training import TrainingRun


def headline_facts(
    run: TrainingRun, n: int, m: int, references: Mapping[str, float] | None = None
) -> Facts:
    """How well a run does in the end."""
    curves = run.curves
    shared = {"epochs": run.epochs, "n": n}
    done = "After {epochs:,} " + ("epochs" if run.epochs != 1 else "epoch")
    if not m:
        template = done + (
            " on {n:,} support points the loss is {loss:.3f}; "
            "there is no query point to judge it by."
        )
        return (fact("run.loss", template, loss=float(curves.loss[-1]), **shared),)
    others = [
        fact(
            "run.reference",
            "{method:inside} {accuracy:.1%}",
            method=MethodTitle(method),
            accuracy=accuracy,
        )
        for method, accuracy in (references or {}).items()
    ]
    template = (
        done
        + " on {n:,} support points DeepSLP answers {accuracy:.1%} of {m:,} query points rightly"
        + ("; {others}." if others else ".")
    )
    accuracy = float(curves.query[-1])
    return (
        fact("run.accuracy", template, accuracy=accuracy, m=m, others=Listed(others), **shared),
    )


def ended_facts(run: TrainingRun) -> Facts:
    """How long a run took."""
    template = "{epochs:,} " + ("epochs" if run.epochs != 1 else "epoch") + " took {seconds:.2f} s."
    return (fact("run.took", template, epochs=run.epochs, seconds=run.seconds),)


def other_settings_facts(accuracy: float, m: int) -> Facts:
    """What the strip at the top says of the same method with the sidebar's settings."""
    if not m:
        return ()
    template = (
        "The strip at the top is of DeepSLP as it is set in the sidebar, trained to its end: "
        "{accuracy:.1%} of {m:,} query points."
    )
    return (fact("run.sidebar", template, accuracy=accuracy, m=m),)


def without_epochs_facts(method: str, accuracy: float, m: int) -> Facts:
    """A method that is fitted in one go."""
    if not m:
        return ()
    template = (
        "**{method}**, the sidebar's method, is fitted in one go, without epochs to watch: it "
        "answers {accuracy:.1%} of {m:,} query points rightly."
    )
    return (fact("run.without_epochs", template, method=method, accuracy=accuracy, m=m),)


def spread_facts(spread: Spread, seeds: int, seed_used: bool) -> Facts:
    """Accuracies of fits on other draws, from other seeds."""
    fits = len(spread.accuracy)
    shared = {"mean": spread.mean, "deviation": 100 * spread.std, "fits": fits}
    template = (
        "{mean:.1%} ± {deviation:.1f} (standard deviation) over {fits:,} "
        + ("fits: {draws:,} " if fits != 1 else "fit: {draws:,} ")
        + ("draws from {seeds:,} seeds." if seed_used else "draws, one fit each.")
    )
    drawn = len(set(spread.draws))
    told = (fact("run.spread", template, draws=drawn, seeds=seeds, **shared),)
    if seed_used:
        return told
    alone = "With these settings nothing is left to chance but the draw: no seed is used."
    return (*told, fact("run.no_seed", alone))


def spread_offer_facts(draws: int, seeds: int, going: bool = False) -> Facts:
    """What is offered to fit, or fitted now."""
    template = ("Training" if going else "Train") + " on {draws:,} "
    template += "draws" if draws != 1 else "draw"
    if seeds != 1:
        template += " from {seeds:,} seeds"
    return (fact("run.spread_offer", template, draws=draws, seeds=seeds),)
