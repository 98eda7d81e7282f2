"""A failure behind a page is reported in a sentence, affects no other work, and can be retried."""

import errno
import shutil
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest

import slp_core as slp
from pages.session import available_encoders
from pages.session.jobs import JobPool
from pages.session.text import failure_text
from slp_core.encoders.meta_checkpoint import CHECKPOINTS_DIR, MetaCheckpoint
from slp_core.encoders.minilm import checked_folder, model_folder


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("shapes do not match"),
        OSError(errno.ENOSPC, "No space left on device", "file.npz"),
        MemoryError(),
        SystemExit(1),
        KeyError("x" * 10**6),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_worker_that_raises_is_told_and_the_pool_goes_on(error):
    fails = [True]

    def work(job):
        if fails:
            raise error
        return 4

    pool = JobPool(workers=1)
    job = pool.start("bad", "Counting", work)
    job.wait(60)
    assert job.error is error
    assert failure_text("Counting", job.error).startswith("Counting failed")
    assert len(failure_text("Counting", job.error)) < 1_000
    after = pool.start("good", "Counting on", lambda job: 3)
    after.wait(60)
    assert after.result == 3
    fails.clear()
    again = pool.want(job)
    again.wait(60)
    assert again.result == 4


def test_an_uploaded_checkpoint_whose_folder_is_gone_leaves_the_others(monkeypatch, tmp_path):
    gone = SimpleNamespace(name=str(tmp_path / "gone"))
    kept = SimpleNamespace(value={"Gone": gone})
    monkeypatch.setattr(available_encoders.settings, "UPLOADED_ENCODERS", kept)
    assert available_encoders.available_encoders() == slp.list_encoders()


@pytest.mark.parametrize("lost", ["card.json", "model.safetensors"])
def test_a_checkpoint_that_is_lost_or_torn_is_named(lost, tmp_path):
    with TemporaryDirectory(dir=tmp_path) as folder:
        shutil.copytree(CHECKPOINTS_DIR / "reptile-minilm-l4", folder, dirs_exist_ok=True)
        checkpoint = MetaCheckpoint(tmp_path / folder)
        path = tmp_path / folder / lost
        path.write_bytes(path.read_bytes()[:1_000])
        for _ in range(2):  # torn, then gone
            with pytest.raises(slp.EncoderError, match=rf"{lost}|are not those"):
                checkpoint.changes()
            path.unlink(missing_ok=True)


def test_damaged_weights_of_the_encoder_are_not_used(tmp_path, monkeypatch):
    folder = tmp_path / "model"
    folder.mkdir()
    for path in model_folder().iterdir():
        if path.suffix == ".json":
            shutil.copy(path, folder)
    monkeypatch.setattr("slp_core.encoders.minilm.model_folder", lambda: folder)
    with pytest.raises(
        slp.EncoderError, match=r"is missing or not the official file .* run 'pip install"
    ):
        checked_folder()
    (folder / "model.safetensors").write_bytes(b"\0" * 1_000)
    with pytest.raises(slp.EncoderError, match="by its SHA-256"):
        checked_folder()
