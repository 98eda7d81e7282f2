"""Long texts read in chunks, against a loop over the chunks."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slp_core.encoders import load_encoder
from slp_core.encoders.cards import read_encoder_card
from slp_core.encoders.chunks import LONGEST, SHORT, TOGETHER, split_text
from slp_core.errors import Cancelled, EncoderError

READER = "minilm-l4"
NAME = f"{READER}+chunks"
SHORT_TEXTS = ["A flight.", "Late again! Never with them. Never.", "x" * SHORT, ""]
LONG_TEXT = (
    "The soup was cold. We waited for an hour and nobody came to say that they were sorry! "
    "In the end somebody brought the bill, and it was for another table, which took them a while "
    "to see. Would I go again? Not for a free dinner, and not if it were the last place in town. "
    "My friend says that the cake was good."
)
UNBROKEN = "völlig ohne Punkt und Komma " * 40


@given(
    st.lists(
        st.one_of(
            st.text(max_size=40), st.sampled_from([". ", "! ", "\n", "。", "word " * 70, "…"])
        ),
        max_size=30,
    ).map("".join)
)
def test_nothing_of_a_text_is_lost(text):
    parts = split_text(text)
    assert "".join("".join(parts).split()) == "".join(text.split())
    if len(text) <= SHORT:
        assert parts == (text,)
    elif text.strip():
        assert all(part.strip() and len(part) <= LONGEST for part in parts)
        # None could have been put together with the one before it.
        joined = [len(a) + 1 + len(b) for a, b in pairwise(parts)]
        assert all(length > TOGETHER for length in joined)


def test_chunks_end_where_sentences_end():
    parts = split_text(LONG_TEXT)
    assert len(parts) == 3
    assert all(part[-1] in ".!?" for part in parts)
    chinese = split_text("汤是冷的。我们等了一个小时！" * 40)
    assert len(chinese) > 2
    assert all(part[-1] in "。！" and len(part) <= TOGETHER for part in chinese)


@pytest.mark.parametrize("name", [READER, "protonet-minilm-l4", "minilm-l4-int8"])
def test_a_long_text_is_the_mean_of_its_chunks(name):
    texts = [*SHORT_TEXTS, LONG_TEXT, UNBROKEN]
    reader = load_encoder(name, cache=False)
    x = load_encoder(name, chunks=True, cache=False).encode(texts)
    expected = [reader.encode(list(split_text(text))).mean(axis=0) for text in texts]
    expected = [row / np.linalg.norm(row) for row in expected]
    # In 8 bits a last bit of attention's may round a step otherwise.
    np.testing.assert_allclose(x, expected, atol=5e-3 if name.endswith("int8") else 2e-6)
    whole = reader.encode(texts)
    np.testing.assert_allclose(x[:4], whole[:4], atol=5e-3 if name.endswith("int8") else 1e-6)
    assert np.linalg.norm(x[4] - whole[4]) > 0.05


@pytest.mark.parametrize(
    "rows", [{"pairs": [LONG_TEXT, "Soup."]}, {"spans": [(4, 8), (0, 3)]}], ids=["pairs", "spans"]
)
def test_pairs_and_mentions_are_read_whole(rows):
    texts = [LONG_TEXT, "The soup."]
    x = load_encoder(NAME, cache=False).encode(texts, **rows)
    whole = load_encoder(READER, cache=False).encode(texts, **rows)
    np.testing.assert_allclose(x, whole, atol=1e-6)


def test_its_vectors_are_kept_under_its_readers_keys():
    encoder, reader = load_encoder(NAME), load_encoder(READER)
    assert not encoder.is_cached([LONG_TEXT])
    reader.encode(list(split_text(LONG_TEXT)))
    assert encoder.is_cached([LONG_TEXT])
    encoder.encode(["a short one that nobody has seen"])
    assert reader.is_cached(["a short one that nobody has seen"])


def test_rows_are_counted_and_not_chunks():
    told = []
    encoder = load_encoder(NAME, cache=False, max_tokens=20)
    encoder.encode([LONG_TEXT, "short", UNBROKEN, "also short"], progress=told.append)
    assert encoder.n_truncated == 2
    assert {each.total for each in told} == {4}
    assert [each.done for each in told] == sorted(each.done for each in told)
    assert told[-1].done == 4
    whole = load_encoder(NAME, cache=False)
    whole.encode([LONG_TEXT * 20, UNBROKEN])
    assert whole.n_truncated == 0
    with pytest.raises(Cancelled):
        encoder.encode([LONG_TEXT], cancelled=lambda: True)


@pytest.mark.parametrize("name", ["tfidf-svd", "numeric"])
def test_what_reads_no_chunks_is_said(name):
    with pytest.raises(EncoderError, match="has no option chunks: leave it out"):
        load_encoder(name, chunks=True)


def test_its_card_names_its_reader():
    card = read_encoder_card(NAME)
    assert (card.parts, card.base, card.layer) == ((READER,), READER, 4)
    assert str(SHORT) in card.info.description
