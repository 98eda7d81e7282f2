"""What is said of files that somebody brings: random ones, written here, so that all is known."""

import csv
import io
import json
from dataclasses import dataclass, field

import numpy as np
import openpyxl
import pytest

from slp_core.data import read_dataset, read_leopard, remarks
from slp_core.data.remarks import Places
from slp_core.sentences import ClassName, class_names

IMBALANCED = 8  # largest class over smallest
NAMES = ("dawn", "dusk", "noon", "*night*", "7", ":smile:", "äöü", *(f"hour {i}" for i in range(9)))
WORDS = ("wind", "rain", "größe", "sun", "cloud", "frost", "naïve", "heat", "mist", "hail")


@dataclass
class Written:
    """What stands in a file: the truth that its remarks are checked by."""

    name: str
    inputs: list
    labels: list
    numbers: list = field(default_factory=list)  # where in the file each row stands
    header: int | None = None
    unit: str = "row"
    split: list | None = None
    odd: dict = field(default_factory=dict)  # remark -> what was done to the file

    def places(self, rows):
        header = self.header if self.unit == "row" else 1
        return Places(tuple(self.numbers[row] for row in rows), self.unit, header)


def random_file(rng):
    """The bytes of a file, and what was written into it."""
    numeric = rng.random() < 0.4
    k, n = int(rng.integers(2, 16)), int(rng.integers(0, 60))
    labels = [*range(k), *range(k), *rng.choice(k, n, p=rng.dirichlet([0.6] * k))]
    labels = [NAMES[i] for i in rng.permutation(labels)]
    few = rng.random() < 0.5
    cells = [_cells(rng, numeric, few) for _ in labels]
    header = ["x", "y", "z"] if numeric else ["text"]
    rows = [list(row) for row in cells]
    written = Written("", inputs=[tuple(row) for row in cells], labels=labels)
    if not numeric and rng.random() < 0.2:
        written.odd["garbled"] = [i for i, row in enumerate(rows) if not row[0].isascii()]
        for i in written.odd["garbled"]:
            rows[i][0] = rows[i][0].encode().decode("latin-1")
        written.inputs = [tuple(row) for row in rows]
    if numeric and rng.random() < 0.3:
        header.append("station")
        written.odd["no_features"] = ["station"]
        for i, row in enumerate(rows):
            row.append(f"station {i}")
    if numeric and rng.random() < 0.3:
        header.append("wet")
        written.odd["truths"] = ["wet"]
        wet = [bool(rng.integers(2)) for _ in rows]
        written.inputs = [(*row, float(one)) for row, one in zip(written.inputs, wet, strict=True)]
        for row, one in zip(rows, wet, strict=True):
            row.append(one)
    header.append("label")
    for row, label in zip(rows, labels, strict=True):
        row.append(label)
    if rng.random() < 0.3 and _splits(rng, written):
        header.append("split")
        for row, word in zip(rows, written.split, strict=True):
            row.append(word)
    return _written(rng, header, rows, written, numeric)


def _cells(rng, numeric, few):
    if numeric:
        return tuple(float(v) for v in (rng.integers(0, 2, 3) if few else rng.normal(size=3)))
    return (" ".join(rng.choice(WORDS[:2] if few else WORDS, 2 if few else 5)),)


def _splits(rng, written):
    """A word for each row; every class has a row to learn from."""
    words = [str(rng.choice(["train", "train", "test", "dev"])) for _ in written.labels]
    for label in set(written.labels):
        words[written.labels.index(label)] = "train"
    if not {"test", "dev"} & set(words):
        return False
    written.split = words
    return True


def _written(rng, header, rows, written, numeric):
    form = str(rng.choice(["csv", "jsonl", "json", "xlsx"]))
    written.name, written.odd["numeric"] = f"my_{form}_*file*.{form}", numeric
    if form in ("json", "jsonl"):
        records = [dict(zip(header, row, strict=True)) for row in rows]
        if rng.random() < 0.4:
            written.odd["nested_columns"] = ["meta", "tags"]
            for record in records:
                record |= {"meta": {"a": 1}, "tags": [["b"]]}
        written.numbers, written.unit = list(range(1, len(rows) + 1)), "entry"
        if form == "jsonl":
            written.unit = "line"
            return "\n".join(map(json.dumps, records)).encode(), written
        wrapped = records if rng.random() < 0.5 else {"version": 1, "rows": records}
        return json.dumps(wrapped).encode(), written
    if rng.random() < 0.3:
        written.odd["row_numbers"] = True
        header = ["id", *header]
        rows = [[i, *row] for i, row in enumerate(rows)]
    grid = [header, *rows]
    written.header = 1
    if form == "xlsx":
        if rng.random() < 0.5:
            written.odd["title_rows"] = [1]
            grid, written.header = [["A survey of mine"], [], *grid], 3
        book = openpyxl.Workbook()
        for row in grid:
            book.active.append(row)
        file = io.BytesIO()
        book.save(file)
        contents = file.getvalue()
    else:
        fractions = numeric and any(not v.is_integer() for v in written.inputs[0])
        if (
            fractions
            and not written.odd
            and not written.split
            and written.labels.count(written.labels[0]) > 1
        ):
            written.odd["no_header"] = True
            grid, written.header = rows, None
        file = io.StringIO()
        csv.writer(file, delimiter=str(rng.choice([",", ";", "\t"]))).writerows(grid)
        contents = file.getvalue().encode()
        western = not numeric and "garbled" not in written.odd and "größe" in file.getvalue()
        if western and rng.random() < 0.5:
            written.odd["encoding"] = "cp1252"
            contents = file.getvalue().encode("cp1252")
    written.numbers = [(written.header or 0) + 1 + i for i in range(len(rows))]
    return contents, written


