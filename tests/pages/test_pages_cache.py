"""What the pages keep: by exact keys, within bounds, made once however many ask."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import streamlit as st

from pages.session import cache
from pages.session.cache import BoundedStore, cached_by, forget_results


@pytest.fixture(autouse=True)
def nothing_kept():
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


def counting(name, make=lambda value: value):
    calls = []

    def function(value, other=0):
        calls.append(value)
        return name, make(value)

    function.__qualname__ = name
    return cached_by(lambda value, other=0: f"{value} {other}")(function), calls


def test_a_result_is_computed_once_for_each_key():
    function, calls = counting("one")
    assert [function(1), function(1), function(2), function(1, other=3)] == [
        ("one", 1),
        ("one", 1),
        ("one", 2),
        ("one", 1),
    ]
    assert calls == [1, 2, 1]


def test_two_functions_do_not_see_each_other_s_results():
    (one, _), (two, _) = counting("one"), counting("two")
    assert (one(1), two(1)) == (("one", 1), ("two", 1))


def test_as_many_bytes_of_results_are_kept_as_there_is_room_for(monkeypatch):
    monkeypatch.setattr(cache, "RESULTS", 3_100_000)
    arrays, calls = counting("arrays", lambda value: np.full(125_000, value))  # 1 MB each
    for value in (1, 2, 3, 1, 4, 1):
        assert arrays(value)[1][0] == value
    assert calls == [1, 2, 3, 4]
    arrays(2)
    arrays(3)
    assert calls == [1, 2, 3, 4, 2, 3]  # the longest unused had gone
    forget_results("1 0")
    arrays(1)
    assert calls[-1] == 1


def test_what_several_results_hold_counts_once(monkeypatch):
    monkeypatch.setattr(cache, "RESULTS", 3_000_000)
    shared = np.zeros(250_000)  # 2 MB
    views, calls = counting("views", lambda value: {"x": shared[:10], "own": value})
    for _ in range(2):
        for value in range(20):
            views(value)
    assert len(calls) == 20


def test_a_result_is_made_once_for_all_who_ask_and_again_after_a_failure():
    gate, begun = threading.Event(), threading.Event()

    def make(value):
        begun.set()
        assert gate.wait(60)
        if len(calls) == 1:
            raise ValueError
        return value

    function, calls = counting("slow", make)
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(function, 1)
        assert begun.wait(60)
        others = [pool.submit(function, 1) for _ in range(3)]
        gate.set()
        assert isinstance(first.exception(60), ValueError)
        assert [each.result(60) for each in others] == [("slow", 1)] * 3
    assert calls == [1, 1]


def test_a_store_lets_the_longest_unused_go_and_none_that_must_stay():
    store = BoundedStore(2, may_go=lambda value: value != "stays")
    store.put("a", "stays")
    for key in "bcd":
        store.put(key, key)
    assert (store.get("a"), store.get("b"), store.get("c"), store.get("d")) == (
        "stays",
        None,
        None,
        "d",
    )
    store.put("e", "stays")
    store.put("f", "stays")
    assert len(store.items()) == 3  # none of them may go
    assert store.pop("a") == "stays"
    assert store.get("a") is None


def test_a_value_that_was_used_lately_stays():
    store = BoundedStore(2)
    store.put("a", 1)
    store.put("b", 2)
    store.get("a")
    store.put("c", 3)
    assert (store.get("a"), store.get("b")) == (1, None)


def test_a_value_is_made_once_and_again_when_it_is_no_longer_good():
    store, gate, made = BoundedStore(4), threading.Barrier(8), []

    def ask():
        gate.wait(60)
        return store.get_or_make("key", lambda: made.append(1) or len(made), good=lambda v: v < 2)

    with ThreadPoolExecutor(8) as pool:
        assert {future.result() for future in [pool.submit(ask) for _ in range(8)]} == {1}
    store.put("key", 2)
    assert store.get_or_make("key", lambda: 1, good=lambda v: v < 2) == 1
