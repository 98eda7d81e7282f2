"""Pages under test keep what they encode to themselves."""

import functools
import sys

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner

from pages.session.jobs import job_pool

PROGRAM = sys.modules["__main__"]


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """No page finds what an earlier run of the tests, or the app, has encoded."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLP_CACHE_DIR", str(tmp_path_factory.mktemp("embeddings")))
        yield


@pytest.fixture(scope="session", autouse=True)
def packages_are_scanned_once():
    """AppTest reads the description of every installed package at each run: half of its time."""
    with pytest.MonkeyPatch.context() as patch:
        scan = functools.cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
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


@pytest.fixture
def nothing_encoded(tmp_path, monkeypatch):
    """A server that has encoded nothing but what came with the app."""
    monkeypatch.setenv("SLP_CACHE_DIR", str(tmp_path))
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()
