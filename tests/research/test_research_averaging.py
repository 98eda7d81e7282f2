import json
import shutil

import numpy as np
import pytest
from safetensors.torch import load_file

from research.__main__ import main
from research.averaging import _of_all, average
from research.interpolation import interpolate
from research.seeds import note_seeds
from slp_core.encoders import load_encoder
from slp_core.encoders.trainable import TrainableLayers
from slp_core.errors import SLPError
from slp_core.meta.episodes import VALIDATION, read_sources
from slp_core.meta.training import meta_train
from slp_core.meta.validation import ValidationSet


@pytest.fixture
def trained(data, tmp_path, small):
    def train(name, method="protonet", **changes):
        settings = small(method, steps=2, outer_rate=1e-3, **changes)
        return meta_train(data, tmp_path / name, settings)

    return train


def test_the_mean_is_that_of_the_weights_and_is_judged_as_it_is(data, tmp_path, trained, capsys):
    members = [
        trained("first"),
        trained("second", seed=1, max_tokens=12),
        trained("third", "reptile"),
    ]
    out = tmp_path / "mean"
    given = ["average", *map(str, members), "--data", str(data), "--out", str(out)]
    assert main([*given, "--title", "Three"]) == 0
    assert f"meta:{out}" in capsys.readouterr().out
    *weights, mean = (load_file(folder / "model.safetensors") for folder in (*members, out))
    for name in mean:
        expected = sum(each[name].float() for each in weights if name in each) / 3
        np.testing.assert_allclose(mean[name].float(), expected, atol=2e-6)

    card, *others = (json.loads((f / "card.json").read_text()) for f in (out, *members))
    assert card["title"] == "Three on MiniLM, layer 4"
    before, after = (100 * card["validation"][name] for name in ("before", "accuracy"))
    assert card["description"] == (  # of weather, which no review is about
        "MiniLM, layer 4, its top layer with the averaged weights of 3 meta-trained encoders: "
        f"{before:.1f}% before, {after:.1f}% after, on texts it was not trained on."
    )
    assert card["settings"]["max_tokens"] == 16  # as many as the one that reads most
    known = [
        {name: each[name] for name in ("title", "weights_sha256")}
        | {"validation": each["validation"]["accuracy"]}
        for each in others
    ]
    assert card["average"] == known
    assert card["data"] == others[0]["data"]
    layers = TrainableLayers(f"meta:{out}", 1)
    (source,) = read_sources(data, VALIDATION)
    judged = ValidationSet.of(source, layers, 16).accuracy(layers)
    assert card["validation"]["sets"] == {source.name: pytest.approx(judged, abs=0.02)}
    assert card["validation"]["before"] == others[0]["validation"]["before"]
    assert load_encoder(f"meta:{out}", cache=False).encode(["A wet street."]).shape == (1, 48)
    for refused in (lambda: interpolate(out, data, tmp_path / "half"), lambda: note_seeds(out, [])):
        with pytest.raises(SLPError, match="mean of checkpoints"):
            refused()


def test_a_set_that_stands_there_under_several_names_is_one_with_all_their_tasks():
    def card(*sets):
        return {"data": [{"name": n, "sha256": digest, "tasks": k} for n, digest, k in sets]}

    first = card(("a_1", "A", 1), ("a", "A", 2), ("b", "B", 3), ("judge", "J", 0))
    found = _of_all([first, card(("b", "B", 3), ("c", "C", 1))])
    told = [(each["name"], each["tasks"]) for each in found]
    assert told == [("a", 3), ("b", 3), ("judge", 0), ("c", 1)]


def test_what_cannot_be_averaged_is_refused(data, tmp_path, trained):
    first, second = trained("first"), trained("second", seed=1)
    mean = average([first, second], data, tmp_path / "mean", "")
    assert load_encoder(f"meta:{mean}").info.title == "Mean of checkpoints on MiniLM, layer 4"
    copy = shutil.copytree(first, tmp_path / "copy")
    deeper, leopard = trained("deeper", n_trainable=2), trained("leopard", "leopard")

    def refused(said, *checkpoints, out="other"):
        with pytest.raises(SLPError, match=said):
            average(checkpoints, data, tmp_path / out, "Mean")
        assert not (tmp_path / "other").exists()

    refused("needs two checkpoints", first)
    refused("first was given already: name each checkpoint once", first, second, first)
    refused("first was given already", first, second / ".." / "first")
    refused(f"{copy} has the weights and the settings of {first}: leave", first, second, copy)
    refused(f"{mean} is a mean of checkpoints", first, mean)
    refused(f"{leopard} is of LEOPARD", first, leopard)
    refused("its number of trained layers", first, deeper)
    refused(f"{mean} contains a checkpoint", first, second, out="mean")
