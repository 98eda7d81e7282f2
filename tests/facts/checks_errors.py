"""Why points are answered wrongly: causes, the first sentence of Explain, what a filter leaves."""

import numpy as np
from facts_book import Saying, check, near, subject

from slp_core.explain import read_causes
from slp_core.explain.headline import headline
from slp_core.methods.protocols import has_lines

CLOSE = 1e-9  # scores nearer than this tie


@subject
def causes(case):
    read = read_causes(case.model, case.X, case.true, case.centroids)
    by_hand = ByHand(case)
    told = headline(case.model, case.X, case.true, "The method", read)
    by_hand.main = next((f["cause"] for f in told.facts() if "cause" in f.values), None)
    for facts in (read.facts(), read.rescued_facts(), told.facts()):
        yield Saying(facts, {"hand": by_hand})
    for line in range(min(read.n_lines, 3)):
        opens = read.opening(line)
        if opens is not None:
            yield Saying(opens.facts(), {"hand": by_hand})


@subject
def filters(case):
    if case.seed % 4 != 1:
        return
    read = read_causes(case.model, case.X, case.true, case.centroids)
    rng, by_hand = np.random.default_rng(case.seed), ByHand(case)
    for _ in range(3):
        asked = {
            "cause": str(rng.choice([*read.kinds])),
            "true": int(rng.integers(len(case.classes))),
            "line": int(rng.integers(read.n_lines)) if read.n_lines else None,
            "margin": float(rng.choice([0.0, 0.01, 0.3])),
        }
        asked = {k: v for k, v in asked.items() if v is not None and rng.random() < 0.4}
        yield Saying(read.left_by_facts(**asked), {"hand": by_hand, "asked": asked})
    shown = rng.random(len(case.X)) < rng.choice([0.0, 0.5, 1.0])
    yield Saying(read.shown_facts(shown), {"hand": by_hand, "asked": shown})


class ByHand:
    """Every point's line, w and cause by loops; more than one cause where scores tie."""

    def __init__(self, case):
        self.case, m = case, len(case.X)
        self.lead = [
            row[true] - max([p for c, p in enumerate(row) if c != true], default=0.0)
            for row, true in zip(case.probability.tolist(), case.true.tolist(), strict=True)
        ]
        self.wrong = [i for i in range(m) if case.predicted[i] != case.true[i]]
        model = case.model
        self.on_lines = has_lines(model) and max(len(line.classes) for line in model.lines_) > 1
        self.line = model.place(case.X).line.tolist() if self.on_lines and m else [None] * m
        self.labels = model.vote_labels(case.X) if self.on_lines and m else None
        self.causes = [self._causes(i) if i in self.wrong else set() for i in range(m)]
        self.main = None  # what the first sentence calls the main cause

    def _causes(self, i):
        case, model = self.case, self.case.model
        true = case.true[i]
        if case.nearest[i] != true:
            return {"embedding"}
        if not self.on_lines:
            return {"rule"}
        line = model.lines_[self.line[i]]
        if true not in line.classes:
            return {"line"}
        scores = self.scores(i, self._w_of(*self._along(i)))
        others = max((s for c, s in scores.items() if c != true), default=-np.inf)
        if true in scores and abs(scores[true] - others) <= 1e-7 * max(1, abs(others)):
            return {"concentration", "off_line"}
        right_along = true in scores and scores[true] > others
        return {"concentration" if right_along else "off_line"}

    def scores(self, i, w):
        """By class, at some w with the soft labels that hold at the point."""
        left, right = self.labels[i]
        able = np.isfinite(left) & np.isfinite(right)
        return {c: w * left[c] + (1 - w) * right[c] for c in np.flatnonzero(able)}

    def w(self, i):
        model, x = self.case.model, self.case.X[i]
        if model.distance == "along_line":
            return self._w_of(*self._along(i))
        return self._w_of(*(np.linalg.norm(x - end) for end in model.prototypes_[self.line[i]]))

    def _along(self, i):
        """Distances of the point's foot on the line from its ends."""
        left, right = self.case.model.prototypes_[self.line[i]]
        length = np.linalg.norm(right - left)
        to_left = 0.0
        if length > 0:
            to_left = np.clip((self.case.X[i] - left) @ (right - left) / length, 0, length)
        return to_left, length - to_left

    def _w_of(self, to_left, to_right):
        floor = self.case.model.distance_floor
        to_left, to_right = max(to_left, floor), max(to_right, floor)
        return to_right / (to_left + to_right)

    def counted(self, n, *kinds):
        """Whether n errors may have one of these causes."""
        sure = sum(bool(found) and found <= set(kinds) for found in self.causes)
        possible = sum(bool(found & set(kinds)) for found in self.causes)
        return sure <= n <= possible

    def of_line(self, number):
        return [i for i, line in enumerate(self.line) if line == number - 1]


