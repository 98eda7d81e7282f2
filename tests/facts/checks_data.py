"""What is said of a file, of a dataset and its draws, and in the frame of each page."""

import math
from dataclasses import dataclass, field

import numpy as np
from facts_book import Saying, check, near, subject

from slp_core.evaluation.draws import Spread, chosen_facts, right_facts, spread_facts

IMBALANCED = 8  # largest class over smallest


@dataclass
class Brought:
    """What stands in a file, as it was written: the truth that its sentences are checked by."""

    inputs: list = field(default_factory=list)
    labels: list = field(default_factory=list)
    numbers: list = field(default_factory=list)  # where in the file each row stands
    header: int | None = None
    unit: str = "row"
    split: list | None = None
    odd: dict = field(default_factory=dict)  # kind of fact -> what was done to the file

    def places(self, rows):
        return tuple(self.numbers[row] for row in rows)

    def count(self, label):
        return sum(1 for other in self.labels if other == label)


@subject
def strip(case):
    yield Saying(right_facts(case.true, case.predicted))
    yield Saying(chosen_facts("A *dataset*", "An encoder", 1 + case.seed % 3, 2, case.method.title))
    if len(case.X) > 2:
        parts = [slice(0, 1), slice(1, None)][: 1 + case.seed % 2]
        right = [(case.predicted[p] == case.true[p]).mean() for p in parts]
        spread = Spread(tuple(range(len(parts))), np.array(right))
        yield Saying(spread_facts(spread), {"parts": parts})


@check("strip.chosen")
def _(fact, case, **_):
    assert fact["method"] == case.method.title
    assert (fact["shots"], fact["draw"]) == (1 + case.seed % 3, 2)
    assert ("shots" in fact.template.replace("{shots", "")) == (fact["shots"] != 1)


@check("strip.nothing_asked")
def _(fact, case, **_):
    assert not len(case.X)


@check("strip.right")
def _(fact, case, **_):
    right = sum(1 for answer, true in zip(case.predicted, case.true, strict=True) if answer == true)
    assert fact["n"] == len(case.true)
    assert near(fact["accuracy"], right / len(case.true))


def accuracies(case, parts):
    for part in parts:
        pairs = list(zip(case.predicted[part], case.true[part], strict=True))
        yield sum(1 for answer, true in pairs if answer == true) / len(pairs)


@check("strip.spread")
def _(fact, case, *, parts, **_):
    each = list(accuracies(case, parts))
    mean = sum(each) / len(each)
    assert fact["n"] == len(parts) > 1
    assert near(fact["mean"], mean)
    assert near(fact["std"], 100 * math.sqrt(sum((a - mean) ** 2 for a in each) / len(each)))


@check("strip.one_draw")
def _(fact, case, *, parts, **_):
    assert len(parts) == 1


@check("strip.missing")
def _(fact, case, *, titles, **_):
    assert fact["asked"] not in titles
    assert fact["instead"] in titles
    assert fact["minutes"] == 5


@check("job.encoding", "job.layout", "job.to_encode")
def _(fact, case, *, n, **_):
    assert fact["n"] == n
    assert ("examples" in fact.template) == (n != 1)


@check("data.cut")
def _(fact, case, *, cut, **_):
    assert fact["cut"] == sum(cut) > 0
    assert fact["n"] == len(cut)


# --- files ------------------------------------------------------------------------------------


def where(fact, brought, rows):
    """The rows that a fact names are these."""
    assert fact["where"].numbers == brought.places(rows)
    assert fact["where"].unit == brought.unit
    assert brought.unit != "row" or fact["where"].header == brought.header


@check("data.repeats")
def _(fact, case, *, brought, **_):
    both = list(zip(brought.inputs, brought.labels, strict=True))
    rows = [i for i in range(len(both)) if any(both[j] == both[i] for j in range(i))]
    assert fact["n"] == len(rows) > 0
    where(fact, brought, rows)


@check("data.contradictions")
def _(fact, case, *, brought, **_):
    rows = []
    for i, (x, y) in enumerate(zip(brought.inputs, brought.labels, strict=True)):
        if brought.labels[brought.inputs.index(x)] != y:
            rows.append(i)
    assert fact["n"] == len(rows) > 0
    where(fact, brought, rows)


def of_split(brought, *words):
    return [i for i, word in enumerate(brought.split) if word in words]


def judged(brought):
    return of_split(brought, "test") or of_split(brought, "dev")


@check("data.overlap")
def _(fact, case, *, brought, **_):
    asked = [brought.inputs[i] for i in judged(brought)]
    again = [i for i in of_split(brought, "train") if brought.inputs[i] in asked]
    assert fact["n"] == len(again) > 0


@check("data.validation")
def _(fact, case, *, brought, **_):
    assert of_split(brought, "test")
    assert fact["n"] == len(of_split(brought, "dev")) > 0


@check("data.imbalance")
def _(fact, case, *, brought, **_):
    counts = {label: brought.count(label) for label in brought.labels}
    assert fact["most"] == counts[fact["largest"]] == max(counts.values())
    assert fact["least"] == counts[fact["smallest"]] == min(counts.values())
    assert fact["most"] >= IMBALANCED * fact["least"]
    for name in (fact["largest"], fact["smallest"]):
        assert sorted(counts)[name.place] == name


