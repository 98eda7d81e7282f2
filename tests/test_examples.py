"""Every public name has an example in its docstring, and it runs."""

import doctest

import pytest

import slp_core


@pytest.mark.parametrize("name", slp_core.__all__)
def test_every_public_name_has_an_example_that_runs(name):
    found = getattr(slp_core, name)
    test = doctest.DocTestParser().get_doctest(found.__doc__, {}, name, None, None)
    assert test.examples
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
