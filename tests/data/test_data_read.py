"""Reading good files: formats, encodings, delimiters, columns, kinds."""

import io
import json

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slp_core.data import columns as columns_module
from slp_core.data import look, read_dataset, read_table, remarks
from slp_core.data.columns import guess_columns
from slp_core.data.decode import decode_text
from slp_core.data.mojibake import garbled, mended
from slp_core.data.remarks import Places
from slp_core.data.table import as_text
from slp_core.errors import DatasetError

TEXTS = ["so good", "very, very bad", 'she said "no"', "line one\nline two", "great;fun", "café"]
LABELS = ["pos", "neg", "neg", "pos", "pos", "neg"]
FRAME = pd.DataFrame({"text": TEXTS, "label": LABELS})


def upload(contents, name):
    file = io.BytesIO(contents if isinstance(contents, bytes) else contents.encode())
    file.name = name
    return file


def write(frame, name):
    buffer = io.BytesIO()
    if name.endswith(".parquet"):
        frame.to_parquet(buffer)
    elif name.endswith(".xlsx"):
        frame.to_excel(buffer, index=False)
    elif name.endswith(".json"):
        frame.to_json(buffer, orient="records")
    elif name.endswith(".jsonl"):
        frame.to_json(buffer, orient="records", lines=True)
    else:
        frame.to_csv(buffer, index=False, sep="\t" if name.endswith(".tsv") else ",")
    return upload(buffer.getvalue(), name)


FORMATS = ["a.csv", "a.tsv", "a.json", "a.jsonl", "a.parquet", "a.xlsx"]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_dataset(name):
    dataset = read_dataset(write(FRAME, name))
    assert dataset.kind == "text"
    assert dataset.examples.texts == tuple(TEXTS)
    assert dataset.labels.tolist() == LABELS
    assert dataset.classes == ("neg", "pos")
    assert dataset.default_encoder == "minilm-l4"
    assert dataset.warnings == ()
    assert (dataset.name, dataset.title) == ("a", "A")


@pytest.mark.parametrize("name", ["a.parquet", "a.xlsx"])
def test_a_day_is_read_without_its_midnight(name):
    days = ["2020-01-01", "2020-01-01", "2021-05-07 08:30:00"]
    frame = pd.DataFrame({"text": TEXTS, "label": [*map(pd.Timestamp, days)] * 2})
    table = read_table(write(frame, name)).columns
    assert [as_text(cell) for cell in table["label"]] == days * 2


def test_single_precision_is_read_as_it_is_written():
    frame = pd.DataFrame({"text": TEXTS, "label": np.float32([0.1, np.nan, -2.5] * 2)})
    table = read_table(write(frame, "a.parquet")).columns
    assert [as_text(cell) for cell in table["label"]] == ["0.1", "", "-2.5"] * 2


@pytest.mark.parametrize("name", FORMATS)
def test_whole_number_labels_have_no_decimal_point(name):
    frame = pd.DataFrame({"text": TEXTS, "label": [2.0, 4.0, 5.0, 2.0, 4.0, 5.0]})
    assert read_dataset(write(frame, name)).classes == ("2", "4", "5")


@pytest.mark.parametrize(
    ("cell", "text"),
    [(2.0, "2"), (np.float32(-3), "-3"), (0.5, "0.5"), (np.nan, ""), (None, "")],
)
def test_a_cell_as_text(cell, text):
    assert as_text(cell) == text


def test_labels_that_look_missing_are_kept():
    csv = "text,label\na,none\nb,NA\nc,none\nd,NA\ne,null\nf,null\n"
    assert read_dataset(upload(csv, "a.csv")).classes == ("NA", "none", "null")


def test_a_path_an_upload_and_a_text_file_read_alike(tmp_path):
    path = tmp_path / "My reviews-1.csv"
    FRAME.to_csv(path, index=False)
    with open(path, encoding="utf-8", newline="") as text_file:
        datasets = [
            read_dataset(path),
            read_dataset(str(path)),
            read_dataset(upload(path.read_bytes(), "My reviews-1.csv")),
            read_dataset(io.BytesIO(path.read_bytes()), "My reviews-1.csv"),
            read_dataset(text_file),
        ]
    assert len({dataset.digest for dataset in datasets}) == 1
    assert {(dataset.name, dataset.title) for dataset in datasets} == {
        ("my_reviews_1", "My reviews 1")
    }
    assert read_dataset(path, name="mine").name == "mine"


def test_an_upload_can_be_read_twice():
    file = write(FRAME, "a.csv")
    read_table(file)
    assert len(read_dataset(file)) == len(FRAME)


# --- encodings and delimiters -----------------------------------------------------------------

