"""Soft-label prototypes: few-shot classifiers that can be inspected.

Names are imported on first use, so that ``import slp_core`` is quick and a first picture needs
neither torch nor transformers. ``__init__.pyi`` says where each lives.
"""

import lazy_loader

__version__ = "1.0.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
