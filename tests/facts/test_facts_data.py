"""What is said of files that somebody brings: random ones, written here, so that all is known."""

import csv
import io
import json

import checks_data  # noqa: F401 - its checks
import numpy as np
import openpyxl
import pytest
from checks_data import IMBALANCED, Brought
from facts_book import check_facts

from pages.session.status_text import (
    cut_facts,
    encoding_fact,
    layout_fact,
    missing_facts,
    to_encode_facts,
)
from slp_core.data import read_dataset, read_leopard

FILES = 300
NAMES = ("dawn", "dusk", "noon", "*night*", "7", ":smile:", "äöü", *(f"hour {i}" for i in range(9)))
WORDS = ("wind", "rain", "größe", "sun", "cloud", "frost", "naïve", "heat", "mist", "hail")
ALWAYS_TOLD = {
    "data.row_numbers",
    "data.no_header",
    "data.title_rows",
    "data.nested_columns",
    "data.no_features",
    "data.truths",
    "data.constant",
    "data.garbled",
    "data.encoding",
}


def random_file(rng):
    """A file's name, its bytes, and what is in it."""
    numeric = rng.random() < 0.4
    k, n = int(rng.integers(2, 16)), int(rng.integers(0, 60))
    labels = [*range(k), *range(k), *rng.choice(k, n, p=rng.dirichlet([0.6] * k))]
    labels = [NAMES[i] for i in rng.permutation(labels)]
    few = rng.random() < 0.5
    cells = [_cells(rng, numeric, few) for _ in labels]
    header = ["x", "y", "z"] if numeric else ["text"]
    if numeric and rng.random() < 0.2:
        cells = [(7.0, *others) for _, *others in cells]
    rows = [list(row) for row in cells]
    told = Brought([tuple(row) for row in cells], labels)
    level = [name for j, name in enumerate(header) if len({row[j] for row in cells}) == 1]
    if numeric and level:
        told.odd["data.constant"] = level
    if not numeric and rng.random() < 0.2:
        told.odd["data.garbled"] = [i for i, row in enumerate(rows) if not row[0].isascii()]
        for i in told.odd["data.garbled"]:
            rows[i][0] = rows[i][0].encode().decode("latin-1")
        told.inputs = [tuple(row) for row in rows]
    if numeric and rng.random() < 0.3:
        header.append("station")
        told.odd["data.no_features"] = ["station"]
        for i, row in enumerate(rows):
            row.append(f"station {i}")
    if numeric and rng.random() < 0.3:
        header.append("wet")
        told.odd["data.truths"] = ["wet"]
        wet = [bool(rng.integers(2)) for _ in rows]
        told.inputs = [(*row, float(one)) for row, one in zip(told.inputs, wet, strict=True)]
        if len(set(wet)) == 1:
            told.odd.setdefault("data.constant", []).append("wet")
        for row, one in zip(rows, wet, strict=True):
            row.append(one)
    header.append("label")
    for row, label in zip(rows, labels, strict=True):
        row.append(label)
    if rng.random() < 0.3 and _splits(rng, told):
        header.append("split")
        for row, word in zip(rows, told.split, strict=True):
            row.append(word)
    return _written(rng, header, rows, told, numeric)


def _cells(rng, numeric, few):
    if numeric:
        return tuple(float(v) for v in (rng.integers(0, 2, 3) if few else rng.normal(size=3)))
    return (" ".join(rng.choice(WORDS[:2] if few else WORDS, 2 if few else 5)),)


def _splits(rng, told):
    """A word for each row; every class has a row to learn from."""
    words = [str(rng.choice(["train", "train", "test", "dev"])) for _ in told.labels]
    for label in set(told.labels):
        words[told.labels.index(label)] = "train"
    if not {"test", "dev"} & set(words):
        return False
    told.split = words
    return True