def expected(written):
    """Every remark that the file must get, by brute force."""
    both, file = list(zip(written.inputs, written.labels, strict=True)), written.name
    n, odd = len(both), written.odd
    if rows := odd.get("garbled"):
        yield remarks.garbled(file, written.places(rows))
    if columns := odd.get("no_features"):
        yield remarks.unused(file, "Columns without numbers", columns)
    if columns := odd.get("truths"):
        yield remarks.truths(file, columns)
    if columns := odd.get("nested_columns"):
        yield remarks.unused(file, "Columns of lists or objects", columns)
    if "row_numbers" in odd:
        yield remarks.row_numbers(file, "id")
    if rows := odd.get("title_rows"):
        yield remarks.title_rows(file, Places(tuple(rows)))
    if "no_header" in odd:
        yield remarks.no_header(file)
    if rows := [i for i in range(n) if any(both[j] == both[i] for j in range(i))]:
        yield remarks.duplicates(file, written.places(rows))
    first = dict(reversed(both))
    if rows := [i for i, (x, y) in enumerate(both) if first[x] != y]:
        yield remarks.contradictions(
            file, "numbers" if written.odd["numeric"] else "text", written.places(rows)
        )
    if written.split:
        of = {word: [i for i in range(n) if written.split[i] == word] for word in written.split}
        query = of.get("test") or of["dev"]
        asked = [written.inputs[i] for i in query]
        if again := [i for i in of["train"] if written.inputs[i] in asked]:
            yield remarks.overlap(file, len(again))
        if "test" in of and "dev" in of:
            yield remarks.unused_validation(file, len(of["dev"]))
    names = sorted(set(written.labels))
    sizes = [written.labels.count(name) for name in names]
    if max(sizes) >= IMBALANCED * min(sizes):
        big, small = (sizes.index(f(sizes)) for f in (max, min))
        sides = [(ClassName(names[i], i), sizes[i]) for i in (big, small)]
        yield remarks.imbalance(file, *sides)


def test_all_that_is_said_of_random_files_is_true_and_nothing_is_left_unsaid():
    seen = set()
    for seed in range(80):
        contents, written = random_file(np.random.default_rng(seed))
        label = {"label": "column 4"} if "no_header" in written.odd else {}
        dataset = read_dataset(io.BytesIO(contents), written.name, **label)
        said = [r for r in dataset.warnings if "not UTF-8" not in r]
        assert ("encoding" in written.odd) == (len(said) < len(dataset.warnings)), seed
        assert sorted(said) == sorted(expected(written)), seed
        seen |= written.odd.keys()

        shots = dataset.shots_available[-1]
        episode = dataset.draw(shots, seed % 10)
        again = [written.inputs[row] for row in episode.support]
        repeats = sum(written.inputs[row] in again for row in episode.query)
        given = [dataset.labels[row] for row in episode.support]
        sizes = {name: given.count(name) for name in class_names(dataset.classes)}
        odd = {name: n for name, n in sizes.items() if n != shots}
        assert all(n == written.labels.count(name) for name, n in odd.items()) or written.split
        untested = set(range(len(sizes))) - set(episode.y_query.tolist())
        lacking = [name for k, name in enumerate(sizes) if k in untested]
        uneven = (remarks.uneven_support(shots, odd),) if odd else ()
        repeated = (remarks.repeated_support(repeats),) if repeats else ()
        lacks = (remarks.untested(lacking),) if lacking else ()
        assert episode.warnings == uneven + lacks + repeated
        counts = {name: written.labels.count(name) for name in written.labels}
        assert dataset.counts_text() == remarks.class_counts(sorted(counts), counts)
        for each in (1, shots):
            chosen = {frozenset(dataset.draw(each, draw).support) for draw in range(10)}
            text = remarks.repeated_draws(len(chosen), 10) if len(chosen) < 10 else ""
            assert dataset.repeated_draws(each) == text
            assert len(dataset.available_draws(each)) == len(chosen)
    assert seen >= {"garbled", "no_features", "truths", "nested_columns", "encoding"}


