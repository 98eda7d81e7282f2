"""Bad files: one plain sentence each that says where the fault is and how to mend it."""

import io
import json
import os
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core.data import archives, limits, read_dataset, read_table, remarks
from slp_core.data import read as read_module
from slp_core.data.remarks import Places
from slp_core.errors import DatasetError
from slp_core.sentences import ClassName

GOOD = "text,label\na,x\nb,x\nc,y\nd,y\n"


def upload(contents, name="data.csv"):
    file = io.BytesIO(contents if isinstance(contents, bytes) else contents.encode())
    file.name = name
    return file


def parquet(frame):
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    return buffer.getvalue()


def message(file, **options):
    with pytest.raises(DatasetError) as error:
        read_dataset(file, **options)
    text = str(error.value)
    assert text.endswith(".")
    assert "\n" not in text
    assert ". " not in text.replace("… ", "")
    return text


def csv_rows(*rows, header="text,label"):
    return upload("\n".join([header, *rows]) + "\n")


LONG = "w" * 20_001

CASES = {
    "empty": (upload(""), ["data.csv", "is empty"]),
    "blank": (upload("\n \n\n"), ["is empty"]),
    "mark only": (upload(b"\xef\xbb\xbf"), ["is empty"]),
    "header only": (upload("text,label\n"), ["data.csv", "empty below its header"]),
    "empty list": (upload("[]", "data.json"), ["data.json", "is empty"]),
    "no label": (upload("text,words\na,x\nb,y\n"), ["the class", "label=", "'text', 'words'"]),
    "no text": (upload("label,n\na,\nb,\n"), ["the text", "text=", "'label'"]),
    "one column": (upload("label\na\nb\n"), ["one column only, 'label'", "text", "class"]),
    "one column and a counter": (
        upload("id,text\n1,a\n2,b\n3,c\n"),
        ["one column only beside one that counts", "'text'"],
    ),
    "an archive": (upload(b"PK", "task.7z"), ["task.7z is an archive: unpack it", "LEOPARD"]),
    "one class": (csv_rows("a,x", "b,x"), ["one class only", "'x'", "'label'"]),
    "single examples": (
        csv_rows("a,x", "b,z", "c,y"),
        ["single example of each class", "'label'", "none to be tested on"],
    ),
    "missing text": (csv_rows("a,x", ",x", "c,y", "  ,y"), ["no text", "rows 3 and 5", "'text'"]),
    "missing in json lines": (
        upload('{"text": "a", "label": "x"}\n\n{"text": null, "label": "x"}\n', "data.jsonl"),
        ["no text in line 3", "drop_incomplete=True"],
    ),
    "long text": (csv_rows("a,x", f"{LONG},y"), ["20,000 characters", "row 3", "'text'"]),
    "long label": (csv_rows("a,x", f"b,{LONG}"), ["200 characters", "row 3", "'label'"]),
    "nan": (
        csv_rows("1,2,a", "3,nan,b", "4,5,a", header="width,height,label"),
        ["NaN or infinity", "'height'", "row 3 (the header is row 1)", "drop_incomplete=True"],
    ),
    "infinity": (
        csv_rows("1,2,a", "inf,1,b", "-inf,5,a", header="width,height,label"),
        ["NaN or infinity", "'width'", "rows 3 and 4"],
    ),
    "missing number": (
        csv_rows("1,2,a", "3,,b", header="width,height,label"),
        ["an empty cell", "'height'", "row 3"],
    ),
    "nan in parquet": (
        upload(
            parquet(pd.DataFrame({"x": [1.0, np.nan, 2, 3], "label": list("aabb")})), "d.parquet"
        ),
        ["NaN", "'x'", "row 3"],
    ),
    "too large a number": (
        upload('[{"x": 1, "label": "a"}, {"x": 1' + "0" * 400 + ', "label": "b"}]', "data.json"),
        ["'x'", "entry 2"],
    ),
    "word among numbers": (
        csv_rows("1,2,a", "3,4,b", "n/a,4,b", header="width,height,label"),
        ["'n/a' rather than a number", "'width'", "row 4"],
    ),
    "underscore in a number": (
        csv_rows("1,2,a", "1_000,4,b", "3,4,b", header="width,height,label"),
        ["'1_000' rather than a number", "'width'", "row 3"],
    ),
    "an id is no feature": (
        csv_rows("k1,2,a", "k2,4,b", "k3,4,c", header="id,height,label"),
        ["single example of each class in column 'label'"],
    ),
    "repeated column": (
        csv_rows("a,x,b", header="text,label,text"),
        ["two columns named 'text'", "rename"],
    ),
    "repeated key": (
        upload('{"text": "a", "label": "x", "label": "y"}', "data.jsonl"),
        ["two columns named 'label'", "line 1"],
    ),
    "ragged": (
        csv_rows("a,x", "well, well,y"),
        ["3 cells in row 3", "2 columns", "quotation marks"],
    ),
    "cut texts": (
        upload("text\nHello, you\nYes, sure\n"),
        ["2 cells in row 2", "header (row 1)", "quotation marks"],
    ),
    "open quote": (csv_rows("a,x", '"b,x', "c,y"), ["stray quotation mark in row 3"]),
    "vast open quote": (csv_rows("a,x", f'"{"b" * 140_000}'), ["131,072 characters in row 3"]),
    "workbook as csv": (upload(b"PK\x03\x04" + bytes(100)), ["not text", "ending of its format"]),
    "zeros": (upload(bytes(500)), ["not text"]),
    "bytes": (upload(bytes(range(256)) * 4), ["not text"]),
    "noise": (upload(np.random.default_rng(0).bytes(5_000)), ["not text"]),
    "cut utf-16": (upload("text,label\n".encode("utf-16") + b"a"), ["is damaged"]),
    "nested": (
        upload('[{"text": "a", "label": "x"}, {"text": {"en": "b"}, "label": "x"}]', "data.json"),
        ["nested", "'text'", "an object", "entry 2"],
    ),
    "nested list": (
        upload('{"text": "a", "label": [["x"]]}\n', "data.jsonl"),
        ["nested", "'label'", "a list", "line 1"],
    ),
    "wrapped": (upload('{"data": {"rows": []}}', "data.json"), ["one object", "list of objects"]),
    "no objects": (upload("[1, 2]", "data.json"), ["something other than an object", "entry 1"]),
    "one string": (upload('"text"', "data.json"), ["no list of objects"]),
    "uneven columns": (
        upload('{"text": ["a", "b"], "label": ["x"]}', "data.json"),
        ["different lengths", "text, label"],
    ),
    "abyss": (upload("[" * 100_000, "data.json"), ["nested too deep"]),
    "long number": (upload("[" + "9" * 5_000 + "]", "data.json"), ["number that is too long"]),
    "broken json": (upload('[{"text": "a",\n "label" "x"}]', "data.json"), ["line 2", "JSON"]),
    "broken line": (
        upload('{"text": "a", "label": "x"}\n{"text": \n', "data.jsonl"),
        ["not valid JSON in line 2"],
    ),
    "two values": (
        upload('[{"text": "a"},\n{"text": "b"}]\n[1]', "data.jsonl"),
        ["not valid JSON in line 3"],
    ),
    "uneven lists": (
        upload('["a", "x"]\n\n["b"]', "data.jsonl"),
        ["1 cells in line 3 but 2 in its first row"],
    ),
    "a list, then an object": (
        upload('[["a", "x"], {"text": "b"}]', "data.json"),
        ["other than a list in entry 2"],
    ),
    "uneven split": (
        upload('{"columns": ["text", "label"], "data": [["a", "x"], ["b"]]}', "data.json"),
        ["1 cells in entry 2", "2 in its first row"],
    ),
    "split twice": (
        upload('{"columns": ["a", "a"], "data": []}', "d.json"),
        ["two columns", "'a'"],
    ),
    "rows or columns": (upload('{"1": {"2": 3}, "4": {"2": 5}}', "d.json"), ["one object rather"]),
    "cut parquet": (
        upload(
            parquet(pd.DataFrame({"text": list("abcd"), "label": list("xxyy")}))[:-40], "d.parquet"
        ),
        ["d.parquet", "not a whole Parquet file"],
    ),
    "no parquet": (upload(GOOD, "d.parquet"), ["not a whole Parquet file"]),
    "nested parquet": (
        upload(parquet(pd.DataFrame({"text": [["a"], ["b"]], "label": ["x", "y"]})), "d.parquet"),
        ["nested", "'text'"],
    ),
    "bytes in parquet": (
        upload(parquet(pd.DataFrame({"text": [b"a", b"b"], "label": ["x", "y"]})), "d.parquet"),
        ["raw bytes", "'text'"],
    ),
    "no workbook": (upload(GOOD, "d.xlsx"), ["cannot be opened as an Excel workbook"]),
    "unknown ending": (upload(GOOD, "d.docx"), ["d.docx", ".csv", ".xlsx"]),
    "no name": (io.BytesIO(GOOD.encode()), ["filename="]),
    "no such file": ("/nowhere/d.csv", ["/nowhere/d.csv", "cannot be read"]),
    "a text": ("text,label\n" * 500, ["cannot be read", "check the path"]),
    "no path": ("a\0b", ["cannot be read", "check the path"]),
    "a folder": (os.sep, ["a folder", "read_leopard"]),
    "bytes themselves": (GOOD.encode(), ["path_or_file", "bytes", "io.BytesIO", "filename="]),
    "a table itself": (pd.DataFrame({"read": [1]}), ["path_or_file", "DataFrame", ".to_parquet("]),
    "nothing": (None, ["a path or an open file", "NoneType"]),
    "below a title": (
        csv_rows("text,label", "a,x", '"b', header="# mine"),
        ["stray quotation mark in row 4 (the header is row 2)"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_one_sentence_says_what_to_mend(case):
    file, words = CASES[case]
    text = message(file)
    assert [word for word in words if word not in text] == []


TOLD = {
    "no such column": ({"label": "lable"}, ["no column 'lable'", "label=", "'text', 'label'"]),
    "one column twice": ({"text": "text", "label": "text"}, ["'text'", "text and label"]),
    "no second text": ({"kind": "pair", "split": "more"}, ["the second text", "text2="]),
    "no mention": ({"kind": "span"}, ["the phrase", "mention="]),
    "start without end": ({"text": "text", "start": "label", "label": "more"}, ["end="]),
    "strange split": ({"split": "more"}, ["'one'", "'more'", "rows 2, 3, 4 and 5", "split=False"]),
    "no kind": ({"kind": "image"}, ["'image'", "text, pair, span, numeric"]),
    "no sheets": ({"sheet": "first"}, ["no sheets"]),
    "mention elsewhere": (
        {"kind": "span", "mention": "more"},
        ["does not occur in its text", "row 3", "'more'"],
    ),
    "words as positions": (
        {"start": "label", "end": "more", "label": "n"},
        ["no whole number", "'label'", "rows 2, 3, 4 and 5"],
    ),
}


@pytest.mark.parametrize("case", TOLD)
def test_what_is_told_must_be_there(case):
    options, words = TOLD[case]
    csv = "text,label,more,n\none,x,one,1\ntwo,x,one,1\none,y,one,2\none,y,one,2\n"
    if case in ("no such column", "one column twice"):
        csv = GOOD
    text = message(upload(csv), **options)
    assert [word for word in words if word not in text] == []


def test_spans_outside_their_text():
    csv = "text,start,end,label\nabc,0,2,x\nabc,1,4,x\nabc,2,2,y\nabc,0,1,y\n"
    text = message(upload(csv))
    assert "outside its text in rows 3 and 4" in text


def test_a_sheet_that_is_not_there():
    buffer = io.BytesIO()
    pd.DataFrame({"text": ["a"]}).to_excel(buffer, sheet_name="first", index=False)
    text = message(upload(buffer.getvalue(), "d.xlsx"), sheet="second")
    assert "no sheet 'second'" in text
    assert "'first'" in text


def test_a_damaged_workbook():
    buffer = io.BytesIO()
    pd.DataFrame({"text": list("abcd"), "label": list("xxyy")}).to_excel(buffer, index=False)
    assert "damaged" in message(upload(buffer.getvalue()[:-300], "d.xlsx"))
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("letter.txt", "no workbook")
    assert "cannot be opened" in message(upload(other.getvalue(), "d.xlsx"))


@pytest.mark.parametrize(
    ("split", "words"),
    [
        ("train train train train", ["no test rows", "'split'"]),
        ("test test test test", ["no train rows", "'split'"]),
        ("train train test test", ["no train row of class 'y'"]),
        ("train test train maybe", ["'maybe'", "row 5"]),
    ],
)
def test_splits_that_leave_nothing_to_learn_or_judge(split, words):
    marks = split.split()
    csv = csv_rows(
        f"a,x,{marks[0]}", f"b,x,{marks[1]}", f"c,y,{marks[2]}", f"d,y,{marks[3]}",
        header="text,label,split",
    )  # fmt: skip
    text = message(csv, split="split")
    assert [word for word in words if word not in text] == []


LIMITED = [
    (limits, "rows", 3, "more than 3 rows"),
    (limits, "columns", 1, "more than 1 columns"),
    (limits, "cells", 7, "more than 7 cells"),
    (limits, "file_bytes", 10, "larger than"),
    (read_module, "classes", 1, "2 different classes in column 'label'"),
]


@pytest.mark.parametrize(("module", "limit", "value", "words"), LIMITED)
@pytest.mark.parametrize("name", ["d.csv", "d.json", "d.jsonl", "d.parquet", "d.xlsx"])
def test_limits_hold_for_every_format(monkeypatch, tmp_path, module, limit, value, words, name):
    frame = pd.read_csv(io.StringIO(GOOD))
    buffer = io.BytesIO()
    {
        "d.csv": lambda: frame.to_csv(buffer, index=False),
        "d.json": lambda: frame.to_json(buffer, orient="records"),
        "d.jsonl": lambda: frame.to_json(buffer, orient="records", lines=True),
        "d.parquet": lambda: frame.to_parquet(buffer),
        "d.xlsx": lambda: frame.to_excel(buffer, index=False),
    }[name]()
    monkeypatch.setattr(module, "LIMITS", replace(module.LIMITS, **{limit: value}))
    path = tmp_path / name
    path.write_bytes(buffer.getvalue())
    assert words in message(path)
    assert words in message(upload(buffer.getvalue(), name))


ROWS = [line.split(",") for line in GOOD.split()]


@pytest.mark.parametrize(
    ("name", "contents"),
    [
        ("d.csv", f"# mine\n{GOOD}"),
        ("d.json", json.dumps(ROWS)),
        ("d.jsonl", "\n".join(map(json.dumps, ROWS))),
        ("d.json", json.dumps({"columns": ROWS[0], "data": ROWS[1:]})),
        ("d.json", pd.DataFrame(ROWS[1:], columns=ROWS[0]).to_json()),
    ],
)
@pytest.mark.parametrize(("limit", "value"), [("columns", 1), ("cells", 7), ("rows", 3)])
def test_limits_hold_for_other_forms_of_a_format(monkeypatch, name, contents, limit, value):
    monkeypatch.setattr(limits, "LIMITS", replace(limits.LIMITS, **{limit: value}))
    assert f"more than {value} {limit}" in message(upload(contents, name))


def test_a_workbook_that_unpacks_without_end(monkeypatch):
    buffer = io.BytesIO()
    pd.DataFrame({"text": ["a"]}).to_excel(buffer, index=False)
    monkeypatch.setattr(archives, "LIMITS", replace(archives.LIMITS, unpacked_bytes=1_000))
    assert "unpacks to more than" in message(upload(buffer.getvalue(), "d.xlsx"))


@settings(deadline=None, max_examples=150)
@given(
    st.one_of(
        st.binary(max_size=300),
        st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.integers(),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(["text", "label", "x"]), inner, max_size=3)
            ),
            max_leaves=12,
        ).map(lambda value: json.dumps(value).encode()),
    ),
    st.sampled_from(["d.csv", "d.tsv", "d.json", "d.jsonl", "d.parquet", "d.xlsx"]),
)
def test_no_bytes_raise_anything_but_a_dataset_error(contents, name):
    for read in (read_table, read_dataset):
        try:
            read(upload(contents, name))
        except DatasetError as error:
            assert name in str(error)  # noqa: PT017 - most bytes are refused, some are a table


