"""Files in the layouts of public datasets and labelling tools, written here: nothing is lost."""

import gzip
import io
import json
import zipfile

import openpyxl
import pandas as pd
import pyarrow as pa
import pytest
from layouts import LAYOUTS, TEXT, got, is_as_expected
from pyarrow import parquet

import slp_core as slp
from slp_core.data import read_dataset
from slp_core.data.numbers import read_numbers


def read(content, name="a.csv", **told):
    data = content if isinstance(content, bytes) else content.encode()
    return read_dataset(io.BytesIO(data), name, **told)


def labelled(*columns, n=6, between=","):
    """Rows of columns that are cycles of cells, as delimited text."""
    rows = ([column[i % len(column)].replace("#", f"{i}") for column in columns] for i in range(n))
    return "".join(f"{between.join(row)}\n" for row in rows)


# ---- numbers ----

WRITTEN = {  # cells, whether semicolons stand between them -> values, and a cell that is open
    "thousands with points": (["822", "1.836"], True, [822, 1836], "1.836"),
    "thousands with points, comma file": (["822", "1.836"], False, [822, 1836], "1.836"),
    "thousands with commas, semicolon file": (["822", "1,845"], True, [822, 1845], "1,845"),
    "thousands with commas": (["9", "50,000"], False, [9, 50000], ""),
    "several groups": (["1.234.567", "5"], False, [1234567, 5], ""),
    "both marks": (["1.234,56", "7,5"], False, [1234.56, 7.5], ""),
    "both marks, English": (["1,234.56", "7.5"], True, [1234.56, 7.5], ""),
    "apostrophes": (["1'000", "2’500", "3"], False, [1000, 2500, 3], ""),
    "narrow spaces": (["1\u202f000", "2 500"], True, [1000, 2500], ""),
    "percent": (["12%", "3 %"], False, [12, 3], ""),
    "currency": (["$57,574", "-$3", "€ 4", "5 €"], False, [57574, -3, 4, 5], ""),
    "a true minus": (["\u22121.2", "3"], False, [-1.2, 3], ""),
    "decimal commas": (["1,5", "2,25"], False, [1.5, 2.25], ""),
    "three decimals": (["1.125", "2.250"], False, [1.125, 2.25], ""),
    "three decimals, semicolon file": (["1.125", "2.250"], True, [1.125, 2.25], "1.125"),
    "three decimals below 1": (["0.125", "0.250"], True, [0.125, 0.25], ""),
    "decimal commas of three": (["1,125", "2,250"], True, [1.125, 2.25], "1,125"),
    "exponents": (["1e5", "2.5E-3"], False, [1e5, 2.5e-3], ""),
    "numbers": ([1, 2.5], False, [1, 2.5], ""),
    "words": (["1_000", "12:30", "2024-01-01", "1,2,3", "٣"], False, [None] * 5, ""),
}


@pytest.mark.parametrize("how", WRITTEN)
def test_numbers_are_read_as_people_write_them(how):
    cells, semicolons, values, is_open = WRITTEN[how]
    found = read_numbers(cells, semicolons=semicolons)
    assert (found.values, found.open) == (values, is_open)


def test_what_can_be_read_in_two_ways_is_remarked_on_and_can_be_chosen():
    text = "Umsatz;Kunden;Klasse\n822;89;A\n799;10;A\n1.836;36;B\n1.874;31;B\n"
    found = read(text)
    assert found.examples.features[:, 0].tolist() == [822, 799, 1836, 1874]
    assert "1.836 is read as 1836" in found.warnings[0]
    assert read(text, decimal=".").examples.features[2, 0] == 1.836
    assert read(text, decimal=",").warnings == ()


# ---- header, text, class ----


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.origin)
def test_layouts_of_public_data_and_tools(layout):
    assert is_as_expected(layout), got(layout)


def test_predictions_stand_beside_the_classes():
    rows = zip("aabbab", ["a", "b", "b", "", "c", "b"], strict=True)
    found = read(
        "text,y_true,y_pred\n"
        + "".join(f"note {i},{y}\n" for i, y in enumerate(map(",".join, rows)))
    )
    assert found.predicted.tolist() == [0, 1, 1, -1, -1, 1]
    floats = read("text,y_true,y_pred\n" + labelled([TEXT], ["0", "1"], ["1.0", "", "0.0"]))
    assert floats.predicted.tolist() == [1, -1, 0, 1, -1, 0]
    truths = labelled([TEXT], ["True", "False"], ["True", "True", "False", "False"])
    assert read("text,label,correct\n" + truths).predicted is None
    assert read("text,label\n" + labelled([TEXT], ["a", "b"])).predicted is None


