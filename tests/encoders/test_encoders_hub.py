import json
import shutil
import threading

import numpy as np
import pytest
import torch
import transformers  # lazily: its models take seconds to import
from hub_server import hub_of
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, models, pre_tokenizers

from slp_core.encoders import load_encoder, registry
from slp_core.encoders.hub import _check_vocabulary, download, download_megabytes, is_here
from slp_core.encoders.registry import hub_encoders
from slp_core.errors import Cancelled, EncoderError

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "flight", "was", "late", "good"]
TEXTS = ["the flight was late", "good", "was the flight good"]


def save(model, folder):
    model.save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY), encoding="utf-8")
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


@pytest.fixture
def tiny_bert(tmp_path):
    """A random BERT with 3 layers, saved below a language-modelling head as most are."""
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=16,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=10,
    )
    model = transformers.BertForMaskedLM(config).eval()
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
    config = transformers.DistilBertConfig(
        vocab_size=len(VOCABULARY), dim=16, n_layers=2, n_heads=2, hidden_dim=32
    )
    model = transformers.DistilBertModel(config).eval()
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


def test_only_what_vectors_depend_on_makes_another_encoder(sentence_folder):
    folder, _, _ = sentence_folder()
    before = load_encoder(f"hf:{folder}").identity()
    for name in ("trainer_state.json", "generation_config.json", "README.txt", "requirements.txt"):
        (folder / name).write_text("{}")
    assert load_encoder(f"hf:{folder}").identity() == before
    change(folder / "sentence_bert_config.json", lambda limits: limits.update(do_lower_case=True))
    lower = load_encoder(f"hf:{folder}").identity()
    change(folder / "tokenizer.json", lambda tokenizer: tokenizer.update(normalizer=None))
    assert len({before, lower, load_encoder(f"hf:{folder}").identity()}) == 3


@pytest.mark.parametrize("passages", ["", "passages-"])
def test_a_row_without_tokens_is_named_and_what_was_kept_stays(tiny_bert, passages):
    folder, _ = tiny_bert
    words = {word: number for number, word in enumerate(VOCABULARY)}
    plain = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    plain.pre_tokenizer = pre_tokenizers.Whitespace()
    wrapped = transformers.PreTrainedTokenizerFast(tokenizer_object=plain, unk_token="[UNK]")
    wrapped.save_pretrained(folder)
    encoder = load_encoder(f"{passages}hf:{folder}")
    long = "the flight was late. " * 20  # several passages
    vectors = encoder.encode([long, "good"])
    for texts in (["good", long, "new", "", ""], ["the flight", "", ""], ["", ""]):
        with pytest.raises(EncoderError, match=f"no token of row {texts.index('')}: change"):
            encoder.encode(texts)
    assert encoder.is_cached([long, "good"])
    np.testing.assert_array_equal(encoder.encode([long, "good"]), vectors)


def test_a_vector_that_is_not_finite_is_refused_and_not_kept(tiny_bert, cache_dir):
    folder, _ = tiny_bert
    weights = load_file(folder / "model.safetensors")
    late = VOCABULARY.index("late")
    weights["bert.embeddings.word_embeddings.weight"][late] = torch.nan
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    encoder = load_encoder(f"hf:{folder}")
    encoder.encode(["good"])
    with pytest.raises(EncoderError, match="non-finite values for row 2"):
        encoder.encode(["good", "the flight", "late"])
    for path in cache_dir.glob("*/*.npz"):
        assert np.isfinite(np.load(path)["vectors"]).all()
    assert encoder.is_cached(["good"])


