"""The caches of pages: exact keys, bounded size, each result computed once for all sessions."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import streamlit as st

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


def test_only_so_many_results_are_kept_and_those_of_some_data_can_be_forgotten():
    calls = []
    kept = cached_by(lambda value: str(value), most=2)(lambda value: calls.append(value) or value)
    for value in (1, 2, 1, 3, 1):
        assert kept(value) == value
    assert calls == [1, 2, 3]
    kept(2)
    assert calls == [1, 2, 3, 2]  # the longest unused had gone
    forget_results("1")
    kept(2)
    assert calls == [1, 2, 3, 2]
    kept(1)
    assert calls == [1, 2, 3, 2, 1]
    forget_results("2")
    kept(2)
    assert calls == [1, 2, 3, 2, 1, 2]


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


def test_a_store_lets_the_longest_unused_go():
    store = BoundedStore(2)
    store.put("a", 1)
    store.put("b", 2)
    store.get("a")
    store.put("c", 3)
    assert (store.get("a"), store.get("b"), store.get("c")) == (1, None, 3)
    assert store.pop("a", None) == 1
    assert store.get("a") is None