CROSSING = ("concentration", "off_line")


def means(case, rows):
    """What an error of the embedding means for some points."""
    tied = [case.ties(i) for i in rows]
    nearer = "another class's centroid is nearer"
    if all(tied):
        return "another class's centroid is as near, and that class comes first"
    return nearer + (", or as near and that class comes first" if any(tied) else "")


MEANINGS = {
    "embedding": "another class's centroid is nearer",
    "line": "the chosen line does not carry the true class",
    "concentration": "right if distances are taken along the line",
    "off line": "wrong even along the line",
    "rule": "its own centroid is the nearest, and the method answers otherwise",
}
MEANINGS_LOCALLY = MEANINGS | {
    "concentration": "right along the line, with the point's own soft labels",
    "off line": "wrong even along the line, with the point's own soft labels",
}


@check("causes.nothing_asked", "headline.nothing_asked")
def _(fact, case, hand, asked=None):
    assert len(case.X) == 0


@check("causes.no_error", "headline.all_right")
def _(fact, case, hand):
    assert not hand.wrong
    assert fact["n"] == len(case.X) > 0
    assert ("{n" in fact.template) == (fact["n"] > 1)


@check("causes.counted")
def _(fact, case, hand):
    assert fact["errors"] == len(hand.wrong)
    counts = [part["n"] for part in fact["parts"].items]
    assert sum(counts) == len(hand.wrong)
    assert counts == sorted(counts, reverse=True)


@check("causes.part")
def _(fact, case, hand):
    assert fact["n"] > 0
    assert hand.counted(fact["n"], fact["cause"].replace(" ", "_"))
    local = hand.on_lines and not hasattr(case.model, "soft_labels_")
    meanings = MEANINGS_LOCALLY if local else MEANINGS
    if fact["cause"] == "embedding":
        rows = [i for i in hand.wrong if hand.causes[i] == {"embedding"}]
        meanings = {"embedding": means(case, rows)}
    assert fact["meaning"] == meanings[fact["cause"]]


@check("causes.all_alike")
def _(fact, case, hand):
    assert fact["n"] == len(hand.wrong)
    assert all(fact["cause"].replace(" ", "_") in hand.causes[i] for i in hand.wrong)
    assert ("{n" in fact.template) == (fact["n"] > 1)


@check("causes.rescued")
def _(fact, case, hand):
    right = [i for i in range(len(case.X)) if i not in hand.wrong]
    assert fact["n"] == sum(case.nearest[i] != case.true[i] and not case.ties(i) for i in right) > 0


@check("causes.none_to_list")
def _(fact, case, hand, asked):
    assert not hand.wrong


@check("causes.all_listed")
def _(fact, case, hand, asked):
    assert not any(asked.values())
    assert fact["total"] == len(hand.wrong) > 0


@check("causes.listed")
def _(fact, case, hand, asked):
    assert fact["total"] == len(hand.wrong) > 0
    said = {"cause": lambda v: v.replace(" ", "_"), "line": lambda v: v - 1, "true": lambda v: v}
    sure = possible = 0
    for i in hand.wrong:
        found, certain = True, True
        if "cause" in asked:
            assert said["cause"](fact["cause"]) == asked["cause"]
            found = asked["cause"] in hand.causes[i]
            certain = hand.causes[i] == {asked["cause"]}
        if "true" in asked:
            assert fact["true"] == case.classes[asked["true"]]
            found &= case.true[i] == asked["true"]
        if "line" in asked:
            assert said["line"](fact["line"]) == asked["line"]
            found &= hand.line[i] == asked["line"]
        if asked.get("margin"):
            assert fact["margin"] == asked["margin"]
            short = -hand.lead[i] - asked["margin"]
            found &= short >= -2e-9
            certain &= short >= 0
        possible += found
        sure += found and certain
    assert sure <= fact["n"] <= possible
    for name in ("cause", "true", "line", "margin"):
        given = bool(asked.get(name)) if name == "margin" else name in asked
        assert (f"{{{name}" in fact.template) == given


@check("causes.let_through")
def _(fact, case, hand, asked):
    assert fact["m"] == len(case.X)
    assert fact["n"] == sum(asked.tolist())
    words, every = fact.template, fact["n"] == fact["m"]
    assert (" all " in words) == (every and fact["m"] > 1)
    assert (" the one query point through" in words) == (every and fact["m"] == 1)
    assert (" points through" in words) != (" point through" in words)


