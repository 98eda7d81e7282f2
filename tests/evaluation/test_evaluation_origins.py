"""Rows of a results file are not taken for those of other data or of another encoder."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

from slp_core.encoders import load_encoder
from slp_core.encoders.meta_checkpoint import CHECKPOINTS_DIR
from slp_core.errors import SLPError
from slp_core.evaluation.protocol import Task, find_tasks
from slp_core.evaluation.results import read_results
from slp_core.evaluation.runner import encoder_digest, evaluate

QUICK = {"methods": ["one_nn"], "shots": (4,), "n_draws": 2}


@pytest.fixture
def other_task(toy_task):
    """As many rows of each class, and others of them."""
    dataset = toy_task.load()
    labels = np.random.default_rng(0).permutation(dataset.labels)
    return Task("toy", lambda: replace(dataset, labels=labels))


def test_rows_of_other_labels_under_the_same_name_are_refused_until_the_file_is_deleted(
    tmp_path, toy_task, other_task
):
    path, fresh = tmp_path / "r.csv", tmp_path / "fresh.csv"
    evaluate([toy_task], path=path, **QUICK)
    before = path.read_bytes()

    outcome = evaluate([other_task], path=path, **QUICK)
    assert (outcome.n_new, outcome.n_kept) == (0, 0)
    assert outcome.failed == [
        f"toy: {path} holds rows of other data under the name 'toy': delete the file, or give "
        "another one (--out)."
    ]
    assert path.read_bytes() == before
    assert evaluate([toy_task], path=path, **QUICK).n_kept == 2

    path.unlink()
    for out in (path, fresh):
        assert evaluate([other_task], path=out, **QUICK).n_new == 2
    old, new = (read_results(out).drop(columns="fit_seconds") for out in (path, fresh))
    assert old.equals(new)


def test_rows_without_a_digest_are_gone_on_with_and_new_ones_get_one(
    tmp_path, toy_task, other_task
):
    path = tmp_path / "r.csv"
    evaluate([toy_task], path=path, **QUICK)
    (tmp_path / ".r.csv.digest").unlink()

    assert evaluate([other_task], path=path, **QUICK).n_kept == 2
    assert evaluate([toy_task], path=path, **QUICK | {"n_draws": 3}).n_new == 1
    assert evaluate([other_task], path=path, **QUICK).failed


def test_rows_of_another_checkpoint_under_the_same_name_are_refused(tmp_path, leopard_folder):
    path, folder = tmp_path / "r.csv", tmp_path / "checkpoint"
    tasks, name = find_tasks([str(leopard_folder("few"))]), f"meta:{folder}"
    shutil.copytree(CHECKPOINTS_DIR / "reptile-minilm-l4", folder)
    assert evaluate(tasks, path=path, encoders=[name], **QUICK).n_new == 2

    shutil.rmtree(folder)
    shutil.copytree(CHECKPOINTS_DIR / "protonet-minilm-l4", folder)
    outcome = evaluate(tasks, path=path, encoders=[name, "tfidf-svd"], **QUICK)
    assert (outcome.n_new, outcome.n_kept) == (2, 0)
    (line,) = outcome.failed
    assert line.startswith(f"few, {name}: {path} holds rows of another encoder under the name ")


def test_encoders_have_a_digest_where_they_have_weights():
    names = ("minilm-l4", "minilm-l6", "metaslp-mean-minilm-l4", "weighted-metaslp-mean-minilm-l4")
    names += ("passages-minilm-l6", "raw", "tfidf-svd")
    *made, by_passage, raw, counted = (encoder_digest(load_encoder(name)) for name in names)
    assert len(set(made)) == len(made)
    assert by_passage == made[1]
    assert raw == counted == ""
    assert encoder_digest(load_encoder("minilm-l4", normalisation="none")) not in made


def test_damaged_digests_are_one_sentence(tmp_path, toy_task):
    path = tmp_path / "r.csv"
    (tmp_path / ".r.csv.digest").write_text("[1]")
    with pytest.raises(SLPError, match=r"\.r\.csv\.digest is damaged.*delete both"):
        evaluate([toy_task], path=path, **QUICK)