any_text = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff"), min_size=1
).filter(str.strip)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(any_text, min_size=4, max_size=8),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]),
    st.sampled_from([",", ";", "\t", "|"]),
)
def test_any_text_comes_back_from_every_unicode_encoding(texts, encoding, delimiter):
    frame = pd.DataFrame(
        {"text": texts, "label": ["a", "b"] * (len(texts) // 2) + ["a"] * (len(texts) % 2)}
    )
    contents = frame.to_csv(index=False, sep=delimiter).encode(encoding)
    dataset = read_dataset(upload(contents, "a.csv"), text="text", split=False)
    assert dataset.examples.texts == tuple(texts)
    assert not any("not UTF-8" in remark for remark in dataset.warnings)


LEGACY = {
    "latin-1": ["Le café était fermé à midi", "¿Dónde está el baño?", "Größe: zu klein, schön"],
    "cp1252": ["It’s “fine”, I guess – €20", "the naïve café", "Für uns zu spät"],
    "cp1250": ["Zażółć gęślą jaźń", "Żółta łódź płynie po rzece", "Już późno, śpię źle"],
    "cp932": ["この映画はとても良かった", "料理は最悪だった", "①少し長いけれど楽しい"],
    "cp949": ["이 영화는 정말 좋았다 ㅋㅋㅋㅋ", "나빴다 ㅠㅠㅠㅠㅠ", "조금 길지만 ㅎㅎㅎㅎ"],
    "gb18030": ["这部电影非常好看", "这顿饭太难吃了", "有点长，但是很有趣"],
    "cp1251": ["Очень хороший рейс, спасибо", "Плохо и долго ждали", "Нормально"],
    "koi8_r": ["Очень хороший рейс, спасибо", "Плохо и долго ждали", "Нормально"],
    "euc_jp": ["この映画はとても良かった", "料理は最悪だった", "少し長いけれど楽しい"],
    "iso2022_jp": ["この映画はとても良かった", "料理は最悪だった", "少し長いけれど楽しい"],
}


@pytest.mark.parametrize("encoding", LEGACY)
def test_legacy_encodings_are_guessed_and_said(encoding):
    texts = LEGACY[encoding] * 2
    frame = pd.DataFrame({"text": texts, "label": ["a", "a", "a", "b", "b", "b"]})
    dataset = read_dataset(upload(frame.to_csv(index=False).encode(encoding), "a.csv"))
    assert dataset.examples.texts == tuple(texts)
    assert dataset.warnings[0].startswith("a.csv is not UTF-8 and was read as ")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["Очень хороший рейс", "航班一一非常好谢谢"])
def test_utf_16_without_a_mark_in_other_scripts(encoding, text):
    csv = "text,label\n" + "".join(f"{text} {i},{'ab'[i % 2]}\n" for i in range(6))
    dataset = read_dataset(upload(csv.encode(encoding), "a.csv"))
    assert dataset.examples.texts[0] == f"{text} 0"


def test_utf_8_with_a_letter_cut_in_two_stays_utf_8():
    rows = [f"déjà vu à l'été {i},{'ab'[i % 2]}" for i in range(6)]
    contents = "\n".join(["text,label", *rows]).encode().replace(b"\xc3\xa9 3", b"\xc3 3")
    dataset = read_dataset(upload(contents, "a.csv"))
    assert dataset.examples.texts[3] == "déjà vu à l'ét\ufffd 3"
    assert dataset.examples.texts[4] == "déjà vu à l'été 4"
    assert dataset.warnings[0] == remarks.damaged("a.csv", 1)


@pytest.mark.parametrize(("whole", "damaged"), [(9, 1), (10, 1), (19, 2), (20, 2)])
def test_letters_cut_in_two_are_damage_beside_ten_times_as_many(whole, damaged):
    contents = ("text,label\n" + whole * "é,x\n").encode() + damaged * b"\xc3,y\n"
    _, (told,) = decode_text(contents, "a.csv")
    assert (told == remarks.damaged("a.csv", damaged)) == (whole >= 10 * damaged)


def test_json_in_other_encodings_and_with_half_a_surrogate():
    rows = [{"text": f"naïve {i}", "label": "ab"[i % 2]} for i in range(4)]
    for encoding in ("utf-8-sig", "utf-16", "latin-1"):
        contents = json.dumps(rows, ensure_ascii=False).encode(encoding)
        assert read_dataset(upload(contents, "a.json")).examples.texts[1] == "naïve 1"
    lone = '[{"text": "x \\ud83d y \\ud83d\\ude00", "label": 1}, {"text": "b", "label": 1}, '
    lone += '{"text": "c", "label": 0}, {"text": "d", "label": 0}]'
    assert read_dataset(upload(lone, "a.json")).examples.texts[0] == "x \ufffd y 😀"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_and_line_ends(delimiter, newline):
    lines = [["text", "label"], ["well, well; so", "a"], ["b | c", "b"], ["d", "a"], ["e", "b"]]
    quoted = [delimiter.join(f'"{cell}"' for cell in line) for line in lines]
    dataset = read_dataset(upload(newline.join(quoted), "a.txt"))
    assert dataset.examples.texts == ("well, well; so", "b | c", "d", "e")


def test_commas_in_a_semicolon_file_and_quotes_in_a_bare_tab_file():
    csv = "text;label\nwell, well, well;a\nso, so;b\nno;a\nyes, no;b\n"
    assert read_dataset(upload(csv, "a.csv")).examples.texts[0] == "well, well, well"
    tsv = 'text\tlabel\n"Help!\ta\n"A" is it\tb\nc\ta\nd\tb\n'
    assert read_dataset(upload(tsv, "a.tsv")).examples.texts[:2] == ('"Help!', '"A" is it')


TABLE = "text;label\nso, so;a\nno;b\nyes;a\nwell;b\n"


@pytest.mark.parametrize(
    ("above", "left_out"),
    [
        ("sep=;\n", ()),
        ('"SEP=;";\r\n', ()),
        ("# exported 2024\n", (1,)),
        ("# by me, for you, and others\n#\n\n", (1, 2)),
        ("A survey of mine\n\n", (1,)),
    ],
)
def test_what_stands_above_a_table_is_none_of_it(above, left_out):
    table = read_table(upload(above + TABLE, "a.csv"))
    assert table.names == ["text", "label"]
    assert table.rows[0] == above.count("\n") + 2
    title = (remarks.title_rows("a.csv", Places(left_out)),)
    assert table.warnings == title * bool(left_out)
    assert read_dataset(table).examples.texts[0] == "so, so"


def test_the_delimiter_that_a_file_tells_is_taken():
    text = "sep=^\ntext^label\na, b^x\nc, d^y\ne, f^x\ng, h^y\n"
    assert read_dataset(upload(text, "a.csv")).examples.texts[1] == "c, d"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("# x,y,label\n1,2,a\n3,4,b\n", ["# x", "y", "label"]),  # as NumPy writes a header
        ("#,text,label\n7,good,a\n9,bad,b\n", ["#", "text", "label"]),
        ("text,\ngood,a\nbad,b\n", ["text", "column 2"]),
        ("text\ngood\nbad\n", ["text"]),
    ],
)
def test_a_first_line_that_can_be_a_header_is_one(text, names):
    table = read_table(upload(text, "a.csv"))
    assert (table.names, table.warnings) == (names, ())


