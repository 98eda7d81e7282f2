"""What is said of a training run while it is watched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pages.session.status_text import waiting_facts
from slp_core.facts import Facts, Listed, MethodTitle, fact

if TYPE_CHECKING:
    from slp_core.evaluation.draws import Spread
    from slp_core.methods.training import TrainingRun


def headline_facts(
    run: TrainingRun | None, n: int, m: int, references: Mapping[str, float] | None = None
) -> Facts:
    """How far a run is, and how well it does."""
    curves = None if run is None else run.curves
    if run is None or curves is None or not len(curves.epoch):
        template = (
            "DeepSLP has learnt nothing yet from these {n:,} support points: press Start."
            if run is None
            else "DeepSLP is about to learn from these {n:,} support points."
        )
        return (fact("run.nothing_learnt", template, n=n, started=run is not None),)
    shared = {"epoch": int(curves.epoch[-1]), "epochs": run.epochs, "n": n}
    if not m:
        template = (
            "After {epoch:,} of {epochs:,} epochs on {n:,} support points the loss is {loss:.3f}; "
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
        "After {epoch:,} of {epochs:,} epochs on {n:,} support points DeepSLP answers "
        "{accuracy:.1%} of {m:,} query points rightly" + ("; {others}." if others else ".")
    )
    accuracy = float(curves.query[-1])
    return (
        fact("run.accuracy", template, accuracy=accuracy, m=m, others=Listed(others), **shared),
    )


def progress_facts(run: TrainingRun, before: int | None = None) -> Facts:
    """How far a run is that has not ended."""
    epoch, epochs = run.epoch, run.epochs
    if before is not None:
        return waiting_facts("Training", before)
    if not epoch:
        return (fact("run.waiting", "Waiting for the first epoch."),)
    shared = {"epoch": epoch, "epochs": epochs}
    if run.state == "paused":
        return (fact("run.paused", "Paused after epoch {epoch:,} of {epochs:,}.", **shared),)
    left = run.seconds / epoch * (epochs - epoch)
    template = "Epoch {epoch:,} of {epochs:,}, about {left:.0f} s left at the speed so far."
    return (fact("run.going", template, left=left, seconds=run.seconds, **shared),)


def ended_facts(run: TrainingRun) -> Facts:
    """How a run ended, and how long it took."""
    shared = {"epoch": run.epoch, "epochs": run.epochs, "seconds": run.seconds}
    stopped = run.epoch < run.epochs
    template = "Stopped after {epoch:,} of {epochs:,} epochs, which took {seconds:.2f} s"
    if not stopped:
        template = "{epochs:,} " + ("epochs" if run.epochs != 1 else "epoch")
        template += " took {seconds:.2f} s"
    template += ", {waited:.2f} s of it to keep to the pace." if run.waited else "."
    return (fact("run.took", template, waited=run.waited, stopped=stopped, **shared),)


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
