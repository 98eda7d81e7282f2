"""An address opens the view that it was taken from, and says what it asks for in vain."""

import json
from concurrent.futures import wait
from urllib.parse import parse_qs

import hypothesis
import pytest
from driving import FOLDS, charts, computing, open_page, press, said, shown, until, widget
from hypothesis import given
from hypothesis import strategies as st
from test_pages_words import gone

from pages.session import settings
from pages.session.jobs import job_pool
from pages.session.text import refused_text, unknown_text
from pages.shell.frame import MOST_REFUSED
from pages.widgets.typed_text import example_of, parts_of
from slp_core.data import Examples, list_datasets, load_dataset
from slp_core.data.edits import Edits

ELSEWHERE = {"dataset": "Emotions", "shots": 2, "draw": 2}
# What decides between what other settings choose
FIRST = {"dataset", "shots", "draw", "method", "distance", "compared"}
# Of each page: what is settled there, where it differs from what it opens with.
VIEWS = {
    "explore": {"shots": 4, "draw": 2}
    | {
        "edits": Edits(removed=(296,), added=(1,), relabelled=((290, 2),)),
        "method": "DeepSLP",
        "preset": "as in the paper",
        "seed": "3",
        "projection": "Decision plane",
        "landscape": "surface",
        "shade": "probability",
        "layers": ["Landscape", "Query points", "Lines"],
        "beside_deep_slp_minilm-l4": "Nearest centroid",
        "point": 7,
    },
    "train": {"method": "Nearest centroid", "draw": 1}
    | {"run_preset": "custom", "run_epochs": 9, "run_seed": "2", "epoch": 4},
    "explain": ELSEWHERE
    | {"distance": "projected onto the line", "stacked": "by line", "errors_sorted": "by w"}
    | {"zoom": True}
    | {"explain_class": "sadness", "explain_margin": 0.02},
    "explain another line": {"dataset": "Five on two lines", "point": 3},
    "soft_labels": ELSEWHERE
    | {
        "distance": "projected onto the line",
        "beside_constraint_slp": "constraintSLP, projected onto the line",
        "other_draw": "5",
    }
    | {"other_encoder": "Reptile, plain head on MiniLM, layer 4", "hand_made_line": 1},
    "ensemble": {"method": "DeepSLP", "shots": 4, "temperature": "softmax(z / distance)"}
    | {"over": "distance", "elsewhere": "Emotions", "point": 4},
    "compare": {"dataset": "Disaster or not", "compared": ["DeepSLP", "1-nearest neighbour"]}
    | {"method_a": "DeepSLP", "method_b": "1-nearest neighbour", "shots": 4},
    "encoders": {"dataset": "Disaster or not", "arrows_few": "centroids"}
    | {
        "plane_few": "of the class means",
        "before_minilm-l4": "Reptile, plain head on MiniLM, layer 4",
        "point": 5,
    },
}

# Parts without a setting of their own that take long to compute
LEFT_FOLDED = {f"open_{name}" for name in ("accuracy", "everywhere", "tuning", "episode")}
UNFOLDED = {key: True for key in FOLDS if key not in LEFT_FOLDED}


def picture(app):
    """The first sentence, all captions, every figure with its words; not what else was done."""
    words = [element.value for part in (app.subheader, app.caption) for element in part]
    # A run's seconds, other runs of the visit, and whether a picture in the making may be better.
    aside = (" took ", "Train with other settings", "None of the ")
    return [each for each in words if not any(part in each for part in aside)], charts(app)


def settled(app):
    """The page when nothing that it shows is computed any more; whether UMAP is better may be."""
    for _ in range(9):  # what is done may be what the next thing is computed from
        before = set(job_pool()._jobs)
        assert not wait([job.future for job in computing()], timeout=120).not_done, said(app)
        app.run()
        assert not app.exception, app.exception
        if set(job_pool()._jobs) == before and not computing():
            return app
    raise AssertionError(said(app))


def trained(app):
    """Train when its run has ended."""
    return until(app, lambda: any("PCA of centroids" in c.value for c in app.caption))


@pytest.mark.parametrize("view", VIEWS)
def test_a_link_opens_the_same_view_elsewhere(view):
    folder, settled_there = view.split()[0], VIEWS[view]
    app = open_page(folder, folded=True)
    opened = until(app, lambda: app.subheader).subheader[0].value  # which a run may come before
    # What a class is called is of no use before its dataset; nor is what is folded
    early = {key: value for key, value in settled_there.items() if key in FIRST}
    late = {key: value for key, value in settled_there.items() if key not in FIRST}
    for chosen in (early, late | UNFOLDED):
        for key, value in chosen.items():
            app.session_state[key] = value
        settled(app)
    if folder == "train":
        settled(trained(app))
    if "line" in view:  # by hand, after the point has brought its own
        app.session_state["explain_line"] = 1 - widget(app.selectbox, "explain_line").value
        assert "explain_line" in parse_qs(settled(app).session_state[settings.LINK.key])
    if folder == "soft_labels":
        share = next(s for s in app.slider if s.key.startswith("share 1"))
        share.set_value(0.15)
        settled(app)
    shown(app)
    assert not gone(app)
    assert app.subheader[0].value != opened
    link = parse_qs(app.session_state[settings.LINK.key])
    for key, value in settled_there.items():
        assert key in link, f"{key} = {value} is not in {link}"
    again = settled(open_page(folder, query=link, folded=True))
    if folder == "train":
        settled(trained(again))
    shown(again)
    assert picture(again) == picture(app)
    assert parse_qs(again.session_state[settings.LINK.key]) == link


