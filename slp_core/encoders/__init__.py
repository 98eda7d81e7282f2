"""From examples to vectors: text encoders, numeric features, and a cache of embeddings.

Nothing heavy is imported here or by `load_encoder`: PyTorch, transformers and scikit-learn are
loaded when a vector has to be computed that neither the bundled embeddings nor the cache hold.
"""

from slp_core.encoders.base import ByDraw, Encoder, EncoderInfo, Normalisation, Vectors, vectors_on
from slp_core.encoders.export import export_encoder
from slp_core.encoders.registry import list_encoders, load_encoder

__all__ = [
    "ByDraw",
    "Encoder",
    "EncoderInfo",
    "Normalisation",
    "Vectors",
    "export_encoder",
    "list_encoders",
    "load_encoder",
    "vectors_on",
]