# --- warnings ---------------------------------------------------------------------------------


def test_duplicates_and_contradictions_are_warned_of():
    file = csv_rows("a,x", "b,x", "a ,x", "c,y", "b,y", "d,y")
    assert read_dataset(file).warnings == (
        remarks.duplicates("data.csv", Places((4,), header=1)),
        remarks.contradictions("data.csv", "text", Places((6,), header=1)),
    )


def test_every_row_that_contradicts_the_first_of_its_text_is_counted():
    pairs = ["same text here,A", "same text here,B"] * 12
    duplicates, contradictions = read_dataset(csv_rows(*pairs, *["other words,A"] * 5)).warnings
    assert "26 duplicate rows" in duplicates
    rows = Places(tuple(range(3, 26, 2)), header=1)
    assert str(rows) == "rows 3, 5, 7, 9, 11 and 7 more (the header is row 1)"
    assert contradictions == remarks.contradictions("data.csv", "text", rows)


def test_an_overlap_of_train_and_test_rows_is_warned_of():
    csv = "text,label,split\na,x,train\nb,y,train\nc,x,test\nb,y,test\n"
    assert remarks.overlap("data.csv", 1) in read_dataset(upload(csv)).warnings


def test_strong_imbalance_is_warned_of():
    few = [f"few {i},y" for i in range(2)]
    strong = csv_rows(*(f"many {i},x" for i in range(16)), *few)
    large, small = (ClassName("x", 0), 16), (ClassName("y", 1), 2)
    assert read_dataset(strong).warnings == (remarks.imbalance("data.csv", large, small),)
    mild = csv_rows(*(f"many {i},x" for i in range(15)), *few)
    assert read_dataset(mild).warnings == ()


def test_rows_of_a_sheet_out_of_order_are_no_workbook_that_excel_makes():
    buffer, out = io.BytesIO(), io.BytesIO()
    pd.DataFrame({"text": list("abcd"), "label": list("xxyy")}).to_excel(buffer, index=False)
    with zipfile.ZipFile(buffer) as kept, zipfile.ZipFile(out, "w") as book:
        for part in kept.namelist():
            content = kept.read(part)
            if part.endswith("sheet1.xml"):
                content = content.replace(b'<row r="4"', b'<row r="2"')
            book.writestr(part, content)
    assert "cannot be opened as an Excel workbook" in message(upload(out.getvalue(), "d.xlsx"))
