import codecs
import os
import resource

import pandas as pd
import pytest

from slp_core.errors import SLPError
from slp_core.evaluation.protocol import Run
from slp_core.evaluation.results import COLUMNS, Scores, open_results, read_results

RUN = Run("task", "minilm-l4", "one_nn", 4, 0, 0)
SCORES = Scores(1 / 3, 0.1 + 0.2, 2 / 7, 30, 0.01)


def test_the_columns_are_the_documented_ones():
    assert ",".join(COLUMNS) == (
        "task,encoder,method,shots,draw,seed,accuracy,macro_f1,nll,n_query,fit_seconds"
    )


def test_rows_come_back_to_the_last_digit_and_sorted(tmp_path):
    path = tmp_path / "results.csv"
    runs = [RUN._replace(shots=shots, task=task) for task in ("b", 'a,"x"') for shots in (16, 4)]
    with open_results(path) as results:
        for run in runs:
            results.append(run, SCORES)
        results.sort()
        results.append(RUN, SCORES)

    table = read_results(path)

    assert list(table.columns) == list(COLUMNS)
    read = [Run(*row[:6]) for row in table.itertuples(index=False)]
    assert read == [*sorted(runs), RUN]
    assert tuple(table.iloc[0, 6:]) == SCORES


def test_the_file_is_closed_when_it_is_replaced(tmp_path, monkeypatch):
    """Windows replaces no file that is open."""
    closed = []

    def replace(source, target, replace=os.replace):
        closed.append(results._file.closed)
        replace(source, target)

    with open_results(tmp_path / "results.csv") as results:
        for draw in (1, 0):
            results.append(RUN._replace(draw=draw), SCORES)
        monkeypatch.setattr(os, "replace", replace)
        results.sort()
    assert closed == [True]


def test_rows_say_which_encoders_are_fitted_on_query_examples_too(tmp_path):
    path = tmp_path / "results.csv"
    runs = [RUN._replace(encoder=name) for name in ("tfidf-svd", "raw", "minilm-l4+centred_l2")]
    with open_results(path) as results:
        for run in runs:
            results.append(run, SCORES)
    table = pd.read_csv(path)
    assert list(table.columns) == [*COLUMNS, "transductive"]
    assert table["transductive"].tolist() == [True, False, True]


def test_a_file_from_before_that_column_is_read_and_gone_on_with(tmp_path):
    path = tmp_path / "results.csv"
    row = ",".join(map(str, (*RUN, *SCORES)))
    path.write_text(f"{','.join(COLUMNS)}\n{row}\n{row[:20]}")
    assert len(read_results(path)) == 1
    with open_results(path) as results:
        results.append(RUN._replace(draw=1), SCORES)
    table = pd.read_csv(path)
    assert table["draw"].tolist() == [0, 1]
    assert not table["transductive"].any()


@pytest.mark.parametrize("kept", [0, 10, 60, 100])
def test_half_a_row_left_by_a_kill_is_dropped_and_whole_rows_stay(tmp_path, kept):
    path, whole = tmp_path / "results.csv", tmp_path / "whole.csv"
    with open_results(whole) as results:
        results.append(RUN, SCORES)
        results.append(RUN._replace(draw=1), SCORES)
    content = whole.read_bytes()
    ends = [i + 1 for i, byte in enumerate(content) if byte == ord("\n")]
    n_whole = sum(end <= len(content) - 1 - kept for end in ends)

    path.write_bytes(content[: len(content) - 1 - kept])
    with open_results(path) as results:
        assert len(results.rows) == n_whole - 1
        for run in {RUN, RUN._replace(draw=1)} - results.rows.keys():
            results.append(run, SCORES)
        results.sort()

    assert path.read_bytes() == content


