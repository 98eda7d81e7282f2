"""What is fuzzed: for each kind of file, good ones to begin with, and what reads them.

A target may refuse anything in one short sentence of ours. Any other error is a mistake. Archives
are changed inside, part by part, and put together again: a change of their bytes would mostly meet
a checksum. The first byte of an input says which part the others take the place of.
"""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pyarrow as pa

from pages.session.text import refused_text, unknown_text
from slp_core.data import read_dataset, read_table
from slp_core.data.columns import guess_columns
from slp_core.data.leopard import read_leopard_files
from slp_core.data.mojibake import garbled
from slp_core.encoders.uploaded import unpack_checkpoint
from slp_core.errors import LONGEST_MESSAGE, SLPError
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.deep_slp import DeepSLPClassifier
from slp_core.methods.edited_prototypes import EditedPrototypes
from slp_core.methods.model_files import model_from_bytes, model_to_bytes

ROOT = Path(__file__).parents[2]
SHOWN = 8  # of so many tables one: it takes as long as to read one
MEMORY = Path("/dev/shm")  # files there are on no disk
ROWS = [
    {"text": f"Ein {what} Wind, day {i}", "label": what, "mention": "Wind", "n": i / 4}
    for i in range(3)
    for what in ("kühler", "warmer")
]
NUMBERS = [{"x": i / 2, "y": -i, "species": "ab"[i % 2]} for i in range(6)]


@dataclass(frozen=True)
class Target:
    """A reader of files.

    Parameters
    ----------
    seeds
        Makes the corpus.
    read
        Reads what was made of it.
    """

    seeds: Callable[[], list[bytes]]
    read: Callable[[bytes], object]


def run(target: Target, data: bytes) -> bool:
    """Whether some bytes were read; they may be refused in a sentence, and nothing else."""
    try:
        target.read(data)
    except SLPError as error:
        text = str(error)
        text.encode()
        assert text.endswith("."), text
        assert "\n" not in text, text
        assert 5 < len(text) <= LONGEST_MESSAGE, text
        return False
    return True


# --- tables -----------------------------------------------------------------------------------


def _table(ending: str) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        name = f"data.{ending}"
        table = read_table(io.BytesIO(data), name)
        if crc32(data) % SHOWN == 0:
            first = table.take(range(len(table))[:4])
            pa.Table.from_pandas(first.to_frame(40))  # as the page does that shows it
        kind = guess_columns(table).kind
        if len(data) % 2:
            dataset = read_dataset(table, split=False, kind=kind, mend=bool(garbled(table)))
        else:
            guess_columns(table, kind or "text")
            dataset = read_dataset(table)
        dataset.describe(0).encode()
        assert len(dataset.digest) == 32
        " ".join((dataset.counts_text(), *dataset.warnings)).encode()

    return read


def _delimited() -> list[bytes]:
    def lines(rows: list[dict[str, Any]], delimiter: str) -> str:
        cells = [list(rows[0]), *(list(map(str, row.values())) for row in rows)]
        return "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in cells)

    texts = [lines(ROWS, ","), lines(NUMBERS, ";").replace(".", ","), lines(ROWS, "\t")]
    spans = "text,start,end,split,label\n" + "a b,0,1,train,x\na b,2,3,test,y\n" * 3
    odd = "\n\n,,\nid,text,text2,label\n1,Ã¶l,b,x\n2,a,b,y\n3,a,c,x\n4,a,d,y"
    above = ["# mine, and yours\nMine;;\n\n" + texts[0], "sep=;\n" + texts[1], "5,3,1\n4,3,2\n" * 2]
    encoded = [ROWS_TEXT.encode("utf-16") for ROWS_TEXT in texts[:1]]
    return [
        *(text.encode() for text in [*texts, *above, spans, odd]),
        texts[0].encode("cp1252"),
        *encoded,
    ]


