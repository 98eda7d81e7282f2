"""The confusion matrix says the same as its table."""

import re

import numpy as np
import pytest

from slp_core.figures.confusion import ConfusionDisplay
from slp_core.figures.style.theme import DARK, LIGHT, blend, class_style, ink_on


@pytest.mark.parametrize("n_classes", [2, 13])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_confusion_cells_carry_counts_shaded_by_share(n_classes, theme):
    counts = np.random.default_rng(0).integers(0, 9, size=(n_classes, n_classes))
    counts[0] = 0  # a class without query examples
    classes = [f"class {k}" for k in range(n_classes)]
    display = ConfusionDisplay(counts, classes)
    figure, table = display.figure(theme), display.table()
    share = np.where(np.isnan(figure.data[0].z), figure.data[1].z, figure.data[0].z)
    np.testing.assert_allclose(share, table["share"].to_numpy().reshape(share.shape), atol=1e-6)
    np.testing.assert_array_equal(table["count"], counts.ravel())
    assert np.isnan(share[0]).all()
    correct, wrong = (trace.colorscale[-1][1] for trace in figure.data)
    assert (correct, wrong) == (theme.correct, theme.wrong)
    texts = np.where(np.eye(n_classes, dtype=bool), figure.data[0].text, figure.data[1].text)
    for i, count in enumerate(counts.ravel()):
        text = texts.flat[i]
        assert re.sub("<span.*?>|<br>.*|</span>", "", text) == (str(count) if count else "")
        if text:
            (_, faint), (_, strong) = figure.data[i % (n_classes + 1) > 0].colorscale
            color = blend(strong, faint, float(share.flat[i]))
            assert ink_on(color) in text
    labels = figure.layout.yaxis.ticktext
    assert all(class_style(k, theme).color in label for k, label in enumerate(labels))


def test_of_very_many_classes_those_with_the_most_errors_are_drawn_with_names():
    counts, classes = 5 * np.eye(200, dtype=int), [f"class {k}" for k in range(200)]
    counts[40, 150] = 7
    display = ConfusionDisplay(counts, classes)
    figure = display.figure()
    names = [re.sub("<.*?>", "", text).strip() for text in figure.layout.xaxis.ticktext]
    assert len(names) == len(set(names)) == 50
    wrong = figure.data[1]
    at = names.index("class 40"), names.index("class 150")
    assert wrong.hovertext[at[0]][at[1]].startswith("7 of 12 <b>class 40</b> (58%)")
    assert "7" in wrong.text[at[0]][at[1]]
    assert display.thinned_text() == "The 50 classes with the most errors; the table has all 200."
    assert len(display.table()) == 200**2
    assert ConfusionDisplay(counts[:50, :50], classes[:50]).thinned_text() == ""


def test_the_largest_confusions_are_listed():
    for seed in range(50):
        rng = np.random.default_rng(seed)
        k = int(rng.integers(1, 9))
        counts = rng.integers(0, rng.choice([1, 3, 50]), (k, k))
        names = [f"class {c}" for c in range(k)]
        listed = ConfusionDisplay(counts, names).largest().to_dict("split")["data"]
        wrong = [
            [names[i], names[j], counts[i, j]]
            for i in range(k)
            for j in range(k)
            if i != j and counts[i, j]
        ]
        assert listed == sorted(wrong, key=lambda row: -row[2])[:20]


LONG = "a class with quite a long name"


@pytest.mark.parametrize(
    ("classes", "told", "angle"),
    [
        (["a", "b", LONG], ["● a", "■ b", "◆ a class w…"], 0),
        ([*"0123456789"], [*map(" ".join, zip("●■◆▲⬟★▼✚⬢✖", "0123456789", strict=True))], 0),
        ([*"abcdefg", LONG], [*"abcdefg", "a class wit…"], -90),
        ([*map(str, range(24)), LONG], [*map(str, range(24)), "a class wit…"], -90),
    ],
)
def test_columns_are_told_apart_by_what_has_room_under_them(classes, told, angle):
    k = len(classes)
    axis = ConfusionDisplay(np.eye(k, dtype=int), classes).figure().layout.xaxis
    assert [re.sub("<.*?>", "", text) for text in axis.ticktext] == told
    assert axis.tickangle == angle
