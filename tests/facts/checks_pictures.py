"""Pictures of the space: what they keep, and how often they show what the method answers."""

import numpy as np
from facts_book import Saying, check, near, subject

from slp_core.explain.headline import without_lines
from slp_core.methods.protocols import predicts_from_lines
from slp_core.views import (
    PICTURE_TITLES,
    Projection,
    decision_landscape,
    fit_projection,
    recommend_projection,
)
from slp_core.views.recommend import centroids_in_place

CLOSE = 1e-9


@subject
def pictures(case):
    """One of the pictures of support and query points; a layout is drawn by lot."""
    if case.seed % 6:
        return
    rng = np.random.default_rng(case.seed)
    X = np.concatenate([case.support, case.X])
    names = ["pca", "decision_plane", "umap"]
    names += ["centroid_plane"] if hasattr(case.model, "centroids_") else []
    method = str(rng.choice(names))
    if method == "umap" and X.shape[1] > 2:
        projection = Projection("umap", X, rng.normal(size=(len(X), 2)), None, False)
    else:
        projection = fit_projection(X, "pca" if method == "umap" else method, case.model)
    inverse = str(rng.choice(projection.inverses))
    landscape = decision_landscape(case.model, projection, grid=2, inverse=inverse)
    seen = {"picture": projection, "inverse": inverse}
    yield Saying(projection.kept.facts(), seen)
    yield Saying(landscape.facts(), seen)
    yield Saying(centroids_in_place(projection, case.centroids).facts(), seen)
    yield Saying(projection.off_facts(int(rng.integers(len(X)))), seen)


