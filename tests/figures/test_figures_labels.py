"""Class names as labels: short, and one for each class."""

from hypothesis import given
from hypothesis import strategies as st

from slp_core.figures.style.text import labels_of, shortened


def test_what_long_names_begin_with_in_common_is_left_out():
    names = [f"category number {i} of a rather long naming scheme" for i in (1, 10, 13, 2)]
    assert labels_of(names, 18) == (
        "…1 of a rather lo…",
        "…10 of a rather l…",
        "…13 of a rather l…",
        "category number 2…",
    )
    ends = ["x" * 40 + "a", "x" * 40 + "b", "short"]
    assert labels_of(ends, 12) == ("…xxxxxxa", "…xxxxxxb", "short")


alike = st.builds(
    str.__add__, st.text("ab ", min_size=20, max_size=40), st.text("abc ", max_size=40)
)


@given(st.lists(st.one_of(alike, st.text("xyz <", min_size=1)), min_size=1, max_size=8))
def test_labels_are_short_and_no_fewer_than_names_that_are_cut(names):
    labels, cut = labels_of(names, 16), [shortened(name, 16) for name in names]
    assert all(len(label.replace("&lt;", "<")) <= 16 for label in labels)
    assert len(set(labels)) >= len(set(cut))
    for name, label in zip(names, labels, strict=True):
        if len(" ".join(name.split())) <= 16:
            assert label == shortened(name, 16)


@given(st.text("ab ", min_size=20, max_size=40), st.sets(st.text("abc", min_size=1), min_size=2))
def test_names_that_begin_alike_are_told_apart(start, ends):
    names = sorted({" ".join(f"{start}{end}".split()) for end in ends})
    assert len(set(labels_of(names, 16))) == len(names)
