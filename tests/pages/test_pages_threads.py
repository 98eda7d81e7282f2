"""Products of matrices take one thread on a server."""

import json
import os
import subprocess
import sys

import pytest

from slp_core.resources import resource

CODE = """
import json
import numpy
from pages.shell.threads import one_thread_a_product
one_thread_a_product()
import scipy.linalg
from threadpoolctl import threadpool_info
blas = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
import torch
print(json.dumps([blas, torch.get_num_threads()]))
"""


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core has one thread anyway")
@pytest.mark.parametrize(("given", "threads"), [({}, 1), ({"OPENBLAS_NUM_THREADS": "2"}, 2)])
def test_products_take_one_thread_unless_somebody_says_otherwise(given, threads):
    environment = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    told = subprocess.run(
        [sys.executable, "-c", CODE],
        cwd=resource("app.py").parent,
        env=environment | given,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    blas, network = json.loads(told)
    assert set(blas) == {threads}  # NumPy's, loaded before, and SciPy's, after
    assert network > 1