def _written(rng, header, rows, told, numeric):
    form = str(rng.choice(["csv", "jsonl", "json", "xlsx"]))
    name = f"my_{form}_*file*.{form}"
    if form in ("json", "jsonl"):
        records = [dict(zip(header, row, strict=True)) for row in rows]
        if rng.random() < 0.4:
            told.odd["data.nested_columns"] = ["meta", "tags"]
            for record in records:
                record |= {"meta": {"a": 1}, "tags": ["b"]}
        told.numbers, told.unit = list(range(1, len(rows) + 1)), "entry"
        if form == "jsonl":
            told.unit = "line"
            return name, "\n".join(map(json.dumps, records)).encode(), told
        wrapped = records if rng.random() < 0.5 else {"version": 1, "rows": records}
        return name, json.dumps(wrapped).encode(), told
    if rng.random() < 0.3:
        told.odd["data.row_numbers"] = True
        header = ["id", *header]
        rows = [[i, *row] for i, row in enumerate(rows)]
    grid = [header, *rows]
    told.header = 1
    if form == "xlsx":
        if rng.random() < 0.5:
            told.odd["data.title_rows"] = [1]
            grid, told.header = [["A survey of mine"], [], *grid], 3
        book = openpyxl.Workbook()
        for row in grid:
            book.active.append(row)
        file = io.BytesIO()
        book.save(file)
        contents = file.getvalue()
    else:
        fractions = numeric and any(not v.is_integer() for v in told.inputs[0])
        if fractions and not told.odd and not told.split and told.labels.count(told.labels[0]) > 1:
            told.odd["data.no_header"] = True
            grid, told.header = rows, None
        file = io.StringIO()
        csv.writer(file, delimiter=str(rng.choice([",", ";", "\t"]))).writerows(grid)
        contents = file.getvalue().encode()
        western = not numeric and "data.garbled" not in told.odd and "größe" in file.getvalue()
        if western and rng.random() < 0.5:
            told.odd["data.encoding"] = "cp1252"
            contents = file.getvalue().encode("cp1252")
    told.numbers = [(told.header or 0) + 1 + i for i in range(len(rows))]
    return name, contents, told


def test_all_that_is_said_of_random_files_is_true_and_nothing_is_left_unsaid():
    seen = set()
    for seed in range(FILES):
        rng = np.random.default_rng(seed)
        name, contents, told = random_file(rng)
        label = {"label": "column 4"} if "data.no_header" in told.odd else {}
        dataset = read_dataset(io.BytesIO(contents), name, **label)
        shots = dataset.shots_available[-1]
        episode = dataset.draw(shots, seed % 10)
        context = {
            "brought": told,
            "dataset": dataset,
            "episode": episode,
            "brought_of": told.inputs,
            "contents": contents,
        }
        facts = (*dataset.warnings, *dataset.facts(), *dataset.count_facts(), *episode.warnings)
        facts = (*facts, *(f for each in (1, shots) for f in dataset.draws_facts(each)))
        kinds = check_facts(facts, None, **context)
        assert kinds & ALWAYS_TOLD == {k for k, odd in told.odd.items() if odd}, (seed, name)
        assert ("data.repeats" in kinds) == _repeats(told), (seed, name)
        assert ("data.contradictions" in kinds) == _contradicts(told), (seed, name)
        sizes = [told.count(label) for label in set(told.labels)]
        assert ("data.imbalance" in kinds) == (max(sizes) >= IMBALANCED * min(sizes)), (seed, name)
        again = [told.inputs[row] for row in episode.support]
        assert ("draw.repeats" in kinds) == any(told.inputs[r] in again for r in episode.query)
        seen |= kinds
    assert seen >= ALWAYS_TOLD | {
        *("data.repeats", "data.contradictions", "data.overlap", "data.validation"),
        *("data.imbalance", "draw.repeats", "dataset.counts"),
    }


def _repeats(told):
    both = list(zip(told.inputs, told.labels, strict=True))
    return len(set(both)) < len(both)


def _contradicts(told):
    both = set(zip(told.inputs, told.labels, strict=True))
    return len({x for x, _ in both}) < len(both)


