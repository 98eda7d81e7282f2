"""What is said of runs of methods, of the paper's figures beside ours, and of tuned models.

None of it is about the random cases of other checks: ``test_facts_compare.py`` makes random runs,
and hands them to these checks as context.
"""

from inspect import signature
from itertools import combinations, pairwise, product
from math import comb
from statistics import NormalDist

import numpy as np
from facts_book import check, near

from slp_core.facts import Fact
from slp_core.methods.table import METHODS

TINY = 1e-9
ENOUGH = 5  # draws for an interval
NORMAL = NormalDist()


def accuracy(run, draw):
    """Counted, point by point."""
    at = list(run.draws).index(draw)
    pairs = zip(run.true[at], run.answers[at], strict=True)
    return sum(bool(t == a) for t, a in pairs) / len(run.true[at])


def mean_of(values):
    return sum(values) / len(values)


def deviation(values):
    mean = mean_of(values)
    return (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5


def means_on(runs, draws):
    return {name: mean_of([accuracy(run, d) for d in draws]) for name, run in runs.items()}


def differences(fact, runs, draws):
    return [accuracy(runs[fact["a"]], d) - accuracy(runs[fact["b"]], d) for d in draws]


# Over draws


@check("compare.nothing_shared")
def _(fact, case, runs, dataset, shots, **_):
    every = {d for run in runs.values() for d in run.draws}
    assert not any(all(d in run.draws for run in runs.values()) for d in every)
    assert fact["n"] == len(runs) > 1
    assert sorted(fact["names"]) == sorted(runs)
    assert (fact["dataset"], fact["shots"]) == (dataset, shots)


def ranked(fact, runs, dataset, shots, draws):
    """Checks what every ranking says; the methods' means."""
    assert (fact["dataset"], fact["shots"]) == (dataset, shots)
    means = means_on(runs, draws)
    assert sorted(fact["names"]) == sorted(runs)
    in_order = [means[name] for name in fact["names"]]
    assert all(a >= b - TINY for a, b in pairwise(in_order))
    assert set(fact["figures"]["draws"]) == set(draws)
    assert near(fact["figures"]["mean"], max(means.values()))
    return means


@check("compare.alone")
def _(fact, case, runs, dataset, shots, draws, **_):
    ranked(fact, runs, dataset, shots, draws)
    assert [fact["best"]] == list(runs)


def unfinished(fact, runs, asked):
    """Checks which methods are said to lack draws."""
    listed = [(each["method"], each["done"], each["asked"]) for each in fact["unfinished"].items]
    done = {name: len(runs[name].draws) if name in runs else 0 for name in asked}
    assert listed == [(name, done[name], asked[name]) for name in asked if done[name] < asked[name]]
    assert listed


@check("compare.none_finished")
def _(fact, case, runs, dataset, shots, asked, **_):
    assert (fact["dataset"], fact["shots"]) == (dataset, shots)
    unfinished(fact, runs, asked)
    assert all(name in asked and len(runs[name].draws) < asked[name] for name in runs)


@check("compare.left_out")
def _(fact, case, runs, asked, **_):
    unfinished(fact, runs, asked)
    assert any(len(run.draws) >= asked.get(name, 0) for name, run in runs.items())


@check("compare.unfinished")
def _(fact, case, runs, asked, **_):
    assert 0 <= fact["done"] < fact["asked"]  # the rest with the list that it stands in


@check("compare.best", "compare.highest")
def _(fact, case, runs, dataset, shots, draws, **_):
    means = ranked(fact, runs, dataset, shots, draws)
    others = {name: mean for name, mean in means.items() if name != fact["best"]}
    assert all(means[fact["best"]] > mean + TINY for mean in others.values())
    assert fact["lead"]["a"] == fact["best"]
    second = [name for name in others if others[name] > max(others.values()) - TINY]
    assert near(fact["lead"]["points"], 100 * (means[fact["best"]] - max(others.values())), 1e-7)
    over = listed_of(fact["lead"]["over"], second) if len(second) > 1 else [fact["lead"]["b"]]
    assert set(over) <= set(second)
    leads = {b: differences({"a": fact["best"], "b": b}, runs, draws) for b in second}
    untold = listed_of(fact["untold"], second) if fact.kind == "compare.highest" else []
    if len(draws) < ENOUGH:
        assert len(untold) + fact["untold"].more == len(second)
        assert "do not tell" not in fact.template
        assert ("mean" in fact.template) == (len(draws) > 1)
        return
    shown_all = len(untold) == 0 or not fact["untold"].more
    for name, values in leads.items():
        assert can_be_apart(values, name not in untold) or not shown_all
    some = 0 < len(untold) < len(second) and shown_all
    assert ("{untold" in fact.template) == some or not shown_all
    assert ("the two apart" in fact.template) == (len(second) == 1 and bool(untold))
    if len(second) > 1:
        words = {"leave zero out": not untold, "some of which hold": some}
        words["that hold zero"] = not some and bool(untold)
        assert all((word in fact["lead"].template) == so for word, so in words.items() if shown_all)


def listed_of(listed, among):
    """The names of a list of methods, of which the others are only counted."""
    assert set(listed.items) <= set(among)
    assert len(listed.items) + listed.more <= len(among)
    assert not listed.more or len(listed.items) == 2
    return list(listed.items)


def can_be_apart(values, apart):
    """Whether zero may be below, or else within, the interval of a mean of positive sum."""
    if max(values) - min(values) < TINY:
        return apart
    (least, most), _ = bca(values)
    return most > -TINY if apart else least <= TINY


@check("compare.level_best")
def _(fact, case, runs, dataset, shots, draws, **_):
    means = ranked(fact, runs, dataset, shots, draws)
    level = [name for name, mean in means.items() if mean > max(means.values()) - TINY]
    assert sorted(fact["best"].items) == sorted(level)
    assert len(level) > 1
    assert ("are level" in fact.template) == (len(level) == len(runs))
    assert ("share the highest" in fact.template) == (len(level) < len(runs))
    assert ("mean" in fact.template) == (len(draws) > 1)


@check("compare.mean")
def _(fact, case, runs, draws, **_):
    assert set(fact["draws"]) == set(draws)
    further = any(set(run.draws) != set(draws) for run in runs.values())
    assert ("all have" in fact.template) == further
    assert any(
        near(fact["mean"], mean_of(values)) and near(fact["std"], 100 * deviation(values), 1e-7)
        for values in ([accuracy(run, d) for d in draws] for run in runs.values())
    )
    if len(draws) == 1:
        assert [fact["draw"]] == list(draws)
        assert "±" not in fact.template
    else:
        assert fact["n"] == len(draws)
        every = [[accuracy(run, d) for d in draws] for run in runs.values()]
        top = max(map(mean_of, every))
        spreads = [deviation(values) for values in every if near(mean_of(values), top)]
        assert ("±" in fact.template) == near(max(spreads), min(spreads))


@check("compare.above", "compare.below", "compare.level")
def _(fact, case, runs, draws, **_):
    mean = mean_of(differences(fact, runs, draws))
    assert near(fact["points"], 100 * mean, 1e-7)
    way = {"compare.above": mean > TINY, "compare.below": mean < -TINY}
    assert way.get(fact.kind, abs(mean) < TINY)
    check_interval(fact["interval"], differences(fact, runs, draws))


@check("compare.above_several")
def _(fact, case, runs, draws, **_):
    means = means_on(runs, draws)
    for name in fact["over"].items:
        assert near(fact["points"], 100 * (means[fact["a"]] - means[name]), 1e-7)
    assert fact["n"] == len(draws)
    assert fact["confidence"] == 0.95
    assert ("one draw" in fact.template) == (len(draws) == 1)
    assert ("too few" in fact.template) == (1 < len(draws) < ENOUGH)


def check_interval(fact, values):
    n, spread = len(values), max(values) - min(values)
    kind = fact.kind.removeprefix("compare.")
    if n == 1:
        assert kind == "no_interval"
    elif spread < TINY:
        assert kind == "same_everywhere"
    elif n < ENOUGH:
        assert kind == "range"
        assert near(fact["low"], 100 * min(values), 1e-7)
        assert near(fact["high"], 100 * max(values), 1e-7)
    else:
        assert (kind == "interval_with_zero") == (fact["low"] <= TINY and fact["high"] >= -TINY)
        assert kind in ("interval", "interval_with_zero")
        for end, (least, most) in zip(("low", "high"), bca(values), strict=True):
            assert least - TINY <= fact[end] / 100 <= most + TINY
        assert fact["confidence"] == 0.95
    assert fact["n"] == n


def bca(values):
    """Efron's interval of the mean, by its formula; of all resamples where they can be listed.

    Of each end the least and the most that thousands of resamples rather than all may make of it.
    """
    n, values = len(values), np.array(values)
    if n <= ENOUGH:
        means = np.array([mean_of(resample) for resample in product(values, repeat=n)])
    else:
        means = values[np.random.default_rng(n).integers(0, n, (20_000, n))].mean(axis=1)
    mean = values.mean()
    below = ((means < mean - 1e-12).mean() + (means <= mean + 1e-12).mean()) / 2
    left_out = np.array([(values.sum() - value) / (n - 1) for value in values])
    away = left_out.mean() - left_out
    skew = (away**3).sum() / (6 * (away**2).sum() ** 1.5)
    z0 = NORMAL.inv_cdf(below)
    for share in (0.025, 0.975):
        z = z0 + NORMAL.inv_cdf(share)
        found = NORMAL.cdf(z0 + z / (1 - skew * z))
        yield np.quantile(means, np.clip([found - 0.012, found + 0.012], 0, 1))


@check(
    "compare.no_interval",
    "compare.same_everywhere",
    "compare.range",
    "compare.interval",
    "compare.interval_with_zero",
)
def _(fact, case, draws, **_):
    assert fact["n"] == len(draws)  # the rest with the lead that it belongs to


@check("compare.paired")
def _(fact, case, runs, draws, **_):
    assert list(fact["draws"]) == list(draws)
    values = differences(fact, runs, draws)
    if len(draws) == 1:
        assert [fact["draw"]] == list(draws)
        return
    assert fact["n"] == len(draws)
    ahead, behind = sum(v > TINY for v in values), sum(v < -TINY for v in values)
    assert (fact["ahead"], fact["behind"]) == (ahead, behind)
    assert fact["level"] == sum(abs(v) <= TINY for v in values)


@check("compare.one_mark", "compare.band_none", "compare.band_range", "compare.band_interval")
def _(fact, case, runs, draws, pair, queries):
    names = dict(zip("ab", pair, strict=True))
    values = differences(names, runs, draws)
    kind = "band_interval" if len(draws) >= ENOUGH else "band_range"
    if max(values) - min(values) < TINY:
        kind = "band_none"
    if len(draws) == 1:
        kind = "one_mark"
    assert fact.kind == f"compare.{kind}"
    assert fact["n"] == len(draws)
    if kind == "band_range":
        assert fact["fewest"] == ENOUGH
        sides = list(product((0, 1), repeat=len(draws)))  # of the median, as likely as each other
        around = sum(0 < sum(side) < len(draws) for side in sides)
        assert near(fact["chance"], around / len(sides))
    if kind == "band_interval":
        assert ("less often" in fact.template) == (len(draws) <= 10)
        alike = all(queries[draw] == queries[draws[0]] for draw in draws)
        assert ("on these query points" in fact.template) == alike
        assert ("query points, which differ" in fact.template) == (not alike)


@check("compare.draws")
def _(fact, case, runs, **_):
    numbers = [len(run.draws) for run in runs.values()]
    assert (fact["least"], fact["most"]) == (min(numbers), max(numbers))
    assert ("to" in fact.template) == (min(numbers) != max(numbers))


@check("compare.means", "compare.spread")
def _(fact, case, runs, **_):
    assert fact["ddof"] == 0
    lonely = any(len(run.draws) == 1 for run in runs.values())
    assert ("one draw" in fact.template) == lonely
    if fact.kind == "compare.spread":
        every = [[accuracy(run, d) for d in run.draws] for run in runs.values()]
        reaches = [mean_of(v) + side * deviation(v) for v in every for side in (-1, 1)]
        cut = min(reaches) < -TINY or max(reaches) > 1 + TINY
        assert ("cut off" in fact.template) == cut


@check("compare.other_draws", "compare.other_draws_by_shots")
def _(fact, case, runs, **_):
    assert len({frozenset(run.draws) for run in runs.values()}) > 1
    shots = {run.shots for run in runs.values()}
    at = [{frozenset(run.draws) for run in runs.values() if run.shots == n} for n in shots]
    assert (fact.kind == "compare.other_draws_by_shots") == (max(map(len, at)) == 1)


@check("compare.of_dataset")
def _(fact, case, runs, dataset, **_):
    assert fact["dataset"] == dataset
    assert len({frozenset(run.draws) for run in runs.values()}) > 1


@check("compare.of_draws")
def _(fact, case, runs, dataset, **_):
    assert fact["dataset"] == dataset
    assert all(sorted(run.draws) == sorted(fact["draws"].items) for run in runs.values())


@check("compare.files", "compare.by_shots")
def _(fact, case, runs, **_):
    assert list(fact["shots"].items) == sorted({run.shots for run in runs.values()})
    if "methods" in fact.values:
        assert fact["methods"] == len({name for name, _ in runs})


@check("compare.extremes")
def _(fact, case, runs, of, classes=(), draw=None, **_):
    """Of means of accuracy or F1, or of shares of points that two methods answer alike."""
    at = fact.values.get("shots")
    shown = {name: run for name, run in runs.items() if at is None or name[1] == at}
    if at is not None:
        shown = {name: run for (name, _), run in shown.items()}
    if of == "alike":
        pairs = combinations(shown, 2)
        values = {pair: mean_of(alike(runs, *pair, draw)) for pair in pairs}
    elif of == "F1":
        marks = product(shown, enumerate(classes))
        values = {
            (name, title): mean_of([f1(runs[name], d, k) for d in runs[name].draws])
            for name, (k, title) in marks
        }
    else:
        values = {
            name: mean_of([accuracy(run, d) for d in run.draws]) for name, run in shown.items()
        }
    if of != "alike":
        several = any(len(run.draws) > 1 for run in shown.values())
        assert ("mean" in fact.template.lower()) == several
    assert near(fact["high"], max(values.values()))
    is_level = max(values.values()) - min(values.values()) < TINY
    assert ("highest" not in fact.template) == is_level
    assert ("for all" in fact.template) == (is_level and len(values) > 1)
    check_listed(fact["most"], values, fact["high"])
    if not is_level:
        assert near(fact["low"], min(values.values()))
        check_listed(fact["least"], values, fact["low"])


def check_listed(listed, values, value):
    """Names marks at this value alone, and counts the others that are level with them."""
    level = [mark for mark in values if abs(values[mark] - value) < TINY]
    named = [tuple(m.values.values()) if isinstance(m, Fact) else m for m in listed.items]
    assert set(named) <= set(level)
    assert len(set(named)) == len(named)
    assert len(named) + listed.more == len(level)
    assert not listed.more or len(named) == 2


@check("compare.class_mark")
def _(fact, case, runs, classes, **_):
    assert fact["method"] in runs
    assert fact["name"] == classes[fact["name"].place]


@check("compare.pair_mark")
def _(fact, case, runs, **_):
    assert fact["a"] in runs
    assert fact["b"] in runs
    assert fact["a"] != fact["b"]


def alike(runs, a, b, draw):
    answers = (runs[name].answers[list(runs[name].draws).index(draw)] for name in (a, b))
    return [bool(one == other) for one, other in zip(*answers, strict=True)]


def f1(run, draw, k):
    """Of one class, counted point by point; nothing where it is neither asked nor answered."""
    at = list(run.draws).index(draw)
    pairs = list(zip(run.true[at].tolist(), run.answers[at].tolist(), strict=True))
    hits, misses = pairs.count((k, k)), sum((t == k) != (a == k) for t, a in pairs)
    return 2 * hits / (2 * hits + misses) if hits + misses else 0.0


@check("compare.marks")
def _(fact, case, **_):
    assert isinstance(fact["draws"], Fact)


@check("compare.runs_shown", "compare.pairs")
def _(fact, case, runs, **_):
    assert fact["methods"] == len(runs)


@check("compare.by_class")
def _(fact, case, runs, classes, **_):
    assert (fact["methods"], fact["classes"]) == (len(runs), len(classes))


# Point by point, on one draw


def right(runs, name, draw):
    run = runs[name]
    at = list(run.draws).index(draw)
    return [bool(t == a) for t, a in zip(run.true[at], run.answers[at], strict=True)]


@check("compare.same_points", "compare.split")
def _(fact, case, runs, pair, draw):
    assert (fact["a"], fact["b"]) == pair
    a, b = (right(runs, name, draw) for name in pair)
    only_a = sum(x and not y for x, y in zip(a, b, strict=True))
    only_b = sum(y and not x for x, y in zip(a, b, strict=True))
    assert fact["points"] == len(a)
    if fact.kind == "compare.same_points":
        assert a == b
        return
    assert (fact["only_a"], fact["only_b"], fact["apart"]) == (only_a, only_b, only_a + only_b)
    n, uneven = only_a + only_b, abs(only_a - only_b)
    as_uneven = [comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= uneven]
    assert near(fact["p"], sum(as_uneven) / 2**n, 1e-7)


@check("compare.won", "compare.won_none")
def _(fact, case, runs, pair, draw):
    assert (fact["a"], fact["b"]) == pair
    a, b = (right(runs, name, draw) for name in pair)
    n = sum(x and not y for x, y in zip(a, b, strict=True))
    assert (fact.kind == "compare.won_none") == (n == 0)
    if n:
        assert fact["n"] == n
        assert fact.template.startswith("The one") == (n == 1)


@check("compare.side")
def _(fact, case, runs, pair, draw):
    assert fact["title"] == pair["AB".index(fact["side"])]
    flags = right(runs, fact["title"], draw)
    assert near(fact["accuracy"], mean_of(flags))
    assert fact["points"] == len(flags)


@check("compare.alike")
def _(fact, case, runs, pair, draw):
    assert fact["points"] == len(right(runs, pair[0], draw))


@check("compare.taken_apart", "compare.read_as", "compare.out_of_sight")
def _(fact, case, b, encoders, reads):
    assert fact["b"] == b
    if reads == "texts":
        assert fact.kind == "compare.read_as"
        assert fact["encoder"] == encoders["sidebar"]
    elif encoders["sidebar"] == encoders["B"]:
        assert fact.kind == "compare.taken_apart"
    else:
        assert fact.kind == "compare.out_of_sight"
        assert (fact["here"], fact["there"]) == (encoders["sidebar"], encoders["B"])


# Methods that train the encoder


@check("texts.settings")
def _(fact, case, methods, **_):
    assert {each["method"] for each in fact["efforts"].items} == {m.title for m in methods}
    assert len(fact["efforts"].items) == len({m.name for m in methods})


@check("texts.effort")
def _(fact, case, **_):
    (method,) = [m for m in METHODS.values() if m.title == fact["method"]]
    assert (fact["value"], fact["unit"]) == (method.lighter.value, method.lighter.unit)
    usual = signature(method.estimator_class).parameters[method.lighter.parameter].default
    assert usual is None or fact["value"] < usual  # None: without a limit


@check("texts.judged_by")
def _(fact, case, judged_by, available, **_):
    assert (fact["judged_by"], fact["available"]) == (judged_by, available)
    assert judged_by < available


@check("texts.most_asked")
def _(fact, case, most, **_):
    assert fact["most"] == most


@check("texts.draws")
def _(fact, case, draws, **_):
    assert list(fact["draws"].items) == list(draws)
    assert ("draws {" in fact.template) == (len(draws) > 1)


@check("texts.more")
def _(fact, case, methods, trainings, **_):
    assert list(fact["methods"].items) == [m.title for m in methods]
    assert fact["trainings"] == trainings


@check("tuned.nothing_asked")
def _(fact, case, result):
    assert len(result.query) == 0
    assert fact["support"] == result.n_support


@check("tuned.accuracy")
def _(fact, case, result):
    m = len(result.query)
    for name in ("before", "after"):
        answers = getattr(result, name)
        hits = sum(int(t) == int(a) for t, a in zip(result.true, answers, strict=True))
        assert near(fact[name], hits / m)
    assert (fact["points"], fact["support"]) == (m, result.n_support)
    assert fact["seconds"] == result.fit_seconds


def moved(result):
    """Of each answer that has changed: the true class, and the answers before and after."""
    each = zip(result.true.tolist(), result.before.tolist(), result.after.tolist(), strict=True)
    return [(t, b, a) for t, b, a in each if b != a]


@check("tuned.none_changed")
def _(fact, case, result):
    assert not moved(result)


@check("tuned.changed")
def _(fact, case, result):
    changed = moved(result)
    gained, lost = sum(t == a for t, _, a in changed), sum(t == b for t, b, _ in changed)
    assert (fact["n"], fact["gained"], fact["lost"]) == (len(changed), gained, lost)
    assert fact.values.get("other", 0) == len(changed) - gained - lost
    assert changed


@check("tuned.some_asked")
def _(fact, case, result):
    assert (fact["m"], fact["available"]) == (len(result.query), result.available)
    assert fact["m"] < fact["available"]


# A model that is brought back


def asked_of(episode, fitted_on):
    """Places in the query set of the points that the model was not fitted on."""
    support = set() if fitted_on is None else {int(row) for row in fitted_on}
    return [place for place, row in enumerate(episode.query) if int(row) not in support]


@check("loaded.nothing_asked", "loaded.judged")
def _(fact, case, model, episode, X, fitted_on, origin):
    assert fact["estimator"] == type(model).__name__
    assert (fact["classes"], fact["lines"]) == (len(model.classes_), len(model.lines_))
    assert (fact.values.get("dataset"), fact.values.get("draw")) == (origin or (None, None))
    places = asked_of(episode, fitted_on)
    assert (fact.kind == "loaded.judged") == bool(places)
    if places:
        names, rows = episode.dataset.classes, [int(episode.query[p]) for p in places]
        answers = [str(model.classes_[row.argmax()]) for row in model.predict_proba(X[rows])]
        hits = [a == names[episode.dataset.y[r]] for a, r in zip(answers, rows, strict=True)]
        assert near(fact["accuracy"], mean_of(hits))
        assert fact["points"] == len(places)


@check("loaded.left_out")
def _(fact, case, episode, fitted_on, **_):
    assert fact["points"] == len(episode.query) - len(asked_of(episode, fitted_on)) > 0


@check("loaded.fitted_on_unknown")
def _(fact, case, fitted_on, **_):
    assert fitted_on is None


# Beside the paper: `comparison` is a list of dicts


def settings_of(comparison):
    return {(row["task"], row["shots"]) for row in comparison}


@check("paper.tie")
def _(fact, case, **_):
    assert fact["decimals"] == 1


@check("paper.beside", "paper.no_counterpart", "paper.nothing_stored")
def _(fact, case, comparison, paper):
    assert fact["settings"] == len(settings_of(paper))
    assert fact["tasks"] == len({row["task"] for row in paper})
    assert (fact.kind == "paper.nothing_stored") == (comparison is None)
    assert (fact.kind == "paper.no_counterpart") == (comparison == [])
    if comparison:
        assert fact["ours"] == len(settings_of(comparison))


@check("paper.all_above", "paper.some_above", "paper.none_above")
def _(fact, case, comparison, **_):
    pairs = [(row["accuracy_mean"], row["paper_mean"]) for row in comparison]
    printed = [(float(f"{a:.1f}"), float(f"{b:.1f}")) for a, b in pairs]
    wins, losses = sum(a > b for a, b in printed), sum(a < b for a, b in printed)
    assert (fact["wins"], fact["losses"]) == (wins, losses)
    assert fact["ties"] == len(printed) - wins - losses
    assert fact["settings"] == len(printed)
    assert (fact.kind == "paper.all_above") == (wins == len(printed))
    assert (fact.kind == "paper.none_above") == (wins == 0)
    assert {row["system"] for row in comparison} == {fact["system"]}
    assert near(fact["mean"]["lead"], mean_of([a - b for a, b in pairs]), 1e-7)


@check("paper.mean_more", "paper.mean_less", "paper.mean_same")
def _(fact, case, comparison, whose=None, **_):
    lead = mean_of([row["accuracy_mean"] - row["paper_mean"] for row in comparison])
    assert near(fact["lead"], lead, 1e-7)
    assert (fact.kind == "paper.mean_more") == (lead > TINY)
    assert (fact.kind == "paper.mean_less") == (lead < -TINY)
    assert fact.template.endswith(("less", "lower")) == (lead < -TINY)
    assert fact.values.get("method") == whose


@check("paper.methods_beside", "paper.methods_beside_elsewhere")
def _(fact, case, comparison, whose, of, **_):
    leads = [row["accuracy_mean"] - row["paper_mean"] for row in comparison]
    assert fact["settings"] == len(leads) > 0
    assert fact["at_or_above"] == sum(lead > -TINY for lead in leads)
    assert (fact["method"], fact["other"]) == (whose, "DeepSLP")
    ran = {row["encoder"] for row in comparison}
    if fact.kind == "paper.methods_beside":
        assert ran == {fact["encoder"]} == {of}
    else:
        assert fact["encoders"] == len(ran - {of}) == len(ran)


@check("paper.means")
def _(fact, case, comparison, **_):
    numbers = [row["n"] for row in comparison]
    assert (fact["least"], fact["most"]) == (min(numbers), max(numbers))
    assert ("each" in fact.template.split("(")[0].lower()) or len(set(numbers)) == 1
    assert (fact["draws"], fact["seeds"]) == (10, 3)  # the paper's own words


@check("paper.shown")
def _(fact, case, comparison, **_):
    assert fact["settings"] == len(settings_of(comparison))
    assert fact["methods"] == len({row["method"] for row in comparison})
    assert fact["systems"] == len({row["system"] for row in comparison})


@check("paper.outcomes")
def _(fact, case, comparison, **_):
    assert fact["n"] == len(comparison)
    assert fact["digit"] == 0.1  # the paper's last
    both = [(row["accuracy_mean"], row["paper_mean"]) for row in comparison]
    leads = [float(f"{ours:.1f}") - float(f"{theirs:.1f}") for ours, theirs in both]
    counts = {
        "ahead": sum(lead > 1e-6 for lead in leads),
        "behind": sum(lead < -1e-6 for lead in leads),
        "level": sum(abs(lead) <= 1e-6 for lead in leads),
    }
    assert {key: fact.values.get(key, 0) for key in counts} == counts
    told = [word for word, n in counts.items() if n]
    assert ("everywhere" in fact.template) == (len(told) == 1 < fact["n"])
    assert all(word in fact.template for word in told)


@check("paper.task", "paper.no_such_task")
def _(fact, case, task, paper):
    assert fact["task"] == task
    assert fact["ddof"] == 0
    assert (fact.kind == "paper.task") == any(row["task"] == task for row in paper)