def _json() -> list[bytes]:
    lists = [json.dumps(rows).encode() for rows in (ROWS, NUMBERS)]
    columns = {key: [row[key] for row in NUMBERS] for key in NUMBERS[0]}
    cells = [list(row.values()) for row in ROWS]
    split = {"columns": list(ROWS[0]), "index": [*range(6)], "data": cells}
    frame = {key: {str(i): row[key] for i, row in enumerate(ROWS)} for key in ROWS[0]}
    nested = [row | {"more": [1, {"a": None}], "\ud800": "\udfff"} for row in ROWS]
    shapes = ({"data": ROWS}, columns, nested, cells, split, frame)
    return [*lists, *(json.dumps(each).encode() for each in shapes)]


def _json_lines() -> list[bytes]:
    cells = [list(row.values()) for row in ROWS]
    return ["\n".join(map(json.dumps, rows)).encode() for rows in (ROWS, NUMBERS, cells)]


def _parquet() -> list[bytes]:
    from pyarrow import parquet

    made = []
    dates = pa.array(range(6), pa.timestamp("us", "Europe/Berlin"))
    for columns in (
        {key: [row[key] for row in ROWS] for key in ROWS[0]},
        {key: [row[key] for row in NUMBERS] for key in NUMBERS[0]} | {"when": dates},
        {"text": list("abcdef"), "label": list("xyxyxy"), "list": [[1]] * 6},
    ):
        for options in ({"compression": "none"}, {"compression": "zstd", "use_dictionary": False}):
            buffer = io.BytesIO()
            parquet.write_table(pa.table(columns), buffer, **options)
            made.append(buffer.getvalue())
    return made


@cache
def _workbook() -> dict[str, bytes]:
    import pandas as pd

    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer) as writer:
        pd.DataFrame(ROWS).assign(when=pd.Timestamp("2024-02-29")).to_excel(writer, index=False)
        pd.DataFrame(NUMBERS).to_excel(writer, sheet_name="numbers", index=False)
    with zipfile.ZipFile(buffer) as book:
        left_out = ("docProps/app.xml", "xl/theme/theme1.xml")  # not looked into
        return {name: book.read(name) for name in book.namelist() if name not in left_out}


# --- archives and folders ---------------------------------------------------------------------


