import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import StandardScaler

from slp_core.data import Examples, load_dataset
from slp_core.encoders import load_encoder, vectors_on
from slp_core.encoders.base import NORMALISATIONS
from slp_core.errors import Cancelled, EncoderError
from slp_core.progress import Progress


@settings(max_examples=50, deadline=None)
@given(hnp.arrays(float, (7, 3), elements=st.floats(-1000, 1000, width=16)))
def test_standardised_as_scikit_learn_does(table):
    table = np.column_stack([table, np.full(7, 0.1)])
    expected = StandardScaler().fit_transform(table)
    np.testing.assert_allclose(load_encoder("numeric").encode(table), expected, atol=1e-4)


def test_only_the_support_set_has_a_say_in_mean_and_deviation():
    dataset = load_dataset("wine")
    features, support = dataset.examples.features, dataset.draw(4, 1).support
    expected = StandardScaler().fit(features[support]).transform(features)
    encoder = load_encoder("numeric")
    np.testing.assert_allclose(encoder.encode(dataset, support=support), expected, rtol=1e-4)
    for_draws = encoder.encode_for_draws(dataset)
    np.testing.assert_array_equal(
        vectors_on(for_draws, support), encoder.encode(dataset, support=support)
    )
    other = vectors_on(for_draws, dataset.draw(4, 2).support)
    assert not np.allclose(other, expected, atol=0.1)
    whole = load_encoder("numeric-table")
    np.testing.assert_array_equal(whole.encode(dataset, support=support), encoder.encode(dataset))
    np.testing.assert_array_equal(
        vectors_on(whole.encode_for_draws(dataset), support), whole.encode(dataset)
    )


def test_a_column_that_hardly_varies_on_the_support_set_throws_no_other_row_away():
    table = np.array([[0.1 + 0.2, 1.0], [0.3, 2.0], [0.9, 3.0]])
    vectors = load_encoder("numeric").encode(table, support=np.array([0, 1]))
    np.testing.assert_allclose(vectors, [[0, -1], [0, 1], [0, 3]])


def test_columns_of_extreme_size_and_constant_ones_are_standardised():
    table = np.array([[1e300, 1e-300, 0.1], [3e300, 3e-300, 0.1]])
    np.testing.assert_allclose(load_encoder("numeric").encode(table), [[-1, -1, 0], [1, 1, 0]])


def test_raw_numbers_stay_as_they_are():
    table = np.array([[1, 2], [3, 4]])
    vectors = load_encoder("raw").encode(table)
    assert vectors.dtype == np.float32
    assert np.array_equal(vectors, table)


def test_rows_of_numbers_need_no_array():
    rows, encoder = [[1, 2.5], (3, np.float32(4))], load_encoder("raw")
    np.testing.assert_array_equal(encoder.encode(rows), np.array(rows))
    for wrong, said in (
        ([[1, 2], [3]], "Row 1, column 1 is missing"),
        ([[1, 2], [3, None]], "Row 1, column 1 is missing"),
        ([[1], [10**400]], "Column 0 of the table does not hold numbers"),
        ([[1, 2], ["3", 4]], "Column 0 of the table does not hold numbers"),
        ([np.array(1.0)], "row 0 is array.1..: write a text"),
    ):
        with pytest.raises(EncoderError, match=said):
            encoder.encode(wrong)


@pytest.mark.parametrize("name", ["numeric", "weighted-metaslp-mean3-minilm-l4"])
@pytest.mark.parametrize(
    ("support", "said"),
    [
        ([], "must be a list of row numbers"),
        ([0, 240], r"names row 240, but the rows are 0 to (177|239)"),
        ([0, -1], "names row -1"),
        ([0.5], "must be a list of row numbers"),
        ([True, False], "must be a list of row numbers"),
        (3, "must be a list of row numbers"),
    ],
)
def test_what_is_no_support_set_is_refused(name, support, said):
    rows, drawn = load_dataset("wine" if name == "numeric" else "products"), np.array(support)
    encoder = load_encoder(name)
    with pytest.raises(EncoderError, match=said):
        encoder.encode(rows, support=drawn)
    with pytest.raises(EncoderError, match=said):
        encoder.encode_for_draws(rows).on(drawn)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
def test_a_number_that_cannot_be_is_pointed_at(value):
    with pytest.raises(EncoderError, match="Row 1, column 0"):
        load_encoder("raw").encode(np.array([[1.0, 2.0], [value, 2.0]]))