@check("data.row_numbers", "data.no_header")
def _(fact, case, *, brought, **_):
    assert brought.odd[fact.kind]


@check("data.title_rows")
def _(fact, case, *, brought, **_):
    assert fact["where"].numbers == tuple(brought.odd[fact.kind])
    assert max(fact["where"].numbers) < brought.header


@check("data.nested_columns", "data.no_features", "data.constant", "data.truths")
def _(fact, case, *, brought, **_):
    names = brought.odd[fact.kind]
    said = list(fact["columns"].items)
    assert [name for name in said if name != "…"] == names[: len(said) - ("…" in said)]
    assert ("…" in said) == (len(said) - 1 < len(names) and "…" in said)
    assert ("…" in said) or len(said) == len(names)
    assert fact.values.get("n", len(names)) == len(names)


@check("data.merged")
def _(fact, case, *, brought, **_):
    assert fact["where"].numbers == tuple(brought.odd[fact.kind])


@check("data.alike_names")
def _(fact, case, *, brought, **_):
    assert [(each["a"], each["b"]) for each in fact["pairs"].items] == brought.odd[fact.kind][:3]
    assert fact["pairs"].more == max(0, len(brought.odd[fact.kind]) - 3)


@check("data.alike")
def _(fact, case, *, brought, **_):
    for name in (fact["a"], fact["b"]):
        assert sorted(set(brought.labels))[name.place] == name


@check("data.left_out_files")
def _(fact, case, *, brought, **_):
    files = brought.odd[fact.kind]
    assert [*fact["files"].items] == files[: len(fact["files"].items)]
    assert fact["files"].more == len(files) - len(fact["files"].items)
    assert not [name for name in files if f"{fact['task']}_eval.json" == name]


@check("data.garbled")
def _(fact, case, *, brought, **_):
    where(fact, brought, brought.odd[fact.kind])


@check("data.encoding")
def _(fact, case, *, brought, contents, **_):
    assert "größe" in contents.decode(fact["encoding"])


@check("data.damaged")
def _(fact, case, *, brought, **_):
    assert fact["n"] == brought.odd[fact.kind]


@check("data.blank")
def _(fact, case, *, brought, **_):
    assert fact["n"] == sum(1 for x in brought.inputs if not x[0].strip()) > 0


@check("data.lost_mentions")
def _(fact, case, *, brought, **_):
    assert fact["n"] == sum(1 for text, of in brought.inputs if of not in text) > 0


# --- datasets and draws -----------------------------------------------------------------------


@check("dataset.size")
def _(fact, case, *, brought, dataset, **_):
    assert (fact["n"], fact["k"]) == (len(brought.labels), len(set(brought.labels)))
    assert [each["shots"] for each in fact["draws"].items] == list(dataset.shots_available)


@check("dataset.draws")
def _(fact, case, *, dataset, **_):
    own = dataset.own_draws is not None
    held = []
    for number in range(12 if own else 10):
        try:
            rows = set(dataset.draw(fact["shots"], number).support)
        except ValueError:
            continue
        if own or rows not in held:
            held.append(rows)
    assert fact["n"] == len(held)


@check("dataset.draws_alike")
def _(fact, case, *, dataset, **_):
    chosen = [set(dataset.draw(fact["shots"], number).support) for number in range(10)]
    assert fact["m"] == len(chosen) > fact["n"]
    assert fact["n"] == sum(rows not in chosen[:i] for i, rows in enumerate(chosen))


@check("dataset.counts")
def _(fact, case, *, brought, **_):
    classes = sorted(set(brought.labels))
    assert (fact["n"], fact["k"]) == (len(brought.labels), len(classes))
    named = [each["name"] for each in fact["each"].items]
    assert named == classes[: len(named)]
    assert fact["each"].more == len(classes) - len(named)


@check("dataset.class_size")
def _(fact, case, *, brought, **_):
    assert fact["n"] == brought.count(fact["name"]) > 0
    assert sorted(set(brought.labels))[fact["name"].place] == fact["name"]


def support_of(episode, name):
    return sum(1 for row in episode.support if episode.dataset.labels[row] == name)


@check("draw.uneven")
def _(fact, case, *, episode, **_):
    assert fact["shots"] == episode.shots
    odd = [c for c in episode.dataset.classes if support_of(episode, c) != episode.shots]
    assert [each["name"] for each in fact["odd"].items] == odd
    assert odd


@check("draw.class_size")
def _(fact, case, *, episode, **_):
    assert fact["n"] == support_of(episode, fact["name"])
    assert episode.dataset.classes[fact["name"].place] == fact["name"]


@check("draw.repeats")
def _(fact, case, *, episode, brought_of, **_):
    learnt = [brought_of[row] for row in episode.support]
    assert fact["n"] == sum(1 for row in episode.query if brought_of[row] in learnt) > 0
    numbers = episode.dataset.kind == "numeric"
    assert fact["same"] == ("number for number" if numbers else "word for word")
