"""What choices were made by, on a narrow encoder and few rows."""

import numpy as np
import pytest

from research import validation
from research.__main__ import main
from research.validation import accuracy, chosen_rows, concatenated
from slp_core.meta.episodes import VALIDATION, read_sources
from slp_core.meta.training import meta_train


@pytest.fixture
def few(monkeypatch):
    """Sets of 50 rows a class are enough."""
    monkeypatch.setattr(validation, "SHOTS", (4,))
    monkeypatch.setattr(validation, "DRAWS", 2)
    monkeypatch.setattr(validation, "QUERY", 12)


def printed(capsys):
    rows = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()]
    return [row for row in rows if not row[0].startswith("---")]


def test_query_and_support_rows_are_apart(few, data):
    (source,) = read_sources(data, VALIDATION)
    rows = chosen_rows(source)
    assert rows.shape == (2, 12 + 2 * 4)
    assert len(set(rows.ravel())) == rows.size


def test_vectors_that_tell_the_classes_apart_are_all_correct(few):
    classes = np.eye(2)[:, None] + np.random.default_rng(0).normal(0, 0.01, (2, 20, 2))
    assert accuracy(classes) == 100
    alike = np.ones_like(classes)
    (both,) = concatenated([alike], [classes], 0.25)
    np.testing.assert_allclose((both**2).sum(-1), 0.75 * 2 + 0.25 * (classes**2).sum(-1))


def test_encoders_are_compared_alone_and_concatenated(few, data, tmp_path, small, capsys):
    out = meta_train(data, tmp_path / "out", small("protonet", steps=1))
    assert main(["compare", f"meta:{out}", "--data", str(data)]) == 0
    header, *rows = printed(capsys)
    assert header == ["encoder", "days", "all classes", "mean of sets and all"]
    assert [row[0] for row in rows[:2]] == ["minilm-l4", f"meta:{out}"]
    assert len(rows) == 2 + len(validation.WEIGHTS)

    assert main(["between", str(out), "--data", str(data), "--shares", "0", "1"]) == 0
    _, *shares = printed(capsys)
    assert [row[0] for row in shares] == ["0", "0, concatenated", "1", "1, concatenated"]
    for share, encoder in ((0, 0), (2, 1)):  # not at all is the base; all the way, the checkpoint
        assert float(shares[share][1]) == pytest.approx(float(rows[encoder][1]), abs=5)


def test_a_family_left_out_is_asked_about(few, data, tmp_path, capsys):
    (data / "weather_train.jsonl.gz").rename(data / "cola_train.jsonl.gz")
    given = ["families", "--data", str(data), "--out", str(tmp_path / "trained")]
    given += ["--steps", "1", "--families", "acceptability"]
    assert main(given) == 0
    header, row = printed(capsys)
    assert header[:4] == ["left out", "evaluated on", "minilm-l4", "protonet"]
    assert row[:2] == ["acceptability", "cola_train"]
    assert main([*given[:-1], "weather"]) == 2


def test_commands_that_write_a_checkpoint_refuse_what_is_in_the_way(
    data, tmp_path, small, change_weights, capsys
):
    first, second = tmp_path / "first", tmp_path / "second"
    for seed, folder in enumerate((first, second)):
        meta_train(data, folder, small("protonet", steps=1, seed=seed))
    leopard = meta_train(data, tmp_path / "leopard", small("leopard", steps=1))
    (tmp_path / "file").write_text("kept")
    for command in (["interpolate", "--checkpoint"], ["average", str(first)]):
        given = [*command, str(second), "--data", str(data), "--out", str(tmp_path / "file")]
        assert main(given) == 2
        assert "file cannot be written" in capsys.readouterr().err
        given = [*command, str(leopard), "--data", str(data), "--out", str(tmp_path / "other")]
        assert main(given) == 2
        assert "is of LEOPARD" in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "kept"
