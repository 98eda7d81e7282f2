import errno
import os
import subprocess
import sys

import numpy as np
import pytest

from slp_core.cli import main
from slp_core.data import list_datasets, load_dataset
from slp_core.encoders import list_encoders, load_encoder
from slp_core.encoders.registry import hub_encoders
from slp_core.encoders.simple import NumericEncoder
from slp_core.evaluation.results import read_results
from slp_core.methods.table import METHODS

EVALUATE = ["evaluate", "--data", "iris", "--encoder", "raw", "--draws", "2"]


def test_listings_are_complete(capsys):
    assert main(["datasets"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed[1:]] == [info.name for info in list_datasets()]

    assert main(["encoders"]) == 0
    listed = capsys.readouterr().out.splitlines()
    infos = (*list_encoders(), *hub_encoders())
    assert [line.split()[0] for line in listed[1:]] == [info.name for info in infos]

    assert main(["methods"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed[1:]] == list(METHODS)
    assert all(
        method.sentence in line for method, line in zip(METHODS.values(), listed[1:], strict=True)
    )


def test_listing_datasets_imports_nothing_heavy():
    program = (
        "import sys; from slp_core.cli import main; main(['datasets']);"
        "heavy = {'torch', 'transformers', 'sklearn', 'scipy', 'pandas', 'joblib', 'cvxpy'};"
        "sys.exit(f'imported {heavy & set(sys.modules)}' if heavy & set(sys.modules) else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_listing_whose_reader_leaves_or_that_finds_no_room_ends_in_a_sentence_or_in_none():
    listing = (sys.executable, "-m", "slp_core", "datasets")
    with subprocess.Popen(listing, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as left:
        left.stdout.close()
        assert (left.stderr.read(), left.wait()) == (b"", 0)
    with open("/dev/full", "w") as full:
        done = subprocess.run(listing, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.stderr == "slp_core: what was found cannot be written: the disk is full.\n"
    assert done.returncode == 1


def test_help_names_the_commands_and_the_methods(capsys):
    done = subprocess.run(
        [sys.executable, "-m", "slp_core", "--help"], capture_output=True, text=True, check=True
    )
    for command in ("datasets", "encoders", "methods", "encode", "evaluate", "meta-train"):
        assert command in done.stdout

    with pytest.raises(SystemExit, match="0"):
        main(["evaluate", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert all(name in told for name in METHODS)


def test_encode_writes_the_embeddings_of_one_dataset(tmp_path, capsys):
    out = tmp_path / "iris.npy"

    assert main(["encode", "--data", "iris", "--normalisation", "l2", "--out", str(out)]) == 0

    expected = load_encoder("numeric", normalisation="l2").encode(load_dataset("iris"))
    assert np.array_equal(np.load(out), expected)
    assert "150 rows of 4 numbers" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("place", ["nowhere/x.npy", "."])
def test_what_cannot_be_written_is_said_before_it_is_encoded(tmp_path, capsys, monkeypatch, place):
    encoded = []
    monkeypatch.setattr(NumericEncoder, "encode", lambda *args, **kwargs: encoded.append(args))
    assert main(["encode", "--data", "iris", "--out", str(tmp_path / place)]) == 2
    told = capsys.readouterr().err
    assert "cannot be written" in told
    assert told.count("\n") == 1
    assert not encoded


@pytest.mark.parametrize(
    "command", [["encode", "--data", "iris"], [*EVALUATE, "--methods", "one_nn"]]
)
@pytest.mark.parametrize("out", [".", "..", "/"])
def test_a_folder_is_no_file_to_write(tmp_path, capsys, monkeypatch, command, out):
    monkeypatch.chdir(tmp_path)
    assert main([*command, "--out", out]) == 2
    told = capsys.readouterr().err
    assert told == f"slp_core: {out} cannot be written: it is a folder; name a file.\n"


@pytest.mark.parametrize(
    "command",
    [["encode", "--data", "iris"], [*EVALUATE, "--shots", "4", "--methods", "one_nn"]],
)
def test_what_is_written_takes_the_place_of_no_link_and_no_pipe(tmp_path, capsys, command):
    """Nor of a device: whoever may write to /dev may not have meant to be rid of /dev/null."""
    real, link, pipe = tmp_path / "real", tmp_path / "folder" / "link", tmp_path / "pipe"
    link.parent.mkdir()
    link.symlink_to(real)
    real.touch(mode=0o600)
    assert main([*command, "--out", str(link)]) == 0
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600
    assert real.stat().st_size > 100
    assert list(link.parent.iterdir()) == [link]  # so that a lock is the same by either name
    os.mkfifo(pipe)
    capsys.readouterr()
    assert main([*command, "--out", str(pipe)]) == 2
    said = f"slp_core: {pipe} cannot be written: it is no ordinary file; name another.\n"
    assert capsys.readouterr().err == said
    assert pipe.is_fifo()


def test_nothing_is_left_of_an_encoding_that_fails(tmp_path, monkeypatch, capsys):
    for error, status, told in (
        (KeyboardInterrupt(), 130, "interrupted"),
        (PermissionError(errno.EACCES, "Permission denied", "cached"), 2, "cached can be neither"),
        (OSError(errno.ENOSPC, "No space left on device"), 2, "x.npy cannot be written: No space"),
    ):

        def fail(*args, error=error, **kwargs):
            raise error

        monkeypatch.setattr(NumericEncoder, "encode", fail)
        assert main(["encode", "--data", "iris", "--out", str(tmp_path / "x.npy")]) == status
        assert told in capsys.readouterr().err
        assert not list(tmp_path.iterdir())


def test_two_encodings_to_one_file_each_write_a_whole_one(tmp_path, capsys, monkeypatch):
    out, encode = tmp_path / "x.npy", NumericEncoder.encode

    def meanwhile_another(self, dataset, **kwargs):
        if dataset.name == "iris":
            assert main(["encode", "--data", "wine", "--out", str(out)]) == 0
            assert len(np.load(out)) == len(load_dataset("wine"))
        return encode(self, dataset, **kwargs)

    monkeypatch.setattr(NumericEncoder, "encode", meanwhile_another)
    assert main(["encode", "--data", "iris", "--out", str(out)]) == 0
    assert len(np.load(out)) == 150
    assert list(tmp_path.iterdir()) == [out]


def test_evaluate_writes_rows_goes_on_and_reports(tmp_path, capsys):
    out = tmp_path / "r.csv"
    command = [*EVALUATE, "--shots", "4", "8", "--out", str(out)]

    assert main([*command, "--methods", "one_nn,nearest_centroid"]) == 0
    assert "8 rows added, 0 were there" in capsys.readouterr().err
    assert main([*command, "--methods", "one_nn", "logistic_regression", "--report"]) == 0
    captured = capsys.readouterr()
    assert "4 rows added, 4 were there" in captured.err

    results = read_results(out)
    assert len(results) == 12
    assert set(results["task"]) == {"sample/iris"}
    assert results["accuracy"].mean() > 0.8
    mean = 100 * results.query("method == 'one_nn' and shots == 8")["accuracy"].mean()
    assert f"{mean:.1f} ±" in captured.out
    assert main(["report", "--results", str(out)]) == 0
    assert capsys.readouterr().out == captured.out


def test_what_could_not_be_done_is_named_and_told_by_the_exit_status(tmp_path, capsys):
    command = [*EVALUATE, "--methods", "one_nn", "--out", str(tmp_path / "r.csv")]

    assert main([*command, "--shots", "4", "100"]) == 1

    assert "failed: sample/iris, 100 shots: no draw can be had." in capsys.readouterr().err
    assert len(read_results(tmp_path / "r.csv")) == 2


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--data", "nowhere", "--methods", "one_nn"], "'nowhere' is neither"),
        (["--data", "iris", "--methods", "one_nn,magic"], "no method 'magic'"),
        (["--data", "iris", "--methods", "one_nn", "--encoder", "magic"], "magic"),
    ],
)
def test_a_request_that_needs_mending_is_one_sentence_and_status_2(
    tmp_path, capsys, arguments, named
):
    assert main(["evaluate", *arguments, "--out", str(tmp_path / "r.csv")]) == 2

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert named in captured.err


@pytest.mark.parametrize("count", ["0", "-1", "1.5", "many"])
def test_counts_are_whole_numbers_from_1(tmp_path, capsys, count):
    with pytest.raises(SystemExit, match="2"):
        main([*EVALUATE, "--methods", "one_nn", "--out", str(tmp_path / "r"), "--jobs", count])
    assert "--jobs" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[","], [""], [" ,", ","]])
@pytest.mark.parametrize("option", ["--methods", "--encoder"])
def test_names_between_commas_are_wanted(tmp_path, capsys, option, words):
    out = tmp_path / "r.csv"
    with pytest.raises(SystemExit, match="2"):
        main(["evaluate", "--data", "iris", "--out", str(out), option, *words])
    assert f"argument {option}: no name is given: name at least one" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("command", ["encode", "evaluate"])
def test_what_reading_remarks_is_told(tmp_path, capsys, command):
    data, out = tmp_path / "caf_s.csv", tmp_path / "out"
    data.write_bytes("size,label\n1,café\n2,café\n3,thé\n4,thé\n".encode("cp1252"))
    arguments = ["--methods", "one_nn", "--shots", "1"] if command == "evaluate" else []
    assert main([command, "--data", str(data), "--out", str(out), *arguments]) == 0
    assert capsys.readouterr().err.count("caf_s.csv is not UTF-8 and was read as cp1252") == 1


def test_a_path_that_no_file_can_have_is_named_in_a_sentence(tmp_path, capsys):
    long = str(tmp_path / ("a" * 300))
    for command in (
        ["encode", "--data", long, "--out", str(tmp_path / "x.npy")],
        ["encode", "--data", "iris", "--out", long],
        [*EVALUATE, "--methods", "one_nn", "--out", long],
        ["report", "--results", long],
        ["meta-train", "--data", long, "--out", str(tmp_path / "x")],
    ):
        assert main(command) == 2, command
        told = capsys.readouterr().err
        assert told.startswith(f"slp_core: {long} "), command
        assert "File name too long" in told
        assert told.count("\n") == 1, command


@pytest.mark.parametrize(
    ("option", "command"),
    [
        ("--out", [*EVALUATE, "--methods", "one_nn", "--out", ""]),
        ("--data", ["meta-train", "--data", "", "--out", "x"]),
        ("--out", ["meta-train", "--data", ".", "--out", ""]),
        ("FOLDER", ["export-encoder", "minilm-l4", ""]),
    ],
)
def test_no_path_is_not_the_folder_one_is_in(tmp_path, capsys, monkeypatch, option, command):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        main(command)
    told = capsys.readouterr().err
    assert told.endswith(f"error: argument {option}: no path is given: name one\n")
    assert not any(tmp_path.iterdir())


def test_shots_given_twice_count_once(tmp_path, capsys):
    out = tmp_path / "r.csv"
    assert main([*EVALUATE, "--methods", "one_nn", "--shots", "4", "4", "--out", str(out)]) == 0
    assert "2 rows added, 0 were there" in capsys.readouterr().err
    assert len(read_results(out)) == 2


def test_options_of_an_encoder_stand_behind_its_name(tmp_path, capsys):
    name, options = "metaslp-mean3-minilm-l4", ["--combine", "weighted", "--chunks"]
    out = tmp_path / "r.csv"
    asked = ["evaluate", "--data", "disaster", "--methods", "nearest_centroid", "--draws", "1"]
    asked += ["--shots", "4", "--out", str(out)]
    assert main([*asked, "--encoder", name, *options]) == 0
    assert list(read_results(out)["encoder"]) == [f"{name}+weighted+chunks"]
    assert main([*asked, *options]) != 0
    assert "name it with --encoder" in capsys.readouterr().err
    out = tmp_path / "x.npy"
    encode = ["encode", "--data", "disaster", "--encoder", name, "--out", str(out)]
    assert main([*encode, *options]) == 0
    expected = load_encoder(name, combine="weighted", chunks=True).encode(load_dataset("disaster"))
    np.testing.assert_array_equal(np.load(out), expected)
    assert main([*encode[:3], "--combine", "weighted", "--out", str(out)]) != 0
    assert "has no option combine" in capsys.readouterr().err
