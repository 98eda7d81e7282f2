"""Small files that would take a server down: refused by name, in a process with bounded memory.

Each is made here, as small as it does harm. Read without limits they took gigabytes or minutes;
here the process that reads them has little memory, and a refusal by a limit has to come before that
is spent, and before the limit of seconds.
"""

import io
import json
import os
import threading
import time
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from slp_core.data import parsing, read_dataset
from slp_core.data.limits import MB, SERVER
from slp_core.data.mentions import find_mention
from slp_core.encoders.uploaded import unpack_checkpoint
from slp_core.errors import Cancelled, DatasetError, SLPError
from slp_core.methods.edited_prototypes import EditedPrototypes
from slp_core.methods.model_files import SOFT_LABEL_FORMAT, model_from_bytes
from slp_core.process import Bounds, ChildProcess


@pytest.fixture(scope="module", autouse=True)
def little_memory():
    """One process of a public server, with 400 MB beside what it has when all is imported."""
    bounds = Bounds(400 * MB, SERVER.seconds, 2**40)
    environment = parsing._ENVIRONMENT | {"SLP_PUBLIC": "1"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parsing, "_reader", ChildProcess("bombs", 60, bounds, environment))
        patch.setattr(parsing, "PATIENCE", 30)  # seconds of work are what is limited here
        yield


def refusal(function, *args):
    with pytest.raises(SLPError) as error:
        parsing.read_apart(function, *args, name="bomb")
    text = str(error.value)
    assert text.endswith(".")
    assert len(text) <= 600
    return text


def refused(name, data):
    return refusal(read_dataset, io.BytesIO(data), name)


def parquet_of(columns, **options):
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns), buffer, compression="zstd", **options)
    return buffer.getvalue()


def one_long_text(characters, rows):
    """One text that is stored once, and pointed to by every row."""
    places = pa.array(np.zeros(rows, np.int32))
    text = pa.DictionaryArray.from_arrays(places, pa.array(["a" * characters]))
    return parquet_of({"text": text, "label": ["x", "y"] * (rows // 2)})


def test_parquet():
    assert "cell of more than 131,072 characters" in refused("a.parquet", one_long_text(MB, 20_000))
    assert "characters in its cells" in refused("a.parquet", one_long_text(100_000, 20_000))
    wide = parquet_of({f"c{i}": [1] for i in range(SERVER.columns + 1)})
    assert "more than 5,000 columns" in refused("a.parquet", wide)
    assert "more than 200,000 rows" in refused("a.parquet", parquet_of({"x": np.zeros(200_001)}))
    large = parquet_of({"x": np.zeros((30_000_000), np.int64)}, use_dictionary=False)
    assert "more than" in refused("a.parquet", large)


def workbook(**parts):
    """A workbook with some of its parts replaced, and others added."""
    buffer = io.BytesIO()
    pd.DataFrame({"text": list("abcd"), "label": list("xxyy")}).to_excel(buffer, index=False)
    kept = zipfile.ZipFile(buffer)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        for part in kept.namelist():
            content = parts.pop(part.rpartition("/")[2].partition(".")[0], None)
            book.writestr(part, content(kept.read(part)) if content else kept.read(part))
        for part, content in parts.items():
            book.writestr(f"xl/{part}.xml", content(b""))
    return out.getvalue()


def rows_of(xml):
    return lambda part: part[: part.index(b"<sheetData>") + 11] + xml + b"</sheetData></worksheet>"


def before(mark, xml):
    return lambda part: part.replace(mark, xml + mark)


TEXTS = (
    b'<Override PartName="/xl/sharedStrings.xml" ContentType="application/'
    b'vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>'
)
SHEET = b'<sheet xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (
            {"sheet1": rows_of(b'<row r="2000000000"><c r="A1"><v>1</v></c></row>')},
            "1,048,576 rows",
        ),
        (
            {"sheet1": rows_of(b'<row><c r="XFD1" t="str"><v>a</v></c></row>' * 60_000)},
            "more than 5,000 columns",
        ),
        (
            {
                "workbook": before(
                    b"</sheets>",
                    b"".join(
                        SHEET + b'name="s%d" sheetId="%d" r:id="rId1"/>' % (i, i)
                        for i in range(2, 1_000)
                    ),
                )
            },
            "more than 100 sheets",
        ),
        ({"styles": before(b"</cellXfs>", b"<xf/>" * 200_000)}, "more than 100,000 elements"),
        (
            {
                "[Content_Types]": before(b"</Types>", TEXTS),
                "sharedStrings": lambda _: b"<sst>" + b"<si/>" * 2_000_001 + b"</sst>",
            },
            "2,000,000 pieces of shared",
        ),
    ],
    ids=["row number", "column number", "sheets", "styles", "texts"],
)
def test_xlsx(parts, said):
    bomb = workbook(**parts)
    assert len(bomb) < 2 * MB
    assert said in refused("a.xlsx", bomb)


