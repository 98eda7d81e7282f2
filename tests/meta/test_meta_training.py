import io
import json
from unittest import mock

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from slp_core.cli import main
from slp_core.encoders import load_encoder
from slp_core.encoders.meta_checkpoint import read_card
from slp_core.encoders.trainable import TrainableLayers
from slp_core.errors import Cancelled, SLPError
from slp_core.meta import card as cards
from slp_core.meta import training
from slp_core.meta.card import describe, gained
from slp_core.meta.settings import METHODS, preset_settings
from slp_core.meta.training import meta_train
from slp_core.meta.validation import dataset_accuracy

TEXTS = ["It was dripping at the harbour.", "A golden morning.", "Nothing else."]


class Killed(BaseException):
    """Raised where a process would be killed: nothing catches it."""


@pytest.mark.parametrize("method", ["metaslp-reptile", "metaslp-fomaml", "leopard"])
def test_a_killed_run_goes_on_to_the_same_result(data, tmp_path, small, method):
    settings = small(method, steps=5, averaging=0.5)
    whole = meta_train(data, tmp_path / "whole", settings)

    def kill(state, *_):
        if state.done == 3:  # after the state of step 2, before that of step 4
            raise Killed

    with pytest.raises(Killed):
        meta_train(data, tmp_path / "killed", settings, progress=kill)
    assert not (tmp_path / "killed" / "card.json").exists()
    steps = []
    resumed = meta_train(
        data, tmp_path / "killed", settings, progress=lambda state, *_: steps.append(state.done)
    )
    assert steps == [3, 4, 5]
    first, second = (load_file(path / "model.safetensors") for path in (whole, resumed))
    assert first.keys() == second.keys()
    assert all(torch.equal(first[name], second[name]) for name in first)
    card, weights = ((whole / name).stat() for name in ("card.json", "model.safetensors"))
    assert weights.st_mode == card.st_mode  # whoever may read the one may read the other

    def curve(folder):
        points = json.loads((folder / "card.json").read_text())["curve"]
        return [{k: v for k, v in point.items() if k != "seconds"} for point in points]

    assert curve(whole) == curve(resumed)
    log = [json.loads(line) for line in (resumed / "log.jsonl").read_text().splitlines()]
    assert [point["step"] for point in log] == [0, 2, 4, 5]
    assert not list(resumed.glob("state*"))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_writes_a_checkpoint_that_is_an_encoder(data, tmp_path, small, method):
    out = meta_train(data, tmp_path / method, small(method, steps=2, patience=1, outer_rate=1e-3))
    card = json.loads((out / "card.json").read_text())
    assert card["method"] == method
    assert [source["tasks"] for source in card["data"]] == [1, 3, 0]
    assert card["data"][1]["classes"] == {"rain": 20, "snow": 20, "sun": 20}
    assert (card["inner_rates"] is not None) == (method in ("metaslp-fomaml", "leopard"))
    sample = cards.load_dataset(card["sample"]["dataset"])
    for figure, encoder in (("before", "minilm-l4"), ("accuracy", f"meta:{out}")):
        vectors = load_encoder(encoder, cache=False).encode(sample)
        assert card["sample"][figure] == dataset_accuracy(sample, vectors, 8, 10)
    vectors = load_encoder(f"meta:{out}", cache=False, normalisation="none").encode(TEXTS)
    layers = TrainableLayers(f"meta:{out}", 2)
    ours = layers.all_vectors(layers.lower_states(load_examples(TEXTS)))
    np.testing.assert_allclose(ours, vectors, atol=1e-5)
    names = {name for name in load_file(out / "model.safetensors") if "leopard." not in name}
    assert layers.changed().keys() == names


