"""Pages run without a browser: opening one, waiting for what it computes, reading what it says.

And the same computations without a page, for what it ought to say.
"""

import json
import re
import time
from concurrent.futures import wait
from functools import cache
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import numpy as np
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

import slp_core as slp
from pages.session import settings as session_settings
from pages.session.jobs import job_pool
from pages.session.uploads import upload_store
from slp_core.data import Episode, FewShotDataset
from slp_core.encoders import vectors_on
from slp_core.evaluation.draws import arrays_of
from slp_core.explain import PointReading, Predictions, predict_query_set, read_point
from slp_core.lines import class_means
from slp_core.markdown import without_terms

MAIN = Path(__file__).resolve().parents[2] / "pages" / "shell" / "main.py"
FOLDED = """\
map example errors side fidelity confusion support_sets shots misleading swap lines
examples labels_beside label_draws theorem1 training_log compare_runs draws_and_seeds saved_model
changed over_draws parts disagreement by_class elsewhere points by_shots costs outcomes all_settings
leopard separation neighbours accuracy everywhere tuning episode checkpoint training cards
teachers"""
FOLDS = [session_settings.fold(name).key for name in FOLDED.split()]


def open_page(folder="explore", query=(), folded=False, unfolded=FOLDS, uploads=None, **settings):
    """A first visit to a page by its address, with these settings; its parts are unfolded."""
    app = AppTest.from_file(MAIN, default_timeout=240)
    if uploads is not None:
        settings["visit"] = token_hex()
        for title, dataset in uploads.items():
            upload_store().put(settings["visit"], title, dataset)
    app.query_params.update(query)
    unfolded = {} if folded else dict.fromkeys(unfolded, True)
    for key, value in (unfolded | settings).items():
        app.session_state[key] = value
    # `switch_page` would have to run the opening page first: it knows no address before that
    app._page_hash = calc_hash(folder)
    return app.run()


def gone(visitor):
    """What is done once a visitor's last tab has been closed for long enough, done at once."""
    for what in list(visitor._then):
        visitor._go(what, visitor._left)


def until(app, there, seconds=300):
    """Run the page again and again until `there()` is true; or fail with all that it says."""
    end, patience = time.monotonic() + seconds, 0.4
    while not there():
        assert not app.exception, app.exception
        assert time.monotonic() < end, said(app)
        time.sleep(0.02)
        # A run of the page holds up what it waits for: each time there are fewer
        wait([job.future for job in computing()], timeout=patience)
        patience *= 1.5
        app.run()
    return app


def type_texts(app, name, *texts, confirmed=None):
    """Send texts by the field of a class, numbered from those of which its browser was told."""
    element = next(
        each.proto
        for each in app.get("bidi_component")
        if f'"label": "Add to {name}:' in each.proto.json
    )
    if confirmed is None:
        confirmed = json.loads(element.json)["taken"]
    told = list(enumerate(texts, confirmed + 1))
    states = app._tree.get_widget_states()
    states.widgets.add(id=element.id, json_value=json.dumps({"texts": told}))
    return app._run(states)


def computing():
    """Jobs that wait or run, but for whether UMAP shows more: see conftest.py."""
    return [job for key, job in job_pool().running.items() if "umap" not in str(key)]


def said(app):
    """All that the page says in words, of whatever kind."""
    parts = [app.subheader, app.markdown, app.caption, app.text, app.info, app.warning, app.error]
    return without_terms("\n".join(element.value for part in parts for element in part))


def shown(app):
    """The same of a page on which nothing went wrong."""
    assert not app.exception, app.exception
    assert not app.error, [e.value for e in app.error]
    return said(app)


def press(app, label):
    """Click a button."""
    next(b for b in app.button if b.label == label).click().run()
    assert not app.exception, app.exception
    return app


def widget(kind, name):
    """The widget that shows a setting, as in ``widget(app.selectbox, "draw")``."""
    return next(each for each in kind if re.fullmatch(rf"{re.escape(name)} [0-9]+", each.key or ""))


def chosen(app, key):
    """Where a setting stands: as it was chosen, or as the page opens."""
    opening = app.session_state["openings"].get(key)
    return app.session_state.get(key, opening)


def link(app):
    """What the address of the view names, by key; of several texts for one key the last."""
    return {k: v[-1] for k, v in parse_qs(app.session_state[session_settings.LINK.key]).items()}


def labels(app):
    """Of all buttons."""
    return [button.label for button in app.button]


def table_with(app, column):
    """The first table that has such a column."""
    return next(d.value for d in app.dataframe if column in map(str, d.value.columns))


def plain_table_with(app, column):
    """The first table drawn as it is that has such a column."""
    return next(t.value for t in app.table if column in map(str, t.value.columns))


def charts(app):
    """The figures by name, in the order of the page: Plotly's dictionary, and what it says."""
    return {
        element.proto.id.split("-", 2)[2].removesuffix(" figure"): (
            json.loads(element.proto.spec),
            element.proto.alt,
        )
        for element in app.get("plotly_chart")
    }


def saved_as(app):
    """What the figures are called as files, without an ending, by the charts' names."""
    return {
        element.proto.id.split("-", 2)[2].removesuffix(" figure"): json.loads(element.proto.config)[
            "toImageButtonOptions"
        ]["filename"]
        for element in app.get("plotly_chart")
    }


def figures(sentence):
    """The numbers in a sentence, as they are written."""
    return re.findall(r"\d+(?:[.,]\d+)*%?", sentence)


def told_aside(app):
    """The captions that are there for a reason of these data or this method alone."""
    return [c.value for c in app.caption if c.value.startswith(":material/info:")]


class Fitted(NamedTuple):
    """A method fitted on an episode of a bundled dataset, without a page."""

    dataset: FewShotDataset
    X: np.ndarray
    episode: Episode
    model: Any

    @property
    def query(self) -> np.ndarray:
        """(m, d) vectors of the query examples."""
        return self.X[self.episode.query]

    @property
    def centroids(self) -> np.ndarray:
        """(K, d) class means of the support set."""
        support = self.X[self.episode.support]
        return class_means(support, self.episode.y_support, len(self.dataset.classes))

    def predictions(self, method: str) -> Predictions:
        """What it says of the query set."""
        return predict_query_set(
            self.model, method, self.query, self.episode.y_query, self.centroids
        )

    def reading(self, row: int) -> PointReading:
        """Why a row is predicted as it is."""
        return read_point(self.model, self.X[row], self.centroids, int(self.dataset.y[row]))


@cache
def vectors(name, encoder=None):
    """A dataset, by name or title if it is bundled, and its vectors through any encoder."""
    dataset = name
    if isinstance(name, str):
        names = {info.title: info.name for info in slp.list_datasets()}
        dataset = slp.load_dataset(names.get(name, name))
    return dataset, slp.load_encoder(encoder or dataset.default_encoder).encode_for_draws(dataset)


def fitted(model, name="airline", shots=16, draw=0, encoder=None):
    """Fit a method on the support set of a page with these settings."""
    dataset, X = vectors(name, encoder)
    episode = dataset.draw(shots, draw)
    X = vectors_on(X, episode.support)
    data = arrays_of(episode, X)
    return Fitted(dataset, X, episode, model.fit(data.X_support, data.y_support))


def ways(app):
    """What the pictures of examples on their way are drawn from, from the top down."""
    sent = [
        json.loads(element.proto.json)
        for element in app.get("bidi_component")
        if element.proto.json
    ]
    return [each for each in sent if isinstance(each, dict) and "scored" in each]
