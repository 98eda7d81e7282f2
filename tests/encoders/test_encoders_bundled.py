import subprocess
import sys

import numpy as np
import pytest

from slp_core.data import list_datasets, load_dataset
from slp_core.encoders import load_encoder
from slp_core.encoders.cache import BUNDLED_DIR
from slp_core.encoders.meta_checkpoint import find_checkpoints

TEXT_DATASETS = [info.name for info in list_datasets() if info.kind != "numeric"]


@pytest.mark.parametrize("name", TEXT_DATASETS)
def test_bundled_embeddings_are_the_encoders_own(name):
    """If this fails, a sample text has changed: run ``python -m tools.encode_bundled_data``."""
    dataset = load_dataset(name)
    bundled = load_encoder(dataset.default_encoder)
    assert bundled.is_cached(dataset)  # every row, by its own text; the disk cache is empty
    # What is kept of a row differs by its length, or not at all: an archive checks its bytes.
    by_length = sorted(range(len(dataset)), key=lambda i: len(dataset.describe(i)))
    some = dataset.examples.take(sorted({*by_length[::20], *by_length[-3:]}))
    computed = load_encoder(dataset.default_encoder, cache=False)
    np.testing.assert_allclose(bundled.encode(some), computed.encode(some), atol=1e-3)
    assert bundled.n_truncated == computed.n_truncated


def test_nothing_else_is_bundled():
    bundled = {(path.parent.name, path.stem) for path in BUNDLED_DIR.glob("*/*")}
    encoders = {"minilm-l4", *(path.name for path in find_checkpoints())}
    assert bundled == {(encoder, name) for encoder in encoders for name in TEXT_DATASETS}


def test_sample_data_need_neither_torch_nor_transformers():
    script = (
        "import sys; from slp_core.data import load_dataset\n"
        "from slp_core.encoders import load_encoder\n"
        "dataset = load_dataset('airline')\n"
        "vectors = load_encoder(dataset.default_encoder).encode(dataset)\n"
        "heavy = {'torch', 'transformers', 'tokenizers', 'sklearn', 'scipy'}\n"
        "print(vectors.shape[1], sorted(heavy & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "384 []", done.stderr


def test_a_changed_text_is_noticed():
    dataset = load_dataset("airline")
    texts = list(dataset.examples.texts)
    texts[3] += "!"
    encoder = load_encoder("minilm-l4")
    seen = []
    encoder.encode(texts, progress=seen.append)
    assert (seen[0].done, seen[-1].done) == (len(texts) - 1, len(texts))