def test_a_title_with_the_commas_of_its_table_is_none_of_it():
    table = read_table(upload("Mine,,\nx,y,label\n1,2,a\n3,4,b\n", "a.csv"))
    assert table.names == ["x", "y", "label"]
    assert table.warnings == (remarks.title_rows("a.csv", Places((1,))),)


def test_semicolon_files_may_have_decimal_commas():
    csv = "width;height;label\n1,5;2;a\n2,25;3;a\n-1;4;b\n0;5;b\n"
    dataset = read_dataset(upload(csv, "a.csv"))
    assert dataset.examples.features[:, 0].tolist() == [1.5, 2.25, -1, 0]


# --- columns ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "kind", "expected"),
    [
        ("Tweet,Sentiment", "text", {"text": "Tweet", "label": "Sentiment"}),
        (
            "id,tweet_text,airline_sentiment",
            "text",
            {"text": "tweet_text", "label": "airline_sentiment"},
        ),
        ("rating,review", "text", {"text": "review", "label": "rating"}),
        ("sentence1,sentence2,gold_label", "pair", {"text": "sentence1", "text2": "sentence2"}),
        ("premise,hypothesis,label", "pair", {"text": "premise", "text2": "hypothesis"}),
        ("first,second,relation", "pair", {"text": "first", "text2": "second"}),
        ("sentence1,label,processed_sent", "text", {"text": "sentence1"}),
        ("blurb,class", "text", {"text": "blurb", "label": "class"}),
        ("text,words", "text", {"text": "text", "label": None}),
    ],
)
def test_columns_are_guessed_by_name(header, kind, expected):
    names = header.split(",")
    words = ("id", "rating")
    row = ",".join("7" if name in words else "some words here" for name in names)
    guess = guess_columns(read_table(upload(f"{header}\n{row}\n{row}\n", "a.csv")))
    assert guess.kind == kind
    assert {role: getattr(guess, role) for role in expected} == expected


def guessed(*rows, name="a.csv", kind=None):
    guess = guess_columns(read_table(upload("\n".join(rows) + "\n", name)), kind)
    others = ("features", "unused")
    return {role: name for role, name in vars(guess).items() if name and role not in others}


MOODS = ["good", "bad", "so-so"]