def test_rows_are_numbered_as_in_the_file():
    found = read("a note\n\ntext,label\nx 1,a\ny 2,\n\nz 3,b\nw 4,a\nv 5,b\n")
    assert found.numbers.tolist() == [4, 7, 8, 9]
    assert found.called(1) == "example in row 7"
    table = pd.DataFrame({"row": [3, 0], "id": pd.array([1, None], "Int64"), "n": [0, 1]})
    numbered = found.numbered(table)
    assert numbered["row"].tolist() == [9, 4]
    assert numbered["id"].tolist() == [7, pd.NA]
    assert numbered["n"].tolist() == [0, 1]
    assert found.numbered(pd.DataFrame({"row": ["typed"]}))["row"].tolist() == ["typed"]
    steps = [found.index_of(5, before=0), found.index_of(6, before=1), found.index_of(8, before=1)]
    assert steps == [1, 0, 2]
    assert read(json.dumps([{"text": "x", "label": y} for y in "aabb"]), "a.json").called(0) == (
        "example in entry 1"
    )
    toy = slp.load_dataset("toy_abc")
    assert (toy.called(2), toy.numbered(table) is table) == ("example 2", True)


def test_the_first_row_is_what_somebody_says_it_is():
    data = labelled(["good film #"], ["a", "b"])
    assert len(read(data, header=False, text="column 1")) == 6
    named = read("text,label\n" + data)
    assert len(read("text,label\n" + data, header=False, label="column 2", min_class_rows=2)) == 6
    assert len(named) == 6
    assert len(read(labelled(["3", "1"], [TEXT]), header=True, label="3")) == 5


def test_numbers_of_people_in_a_table():
    rows = ["id,survived,class,name,sex,age,fare"]
    rows += [
        f'{100 + i},{i % 2},{1 + i % 3},"Family {i}, Mr. Given Middle",male,{20 + i},{7.25 + i}'
        for i in range(12)
    ]
    found = read("\n".join(rows), label="survived")
    assert found.kind == "numeric"
    assert found.feature_names == ("class", "age", "fare")
    assert any("look like ids" in remark for remark in found.warnings)


# ---- rows that cannot be examples ----


@pytest.mark.parametrize("word", ["", "NaN", "nan", "#N/A", "unlabeled", "-"])
def test_rows_without_a_class_are_left_out_with_a_remark(word):
    found = read(f"text,label\n{labelled([TEXT], ['good', 'bad'])}x,{word}\ny,{word}\n")
    assert found.classes == ("bad", "good")
    assert "2 rows without a class in a.csv are left out: rows 8 and 9" in found.warnings[0]


@pytest.mark.parametrize(("word", "others"), [("None", "ab"), ("null", "ab"), ("-1", "01")])
def test_a_word_that_may_be_a_class_stays_one_until_somebody_says_so(word, others):
    text = f"text,label\n{labelled([TEXT], list(others))}x,{word}\ny,{word}\n"
    found = read(text)
    assert word in found.classes
    assert "leave rows without a class out" in found.warnings[0]
    assert read(text, drop_unlabelled=True).classes == tuple(others)
    three = read("text,label\n" + labelled([TEXT], ["-1", "1"]))  # -1 beside 1 alone is a class
    assert three.classes == ("-1", "1")
    assert three.warnings == ()


def test_gaps_and_tiny_classes_are_left_out_where_asked():
    numbers = "x,y,label\n1,2,a\n,3,a\n4,nan,b\n5,6,a\n7,8,b\n9,1,b\n2,2,c\n"
    found = read(numbers, drop_incomplete=True, min_class_rows=2)
    assert found.examples.features.tolist() == [[1, 2], [5, 6], [7, 8], [9, 1]]
    cell, rare = (remark.split(" in ")[0] for remark in found.warnings[:2])
    assert (cell, rare.split(" of ")[0]) == ("2 rows with an empty cell", "1 row")
    texts = "text,label\na b,x\n,x\nc d,x\ne f,y\ng h,y\n"
    assert len(read(texts, drop_incomplete=True)) == 4


def test_names_of_classes_in_parquet():
    features = {"label": {"names": ["neg", "pos"], "_type": "ClassLabel"}}
    table = pa.table({"text": [f"note {i}" for i in range(6)], "label": [0, 1] * 3})
    info = {"huggingface": json.dumps({"info": {"features": features}})}
    buffer = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata(info), buffer)
    assert read(buffer.getvalue(), "a.parquet").classes == ("neg", "pos")
    odd = {"huggingface": b"{"}
    buffer = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata(odd), buffer)
    assert read(buffer.getvalue(), "a.parquet").classes == ("0", "1")
    frame = pd.DataFrame({"text": ["a", "b"] * 2, "label": [1, 2, 1, 2]})
    frame.to_parquet(buffer := io.BytesIO())
    assert read(buffer.getvalue(), "a.parquet").classes == ("1", "2")


# ---- labelling tools and archives: name -> file, and the classes ----

PLAIN = [("box late 1", "d"), ("box lost 2", "d"), ("bill wrong 3", "b"), ("fee odd 4", "b")]


def lines_of(record):
    return "\n".join(json.dumps(record(text, label)) for text, label in PLAIN)


def listed_as(record):
    return json.dumps([record(text, label) for text, label in PLAIN])