def test_missing_weights_are_not_made_up(tiny_bert):
    folder, _ = tiny_bert
    weights = load_file(folder / "model.safetensors")
    del weights["bert.encoder.layer.1.output.dense.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(EncoderError, match="lacks weights such as"):
        load_encoder(f"hf:{folder}").encode(TEXTS)


TOKENIZER = ("tokenizer.json", "tokenizer_config.json", "vocab.txt")


def test_a_model_without_a_tokenizer_is_refused(tiny_bert):
    folder, _ = tiny_bert
    load_encoder(f"hf:{folder}").encode(TEXTS)
    for name in TOKENIZER:
        (folder / name).unlink(missing_ok=True)
    with pytest.raises(EncoderError, match="knows no word"):
        load_encoder(f"hf:{folder}").encode(TEXTS)


@pytest.mark.parametrize("kind", ["roberta", "camembert", "xlm-roberta", "albert", "t5"])
def test_the_empty_tokenizer_of_any_kind_of_model_is_known(tmp_path, kind):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": kind}))
    empty = transformers.AutoTokenizer.from_pretrained(tmp_path).backend_tokenizer
    with pytest.raises(EncoderError, match="knows no word"):
        _check_vocabulary("it", empty, 1000)


def test_a_tokenizer_of_another_model_is_refused(tiny_bert):
    folder, _ = tiny_bert
    words = "\n".join([*VOCABULARY, "more"])
    (folder / "vocab.txt").write_text(words, encoding="utf-8")
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    with pytest.raises(EncoderError, match="tokens up to 10, but the model has only 10"):
        load_encoder(f"hf:{folder}").encode(TEXTS)


def test_a_vocabulary_alone_is_a_tokenizer(tiny_bert):
    folder, _ = tiny_bert
    expected = load_encoder(f"hf:{folder}", cache=False).encode(TEXTS)
    for name in TOKENIZER[:2]:
        (folder / name).unlink()
    np.testing.assert_array_equal(load_encoder(f"hf:{folder}").encode(TEXTS), expected)


def test_the_folder_of_nobody_is_told():
    with pytest.raises(EncoderError, match="~nobody-here/a names no folder here"):
        load_encoder("hf:~nobody-here/a").encode(TEXTS)


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


@pytest.fixture
def no_models(monkeypatch, tmp_path):
    """The hub's cache is empty."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("slp_core.encoders.hub._found", {})


@pytest.mark.usefixtures("no_models")
@pytest.mark.parametrize("use", [lambda name: load_encoder(f"hf:{name}").encode(TEXTS), download])
def test_a_model_that_cannot_be_had_offline_says_so(monkeypatch, use):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    for name, said in (
        ("bert-base-uncased", "not on this computer, .* connect to the network"),
        ("/no/such/folder", "has no open model '/no/such/folder': check the name"),
    ):
        assert not is_here(name)
        with pytest.raises(EncoderError, match=said):
            use(name)


@pytest.fixture
def hub(tmp_path, monkeypatch, no_models):
    """A hub on this computer, by the folder of its models."""
    server = hub_of(tmp_path / "hub")
    endpoint = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", endpoint)
    files = f"{endpoint}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
    monkeypatch.setattr("huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE", files)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield tmp_path / "hub"
    server.shutdown()
    server.server_close()


def test_a_model_is_downloaded_once_with_its_size_and_progress(tiny_bert, hub, capsys):
    name, seen = "of-somebody/tiny", []
    shutil.copytree(tiny_bert[0], hub / name)
    weights = hub / name / "model.safetensors"
    save_file(load_file(weights) | {"padding": torch.zeros(750_000)}, weights)
    (hub / name / "pytorch_model.bin").write_bytes(b"not fetched")
    assert not is_here(name)
    assert download_megabytes(name) == 3
    with pytest.raises(Cancelled):
        download(name, cancelled=lambda: True)
    assert not is_here(name)
    download(name, seen.append)
    assert (seen[0].done, seen[-1].done, seen[-1].total) == (0, 3, 3)
    assert is_here(name)
    with pytest.raises(EncoderError, match="no open model 'of-somebody/else': check the name"):
        download_megabytes("of-somebody/else")
    shutil.rmtree(hub / name)  # needed no more
    there = load_encoder(f"hf:{name}", cache=False).encode(TEXTS)
    here = load_encoder(f"hf:{tiny_bert[0]}", cache=False).encode(TEXTS)
    np.testing.assert_array_equal(there, here)
    assert "%" not in capsys.readouterr().err  # no bar is drawn


@pytest.mark.parametrize(
    ("name", "prefix", "pooling"),
    [("intfloat/multilingual-e5-small", "good ", "mean"), ("BAAI/bge-small-en-v1.5", "", "cls")],
)
def test_listed_models_pool_and_begin_texts_as_they_were_trained(
    sentence_folder, hub, monkeypatch, name, prefix, pooling
):
    (info,) = [info for info in hub_encoders() if info.name == f"hf:{name}"]
    assert load_encoder(info.name, layer=1).info == info
    words = {"query: ": "good ", "": ""}  # which the tiny model knows
    known = {model: (*told[:2], words[told[2]]) for model, told in registry._HUB.items()}
    monkeypatch.setattr(registry, "_HUB", known)
    folder, *_ = sentence_folder(pooling)
    (hub / name).parent.mkdir(parents=True)
    shutil.copytree(folder, hub / name)
    encoder = load_encoder(info.name)
    vectors = encoder.encode(TEXTS)
    naive = load_encoder(f"hf:{folder}", pooling=pooling, normalisation="l2")
    np.testing.assert_allclose(vectors, naive.encode([prefix + t for t in TEXTS]), atol=1e-6)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    both = load_encoder(f"hf:{folder}", prefix=prefix).encode(TEXTS[:1], pairs=["was late"])
    expected = naive.encode([prefix + TEXTS[0]], pairs=[f"{prefix}was late"])
    np.testing.assert_allclose(both, expected, atol=1e-6)
    begun = prefix + TEXTS[0]
    span = [(len(prefix) + 4, len(prefix) + 10)]
    mention = encoder.encode(TEXTS[:1], spans=[(4, 10)])
    np.testing.assert_allclose(mention, naive.encode([begun], spans=span), atol=1e-6)
    assert not encoder.is_cached(["late"])
    assert encoder.is_cached(TEXTS)


def test_what_a_hub_model_has_not_is_named(tiny_bert):
    folder, _ = tiny_bert
    with pytest.raises(EncoderError, match="must be a whole number from 0 to 3, not 4"):
        load_encoder(f"hf:{folder}", layer=4).encode(TEXTS)
    with pytest.raises(EncoderError, match="for MiniLM only"):
        load_encoder(f"hf:{folder}", precision="int8").encode(TEXTS)


@pytest.fixture
def sentence_folder(tiny_bert, tmp_path):
    """Makes a folder as sentence-transformers writes it, and gives what it makes of texts."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Normalize, Pooling, Transformer

    def make(pooling="mean", normalised=True, limit=None, **bert):
        modules = [Transformer(str(tiny_bert[0]), max_seq_length=limit, **bert)]
        modules += [Pooling(16, pooling_mode=pooling), *([Normalize()] if normalised else [])]
        model = SentenceTransformer(modules=modules, device="cpu")
        folder = tmp_path / "sentences"
        model.save(str(folder), create_model_card=False)
        return folder, model.encode([*TEXTS, LONG]), model.encode(PAIRS)

    return make


LONG = "was the flight late " * 5  # than the model's ten places
PAIRS = [("the flight", "was late"), ("good", "good " * 20)]


@pytest.mark.parametrize(
    ("pooling", "normalised", "limit"),
    [("mean", True, None), ("cls", False, 9), ("max", True, 8), ("max", False, None)],
)
def test_a_folder_of_sentence_transformers_is_used_as_it_says(
    sentence_folder, pooling, normalised, limit
):
    folder, vectors, of_pairs = sentence_folder(pooling, normalised, limit)
    encoder = load_encoder(f"hf:{folder}")
    assert encoder.normalisation == ("l2" if normalised else "none")
    np.testing.assert_allclose(encoder.encode([*TEXTS, LONG]), vectors, atol=1e-5)
    np.testing.assert_allclose(encoder.encode(*zip(*PAIRS, strict=True)), of_pairs, atol=1e-5)
    assert encoder.n_truncated == 1
    asked = load_encoder(f"hf:{folder}", pooling="mean", normalisation="none", layer=1)
    plain = load_encoder(f"hf:{folder.parent / 'bert'}", normalisation="none", layer=1)
    np.testing.assert_allclose(asked.encode(TEXTS), plain.encode(TEXTS), atol=1e-6)
    mention = asked.encode(TEXTS[:1], spans=[(4, 10)])
    of_mention = load_encoder(f"hf:{folder}", normalisation="none", layer=1)
    np.testing.assert_allclose(of_mention.encode(TEXTS[:1], spans=[(4, 10)]), mention, atol=1e-6)


def test_a_default_prompt_begins_every_text(sentence_folder):
    from sentence_transformers import SentenceTransformer

    folder, without, _ = sentence_folder()
    prompts = {"prompts": {"q": "good "}, "default_prompt_name": "q"}
    change(folder / "config_sentence_transformers.json", lambda c: c.update(prompts))
    expected = SentenceTransformer(str(folder), device="cpu").encode(TEXTS)
    np.testing.assert_allclose(load_encoder(f"hf:{folder}").encode(TEXTS), expected, atol=1e-5)
    unprompted = load_encoder(f"hf:{folder}", prefix="").encode(TEXTS)
    np.testing.assert_allclose(unprompted, without[: len(TEXTS)], atol=1e-5)


def test_the_model_may_lie_within_the_folder_and_texts_be_in_lower_case(sentence_folder):
    folder, _, _ = sentence_folder(limit=8)
    expected = load_encoder(f"hf:{folder}").encode(TEXTS)
    inside = folder / "0_Transformer"
    inside.mkdir()
    for path in [p for p in folder.iterdir() if p.is_file() and p.name != "modules.json"]:
        path.rename(inside / path.name)
    change(folder / "modules.json", lambda modules: modules[0].update(path="0_Transformer"))
    as_it_is = {"do_lower_case": False}
    change(inside / "tokenizer_config.json", lambda settings: settings.update(as_it_is))
    upper = [text.upper() for text in TEXTS]
    assert abs(load_encoder(f"hf:{folder}").encode(upper) - expected).max() > 1e-3
    change(
        inside / "sentence_bert_config.json", lambda settings: settings.update(do_lower_case=True)
    )
    np.testing.assert_allclose(load_encoder(f"hf:{folder}").encode(upper), expected, atol=1e-6)


def change(path, how):
    content = json.loads(path.read_text(encoding="utf-8"))
    how(content)
    path.write_text(json.dumps(content), encoding="utf-8")


DENSE = {"type": "sentence_transformers.models.Dense", "path": "3_Dense"}


@pytest.mark.parametrize(
    ("file", "how", "said"),
    [
        ("1_Pooling/config.json", lambda c: c.update(pooling_mode="lasttoken"), "'lasttoken'"),
        (
            "1_Pooling/config.json",
            lambda c: c.update(pooling_mode=["cls", "max"]),
            "'cls with max'",
        ),
        ("modules.json", lambda c: c.append(DENSE), "Pooling, Normalize, Dense"),
        ("modules.json", lambda c: c[0].update(type="own.Transformer"), "own.Transformer"),
        ("modules.json", lambda c: c[0].update(path="../bert"), "entry 1 has no path within"),
        ("modules.json", lambda c: c[1].pop("path"), "2 → path is missing"),
        ("sentence_bert_config.json", lambda c: c.update(max_seq_length="x"), "max_seq_length"),
    ],
)
def test_what_a_folder_asks_for_in_vain_is_named_with_its_file(sentence_folder, file, how, said):
    folder, _, _ = sentence_folder()
    change(folder / file, how)
    with pytest.raises(EncoderError, match=said) as error:
        load_encoder(f"hf:{folder}").encode(TEXTS)
    assert str(folder / file) in str(error.value)
    (folder / file).write_text("{")
    with pytest.raises(EncoderError, match="It is not JSON"):
        load_encoder(f"hf:{folder}").encode(TEXTS)
