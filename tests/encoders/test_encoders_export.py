"""Encoders as standard folders: what other programs make of them, and what is refused."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch

from slp_core.cli import main
from slp_core.data import Examples
from slp_core.encoders import load_encoder
from slp_core.encoders.export import can_be_exported, export_encoder, zipped_encoder
from slp_core.encoders.meta_checkpoint import CHECKPOINTS_DIR, read_card
from slp_core.encoders.trainable import TrainableLayers
from slp_core.errors import EncoderError

META = "metaslp-reptile-minilm-l4"
TEXTS = ["The flight was late.", "Ünïcode, 你好 😀", "ok", "much too long " * 120]
SECOND = ["And I missed the next.", "?", "no", "as is this " * 150]


def loaded_elsewhere(folder):
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        (
            "minilm-l6",
            {"layer": 1, "pooling": "cls", "max_tokens": 16, "normalisation": "none"},
        ),
        (META, {}),
    ],
)
def test_other_programs_give_the_same_vectors(tmp_path, name, options):
    encoder = load_encoder(name, cache=False, **options)
    folder = export_encoder(encoder, tmp_path / "new" / "folder")
    model = loaded_elsewhere(folder)
    np.testing.assert_allclose(model.encode(TEXTS), encoder.encode(TEXTS), atol=1e-5)
    pairs = list(zip(TEXTS, SECOND, strict=True))
    np.testing.assert_allclose(model.encode(pairs), encoder.encode(TEXTS, SECOND), atol=1e-5)
    assert not list(folder.parent.glob(".*"))
    back = load_encoder(f"hf:{folder}", cache=False)
    assert (back.normalisation, back.usage.pooling) == (
        encoder.normalisation,
        encoder.usage.pooling,
    )
    np.testing.assert_allclose(back.encode(TEXTS), encoder.encode(TEXTS), atol=1e-5)


def test_transformers_reads_it_with_nothing_made_up(tmp_path):
    from transformers import AutoModel, AutoTokenizer

    encoder = load_encoder(META, cache=False, normalisation="none")
    folder = export_encoder(encoder, tmp_path / "folder")
    model, read = AutoModel.from_pretrained(folder, output_loading_info=True)
    assert not any(read.values())
    assert len(model.encoder.layer) == 4
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        for text, vector in zip(TEXTS, encoder.encode(TEXTS), strict=True):
            tokens = tokenizer([text], truncation=True, return_tensors="pt")
            states = model(**tokens).last_hidden_state[0]
            np.testing.assert_allclose(states.mean(dim=0), vector, atol=1e-5)


def test_a_tuned_encoder_travels_too(tmp_path):
    layers = TrainableLayers(META, n_trainable=1)
    with torch.no_grad():
        layers.blocks[0].widen.weight.mul_(1.5)
    encoder = load_encoder(META, cache=False, normalisation="none")
    folder = export_encoder(encoder, tmp_path / "tuned", layers.changed())
    rows = layers.lower_states(Examples("text", texts=tuple(TEXTS)))
    vectors = loaded_elsewhere(folder).encode(TEXTS)
    np.testing.assert_allclose(vectors, layers.all_vectors(rows), atol=1e-5)
    assert abs(vectors - encoder.encode(TEXTS)).max() > 1e-3
    assert "trained further" in (folder / "README.md").read_text()


def test_the_readme_has_the_card_and_no_place_on_this_machine(tmp_path):
    checkpoint = CHECKPOINTS_DIR / META
    card = read_card(checkpoint)
    folder = export_encoder(load_encoder(f"meta:{checkpoint}"), tmp_path / "folder")
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert f"# {card['title']}\n" in text
    assert card["description"] in text
    for share in (card["validation"]["before"], card["validation"]["accuracy"]):
        assert f"{share:.1%}" in text
    assert all(f"| {source['title']} | {source['licence']} |" in text for source in card["data"])
    assert all(f"| {value} |" in text for value in card["settings"].values() if value != "l2")
    written = [path for path in folder.rglob("*") if path.suffix in (".md", ".json")]
    assert not any(str(CHECKPOINTS_DIR) in path.read_text("utf-8") for path in written)


def test_a_zip_holds_the_folder():
    encoder = load_encoder("minilm-l4", layer=0)
    with zipfile.ZipFile(io.BytesIO(zipped_encoder(encoder, "travels"))) as archive:
        names = archive.namelist()
        assert {"travels/README.md", "travels/1_Pooling/config.json"} <= set(names)
        config = json.loads(archive.read("travels/config.json"))
    assert config["num_hidden_layers"] == 0


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("tfidf-svd", {}, "has no language model"),
        ("numeric", {}, "has no language model"),
        ("minilm-l4-int8", {}, "8-bit integers"),
        ("hf:some/model", {}, "is such a folder already"),
        ("minilm-l4", {"normalisation": "centred_l2"}, "depends on the encoded rows"),
    ],
)
def test_what_no_folder_holds_is_refused(tmp_path, name, options, why):
    encoder = load_encoder(name, **options)
    assert not can_be_exported(encoder)
    with pytest.raises(EncoderError, match=why):
        export_encoder(encoder, tmp_path / "folder")
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten_and_nothing_half_written(tmp_path, monkeypatch, capsys):
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "mine.txt").write_text("mine")
    assert main(["export-encoder", "minilm-l4", str(taken)]) == 2
    assert "is not empty: name another folder" in capsys.readouterr().err
    assert main(["export-encoder", "minilm-l4", str(taken / "mine.txt")]) == 2
    assert "is a file" in capsys.readouterr().err
    assert main(["export-encoder", "minilm-l4", str(taken / "mine.txt" / "new")]) == 2
    assert "cannot be written" in capsys.readouterr().err

    def full(self, text, **_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        assert main(["export-encoder", "minilm-l4", str(tmp_path / "new")]) == 2
    assert "No space left" in capsys.readouterr().err
    assert [path.name for path in tmp_path.rglob("*")] == ["taken", "mine.txt"]
    (tmp_path / "empty").mkdir()
    assert main(["export-encoder", "minilm-l4", str(tmp_path / "empty")]) == 0
    assert f"hf:{tmp_path / 'empty'}" in capsys.readouterr().out