def zipped(parts: dict[str, bytes]) -> bytes:
    """An archive of these parts, not compressed."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def _parts(whole: dict[str, bytes]) -> list[bytes]:
    """A seed for each part, and the whole archive."""
    seeds = [bytes([place]) + content for place, content in enumerate(whole.values())]
    return [*seeds, b"\xff" + zipped(whole)]


def _with_part(whole: dict[str, bytes], data: bytes) -> bytes:
    """An archive in which a part has another content; or the bytes as they are."""
    names = list(whole)
    if not data or data[0] >= len(names):
        return data[1:]
    return zipped(whole | {names[data[0]]: data[1:]})


def _read_workbook(data: bytes) -> None:
    _table("xlsx")(_with_part(_workbook(), data))


@cache
def _models() -> tuple[dict[str, bytes], ...]:
    X = np.array([[-10.0, 0], [5, 0], [15, 0]])
    models = (ConstraintSLPClassifier(), DeepSLPClassifier(epochs=2))
    made = []
    for model in models:
        content = model_to_bytes(model.fit(X, ["a", "b", "c"]), dataset="Own", draw=1, shots=2)
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            made.append({name: package.read(name) for name in package.namelist()})
    return tuple(made)


def _model_seeds() -> list[bytes]:
    return [bytes([i]) + seed for i, model in enumerate(_models()) for seed in _parts(model)]


def _read_model(data: bytes) -> None:
    if data:
        whole = _models()[data[0] % 2]
        model, about = model_from_bytes(_with_part(whole, data[1:]), "model.zip")
        _use(model)
        json.dumps(about)


def _use(model: Any) -> None:
    """Ask a model what pages ask: of a point, of a far one, and of its own centroids."""
    d = model.n_features_in_
    for X in (np.zeros((1, d)), np.full((1, d), 1e6), model.centroids_):
        assert model.predict(X).shape == (len(X),)
        model.place(X)
        model.influence(X)
        model.prototype_scores(X)


@cache
def _checkpoint() -> tuple[bytes, bytes]:
    from safetensors.numpy import save

    folder = ROOT / "checkpoints" / "protonet-minilm-l4"
    weights = save({"embeddings.LayerNorm.bias": np.zeros(384, np.float16)})
    return (folder / "card.json").read_bytes(), weights


def _checkpoint_seeds() -> list[bytes]:
    card, weights = _checkpoint()
    archive = zipped({"card.json": card, "model.safetensors": weights})
    return [b"\0" + card, b"\1" + weights, b"\2" + archive]


def _read_checkpoint(data: bytes) -> None:
    card, weights = _checkpoint()
    kind, rest = data[:1], data[1:]
    if kind == b"\1":  # the card says which weights are its own
        entries = json.loads(card) | {"weights_sha256": sha256(rest).hexdigest()}
        files = [("card.json", json.dumps(entries).encode()), ("model.safetensors", rest)]
    else:
        files = [("card.json", rest), ("model.safetensors", weights)]
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        unpack_checkpoint([("a.zip", rest)] if kind == b"\2" else files, Path(folder, "in"))


def _leopard() -> list[bytes]:
    rows = [
        {"sentence1": f"warm wind {i}", "label": label, "sentence2": "wind"}
        for i in range(2)
        for label in "ab"
    ]
    content = json.dumps(rows).encode()
    name = b"own_train_0_2.json"
    return [name + b"\n" + content, b"own_eval.json\n" + content, b"\n", b"../a\0.json\n[]"]


def _read_leopard(data: bytes) -> None:
    name, _, content = data.partition(b"\n")
    good = _leopard()[0].partition(b"\n")[2]
    named = {"own_eval.json": good, "own_train_1_2.json": good}
    named[name.decode("utf-8", "surrogateescape")] = content
    dataset = read_leopard_files(list(named.items()))
    " ".join((dataset.size_text(), *dataset.warnings)).encode()


# --- labels and addresses ---------------------------------------------------------------------


def _labels() -> list[bytes]:
    made = ConstraintSLPClassifier().fit([[-10.0, 0], [5, 0], [15, 0]], ["a", "b", "c"])
    edited = EditedPrototypes.of(made, made.soft_labels_, encoder="numeric")
    return [edited.to_json().encode(), json.dumps(json.loads(edited.to_json())).encode()]


def _read_labels(data: bytes) -> None:
    edited = EditedPrototypes.from_json(data, "labels.json")
    assert len(edited.digest) == 32
    EditedPrototypes.from_json(edited.to_json())
    edited.check_fits(("a", "b", "c"), 2, "numeric", "", "labels.json")
    _use(edited.classifier())


@cache
def _kept() -> list[Any]:
    from pages.session import settings

    return list(settings.in_address().values())


def _addresses() -> list[bytes]:
    texts = ["12", "0.5", "a,b", '["a",1]', "[[0,1,2,0.5]]", "true", "[1e999]", '["\\ud800"]']
    most = min(256, 3 * len(_kept()))  # its first byte says which setting
    return [bytes([i]) + texts[i % len(texts)].encode() for i in range(most)]


def _read_address(data: bytes) -> None:
    if not data:
        return
    text = data[1:].decode("utf-8", "replace")  # as parameters are
    setting = _kept()[data[0] % len(_kept())]
    value = setting.read([text])
    written = None if value is None else setting.write(value)
    str(value).encode()
    (refused_text(setting.key, [text], written) + unknown_text(text, [text])).encode()


TARGETS: dict[str, Target] = {
    "csv": Target(_delimited, _table("csv")),
    "json": Target(_json, _table("json")),
    "jsonl": Target(_json_lines, _table("jsonl")),
    "parquet": Target(_parquet, _table("parquet")),
    "xlsx": Target(lambda: _parts(_workbook()), _read_workbook),
    "saved_model": Target(_model_seeds, _read_model),
    "checkpoint": Target(_checkpoint_seeds, _read_checkpoint),
    "leopard": Target(_leopard, _read_leopard),
    "labels": Target(_labels, _read_labels),
    "address": Target(_addresses, _read_address),
}
