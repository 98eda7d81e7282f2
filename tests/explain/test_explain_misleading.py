"""The fewest shots without which a class is predicted, against a search through all sets."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core import ConstraintSLPClassifier, NearestCentroidClassifier, SLPError
from slp_core.errors import Cancelled
from slp_core.explain.misleading import MisleadingShots, Removal, misleading_shots
from slp_core.explain.text import misleading_text
from slp_core.markdown import unmarked

MODEL = NearestCentroidClassifier()


def plain(text):
    """Without marks, and with plain spaces and quotes."""
    plain = str.maketrans("“”\xa0", '"" ', "\u2066\u2068\u2069\u2060")
    return unmarked(text).translate(plain)


def judged(model, X, y, Q, truth, left_out=()):
    """(accuracy, log-likelihood, predictions) without some shots; None where a class is lost."""
    kept = [row for row in range(len(y)) if row not in left_out]
    if set(y[kept]) != set(y):
        return None
    fitted = model().fit(X[kept], y[kept])
    p = fitted.predict_proba(Q)
    predicted = fitted.classes_[p.argmax(axis=1)]
    own = p[np.arange(len(Q)), np.searchsorted(fitted.classes_, truth)]
    return (predicted == truth).mean(), np.log(np.maximum(own, 2**-52)).mean(), predicted


@settings(deadline=None, max_examples=30)
@given(
    st.sampled_from([NearestCentroidClassifier, ConstraintSLPClassifier]),
    st.lists(st.integers(1, 3), min_size=2, max_size=3),
    st.integers(0, 2**32 - 1),
)
def test_misleading_shots_are_those_of_a_search_through_all_sets(model, sizes, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat(list("abc")[: len(sizes)], sizes)
    X, Q, truth = rng.normal(size=(len(y), 2)), rng.normal(size=(6, 2)), rng.choice(y, 6)
    found = misleading_shots(model(), "M", X, y, Q, truth)
    accuracy, _, whole = judged(model, X, y, Q, truth)
    never = set(truth) - set(whole)
    names = np.array(found.classes)
    assert (found.accuracy, set(names[list(found.never_predicted)])) == (accuracy, never)
    tried, size = {}, 0
    while size < 3 and not any(useful(each, never, accuracy) for each in tried.values()):
        size += 1
        sets = {s: judged(model, X, y, Q, truth, s) for s in combinations(range(len(y)), size)}
        if not any(sets.values()):
            break
        tried |= {s: each for s, each in sets.items() if each}
    assert found.complete == found.size
    assert found.tried == len(tried)
    revealing = [s for s, each in tried.items() if never & set(each[2])]
    gaining = [s for s, each in tried.items() if each[0] > accuracy]
    for removal, able in ((found.revealing, revealing), (found.gaining, gaining)):
        assert (removal is None) == (not able)
        if removal:
            assert removal.shots in able
            best = max(tried[s][:2] for s in able)
            np.testing.assert_allclose(tried[removal.shots][:2], best)
            assert removal.accuracy == tried[removal.shots][0]
            assert removal.changed == (tried[removal.shots][2] != whole).sum()
            missing = set(truth) - set(tried[removal.shots][2])
            assert set(names[list(removal.never_predicted)]) == missing


def useful(each, never, accuracy):
    return bool(never & set(each[2])) if never else each[0] > accuracy


def test_a_bounded_search_extends_the_best_sets_and_says_so():
    X, y = np.array([[0.0], [0.2], [9], [9], [5], [5.2]]), np.array(list("aaaabb"))
    Q, truth = np.array([[1.0], [4.0], [6]]), np.array(list("abb"))
    found = misleading_shots(MODEL, "M", X, y, Q, truth, fits=7)
    assert (found.size, found.complete, found.revealing) == (2, 1, None)
    assert found.gaining.shots == (2, 3)
    assert misleading_text(found) == (
        "Without 2 shots M is more accurate: accuracy 66.7% → 100.0%, 1 prediction changed. "
        "Tried: 11 sets of up to 2 shots."
    )
    with pytest.raises(SLPError, match="The query set is empty"):
        misleading_shots(MODEL, "M", X, y, Q[:0], truth[:0])
    with pytest.raises(Cancelled):
        misleading_shots(MODEL, "M", X, y, Q, truth, cancelled=lambda: True)


def test_misleading_shots_are_said():
    names, one = ("x", "y", "z"), Removal((4,), 0.75, (2,), 9)
    found = MisleadingShots("M", names, 0.5, (1,), one, one, 1, 1, 6)
    assert plain(misleading_text(found)) == (
        'Without 1 shot M predicts ■ "y", and never ◆ "z": accuracy 50.0% → 75.0%, '
        "9 predictions changed. All sets of one shot were tried."
    )
    two = Removal((4, 5), 0.75, (1,), 1)
    assert plain(misleading_text(replace(found, revealing=None, gaining=two, size=3))) == (
        'No set of shots found makes M predict ■ "y". Without 2 shots M is more accurate: accuracy '
        "50.0% → 75.0%, 1 prediction changed. Tried: 6 sets of up to 3 shots."
    )
    nothing = MisleadingShots("M", names, 0.5, (), None, None, 3, 3, 6)
    assert misleading_text(nothing) == (
        "No removal found raises accuracy. All sets of up to 3 shots were tried."
    )
    assert misleading_text(replace(nothing, tried=0)) == (
        "No shot can be left out: each is the last of its class."
    )
