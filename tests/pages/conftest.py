"""Pages under test keep what they encode to themselves."""

import functools
import pickle
import sys
import time
from contextvars import ContextVar
from dataclasses import replace

import numpy as np
import pytest
import streamlit as st
from driving import gone
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.context import ContextProxy
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner

import slp_core as slp
from pages.ensemble import draws
from pages.session import workspace
from pages.session.jobs import job_pool
from pages.session.methods import ON_TEXTS
from pages.session.visits import all_visitors
from pages.shell import status_bar
from slp_core.errors import Cancelled
from slp_core.methods.table import Effort
from slp_core.views import held_out_fidelity

PROGRAM = sys.modules["__main__"]


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """No page finds what an earlier run of the tests, or the app, has encoded."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLP_CACHE_DIR", str(tmp_path_factory.mktemp("embeddings")))
        yield


@pytest.fixture(scope="session", autouse=True)
def a_browser_has_no_cookies():
    """AppTest gives a mock for them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ContextProxy, "cookies", {})
        yield


@pytest.fixture(scope="session", autouse=True)
def packages_are_scanned_once():
    """AppTest reads the description of every installed package at each run: half of its time."""
    with pytest.MonkeyPatch.context() as patch:
        scan = functools.cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield


@pytest.fixture(scope="session", autouse=True)
def scripts_are_compiled_once():
    """As on a server; AppTest would parse the page at each run.

    Python 3.11 counts how deep it is in a tree for all threads together: where two parse at once,
    one of them now and then ends in a SystemError.
    """
    with pytest.MonkeyPatch.context() as patch:
        shared = ScriptCache()
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", lambda: shared)
        yield


@pytest.fixture(scope="session", autouse=True)
def parts_stand_beside_each_other():
    """No fragment is drawn by another one, but for the clock of a job, which has its own place.

    What an inner one draws may reach a browser without the outer one, and ends the page there.
    """
    fragment, inside = st.fragment, ContextVar("inside", default=False)

    def checked(part, run_every=None):
        @functools.wraps(part)
        def drawn(*args):
            assert run_every or not inside.get(), "a part within a part: pages/widgets/parts.py"
            before = inside.set(True)
            try:
                return part(*args)
            finally:
                inside.reset(before)

        return fragment(drawn, run_every=run_every)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(st, "fragment", checked)
        yield


@pytest.fixture(scope="session", autouse=True)
def umap_is_never_judged():
    """Whether it would show more, a page with a map asks of a process that compiles it for long.

    No test waits for the answer, and each would start that process anew: here it is seen that the
    question can be sent, and it stays open until it is cancelled. Browser tests have the answer.
    """
    usual, unsent = workspace.run_in_process, []

    def ask(function, *args, **options):
        if function is not held_out_fidelity:
            return usual(function, *args, **options)
        cancelled = options.pop("cancelled")
        try:
            pickle.dumps((function, args, options))
        except Exception as error:
            unsent.append(error)
            raise
        while not cancelled():
            time.sleep(0.02)
        raise Cancelled

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workspace, "run_in_process", ask)
        yield
    assert not unsent


@pytest.fixture(scope="session", autouse=True)
def landscapes_are_coarse():
    """A sixteenth of the cells: of each of them the library's tests say what it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workspace, "GRID", 50)
        yield


@pytest.fixture(scope="session", autouse=True)
def nobody_waits_for_other_support_sets():
    """A page that is drawn is given at once; whether the bar counts them is tested where it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(status_bar, "PATIENCE", 0)
        yield


@pytest.fixture(autouse=True)
def the_program_stays_what_it_is():
    """A page under test takes the place of ``__main__``, which new processes begin with."""
    yield
    sys.modules["__main__"] = PROGRAM


@pytest.fixture(autouse=True)
def jobs_end_with_their_test():
    """What a page counts in the background is not waited for by the pages of the next test."""
    yield
    job_pool().end(0)


@pytest.fixture(autouse=True)
def visits_end_with_their_test():
    """AppTest never closes a tab."""
    yield
    visitors = all_visitors()
    while visitors:
        gone(visitors.popitem()[1])


@pytest.fixture
def few_tweets():
    """Settings of a page with a fifth of the tweets: for methods that train an encoder."""
    tweets = slp.load_dataset("airline")
    rows = np.concatenate([np.flatnonzero(tweets.y == c)[:20] for c in range(3)])
    title, examples = "Few tweets", tweets.examples.take(rows)
    few = replace(tweets, name="few", title=title, examples=examples, labels=tweets.labels[rows])
    return {"uploads": {title: few}, "dataset": title}


@pytest.fixture
def two_epochs(monkeypatch):
    """So few of the fine-tuned encoder: that pages have it trained, not how well it is."""
    brief = replace(draws.FINE_TUNED, lighter=Effort("epochs", 2, "epochs"))
    monkeypatch.setitem(ON_TEXTS, brief.title, brief)
    monkeypatch.setattr(draws, "FINE_TUNED", brief)


@pytest.fixture
def nothing_encoded(tmp_path, monkeypatch):
    """A server that has encoded nothing but what came with the app."""
    monkeypatch.setenv("SLP_CACHE_DIR", str(tmp_path))
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()
