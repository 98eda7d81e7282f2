"""What two encoders make of the same points: counts, distances and neighbours."""

from functools import cached_property
from itertools import pairwise

import numpy as np
from facts_book import Saying, check, near, subject

from slp_core.diagnostics.encoders import encoder_change, unseen_facts
from slp_core.diagnostics.neighbours import cut_by_facts, nearest_rows_twice
from slp_core.figures.encoder_change import MOST_ARROWS, MovesDisplay
from slp_core.methods import NearestCentroidClassifier
from slp_core.views.joint_plane import joint_plane

NAMES = ("one", "the *other*")
TOLERANCE = 1e-9


@subject
def two_encoders(case):
    if case.seed % 3:  # what is said depends little on the method
        return
    rng = np.random.default_rng(case.seed)
    spaces, y = two_spaces(case, rng)
    n = len(case.support)
    support, query = np.arange(n), np.arange(n, len(y))
    labels, names = np.array(case.classes)[y[:n]], np.array(case.classes)
    right = []
    for X in spaces:
        model = NearestCentroidClassifier().fit(X[:n], labels)
        right.append(model.predict(X[n:]) == names[case.true] if len(query) else np.empty(0, bool))
    change = encoder_change(NAMES, case.classes, spaces, y, tuple(right))
    known = {"spaces": spaces, "y": y, "n_support": n, "rights": Rights(spaces, y, n)}
    yield Saying((*change.facts(), *change.moves_facts(), *change.distances_facts()), known)
    unseen = NAMES[: int(rng.integers(1, 3))]
    yield Saying(unseen_facts(unseen), {"unseen": unseen})
    yield Saying(cut_by_facts(unseen), {"cut_by": unseen})
    if case.seed % 4 == 0:
        by_class = rng.random() < 0.5
        parts = rng.choice(["all points", "support points", "centroids"])
        plane = joint_plane(*spaces, y if by_class else None)
        texts = [""] * len(y)
        moves = MovesDisplay(plane, change, y, support, query, texts, parts)
        facts = (*moves.facts(), *moves.caption_facts())
        yield Saying(facts, known | {"parts": parts, "by_class": by_class})
    row = int(rng.integers(len(y))) if rng.random() < 0.7 else None
    at = [X[row] if row is not None else rng.normal(size=X.shape[1]) for X in spaces]
    k = int(rng.choice([1, 2, 5]))
    twice = nearest_rows_twice(NAMES, case.classes, at, spaces, y, (support, query), k, row)
    rows = [
        told
        for encoder in (0, 1)
        for place in range(len(twice.nearest[encoder].rows))
        for told in twice.row_facts(encoder, place)
    ]
    lists = [near_rows.rows.tolist() for near_rows in twice.nearest]
    near_it = {"y": y, "row": row, "lists": lists, "most": k, "cosines": cosines(at, spaces, row)}
    yield Saying((*twice.facts(), *rows, *twice.among_facts()), near_it)


def two_spaces(case, rng):
    """The case's points, and the same turned, shifted towards their means, mixed or lost."""
    X = np.concatenate([case.support, case.X.reshape(-1, case.support.shape[1])])
    y = np.concatenate([case.y_support, case.true])
    d = X.shape[1]
    what = rng.choice(["same", "turned", "tighter", "mixed", "lost"], p=[0.1, 0.2, 0.3, 0.3, 0.1])
    if what == "same":
        other = X.copy()
    elif what == "turned":
        other = 3 * X @ np.linalg.qr(rng.normal(size=(d, d)))[0]
    elif what == "tighter":
        means = np.stack([X[y == k].mean(axis=0) if (y == k).any() else 0 * X[0] for k in y])
        other = means + rng.choice([0.2, 0.5, 0.98]) * (X - means)
    elif what == "mixed":
        other = X @ rng.normal(size=(d, int(rng.integers(1, 4)))) + 0.3 * rng.normal(
            size=(len(X), 1)
        )
    else:
        other = np.ones_like(X)
    return ((X, other) if rng.random() < 0.7 else (other, X)), y


