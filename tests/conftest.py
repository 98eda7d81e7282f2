"""What holds for all tests."""

import gc

import pytest
from hypothesis import settings

settings.register_profile("patient", deadline=None)  # whether it holds, not how long it takes
settings.load_profile("patient")


@pytest.fixture(scope="module", autouse=True)
def what_stays_is_searched_once():
    """What earlier files left and imported is no garbage, and is not searched for it again.

    With PyTorch, Streamlit and all that pages keep, each such search takes half a second.
    """
    gc.collect()
    gc.freeze()
