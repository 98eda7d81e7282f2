import json
from dataclasses import replace

import pytest

from research.__main__ import main
from research.averaging import average
from research.interpolation import interpolate
from research.seeds import in_use, note_seeds
from slp_core.encoders.cards import read_encoder_card
from slp_core.encoders.meta_checkpoint import find_checkpoints
from slp_core.encoders.text import seeds_texts
from slp_core.errors import EncoderError, SLPError
from slp_core.meta.training import meta_train

CARD = json.loads((find_checkpoints()[-1] / "card.json").read_text())


def card_of(folder):
    return json.loads((folder / "card.json").read_text())


@pytest.fixture
def run(tmp_path):
    """The card of a training from a seed; its accuracies are of the seed, so that none is equal."""

    def write(seed, **changes):
        out = tmp_path / f"{seed} {len(list(tmp_path.iterdir()))}"
        out.mkdir()
        card = CARD | {
            "settings": CARD["settings"] | {"seed": seed},
            "validation": CARD["validation"] | {"accuracy": 0.7 + seed / 100},
            "sample": CARD["sample"] | {"accuracy": 0.6 + seed / 100},
            "best_step": 10 * seed,
            "weights_sha256": f"{seed}" * 64,
            "seeds": [],
        }
        (out / "card.json").write_text(json.dumps(card | changes))
        return out

    return write


def test_a_card_gets_the_figures_of_every_seed(run, capsys):
    own, others = run(4), [run(7), run(2)]
    before = card_of(own)
    assert main(["seeds", *map(str, (own, *others))]) == 0
    after = card_of(own)
    assert after | {"seeds": []} == before
    assert after["seeds"] == [
        {
            "seed": seed,
            "validation": 0.7 + seed / 100,
            "sample": 0.6 + seed / 100,
            "best_step": 10 * seed,
            "weights_sha256": f"{seed}" * 64,
        }
        for seed in (2, 4, 7)
    ]
    told = capsys.readouterr().out
    assert told == "".join(f"{e}\n" for e in seeds_texts(read_encoder_card(f"meta:{own}")))
    assert "from 3 seeds: validation accuracy 72.0% to 77.0%, mean 74.3%, SD 2.5;" in told
    assert "62.0% to 67.0%" in told
    note_seeds(own, others[:1])  # again: replaced, and not added to
    assert [each["seed"] for each in card_of(own)["seeds"]] == [4, 7]


@pytest.mark.parametrize(
    ("seed", "changes", "said"),
    [
        (4, {}, "has seed 4, which was given already"),
        (5, {"settings": CARD["settings"] | {"seed": 5, "steps": 7}}, "in its settings"),
        (5, {"data": []}, "in its data"),
        (5, {"interpolation": {"share": 0.3}}, "in its share of the way"),
        (5, {"sample": CARD["sample"] | {"shots": 3}}, "in its bundled dataset"),
    ],
)
def test_another_training_is_refused(run, seed, changes, said):
    own, other = run(4), run(seed, **changes)
    before = card_of(own)
    with pytest.raises(SLPError, match=f"^{other} .*{said}"):
        note_seeds(own, [other])
    assert card_of(own) == before


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"settings": None}, "settings is missing"),
        ({"settings": {"method": "protonet"}}, "field 'settings.encoder' is missing"),
        ({"settings": CARD["settings"] | {"newer": 1}}, "settings.newer is not known here: use"),
        (
            {"settings": CARD["settings"] | {"shots": "4"}},
            "field 'settings.shots' is .* wrong type",
        ),
        ({"settings": CARD["settings"] | {"shots": 0}}, "settings: batch_size 12 must be even"),
        ({"data": None}, "data is missing"),
    ],
)
def test_a_card_that_another_checkpoint_cannot_be_made_of_is_named(run, tmp_path, changes, said):
    own, other = run(4), run(5, **changes)
    for command in (
        lambda: note_seeds(own, [other]),
        lambda: average([own, other], tmp_path, tmp_path / "out", "Mean"),
        lambda: interpolate(other, tmp_path, tmp_path / "out"),
    ):
        with pytest.raises(EncoderError, match=f"^{other}/card.json: {said}"):
            command()


def test_a_checkpoint_named_twice_is_refused(run):
    own, other = run(4), run(7)
    before = card_of(own)
    for others in ([own], [other, other], [own / ".." / own.name]):
        with pytest.raises(SLPError, match=f"^{others[-1]} was given already"):
            note_seeds(own, others)
    assert card_of(own) == before


def test_what_protonet_makes_no_use_of_does_not_part_two_trainings(data, tmp_path, small):
    usual = small("protonet", steps=2)
    other = replace(
        usual,
        batch_size=6,
        inner_steps=3,
        momentum=0.5,
        encoder_rate=0.3,
        head_rate=0.4,
        head_start="random",
        n_agnostic=0,
        rate_of_rates=0.7,
    )
    assert in_use(other) == in_use(usual)
    assert in_use(replace(usual, temperature=3.0)) != in_use(usual)
    weights = [
        (meta_train(data, tmp_path / str(i), each) / "model.safetensors").read_bytes()
        for i, each in enumerate((usual, other))
    ]
    assert weights[0] == weights[1]