def bounds(X, y, n_support):
    """(m,) of each query point whether it is right for sure, and whether it may be right."""
    means = {k: X[:n_support][y[:n_support] == k].mean(axis=0) for k in set(y[:n_support].tolist())}
    sure, may = [], []
    for x, k in zip(X[n_support:], y[n_support:].tolist(), strict=True):
        away = {j: np.linalg.norm(x - mean) for j, mean in means.items()}
        slack = TOLERANCE * (1 + max(away.values()))
        others = [d for j, d in away.items() if j != k]
        sure.append(all(away[k] < d - slack for d in others))
        may.append(all(away[k] <= d + slack for d in others))
    return np.array(sure, bool), np.array(may, bool)


class Rights:
    """Under both, as `bounds`; computed once for all that is said."""

    def __init__(self, *known):
        self.known = known

    @cached_property
    def both(self):
        spaces, y, n_support = self.known
        return [bounds(X, y, n_support) for X in spaces]


def counted(fact, y, n_support, rights):
    assert fact["n"] == len(y) - n_support > 0
    assert (str(fact["before"]), str(fact["after"])) == NAMES
    for n, (sure, may) in zip((fact["old"], fact["new"]), rights.both, strict=True):
        assert sure.sum() <= n <= may.sum()


@check("encoders.nothing_asked", "encoders.nothing_moves")
def _(fact, case, y, n_support, **_):
    assert len(y) == n_support


@check("encoders.as_many")
def _(fact, case, y, n_support, rights, **_):
    counted(fact, y, n_support, rights)
    assert fact["old"] == fact["new"]


@check("encoders.right")
def _(fact, case, y, n_support, rights, **_):
    counted(fact, y, n_support, rights)
    assert fact["old"] != fact["new"]
    assert near(fact["old_share"], fact["old"] / fact["n"])
    assert near(fact["new_share"], fact["new"] / fact["n"])


def apart(X, y):
    """Mean distance between class means over the mean distance from them; None if none is."""
    means = {k: X[y == k].mean(axis=0) for k in sorted(set(y.tolist()))}
    within = [np.mean([np.linalg.norm(x - means[k]) for x in X[y == k]]) for k in means]
    between = [
        np.mean([np.linalg.norm(means[k] - means[j]) for j in means if j != k])
        for k in means
        if len(means) > 1
    ]
    if not between or np.mean(within) == 0:
        return None
    return np.mean(between) / np.mean(within)


@check("encoders.apart")
def _(fact, case, spaces, y, **_):
    before, after = (apart(X.astype(np.float64), y) for X in spaces)
    if min(np.ptp(X, axis=0).max() for X in spaces) > 1e-6:  # else all of it is rounding
        assert near(fact["ratio"], after / before, 1e-6)
    level = "stand as far apart" in fact.template
    assert level == (abs(fact["ratio"] - 1) <= TOLERANCE)


@check("encoders.moves_none")
def _(fact, case, y, n_support, rights, **_):
    assert fact["n"] == len(y) - n_support > 0
    (sure, may), (sure_after, may_after) = rights.both
    assert not (sure & ~may_after).any()
    assert not (sure_after & ~may).any()


@check("encoders.moves")
def _(fact, case, y, n_support, rights, **_):
    assert fact["n"] == len(y) - n_support
    assert fact["gained"] + fact["lost"] > 0
    (sure, may), (sure_after, may_after) = rights.both
    assert (sure_after & ~may).sum() <= fact["gained"] <= (may_after & ~sure).sum()
    assert (sure & ~may_after).sum() <= fact["lost"] <= (may & ~sure_after).sum()


@check("encoders.distances")
def _(fact, case, y, **_):
    assert fact["n"] == len(y)


@check("encoders.unseen")
def _(fact, case, unseen):
    assert tuple(map(str, fact["names"].items)) == unseen
    assert ("have not" in fact.template) == (len(unseen) > 1)


@check("moves.centroids")
def _(fact, case, **_):
    pass  # how it is drawn


@check("moves.support")
def _(fact, case, n_support, parts, **_):
    assert fact["n"] == n_support
    assert parts in ("all points", "support points")


@check("moves.query")
def _(fact, case, y, n_support, parts, **_):
    assert parts == "all points"
    assert fact["n"] == len(y) - n_support > 0
    assert fact["shown"] == min(fact["n"], MOST_ARROWS)
    assert ("evenly spaced" in fact.template) == (fact["shown"] < fact["n"])


