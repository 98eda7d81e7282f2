"""Soft-label prototypes: few-shot classifiers that can be looked into.

Names are imported on first use, so that ``import slp_core`` is quick and a first picture needs
neither torch nor transformers. ``__init__.pyi`` says where each lives.
"""

import os

import lazy_loader

# Read when torch or scikit-learn is loaded. By default OpenMP's threads spin while they wait for
# each other: where another program has one of the cores, a training of many small products takes
# seven times as long as it does with threads that sleep (research/performance.md).
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
