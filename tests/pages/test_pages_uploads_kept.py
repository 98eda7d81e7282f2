"""Uploads are kept for the browser that brought them: for no other, not for ever, not all."""

from dataclasses import replace

import numpy as np
import pytest
from driving import link, open_page, press, said, shown, widget
from streamlit.runtime.context import ContextProxy

from pages.session import cache, uploads
from pages.session.browser import COOKIE, new_cookie
from pages.session.jobs import job_pool
from pages.session.support_edits import with_typed_shots
from pages.session.uploads import MINUTES_KEPT, UploadStore
from pages.session.visits import SECONDS_AWAY, all_visitors
from slp_core.data import Examples, FewShotDataset


def dataset(n=4, width=1):
    labels = np.array(["a", "b"] * (n // 2))
    features = np.arange(n * width, dtype=float).reshape(n, width)
    return FewShotDataset(
        "mine", "Mine", Examples("numeric", features=features), labels, ("a", "b"), "numeric"
    )


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
    return new_cookie({"type": "http", "scheme": "http", "headers": headers})


def test_a_browser_gets_one_cookie_that_no_script_reads_and_nobody_guesses():
    page = (b"accept", b"text/html,*/*")
    first, second = answer_to([page]), answer_to([page])
    assert first != second
    assert len(first.split(";")[0]) > 40
    assert "HttpOnly" in first
    assert answer_to([page, (b"cookie", first.split(";")[0].encode())]) == ""
    assert answer_to([(b"accept", b"*/*")]) == ""  # of a picture or a script


@pytest.fixture
def browser(monkeypatch):
    """A browser with a cookie, and a server whose store is empty."""
    store = uploads.upload_store.__wrapped__()
    cookies = {COOKIE: "somebody"}
    monkeypatch.setattr(uploads, "upload_store", lambda: store)
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda self: cookies))
    return cookies


def give(app, n=40, name="mine.csv"):
    rows = "".join(f"{i},{i % 3},{'ab'[i % 2]}\n" for i in range(n))
    press(app, "Upload a dataset")
    app.file_uploader(key="upload").upload(name, f"x,y,label\n{rows}".encode()).run()
    return app


def bring(app, n=40):
    return press(give(app, n), "Use this dataset")


def test_a_visit_finds_what_its_browser_brought_earlier(browser):
    assert "**Mine**" in shown(bring(open_page(folded=True)))
    again = open_page(folded=True, dataset="Mine")
    assert "**Mine**" in shown(again)
    press(again, "Delete this upload")
    assert "**Airline tweets**" in shown(again)
    assert "which is not here" not in shown(again)  # nobody asks for it any more
    assert "Mine" not in widget(open_page(folded=True).selectbox, "dataset").options
    bring(again)
    uploads.upload_store().forget("somebody", "Mine")  # not by whoever brought it
    assert "“Mine”, which is not here" in shown(again.run())


@pytest.mark.parametrize(("chosen", "kept"), [(None, 16), (2, 2)])
def test_shots_that_a_small_upload_opened_with_are_left_with_it(browser, chosen, kept):
    app = bring(open_page(folded=True), n=12)
    assert widget(app.selectbox, "shots").value == 4
    if chosen:
        widget(app.selectbox, "shots").set_value(chosen).run()
    widget(app.selectbox, "dataset").set_value("Airline tweets").run()
    assert widget(app.selectbox, "shots").value == kept


def test_uploads_go_a_while_after_the_last_tab_of_their_browser_was_closed(browser):
    bring(open_page(folded=True))
    uploads.upload_store().put("another", "Mine", dataset())
    visitor = all_visitors()["somebody"]
    after = dict(visitor._then.values())
    assert {60 * MINUTES_KEPT} <= set(after) <= {SECONDS_AWAY, 60 * MINUTES_KEPT}  # or of its jobs
    after[60 * MINUTES_KEPT]()
    assert uploads.upload_store().of("somebody") == {}
    assert list(uploads.upload_store().of("another")) == ["Mine"]


def test_what_was_computed_of_an_upload_goes_with_it(browser):
    app = bring(open_page(folded=True))
    (digest,) = (each.digest for each in uploads.upload_store().of("somebody").values())

    def kept():
        asked = [key for _, keys in cache._kept for key in keys]
        done = [key for key, job in job_pool()._jobs.items() if job.done]
        return [key for key in (*done, *asked) if digest in str(key)]

    assert kept()
    job_pool().end(60)
    press(app, "Delete this upload")
    assert not kept()


def test_a_choice_that_the_address_has_lost_is_written_again(browser):
    app = bring(open_page(folded=True))
    assert link(app)["dataset"] == "Mine"
    app.query_params.clear()  # as of a browser that has not read its last message
    app.run()
    assert link(app)["dataset"] == "Mine"
    assert "**Mine**" in shown(app)


def test_a_tab_whose_upload_is_gone_says_so_until_something_is_chosen(browser):
    app = bring(open_page(folded=True))
    uploads.upload_store().forget("somebody", "Mine")
    assert "“Mine”, which is not here" in shown(app.run())
    assert "“Mine”, which is not here" in shown(app.run())
    widget(app.selectbox, "dataset").set_value("Iris flowers").run()
    assert "which is not here" not in shown(app)
    assert link(app)["dataset"] == "Iris flowers"


def test_what_is_missing_stays_in_the_address_for_a_tab_that_is_connected_anew(browser):
    app = open_page(folded=True, query={"dataset": "Theirs"})
    assert link(app)["dataset"] == "Theirs"
    assert "“Theirs”, which is not here" in shown(app)
    press(app, "Close")
    assert "which is not here" not in shown(app)
    assert "dataset" not in link(app)


def test_an_address_of_another_browsers_upload_says_so_and_offers_to_upload(browser):
    bring(open_page(folded=True))
    browser[COOKIE] = "another"
    app = open_page(folded=True, query={"dataset": "Mine"})
    text = shown(app)
    assert "“Mine”" in text
    assert "**Airline tweets**" in text
    press(app, "Upload it again")
    assert "Upload a few-shot dataset" in said(app)
    press(app, "Close")
    bring(app)
    assert "“Mine”, which is not here" not in shown(app)


def test_files_of_one_name_are_told_apart_and_the_same_data_brought_again_are_not(browser):
    app = bring(open_page(folded=True))
    for n, name, title in (
        (20, "mine.tsv", "Mine (2)"),
        (20, "mine.csv", "Mine (2)"),
        (40, "mine.csv", "Mine"),
    ):
        give(app, n, name)
        assert (f"this one will be called “{title}”" in said(app)) == (n == 20)
        press(app, "Use this dataset")
        assert widget(app.selectbox, "dataset").value == title
    own = uploads.upload_store().of("somebody")
    assert {title: len(dataset) for title, dataset in own.items()} == {"Mine": 40, "Mine (2)": 20}


def test_that_an_upload_has_to_go_or_finds_no_room_is_told_beforehand(browser, monkeypatch):
    for k in range(uploads.UPLOADS_OF_A_BROWSER):
        uploads.upload_store().put("somebody", f"Number {k}", dataset(n=4 + 2 * k))
    app = give(open_page(folded=True))
    assert "“Number 0”, the least recently used, will be deleted" in said(app)
    monkeypatch.setattr(uploads, "UPLOADS", 100)
    assert "mine.csv takes more than" in app.run().error[0].value
    assert "Use this dataset" not in [button.label for button in app.button]


def test_an_upload_of_equal_contents_keeps_its_own_title():
    for title in ("First", "Second"):
        assert with_typed_shots(replace(dataset(), title=title)).title == title
