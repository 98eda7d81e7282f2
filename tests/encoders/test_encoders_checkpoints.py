import json
import shutil

import numpy as np
import pytest
from safetensors.torch import load_file, save_file

from slp_core.data import load_dataset
from slp_core.encoders import list_encoders, load_encoder, registry
from slp_core.encoders.cards import EncoderCard
from slp_core.encoders.checkpoint import sha256
from slp_core.encoders.meta_checkpoint import CHECKPOINTS_DIR, find_checkpoints
from slp_core.encoders.registry import unlisted_encoders
from slp_core.encoders.text import origin_text, training_texts
from slp_core.errors import EncoderError
from slp_core.meta.card import SAMPLE, SAMPLE_DRAWS, SAMPLE_SHOTS
from slp_core.meta.validation import dataset_accuracy

FOLDERS = find_checkpoints()
TEXTS = ["Lovely, for once on time.", "They lost my bag again.", "Is there a gate change?"]


def test_the_five_methods_and_means_of_them_are_bundled_small_and_load():
    metaslp = [f"metaslp-{kind}" for kind in ("fomaml", "mean", "mean3", "reptile")]
    others = ("protonet", "protonet-sentiment", "reptile")
    names = [f"{name}-minilm-l4" for name in ("leopard", *metaslp, *others)]
    names.append("protonet-mean-minilm-l6")
    assert [folder.name for folder in FOLDERS] == sorted(names)
    assert set(names) <= {info.name for info in (*list_encoders(), *unlisted_encoders())}
    assert all((folder / "model.safetensors").stat().st_size <= 20e6 for folder in FOLDERS)


@pytest.mark.parametrize(("place", "folder"), enumerate(FOLDERS), ids=lambda each: str(each)[-40:])
def test_a_checkpoint_is_what_its_card_says(place, folder):
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    sample, encoder = load_dataset(SAMPLE), load_encoder(folder.name, cache=False)
    base = load_encoder(card["encoder"], cache=False).encode(TEXTS)
    changed = encoder.encode(TEXTS)
    cosines = (base * changed).sum(axis=1)
    assert cosines.max() < 0.999
    assert cosines.min() > 0  # changed, not destroyed

    assert (card["sample"]["dataset"], card["sample"]["shots"]) == (SAMPLE, 8)
    bundled = load_encoder(folder.name)
    assert bundled.is_cached(sample)  # else run ``python -m tools.encode_bundled_data``
    vectors = bundled.encode(sample)  # in 16 bits
    some = range(place % 9, len(sample), 9)  # every row by one checkpoint or another
    np.testing.assert_allclose(vectors[some], encoder.encode(sample.examples.take(some)), atol=1e-3)
    accuracy = dataset_accuracy(sample, vectors, SAMPLE_SHOTS, SAMPLE_DRAWS)
    assert accuracy == pytest.approx(card["sample"]["accuracy"], abs=0.005)

    kept = card["validation"]["accuracy"]
    assert kept > card["validation"]["before"]
    assert all(source["licence"] and source["rows"] for source in card["data"])
    if "average" in card:
        assert card["curve"] == []
        return
    best = max(card["curve"], key=lambda point: point["validation"])
    assert best["step"] == card["best_step"]
    if "interpolation" in card:
        way = card["interpolation"]
        nothing, *tried = way["tried"]
        assert nothing["validation"] == card["curve"][0]["validation"]
        chosen = max(tried, key=lambda each: each["validation"] + each["samples"])
        assert (chosen["share"], chosen["validation"]) == (way["share"], kept)
    else:
        assert best["validation"] == kept


@pytest.mark.parametrize(
    ("mean", "members"),
    [
        ("metaslp-mean", ("metaslp-reptile", "metaslp-fomaml")),
        ("metaslp-mean3", ("metaslp-reptile", "metaslp-fomaml", "protonet-sentiment")),
    ],
)
def test_a_bundled_mean_is_of_its_members(mean, members):
    folders = [CHECKPOINTS_DIR / f"{name}-minilm-l4" for name in (*members, mean)]
    cards = [json.loads((folder / "card.json").read_text()) for folder in folders]
    for member, card in zip(cards.pop()["average"], cards, strict=True):
        assert {name: card[name] for name in ("title", "weights_sha256")}.items() <= member.items()
        assert member["validation"] == card["validation"]["accuracy"]
    *each, found = (load_file(folder / "model.safetensors") for folder in folders)
    assert all(one.keys() == found.keys() for one in each)
    for name, weights in found.items():
        expected = np.mean([one[name].float().numpy() for one in each], axis=0)
        np.testing.assert_allclose(weights.float(), expected, atol=2e-5)


