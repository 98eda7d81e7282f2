"""A user's script, which `make lint` checks and nothing runs: every public name has its type."""

from pathlib import Path
from typing import assert_type

import numpy as np
import pandas as pd
import torch
from plotly.graph_objects import Figure

import slp_core as slp
from slp_core.data import DatasetInfo
from slp_core.diagnostics.ensemble import EnsembleDiagnostics
from slp_core.encoders import Encoder, EncoderInfo
from slp_core.methods.base import LineClassifier
from slp_core.views import HeldOut, Landscape, Projection

# Data
assert_type(slp.list_datasets(), tuple[DatasetInfo, ...])
dataset = slp.load_dataset("airline")
assert_type(dataset, slp.FewShotDataset)
assert_type(dataset.examples, slp.Examples)
assert_type(dataset.classes, tuple[str, ...])
assert_type(slp.read_dataset(Path("mine.csv"), kind="text", label="mood"), slp.FewShotDataset)
assert_type(slp.read_leopard("leopard/airline"), slp.FewShotDataset)
episode = dataset.draw(16, 0)
assert_type(episode, slp.Episode)
assert_type(episode.edited(remove=[3], relabel={4: "negative"}), slp.Episode)
texts = slp.Examples("text", texts=("It rains.", "It is dry."))
assert_type(len(texts), int)

# Encoders
assert_type(slp.list_encoders(), tuple[EncoderInfo, ...])
encoder = slp.load_encoder("minilm-l4", combine="weighted")
assert_type(encoder, Encoder)
X = encoder.encode(dataset)
support, query = X[episode.support], X[episode.query]
transformer = slp.TextEncoder("minilm-l4", combine="weighted", device="auto")
assert_type(transformer.fit(["a text"], [0]), slp.TextEncoder)

# Methods
model = slp.ConstraintSLPClassifier(distance="along_line").fit(support, episode.y_support)
assert_type(model, slp.ConstraintSLPClassifier)
deep = slp.DeepSLPClassifier(preset="paper", random_state=0).fit(support, episode.y_support)
assert_type(deep, slp.DeepSLPClassifier)
nearest = slp.NearestCentroidClassifier().fit(support, episode.y_support)
assert_type(nearest, slp.NearestCentroidClassifier)
one_nn = slp.OneNearestNeighbourClassifier().fit(support, episode.y_support)
assert_type(one_nn, slp.OneNearestNeighbourClassifier)
regression = slp.LogisticRegressionClassifier().fit(support, episode.y_support)
assert_type(regression, slp.LogisticRegressionClassifier)
meta = slp.MetaSLPClassifier("minilm-l4").fit(["a text", "another"], [0, 1])
assert_type(meta, slp.MetaSLPClassifier)
tuned = slp.FineTunedClassifier("minilm-l4").fit(["a text", "another"], [0, 1])
assert_type(tuned, slp.FineTunedClassifier)
lora = slp.LoRAClassifier("minilm-l4").fit(["a text", "another"], [0, 1])
assert_type(lora, slp.LoRAClassifier)
leopard = slp.LeopardClassifier("leopard-minilm-l4").fit(["a text", "another"], [0, 1])
assert_type(leopard, slp.LeopardClassifier)
accuracy = float((model.predict(query) == episode.y_query).mean())
slp.save_model(model, "model.zip", dataset="airline")
assert_type(slp.load_model("model.zip"), LineClassifier)

# Lines
fit = slp.find_lines(model.centroids_, "brute_force", n_lines="all")
assert_type(fit, slp.LineFit)
assert_type(fit.lines[0], slp.Line)
assert_type(model.lines_[0], slp.Line)
assert_type(model.place(query), slp.Placement)

# Explanations and views
assert_type(slp.explain_errors(model, query, episode.y_query), pd.DataFrame)
assert_type(slp.doubtful_labels(X, dataset.y), pd.DataFrame)
assert_type(slp.shot_influence(model, support, episode.y_support), pd.DataFrame)
assert_type(slp.select_shots(X, dataset.y, shots=4, method="coverage"), np.ndarray)
assert_type(slp.ensemble_diagnostics(model, query, episode.y_query), EnsembleDiagnostics)
projection = slp.fit_projection(X, method="centroid_plane", model=model)
assert_type(projection, Projection)
landscape = slp.decision_landscape(model, projection, grid=50)
assert_type(landscape, Landscape)
assert_type(landscape.fidelity, float)
assert_type(slp.held_out_fidelity(model, X, "pca"), HeldOut)

# Figures
shown = slp.DecisionLandscapeDisplay.from_estimator(model, query, episode.y_query)
assert_type(shown, slp.DecisionLandscapeDisplay)
strip = slp.WStripDisplay.from_estimator(model, query, episode.y_query)
assert_type(strip, slp.WStripDisplay)
labels = slp.SoftLabelDisplay.from_estimator(model, query, episode.y_query)
assert_type(labels, slp.SoftLabelDisplay)
causes = slp.ErrorCausesDisplay.from_estimator(model, query, episode.y_query)
assert_type(causes, slp.ErrorCausesDisplay)
influence = slp.ShotInfluenceDisplay.from_estimator(model, support, episode.y_support)
assert_type(influence, slp.ShotInfluenceDisplay)
figure: Figure = influence.plot(theme="dark")

# PyTorch
layer = slp.nn.SoftLabelPrototypes.of(deep)
assert_type(layer, slp.nn.SoftLabelPrototypes)
logits: torch.Tensor = layer(torch.zeros(2, 384))


# Own parts, and errors
def letters(given: list[str]) -> list[list[int]]:
    return [[len(text)] for text in given]


slp.register("encoder", "letters", letters, title="Letters")
try:
    slp.load_encoder("letter")
except slp.EncoderError as error:
    assert_type(error, slp.EncoderError)
except slp.DatasetError as error:
    assert_type(error.form, str)
except slp.SLPError as error:
    assert_type(error, slp.SLPError)

# What is misspelt is found. An unused `ignore` is an error, so each of these must be one.
slp.ConstraintSLPClassifier(distance="manhattan")  # type: ignore[arg-type]
slp.DeepSLPClassifier(loss_scaling="mean")  # type: ignore[arg-type]
slp.fit_projection(X, method="isomap")  # type: ignore[arg-type]
slp.held_out_fidelity(model, X, "isomap")  # type: ignore[arg-type]
slp.find_lines(model.centroids_, "straight")  # type: ignore[arg-type]
slp.select_shots(X, dataset.y, 4, method="random")  # type: ignore[arg-type]
slp.TextEncoder(device="gpu")  # type: ignore[arg-type]
slp.load_encoder("minilm-l4", combine="added")  # type: ignore[arg-type]
slp.read_dataset("mine.csv", kind="image")  # type: ignore[arg-type]
slp.register("page", "mine", letters)  # type: ignore[arg-type]
influence.plot(theme="black")  # type: ignore[arg-type]
dataset.draw("sixteen", 0)  # type: ignore[arg-type]
slp.load_data("airline")  # type: ignore[attr-defined]
