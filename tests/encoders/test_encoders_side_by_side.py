"""Vectors of two encoders side by side, against those of each of the two alone."""

import numpy as np
import pytest
import torch

from slp_core.encoders import load_encoder
from slp_core.encoders.base import as_examples
from slp_core.encoders.bert import Bert
from slp_core.encoders.cards import read_encoder_card
from slp_core.encoders.meta_checkpoint import CHECKPOINTS_DIR, MetaCheckpoint
from slp_core.encoders.minilm import MiniLMCheckpoint
from slp_core.encoders.side_by_side import TwoCheckpoints, _n_shared
from slp_core.errors import Cancelled

BASE, META = "minilm-l4", "metaslp-fomaml-minilm-l4"
BOTH = f"beside-{META}"
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


@pytest.mark.parametrize("meta", [META, DEEPER])
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"pairs": random_texts(12, seed=1)},
        {"spans": [(0, 3)] * 12},
        {"max_tokens": 12},
        {"layer": 3},
        {"precision": "int8"},
    ],
    ids=str,
)
def test_it_is_the_two_encoders_vectors(how, meta):
    texts = random_texts(12)
    options = {key: how[key] for key in ("precision", "max_tokens", "layer") if key in how}
    rows = {key: how[key] for key in ("pairs", "spans") if key in how}
    encoder = load_encoder(f"beside-{meta}", cache=False, **options)
    x = encoder.encode(texts, **rows)
    assert (x.shape, x.dtype) == ((12, 768), np.float32)
    np.testing.assert_allclose(x, joined(texts, meta, **how), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(x, axis=1), 1, atol=1e-6)
    alone = load_encoder(BASE, cache=False, **options)
    alone.encode(texts, **rows)
    assert (encoder.n_truncated, encoder.n_windowed) == (alone.n_truncated, alone.n_windowed)


@pytest.mark.parametrize("meta", [META, DEEPER])
def test_what_one_part_has_seen_is_not_computed_again(meta, tmp_path, monkeypatch):
    both = f"beside-{meta}"
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
    assert not load_encoder(f"beside-reptile-{BASE}", cache_dir=tmp_path).is_cached(texts[:1])
    monkeypatch.setattr(MiniLMCheckpoint, "load", None)
    assert np.array_equal(load_encoder(both, cache_dir=tmp_path).encode(texts), first)


def test_a_cancelled_run_keeps_what_it_has(tmp_path):
    texts, answers = random_texts(200), iter([False] * 3)
    encoder = load_encoder(BOTH, cache_dir=tmp_path)
    with pytest.raises(Cancelled):
        encoder.encode(texts, cancelled=lambda: next(answers, True))
    left = len(encoder._unknown(as_examples(texts)))
    assert 0 < left < len(texts)


@pytest.mark.parametrize(("name", "n_above"), [(META, 0), (DEEPER, 2)])
def test_common_layers_are_computed_once(name, n_above, monkeypatch):
    meta = MetaCheckpoint(CHECKPOINTS_DIR / name)
    model = TwoCheckpoints(MiniLMCheckpoint(), meta, n_above).load(4, "float32")
    passed = []
    through = Bert.through

    def counted(self, x, mask, start=0, stop=None):
        passed.append((start, stop))
        return through(self, x, mask, start, stop)

    monkeypatch.setattr(Bert, "through", counted)
    ids = torch.tensor([[101, 2045, 102]])
    states = model.hidden_states(ids, torch.zeros_like(ids), torch.ones_like(ids).bool())
    assert states.shape == (1, 3, 768)
    assert passed == [(0, 1), (1, None), (1, None)]


def test_which_layers_are_common():
    above = ["encoder.layer.2.output.dense.bias", "encoder.layer.10.output.dense.bias"]
    assert _n_shared(above) == 2
    assert _n_shared([*above, "embeddings.LayerNorm.weight"]) is None


def test_its_card_names_its_parts():
    card = read_encoder_card(BOTH)
    assert (card.base, card.parts, card.meta) == (BASE, (BASE, META), None)
    assert card.info.title == "MiniLM and MetaSLP (first-order MAML), side by side"