def test_the_best_validation_is_kept_and_patience_ends_a_run(data, tmp_path, small, monkeypatch):
    values = iter([0.5, 0.7, 0.6, 0.6, 0.6, 0.9])
    monkeypatch.setattr(
        "slp_core.meta.validation.ValidationSet.accuracy", lambda self, layers: next(values)
    )
    steps = []
    out = meta_train(
        data,
        tmp_path / "out",
        small("protonet", steps=20, patience=4),
        progress=lambda state, *_: steps.append(state.done),
    )
    card = json.loads((out / "card.json").read_text())
    assert steps[-1] == 6
    assert card["best_step"] == 2
    assert card["validation"]["accuracy"] == 0.7
    assert card["validation"]["before"] == 0.5


@pytest.mark.parametrize(
    ("every", "patience", "steps", "points"), [(4, 6, 20, [0, 4, 8]), (9, 2, 3, [0, 3])]
)
def test_patience_ends_no_run_before_its_steps_are_validated(
    data, tmp_path, small, monkeypatch, every, patience, steps, points
):
    monkeypatch.setattr("slp_core.meta.validation.ValidationSet.accuracy", lambda self, layers: 0.5)
    settings = small("protonet", validate_every=every, patience=patience, steps=steps)
    taken = []
    out = meta_train(
        data, tmp_path / "out", settings, progress=lambda state, *_: taken.append(state.done)
    )
    assert taken == list(range(1, points[-1] + 1))
    assert [point["step"] for point in read_card(out)["curve"]] == points


def test_a_training_file_without_a_task_is_not_called_validation(data, tmp_path, small):
    few = '{"sentence1": "It was wet.", "label": "rain"}\n'
    (data / "few_train.jsonl").write_text(few, encoding="utf-8")
    out = meta_train(data, tmp_path / "out", small("protonet", steps=1), title="Weather")
    assert read_card(out)["title"] == "Weather on MiniLM, layer 4"
    assert {each["name"]: each["use"] for each in read_card(out)["data"]} == {
        "few_train": "none (read, but too few rows for a task)",
        "pairs_train": "training",
        "weather_train": "training",
        "validation_days": "validation",
    }


def test_a_checkpoint_is_the_running_mean_of_the_steps(data, tmp_path, small, monkeypatch):
    values = iter(range(100))
    monkeypatch.setattr(
        "slp_core.meta.validation.ValidationSet.accuracy", lambda self, layers: next(values)
    )

    def weights(steps, averaging, stop):
        settings = small("protonet", steps=steps, averaging=averaging, validate_every=1)
        asked = iter(range(stop + 1))
        out = tmp_path / f"{averaging} {stop}"
        with pytest.raises(Cancelled):
            meta_train(data, out, settings, cancelled=lambda: next(asked) == stop)
        return torch.load(out / "state.pt", weights_only=True)["best"]

    start, first, second = (weights(3, 0.0, stop) for stop in range(3))
    mean = weights(3, 0.75, 2)
    for name in start:
        by_hand = 0.75 * (0.75 * start[name] + 0.25 * first[name]) + 0.25 * second[name]
        torch.testing.assert_close(mean[name], by_hand)
    assert any(not torch.allclose(mean[name], second[name], atol=1e-6) for name in start)


def test_a_pull_leads_back_to_the_base(data, tmp_path, small, monkeypatch):
    """By hand: the step as it is taken without a pull, and then the share of the way back."""
    values = iter(range(100))
    monkeypatch.setattr(
        "slp_core.meta.validation.ValidationSet.accuracy", lambda self, layers: next(values)
    )

    def weights(name, **changes):
        settings = small("protonet", steps=1, outer_rate=1e-3, **changes)
        out = meta_train(data, tmp_path / name, settings)
        return load_file(out / "model.safetensors")

    free, pulled, held = weights("free"), weights("pulled", pull=300), weights("held", pull=1000)
    for name in free:
        torch.testing.assert_close(
            pulled[name].float(), 0.7 * free[name].float(), atol=2e-6, rtol=0
        )
    assert any(difference.abs().max() > 1e-4 for difference in free.values())
    assert all(difference.abs().max() < 1e-6 for difference in held.values())


