"""Fine-tuning an encoder from the Encoders page."""

import inspect
from unittest import mock

import streamlit as st
from driving import charts, figures, open_page, press, shown, table_with, until

import slp_core as slp
from pages.encoders import checkpoints
from pages.session.workspace import Workspace
from slp_core.evaluation.meta_testing import BEFORE_AND_AFTER
from slp_core.methods.meta_slp import MetaSLPClassifier
from slp_core.methods.table import METHODS


def test_an_encoder_is_tuned_and_what_changed_is_counted(few_tweets):
    app = open_page("encoders", unfolded=["open_tuning"], shots=2, **few_tweets)
    press(app, "Fine-tune")
    until(app, lambda: "tuning" in charts(app))
    shown(app)
    episode = few_tweets["uploads"]["Few tweets"].draw(2, 0)
    n, m = (str(len(rows)) for rows in (episode.support, episode.query))
    told = [figures(text.value) for text in app.markdown]
    # seconds, support examples, both accuracies, changed predictions, query examples
    (counts,) = [each for each in told if each[1:2] == [n] and each[5:6] == [m]]
    before, after = BEFORE_AND_AFTER
    changed = table_with(app, after)
    assert counts[4] == str(len(changed))
    assert (changed[before] != changed[after]).all()
    wrong, right = (float(counts[place].rstrip("%")) for place in (2, 3))
    was, now = ((changed[when] == changed["true"]).sum() for when in BEFORE_AND_AFTER)
    assert round((right - wrong) / 100 * int(m)) == now - was
    handed_out = [each.label for each in app.get("download_button")]
    assert "Download the fine-tuned encoder" in handed_out


def test_the_tuned_encoder_is_called_after_what_has_tuned_it():
    dataset = slp.load_dataset("disaster")
    encoder = slp.load_encoder("minilm-l4")
    method = METHODS["constraint_slp"]
    table = Workspace(dataset, encoder, "minilm-l4", 2, 0, method, dict(method.fixed))
    with mock.patch.object(st, "download_button") as handed_out:
        checkpoints._take_away_tuned(table, mock.Mock(lines=("a – b",)))
    called = handed_out.call_args.args[2]
    assert called.startswith(
        "minilm-l4-tuned-line-0_Disaster-or-not_minilm-l4_2-shots_support-set-0_"
    )
    assert "_meta_slp_" in called
    assert "constraint" not in called


def test_the_tuned_encoder_that_is_handed_out_is_of_the_chosen_line():
    dataset = slp.load_dataset("disaster")
    table = mock.Mock(encoder_name="minilm-l4", episode=dataset.draw(2, 0))
    result, asked, made = mock.Mock(lines=("a – b", "b – c")), [], []
    with (
        mock.patch.object(st, "selectbox", return_value=1),
        mock.patch.object(st, "download_button", lambda label, data, *_, **__: made.append(data)),
        mock.patch.object(checkpoints, "file_name", lambda what, *_: what),
        mock.patch.object(checkpoints, "zipped_tuned_encoder", lambda *what: asked.append(what)),
    ):
        checkpoints._take_away_tuned(table, result)
        made[0]()
    assert asked == [(table.episode, "minilm-l4", 1, "minilm-l4-tuned")]


def test_the_page_says_how_many_layers_and_steps_metaslp_takes():
    """The page has them in words: reading them there would import PyTorch."""
    defaults = inspect.signature(MetaSLPClassifier).parameters
    assert (defaults["n_trainable"].default, defaults["steps"].default) == (3, 10)