@pytest.mark.parametrize("seed", range(20))
def test_all_that_is_said_of_a_leopard_task_is_true(tmp_path, seed):
    rng = np.random.default_rng(seed)

    def rows(n, lost=0.0):
        made = []
        for i in range(n):
            words = [str(w) for w in rng.choice(WORDS, 3)]
            text = "" if rng.random() < 0.01 else f"{' '.join(words)} {rng.integers(10**6)}"
            mention = "elsewhere" if rng.random() < lost or not text else words[i % 3]
            made.append({"label": NAMES[i % 3], "sentence1": text, "sentence2": mention})
        return made

    test = rows(40, lost=0.02)
    (tmp_path / "task_eval.json").write_text(json.dumps(test))
    every = list(test)
    for draw in range(3):
        learnt = rows(6 - draw)  # some draws lack a row of a class
        if draw == 1:
            learnt[0] = test[0]
        every += learnt
        (tmp_path / f"task_train_{draw}_2.json").write_text(json.dumps(learnt))
    others = [f"other_train_{i}_2.json" for i in range(seed % 10)]
    for name in others:
        (tmp_path / name).write_text("[]")
    dataset = read_leopard(tmp_path)
    brought = Brought(
        [(r["sentence1"], r["sentence2"]) for r in every], [r["label"] for r in every]
    )
    brought_test = Brought(
        brought.inputs[:40], brought.labels[:40], list(range(1, 41)), unit="entry"
    )
    brought_test.odd["data.left_out_files"] = others
    for told in dataset.warnings:
        of = brought if told.kind in ("data.blank", "data.lost_mentions") else brought_test
        if told.kind != "data.overlap":
            check_facts([told], None, brought=of)
        else:
            assert told["n"] == 1
    kinds = {told.kind for told in dataset.warnings}
    assert ("data.left_out_files" in kinds) == bool(others)
    assert ("data.lost_mentions" in kinds) == any(of not in text for text, of in brought.inputs)
    for draw in range(3):
        episode = dataset.draw(2, draw)
        inputs = [
            (text, span)
            for text, span in zip(dataset.examples.texts, dataset.examples.spans, strict=True)
        ]
        kinds = check_facts(episode.warnings, None, episode=episode, brought_of=inputs)
        assert ("draw.uneven" in kinds) == (draw > 0)
        assert draw != 1 or "draw.repeats" in kinds


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
        (["01", "1", "1.0", "2", "-2"], [("01", "1")]),
        (["Good", "good", "go od", "bad"], [("Good", "go od"), ("Good", "good")]),
        (
            ["caf\u00e9", "cafe\u0301", "cafe", "1\u200b", "1"],
            [("1", "1\u200b"), ("cafe\u0301", "caf\u00e9")],
        ),
        (
            ["A", "a", "B", "b", "C", "c", "D", "d"],
            [("A", "a"), ("B", "b"), ("C", "c"), ("D", "d")],
        ),
        (["nan", "inf", "0", "a-b", "a b", str(10**18), str(10**18 + 1)], []),
    ],
)
def test_classes_that_may_be_one_are_remarked_on(names, pairs):
    labels = sorted(names * 2)
    text = "text,label\n" + "".join(f"row {i},{label}\n" for i, label in enumerate(labels))
    told = read_dataset(io.BytesIO(text.encode()), "mine.csv").warnings
    brought = Brought([], labels, odd={"data.alike_names": pairs})
    assert check_facts(told, None, brought=brought) == (
        {"data.alike_names", "data.alike"} if pairs else set()
    )


def test_cells_that_are_merged_down_count_in_each_of_their_rows():
    book, file = openpyxl.Workbook(), io.BytesIO()
    rows = [("A survey", None, None), ("mood", "text", "note")]
    rows += [("ab"[i // 4], f"row {i}", None) for i in range(8)]
    for row in rows:
        book.active.append(row)
    for cells in ("A1:C1", "A3:A6", "A7:A12", "C4:C5"):
        book.active.merge_cells(cells)
    book.save(file)
    dataset = read_dataset(file, "mine.xlsx", label="mood")
    assert dataset.labels.tolist() == list("aaaabbbb")
    brought = Brought(header=2, odd={"data.title_rows": [1], "data.merged": [4, 5, 6, 8, 9, 10]})
    assert check_facts(dataset.warnings, None, brought=brought) == brought.odd.keys()


def test_damage_is_counted():
    text = "text,label\n" + "".join(f"größere Übung {i},{'ab'[i % 2]}\n" for i in range(40))
    contents = text.encode().replace("ö".encode(), b"\xc3", 2)
    told = read_dataset(io.BytesIO(contents), "cut.csv").warnings
    assert check_facts(told, None, brought=Brought(odd={"data.damaged": 2})) == {"data.damaged"}


@pytest.mark.parametrize("n", [1, 2, 5_000])
def test_what_is_under_way_is_counted(n):
    facts = (encoding_fact(n, "An encoder"), layout_fact(n), *to_encode_facts(n))
    assert len(check_facts(facts, None, n=n)) == 3
    assert not cut_facts(0, n)
    cut = [True] * min(n, 2) + [False] * (n - 2)
    check_facts(cut_facts(min(n, 2), n), None, cut=cut)


def test_a_dataset_that_is_not_there_is_named_with_what_is_shown():
    titles = ["Airline tweets", "Mine"]
    told = missing_facts("Theirs", "Airline tweets", titles, 5.0)
    assert check_facts(told, None, titles=titles) == {"strip.missing"}
