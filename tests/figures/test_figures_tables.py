"""Confusion matrix and soft-label bars say the same as their tables."""

import numpy as np
import pytest

from slp_core.figures import (
    DARK,
    LIGHT,
    ConfusionDisplay,
    class_style,
    soft_labels_figure,
    soft_labels_table,
)
from slp_core.methods import ConstraintSLPClassifier


@pytest.mark.parametrize("n_classes", [2, 13])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_confusion_cells_carry_counts_shaded_by_share(n_classes, theme):
    counts = np.random.default_rng(0).integers(0, 9, size=(n_classes, n_classes))
    counts[0] = 0  # a class without query points
    classes = [f"class {k}" for k in range(n_classes)]
    display = ConfusionDisplay(counts, classes)
    figure, table = display.figure(theme), display.table()
    share = np.where(np.isnan(figure.data[0].z), figure.data[1].z, figure.data[0].z)
    np.testing.assert_allclose(share, table["share"].to_numpy().reshape(share.shape), atol=1e-6)
    np.testing.assert_array_equal(table["count"], counts.ravel())
    assert np.isnan(share[0]).all()
    right, wrong = (trace.colorscale[-1][1] for trace in figure.data)
    assert (right, wrong) == (theme.right, theme.wrong)
    texts = np.where(np.eye(n_classes, dtype=bool), figure.data[0].text, figure.data[1].text)
    for count, text in zip(counts.ravel(), texts.ravel(), strict=True):
        assert text.split("<br>")[0] == (str(count) if count else "")
    labels = figure.layout.xaxis.ticktext
    assert all(class_style(k, theme).color in label for k, label in enumerate(labels))


def test_bars_are_the_soft_labels_of_each_prototype():
    X = np.array([[0.0, 0], [4, 0], [9, 0], [0, 30], [9, 31], [4, 60], [9, 66]])
    classes = list("abcdefg")
    model = ConstraintSLPClassifier(n_lines=3).fit(X, classes)
    figure = soft_labels_figure(model.soft_labels_, model.lines_, classes)
    table = soft_labels_table(model.soft_labels_, model.lines_, classes)
    assert len(table) == 2 * len(model.lines_) > 2
    for trace in figure.data:
        np.testing.assert_allclose(trace.x, table[trace.name], atol=1e-6)
    np.testing.assert_allclose(sum(trace.x for trace in figure.data), 1.0, atol=1e-6)
    assert list(table["at"]) == [classes[c] for m in model.lines_ for c in (m.left, m.right)]
    assert list(figure.layout.yaxis.ticktext) == [
        f"{side} · {at} " for side, at in zip(table["side"], table["at"], strict=True)
    ]