@pytest.mark.parametrize(
    ("header", "text", "label"),
    [
        ("Message from parents|Kind", "Message from parents", "Kind"),
        ("Äußerung|Gefühl", "Äußerung", "Gefühl"),
        ("気持ち|コメント", "コメント", "気持ち"),
        ("mood of it|what they wrote", "what they wrote", "mood of it"),
        ("id|body|score|mood", "body", "mood"),
    ],
)
def test_the_class_is_the_column_whose_values_recur(header, text, label):
    names = header.split("|")

    def cell(name, i):
        own = {text: f"words of my own {i}", label: MOODS[i % 3]}
        return own.get(name, str(i * 1.5 if name == "score" else i))

    rows = ["|".join(cell(name, i) for name in names) for i in range(12)]
    found = guessed(header, *rows)
    assert (found["kind"], found["text"], found["label"]) == ("text", text, label)


def test_the_class_of_a_table_of_numbers_may_be_a_number_at_either_end():
    for header, row in (("Typ,a,b", "{2},{0},{1}"), ("a,b,Typ", "{0},{1},{2}")):
        rows = [row.format(i * 0.7, i * i * 0.3, i % 2) for i in range(12)]
        assert guessed(header, *rows) == {"kind": "numeric", "label": "Typ"}


def test_a_class_that_comes_in_blocks_is_found_in_a_long_table():
    rows = [f"text number {i},{'ab'[i // 2_000]}" for i in range(4_000)]
    assert guessed("written,which", *rows)["label"] == "which"


def test_each_cell_of_many_columns_is_looked_at_once(monkeypatch):
    table = read_table(upload(pd.DataFrame(np.eye(12)).assign(y=list("ab" * 6)).to_csv(), "a.csv"))
    looked, usual = [], columns_module.looks_like_number
    monkeypatch.setattr(
        columns_module, "looks_like_number", lambda cell: looked.append(1) or usual(cell)
    )
    assert guess_columns(table).label == "y"
    assert len(looked) == 12 * 13


def test_a_second_sentence_that_stands_in_the_first_is_a_phrase():
    inside = [f"wind and rain on day {i},day {i},{'xy'[i % 2]}" for i in range(10)]
    found = guessed("sentence1,sentence2,label", *inside)
    assert (found["kind"], found["mention"]) == ("span", "sentence2")
    same = [f"day {i},day {i},{'xy'[i % 2]}" for i in range(10)]
    assert guessed("sentence1,sentence2,label", *same)["kind"] == "pair"
    for n, kind in (9, "span"), (8, "pair"):  # of ten rows
        assert guessed("sentence1,sentence2,label", *inside[:n], *same[n:])["kind"] == kind
    other = guessed("Satz,Ausdruck,Art", *inside)
    assert (other["kind"], other["label"]) == ("text", "Art")
    assert guessed("Satz,Ausdruck,Art", *inside, kind="span")["mention"] == "Ausdruck"


def test_what_nobody_asked_for_is_left_out_with_a_remark():
    rows = [{"text": f"t {i}", "label": "ab"[i % 2], "meta": {"n": i}} for i in range(6)]
    dataset = read_dataset(upload(json.dumps({"version": 1, "data": rows}), "a.json"))
    assert dataset.warnings == (remarks.unused("a.json", "Columns of lists or objects", ["meta"]),)
    with pytest.raises(DatasetError, match=r"'meta'.*an object in entry 1"):
        read_dataset(upload(json.dumps(rows), "a.json"), text="meta")
    table = "when,x,y,label\n" + "".join(f"day {i},{i},{i},{'ab'[i % 2]}\n" for i in range(6))
    numbers = read_dataset(upload(table, "a.csv"))
    assert numbers.feature_names == ("x", "y")
    assert numbers.warnings[0] == remarks.unused("a.csv", "Columns without numbers", ["when"])


def test_columns_of_true_and_false_are_features_of_one_and_zero_and_it_says_so():
    table = "age,smokes,sleeps,left,ill\n" + "".join(
        f"{30 + i},{'TRUE' if i % 3 else 'False'},{'yes' if i % 2 else 'no'},"
        f"{'true' if i else ''},{'true' if i % 2 else 'false'}\n"
        for i in range(8)
    )
    dataset = read_dataset(upload(table, "a.csv"))
    assert (dataset.feature_names, dataset.classes) == (("age", "smokes"), ("false", "true"))
    assert [float(i % 3 > 0) for i in range(8)] == dataset.examples.features[:, 1].tolist()
    left_out = remarks.unused("a.csv", "Columns without numbers", ["sleeps", "left"])
    told = remarks.truths("a.csv", ["smokes"]), remarks.guessed_class("a.csv", "ill")
    assert dataset.warnings == (left_out, *told)
    only = [{"a": i < 3, "b": i % 2 == 0, "kind": "xy"[i % 2]} for i in range(6)]
    assert read_dataset(upload(json.dumps(only), "a.json")).feature_names == ("a", "b")
    gaps = "age,smokes,label\n" + "".join(
        f"{30 + i},{'true' if i % 3 else ''},{'ab'[i % 2]}\n" for i in range(9)
    )
    assert read_dataset(upload(gaps, "a.csv")).feature_names == ("age",)  # and no text


