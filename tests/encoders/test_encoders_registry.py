import subprocess
import sys

import numpy as np
import pytest

from slp_core.encoders import list_encoders, load_encoder
from slp_core.encoders.base import normalise
from slp_core.encoders.registry import RECOMMENDED, unlisted_encoders
from slp_core.errors import EncoderError

HEAVY = ("torch", "transformers", "sklearn", "scipy", "sentence_transformers")


def test_every_listed_encoder_loads_without_its_libraries():
    script = (
        "import sys; from slp_core.encoders import list_encoders, load_encoder\n"
        "for info in list_encoders(): assert load_encoder(info.name).info == info\n"
        "load_encoder('hf:bert-base-uncased')\n"
        f"print([m for m in {HEAVY} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_unknown_name_lists_what_there_is():
    with pytest.raises(EncoderError) as error:
        load_encoder("minilm-4")
    assert "did you mean 'minilm-l4'?" in str(error.value)
    names = [info.name for info in list_encoders()]
    assert all(part in str(error.value) for part in (*names, "'hf:'", "'meta:'"))


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("minilm-l4", {"normalisation": "L2"}, "'none', 'l2', 'centred_l2' or None, not 'L2'"),
        ("minilm-l4", {"pooling": "sum"}, "'mean', 'cls', 'max' or None"),
        ("minilm-l4", {"precision": "int4"}, "'float32', 'int8' or None"),
        ("minilm-l4", {"max_tokens": 3}, "at least 8"),
        ("minilm-l4", {"max_tokens": 8.5}, "max_tokens must be a whole number .*, not 8.5"),
        ("minilm-l4", {"max_tokens": "9"}, "max_tokens must be a whole number .*, not '9'"),
        ("minilm-l4", {"layer": 1.5}, "layer must be a whole number .*, not 1.5"),
        ("hf:x", {"layer": "1"}, "layer must be a whole number .*, not '1'"),
        (None, {}, "name is a text such as 'minilm-l4', not None"),
        ("numeric", {"layer": 2}, "no option layer"),
        ("hf:", {}, "after 'hf:'"),
        ("minilm-l4", {"cache_dir": 3}, "cache_dir must be a path such as 'a/folder', not 3"),
        ("meta:", {}, "A checkpoint must be a path such as 'a/folder', not ''"),
        ("raw", {"cache_dir": "a\0b"}, r"cache_dir must be a path .* not 'a\\x00b'"),
        ("meta:~nobody-here/a", {}, "~nobody-here/a names no folder here: give its full path"),
    ],
)
def test_options_that_cannot_be_are_named(name, options, said):
    with pytest.raises(EncoderError, match=said):
        load_encoder(name, **options)


@pytest.mark.parametrize("folders", [3, "a/folder", [3]])
def test_checkpoints_that_are_no_folders_are_named(folders):
    with pytest.raises(EncoderError, match=r"must be a .* not (3|'a/folder')"):
        list_encoders(folders)


def test_data_of_the_wrong_kind_says_what_to_choose():
    with pytest.raises(EncoderError, match="choose 'numeric' or 'raw'"):
        load_encoder("minilm-l4").encode([[0, 1], [2, 3]])
    with pytest.raises(EncoderError, match="choose 'numeric' or 'raw'"):
        load_encoder("minilm-l4").encode(np.zeros((2, 3)))
    with pytest.raises(EncoderError, match="choose a text encoder such as 'minilm-l4'"):
        load_encoder("numeric").encode(["a text"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([],), "no rows"),
        (("one text",), "put a single one in a list"),
        ((["a", None],), "Texts must be strings, and row 1 is None"),
        ((["a"], ["b", "c"]), "parts of the examples differ in length"),
        ((["abc"], None, [(1, 4)]), r"span \[1, 4\) of row 0"),
        ((["abc"], None, [(0.9, 2.9)]), "pairs of whole numbers"),
        ((["abc"], None, ["02"]), "pairs of whole numbers"),
        ((["abc"], ["abc"], [(0, 1)]), "not both"),
        ((np.zeros(3),), "1-D"),
    ],
)
def test_inputs_that_cannot_be_encoded_name_the_row(arguments, said):
    with pytest.raises(EncoderError, match=said):
        load_encoder("tfidf-svd").encode(*arguments)


def test_normalisations():
    vectors = np.array([[3, 4], [0, 0], [6, 2]], np.float32)
    assert np.array_equal(normalise(vectors, "none"), vectors)
    np.testing.assert_allclose(
        normalise(vectors, "l2"), [[0.6, 0.8], [0, 0], [0.9486833, 0.31622777]]
    )
    centred = normalise(vectors, "centred_l2")  # the mean is (3, 2)
    np.testing.assert_allclose(centred, [[0, 1], [-0.8320503, -0.5547002], [1, 0]])
    assert centred.dtype == np.float32


def test_the_list_is_short_and_one_is_recommended():
    texts = [info for info in list_encoders() if "text" in info.kinds]
    assert len(texts) == 8
    assert [info.name for info in texts if info.description.startswith("Recommended")] == [
        RECOMMENDED.name
    ]
    assert load_encoder(str(RECOMMENDED)).info.options == ("combine", "chunks")
    listed = {info.name for info in list_encoders()}
    others = {info.name for info in unlisted_encoders()}
    assert not listed & others
    assert others >= {"minilm-l4-int8", "reptile-minilm-l4"}