def test_delimited_text_and_json():
    assert "more than 2,000,000 lines" in refused("a.csv", b"text,label\n" + b"\n" * 3_000_000)
    assert "5,000,000 cells" in refused("a.csv", b"text,label\n" + b"," * 6_000_000)
    assert "6,000,000 values" in refused("a.json", b"[" + b"{}," * 4_000_000 + b"{}]")
    assert "2,000,000 lines" in refused("a.jsonl", b"\n" * 3_000_000 + b"{}")
    assert "larger than 100 MB" in refused("a.csv", b"a" * (100 * MB + 1))


def test_a_mention_that_repeats_itself_takes_no_square_of_its_length():
    words, letters = "a " * 100_000, "a" * 100_000
    assert find_mention(words, "a", near=99_999) in ((99_998, 99_999), (100_000, 100_001))
    assert find_mention(letters, "a" * 50_000, near=30_000) == (30_000, 80_000)
    assert find_mention(letters, letters[1:] + "b") is None


def test_models_checkpoints_and_labels():
    card = io.BytesIO()
    with zipfile.ZipFile(card, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("model.json", b"[" * 3_000_000)
        package.writestr("model.safetensors", b"")
    assert "model.json unpacks to more than 2 MB" in refusal(
        model_from_bytes, card.getvalue(), "a.zip"
    )
    checkpoint = io.BytesIO()
    with zipfile.ZipFile(checkpoint, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("card.json", b"[" * 3_000_000)
        package.writestr("model.safetensors", b"")
    files = [("a.zip", checkpoint.getvalue())]
    assert "card.json is too large" in refusal(unpack_checkpoint, files, "nowhere")
    entry = {"format": SOFT_LABEL_FORMAT, "centroids": {str(i): [0.0] for i in range(15_000)}}
    entry["lines"] = [{"classes": [str(i)], "left": {}, "right": {}} for i in range(15_000)]
    said = refusal(EditedPrototypes.from_json, json.dumps(entry), "a.json")
    assert "15,000" in said
    assert "200 classes" in said


def test_memory_and_time_are_bounded_where_no_other_limit_is():
    assert "MB of memory" in refusal(bytearray, 2**31)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parsing, "PATIENCE", 0.02)
        assert "seconds to read" in refusal(pow, 7, 7**14)
    with pytest.raises(DatasetError, match="ended the process"):
        parsing.read_apart(os.abort, name="a.csv")
    assert parsing.read_apart(abs, -1, name="a.csv") == 1


def test_a_reading_that_nobody_waits_for_any_more_ends():
    class Closed(BaseException):
        """As Streamlit ends the run of a page, when a tab is closed or another file is given."""

    asked = []

    def closed():
        asked.append(1)
        if len(asked) > 4:
            raise Closed
        return False

    reader = parsing.read_apart(os.getpid, name="a.csv")
    with pytest.raises(Closed):
        parsing.read_apart(time.sleep, 600, name="a.csv", cancelled=closed)
    with pytest.raises(ProcessLookupError):
        os.kill(reader, 0)
    with pytest.raises(Cancelled):
        parsing.read_apart(time.sleep, 600, name="a.csv", cancelled=lambda: True)


def test_a_file_given_while_a_process_starts_is_read_by_that_one(monkeypatch):
    monkeypatch.setattr(parsing, "_reader", ChildProcess("files", 60))
    used = []
    running = ChildProcess._running

    def noted(own):
        used.append(running(own))
        return used[-1]

    monkeypatch.setattr(ChildProcess, "_running", noted)
    parsing.warm()
    assert parsing.read_apart(abs, -1, name="a.csv") == 1
    for thread in threading.enumerate():
        if thread.name == "warm reader":  # which may come second
            thread.join()
    assert len(used) == 2
    assert used[0] is used[1]