def test_a_card_says_what_was_trained_and_gained(small):
    gain = gained(0.6394, 0.7681)
    assert describe("MiniLM", small("reptile"), 1, gain) == (
        "MiniLM, its top layer meta-trained on 1 two-class task by Reptile with one linear head: "
        "63.9% before, 76.8% after, on texts it was not trained on."
    )
    assert ", its top 3 layers meta-trained on 2 two-class tasks by " in describe(
        "MiniLM", small("reptile", n_trainable=3), 2, gain
    )


def test_a_card_says_how_many_classes_its_tasks_had(more_data, tmp_path, small):
    out = meta_train(more_data, tmp_path / "out", small("protonet", steps=2, max_classes=4))
    card = read_card(out)
    assert "9 tasks of 2 to 4 classes" in card["description"]
    # Joined tasks are counted with the first of their sources.
    counted = {each["name"]: each["tasks"] for each in card["data"]}
    assert counted == {"moods_train": 4, "pairs_train": 1, "weather_train": 4, "validation_days": 0}
    assert card["settings"]["max_classes"] == 4


def test_what_a_run_cannot_go_on_with_is_refused(data, tmp_path, small):
    out = tmp_path / "out"
    with pytest.raises(Cancelled):
        meta_train(data, out, small("protonet"), cancelled=lambda: True)
    with pytest.raises(SLPError, match="other settings, data, encoder or version"):
        meta_train(data, out, small("protonet", seed=1))
    (state,) = out.glob("*.pt")
    whole = state.read_bytes()
    others = io.BytesIO(), io.BytesIO()
    for file, saved in zip(others, ({"x": 1}, [1]), strict=True):
        torch.save(saved, file)
    foreign = [file.getvalue() for file in others]
    for damaged in (b"", whole[: len(whole) // 2], b"not a state", *foreign):
        state.write_bytes(damaged)
        with pytest.raises(SLPError, match="is damaged: remove it"):
            meta_train(data, out, small("protonet"))
    state.write_bytes(whole)
    meta_train(data, out, small("protonet"))
    with pytest.raises(SLPError, match="contains a checkpoint"):
        meta_train(data, out, small("protonet"))
    with pytest.raises(SLPError, match=r"leave '\+chunks' out of 'minilm-l4\+chunks'"):
        meta_train(data, tmp_path / "other", small(encoder="minilm-l4+chunks"))
    if not torch.cuda.is_available():
        with pytest.raises(SLPError, match="'cuda' is not available here: choose cpu"):
            meta_train(data, tmp_path / "other", small(), device="cuda")


def test_a_run_does_not_go_on_with_other_weights_under_its_encoders_name(
    data, tmp_path, small, change_weights
):
    base, out = meta_train(data, tmp_path / "base", small("protonet", steps=1)), tmp_path / "out"
    settings = small("protonet", encoder=f"meta:{base}")
    with pytest.raises(Cancelled):
        meta_train(data, out, settings, cancelled=lambda: True)
    change_weights(base)
    with pytest.raises(SLPError, match=f"^{out}/state.pt belongs to a run .* encoder"):
        meta_train(data, out, settings)


def test_a_folder_is_one_runs_at_a_time(data, tmp_path, small):
    out, settings, refused = tmp_path / "out", small("protonet", steps=1), []

    def begin_again(*_):
        with pytest.raises(SLPError, match=f"^Another command is writing {out}: wait") as error:
            meta_train(data, out, settings)
        refused.append(error)

    meta_train(data, out, settings, progress=begin_again)
    assert len(refused) == 1


def test_the_card_names_the_device_that_was_found(data, tmp_path, small, monkeypatch):
    quick = small("protonet", steps=1)
    out = meta_train(data, tmp_path / "cpu", quick, device="cpu")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    found = meta_train(data, tmp_path / "auto", quick, device="auto")
    digests = [read_card(folder)["weights_sha256"] for folder in (out, found)]
    assert digests[0] == digests[1]
    assert ", cpu, torch" in read_card(found)["machine"]
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "Some GPU")
    assert training.chosen_device("auto") == "cuda"
    assert training._named("cuda") == "cuda (Some GPU)"


@pytest.mark.parametrize("method", ["metaslp-fomaml", "leopard"])
def test_bfloat16_goes_almost_the_same_way(data, tmp_path, small, method):
    base = dict(TrainableLayers("minilm-l4", 1).named_parameters())
    steps = {}
    for bf16 in (False, True):
        quick = small(method, steps=1, bf16=bf16, n_agnostic=0, outer_rate=1e-3)
        gradients = []
        with mock.patch.object(
            torch.optim.AdamW,
            "step",
            lambda self, found=gradients: found.extend(
                p.grad.clone() for group in self.param_groups for p in group["params"]
            ),
        ):
            out = meta_train(data, tmp_path / str(bf16), quick)
        assert read_card(out)["settings"]["bf16"] is bf16
        steps[bf16] = torch.cat([g.flatten() for g in gradients[: len(base)]])
    assert steps[True].dtype == torch.float32
    assert not torch.equal(steps[True], steps[False])
    assert torch.cosine_similarity(steps[True], steps[False], dim=0) > 0.98


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_a_gpu_comes_to_the_same_weights(data, tmp_path, small):
    outs = [meta_train(data, tmp_path / d, small(steps=2), device=d) for d in ("cpu", "cuda")]
    first, second = (load_file(out / "model.safetensors") for out in outs)
    assert first.keys() == second.keys()
    for name in first:
        torch.testing.assert_close(first[name].float(), second[name].float(), atol=1e-4, rtol=0)


def test_the_command_line_trains(data, tmp_path, capsys):
    out = tmp_path / "out"
    quick = "--steps 2 --validate-every 1 --shots 4 --batch-size 4 --inner-steps 1 --n-trainable 1"
    arguments = ["meta-train", "--data", str(data), "--out", str(out), *quick.split()]
    assert main([*arguments, "--outer-rate", "1e-3"]) == 0
    told = capsys.readouterr()
    assert f"meta:{out}" in told.out
    assert "step 2/2: loss" in told.err
    settings = json.loads((out / "card.json").read_text())["settings"]
    assert (settings["method"], settings["preset"]) == ("metaslp-reptile", "minilm")
    assert (settings["shots"], settings["outer_rate"]) == (4, 1e-3)


def test_a_stopped_run_says_from_where_it_goes_on(data, tmp_path, monkeypatch, capsys):
    out = tmp_path / "out"
    quick = "--steps 3 --validate-every 1 --shots 4 --batch-size 4 --inner-steps 1 --n-trainable 1"
    arguments = ["meta-train", "--data", str(data), "--out", str(out), *quick.split()]
    usual, steps = training._Run._step, []

    def interrupted(run, step):
        steps.append(step)
        if steps == [0, 1, 2]:
            raise KeyboardInterrupt
        return usual(run, step)

    monkeypatch.setattr(training._Run, "_step", interrupted)
    assert main(arguments) == 130
    assert "going on" not in capsys.readouterr().err
    assert main(arguments) == 0
    assert "going on from step 2 of at most 3" in capsys.readouterr().err
    assert steps == [0, 1, 2, 2]


@pytest.mark.parametrize(
    "wrong",
    [
        {"temperature": 0.0},
        {"outer_rate": float("nan")},
        {"rate_of_rates": float("nan")},
        {"normalisation": "L2"},
        {"head_start": "prototype"},
        {"encoder_rate": -1.0},
        {"averaging": 1.0},
        {"inner_steps": 0},
        {"max_tokens": 7},
        {"max_classes": 3},
        {"pull": -1.0},
        {"pull": 1e6},
        {"seed": -1},
    ],
)
def test_settings_that_cannot_be_are_refused(wrong):
    with pytest.raises(SLPError, match=next(iter(wrong))):
        preset_settings("metaslp-reptile", **wrong)


def load_examples(texts):
    from slp_core.data.examples import Examples

    return Examples("text", texts=tuple(texts))
