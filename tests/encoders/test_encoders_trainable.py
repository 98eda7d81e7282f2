import copy
import doctest

import numpy as np
import pytest
import torch

from slp_core.data import Examples, load_dataset
from slp_core.encoders import load_encoder, trainable
from slp_core.encoders.chunks import split_text
from slp_core.encoders.minilm import load_tokenizer, model_folder
from slp_core.encoders.trainable import TrainableLayers
from slp_core.errors import EncoderError


@pytest.fixture(scope="module")
def examples():
    """Rows of each kind: texts, pairs, mentions; and texts of many passages among short ones."""
    rows = {
        name: load_dataset(name).examples.take(range(8))
        for name in ("airline", "entailment", "restaurant")
    }
    sentences = rows["airline"].texts
    rows["long"] = Examples("text", texts=tuple(" ".join(sentences[:n]) for n in range(12)))
    return rows


NAMES = [("minilm-l4", 3), ("minilm-l6", 6), ("passages-minilm-l4", 2)]


@pytest.mark.parametrize(("name", "n_trainable"), NAMES)
@pytest.mark.usefixtures("narrow_minilm")
def test_untouched_layers_give_the_encoders_vectors(examples, name, n_trainable):
    layers = TrainableLayers(name, n_trainable)
    encoder = load_encoder(name, normalisation="none", cache=False)
    for rows in examples.values():
        expected = encoder.encode(rows)
        states = layers.lower_states(rows)
        np.testing.assert_allclose(layers.all_vectors(states), expected, atol=1e-5)
        some = layers.vectors(states, [5, 0, 5]).detach()
        np.testing.assert_allclose(some, expected[[5, 0, 5]], atol=1e-5)
        for part in (states[3:8], states.take(range(3, 8)), states.shared()[range(3, 8)]):
            np.testing.assert_allclose(layers.all_vectors(part), expected[3:8], atol=1e-5)
    assert layers.changed() == {}


def test_the_example_of_the_docstring_runs():
    names = vars(trainable) | {"__name__": "example"}
    (example,) = doctest.DocTestFinder(recurse=False).find(TrainableLayers, "layers", globs=names)
    assert example.examples
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0


def test_a_token_limit_is_the_encoders(examples):
    layers = TrainableLayers("minilm-l4", 2)
    states = layers.lower_states(examples["airline"], max_tokens=10)
    encoder = load_encoder("minilm-l4", normalisation="none", cache=False, max_tokens=10)
    expected = encoder.encode(examples["airline"])
    np.testing.assert_allclose(layers.all_vectors(states), expected, atol=1e-5)


@pytest.mark.parametrize(
    ("limit", "said"),
    [(0, "at least 8 or None, not 0"), (7, "at least 8"), (8.5, "a whole number")],
)
def test_what_is_no_token_limit_is_refused(examples, limit, said):
    with pytest.raises(EncoderError, match=said):
        TrainableLayers("minilm-l4", 1).lower_states(examples["airline"], max_tokens=limit)


def test_of_a_text_by_passage_those_are_read_that_reach_the_limit(examples):
    layers, limit = TrainableLayers("passages-minilm-l4", 2), 100
    states = layers.lower_states(examples["long"], max_tokens=limit)
    reader = load_encoder("minilm-l4", cache=False)
    tokenizer = load_tokenizer(model_folder())
    for text, ours in zip(examples["long"].texts, layers.all_vectors(states), strict=True):
        read, tokens = [], 0
        for passage in split_text(text):
            if tokens >= limit:
                break
            read.append(passage)
            tokens += len(tokenizer.encode(passage).ids)
        np.testing.assert_allclose(ours, reader.encode(read).mean(axis=0), atol=1e-5)


def test_a_step_changes_the_copy_that_took_it_and_says_what_it_changed(examples):
    layers = TrainableLayers("minilm-l4", 1)
    states = layers.lower_states(examples["airline"])
    before = layers.all_vectors(states)
    other = copy.deepcopy(layers)
    step = torch.optim.SGD(other.parameters(), lr=0.1)
    other.vectors(states).square().sum().backward()
    step.step()
    assert other._lower is layers._lower
    assert torch.equal(layers.all_vectors(states), before)
    assert not torch.allclose(other.all_vectors(states), before, atol=1e-2)
    changed = other.changed()
    assert {name.split(".")[2] for name in changed} == {"3"}
    # A key's bias moves all scores of a query alike, so it alone has no gradient to speak of.
    assert len(changed) >= 15


def test_an_encoder_without_such_layers_is_refused():
    for name in ("tfidf-svd", "raw"):
        with pytest.raises(EncoderError, match="no trainable layers"):
            TrainableLayers(name)
    with pytest.raises(EncoderError, match="must be a whole number from 0 to 4, not 5"):
        TrainableLayers("minilm-l4", 5)
