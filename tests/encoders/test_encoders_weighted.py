"""Two encoders weighted by the support set; tests/facts has their shares by brute force."""

import numpy as np
import pytest

import slp_core as slp
from slp_core.encoders import load_encoder
from slp_core.encoders.cards import read_encoder_card
from slp_core.encoders.weighted import AT_FIRST, Halves, separation, shares
from slp_core.errors import EncoderError

BASE, META = "minilm-l4", "metaslp-mean3-minilm-l4"
NAME = f"weighted-{META}"


@pytest.fixture(scope="module")
def disaster():
    return slp.load_dataset("disaster")


def weighted(dataset, support, second):
    first, last = (load_encoder(name).encode(dataset) for name in (BASE, META))
    return np.hstack([np.sqrt(1 - second) * first, np.sqrt(second) * last])


@pytest.mark.parametrize("name", [NAME, f"passages-{NAME}"])
@pytest.mark.parametrize("shots", [4, 16])
def test_it_is_both_by_their_shares(disaster, name, shots):
    support = disaster.draw(shots, 1).support
    encoder = load_encoder(name)
    vectors = encoder.encode_for_draws(disaster)
    share = vectors.shares(support).second
    x = vectors.on(support)
    assert (x.shape, x.dtype, encoder.by_draw) == ((len(disaster), 768), np.float32, True)
    np.testing.assert_allclose(x, weighted(disaster, support, share), atol=2e-3)  # 16 bits
    np.testing.assert_allclose(np.linalg.norm(x, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(x, encoder.encode(disaster, support=support))
    np.testing.assert_array_equal(x[[5, 2]], vectors.on(support, np.array([5, 2])))
    assert vectors.on(disaster.draw(shots, 2).support)[0] @ x[0] != pytest.approx(1, abs=1e-9)


def test_query_rows_have_no_say(disaster):
    support = disaster.draw(8, 0).support
    vectors = load_encoder(NAME).encode_for_draws(disaster)
    rng = np.random.default_rng(0)
    y, halves = rng.permutation(vectors.y), [rng.permutation(half) for half in vectors.halves]
    y[support] = vectors.y[support]
    for half, own in zip(halves, vectors.halves, strict=True):
        half[support] = own[support]
    others = Halves(vectors.encoder, tuple(halves), y)
    assert others.shares(support) == vectors.shares(support)
    np.testing.assert_array_equal(others.on(support)[support], vectors.on(support)[support])


@pytest.mark.parametrize("normalisation", ["l2", "centred_l2"])
def test_a_new_row_is_placed_as_one_of_the_dataset(disaster, normalisation):
    support = disaster.draw(8, 0).support
    vectors = load_encoder(NAME, normalisation=normalisation).encode_for_draws(disaster)
    placed = vectors.place(disaster.examples.take([7, 3]), support)
    np.testing.assert_allclose(placed, vectors.on(support)[[7, 3]], atol=1e-6)


def test_without_a_support_set_it_is_weighted_as_where_nothing_is_known(disaster):
    x = load_encoder(NAME).encode(disaster)
    np.testing.assert_allclose(x, weighted(disaster, None, AT_FIRST), atol=2e-3)
    with pytest.raises(EncoderError, match="give it a dataset, or leave out support"):
        load_encoder(NAME).encode(list(disaster.examples.texts), support=np.arange(8))


def test_classes_further_apart_under_one_give_it_more():
    rng = np.random.default_rng(0)
    y, noise = np.repeat([0, 1], 200), rng.normal(size=(400, 3))
    near, far = noise + 0.2 * y[:, None], noise + 2.0 * y[:, None]
    # Between: half the squared distance of the means; within: three columns of variance 1.
    assert separation(far, y) == pytest.approx(3 * 2.0**2 / 2 / 3, rel=0.1)
    assert separation(near, y) == pytest.approx(3 * 0.2**2 / 2 / 3, abs=0.02)
    assert shares(near, far, y).second == 1
    assert shares(far, near, y).second == 0.1
    assert shares(far, far, y).second == AT_FIRST
    assert separation(noise, rng.integers(0, 2, 400)) < 0.02


@pytest.mark.parametrize("y", [[0, 1], [0, 0, 1, 1]], ids=["one example", "the same twice"])
def test_where_nothing_can_be_told_the_shares_are_those_at_first(y):
    X = np.eye(2)[y]
    assert separation(X, np.array(y)) is None
    assert shares(X, X, np.array(y)).second == AT_FIRST


def test_one_class_is_not_apart_from_anything():
    with pytest.raises(EncoderError, match="examples of two classes or more"):
        separation(np.eye(3), np.zeros(3, int))


def test_its_card_names_both():
    assert read_encoder_card(f"passages-{NAME}").parts == (BASE, META)
    assert read_encoder_card(NAME).base == BASE