def least_of(fact, hand, among):
    lead = [hand.lead[i] for i in among]
    assert fact["index"] in among
    assert near(fact["margin"], hand.lead[fact["index"]])
    assert near(fact["margin"], min(lead))
    alike = [low <= min(lead) + 1e-9 for low in lead]
    doubtful = [abs(low - min(lead) - 1e-9) < 1e-12 for low in lead]
    assert abs(fact["alike"] - sum(alike)) <= sum(doubtful)
    assert ("{alike" in fact.template) == (fact["alike"] > 1)


@check("causes.opens_on_error")
def _(fact, case, hand):
    least_of(fact, hand, [i for i in hand.of_line(fact["line"]) if i in hand.wrong])


@check("causes.opens_on_crossing")
def _(fact, case, hand):
    here = hand.of_line(fact["line"])
    crossed = [i for i in here if hand.causes[i] & set(CROSSING)]
    least_of(fact, hand, crossed)


@check("causes.opens_on_right")
def _(fact, case, hand):
    here = hand.of_line(fact["line"])
    assert not set(here) & set(hand.wrong)
    least_of(fact, hand, here)


@check("causes.opens_elsewhere_on_error")
def _(fact, case, hand):
    assert not hand.of_line(fact["line"])
    least_of(fact, hand, hand.wrong)


@check("causes.opens_elsewhere_on_right")
def _(fact, case, hand):
    assert not hand.of_line(fact["line"])
    assert not hand.wrong
    least_of(fact, hand, list(range(len(case.X))))


# The first sentence of Explain


@check("headline.one_answer")
def _(fact, case, hand):
    here = hand.of_line(fact["line"])
    assert fact["n"] == len(here)
    assert {case.classes[case.predicted[i]] for i in here} == {fact["answer"]}


def occupied(fact, case, hand):
    """The range of w on the line is as said; the points there."""
    here = hand.of_line(fact["line"])
    w = [hand.w(i) for i in here]
    assert near(fact["low"], min(w), 1e-6)
    assert near(fact["high"], max(w), 1e-6)
    assert ("{high}" in fact.template) == (f"{fact['low']}" != f"{fact['high']}")
    for need in fact["needs"].items:
        need_of_line(need, case, fact["line"] - 1, here, w)
    answered = {case.predicted[i] for i in here}
    never_predicted = {
        case.classes[c] for c in case.model.lines_[fact["line"] - 1].classes if c not in answered
    }
    told = set()
    for need in fact["needs"].items:
        told |= {need["wins"]} if "wins" in need.values else set()
        told |= set(need["classes"].items) if "classes" in need.values else set()
        if need.kind == "headline.more_unheard":
            assert need["n"] == len(never_predicted) - need["named"]
    assert told <= never_predicted
    assert len(told) == min(4, len(never_predicted))
    return here, w


def lead_at(case, line, name, w):
    """By how much a class leads the best other one, by the line's soft labels."""
    left, right = case.model.soft_labels_[line]
    scores = w * left + (1 - w) * right
    own = case.classes.index(name)
    return scores[own] - max(s for c, s in enumerate(scores) if c != own)


def need_of_line(need, case, line, here, w):
    """Where a class that is not answered would win: there, and nowhere else."""
    if need.kind == "headline.wins_nowhere":
        for name in need["classes"].items:
            assert all(lead_at(case, line, name, v) <= CLOSE for v in np.linspace(0, 1, 201))
        return
    if need.kind == "headline.more_unheard":
        return
    start, end = float(need["start"]), float(need["end"])
    assert start < end
    for v in np.linspace(start, end, 21)[1:-1]:
        assert lead_at(case, line, need["wins"], v) >= -CLOSE
    for v in np.linspace(0, 1, 201):
        if v < start or v > end:
            assert lead_at(case, line, need["wins"], v) <= CLOSE
    tied = lead_at(case, line, need["wins"], (start + end) / 2) <= CLOSE
    assert tied or not any(start + 1e-7 < v < end - 1e-7 for v in w)
    below, above = need.kind == "headline.wins_below", need.kind == "headline.wins_above"
    assert start == 0 or not below
    assert end == 1 or not above
    if need.kind == "headline.wins_among":
        assert min(w) < start
        assert end < max(w)
    else:  # such a range lies beside the points' own
        assert tied or start >= max(w) - 1e-7 or end <= min(w) + 1e-7


@check("headline.one_wins")
def _(fact, case, hand):
    _, w = occupied(fact, case, hand)
    for v in np.linspace(min(w), max(w), 9):
        assert lead_at(case, fact["line"] - 1, fact["answer"], v) >= -1e-7


@check("headline.some_win")
def _(fact, case, hand):
    here, _ = occupied(fact, case, hand)
    assert len({case.predicted[i] for i in here}) > 1


