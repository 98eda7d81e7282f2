"""What is said of checkpoints, of meta-training and of accuracies under two encoders.

None of it is of a random case: `test_facts_meta` makes what it is about, and hands it on.
"""

import statistics

import numpy as np
from facts_book import check, near

import slp_core as slp


def is_close(a, b):
    return near(float(a), float(b))


@check("card.kinds")
def _(fact, case, card, **_):
    assert list(fact["kinds"].items) == list(card.info.kinds)


@check("card.no_file")
def _(fact, case, card, **_):
    assert card.file_bytes is None


@check("card.differences")
def _(fact, case, card, **_):
    assert card.meta is not None
    assert is_close(fact["megabytes"] * 1_000_000, card.file_bytes)


@check("card.weights")
def _(fact, case, card, **_):
    assert card.meta is None
    assert is_close(fact["megabytes"] * 1_000_000, card.file_bytes)
    assert fact["layer"] == card.layer


@check("card.validation")
def _(fact, case, card, **_):
    found = card.meta["validation"]
    assert (fact["before"], fact["accuracy"]) == (found["before"], found["accuracy"])
    assert fact["how"] == found["how"]


@check("card.way")
def _(fact, case, card, **_):
    meta = card.meta
    assert fact["share"] == meta["interpolation"]["share"]
    assert fact["step"] == meta["best_step"]
    assert [fact["trained"]] == [
        point["validation"] for point in meta["curve"] if point["step"] == fact["step"]
    ]


@check("card.step")
def _(fact, case, card, **_):
    assert not card.meta.get("interpolation")
    assert fact["step"] == card.meta["best_step"]


@check("card.sets")
def _(fact, case, card, **_):
    assert len(fact["sets"].items) == len(card.meta["validation"]["sets"])


@check("card.set")
def _(fact, case, card, **_):
    assert card.meta["validation"]["sets"][str(fact["name"])] == fact["share"]


@check("card.sample")
def _(fact, case, card, **_):
    for name in ("dataset", "shots", "draws", "before", "accuracy"):
        assert fact[name] == card.meta["sample"][name]


@check("card.average")
def _(fact, case, card, **_):
    members = card.meta["average"]
    found = sorted(each["validation"] for each in members)
    assert (fact["n"], fact["low"], fact["high"]) == (len(members), found[0], found[-1])
    assert [str(title) for title in fact["members"].items] == [each["title"] for each in members]


@check("card.seeds")
def _(fact, case, card, **_):
    found = sorted(each["validation"] for each in card.meta["seeds"])
    assert (fact["n"], fact["low"], fact["high"]) == (len(found), found[0], found[-1])
    assert is_close(fact["mean"], statistics.mean(found))
    assert is_close(fact["deviation"], 100 * statistics.stdev(found))


@check("card.seeds_sample")
def _(fact, case, card, **_):
    found = sorted(each["sample"] for each in card.meta["seeds"])
    assert (fact["low"], fact["high"]) == (found[0], found[-1])
    assert str(fact["dataset"]) == card.meta["sample"]["dataset"]


@check("card.data")
def _(fact, case, card, **_):
    rows = 0
    for each in card.meta["data"]:
        rows += each["rows"]
    assert (fact["n"], fact["rows"]) == (len(card.meta["data"]), rows) > (0, 0)


@check("card.origin")
def _(fact, case, card, **_):
    assert fact.values
    for name, value in fact.values.items():
        assert value == str(card.meta[name])


def furthest(curves):
    """The largest accuracy at a run's own best step."""
    return max(dict(zip(c.steps.tolist(), c.validation, strict=True))[c.best_step] for c in curves)


@check("curves.best")
def _(fact, case, curves):
    (run,) = [curve for curve in curves if curve.title == fact["name"]]
    assert fact["n"] == len(curves)
    assert fact["step"] == run.best_step
    assert is_close(fact["before"], run.validation[list(run.steps).index(0)])
    assert is_close(fact["trained"], run.validation[list(run.steps).index(run.best_step)])
    assert fact["trained"] >= furthest(curves) - 1e-9
    assert ("came furthest" in fact.template) == (len(curves) > 1)


@check("curves.level")
def _(fact, case, curves):
    assert fact["n"] == len(curves) > 1
    assert is_close(fact["trained"], furthest(curves))
    level = [curve.title for curve in curves if is_close(furthest([curve]), furthest(curves))]
    assert list(map(str, fact["names"].items)) == level
    assert len(level) > 1


@check("curves.taken_back")
def _(fact, case, curves):
    (run,) = [curve for curve in curves if curve.title == fact["name"]]
    assert (fact["share"], fact["kept"]) == (run.share, run.kept)
    assert run.share is not None


def mean_distance(steps, step, after, to_own):
    """Of a step's loss examples from the mean of its other examples, of their class or not."""
    x = steps.vectors[step + (1 if after else 0)]
    away = []
    for k in (0, 1):
        placing = steps.for_means[step][k if to_own else 1 - k]
        mean = sum(x[i] for i in placing) / len(placing)
        away += [np.linalg.norm(x[i] - mean) for i in steps.for_loss[step][k]]
    return sum(away) / len(away)


@check("episode.copy")
def _(fact, case, steps, **_):
    (title,) = (e.title for e in slp.list_encoders() if e.name == steps.settings.encoder)
    assert fact["encoder"] == title
    assert fact["layers"] == steps.settings.n_trainable
    assert fact["shots"] == len(steps.rows[0]) == len(steps.rows[1])


@check("episode.step")
def _(fact, case, steps, step, **_):
    assert (fact["number"], fact["steps"]) == (step + 1, len(steps.losses))
    assert fact["loss"] == steps.losses[step]
    pulled = {int(i) for row in steps.for_loss[step] for i in row}
    placing = {int(i) for row in steps.for_means[step] for i in row}
    assert (fact["pulled"], fact["placing"]) == (len(pulled), len(placing))
    assert not pulled & placing
    assert len(pulled | placing) == steps.rows.size


def changed(fact, steps, step):
    for name, after in (("old", False), ("new", True)):
        assert near(fact[name], mean_distance(steps, step, after, fact["which"] == "own"), 1e-6)


@check("episode.from_nothing")
def _(fact, case, steps, step, **_):
    changed(fact, steps, step)
    assert fact["old"] == 0
    assert ("still" in fact.template) == (fact["new"] == 0)


@check("episode.hardly")
def _(fact, case, steps, step, **_):
    changed(fact, steps, step)
    assert f"{abs(fact['new'] / fact['old'] - 1):.1%}" in ("0.0%", "0.1%")
    assert abs(fact["new"] - fact["old"]) < 0.0005 * fact["old"]


@check("episode.went")
def _(fact, case, steps, step, **_):
    changed(fact, steps, step)
    assert near(fact["share"], abs(fact["new"] - fact["old"]) / fact["old"])
    assert fact["share"] >= 0.0005
    assert ("nearer" in fact.template) == (fact["new"] < fact["old"])


@check("episode.way")
def _(fact, case, steps, **_):
    assert (fact["mean"], fact["furthest"]) == steps.weights_moved


@check("episode.outer")
def _(fact, case, steps, **_):
    assert fact["copies"] == steps.settings.tasks_per_step
    assert ("one such" in fact.template) == (fact["copies"] == 1)
    assert fact["rate"] == steps.settings.outer_rate