def test_a_card_says_what_it_knows():
    info = list_encoders()[0]
    nothing = EncoderCard(info, None, None, None)
    assert (training_texts(nothing), origin_text(nothing)) == ((), "")
    meta = {
        "validation": {"before": 0.5, "accuracy": 0.75, "how": "8 shots", "sets": {"toys": 0.75}},
        "sample": {"dataset": "toy", "shots": 8, "draws": 10, "before": 0.25, "accuracy": 0.5},
        "minutes": 27.5,
        "weights_sha256": 64 * "a",
    }
    card = EncoderCard(info, None, None, meta)
    assert training_texts(card) == (
        "Validation accuracy: 50.0% before meta-training, 75.0% with these weights (8 shots).",
        "Validation sets: “toys” 75.0%.",
        "Nearest centroid on “toy” (8 shots, 10 support sets): 25.0% before, 50.0% with these "
        "weights.",
    )
    assert origin_text(card) == f"27\\.5 minutes · SHA-256 of the weights {16 * 'a'}…"


@pytest.fixture
def checkpoint(tmp_path):
    """A copy of a bundled checkpoint, and a function to change its card."""
    folder = tmp_path / "own"
    shutil.copytree(CHECKPOINTS_DIR / "protonet-minilm-l4", folder)

    def change(**fields):
        card = json.loads((folder / "card.json").read_text(encoding="utf-8")) | fields
        (folder / "card.json").write_text(json.dumps(card), encoding="utf-8")
        return folder

    return change


def test_a_folder_elsewhere_is_an_encoder_with_other_vectors_in_the_cache(checkpoint):
    encoder = load_encoder(f"meta:{checkpoint()}")
    assert not load_encoder("minilm-l4").is_cached(TEXTS)
    vectors = encoder.encode(TEXTS)
    assert encoder.is_cached(TEXTS)
    assert not load_encoder("minilm-l4").is_cached(TEXTS)
    expected = load_encoder("protonet-minilm-l4", cache=False).encode(TEXTS)
    np.testing.assert_allclose(vectors, expected, atol=1e-6)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"base_sha256": "0" * 64}, "not trained from the bundled MiniLM"),
        ({"format": 99}, "format must be 1, not 99"),
        ({"layer": 7}, "layer must be a whole number from 1 to 6, not 7"),
        ({"curve": None}, "curve is missing"),
    ],
)
def test_a_card_that_does_not_fit_is_refused(checkpoint, fields, said):
    with pytest.raises(EncoderError, match=said):
        load_encoder(f"meta:{checkpoint(**fields)}")


def test_a_folder_without_a_card_and_a_file_are_refused(tmp_path):
    file = tmp_path / "file"
    file.touch()
    for place in (tmp_path, file):
        with pytest.raises(EncoderError, match=r"contains no card\.json"):
            load_encoder(f"meta:{place}")


def test_weights_that_are_not_the_cards_are_refused(checkpoint):
    folder = checkpoint()
    weights = folder / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    with pytest.raises(EncoderError, match="not the weights file that its card describes"):
        load_encoder(f"meta:{folder}").encode(TEXTS)
    weights.unlink()
    with pytest.raises(EncoderError, match="is missing or not the weights file"):
        load_encoder(f"meta:{folder}").encode(TEXTS)


def test_weights_of_another_model_are_refused(checkpoint):
    folder = checkpoint()
    tensors = load_file(folder / "model.safetensors")
    save_file({f"other.{name}": tensors[name] for name in tensors}, folder / "model.safetensors")
    checkpoint(weights_sha256=sha256(folder / "model.safetensors"))
    with pytest.raises(EncoderError, match="does not fit MiniLM's weights"):
        load_encoder(f"meta:{folder}").encode(TEXTS)


def test_a_broken_checkpoint_leaves_the_others_in_the_list(checkpoint, monkeypatch):
    broken = checkpoint(format=99)
    monkeypatch.setattr(registry, "CHECKPOINTS_DIR", broken.parent)
    assert list_encoders()[0].name == "minilm-l4"
    assert "own" not in {info.name for info in list_encoders()}
    with pytest.raises(EncoderError, match="format must be 1"):
        load_encoder("own")
