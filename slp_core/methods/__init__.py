"""The classifiers, each a scikit-learn estimator, one file a method; imported on first use.

``__init__.pyi`` says where each name lives.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
