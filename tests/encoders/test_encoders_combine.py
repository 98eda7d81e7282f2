"""Two encoders combined, against each of the two alone; tests/facts has shares by brute force."""

import numpy as np
import pytest

import slp_core as slp
from slp_core.encoders import load_encoder
from slp_core.encoders.base import ByDraw, as_examples
from slp_core.encoders.cache import row_keys
from slp_core.encoders.cards import read_encoder_card
from slp_core.encoders.combine import AT_FIRST, separation, shares, shares_on
from slp_core.encoders.minilm import MiniLMCheckpoint
from slp_core.errors import Cancelled, EncoderError

BASE, META = "minilm-l4", "metaslp-mean3-minilm-l4"
NAME, BOTH = f"{META}+weighted", f"{META}+concatenated"
DEEPER = "protonet-mean-minilm-l6"  # two layers above the other half
WORDS = "the a gate flight was late never again lovely soup bill refund Rome".split()  # noqa: SIM905


def random_texts(n, seed=0):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(2, 40))) for _ in range(n)]


def joined(texts, meta=META, **how):
    """What the two encoders give by themselves."""
    options = {key: how.pop(key) for key in ("precision", "max_tokens", "layer") if key in how}
    parts = [
        load_encoder(name, cache=False, **options).encode(texts, **how) for name in (BASE, meta)
    ]
    return np.hstack(parts) / np.sqrt(2)


@pytest.mark.parametrize(
    ("how", "meta"),
    [
        ({}, META),
        ({"pairs": random_texts(12, seed=1)}, DEEPER),
        ({"spans": [(0, 3)] * 12}, META),
        ({"max_tokens": 12}, DEEPER),
        ({"layer": 3}, META),
        ({"layer": 5}, DEEPER),
        ({"precision": "int8"}, DEEPER),
    ],
)
def test_it_is_the_two_encoders_vectors(how, meta):
    texts = random_texts(12)
    options = {key: how[key] for key in ("precision", "max_tokens", "layer") if key in how}
    rows = {key: how[key] for key in ("pairs", "spans") if key in how}
    encoder = load_encoder(meta, combine="concatenated", cache=False, **options)
    x = encoder.encode(texts, **rows)
    assert (x.shape, x.dtype) == ((12, 768), np.float32)
    np.testing.assert_allclose(x, joined(texts, meta, **how), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(x, axis=1), 1, atol=1e-6)
    alone = load_encoder(BASE, cache=False, **options)
    alone.encode(texts, **rows)
    assert encoder.n_truncated == alone.n_truncated


@pytest.mark.parametrize("meta", [META, DEEPER])
def test_what_one_part_has_seen_is_not_computed_again(meta, tmp_path, monkeypatch):
    both = f"{meta}+concatenated"
    texts = [*random_texts(9), *random_texts(3)]  # three of them twice
    load_encoder(BASE, cache_dir=tmp_path).encode(texts[:4])
    encoder, seen = load_encoder(both, cache_dir=tmp_path), []
    assert not encoder.is_cached(texts[:4])
    first = encoder.encode(texts, progress=seen.append)
    np.testing.assert_allclose(first, joined(texts, meta), atol=1e-6)
    assert seen[-1].done == seen[-1].total == len(texts)
    done = [each.done for each in seen]
    assert done == sorted(done)  # it never goes back
    for name in (BASE, meta, both):  # the parts have their own vectors now
        assert load_encoder(name, cache_dir=tmp_path).is_cached(texts)
    assert not load_encoder(both, cache_dir=tmp_path, precision="int8").is_cached(texts[:1])
    assert not load_encoder(f"reptile-{BASE}+concatenated", cache_dir=tmp_path).is_cached(texts[:1])
    monkeypatch.setattr(MiniLMCheckpoint, "load", None)
    assert np.array_equal(load_encoder(both, cache_dir=tmp_path).encode(texts), first)


def test_a_cancelled_run_keeps_what_it_has(tmp_path):
    texts, answers = random_texts(200), iter([False] * 3)
    encoder = load_encoder(BOTH, cache_dir=tmp_path)
    with pytest.raises(Cancelled):
        encoder.encode(texts, cancelled=lambda: next(answers, True))
    part, _ = encoder.parts
    keys = row_keys(part.identity(), as_examples(texts))
    assert 0 < len(part._cache.find(part._kept_in(), keys)) < len(texts)


@pytest.fixture(scope="module")
def disaster():
    return slp.load_dataset("disaster")


def weighted(dataset, support, second):
    first, last = (load_encoder(name).encode(dataset) for name in (BASE, META))
    return np.hstack([np.sqrt(1 - second) * first, np.sqrt(second) * last])


@pytest.mark.parametrize("name", [NAME, f"{NAME}+chunks"])
@pytest.mark.parametrize("shots", [4, 16])
def test_it_is_both_by_their_shares(disaster, name, shots):
    support = disaster.draw(shots, 1).support
    encoder = load_encoder(name)
    vectors = encoder.encode_for_draws(disaster)
    share = shares_on(vectors, support).second
    x = vectors.on(support)
    assert (x.shape, x.dtype, encoder.by_draw) == ((len(disaster), 768), np.float32, True)
    np.testing.assert_allclose(x, weighted(disaster, support, share), atol=2e-3)  # 16 bits
    np.testing.assert_allclose(np.linalg.norm(x, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(x, encoder.encode(disaster, support=support))
    assert vectors.on(disaster.draw(shots, 2).support)[0] @ x[0] != pytest.approx(1, abs=1e-9)


def test_query_rows_have_no_say(disaster):
    support = disaster.draw(8, 0).support
    vectors = load_encoder(NAME).encode_for_draws(disaster)
    rng = np.random.default_rng(0)
    y, halves = rng.permutation(vectors.y), [rng.permutation(half) for half in vectors.rows]
    y[support] = vectors.y[support]
    for half, own in zip(halves, vectors.rows, strict=True):
        half[support] = own[support]
    others = ByDraw(vectors.encoder, tuple(halves), y)
    assert shares_on(others, support) == shares_on(vectors, support)
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
    assert read_encoder_card(f"{NAME}+chunks").parts == (BASE, META)
    assert read_encoder_card(NAME).base == BASE
    card = read_encoder_card(BOTH)
    assert (card.base, card.parts, card.meta) == (BASE, (BASE, META), None)
    title = "Averaged MetaSLP on MiniLM, layer 4, concatenated with MiniLM"
    assert card.info.title == title


@pytest.mark.parametrize("name", [BASE, "minilm-l6", "tfidf-svd", "raw", "hf:x"])
def test_only_a_meta_trained_encoder_is_combined(name):
    with pytest.raises(EncoderError, match="has no option combine: leave it out"):
        load_encoder(name, combine="weighted")
    with pytest.raises(EncoderError, match="combine must be 'concatenated', 'weighted' or None"):
        load_encoder(META, combine="added")
