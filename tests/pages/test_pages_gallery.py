"""What the gallery says of each of its views is so on the settings that its link carries."""

from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from driving import Fitted, fitted, open_page, press, shown, vectors, widget
from PIL import Image

import slp_core as slp
from pages.session import settings
from pages.session.settings import Setting
from pages.shell.navigation import PAGES
from pages.widgets.gallery import GALLERY, PICTURES
from slp_core.encoders import load_encoder
from slp_core.evaluation.draws import accuracy_over_draws, arrays_of
from slp_core.explain.text import predictions_text
from slp_core.lines import distances
from slp_core.methods.options import DISTANCE
from slp_core.methods.table import METHODS
from slp_core.methods.training import train
from slp_core.views import held_out_fidelity

TITLES = {method.title: method for method in METHODS.values()}
DATASETS = {info.title: info.name for info in slp.list_datasets()}
ENCODERS = {info.title: info.name for info in slp.list_encoders()}
AFTER = settings.setting_of("after", "minilm-l4").key
KEYS = {each.key for each in vars(settings).values() if isinstance(each, Setting) and each.url}


def view(sight, encoder=None, **changed) -> Fitted:
    """What stands there: the link's settings, and defaults for the rest."""
    asked = dict(parse_qsl(urlsplit(sight.link).query)) | changed
    method = TITLES[asked.get("method", "constraintSLP")]
    options = {"distance": DISTANCE.choices[asked["distance"]]} if "distance" in asked else {}
    shots, draw = int(asked.get("shots", 16)), int(asked.get("draw", 0))
    name = DATASETS[asked.get("dataset", "Airline tweets")]
    if "dimension" not in asked:
        return fitted(method.make(**options), name, shots, draw, encoder)
    dataset = slp.load_dataset(name, dimension=int(asked["dimension"]))
    X = load_encoder(dataset.default_encoder).encode(dataset)
    episode = dataset.draw(shots, draw)
    data = arrays_of(episode, X)
    model = method.make(**options).fit(data.X_support, data.y_support)
    return Fitted(dataset, X, episode, model)


def always_one(sight):
    there = view(sight)
    return len(there.dataset.classes) == 3 and len(set(there.model.predict(there.query))) == 1


def all_come_back(sight):
    there, without = view(sight), view(sight, distance="full")
    np.testing.assert_allclose(there.model.soft_labels_, without.model.soft_labels_)
    predictions, before = there.predictions(""), without.predictions("")
    return len(set(predictions.predicted)) == 3 and predictions.accuracy > before.accuracy


def middle_without_a_prototype(sight):
    there = view(sight)
    (line,) = there.model.lines_
    ends = there.model.prototypes_.reshape(-1, there.X.shape[1])
    at = set(distances(ends, there.centroids).argmin(axis=1).tolist())
    (middle,) = set(range(3)) - at
    won = there.predictions("").predicted == middle
    return len(ends) == 2 and len(line.classes) == 3 and won.any()


def ends_fall_silent(sight):
    there, flat = view(sight), view(sight, dimension="2")
    (answer,) = set(there.predictions("").predicted)
    (line,) = there.model.lines_
    return answer == line.classes[1] and len(set(flat.predictions("").predicted)) == 3


def lies(sight):
    there = view(sight)
    assert (sight.settings["projection"], sight.settings["landscape"]) == ("PCA", "slice")
    told = held_out_fidelity(there.model, there.X, "pca", "plane", there.episode.query)
    return told.overall < 0.5 and there.X.shape[1] > 200


def say_nothing(sight):
    there = view(sight)
    between = distances(there.centroids, there.centroids)
    return there.predictions("").accuracy < 0.5 and between.max() < 0.2 * np.ptp(there.X)


def draws_matter(sight):
    there = view(sight)
    _, X = vectors(there.dataset.name)
    shots = len(there.episode.support) // len(there.dataset.classes)
    many = [
        accuracy_over_draws(METHODS[name].make, there.dataset, X, shots, range(10))
        for name in ("nearest_centroid", "deep_slp", "constraint_slp", "logistic_regression")
    ]
    methods = np.ptp(many, axis=0)
    return shots == 4 and np.ptp(many[0]) > methods.max()


def learns(sight):
    there = view(sight, method="DeepSLP")
    data = arrays_of(there.episode, there.X)
    run = train(METHODS["deep_slp_paper"].make(), *data)
    return run.curves["query"].iloc[-1] > run.curves["query"].iloc[0] + 0.1


def through_both(sight):
    assert sight.folder == "encoders"
    encoders = ("minilm-l4", ENCODERS[sight.settings[AFTER]])
    return [
        view(sight, each, method="Nearest centroid").predictions("").accuracy for each in encoders
    ]


def helps(sight):
    before, after = through_both(sight)
    return after > before


def harms(sight):
    before, after = through_both(sight)
    return after < before


CLAIMS = {
    "A method that always predicts one class": always_one,
    "One switch brings the others back": all_come_back,
    "Two prototypes, three classes": middle_without_a_prototype,
    "More dimensions, fewer classes predicted": ends_fall_silent,
    "A misleading projection": lies,
    "Uninformative centroids": say_nothing,
    "Variation across support sets": draws_matter,
    "Training from random weights": learns,
    "An encoder that helps": helps,
    "An encoder that harms": harms,
}


def test_every_view_has_a_claim():
    assert [sight.title for sight in GALLERY] == list(CLAIMS)


@pytest.mark.parametrize("sight", GALLERY, ids=lambda sight: sight.title)
def test_the_claim_is_so(sight):
    assert CLAIMS[sight.title](sight)


def test_every_view_has_a_small_picture_for_either_theme():
    pictures = {sight.picture(theme) for sight in GALLERY for theme in ("light", "dark")}
    assert pictures == set(PICTURES.iterdir())
    for picture in pictures:
        assert picture.stat().st_size <= 15_000
        assert Image.open(picture).size == (320, 180)


def test_links_name_pages_and_settings_that_there_are():
    options = {
        each.short_name for method in METHODS.values() for each in (*method.main, *method.more)
    }
    for sight in GALLERY:
        assert sight.folder in {folder for folder, *_ in PAGES.values()}
        assert sight.settings.keys() <= KEYS | options | {AFTER}
        assert sight.settings["dataset"] in DATASETS


def test_a_link_opens_its_view():
    sight = next(each for each in GALLERY if "distance" in each.settings)
    text = shown(open_page(sight.folder, sight.settings))
    predictions = view(sight).predictions("constraintSLP")
    assert predictions.accuracy > 0.5
    assert predictions_text(predictions) in text


def test_misclassified_examples_come_one_after_the_other():
    app = open_page(folded=True)
    before = widget(app.number_input, "point_number").value
    press(app, "Show a misclassified example")
    there = fitted(slp.ConstraintSLPClassifier())
    after = there.predictions("").error_after(there.episode.place_of(before))
    assert widget(app.number_input, "point_number").value == there.episode.query[after]
