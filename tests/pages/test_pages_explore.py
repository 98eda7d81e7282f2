"""The Explore page, run without a browser: what each choice shows, and that none of them breaks."""

import pytest
from driving import MAIN, open_page, shown
from streamlit.testing.v1 import AppTest

import slp_core as slp
from pages.session.methods import ON_VECTORS

TITLES = [info.title for info in slp.list_datasets()]


def test_the_first_visit_asks_the_question():
    app = open_page()
    text = shown(app)
    assert "constraintSLP answers *" in text
    assert "for all 87 query points" in text
    assert "the nearest centroid has" in text
    assert "Airline tweets" in text
    assert "the surest error of those that the nearest centroid gets right" in text


@pytest.mark.parametrize("title", TITLES)
def test_every_bundled_dataset_opens(title):
    text = shown(open_page(dataset=title))
    assert f"**{title}**" in text


@pytest.mark.parametrize("method", list(ON_VECTORS))
@pytest.mark.parametrize("title", ["Airline tweets", "Emotions", "Disaster or not"])
def test_every_method_reads_a_point(method, title):
    text = shown(open_page(dataset=title, method=method))
    assert f"**{method}**" in text
    assert "Answered *" in text


@pytest.mark.parametrize("method", ["constraintSLP", "DeepSLP"])
def test_every_option_of_a_method_can_be_chosen(method):
    options = ON_VECTORS[method]
    for option in (*options.main, *options.more):
        for choice in option.choices:
            shown(open_page(method=method, dataset="Emotions", **{option.url_key: choice}))


def test_a_chosen_point_is_read_out():
    dataset = slp.load_dataset("airline")
    row = int(dataset.draw(16, 0).query[7])
    text = shown(open_page(point=row))
    assert f"Query point {row}" in text
    assert dataset.describe(row) in text


def test_a_point_of_the_support_set_is_called_that():
    row = int(slp.load_dataset("airline").draw(16, 0).support[3])
    assert f"Support point {row}" in shown(open_page(point=row))


@pytest.mark.parametrize("landscape", ["slice", "surface"])
@pytest.mark.parametrize("picture", ["PCA", "Centroid plane", "Decision plane"])
@pytest.mark.parametrize("title", ["Airline tweets", "Handwritten digits", "Concentric rings"])
def test_every_picture_says_how_far_to_believe_it(title, picture, landscape):
    text = shown(open_page(dataset=title, projection=picture, landscape=landscape))
    if title == "Concentric rings":
        assert "Two dimensions are drawn as they are" in text
    else:
        assert "the picture shows what the method answers" in text
        assert ("A flat slice" if landscape == "slice" else "A surface bent") in text


def test_a_method_without_centroids_has_no_centroid_plane():
    shown(open_page(method="Logistic regression", projection="Decision plane"))
    text = shown(open_page(method="1-nearest neighbour", projection="Centroid plane"))
    assert "the picture shows what the method answers" in text


def test_layers_can_all_be_taken_away():
    shown(open_page(layers=[]))


def test_an_encoder_that_cannot_be_had_is_told_in_a_sentence(tmp_path):
    app = open_page(encoder="another model …", model=str(tmp_path / "nothing-here"))
    assert not app.exception
    message = "\n".join(e.value for e in app.error)
    assert "nothing-here" in message


def test_choices_of_an_address_that_do_not_exist_fall_back():
    app = AppTest.from_file(MAIN, default_timeout=60)
    app.query_params["dataset"] = "No such dataset"
    app.query_params["method"] = "No such method"
    assert "**constraintSLP**" in shown(app.run())


def test_the_sentence_follows_the_distances():
    text = shown(open_page(distance="along the line"))
    assert "for all 87 query points" not in text