def test_a_first_row_of_measurements_is_no_header_and_one_of_wavelengths_is():
    rows = [f"{i}.5,{i % 3}.25,{'ab'[i % 2]}" for i in range(8)]
    bare = read_table(upload("\n".join(rows), "a.csv"))
    assert (len(bare), guess_columns(bare).label) == (8, "column 3")
    spectra = read_table(upload("\n".join(["400.5,401.5,kind", *rows]), "a.csv"))
    assert (len(spectra), spectra.names) == (8, ["400.5", "401.5", "kind"])


WHOLE = np.random.default_rng(0).integers(0, 9, (8, 3))


@pytest.mark.parametrize(
    ("header", "is_data"),
    [
        ("5,3,1", True),
        ("3,3,3", True),
        ("0,1,2", False),  # names that pandas gives
        ("1,2,3", False),
        ("1,2,4", True),
        ("2019,2020,class", False),
        (",2019,2020", False),
    ],
)
def test_a_first_row_of_whole_numbers_is_no_header_unless_it_counts(header, is_data):
    rows = [header, *(",".join(map(str, row)) for row in WHOLE)]
    for delimiter in ",;":
        table = read_table(upload("\n".join(rows).replace(",", delimiter), "a.csv"))
        assert (len(table), table.names[1]) == (
            (9, "column 2") if is_data else (8, header.split(",")[1])
        )
        assert table.warnings == (remarks.no_header("a.csv"),) * is_data


def test_whole_numbers_above_words_are_names_and_those_with_decimal_commas_are_none():
    years = read_table(upload("2019,2020,2021\n1,2,a\n3,4,b\n", "a.csv"))
    assert (years.names, years.warnings) == (["2019", "2020", "2021"], ())
    commas = read_table(upload("1,5;2;1\n2,5;3;2\n3,5;4;1\n", "a.csv"))
    assert (len(commas), commas.names[0]) == (3, "column 1")


LETTERS = [f"note {i},{'ab'[i % 2]}" for i in range(8)]


@pytest.mark.parametrize("first", ["good film,a", "7,b"])
def test_a_first_row_with_a_class_is_no_header(first):
    table = read_table(upload("\n".join([first, *LETTERS]), "a.csv"))
    assert (len(table), table.names) == (9, ["column 1", "column 2"])
    assert table.warnings == (remarks.no_header("a.csv"),)


@pytest.mark.parametrize(
    "rows",
    [
        ["text,label", *LETTERS, "text,label"],  # two files, joined with their headers
        ["text,c", *LETTERS],
        ["text,a", *(f"note {i},{'a' if i % 2 else ''}" for i in range(8))],  # chosen, or not
    ],
)
def test_a_header_that_names_no_class_is_one(rows):
    table = read_table(upload("\n".join(rows), "a.csv"))
    assert (len(table), table.names) == (len(rows) - 1, rows[0].split(","))


def test_letters_read_in_a_wrong_encoding_are_put_right():
    good = "text,gefühl\n" + "".join(
        f"schöne Grüße {i},{['trüb', 'froh'][i % 2]}\n" for i in range(6)
    )
    bad = good.encode().decode("latin-1")
    table = read_table(upload(bad, "a.csv"))
    assert garbled(table) == [0, 1, 2, 3, 4, 5]
    good_again = mended(table)
    assert garbled(good_again) == []
    assert guess_columns(good_again).label == "gefühl"
    dataset = read_dataset(good_again)
    assert dataset.digest == read_dataset(upload(good, "a.csv")).digest
    read_as = {k: v for k, v in dataset.read_as.items() if k != "filename"}
    again = read_dataset(upload(bad, "a.csv"), **read_as)  # as downloaded code does
    assert again.digest == dataset.digest
    assert not garbled(read_table(upload("text,label\nÜbung,x\nnaïve,y\n", "a.csv")))


def test_columns_can_be_told():
    csv = "text,label,note,verdict\na,x,one,p\nb,x,two,p\nc,y,three,q\nd,y,four,q\n"
    dataset = read_dataset(upload(csv, "a.csv"), text="note", label="verdict")
    assert dataset.examples.texts == ("one", "two", "three", "four")
    assert dataset.classes == ("p", "q")
    pair = read_dataset(upload(csv, "a.csv"), text2="note")
    assert (pair.kind, pair.examples.pairs[0]) == ("pair", "one")


def test_preview_shows_every_cell_and_where_it_stands():
    table = read_table(upload("text,label\n a,x\n\nb,\n", "a.csv"))
    assert table.to_frame().to_dict("list") == {"text": [" a", "b"], "label": ["x", ""]}
    assert table.to_frame().index.tolist() == [2, 4]
    guess = guess_columns(table)
    assert (guess.text, guess.label) == ("text", "label")
    lines = read_table(upload('{"text": "a", "n": 1}\n\n{"text": "b"}\n', "a.jsonl"))
    assert lines.to_frame().index.tolist() == [1, 3]


