import json

import pytest
import torch
from safetensors.torch import load_file

from research import interpolation
from research.__main__ import main
from slp_core.errors import SLPError
from slp_core.meta.training import meta_train


@pytest.fixture
def trained(data, tmp_path, small, monkeypatch):
    """A checkpoint; only one bundled dataset is asked about it."""
    infos = [info for info in interpolation.list_datasets() if info.name == "airline"]
    monkeypatch.setattr(interpolation, "list_datasets", lambda: infos)
    return meta_train(data, tmp_path / "whole", small("protonet", steps=2, outer_rate=1e-3))


def test_weights_lie_the_best_share_of_the_way(data, tmp_path, trained, monkeypatch):
    given = iter([0.5, 0.6, 0.7, 0.65, 0.1])
    monkeypatch.setattr(interpolation.ValidationSet, "accuracy", lambda self, layers: next(given))
    monkeypatch.setattr(interpolation, "dataset_accuracy", lambda *_: 0.4)
    out = tmp_path / "half"
    command = ["interpolate", "--checkpoint", trained, "--data", data, "--out", out]
    command += ["--shares", 0.25, 0.5, 0.5, 0.75, 1]  # one given twice counts once
    assert main([str(part) for part in command]) == 0
    card = json.loads((out / "card.json").read_text())
    way = card["interpolation"]
    assert (way["share"], card["validation"]["accuracy"]) == (0.5, 0.7)
    assert [each["validation"] for each in way["tried"]] == [0.5, 0.6, 0.7, 0.65, 0.1]
    assert card["validation"]["before"] == 0.5
    assert way["of"] == json.loads((trained / "card.json").read_text())["weights_sha256"]
    whole, half = (load_file(folder / "model.safetensors") for folder in (trained, out))
    assert half.keys() == whole.keys()
    for name, difference in whole.items():
        torch.testing.assert_close(half[name], difference / 2, atol=1e-5, rtol=1e-2)
    assert card["description"].endswith(
        ": 50.0% before, 70.0% after, on texts it was not trained on."
    )
    with pytest.raises(SLPError, match="Shares must be above 0 and at most 1, not nan"):
        interpolation.interpolate(trained, data, tmp_path / "none", (0.5, float("nan"), 2))
    with pytest.raises(SLPError, match="interpolation already"):
        interpolation.interpolate(out, data, tmp_path / "quarter")
    with pytest.raises(SLPError, match="contains a checkpoint"):
        interpolation.interpolate(trained, data, out)


def test_what_is_forgotten_counts_as_much_as_what_is_learnt(data, tmp_path, trained, monkeypatch):
    learnt, kept = iter([0.5, 0.6, 0.7, 0.8, 0.9]), iter([0.9, 0.9, 0.85, 0.6, 0.3])
    monkeypatch.setattr(interpolation.ValidationSet, "accuracy", lambda self, layers: next(learnt))
    monkeypatch.setattr(interpolation, "SAMPLE_SHOTS", (4,))
    monkeypatch.setattr(interpolation, "dataset_accuracy", lambda *_: next(kept))
    out = interpolation.interpolate(trained, data, tmp_path / "out")
    assert json.loads((out / "card.json").read_text())["interpolation"]["share"] == 0.5
