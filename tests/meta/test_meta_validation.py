import json
from contextlib import nullcontext

import numpy as np
import pytest
import torch
from filelock import FileLock

from slp_core.cli import main
from slp_core.encoders.trainable import TrainableLayers
from slp_core.errors import DatasetError, SLPError
from slp_core.meta.folder import claimed
from slp_core.meta.validation import ValidationSet, read_validation


def write_classes(folder, sizes):
    path = folder / "validation_days.jsonl"
    with path.open("w") as file:
        for c, n in enumerate(sizes):
            for i in range(n):
                file.write(json.dumps({"sentence1": f"{c} {i}", "label": f"c{c}"}) + "\n")
    return path


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ([], "must have 2 to 100 classes to be validated on, not 0: correct"),
        ([200], "must have 2 to 100 classes to be validated on, not 1: correct"),
        ([40] * 101, "must have 2 to 100 classes to be validated on, not 101: correct"),
        ([82, 81], "class 'c1' must have at least 82 rows to be validated on, as one of 2, not 81"),
        ([65, 64, 65], "class 'c1' must have at least 65 rows .* one of 3, not 64: add rows"),
    ],
)
def test_too_few_rows_or_classes_are_refused(tmp_path, sizes, said):
    path = write_classes(tmp_path, sizes)
    with pytest.raises(DatasetError, match=f"^{path}:? {said}"):
        read_validation(tmp_path)


@pytest.mark.parametrize("sizes", [[82, 82], [65] * 3, [33] * 100])
def test_as_many_as_are_asked_for_are_enough(tmp_path, narrow_minilm, sizes):
    write_classes(tmp_path, sizes)
    (source,) = read_validation(tmp_path)
    found = ValidationSet.of(source, TrainableLayers("minilm-l4", 1), 16)
    n = len(sizes)
    assert found.supports.shape == (4, n, 8)
    assert found.query.shape == (100 // n * n,)
    assert len(found.labels) == sum(sizes)


def test_what_is_asked_about_is_in_no_support_set_and_judged_at_unit_length(tmp_path):
    """Layers that know a text's number alone, and give the longer vectors to higher numbers."""
    write_classes(tmp_path, [90, 100])
    (source,) = read_validation(tmp_path)
    read = []

    class Layers:
        def lower_states(self, examples, max_tokens):
            read.extend(examples.texts)
            return examples.texts

        def all_vectors(self, texts):
            numbers = np.array([text.split() for text in texts], dtype=float)
            at_right_angles = np.eye(2)[numbers[:, 0].astype(int)]
            return torch.from_numpy(at_right_angles * (1 + numbers[:, 1:] ** 2))

    layers = Layers()
    found = ValidationSet.of(source, layers, 16)
    assert len(set(read)) == len(read) == 2 * (50 + 32)
    for support in found.supports:
        for k, rows in enumerate(support):
            assert {read[row][0] for row in rows} == {str(k)}
    assert set(found.supports.ravel()).isdisjoint(found.query)
    assert len(set(found.supports.ravel())) == 64
    assert found.accuracy(layers) == 1


@pytest.fixture
def command(data):
    """All of a command that writes a checkpoint but its folder."""
    shots = ["--shots", "4", "--batch-size", "4"]  # not more than there are rows for
    return ["meta-train", *shots, "--data", str(data), "--out"]


def test_what_cannot_be_validated_on_leaves_no_folder(data, tmp_path, command, capsys):
    path = write_classes(data, [60, 60])
    out = tmp_path / "out"
    assert main([*command, str(out)]) == 2
    assert capsys.readouterr().err.startswith(f"slp_core: {path}: class 'c0' must have")
    assert not out.exists()


def test_a_file_in_place_of_the_folder_is_refused(tmp_path, command, capsys):
    out = tmp_path / "out"
    out.write_text("kept")
    assert main([*command, str(out)]) == 2
    said = f"slp_core: {out} cannot be written (File exists): name another folder."
    assert capsys.readouterr().err.strip() == said
    assert out.read_text() == "kept"


def test_a_folder_that_cannot_be_written_is_refused_at_once(tmp_path, command, capsys, monkeypatch):
    monkeypatch.setattr(ValidationSet, "of", lambda *_: pytest.fail("computes first"))
    out = tmp_path / "out"
    (out / ".lock").mkdir(parents=True)  # not even the superuser can write to a folder
    assert main([*command, str(out)]) == 2
    said = f"slp_core: {out} cannot be written (Is a directory): name another folder."
    assert capsys.readouterr().err.strip() == said


def test_what_another_command_has_finished_meanwhile_is_left_alone(tmp_path, monkeypatch):
    def acquire(lock):
        (tmp_path / "card.json").touch()
        return nullcontext()

    monkeypatch.setattr(FileLock, "acquire", acquire)
    with pytest.raises(SLPError, match="contains a checkpoint"), claimed(tmp_path):
        pass