def zipped(**files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("__MACOSX/._train.csv", b"\0")
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return buffer.getvalue()


CSV = "text,label\n" + "".join(f"{text},{label}\n" for text, label in PLAIN)
TOOLS = {
    "doccano, lists of one label": ("a.jsonl", lines_of(lambda t, y: {"text": t, "label": [y]})),
    "Prodigy's choice": (
        "a.jsonl",
        lines_of(
            lambda t, y: {"text": t, "accept": [y], "answer": "accept", "options": [{"id": 1}]}
        ),
    ),
    "Label Studio": (
        "a.json",
        listed_as(
            lambda t, y: {
                "id": 1,
                "data": {"text": t},
                "annotations": [{"result": [{"value": {"choices": [y]}}]}],
            }
        ),
    ),
    "spaCy": (
        "a.jsonl",
        lines_of(lambda t, y: {"text": t, "cats": {"d": y == "d", "b": y == "b"}}),
    ),
    "spaCy, weights": (
        "a.json",
        listed_as(lambda t, y: {"text": t, "cats": {"d": float(y == "d"), "b": float(y == "b")}}),
    ),
    "chat messages": (
        "a.jsonl",
        lines_of(
            lambda t, y: {
                "messages": [
                    {"role": "system", "content": "Sort."},
                    {"role": "user", "content": t},
                    {"role": "assistant", "content": y},
                ]
            }
        ),
    ),
    "Argilla": (
        "a.json",
        listed_as(
            lambda t, y: {"fields": {"text": t}, "responses": {"label": [{"value": y, "user": 1}]}}
        ),
    ),
    "fastText": ("a.txt", "\n".join(f"__label__{label} {text}" for text, label in PLAIN)),
    "a class before each line": ("a.txt", "\n".join(f"{y} {t}" for t, y in PLAIN * 2)),
    "SMS Spam Collection": ("a.txt", "\n".join(f"{y}\t{t}" for t, y in PLAIN * 2)),
    "bars": ("a.psv", CSV.replace(",", "|")),
    "UCI data": ("a.data", CSV.replace("text,label\n", "").replace(",", ", ") * 2),
    "compressed": ("a.csv.gz", gzip.compress(CSV.encode())),
    "one file in a zip": ("a.zip", zipped(data_csv=CSV, readme_md="# Data")),
    "classes as columns": (
        "a.csv",
        "text,b,d\n" + "".join(f"{t},{int(y == 'b')},{int(y == 'd')}\n" for t, y in PLAIN),
    ),
    "classes as columns, true and false": (
        "a.json",
        listed_as(lambda t, y: {"text": t, "b": y == "b", "d": y == "d"}),
    ),
    "splits in an object": (
        "a.json",
        json.dumps(
            {
                "train": [{"text": t, "label": y} for t, y in PLAIN[1:3]],
                "test": [{"text": t, "label": y} for t, y in PLAIN[::3]],
            }
        ),
    ),
    "splits in a zip": (
        "a.zip",
        zipped(
            data__train_csv="text,label\nbox lost 2,d\nbill wrong 3,b\n",
            data__test_csv="text,label\nbox late 1,d\nfee odd 4,b\n",
        ),
    ),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_exports_of_labelling_tools(tool):
    name, content = TOOLS[tool]
    found = read(content, name)
    assert set(found.examples.texts) == {text for text, _ in PLAIN}
    assert dict(zip(found.examples.texts, found.labels.tolist(), strict=True)) == dict(PLAIN)
    split = tool.startswith("splits")
    assert (found.query_pool is not None) == split
    if split:
        assert {found.examples.texts[row] for row in found.query_pool} == {PLAIN[0][0], PLAIN[3][0]}


@pytest.mark.parametrize("label", [["d", "b"], "d|b", "d; b"])
def test_rows_with_several_labels_are_left_out_with_a_remark(label):
    rows = [{"text": t, "label": y} for t, y in PLAIN] + [{"text": "both", "label": label}] * 2
    found = read(json.dumps(rows), "a.json")
    assert found.classes == ("b", "d")
    assert "2 rows with several labels in a.json are left out: entries 5 and 6" in found.warnings[0]


def test_names_of_columns_in_two_rows_and_sheets_of_prose():
    book, buffer = openpyxl.Workbook(), io.BytesIO()
    book.active.title = "Hidden"
    book.active.append(["text", "label"])
    for row in PLAIN * 2:
        book.active.append(row)
    book.active.sheet_state = "hidden"
    prose, data = book.create_sheet("Readme"), book.create_sheet("Data")
    prose.append(["A workbook", "of mine"])
    for row in [("Tickets", None, "Assigned", None), ("ID", "Text", "Topic", "Agent")]:
        data.append(row)
    for i, (text, label) in enumerate(PLAIN * 2):
        data.append([f"T-{i}", f"{text} {i}", label, "ann"])
    book.save(buffer)
    found = read(buffer.getvalue(), "a.xlsx")
    assert (found.read_as["sheet"], found.read_as["label"]) == ("Data", "Assigned Topic")
    assert found.examples.texts[0] == "box late 1 0"
    assert "two header rows" in found.warnings[0]
    plain = read(",text,label\nx,good one,a\ny,bad one,b\nz,so so,a\nw,well well,b\n")
    assert len(plain) == 4
