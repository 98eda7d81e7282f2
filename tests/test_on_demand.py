"""Items made on demand equal those of the list that they stand for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slp_core.on_demand import OnDemand


@given(st.lists(st.integers(), max_size=9), st.data())
def test_it_reads_as_the_list_would_and_makes_nothing_before(items, data):
    made = []
    lazy = OnDemand(lambda i: made.append(i) or items[i], len(items))
    assert (len(lazy), made) == (len(items), [])
    part = slice(*(data.draw(st.none() | st.integers(-12, 12)) for _ in range(2)))
    assert list(lazy[part]) == items[part]
    assert [*lazy, *reversed(lazy)] == [*items, *reversed(items)]
    with pytest.raises(IndexError):
        lazy[len(items)]