class CountingFile(io.BytesIO):
    reads = 0

    def read(self, *size):
        self.reads += 1
        return super().read(*size)


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_is_read_once_for_every_choice_of_columns(name):
    contents = write(FRAME.assign(note="a note", verdict=list("ppqqpq")), name).getvalue()
    file = CountingFile(contents)
    table = read_table(file, name)
    for columns in ({}, {"text": "note", "label": "verdict"}, {"text2": "note", "split": False}):
        dataset = read_dataset(table, **columns)
        again = read_dataset(upload(contents, name), **columns)
        assert dataset.digest == again.digest
        assert (dataset.name, dataset.title, dataset.warnings) == ("a", "A", again.warnings)
    assert file.reads == 1
    with pytest.raises(DatasetError, match="no column 'missing'"):
        read_dataset(table, label="missing")


def test_a_sheet_can_be_chosen():
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer) as book:
        FRAME.to_excel(book, sheet_name="first", index=False)
        FRAME.assign(text=[f"second {i}" for i in range(6)]).to_excel(
            book, sheet_name="other", index=False, startrow=2
        )
    table = read_table(upload(buffer.getvalue(), "a.xlsx"), sheet="other")
    assert look.sheets_of(buffer.getvalue(), "a.xlsx") == (("first", "other"), "first")
    assert table.rows[0] == 4
    dataset = read_dataset(upload(buffer.getvalue(), "a.xlsx"), sheet="other")
    assert dataset.examples.texts[0] == "second 0"
    assert read_dataset(upload(buffer.getvalue(), "a.xlsx")).examples.texts[0] == TEXTS[0]
    assert read_dataset(table, sheet="other").digest == dataset.digest
    with pytest.raises(DatasetError, match="leave sheet='first' out"):
        read_dataset(table, sheet="first")


def test_a_sheet_that_holds_no_table_hides_none_that_does():
    book, buffer = openpyxl.Workbook(), io.BytesIO()
    for row in [("What we asked",), ("in May",)]:
        book.create_sheet("about").append(row)
    data, empty = book.create_sheet("data"), book.worksheets[0].title
    for row in [("text", "label"), *zip(TEXTS, [*LABELS[:-1], None], strict=True)]:
        data.append(row)
    book.save(buffer)
    named = r"^a\.xlsx \(sheet 'data'\) has no class in row 7 "
    with pytest.raises(DatasetError, match=named):
        read_dataset(upload(buffer.getvalue(), "a.xlsx"), drop_unlabelled=False)
    with pytest.raises(DatasetError, match=rf"\(sheet '{empty}'\) is empty"):
        read_dataset(upload(buffer.getvalue(), "a.xlsx"), sheet=empty)
    data["B7"] = LABELS[-1]
    buffer = io.BytesIO()
    book.save(buffer)
    assert look.sheets_of(buffer.getvalue(), "a.xlsx") == (tuple(book.sheetnames), "data")
    found = read_dataset(upload(buffer.getvalue(), "a.xlsx"))
    assert (found.read_as["sheet"], found.title, len(found)) == ("data", "A", 6)


def test_json_of_columns_and_json_lines_under_either_name():
    columns = json.dumps({"text": TEXTS, "label": LABELS})
    assert read_dataset(upload(columns, "a.json")).labels.tolist() == LABELS
    lines = "\n".join(json.dumps(row) for row in FRAME.to_dict("records"))
    assert read_dataset(upload(lines, "a.json")).labels.tolist() == LABELS
    listed = json.dumps(FRAME.to_dict("records"), indent=1)
    assert read_dataset(upload(listed, "a.jsonl")).labels.tolist() == LABELS


@pytest.mark.parametrize("index", [range(6), range(40, 46), [-1, 3, 4, 7, 9, 8]])
@pytest.mark.parametrize("orient", ["columns", "index", "split", "records", "table"])
def test_every_json_of_a_table_that_pandas_writes_is_read(orient, index):
    frame = FRAME.assign(n=range(6)).set_axis(pd.Index(index))
    dataset = read_dataset(upload(frame.to_json(orient=orient), "a.json"))
    assert dataset.examples.texts == tuple(TEXTS)
    told = (remarks.row_numbers("a.json", "index"),) * (orient == "table")
    assert (dataset.labels.tolist(), dataset.warnings) == (LABELS, told)


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
@pytest.mark.parametrize("by_line", [True, False])
def test_lists_are_rows_of_a_table_whose_header_may_be_there(name, by_line):
    rows = [list(row) for row in zip(TEXTS, LABELS, strict=True)]
    for first, is_data in (["words", "mood"], False), (["so-so", "pos"], True):
        lines = [json.dumps(row) for row in (first, *rows)]
        text = "\n".join(lines) if by_line else f"[{', '.join(lines)}]"
        table = read_table(upload(text, name))
        assert table.warnings == (remarks.no_header(name),) * is_data
        assert (len(table), table.to_frame().index.name) == (
            6 + is_data,
            "line" if by_line else "entry",
        )
        assert read_dataset(table).labels.tolist()[-6:] == LABELS
    nested = read_table(upload('[["text", "label", "tags"], ["a", "x", []]]', "a.json"))
    assert (nested.names, nested.nested) == (
        ["text", "label"],
        {"tags": "a list in entry 2 (the first is entry 1)"},
    )


