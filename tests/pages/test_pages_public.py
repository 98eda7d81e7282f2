"""A public server opens nothing of its disk or network, and says its limits where they bind."""

from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from types import SimpleNamespace

import numpy as np
import pytest
from driving import open_page, said, widget

import slp_core as slp
from pages.session import public, workspace
from pages.session.available_encoders import single_encoders
from pages.session.code import script
from pages.session.jobs import JobPool
from pages.session.methods import ON_TEXTS, refusal
from pages.session.text import failure_text
from pages.session.workspace import Workspace, encoder
from slp_core.data import Examples, FewShotDataset
from slp_core.encoders.cache import default_cache_dir
from slp_core.markdown import unmarked
from slp_core.methods.table import METHODS


@pytest.fixture
def server_is_public(monkeypatch):
    monkeypatch.setenv(public.VARIABLE, "1")
    public._folders.cache_clear()


def dataset_of(rows, classes):
    y = np.arange(rows) % classes
    labels = np.array([f"c{k:03}" for k in y])
    names = tuple(sorted(set(labels.tolist())))
    examples = Examples("text", texts=tuple(map(str, range(rows))))
    return FewShotDataset("d", "D", examples, labels, names, "minilm-l4")


@pytest.mark.usefixtures("server_is_public")
def test_a_link_reaches_neither_folder_nor_hub(monkeypatch):
    reached = []
    monkeypatch.setattr(slp, "load_encoder", lambda *args, **more: reached.append(args[0]))
    for name in ("hf:/etc", "hf:some-org/some-model"):
        with pytest.raises(slp.EncoderError, match="This server is public"):
            encoder(name, None)
    monkeypatch.undo()
    monkeypatch.setenv(public.VARIABLE, "1")
    link = {"encoder": "another model …", "model": "/etc", "compare": "beside the paper"}
    app = open_page("compare", query=link)
    assert not app.exception
    assert "opens no folder of its own" in said(app)
    assert "another model …" not in widget(app.selectbox, "encoder").options
    assert not any(field.label == "Folder of one task" for field in app.text_input)
    assert "20,000 rows and 50 classes" in said(app)
    assert not reached


@pytest.mark.usefixtures("server_is_public")
def test_the_operator_lists_what_may_come_from_the_hub(monkeypatch):
    e5 = "hf:intfloat/multilingual-e5-small"
    assert not any(name.startswith("hf:") for name in single_encoders("text", "minilm-l4").values())
    monkeypatch.setenv(public.HUB_VARIABLE, "a/b, intfloat/multilingual-e5-small")
    assert single_encoders("text", "minilm-l4")["Multilingual E5, small"] == e5
    assert encoder(e5, "none").info.title == "Multilingual E5, small"
    assert public.may_download("hf:a/b")
    assert public.may_download("minilm-l4")
    for name in ("hf:a/c", "hf:/etc", "hf:", "hf:BAAI/bge-small-en-v1.5"):
        with pytest.raises(slp.EncoderError, match="This server is public"):
            encoder(name, "none")


def test_at_home_all_of_it_can_be_asked_for():
    assert not public.is_public()
    assert public.shown(f"{Path.home()}/a/b is gone.") == f"{Path.home()}/a/b is gone."
    assert workspace.encoder("hf:/etc", None).info.name == "hf:/etc"


@pytest.mark.parametrize("value", ["", "0"])
def test_public_mode_can_be_turned_off(monkeypatch, value):
    monkeypatch.setenv(public.VARIABLE, value)
    assert not public.is_public()


@pytest.mark.parametrize(
    ("rows", "classes", "told"), [(30, 15, "15 classes"), (101, 2, "101 rows")]
)
def test_a_dataset_over_the_limits_is_refused_with_both_numbers(rows, classes, told):
    few = public.Limits(rows=100, classes=10)
    with pytest.raises(slp.DatasetError, match=rf"has {told}.* at most 10"):
        few.check(dataset_of(rows, classes))
    few.check(dataset_of(100, 10))


@pytest.mark.usefixtures("server_is_public")
def test_training_is_refused_above_so_many_texts():
    here = Workspace(dataset_of(600, 50), encoder("minilm-l4", None), "minilm-l4", 8, 0,
                     METHODS["constraint_slp"], {})  # fmt: skip
    method = next(m for m in ON_TEXTS.values() if not m.missing)
    assert refusal(method, here) == ""
    told = refusal(method, replace(here, shots=9))
    assert "at most 400 texts" in told
    assert "9 shots of 50 classes make 450" in told


def test_long_texts_are_refused_in_chunks_and_not_otherwise(monkeypatch):
    few = public.Limits(passage_characters=100)
    monkeypatch.setattr("pages.session.workspace.limits", lambda: few)
    dataset = dataset_of(100, 2)  # of 190 characters
    for name, refused in (("minilm-l4", False), ("minilm-l4+chunks", True)):
        here = Workspace(dataset, encoder(name, None), name, 8, 0,
                         METHODS["constraint_slp"], {})  # fmt: skip
        job = here.encoding.started()
        job.wait(120)
        assert bool(job.error) == refused
    assert "at most 100 characters in chunks, and the texts have 190" in str(job.error)


@pytest.mark.usefixtures("server_is_public")
def test_messages_name_files_without_their_folders():
    for folder in (Path.home(), Path.cwd(), Path(gettempdir()) / "x", default_cache_dir()):
        told = public.shown(f"No space left: '{folder}/deep/file.npz', {folder} and http://a.b/c.")
        assert told == f"No space left: 'file.npz', {folder.name} and http://a.b/c."
    path = Path(gettempdir()) / "of_somebody" / "a_b.npz"  # which Markdown escapes

    def work(job):
        raise OSError(28, "No space left", str(path))

    job = JobPool(workers=1).start("key", "Encoding", work)
    job.wait(30)
    told = unmarked(failure_text(job.title, job.error))
    assert told == "Encoding failed: [Errno 28] No space left: 'a_b.npz'."


def test_the_limits_that_are_documented_are_those_that_bind():
    said = (Path(__file__).parents[2] / "docs" / "privacy.md").read_text()
    at_most = public.Limits()
    assert f"| {at_most.rows:,} and {at_most.classes} |" in said
    for most in (
        at_most.epochs,
        at_most.training_texts,
        at_most.trained_draws,
        at_most.passage_characters,
    ):
        assert f"| {most:,} |" in said


def test_a_message_is_short_however_long_its_names():
    many = "x" * 10**6
    for error in (slp.DatasetError(f"{many} end", many), slp.EncoderError(many)):
        assert len(str(error)) <= 600
        assert len(getattr(error, "form", "")) <= 600
    assert str(slp.DatasetError(f"{many} end")).endswith("end")


def test_code_for_a_view_names_no_folder_of_a_public_server(monkeypatch):
    root = str(Path(__file__).parents[2])
    view = SimpleNamespace(
        dataset=slp.load_dataset("iris"), shots=4, draw=0, encoder_name="numeric",
        X=np.zeros((150, 4)), method=METHODS["deep_slp"], options={},
        episode=slp.load_dataset("iris").draw(4, 0),
    )  # fmt: skip
    assert root in script(view, "Explore")
    monkeypatch.setenv(public.VARIABLE, "1")
    assert root not in script(view, "Explore")


@pytest.mark.usefixtures("server_is_public")
def test_no_weights_are_handed_out():
    app = open_page("encoders", dataset="Wine")
    label = "Download this encoder"
    assert label not in {button.label for button in app.get("download_button")}
    offers = [button for button in app.button if button.label == label]
    assert offers
    assert all(button.disabled for button in offers)