HOSTILE = {
    "draw": "1e999",
    "shots": "NaN",
    "encoder": "<script>alert(1)</script>",
    "explain_class": "sadness",  # of another dataset
    "explain_at_line": "1e9",
    "explain_margin": "nan",
    "typed": "[" * 1_500,
    "of_long_ago": "$x$ [a](javascript:1)",
}


def test_edits_are_those_of_one_draw_and_can_be_undone():
    query = {"shots": "4", "draw": "2", "edits": "r296a1"}
    app = open_page("train", query=query, folded=True)
    assert "Edited support set: 1 removed and 1 added." in shown(app)
    assert "support set 2, edited" in shown(app).lower()
    assert parse_qs(press(app, "Resample").session_state[settings.LINK.key])["draw"] == ["3"]
    assert "edited" not in shown(app).lower()
    again = press(open_page("train", query=query, folded=True), "Undo all edits")
    link = parse_qs(again.session_state[settings.LINK.key])
    assert (link["draw"], "edits" in link) == (["2"], False)
    refused = open_page("train", query=query | {"edits": "r0"}, folded=True)
    assert "Edited" not in said(refused)
    assert any("The link asks" in each.value for each in refused.markdown)


@pytest.mark.parametrize("info", list_datasets()[-2:], ids=lambda info: info.name)
def test_a_link_may_name_a_dataset_as_the_library_does(info):
    app = open_page("soft_labels", query={"dataset": info.name}, folded=True)
    assert widget(app.selectbox, "dataset").value == info.title
    assert "asks for the dataset" not in shown(app)
    assert parse_qs(app.session_state[settings.LINK.key])["dataset"] == [info.title]


@pytest.mark.parametrize("key", ["before", "after_"])
def test_a_choice_that_is_among_nothing_is_no_setting(key):
    app = settled(open_page("encoders", folded=True, query={key: "nope", "after_other": "later"}))
    (told,) = [m.value for m in app.markdown if "The link asks" in m.value]
    assert told == f":material/warning: {unknown_text(key, ['nope'])}"


def test_what_an_address_asks_for_in_vain_is_told_and_stands_at_its_default():
    plain, app = settled(open_page("explain")), settled(open_page("explain", query=HOSTILE))
    told = [m.value for m in app.markdown if "The link asks" in m.value]
    named = [key for key in HOSTILE if any(key.replace("_", "\\_") in each for each in told)]
    assert named[:6] == list(HOSTILE)[:6]
    assert len(told) == 1 + MOST_REFUSED
    assert not any("<script>" in each.replace("\\<", "") for each in told)
    words, figures = picture(plain)
    again, figures_again = picture(app)
    assert figures_again == figures
    assert again == words
    next(b for b in app.button if b.key == "close refused").click().run()
    assert "The link asks" not in said(app)


@pytest.mark.parametrize("folder", ["train", "ensemble"])
def test_a_page_that_opens_with_a_method_of_its_own_does_so_where_a_link_has_none(folder):
    app = settled(open_page(folder, folded=True, query={"method": "nope"}))
    assert not app.exception
    assert widget(app.selectbox, "method").value == "DeepSLP"
    (told,) = [m.value for m in app.markdown if "The link asks" in m.value]
    assert "Using DeepSLP instead" in told or "“DeepSLP”" in told, told


def test_a_refused_epoch_is_told_as_its_slider_says_it():
    app = settled(open_page("train", query={"epoch": "500"}))
    (told,) = [m.value for m in app.markdown if "The link asks" in m.value]
    assert "Using “the last” instead" in told


ODD = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["inf", "-inf", "nan", "1e999", "9" * 5_000, "1" * 4_301, "0x10", "1_0", "٣"]),
    st.sampled_from(["\ud800", '["\\ud800"]', "\0", "<script>", "[[1e999]]", "[NaN]", "a" * 10**5]),
    st.recursive(st.floats() | st.text(max_size=3), lambda part: st.lists(part, max_size=3)).map(
        json.dumps
    ),
)


@hypothesis.settings(max_examples=150, deadline=None)
@given(ODD)
def test_no_value_of_an_address_ends_the_script(text):
    for each in settings.in_address().values():
        if (value := each.read([text])) is not None:
            written = each.write(value)
            again = written if isinstance(written, list) else [written]
            assert each.read(again) == value
        assert len(refused_text(each.key, [text], each.default)) < 400


@pytest.mark.parametrize("text", ["inf", "-Infinity", "nan", "1e999", "9" * 5_000, "1e15", "x"])
def test_a_number_that_no_widget_reads_means_nothing(text):
    numbers = [each for each in settings.in_address().values() if each.kind in (int, float)]
    assert len(numbers) > 9
    assert all(each.read([text]) is None for each in numbers)
    assert settings.MIX.read(["0.25"]) == 0.25
    assert settings.SHOTS.read(["8.0"]) == 8
    assert settings.SHOTS.read(["8.5"]) is None


@pytest.mark.parametrize("name", ["airline", "entailment", "restaurant", "iris"])
def test_a_typed_example_survives_its_way_through_an_address(name):
    dataset = load_dataset(name)
    example = dataset.examples.take([3])
    there = settings.TYPED.read([settings.TYPED.write(parts_of(example))])
    assert example_of(dataset, there).describe(0) == example.describe(0)
    for wrong in ([1, "a"], ["a", 2.5], [], ["a", "b", "c"], [[1]], {"a": 1}):
        parts = settings.TYPED.read([json.dumps(wrong)])
        assert parts is None or not isinstance(example_of(dataset, parts), Examples)
