"""Uploads are kept for the browser that brought them: for no other, not for ever, not all."""

import asyncio

import numpy as np
import pytest
from driving import open_page, press, said, shown
from streamlit.runtime.context import ContextProxy

from pages.session import uploads
from pages.session.uploads import COOKIE, BrowserCookie, UploadStore
from slp_core.data import Examples, FewShotDataset


def dataset(n=4, width=1):
    labels = np.array(["a", "b"] * (n // 2))
    features = np.arange(n * width, dtype=float).reshape(n, width)
    return FewShotDataset(
        "mine", "Mine", Examples("numeric", features=features), labels, ("a", "b"), "numeric"
    )


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_a_browser_has_its_own_uploads_until_nobody_has_used_them_for_a_while():
    clock = Clock()
    store = UploadStore(seconds=100, clock=clock)
    store.put("one", "Mine", dataset())
    store.put("one", "Other", dataset())
    assert list(store.of("one")) == ["Mine", "Other"]
    assert store.of("two") == {}
    clock.now = 90
    store.use("one", "Mine")
    clock.now = 120
    assert list(store.of("one")) == ["Mine"]
    store.forget("two", "Mine")
    assert list(store.of("one")) == ["Mine"]
    store.forget("one", "Mine")
    assert store.of("one") == {}


def test_the_longest_unused_goes_first_where_there_are_too_many_or_too_large_ones():
    store = UploadStore(most=2)
    for title in ("first", "second", "third"):
        store.put("one", title, dataset())
    assert list(store.of("one")) == ["second", "third"]
    large = dataset(n=2, width=1_000)
    small = UploadStore(n_bytes=2 * large.n_bytes)
    for browser in ("one", "two", "three"):
        small.put(browser, "Large", large)
    assert [bool(small.of(browser)) for browser in ("one", "two", "three")] == [False, True, True]


def answer_to(headers):
    sent = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "scheme": "http", "headers": headers}
    asyncio.run(BrowserCookie(app)(scope, None, send))
    return [value for name, value in sent[0]["headers"] if name == b"set-cookie"]


def test_a_browser_gets_one_cookie_that_no_script_reads_and_nobody_guesses():
    page = (b"accept", b"text/html,*/*")
    (first,), (second,) = answer_to([page]), answer_to([page])
    assert first != second
    assert len(first.split(b";")[0]) > 40
    assert b"HttpOnly" in first
    assert answer_to([page, (b"cookie", first.split(b";")[0])]) == []
    assert answer_to([(b"accept", b"*/*")]) == []  # of a picture or a script


@pytest.fixture
def browser(monkeypatch):
    """A browser with a cookie, and a server whose store is empty."""
    store = UploadStore()
    cookies = {COOKIE: "somebody"}
    monkeypatch.setattr(uploads, "upload_store", lambda: store)
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda self: cookies))
    return cookies


def bring(app):
    rows = "".join(f"{i},{i % 3},{'ab'[i % 2]}\n" for i in range(40))
    press(app, "Upload your own")
    app.file_uploader(key="upload").upload("mine.csv", f"x,y,label\n{rows}".encode()).run()
    return press(app, "Use this dataset")


def test_a_visit_finds_what_its_browser_brought_earlier(browser):
    assert "**Mine**" in shown(bring(open_page()))
    again = open_page(dataset="Mine")
    assert "**Mine**" in shown(again)
    press(again, "Forget this upload")
    assert "**Airline tweets**" in shown(again)
    assert "Mine" not in open_page().selectbox("dataset").options


def test_an_address_of_another_browsers_upload_says_so_and_offers_to_upload(browser):
    bring(open_page())
    browser[COOKIE] = "another"
    app = open_page(query={"dataset": "Mine"})
    text = shown(app)
    assert "“Mine”" in text
    assert "**Airline tweets**" in text
    press(app, "Upload it again")
    assert "Upload a few-shot dataset" in said(app)
    press(app, "Close")
    bring(app)
    assert "“Mine”, which is not here" not in shown(app)