def test_a_line_separator_inside_a_json_string_ends_no_line():
    lines = "\n".join(
        json.dumps({"text": f"a\u2028b {i}", "label": "xy"[i % 2]}, ensure_ascii=False)
        for i in range(4)
    )
    assert read_dataset(upload(lines, "a.jsonl")).examples.texts[0] == "a\u2028b 0"


# --- kinds ------------------------------------------------------------------------------------


def test_numbers_are_features_but_for_label_and_split():
    frame = pd.DataFrame(
        {
            "split": ["train", "train", "test", "train", "train", "test"],
            "height": [1, 2, 3, 4, 5, 6],
            "width": [0.5, 1.5, -2, 1e3, 0, 7],
            "target": [1, 0, 1, 0, 1, 0],
        }
    )
    for name in FORMATS:
        dataset = read_dataset(write(frame, name))
        assert (dataset.kind, dataset.default_encoder) == ("numeric", "numeric")
        assert dataset.feature_names == ("height", "width")
        assert dataset.examples.features.dtype == np.float64
        assert dataset.examples.features.tolist() == frame[["height", "width"]].to_numpy().tolist()
        assert dataset.draw(1, 0).query.tolist() == [2, 5]


def test_the_one_column_of_words_labels_a_table_of_numbers():
    csv = "x,y,colour\n1,2,red\n3,4,blue\n5,6,red\n7,8,blue\n"
    dataset = read_dataset(upload(csv, "a.csv"))
    assert (dataset.classes, dataset.feature_names) == (("blue", "red"), ("x", "y"))


def test_an_unnamed_row_count_is_no_feature():
    csv = pd.DataFrame({"x": [1.5, 2, 3, 4], "label": list("abab")}).to_csv()
    dataset = read_dataset(upload(csv, "a.csv"))
    assert dataset.feature_names == ("x",)
    assert dataset.warnings[0] == remarks.row_numbers("a.csv", "")


@pytest.mark.parametrize("index", [range(4), [7, 30, 2, 9]])
def test_row_numbers_are_no_feature_in_whatever_way_pandas_wrote_them(index):
    frame = pd.DataFrame({"x": [1.5, 2, 3, 4], "label": list("abab")}, index=pd.Index(index))
    written = {"a.csv": frame.to_csv(), "a.json": frame.to_json(orient="table")}
    if index == range(4):
        numbered = frame.reset_index()
        written["a.jsonl"] = numbered.to_json(orient="records", lines=True)
        written["a.parquet"] = write(numbered, "a.parquet").getvalue()
    for name, contents in written.items():
        assert read_dataset(upload(contents, name)).feature_names == ("x",), name
    named = frame.rename_axis("depth").to_json(orient="table")
    assert read_dataset(upload(named, "a.json")).feature_names == ("depth", "x")
    words = frame.set_axis(["so good", "bad", "fine", "worse"])["label"].to_json(orient="table")
    assert read_dataset(upload(words, "a.json")).examples.texts[0] == "so good"


def test_spans_from_mentions_and_from_positions():
    csv = (
        "text,mention,start,end,label\n"
        "call a phone shop for pho,pho,22,25,dish\n"
        "Joe's is open at Joes,Joe 's,0,5,name\n"
        "eat sushi or sushi,sushi,13,18,dish\n"
        "near The Harbour please,the harbour,5,16,name\n"
    )
    told = read_dataset(upload(csv, "a.csv"))
    assert told.kind == "span"
    assert told.examples.spans == ((22, 25), (0, 5), (13, 18), (5, 16))
    by_mention = "\n".join(
        ",".join(cell for i, cell in enumerate(line.split(",")) if i not in (2, 3))
        for line in csv.splitlines()
    )
    found = read_dataset(upload(by_mention, "a.csv"))
    assert found.examples.spans == ((22, 25), (0, 5), (4, 9), (5, 16))
    by_position = "\n".join(
        ",".join(cell for i, cell in enumerate(line.split(",")) if i != 1)
        for line in csv.splitlines()
    )
    assert read_dataset(upload(by_position, "a.csv")).examples.spans == told.examples.spans


def test_positions_that_slipped_are_mended_by_the_mention():
    csv = "text,mention,start,end,label\n" + "".join(
        f"😀 sushi then sushi {i},sushi,{start},{start + 5},{'ab'[i % 2]}\n"
        for i, start in enumerate([2, 3, 13, 14])
    )
    spans = read_dataset(upload(csv, "a.csv")).examples.spans
    assert spans == ((2, 7), (2, 7), (13, 18), (13, 18))