@subject
def held_out(case):
    """Linear pictures, each made again and again without some of the query points."""
    if case.seed % 16 != 1:
        return
    X, k = np.concatenate([case.support, case.X]), len(case.support)
    names = ["pca", "decision_plane"]
    names += ["centroid_plane"] if hasattr(case.model, "centroids_") else []
    found = recommend_projection(case.model, X, names, np.arange(k, len(X)), case.seed)
    pictures = list(found.held_out)
    here = pictures[case.seed // 16 % len(pictures)]
    seen = {"found": found, "here": here, "X": X}
    yield Saying(found.held_out[here].facts(), seen)
    yield Saying(found.held_out[here].more_facts(), seen)
    yield Saying(found.not_enough_facts(2.0), seen)
    better = found.better_than(here)
    if better is None:
        yield Saying(found.none_better_facts(here, PICTURE_TITLES), seen)
    else:
        yield Saying(found.better_facts(better), seen)


@subject
def lines(case):
    if not predicts_from_lines(case.model):
        yield Saying(without_lines("The method", "another"))


@check("headline.without_lines")
def _(fact, case):
    assert all(len(line.classes) < 2 for line in getattr(case.model, "lines_", ()))


# What a picture keeps


@check("picture.exact", "landscape.exact")
def _(fact, case, picture, inverse):
    assert picture.vectors.shape[1] <= 2
    assert np.array_equal(picture.points[:, : picture.vectors.shape[1]], picture.vectors)


@check("picture.variance")
def _(fact, case, picture, inverse):
    spread = picture.vectors - picture.vectors.mean(axis=0)
    total = sum(float(row @ row) for row in spread)
    seen = sum(float((picture.plane.axes @ row) @ (picture.plane.axes @ row)) for row in spread)
    assert near(fact["share"], seen / total if total > 0 else 1.0, 1e-7)
    assert fact["d"] == picture.vectors.shape[1]
    assert ("not seen" in fact.template) == (fact["share"] <= 1 - 1e-9)


@check("picture.bent")
def _(fact, case, picture, inverse):
    assert picture.plane is None
    assert len(picture.points) < 4


@check("picture.trustworthiness")
def _(fact, case, picture, inverse):
    """Venna and Kaski's formula; where distances tie, any order of the neighbours will do."""
    n, k = len(picture.points), fact["neighbours"]
    assert k == min(8, (n - 1) // 2)
    assert -CLOSE <= fact["trustworthiness"] <= fact["most"] + CLOSE == 1 + CLOSE
    high = [np.linalg.norm(picture.vectors - x, axis=1) for x in picture.vectors]
    low = [np.linalg.norm(picture.points - x, axis=1) for x in picture.points]
    if n > 60 or any(
        np.diff(np.sort(np.delete(row, i))).min() < 1e-9 for i, row in enumerate(high)
    ):
        return
    penalty = 0
    for i in range(n):
        order = [j for j in np.argsort(high[i]) if j != i]
        drawn_near = [j for j in np.argsort(low[i]) if j != i][:k]
        penalty += sum(max(0, order.index(j) + 1 - k) for j in drawn_near)
    expected = 1 - penalty * 2 / (n * k * (2 * n - 3 * k - 1))
    assert near(fact["trustworthiness"], expected, 1e-6)


@check("picture.off_plane", "picture.alone_off_plane")
def _(fact, case, picture, inverse):
    def off(row):
        x = picture.vectors[row] - picture.plane.origin
        return np.linalg.norm(x - sum((x @ axis) * axis for axis in picture.plane.axes))

    scale = 1 + np.abs(picture.vectors).max()
    assert abs(fact["off"] - off(fact["row"])) <= 1e-6 * scale
    others = [off(row) for row in range(len(picture.vectors)) if row != fact["row"]]
    assert bool(others) == ("others" in fact.values)
    if others:
        assert abs(fact["others"] - sum(others) / len(others)) <= 1e-6 * scale


@check("pictures.centroids_on_slice")
def _(fact, case, picture, inverse):
    k = len(case.centroids)
    assert fact["k"] == k
    if picture.plane is None:
        assert fact["n"] == 0
        return
    between = [
        np.linalg.norm(a - b) for i, a in enumerate(case.centroids) for b in case.centroids[:i]
    ]
    reach = fact["tolerance"] * (float(np.median(between)) if between else 0.0) + 1e-12
    away = []
    for centroid in case.centroids:
        x = centroid - picture.plane.origin
        away.append(np.linalg.norm(x - sum((x @ axis) * axis for axis in picture.plane.axes)))
    scale = 1e-9 * (1 + np.abs(case.centroids).max())
    assert (
        sum(a <= reach - scale for a in away) <= fact["n"] <= sum(a <= reach + scale for a in away)
    )
    none, every = fact["n"] == 0, fact["n"] == k
    assert ("not" in fact.template.lower().split() or "No " in fact.template) == none
    assert ("perpendicular" in fact.template) == (not every)
    assert ("{n:" in fact.template) == (not none and not every)


# What it shows of the answers


@check("landscape.slice")
def _(fact, case, picture, inverse):
    """A place stands for the vector that is its two coordinates along the axes."""
    assert inverse == "plane"
    x = picture.plane.lift(np.array([[2.0, 3.0]]))[0]
    assert np.allclose(
        x, picture.plane.origin + 2 * picture.plane.axes[0] + 3 * picture.plane.axes[1]
    )


@check("landscape.surface")
def _(fact, case, picture, inverse):
    away = np.linalg.norm(picture.inverse(picture.points, "surface") - picture.vectors, axis=1)
    scale = np.linalg.norm(picture.vectors - picture.vectors.mean(axis=0), axis=1).max()
    assert fact["off"] == sum(away > 1e-9 * scale)
    assert ("but" in fact.template) == (fact["off"] > 0)
    for i in np.flatnonzero(away > 1e-9 * scale):
        shares = [np.array_equal(picture.points[i], p) for p in picture.points]
        assert sum(shares) > 1


def unsure(case, vectors):
    """Where rounding decides: two answers nearly tie, or two lines are as near."""
    ordered = np.sort(case.model.predict_proba(vectors), axis=1)
    doubt = ordered[:, -1] - ordered[:, -2] < 1e-7 if ordered.shape[1] > 1 else ordered[:, 0] < 0
    if predicts_from_lines(case.model) and len(case.model.lines_) > 1:
        away = case.model.place(vectors).segment_distance
        if case.model.assignment == "prototype":
            ends = case.model.prototypes_
            away = np.array(
                [[np.linalg.norm(x - pair, axis=1).min() for pair in ends] for x in vectors]
            )
        near = np.sort(away, axis=1)
        doubt |= near[:, 1] - near[:, 0] < 1e-7
    return doubt


def shown_at(case, picture, inverse):
    """What each row's place stands for: of the plane, or of a surface through the other rows."""
    vectors = []
    for row in range(len(picture.points)):
        rest = np.delete(np.arange(len(picture.points)), row)
        if inverse == "plane":
            x, y = picture.points[row]
            vectors.append(
                picture.plane.origin + x * picture.plane.axes[0] + y * picture.plane.axes[1]
            )
        elif len(rest):
            surface = type(picture.surface)(picture.points[rest], picture.vectors[rest])
            vectors.append(surface(picture.points[[row]])[0])
        else:
            vectors.append(picture.vectors[0])
    return np.array(vectors)


@check("fidelity.drawn", "fidelity.drawn_fitted")
def _(fact, case, picture, inverse):
    n = len(picture.points)
    answered = case.model.predict_proba(picture.vectors)
    assert fact["n"] == n
    assert near(fact["overall"], fact["right"] / n)
    fitted = picture.method.startswith("decision") and picture.vectors.shape[1] > 2
    assert (fact.kind == "fidelity.drawn_fitted") == fitted
    assert ("left out" in fact.template) == (inverse == "surface")
    if inverse == "surface" and len(np.unique(picture.points.round(9), axis=0)) < n:
        return  # points on one spot: which of them are near is a matter of chance
    places = shown_at(case, picture, inverse)
    there = case.model.predict_proba(places)
    doubt = unsure(case, places) | unsure(case, picture.vectors)
    agree = [
        a.tolist().index(max(a)) == b.tolist().index(max(b))
        for a, b in zip(there, answered, strict=True)
    ]
    right = sum(agree)
    assert right - sum(doubt) <= fact["right"] <= right + sum(doubt)


def judged(case, found, picture, X):
    """(right, unsure, n) of a picture, by folds of our own making from what was held out."""
    method, inverse = picture
    held = found.held_out[picture]
    queries = range(len(case.support), len(X))
    assert sorted(held.rows.tolist()) == list(queries)
    sizes = [sum(held.fold == part) for part in range(held.folds)]
    assert max(sizes, default=0) - min(sizes, default=0) <= 1
    assert held.folds == min(5, len(queries))
    right = doubt = 0
    for part in range(held.folds):
        out = held.rows[held.fold == part].tolist()
        rest = [row for row in [*range(len(case.support)), *held.rows.tolist()] if row not in out]
        made = fit_projection(X[rest], method, case.model)
        places = made.inverse(made.transform(X[out]), inverse)
        doubt += sum(unsure(case, places) | unsure(case, X[out]))
        for row, probability in zip(out, case.model.predict_proba(places).tolist(), strict=True):
            answer = case.probability[row - len(case.support)].tolist()
            right += probability.index(max(probability)) == answer.index(max(answer))
    return right, doubt, len(queries)


@check("fidelity.held_out")
def _(fact, case, found, here, X):
    right, doubt, n = judged(case, found, here, X)
    # Of rows in another order the last digits may differ, and break ties otherwise.
    assert abs(fact["right"] - right) <= doubt
    assert fact["n"] == fact["of"] == n == len(case.X)
    assert near(fact["overall"], fact["right"] / n)
    assert fact["folds"] == min(5, n)
    assert ("{folds" in fact.template) == (fact["folds"] > 1)


@check("fidelity.none_held_out")
def _(fact, case, **_context):
    assert len(case.X) == 0


@check("fidelity.sampled")
def _(fact, case, **_context):
    assert fact["n"] < fact["of"]


@check("fidelity.one_answer")
def _(fact, case, **_context):
    assert {case.classes[c] for c in case.predicted} == {fact["answer"]}


@check("fidelity.one_colour")
def _(fact, case, **_context):
    counts = [sum(case.predicted == c) for c in range(len(case.classes))]
    assert near(fact["share"], max(counts) / len(case.X))
    assert sum(c > 0 for c in counts) > 1


@check("fidelity.by_answer")
def _(fact, case, **_context):
    told = [each["answer"] for each in fact["each"].items]
    assert sorted(told) == sorted({case.classes[c] for c in case.predicted})


@check("fidelity.of_answer")
def _(fact, case, found, here, X):
    held = found.held_out[here]
    rows = [
        i
        for i, row in enumerate(held.rows)
        if case.classes[case.predicted[row - len(case.support)]] == fact["answer"]
    ]
    right = sum(case.classes[held.shown[i]] == fact["answer"] for i in rows)
    assert near(fact["share"], right / len(rows))


# Which picture shows more


def rights(found):
    return {
        picture: sum(a == b for a, b in zip(held.shown, held.answered, strict=True))
        for picture, held in found.held_out.items()
    }


@check("pictures.none_better")
def _(fact, case, found, here, X):
    assert max(rights(found).values()) == rights(found)[here]
    assert fact["here"] == here
    assert len(fact["others"].items) == len(found.held_out) - 1
    bent = here[1] == "surface"
    own = f"{PICTURE_TITLES[here[0]]} as a {'surface' if bent else 'slice'}"
    assert own not in fact["others"].items


@check("pictures.not_tried")
def _(fact, case, found, here, X):
    tried = {PICTURE_TITLES[method] for method, _ in found.held_out}
    assert set(fact["left"].items) == set(PICTURE_TITLES.values()) - tried
    assert fact["were"] == ("were" if len(fact["left"].items) > 1 else "was")


@check("pictures.better")
def _(fact, case, found, here, X):
    right = rights(found)
    assert fact["right"] == right[fact["which"]] == max(right.values()) > right[here]
    assert fact["n"] == len(case.X)
    assert fact["picture"].startswith(PICTURE_TITLES[fact["which"][0]])


@check("pictures.not_enough")
def _(fact, case, found, here, X):
    assert all(right < fact["enough"] * max(len(case.X), 1) for right in rights(found).values())
