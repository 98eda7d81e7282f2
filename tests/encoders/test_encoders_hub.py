import json

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertTokenizer,
    DistilBertConfig,
    DistilBertModel,
)

from slp_core.encoders import load_encoder
from slp_core.errors import EncoderError

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "flight", "was", "late", "good"]
TEXTS = ["the flight was late", "good", "was the flight good"]


def save(model, folder):
    model.save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY), encoding="utf-8")
    BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


@pytest.fixture
def tiny_bert(tmp_path):
    """A random BERT with 3 layers, saved below a language-modelling head as most are."""
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=16,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=10,
    )
    model = BertForMaskedLM(config).eval()
    return save(model, tmp_path / "bert"), model.bert


def hidden(model, texts, layer):
    """Hidden states of each text on its own, so without padding."""
    for text in texts:
        words = ["[CLS]", *text.split(), "[SEP]"]
        ids = torch.tensor([[VOCABULARY.index(word) for word in words]])
        with torch.inference_mode():
            yield model(ids, output_hidden_states=True).hidden_states[layer][0].numpy()


@pytest.mark.parametrize("layer", [None, 2, 0])
def test_pooling_and_layer_of_a_folder(tiny_bert, layer):
    folder, model = tiny_bert
    states = list(hidden(model, TEXTS, 3 if layer is None else layer))
    options = {"layer": layer, "normalisation": "none"}
    mean = load_encoder(f"hf:{folder}", **options).encode(TEXTS)
    cls = load_encoder(f"hf:{folder}", pooling="cls", **options).encode(TEXTS)
    np.testing.assert_allclose(mean, [state.mean(axis=0) for state in states], atol=1e-5)
    np.testing.assert_allclose(cls, [state[0] for state in states], atol=1e-5)


def test_a_model_without_segments(tmp_path):
    config = DistilBertConfig(
        vocab_size=len(VOCABULARY), dim=16, n_layers=2, n_heads=2, hidden_dim=32
    )
    model = DistilBertModel(config).eval()
    folder = save(model, tmp_path / "distilbert")
    encoder = load_encoder(f"hf:{folder}", normalisation="none", layer=1)
    expected = [state.mean(axis=0) for state in hidden(model, TEXTS, 1)]
    np.testing.assert_allclose(encoder.encode(TEXTS), expected, atol=1e-5)


def test_a_models_own_limit_holds(tiny_bert):
    folder, _ = tiny_bert
    encoder = load_encoder(f"hf:{folder}", cache=False)
    encoder.encode(["late " * 30])
    assert encoder.n_truncated == 1


def test_changed_weights_are_another_encoder(tiny_bert):
    folder, _ = tiny_bert
    before = load_encoder(f"hf:{folder}").encode(TEXTS)
    weights = load_file(folder / "model.safetensors")
    weights["bert.embeddings.word_embeddings.weight"] *= 2
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    encoder = load_encoder(f"hf:{folder}")
    assert not encoder.is_cached(TEXTS)
    assert abs(encoder.encode(TEXTS) - before).max() > 1e-3


def test_missing_weights_are_not_made_up(tiny_bert):
    folder, _ = tiny_bert
    weights = load_file(folder / "model.safetensors")
    del weights["bert.encoder.layer.1.output.dense.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(EncoderError, match="lacks weights such as"):
        load_encoder(f"hf:{folder}").encode(TEXTS)


def test_code_beside_a_model_is_not_run(tiny_bert, tmp_path):
    folder, _ = tiny_bert
    witness = tmp_path / "was run"
    (folder / "own.py").write_text(f"open({str(witness)!r}, 'w')")
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.C", "AutoModel": "own.M"}}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(EncoderError, match="could not be read as a BERT-like encoder"):
        load_encoder(f"hf:{folder}").encode(TEXTS)
    assert not witness.exists()


def test_pickled_weights_are_refused(tiny_bert):
    folder, model = tiny_bert
    (folder / "model.safetensors").unlink()
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    with pytest.raises(EncoderError, match="safetensors"):
        load_encoder(f"hf:{folder}").encode(TEXTS)


def test_a_model_that_cannot_be_had_offline_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    for name in ("bert-base-uncased", "/no/such/folder"):
        with pytest.raises(EncoderError, match="connect to the network"):
            load_encoder(f"hf:{name}").encode(TEXTS)


def test_what_a_hub_model_has_not_is_named(tiny_bert):
    folder, _ = tiny_bert
    with pytest.raises(EncoderError, match=r"no layer 4: choose 0 .* to 3"):
        load_encoder(f"hf:{folder}", layer=4).encode(TEXTS)
    with pytest.raises(EncoderError, match="for MiniLM only"):
        load_encoder(f"hf:{folder}", precision="int8").encode(TEXTS)
