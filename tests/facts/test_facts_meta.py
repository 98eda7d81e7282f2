"""What is said of checkpoints, runs of meta-training and accuracies holds for any of them."""

import inspect

import checks_meta  # noqa: F401 (registers the checks)
import numpy as np
import pytest
from facts_book import check_facts

from slp_core.encoders import list_encoders
from slp_core.encoders.cards import EncoderCard, read_encoder_card
from slp_core.encoders.registry import unlisted_encoders
from slp_core.figures.encoder_curves import MetaCurve, MetaCurvesDisplay, curves_of
from slp_core.methods import MetaSLPClassifier

ODD = ("*one*", "`two`", "3", ":smile:", "x" * 90)


def random_meta(rng, title):
    """A checkpoint's card, with what it may lack left out now and then."""
    steps = np.arange(0, 10 * int(rng.integers(1, 6)), 10)
    validation = np.round(rng.random(len(steps)), 2)  # ties
    curve = [
        {"step": int(s), "validation": float(v), "loss": None if s == 0 else float(rng.random())}
        for s, v in zip(steps, validation, strict=True)
    ]
    card = {
        "title": title,
        "curve": curve,
        "best_step": int(rng.choice(steps)),
        "validation": {
            "before": float(rng.random()),
            "accuracy": float(rng.random()),
            "how": title,
        },
        "data": [{"rows": int(n)} for n in rng.integers(1, 2000, int(rng.integers(0, 4)))],
    }
    if rng.random() < 0.5:
        shares = np.linspace(0, 1, 5)
        tried = [{"share": s, "validation": rng.random(), "samples": rng.random()} for s in shares]
        card["interpolation"] = {"share": float(rng.choice(shares[1:])), "tried": tried}
    if rng.random() < 0.5:
        card["validation"]["sets"] = {name: float(rng.random()) for name in ODD[: rng.integers(4)]}
    if rng.random() < 0.5:
        card["sample"] = {"dataset": title, "shots": 1, "draws": 2, "before": 0.5, "accuracy": 0.25}
    if rng.random() < 0.5:
        card["seeds"] = [
            {"seed": s, "validation": rng.random(), "sample": rng.random()}
            for s in range(int(rng.integers(1, 5)))
        ]
    if rng.random() < 0.3:
        card["average"] = [
            {"title": each, "validation": rng.random()} for each in ODD[: rng.integers(1, 4)]
        ]
    for name, value in (("minutes", 1.5), ("machine", title), ("weights_sha256", 64 * "a")):
        if rng.random() < 0.5:
            card[name] = value
    return card


def check_card(card):
    facts = [card.facts(), card.validation_facts(), card.accuracy_facts(), card.data_facts()]
    seen = set()
    for told in (*facts, card.seeds_facts(), card.origin_facts()):
        seen |= check_facts(told, None, card=card)
    return seen


@pytest.mark.parametrize("seed", range(100))
def test_cards_and_curves(seed):
    rng = np.random.default_rng(seed)
    info = list_encoders()[int(rng.integers(4))]
    metas = [random_meta(rng, title) for title in ODD[: rng.integers(1, len(ODD) + 1)]]
    meta = metas[0] if rng.random() < 0.7 else None
    size = int(rng.integers(1, 10**8)) if rng.random() < 0.7 else None
    card = EncoderCard(info, 4, size, meta)
    seen = check_card(card)
    assert {"card.way", "card.step"} & seen if meta else "card.kinds" in seen
    assert ("card.average" in seen) == ("average" in (meta or {}))
    assert ("card.seeds" in seen) == (len((meta or {}).get("seeds", ())) > 1)
    ways = card.ways_table()
    assert len(ways) == (5 if card.interpolation else 0)
    assert ways["kept"].sum() == (1 if card.interpolation else 0)
    curves = [MetaCurve.of(each) for each in metas]
    check_facts(MetaCurvesDisplay(curves).facts(), None, curves=curves)


def test_the_cards_that_came_with_the_app():
    infos = (*list_encoders(), *unlisted_encoders())
    cards = [read_encoder_card(info.name) for info in infos]
    seen = set().union(*map(check_card, cards))
    assert {"card.way", "card.step", "card.weights", "card.differences", "card.no_file"} <= seen
    curves = curves_of(card.meta for card in cards if card.meta)
    single = [card.meta for card in cards if "settings" in (card.meta or {})]
    assert len(curves) == sum("average" not in meta for meta in single)
    taken_back = [curve for curve in curves if curve.share is not None]
    for some, kinds in ((curves, set()), (taken_back, {"curves.taken_back"})):
        # Where the best curve ends higher than its encoder's card says, it is said why.
        seen = check_facts(MetaCurvesDisplay(some).facts(), None, curves=some)
        assert seen == {"curves.best"} | kinds


def test_the_page_says_how_many_layers_and_steps_metaslp_takes():
    """Pages/encoders/tuning.py has them in words: reading them there would import PyTorch."""
    defaults = inspect.signature(MetaSLPClassifier).parameters
    assert (defaults["n_trainable"].default, defaults["steps"].default) == (3, 10)
