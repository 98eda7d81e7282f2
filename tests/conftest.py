"""Fixtures of all tests."""

import gc
import json
import shutil

import pytest
from hypothesis import HealthCheck, settings

# Whether it holds, not how long it takes: some examples are classifiers that are fitted
PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("patient", **PATIENT)
settings.register_profile("thorough", **PATIENT, max_examples=5_000)
settings.load_profile("patient")

# What is imported is no garbage, and is a quarter sooner there where it is not searched for any.
gc.set_threshold(100_000, 20, 20)

NARROW = {"hidden_size": 48, "intermediate_size": 192}  # of 384 and 1,536; there are 12 heads


@pytest.fixture(scope="module", autouse=True)
def what_stays_is_searched_once():
    """What earlier files left and imported is no garbage, and is not searched for it again.

    With PyTorch, Streamlit and all that pages keep, each such search takes half a second.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def narrow_minilm_package(tmp_path_factory):
    """A package like MiniLM's, of as many layers and words but an eighth of the width."""
    from safetensors.torch import load_file, save_file

    from slp_core.encoders import minilm

    official, folder = minilm.model_folder(), tmp_path_factory.mktemp("package") / "narrow_minilm"
    shutil.copytree(official, folder / "model", ignore=shutil.ignore_patterns("*.safetensors"))
    (folder / "__init__.py").touch()
    config = json.loads((official / "config.json").read_text())
    narrower = {config[name]: n for name, n in NARROW.items()}
    (folder / "model" / "config.json").write_text(json.dumps(config | NARROW))
    pooling = folder / "model" / "1_Pooling" / "config.json"
    pooled = json.loads(pooling.read_text()) | {"word_embedding_dimension": NARROW["hidden_size"]}
    pooling.write_text(json.dumps(pooled))
    weights = load_file(official / "model.safetensors")
    for name, tensor in weights.items():
        cut = tuple(slice(narrower.get(n, n)) for n in tensor.shape)
        weights[name] = tensor[cut].clone()
    save_file(weights, folder / "model" / "model.safetensors")
    return folder


@pytest.fixture
def narrow_minilm(narrow_minilm_package, monkeypatch):
    """MiniLM is an eighth as wide: for what its training does, whatever it has learnt before."""
    from slp_core.encoders import minilm
    from slp_core.encoders.checkpoint import sha256

    model = narrow_minilm_package / "model"
    monkeypatch.syspath_prepend(narrow_minilm_package.parent)
    monkeypatch.setattr(minilm, "PACKAGE", narrow_minilm_package.name)
    monkeypatch.setattr(minilm, "WEIGHTS_SHA256", sha256(model / "model.safetensors"))
    monkeypatch.setattr(minilm, "CONFIG_SHA256", sha256(model / "config.json"))