@check("moves.variance")
def _(fact, case, spaces, y, by_class, **_):
    centred = [X - X.mean(axis=0) for X in spaces]
    total = sum((X**2).sum() for X in centred)
    if all(
        np.abs(C).max() <= 1e-12 * np.abs(X).max() for C, X in zip(centred, spaces, strict=True)
    ):
        assert "one place" in fact.template
        return
    assert "one place" not in fact.template
    assert 0 <= fact["variance"] <= 1
    # Turning changes no distance, so of either space no plane shows more than its own best two.
    most = sum((np.linalg.svd(X, compute_uv=False)[:2] ** 2).sum() for X in centred)
    assert fact["variance"] <= most / total + 1e-6
    if not by_class and max(X.shape[1] for X in spaces) <= 2:
        assert near(fact["variance"], 1, 1e-6)


def cosines(at, spaces, row):
    """Of every other row, under both encoders."""
    found = []
    for x, X in zip(at, spaces, strict=True):
        lengths = [np.linalg.norm(x) * np.linalg.norm(z) for z in X]
        dots = [float(np.dot(x, z)) for z in X]
        pairs = enumerate(zip(dots, lengths, strict=True))
        found.append({i: dot / to if to > 0 else 0.0 for i, (dot, to) in pairs if i != row})
    return found


def nearest(lists, most, cosines, **_):
    """How many both lists share; each is full, and none outside is nearer than one inside."""
    for listed, by_row in zip(lists, cosines, strict=True):
        assert len(listed) == len(set(listed)) == min(most, len(by_row))
        outside = [cosine for i, cosine in by_row.items() if i not in listed]
        if listed and outside:
            assert min(by_row[i] for i in listed) >= max(outside) - TOLERANCE
        assert all(a >= b - TOLERANCE for a, b in pairwise(by_row[i] for i in listed))
    return len(set(lists[0]) & set(lists[1]))


def classes_of(case, y, listed):
    return [case.classes[y[i]] for i in listed]


@check("neighbours.own_class")
def _(fact, case, y, row, **_):
    assert fact["own"] == case.classes[y[row]]


@check("neighbours.none")
def _(fact, case, y, row, **_):
    assert [i for i in range(len(y)) if i != row] == []


@check("neighbours.one")
def _(fact, case, **known):
    shared = nearest(**known)
    assert (str(fact["before"]), str(fact["after"])) == NAMES
    first, second = (classes_of(case, known["y"], listed) for listed in known["lists"])
    assert ([fact["first"]], [fact["second"]]) == (first, second)
    assert ("the same row" in fact.template) == (shared == 1)


def lists_of(fact, case, known):
    assert fact["shared"] == nearest(**known)
    assert (str(fact["before"]), str(fact["after"])) == NAMES
    lists = [classes_of(case, known["y"], listed) for listed in known["lists"]]
    assert fact["k"] == len(lists[0]) == len(lists[1])
    return lists


@check("neighbours.of_own")
def _(fact, case, **known):
    own = case.classes[known["y"][known["row"]]]
    for n, labels in zip((fact["first"], fact["second"]), lists_of(fact, case, known), strict=True):
        assert n == sum(label == own for label in labels)


@check("neighbours.most")
def _(fact, case, **known):
    assert known["row"] is None
    several, level = [], []
    for which, labels in zip(("first", "second"), lists_of(fact, case, known), strict=True):
        most = max(labels.count(label) for label in labels)
        assert fact[f"n_{which}"] == most
        level.append([label for label in case.classes if labels.count(label) == most])
        assert [*map(str, fact[which].items)] == level[-1]
        several.append(len(level[-1]) > 1)
    assert fact.template.count(" each") == sum(several)
    said_once = level[0] == level[1]
    assert ("{second}" in fact.template) != said_once
    verbs = several[:1] if said_once else several
    assert fact.template.count(" have ") == sum(verbs)


@check("neighbours.row")
def _(fact, case, **known):
    lists, encoder = known["lists"], fact["encoder"]
    row = lists[encoder][fact["place"]]
    assert fact["row"] == row
    assert fact["label"] == case.classes[known["y"][row]]
    assert near(fact["cosine"], np.clip(known["cosines"][encoder][row], -1, 1))
    both = row in lists[0] and row in lists[1]
    assert both == fact["in_both"] == ("in both lists" in fact.template)


@check("neighbours.cut")
def _(fact, case, cut_by):
    assert tuple(map(str, fact["names"].items)) == cut_by
    assert ("reads" in fact.template) == (len(cut_by) == 1)


@check("neighbours.among")
def _(fact, case, y, **_):
    assert fact["n"] == len(y)
