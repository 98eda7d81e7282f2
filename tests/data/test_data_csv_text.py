"""Tables that are downloaded run nothing in a spreadsheet, and can be read back."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core.data.csv_text import as_csv

STARTS = "=+-@\t\r\n'＝＋－＠"
TEXTS = st.one_of(
    st.text(max_size=8), st.tuples(st.sampled_from(STARTS), st.text(max_size=4)).map("".join)
).filter(lambda text: "\0" not in text and text.isprintable() | (text[:1] in STARTS))


def read(content):
    return pd.read_csv(
        io.BytesIO(content), dtype=str, keep_default_na=False, skip_blank_lines=False
    )


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "@SUM(A1)", "+1+1", "-2+3", "\t=1", "\r=1", " =1", "'=1", "＝1"]
)
def test_a_formula_becomes_a_text(text):
    (cell,) = read(as_csv(pd.DataFrame({"=a": [text]})).replace(b"\r=", b" =")).iloc[0]
    assert cell.startswith("'")
    assert as_csv(pd.DataFrame({"=a": [1]})).startswith(b"'=a")


def test_numbers_and_harmless_texts_stay():
    table = pd.DataFrame(
        {"n": [-1.5, np.nan], "s": ["-1.5", "+3e-2"], "t": ["a=b", "'tis"], "b": [True, False]}
    )
    assert as_csv(table) == table.to_csv(index=False).encode()
    kinds = pd.DataFrame({"c": pd.Categorical(["=1", "a"]), "o": [-1, "=1"]})
    assert as_csv(kinds) == b"c,o\n'=1,-1\na,'=1\n"


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_texts_come_back(texts):
    cells = pd.DataFrame({"a": texts, "b": "x"}).map(lambda text: text.replace("\r", "\n"))
    for text, back in zip(cells["a"], read(as_csv(cells))["a"], strict=True):
        assert back in (text, f"'{text}")
