"""A model of the Hugging Face hub is offered with its size, and said to be out of reach offline."""

import threading

from driving import labels, open_page, press, said, until

import slp_core as slp
from pages.shell import hub
from slp_core.markdown import unmarked
from slp_core.progress import Progress

E5 = "Multilingual E5, small"


def test_a_model_is_downloaded_when_asked_for(monkeypatch):
    ended = threading.Event()

    def out_of_reach(model):
        raise slp.EncoderError(f"Model {model!r} is not on this computer: connect to the network.")

    def download(model, progress, cancelled):
        progress(Progress(123, 490, None))
        ended.wait(300)

    monkeypatch.setattr(hub, "is_here", lambda model: False)
    monkeypatch.setattr(hub, "download_megabytes", out_of_reach)
    monkeypatch.setattr(hub, "download", download)
    app = open_page(folded=True, encoder=E5)
    told = "is not on this computer: connect to the network."
    until(app, lambda: told in unmarked(said(app)))
    assert "MiniLM, layer 4" in said(app)  # which is used until then
    monkeypatch.setattr(hub, "download_megabytes", lambda model: 490)
    press(app, "Try again")
    until(app, lambda: "Download (490 MB)" in labels(app))
    press(app, "Download (490 MB)")
    told = "Downloading intfloat/multilingual-e5-small: 25%"
    until(app, lambda: told in progress_of(app))
    assert "Cancel" in labels(app)
    ended.set()


def progress_of(app):
    """What the bars of the page say."""
    return unmarked(" ".join(bar.proto.text for bar in app.get("progress")))