def test_half_a_header_is_begun_again_and_an_empty_file_is_empty(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text("task,enc")

    with open_results(path) as results:
        assert not results.rows

    assert path.read_text() == ",".join(COLUMNS) + ",transductive\n"
    assert read_results(path).empty


@pytest.mark.parametrize("content", ["a,b\n1,2\n", "precious notes"])
def test_a_file_of_another_kind_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "notes.csv"
    path.write_text(content)

    with pytest.raises(SLPError, match="not a results file"), open_results(path):
        pass

    assert path.read_text() == content


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (b"task,minilm-l4,one_nn,four,0,0,1,1,1,1,1", "not a row of results: delete"),
        (b"x" * 131_073 + b",minilm-l4,one_nn,4,0,0,1,1,1,1,1", "not a row of results: delete"),
        (b'"task,minilm-l4,one_nn,4,0,0,1,1,1,1,1', "not a row of results: delete"),
        (b"caf\xe9,minilm-l4,one_nn,4,0,0,1,1,1,1,1", "not UTF-8: save"),
        (b"task,minilm-l4,one_nn,-4,0,0,1,1,1,1,1", "shots must be .*, not -4"),
        (b"task,minilm-l4,one_nn,4,-1,0,1,1,1,1,1", "draw must be .*, not -1"),
        (b"task,minilm-l4,one_nn,4,0,-1,1,1,1,1,1", "seed must be .*, not -1"),
        (b"task,minilm-l4,one_nn,4,0,0,5,1,1,1,1", r"accuracy must be .* from 0 to 1, not 5\.0\)"),
        (b"task,minilm-l4,one_nn,4,0,0,nan,1,1,1,1", "accuracy must be .*, not nan"),
        (b"task,minilm-l4,one_nn,4,0,0,1,-0.1,1,1,1", "macro_f1 must be .*, not -0.1"),
        (b"task,minilm-l4,one_nn,4,0,0,1,1,inf,1,1", "nll must be a finite .*, not inf"),
        (b"task,minilm-l4,one_nn,4,0,0,1,1,1,0,1", "n_query must be .*, not 0"),
        (b"task,minilm-l4,one_nn,4,0,0,1,1,1,1,-1", "fit_seconds must be .*, not -1.0"),
        (b"task,minilm-l4,one_nn,4,0,0,1,1,1,1,1,1", "not a row of results: delete"),
        (b"task,minilm-l4,one_nn,4,0,0,1,1,1,1", "not a row of results: delete"),
    ],
)
def test_a_damaged_row_is_named_by_its_line_and_left_alone(tmp_path, row, why):
    path = tmp_path / "results.csv"
    with open_results(path) as results:
        results.append(RUN, SCORES)
        results.append(RUN._replace(draw=1), SCORES)
    header, first, second = path.read_bytes().splitlines()
    content = b"\n".join([header, first, row + b",False", second, b""])
    path.write_bytes(content)

    for reading in (read_results, lambda path: open_results(path).__enter__()):
        with pytest.raises(SLPError, match=rf"^Line 3 of .*results\.csv is .*{why}"):
            reading(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_file_that_a_spreadsheet_program_saved_is_read_and_gone_on_with(tmp_path, mark, end):
    path, runs = tmp_path / "results.csv", [RUN._replace(task="thé", draw=draw) for draw in (0, 1)]
    with open_results(path) as results:
        results.append(runs[0], SCORES)
    own = path.read_bytes()
    path.write_bytes(mark + own.replace(b"\n", end) + b"half a row")

    assert read_results(path)["task"].tolist() == ["thé"]
    with open_results(path) as results:
        results.append(runs[1], SCORES)
        assert len(read_results(path)) == 2
    with open_results(path) as results:
        assert results.rows == dict.fromkeys(runs, SCORES)
        results.sort()
    assert path.read_bytes().startswith(own)


def test_two_evaluations_cannot_write_one_file(tmp_path):
    path = tmp_path / "results.csv"

    with (
        open_results(path),
        pytest.raises(SLPError, match="Another evaluation"),
        open_results(path),
    ):
        pass
    with open_results(path) as results:
        results.append(RUN, SCORES)


def test_a_full_disk_costs_the_row_being_written_and_no_other(tmp_path):
    path = tmp_path / "results.csv"
    with open_results(path) as results:
        results.append(RUN, SCORES)
    before = path.read_bytes()

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with open_results(path) as results:
        try:  # the limit on a file's size makes a write stop halfway, as a full disk does
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, hard))
            with pytest.raises(SLPError, match=r"results\.csv cannot be written"):
                results.append(RUN._replace(draw=1), SCORES)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert len(path.read_bytes()) == len(before) + 20

    with open_results(path) as results:
        assert results.rows == {RUN: SCORES}
    assert path.read_bytes() == before


@pytest.mark.parametrize("path", [".", "..", "/", ""])
def test_a_folder_is_no_results_file(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SLPError, match="cannot be written: it is a folder"), open_results(path):
        pass
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(SLPError, match="there is no folder"), open_results(tmp_path / "no" / "r"):
        pass
    assert not list(tmp_path.iterdir())
    with pytest.raises(SLPError, match="cannot be read"):
        read_results(tmp_path / "none.csv")
