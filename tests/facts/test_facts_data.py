"""What is said of work under way and of a dataset that is not there."""

import checks_data  # noqa: F401 - its checks
import pytest
from facts_book import check_facts

from pages.session.status_text import (
    cut_facts,
    encoding_fact,
    layout_fact,
    missing_facts,
    to_encode_facts,
)


@pytest.mark.parametrize("n", [1, 2, 5_000])
def test_what_is_under_way_is_counted(n):
    facts = (encoding_fact(n, "An encoder"), layout_fact(n), *to_encode_facts(n))
    assert len(check_facts(facts, None, n=n)) == 3
    assert not cut_facts(0, n)
    cut = [True] * min(n, 2) + [False] * (n - 2)
    check_facts(cut_facts(min(n, 2), n), None, cut=cut)


def test_a_dataset_that_is_not_there_is_named_with_what_is_shown():
    titles = ["Airline tweets", "Mine"]
    told = missing_facts("Theirs", "Airline tweets", titles, 5.0)
    assert check_facts(told, None, titles=titles) == {"strip.missing"}
