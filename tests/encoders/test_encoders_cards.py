"""Sentences of model cards, and the list of encoders."""

from dataclasses import replace

import pytest

from slp_core.encoders import list_encoders
from slp_core.encoders.cards import EncoderCard, cards_by_group
from slp_core.encoders.registry import unlisted_encoders
from slp_core.encoders.text import (
    caption_text,
    data_text,
    list_label,
    origin_text,
    seeds_texts,
    short_title,
    size_text,
    training_texts,
)

INFO = list_encoders()[0]
META = {
    "encoder": "minilm-l4",
    "validation": {"before": 0.5, "accuracy": 0.755, "how": "*8* shots"},
    "best_step": 20,
    "curve": [{"step": 0, "validation": 0.5}, {"step": 20, "validation": 0.8}],
    "data": [{"rows": 1200}, {"rows": 34}],
}


def card(size=None, layer=4, meta=None, **more):
    return EncoderCard(INFO, layer, size, meta and meta | more)


@pytest.mark.parametrize(
    ("described", "expected"),
    [
        (card(), "For text, pair and span data."),
        (
            card(90_200_000),
            "For text, pair and span data. 90.2 MB of weights; layers up to 4 are used.",
        ),
        (
            card(10_660_000, meta=META),
            "For text, pair and span data. 10.7 MB, added to the weights of MiniLM.",
        ),
        (
            replace(card(90_200_000), parts=("minilm-l4",)),
            "For text, pair and span data.",
        ),
    ],
)
def test_what_it_takes_and_how_large_it_is(described, expected):
    assert size_text(described) == expected


def test_what_meta_training_did():
    first = (
        r"Validation accuracy: 50.0% before meta-training, 75.5% with these weights (\*8\* shots)."
    )
    assert training_texts(card()) == ()
    assert training_texts(card(meta=META)) == (first, "Weights after outer step 20.")
    back = card(meta=META, interpolation={"share": 0.5, "tried": []})
    assert training_texts(back)[1] == (
        "Meta-training reached 80.0% after outer step 20; these weights are interpolated, 50% "
        "of the way from the base's."
    )
    members = [{"title": "a", "validation": 0.7}, {"title": "*b*", "validation": 0.75}]
    assert training_texts(card(meta=META, average=members))[2] == (
        r"Averaged weights of 2 encoders with validation accuracies from 70.0% to 75.0%: “a” and "
        r"“\*b\*”."
    )
    seeds = [{"validation": 0.7, "sample": 0.6}, {"validation": 0.8, "sample": 0.5}]
    sample = {"dataset": "toy", "shots": 1, "draws": 1, "before": 0.25, "accuracy": 0.5}
    assert seeds_texts(card(meta=META, seeds=seeds[:1])) == []
    assert seeds_texts(card(meta=META, seeds=seeds, sample=sample)) == [
        "The same training from 2 seeds: validation accuracy 70.0% to 80.0%, mean 75.0%, SD 7.1; "
        "on “toy” 50.0% to 60.0%."
    ]
    assert training_texts(card(meta=META, sample=sample))[-1] == (
        "Nearest centroid on “toy” (1 shot, 1 support set): 25.0% before, 50.0% with these weights."
    )
    assert data_text(card(meta=META)) == "Data: 1,234 rows of 2 sets."
    assert origin_text(card(meta=META, minutes=3, machine="x_1")) == r"3 minutes · x\_1"


SAMPLE = {"dataset": "airline", "shots": 8, "draws": 10, "before": 0.5}


@pytest.mark.parametrize(("after", "gain"), [(0.5413, "+4.1"), (0.488, "−1.2")])
def test_what_an_encoder_gains(after, gain):
    assert caption_text(card(meta=META, sample=SAMPLE | {"accuracy": after})) == (
        f"Meta-trained: {gain} points of accuracy over “MiniLM, layer 4” on “Airline tweets” "
        "(nearest centroid, 8 shots per class, mean of 10 support sets)."
    )
    assert caption_text(card()) == (
        "Mean over the tokens of hidden layer 4 of 6 of all-MiniLM-L6-v2 (384 numbers)."
    )


def test_the_list_has_every_encoder_once_by_group_with_the_gain_of_its_card():
    infos = (*list_encoders(), *unlisted_encoders())
    cards = cards_by_group(infos)
    assert sorted(each.info.name for each in cards) == sorted(info.name for info in infos)
    groups = [each.group for each in cards]
    assert list(dict.fromkeys(groups)) == ["Pretrained", "Meta-trained", "Without a neural network"]
    assert groups == sorted(groups, key=list(dict.fromkeys(groups)).index)
    (best,) = (each for each in cards if each.recommended)
    assert list_label(best) == "★ Averaged ProtoNet · +10.5"
    assert short_title("A on MiniLM, last layer, in chunks") == "A, in chunks"
    for each in cards:
        assert len(list_label(each)) <= 34
        assert caption_text(each).startswith("Meta-trained: ") == bool(each.meta)