@pytest.mark.parametrize("name", ["raw", "numeric"])
def test_a_frame_of_numbers_is_its_rows(name):
    columns = {"a": [1, 2, 4], "b": [0.5, 1.5, 7.0], "c": [True, False, True]}
    frame = pd.DataFrame(columns).astype({"a": "Int64"})
    table = np.array([[1, 0.5, 1], [2, 1.5, 0], [4, 7, 1]])
    encoder = load_encoder(name)
    np.testing.assert_array_equal(encoder.encode(frame), encoder.encode(table))
    np.testing.assert_array_equal(
        encoder.encode_like(frame, frame[:1]), encoder.encode_like(table, table[:1])
    )
    frame.loc[1, "a"] = pd.NA
    with pytest.raises(EncoderError, match="Row 1, column 0"):
        encoder.encode(frame)


def test_a_series_of_texts_is_its_texts():
    frame = pd.DataFrame({"text": TEXTS, "other": TEXTS[::-1]}, index=[3, 1, 4, 5])
    encoder = load_encoder("tfidf-svd")
    np.testing.assert_array_equal(encoder.encode(frame["text"]), encoder.encode(TEXTS))
    np.testing.assert_array_equal(
        encoder.encode(frame["text"], frame["other"]), encoder.encode(TEXTS, TEXTS[::-1])
    )


FRAME = pd.DataFrame({"number": [1, 2], "review": ["good", "bad"]})


@pytest.mark.parametrize("name", ["tfidf-svd", "raw"])
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((FRAME,), r"Column 'review' of the table .* such as frame\['review'\], or columns of num"),
        (({"review": ["good"]},), "A list of texts is expected, not {'review'"),
        (("good",), "Texts must be several strings: put a single one in a list"),
        ((["good", "bad"], FRAME), "A list of second texts is expected, not "),
        ((["good", "bad"], {"b": []}), "A list of second texts is expected, not {'b'"),
        ((["good", "bad"], "ab"), "Pairs must be several strings: put a single one in a list"),
        ((["good", "bad"], None, FRAME), "Spans must be pairs of whole numbers"),
    ],
)
def test_what_is_no_list_of_texts_is_refused(name, arguments, said):
    with pytest.raises(EncoderError, match=said):
        load_encoder(name).encode(*arguments)


TABLES = hnp.arrays(float, (7, 3), elements=st.floats(-1000, 1000, width=16))
NORMALISATION = st.sampled_from(NORMALISATIONS)


@settings(max_examples=50, deadline=None)
@given(TABLES, st.integers(0, 6), st.sampled_from(["numeric", "raw"]), NORMALISATION)
def test_a_row_of_the_dataset_is_encoded_like_it_among_the_others(table, i, name, normalisation):
    rows = Examples("numeric", features=np.column_stack([table, np.full(7, 0.1)]))
    encoder = load_encoder(name, normalisation=normalisation)
    among = encoder.encode(rows)
    np.testing.assert_array_equal(encoder.encode_like(rows, rows.take([i]))[0], among[i])
    np.testing.assert_array_equal(encoder.encode_like(rows, rows.take([i, 0])), among[[i, 0]])


def test_new_numbers_are_standardised_by_the_datasets_own_mean_and_deviation():
    dataset = load_dataset("wine")
    features = dataset.examples.features
    new = Examples("numeric", features=2 * features[:2] + 1)
    expected = StandardScaler().fit(features).transform(new.features)
    vectors = load_encoder("numeric").encode_like(dataset, new)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, expected, rtol=1e-5)
    constant = np.array([[1.0, 5.0], [3.0, 5.0]])
    encoder = load_encoder("numeric")
    assert encoder.encode_like(constant, np.array([[3.0, 7.0]])).tolist() == [[1.0, 0.0]]
    with pytest.raises(EncoderError, match="3 numbers does not fit among rows of 2"):
        encoder.encode_like(constant, np.ones((1, 3)))
    with pytest.raises(EncoderError, match="Row 0, column 0"):
        encoder.encode_like(constant, np.array([[1e300, 5.0]]))


TEXTS = ["the flight was late again", "a late flight", "good food, kind people", "kind and good"]


def test_tfidf_svd_puts_like_texts_together_and_repeats_itself():
    seen: list[Progress] = []
    vectors = load_encoder("tfidf-svd").encode(TEXTS, progress=seen.append)
    likeness = vectors @ vectors.T
    assert likeness[0, 1] > 0.2 > abs(likeness[0, 3])
    assert likeness[2, 3] > 0.2
    np.testing.assert_array_equal(vectors, load_encoder("tfidf-svd").encode(TEXTS))
    assert [state.done for state in seen] == [0, 4]