@pytest.mark.parametrize("seed", range(10))
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
    said = " ".join(dataset.warnings)
    assert ("are left out: " in said) == bool(others)
    lost = sum(row["sentence2"] not in row["sentence1"] for row in every)
    assert (f"{lost} mention" in said) == bool(lost)
    blank = sum(not row["sentence1"] for row in every)
    assert (f"{blank} row" in said) == bool(blank)
    inputs = list(zip(dataset.examples.texts, dataset.examples.spans, strict=True))
    for draw in range(3):
        episode = dataset.draw(2, draw)
        sizes = dict.fromkeys(class_names(dataset.classes), 0)
        for row in episode.support:
            sizes[class_names(dataset.classes)[dataset.y[row]]] += 1
        odd = {name: n for name, n in sizes.items() if n != 2}
        again = sum(inputs[q] in [inputs[s] for s in episode.support] for q in episode.query)
        assert episode.warnings == (
            *([remarks.uneven_support(2, odd)] if odd else []),
            *([remarks.repeated_support(again)] if again else []),
        )
        assert bool(odd) == (draw > 0)
        assert bool(again) or draw != 1


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
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
    text = "text,label\n" + "".join(f"row {i},{label}\n" for i, label in enumerate(names * 2))
    dataset = read_dataset(io.BytesIO(text.encode()), "mine.csv")
    place = {name: i for i, name in enumerate(dataset.classes)}
    found = [tuple(ClassName(name, place[name]) for name in pair) for pair in pairs]
    alike = (remarks.alike_classes("mine.csv", found),) if pairs else ()
    assert tuple(r for r in dataset.warnings if "left out" not in r) == alike


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
    merged = remarks.merged_cells("mine.xlsx", Places((4, 5, 6, 8, 9, 10)))
    assert set(dataset.warnings) == {merged, remarks.title_rows("mine.xlsx", Places((1,)))}


def test_damage_is_counted():
    text = "text,label\n" + "".join(f"größere Übung {i},{'ab'[i % 2]}\n" for i in range(40))
    contents = text.encode().replace("ö".encode(), b"\xc3", 2)
    dataset = read_dataset(io.BytesIO(contents), "cut.csv")
    assert dataset.warnings == (remarks.damaged("cut.csv", 2),)


GOOD, BAD = class_names(["good", "$bad$"])


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            remarks.duplicates("a_b.csv", Places((4,), header=1)),
            "a\\_b.csv has 1 duplicate row: row 4 (the header is row 1).",
        ),
        (
            remarks.contradictions("a.json", "text", Places(tuple(range(1, 8)), "entry")),
            "a.json has 7 rows labelled differently from an earlier row with the same text: "
            "entries 1, 2, 3, 4, 5 and 2 more (the first is entry 1).",
        ),
        (
            remarks.imbalance("a.csv", (GOOD, 1600), (BAD, 1)),
            "a.csv is strongly imbalanced (●\u00a0“good”: 1,600 rows; ■\u00a0“\\$bad\\$”: 1 row): "
            "look at macro-F1 as well as accuracy.",
        ),
        (
            remarks.alike_classes("a.csv", [(GOOD, BAD), (BAD, GOOD)]),
            "Class names in a.csv differ only in case or spaces: "
            "●\u00a0“good” / ■\u00a0“\\$bad\\$” and ■\u00a0“\\$bad\\$” / ●\u00a0“good”. "
            "Write them alike if they mean the same class.",
        ),
        (
            remarks.unused("a.csv", "Columns without numbers", list("abcde")),
            "Columns without numbers in a.csv are not used: “a”, “b”, “c” and 2 more.",
        ),
        (
            remarks.uneven_support(4, {GOOD: 3}),
            "Not every class has 4 shots in this support set (●\u00a0“good”: 3).",
        ),
        (
            remarks.untested([GOOD, BAD]),
            "No examples of ●\u00a0“good” and ■\u00a0“\\$bad\\$” are left to test on: accuracy "
            "does not cover them.",
        ),
        (remarks.size(1, 2, {}), "1 row, 2 classes."),
        (
            remarks.size(2000, 1, {1: 1, 4: 10}),
            "2,000 rows, 1 class; 1 support set of 1 shot and 10 support sets of 4 shots.",
        ),
        (
            remarks.class_counts(["good"], {"good": 3}),
            "**3 examples, 1 class**: ●\u00a0“good” 3.",
        ),
        (
            remarks.repeated_support(2),
            "2 query examples identical to a support example: accuracy may be too high.",
        ),
    ],
)
def test_remarks_read_well(said, text):
    assert said == text