def test_an_entity_column_that_is_no_mention_leaves_plain_text():
    csv = "entity,text,label\nFIFA,love this game,a\nXbox,so slow,b\nFIFA,fine,a\nXbox,meh,b\n"
    assert read_dataset(upload(csv, "a.csv")).kind == "text"


def test_a_split_column_parts_support_from_query():
    csv = "text,label,split\n" + "".join(
        f"text {i},{'ab'[i % 2]},{'train' if i < 6 else 'dev' if i < 8 else 'TEST'}\n"
        for i in range(12)
    )
    dataset = read_dataset(upload(csv, "a.csv"))
    assert dataset.shots_available == (1, 2, 3)
    episode = dataset.draw(3, 0)
    assert sorted(episode.support) == [0, 1, 2, 3, 4, 5]
    assert episode.query.tolist() == [8, 9, 10, 11]
    assert dataset.warnings[0] == remarks.unused_validation("a.csv", 2)
    whole = read_dataset(upload(csv, "a.csv"), split=False)
    assert len(whole.draw(1, 0).query) == 10
    no_test = read_dataset(upload(csv.replace("TEST", "val"), "a.csv"))
    assert no_test.draw(1, 0).query.tolist() == [6, 7, 8, 9, 10, 11]
    numbers = "x,split,label\n1,train,a\n2,train,b\n3,test,a\n4,test,b\n"
    assert read_dataset(upload(numbers, "a.csv"), split=False).feature_names == ("x",)


def test_a_form_that_asks_for_another_sheet_has_the_workbook_opened_once(monkeypatch):
    opened, usual = [], look.open_file
    monkeypatch.setattr(look, "open_file", lambda *args: opened.append(1) or usual(*args))
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer) as book:
        for sheet in ("one", "two"):
            FRAME.to_excel(book, sheet_name=sheet, index=False)
    sheets, _ = look.sheets_of(buffer.getvalue(), "a.xlsx")
    for sheet in sheets:
        seen = look.look_at(buffer.getvalue(), "a.xlsx", look.ReadingOptions(sheet))
        assert seen.columns.label == "label"
    assert len(opened) == 1


def test_a_form_that_asks_twice_about_a_file_has_it_parsed_once(monkeypatch):
    parsed = []
    usual = look.read_table
    monkeypatch.setattr(
        look, "read_table", lambda *args, **told: parsed.append(1) or usual(*args, **told)
    )
    data = b"text,label\nonce,a\ntwice,b\nthrice,a\nagain,b\n"
    seen = look.look_at(data, "a.csv", look.ReadingOptions())
    columns = {"kind": "text", "text": seen.columns.text, "label": seen.columns.label}
    assert len(look.read_uploaded(data, "a.csv", look.ReadingOptions(), columns)) == 4
    assert len(parsed) == 1
    look.look_at(data.replace(b"once", b"Once"), "a.csv", look.ReadingOptions())
    assert len(parsed) == 2


def test_a_form_shows_the_first_rows_and_those_that_differ():
    rows = [[f"{i % 5}", f"{i % 7}00", f"note {i}", "ab"[i % 2]] for i in range(40)]
    rows[11][0] = "19"
    rows[17][1] = ""
    rows[23][2] = "a note that is longer than all the others"
    data = "\n".join(map(",".join, [["height", "width", "note", "label"], *rows])).encode()
    head = look.look_at(data, "a.csv", look.ReadingOptions()).head
    assert [*head["note"]] == [rows[i][2] for i in (0, 1, 2, 11, 17, 23, 39)]


CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**20), 10**20), st.integers(-3, 3),
    st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=3),
)  # fmt: skip


@given(st.lists(CELLS, min_size=3, max_size=6))
def test_the_first_cells_are_such_that_a_browser_can_be_given_them(cells):
    rows = [{"text": f"t{i}", "label": "ab"[i % 2], "n": cell} for i, cell in enumerate(cells)]
    shown = read_table(upload(json.dumps(rows), "a.json")).to_frame(3)["n"].tolist()
    arrow = pa.array(shown, from_pandas=True).to_pylist()  # raises where they are not alike
    for cell, at, there in zip(cells, shown, arrow, strict=True):
        assert at == there
        assert at == cell or at == str(cell) or (cell == "" and at is None)


def test_a_row_of_numbers_is_shown_as_people_write_them():
    rows = "income,rate,kind\n" + "57574,0.12345,a\n1234567.5,-3,b\n41200,1e-7,a\n88100,4e12,b\n"
    dataset = read_dataset(io.BytesIO(rows.encode()), filename="a.csv")
    assert [dataset.describe(row) for row in range(4)] == [
        "income=57,574, rate=0.1235",
        "income=1,234,568, rate=-3",
        "income=41,200, rate=1e-07",
        "income=88,100, rate=4e+12",
    ]