@pytest.mark.parametrize("name", ["emotions", "entailment"])
def test_tfidf_svd_is_the_nearest_table_of_its_rank_whatever_the_order_of_the_rows(name):
    examples = load_dataset(name).examples
    encoder = load_encoder("tfidf-svd", normalisation="none")
    vectors = encoder.encode(examples)
    vectorizer = TfidfVectorizer(
        token_pattern=r"\w+", ngram_range=(1, 2), sublinear_tf=True, strip_accents="unicode"
    )
    segments = [each for each in (examples.texts, examples.pairs) if each is not None]
    table = sparse.hstack([vectorizer.fit_transform(texts) for texts in segments])
    products = (table @ table.T).toarray()
    values, U = (part[..., -128:] for part in np.linalg.eigh(products))
    np.testing.assert_allclose(vectors @ vectors.T, (U * values) @ U.T, atol=1e-6)
    order = np.random.default_rng(0).permutation(len(examples))
    permuted = load_encoder("tfidf-svd").encode(examples.take(order))
    unit = load_encoder("tfidf-svd").encode(examples)[order]
    np.testing.assert_allclose(permuted @ permuted.T, unit @ unit.T, atol=1e-6)
    np.testing.assert_allclose(permuted, unit, atol=1e-6)


@pytest.mark.parametrize("n", [20, 200])
def test_tfidf_svd_where_all_singular_values_are_equal_or_all_but_one_are_0(n):
    words, order = [f"word{i}" for i in range(n)], np.random.default_rng(0).permutation(n)
    encoder = load_encoder("tfidf-svd")
    vectors = encoder.encode(words)
    np.testing.assert_allclose(encoder.encode([words[i] for i in order]), vectors[order], atol=1e-6)
    same = encoder.encode(["one and the same", ""] * n)
    expected = np.tile(np.array([[1, 0], [0, 0]]), (n, n))
    np.testing.assert_allclose(same @ same.T, expected, atol=1e-6)


def test_tfidf_svd_tells_mentions_and_second_segments_apart():
    encoder = load_encoder("tfidf-svd")
    spans = encoder.encode(["tea and cake"] * 2, spans=[(0, 3), (8, 12)])
    pairs = encoder.encode(["it rains"] * 2, pairs=["it is wet", "it is dry"])
    for vectors in (spans, pairs):
        assert vectors[0] @ vectors[1] < 0.9


@pytest.mark.parametrize("name", ["tfidf-svd", "tfidf-char"])
@pytest.mark.parametrize("dataset", ["emotions", "entailment"])
def test_tfidf_has_a_place_for_new_texts_and_for_rows_their_own(name, dataset):
    examples, encoder = load_dataset(dataset).examples, load_encoder(name)
    rows = [7, 3, 3]
    there = encoder.encode_like(examples, examples.take(rows))
    np.testing.assert_allclose(there, encoder.encode(examples)[rows], atol=1e-5)
    new = encoder.encode_like(examples, ["I am sad and angry", "\N{SNOWMAN}"])
    assert np.linalg.norm(new[0]) == pytest.approx(1, abs=1e-5)
    assert name == "tfidf-char" or not new[1].any()


def test_tfidf_tokens_are_the_terms_that_make_the_vector():
    encoder = load_encoder("tfidf-svd", normalisation="none")
    table = Examples("text", texts=tuple(TEXTS))
    text = "Flight, flight of kind snowmen"
    tokens = encoder.tokens(table, Examples("text", texts=(text,)))
    terms = [term for term, used in tokens if used is True]  # not NumPy's: it is sent as JSON
    assert set(terms) == {"flight", "kind"}
    assert {term for term, used in tokens if not used} >= {"snowmen", "of kind"}
    counted = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True).fit(TEXTS)
    row = counted.transform([text])
    weights = [row[0, counted.vocabulary_[term]] for term in terms]
    assert weights == sorted(weights, reverse=True)
    vector, *each = encoder.encode_like(TEXTS, [text, *terms])
    np.testing.assert_allclose(vector, weights @ np.array(each), atol=1e-6)
    assert not encoder.encode_like(TEXTS, ["of snowmen"]).any()


def test_tfidf_of_characters_reads_every_script():
    emotions = ["\N{GRINNING FACE}", "\N{GRINNING FACE}\N{PARTY POPPER}", "\N{CRYING FACE}"]
    words = ["深圳市", "深圳", "上海"]  # two cities, one twice
    for texts in (emotions, words, ["Zufriedenheit", "zufrieden", "Lieferung"]):
        vectors = load_encoder("tfidf-char").encode(texts)
        likeness = vectors @ vectors.T
        assert likeness[0, 1] > likeness[0, 2] + 0.1
    with pytest.raises(EncoderError, match="No text contains a character, so 'tfidf-char'"):
        load_encoder("tfidf-char").encode(["", " "])


def test_tfidf_svd_of_almost_nothing():
    assert load_encoder("tfidf-svd").encode(["a", "a"]).shape == (2, 1)
    with pytest.raises(EncoderError, match="No text contains a word"):
        load_encoder("tfidf-svd").encode(["", "!?"])
    with pytest.raises(Cancelled):
        load_encoder("tfidf-svd").encode(TEXTS, cancelled=lambda: True)
