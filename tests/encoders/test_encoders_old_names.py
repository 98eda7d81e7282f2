"""Every encoder of the list before options were: its name loads, and gives the vectors it gave."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import slp_core as slp
from slp_core.encoders.choice import EncoderChoice
from slp_core.encoders.combine import CombinedEncoder
from slp_core.evaluation.paper import STORED, our_results

FILE = Path(__file__).with_name("old_names.json")
OLD = json.loads(FILE.read_text(encoding="utf-8"))
"""Of each: its title, its width, every sixth number or so of its vectors, and those on a draw."""
SENTENCE = "The soup was cold. We waited for an hour and nobody came to say that they were sorry! "
TEXTS = [
    "A flight that was never late.",
    "lovely soup, poor service",
    "refund",
    "Was the gate in Rome open?",
    SENTENCE * 5 + "Would I go again? Not for a free dinner.",
]
TABLE = [[0.0, 1.5], [2.0, -3.0], [1.0, 8.0], [5.0, 0.5]]


def _close(name):
    """Another processor sums in another order, which can round an 8-bit number up or down."""
    return 1e-3 if "int8" in name else 2e-6


def test_all_of_them_are_here():
    assert len(OLD) == 29


@pytest.mark.parametrize("name", OLD)
def test_an_old_name_gives_the_vectors_that_it_gave(name):
    old, encoder = OLD[name], slp.load_encoder(name, cache=False)
    numeric = "numeric" in encoder.info.kinds
    x = encoder.encode(TABLE if numeric else TEXTS)
    every = max(1, old["width"] // 6)
    assert x.shape[1] == old["width"]
    np.testing.assert_allclose(x[:, ::every], old["vectors"], atol=_close(name))
    if numeric:
        x = encoder.encode(TABLE, support=[0, 2])
    elif encoder.by_draw:
        dataset = slp.load_dataset("disaster")
        support = dataset.draw(4, 1).support
        x = slp.load_encoder(name).encode(dataset, support=support)[:3]
    np.testing.assert_allclose(x[:, ::every], old["on_draw"], atol=_close(name))


@pytest.mark.parametrize("name", OLD)
def test_an_old_name_is_that_of_an_encoder_with_options(name):
    choice = EncoderChoice.of(name)
    by_options = slp.load_encoder(choice.name, combine=choice.combine, chunks=choice.chunks)
    assert by_options.info == slp.load_encoder(name).info
    assert EncoderChoice.of(by_options.info.name) == choice
    assert by_options.info.name == str(choice)
    assert isinstance(by_options, CombinedEncoder) == bool(choice.combine)
    assert by_options.chunks == choice.chunks


def test_stored_rows_are_of_encoders_of_today():
    runs = our_results().runs
    text = gzip.decompress((Path(slp.__file__).parent / "evaluation" / STORED).read_bytes())
    lines = [row for row in text.decode().splitlines() if not row.startswith("#")]
    before = [row.split(",")[1] for row in lines[1:]]
    assert list(runs["encoder"]) == [str(EncoderChoice.of(name)) for name in before]
    for name in runs["encoder"].unique():
        assert slp.load_encoder(name).info.name == name
