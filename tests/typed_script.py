"""A user's script, which `make lint` checks and nothing runs: public names have types."""

from typing import assert_type

import slp_core as slp

dataset = slp.load_dataset("airline")
episode = dataset.draw(16, 0)
assert_type(dataset, slp.FewShotDataset)
assert_type(episode, slp.Episode)
assert_type(dataset.classes, tuple[str, ...])

X = slp.load_encoder("minilm-l4").encode(dataset)
support, query = X[episode.support], X[episode.query]
model = slp.ConstraintSLPClassifier(distance="along_line").fit(support, episode.y_support)
assert_type(model, slp.ConstraintSLPClassifier)
assert_type(model.lines_[0], slp.Line)
deep = slp.DeepSLPClassifier(preset="paper", random_state=0).fit(support, episode.y_support)
assert_type(deep, slp.DeepSLPClassifier)
predicted = model.predict(query)
accuracy = float((predicted == episode.y_query).mean())
errors = slp.explain_errors(model, query, episode.y_query)
diagnostics = slp.ensemble_diagnostics(model, query, episode.y_query)
projection = slp.fit_projection(X, method="centroid_plane", model=model)
landscape = slp.decision_landscape(model, projection, grid=50)
assert_type(landscape.fidelity, float)

encoder = slp.TextEncoder("minilm-l4", combine="weighted", device="auto")
assert_type(encoder.fit(["a text"], [0]), slp.TextEncoder)
layer = slp.nn.SoftLabelPrototypes.of(deep)
assert_type(layer, slp.nn.SoftLabelPrototypes)

# What is misspelt is found. An unused `ignore` is an error, so each of these must be one.
slp.ConstraintSLPClassifier(distance="manhattan")  # type: ignore[arg-type]
slp.DeepSLPClassifier(loss_scaling="mean")  # type: ignore[arg-type]
slp.fit_projection(X, method="isomap")  # type: ignore[arg-type]
slp.TextEncoder(device="gpu")  # type: ignore[arg-type]
dataset.draw("sixteen", 0)  # type: ignore[arg-type]
slp.load_data("airline")  # type: ignore[attr-defined]
