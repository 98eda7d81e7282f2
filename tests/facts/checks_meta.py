"""What is said of checkpoints, of meta-training and of accuracies under two encoders.

None of it is of a random case: `test_facts_meta` makes what it is about, and hands it on.
"""

import statistics

from facts_book import check, near


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
