"""One command makes a checkpoint and its stored rows again; the recipes are those of the cards."""

import gzip
import json

import pandas as pd
import pytest

from research import recipes, stored
from research.__main__ import main
from research.recipes import RECIPES, Mean, Training, some_files
from research.seeds import in_use
from slp_core.encoders import load_encoder
from slp_core.encoders.meta_checkpoint import find_checkpoints
from slp_core.evaluation.paper import STORED, our_results
from slp_core.evaluation.results import COLUMNS
from slp_core.meta.episodes import TRAINING, VALIDATION, read_sources
from slp_core.meta.settings import MetaSettings
from slp_core.methods.table import METHODS

CARDS = {path.name: json.loads((path / "card.json").read_text()) for path in find_checkpoints()}


def test_one_command_makes_a_tiny_checkpoint_and_its_stored_rows(data, tmp_path, capsys):
    given = ["make", "protonet-minilm-l4", "--data", data, "--out", tmp_path, "--steps", 1]
    given += ["--tasks", "products", "--shots", 4, "--draws", 1]
    assert main([str(part) for part in given]) == 0
    checkpoint = tmp_path / "protonet-minilm-l4"
    assert load_encoder(f"meta:{checkpoint}").encode(["A wet street."]).shape == (1, 48)
    card = json.loads((checkpoint / "card.json").read_text())
    assert (card["method"], card["settings"]["steps"]) == ("protonet", 1)

    head, _, table = gzip.decompress((tmp_path / STORED).read_bytes()).partition(b"task,")
    assert head.startswith(b"# protonet-minilm-l4: deep_slp, nearest_centroid\n# slp_core ")
    found = pd.read_csv(tmp_path / STORED, comment="#")
    assert tuple(found) == COLUMNS
    assert len(table.splitlines()) == 1 + len(found)
    assert set(found["encoder"]) == {"protonet-minilm-l4"}
    assert found["method"].tolist() == ["deep_slp", "nearest_centroid"]
    assert found["accuracy"].between(0.3, 1).all()

    written = (checkpoint / "model.safetensors").stat().st_mtime_ns
    assert main([str(part) for part in given]) == 0  # what is there is not made again
    assert (checkpoint / "model.safetensors").stat().st_mtime_ns == written
    assert "2 rows" in capsys.readouterr().out


@pytest.mark.parametrize("name", CARDS)
def test_recipes_have_the_settings_of_the_bundled_cards(name):
    recipe, card = RECIPES[name], CARDS[name]
    if isinstance(recipe, Mean):
        titles = [
            RECIPES[part].title or CARDS[part]["title"].split(" on ")[0] for part in recipe.of
        ]
        assert [each["title"].split(" on ")[0] for each in card["average"]] == titles
        assert card["title"].startswith(f"{recipe.title} on ")
        return
    assert in_use(recipe.settings) == in_use(MetaSettings(**card["settings"]))
    assert recipe.taken_back == ("interpolation" in card)
    training = {each["name"] for each in card["data"] if each["use"] == "training"}
    assert (training == {recipes.FILMS}) == recipe.films_alone
    if recipe.title is not None:
        assert card["title"].startswith(f"{recipe.title} on ")


def test_a_recipe_reads_its_own_files(data):
    (data / "sst2_train.jsonl.gz").symlink_to(data / "weather_train.jsonl.gz")

    def names(pattern, which):
        with some_files(data, which) as folder:
            return [source.name for source in read_sources(folder, pattern)]

    films = Training("protonet", films_alone=True)
    assert names(TRAINING, films) == ["sst2_train"]
    assert names(VALIDATION, films) == ["validation_days"]
    assert names(TRAINING, Training("protonet", films=3)) == [
        "pairs_train", "sst2_1_train", "sst2_2_train", "sst2_train", "weather_train"
    ]  # fmt: skip


def test_what_is_evaluated_is_what_is_stored():
    runs = our_results().runs
    stored_pairs = set(zip(runs["encoder"], runs["method"], strict=True))
    planned = {(e, m) for each in stored.EVALUATIONS for e in each.encoders for m in each.methods}
    assert planned == stored_pairs
    for encoder, method in planned:
        assert method in METHODS
        load_encoder(encoder)


def test_an_unknown_recipe_is_named(data, tmp_path, capsys):
    assert main(["make", "mine", "--data", str(data), "--out", str(tmp_path)]) == 2
    assert "There is no recipe 'mine': choose one of" in capsys.readouterr().err
