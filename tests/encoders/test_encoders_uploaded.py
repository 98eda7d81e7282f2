"""Uploaded checkpoints: accepted whole, or refused in a sentence."""

import io
import json
import zipfile

import numpy as np
import pytest
from safetensors.numpy import load, save

from slp_core.encoders import list_encoders, load_encoder
from slp_core.encoders.cards import read_encoder_card
from slp_core.encoders.checkpoint import sha256
from slp_core.encoders.meta_checkpoint import CHECKPOINTS_DIR
from slp_core.encoders.registry import unlisted_encoders
from slp_core.encoders.text import training_texts
from slp_core.encoders.uploaded import latest, unpack_checkpoint
from slp_core.errors import EncoderError

BUNDLED = CHECKPOINTS_DIR / "protonet-minilm-l4"
CARD = (BUNDLED / "card.json").read_bytes()
WEIGHTS = (BUNDLED / "model.safetensors").read_bytes()
TEXTS = ["Lovely, for once on time.", "They lost my bag again."]


def zipped(*members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, contents in members:
            archive.writestr(name, contents)
    return file.getvalue()


def card(**changes):
    return json.dumps(json.loads(CARD) | changes).encode()


@pytest.mark.parametrize(
    "files",
    [
        [("model.safetensors", WEIGHTS), ("card.json", CARD)],
        [
            (
                "own.ZIP",
                zipped(
                    ("own/card.json", CARD),
                    ("own/model.safetensors", WEIGHTS),
                    ("own/log.jsonl", b""),
                    ("__MACOSX/own/card.json", b""),
                ),
            )
        ],
    ],
    ids=["two files", "zip"],
)
def test_a_checkpoint_becomes_an_encoder_of_its_own_title(tmp_path, files):
    taken = {info.title for info in (*list_encoders(), *unlisted_encoders())}
    folder = unpack_checkpoint(files, tmp_path / "in" / "new", taken)
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["card.json", "model.safetensors"]
    *before, own = list_encoders([folder])
    assert tuple(before) == list_encoders()
    assert own.name == f"meta:{folder}"
    assert own.title == "ProtoNet on MiniLM, layer 4 (uploaded)"
    again = unpack_checkpoint(files, tmp_path / "again", taken | {own.title})
    assert list_encoders([again])[-1].title == "ProtoNet on MiniLM, layer 4 (uploaded 2)"
    vectors = load_encoder(own.name, cache=False).encode(TEXTS)
    expected = load_encoder("protonet-minilm-l4", cache=False).encode(TEXTS)
    np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_a_mean_of_checkpoints_is_taken_without_a_curve(tmp_path):
    folder = CHECKPOINTS_DIR / "metaslp-mean-minilm-l4"
    files = [(path.name, path.read_bytes()) for path in folder.iterdir()]
    own = unpack_checkpoint(files, tmp_path / "own")
    card = read_encoder_card(f"meta:{own}")
    first, average, *_ = training_texts(card)
    assert first.startswith("Validation accuracy")
    assert average.startswith("Averaged weights of 2 encoders")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["card.json", "a.safetensors"], [0, 1]),
        (["card.json", "a.safetensors", "card.json", "b.safetensors"], [2, 3]),
        (["card.json", "a.safetensors", "b.zip"], [2]),
        (["a.zip", "b.ZIP"], [1]),
        (["a.zip", "card.json", "b.safetensors"], [1, 2]),
    ],
)
def test_a_second_checkpoint_replaces_the_first(given, kept):
    files = [(name, bytes([place])) for place, name in enumerate(given)]
    assert sorted(contents[0] for _, contents in latest(files)) == kept


def with_weights(change):
    """A whole upload whose weights are changed, and whose card knows it."""

    def make(tmp_path):
        path = tmp_path / "changed"
        path.write_bytes(save(change(load(WEIGHTS))))
        return [
            ("card.json", card(weights_sha256=sha256(path))),
            ("a.safetensors", path.read_bytes()),
        ]

    return make


def first(tensors, change):
    name = min(name for name in tensors if name.endswith("query.bias"))
    return tensors | {name: change(tensors[name])}


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([("card.json", CARD)], "The .safetensors file is missing: give card.json and"),
        ([("model.bin", WEIGHTS), ("card.json", CARD)], "The .safetensors file is missing"),
        ([("a.safetensors", WEIGHTS)], "card.json is missing"),
        ([("card.json", CARD)] * 2 + [("a.safetensors", WEIGHTS)], "card.json was given 2 times"),
        ([("a.zip", b"no archive")], "a.zip cannot be opened as a .zip file"),
        ([("a.zip", zipped(("x", b"")))], "card.json is missing"),
        (
            [("a.zip", zipped(*[(f"{i}/card.json", CARD) for i in range(3)]))],
            "card.json was given 3 times",
        ),
        (
            [("card.json", b"{"), ("a.safetensors", WEIGHTS)],
            "^card.json: It is not JSON",
        ),
        (
            [("card.json", card(base_sha256="0")), ("a.safetensors", WEIGHTS)],
            "not trained from the bundled MiniLM",
        ),
        ([("card.json", card(best_step=7)), ("a.safetensors", WEIGHTS)], "best_step is not one"),
        ([("card.json", card(encoder="own")), ("a.safetensors", WEIGHTS)], "field 'encoder' is"),
        (
            [("card.json", card(curve=[{"step": 0}])), ("a.safetensors", WEIGHTS)],
            "^card.json: curve → 1 → validation is missing",
        ),
        (
            [("card.json", card(validation={})), ("a.safetensors", WEIGHTS)],
            "validation → before is missing",
        ),
        *(
            ([("card.json", card(**{field: value})), ("a.safetensors", WEIGHTS)], said)
            for field, value, said in (
                (
                    "seeds",
                    [{"seed": 1, "validation": "high"}],
                    "seeds → 1 → validation must be",
                ),
                ("seeds", 3, "seeds must be a list, not 3"),
                ("average", [{"title": "one"}], "average → 1 → validation is missing"),
                ("average", {"title": "one"}, "average must be a list"),
                ("interpolation", {"share": "half"}, "interpolation → share must"),
                (
                    "validation",
                    {"before": 0, "accuracy": 1, "how": "", "sets": [1]},
                    "sets must",
                ),
            )
        ),
        ([("card.json", CARD), ("a.safetensors", WEIGHTS[:-1])], "not the weights file that"),
        ([("card.json", CARD + b" " * 3_000_000), ("a.safetensors", WEIGHTS)], "too large"),
        (with_weights(lambda t: {f"other.{n}": v for n, v in t.items()}), "does not fit MiniLM"),
        (
            with_weights(lambda t: first(t, lambda v: v[:1])),
            r"numbers of shape \(384,\)",
        ),
        (
            with_weights(lambda t: first(t, lambda v: v * np.nan)),
            "must contain finite",
        ),
    ],
)
def test_what_is_wrong_is_said(tmp_path, files, said):
    files = files(tmp_path) if callable(files) else files
    with pytest.raises(EncoderError, match=said) as error:
        unpack_checkpoint(files, tmp_path / "new")
    assert str(tmp_path) not in str(error.value)
