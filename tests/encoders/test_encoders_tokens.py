import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from slp_core.data import Examples
from slp_core.encoders.minilm import model_folder
from slp_core.encoders.tokens import tokenise

TOKENIZER = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
TOKENIZER.no_padding()


def one(max_tokens, pooling="mean", **parts):
    (row,) = tokenise(TOKENIZER, Examples(**parts), pooling, max_tokens)
    return row, TOKENIZER.decode(row.ids, skip_special_tokens=False).split()


def chosen(row) -> list[int]:
    return [token for token, weight in zip(row.ids, row.weights, strict=True) if weight]


def test_a_text_counts_its_special_tokens_unless_pooled_at_cls():
    row, words = one(16, kind="text", texts=("so late",))
    assert words == ["[CLS]", "so", "late", "[SEP]"]
    assert row.weights == [1, 1, 1, 1]
    assert one(16, "cls", kind="text", texts=("so late",))[0].weights == [1, 0, 0, 0]


def test_a_pair_has_the_tokenizers_own_format():
    row, words = one(16, kind="pair", texts=("it rains",), pairs=("wet",))
    assert words == ["[CLS]", "it", "rains", "[SEP]", "wet", "[SEP]"]
    assert row.types == [0, 0, 0, 0, 1, 1]


def test_a_mention_is_the_tokens_that_overlap_its_characters():
    sentence = "Où est Café Zébulon ?"
    start = sentence.index("Café Zéb")
    row, _ = one(32, kind="span", texts=(sentence,), spans=((start, start + len("Café Zéb")),))
    # By hand: [CLS] ou est cafe ze ##bu ##lon ? [SEP]. "Zéb" reaches into ##bu, and no further.
    tokens = [TOKENIZER.id_to_token(token) for token in row.ids]
    assert tokens == ["[CLS]", "ou", "est", "cafe", "ze", "##bu", "##lon", "?", "[SEP]"]
    assert row.weights == [0, 0, 0, 1, 1, 1, 0, 0, 0]
    assert not row.cut


def test_a_mention_without_tokens_is_its_sentence():
    row, _ = one(32, kind="span", texts=("a  b",), spans=((1, 3),))
    assert row.weights == [1, 1, 1, 1]


def test_a_long_text_is_cut_and_says_so():
    row, words = one(8, kind="text", texts=("one two three four five six seven",))
    assert words == ["[CLS]", "one", "two", "three", "four", "five", "six", "[SEP]"]
    assert row.cut
    assert not one(9, kind="text", texts=("one two three four five six seven",))[0].cut


def test_a_sentence_is_cut_around_a_mention_beyond_the_limit():
    sentence = "zero one two three four five six seven eight nine ten eleven twelve"
    at = sentence.index("eight")
    row, kept = one(8, kind="span", texts=(sentence,), spans=((at, at + len("eight")),))
    assert kept == ["[CLS]", "six", "seven", "eight", "nine", "ten", "eleven", "[SEP]"]
    assert row.weights == [0, 0, 0, 1, 0, 0, 0, 0]
    assert row.cut
    begins = one(8, kind="span", texts=(sentence,), spans=((0, 4),))[0]
    assert begins.weights == [0, 1, 0, 0, 0, 0, 0, 0]
    assert begins.cut


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(["tea", "unbelievably", "Ünïted", "日本", "x-ray", "😀"]), min_size=1),
    st.data(),
)
def test_whatever_is_cut_the_mention_stays(words, data):
    mention = data.draw(st.integers(0, len(words) - 1))
    limit = data.draw(st.integers(9, 24))
    start = len(" ".join(words[:mention])) + bool(mention)
    span = (start, start + len(words[mention]))
    row, _ = one(limit, kind="span", texts=(" ".join(words),), spans=(span,))
    assert len(row.ids) <= limit
    assert chosen(row) == TOKENIZER.encode(words[mention], add_special_tokens=False).ids


@pytest.mark.parametrize("text", ["", "\ud83d lone", "\x00", "a" * 5000])
def test_odd_texts_have_tokens(text):
    row, _ = one(16, kind="text", texts=(text,))
    assert 2 <= len(row.ids) <= 16