@check("headline.answers")
def _(fact, case, hand):
    here = hand.of_line(fact["line"])
    assert fact["n"] == len(here)
    said = {part["answer"]: part["n"] for part in fact["each"].items if "answer" in part.values}
    counts = {}
    for i in here:
        name = case.classes[case.predicted[i]]
        counts[name] = counts.get(name, 0) + 1
    assert all(counts[name] == n for name, n in said.items())
    rest = {name: n for name, n in counts.items() if name not in said}
    assert not rest or max(rest.values()) <= min(said.values())
    more = [part for part in fact["each"].items if part.kind == "headline.answered_more"]
    assert [(part["n"], part["k"]) for part in more] == (
        [(sum(rest.values()), len(rest))] if rest else []
    )
    assert all(("classes" in part.template) == (part["k"] > 1) for part in more)


@check(
    "headline.answered",
    "headline.answered_more",
    "headline.wins_below",
    "headline.wins_above",
    "headline.wins_between",
    "headline.wins_among",
    "headline.wins_nowhere",
    "headline.more_unheard",
)
def _(fact, case, hand):
    """With the fact that they are part of."""


@check("headline.crossing")
def _(fact, case, hand):
    assert fact["errors"] == len(hand.wrong)
    assert hand.counted(fact["n"], *CROSSING)
    assert hand.counted(fact["straight"], "concentration")


WHY = {
    "line": "the chosen line does not carry its class",
    "concentration": "right with distances along the line",
    "off_line": "even with distances along the line",
    "rule": "the nearest centroid is right, and the method answers otherwise",
}


@check("headline.main_cause")
def _(fact, case, hand):
    assert fact["errors"] == len(hand.wrong)
    assert hand.counted(fact["n"], fact["cause"])
    if fact["cause"] == "embedding":
        assert fact["why"] == means(case, [i for i in hand.wrong if "embedding" in hand.causes[i]])
    else:
        assert WHY[fact["cause"]] in fact["why"]
    local = hand.on_lines and not hasattr(case.model, "soft_labels_")
    assert ("own soft labels" in fact["why"]) == (local and fact["cause"] in CROSSING)
    # No cause has clearly more.
    sure = [sum(c == {kind} for c in hand.causes) for kind in ("embedding", *WHY)]
    assert max(sure) <= fact["n"]
    assert ("{n:" in fact.template) == (fact["n"] < fact["errors"])
    assert ("{errors:" in fact.template) == (fact["errors"] > 1)
    assert (" has this cause" in fact.template) == (fact["n"] == 1 < fact["errors"])


@check("headline.as_nearest")
def _(fact, case, hand):
    here = [i for i in hand.wrong if hand.causes[i] == {"embedding"}]
    assert fact["n"] == len(here)
    assert fact["as_nearest"] == sum(case.predicted[i] == case.nearest[i] for i in here)
    assert fact["others"] == len(here) - fact["as_nearest"]
    told = "{as_nearest" in fact.template
    assert told == (0 < fact["as_nearest"] < fact["n"])
    assert told or ("third" in fact.template) == (fact["as_nearest"] == 0)


def mistakes(case, hand):
    """How often each class is taken for each other one, among the errors that are spoken of."""
    counts = {}
    for i in hand:
        pair = (case.classes[case.true[i]], case.classes[case.predicted[i]])
        counts[pair] = counts.get(pair, 0) + 1
    return counts


@check("headline.pair")
def _(fact, case, hand):
    """With the fact that it is part of: here that it happens."""
    happened = mistakes(case, hand.wrong)
    assert happened[fact["true"], fact["answer"]] >= fact["times"]


@check(
    "headline.the_pair",
    "headline.most_often",
    "headline.no_pair_twice",
    "headline.most_often_alike",
    "headline.none_stands_out",
)
def _(fact, case, hand):
    if any(len(found) > 1 for found in hand.causes):  # a tie may be put down to either cause
        return
    counts = mistakes(case, [i for i in hand.wrong if hand.causes[i] == {hand.main}])
    assert fact["n"] == sum(counts.values())
    assert fact["times"] == max(counts.values())
    often = [pair for pair, n in counts.items() if n == fact["times"]]
    assert fact["k"] == len(often)
    pairs = fact["pairs"].items
    assert {(p["true"], p["answer"]) for p in pairs} <= set(often)
    assert len({(p["true"], p["answer"]) for p in pairs}) == len(pairs) == min(3, len(often))
    few = len(often) <= 3
    assert fact.kind == (
        "headline.the_pair"
        if fact["n"] == 1
        else "headline.most_often"
        if len(often) == 1
        else "headline.no_pair_twice"
        if fact["times"] == 1
        else "headline.most_often_alike"
        if few
        else "headline.none_stands_out"
    )
    if fact.kind == "headline.most_often":
        assert ("Every" in fact.template) == (fact["times"] == fact["n"])
