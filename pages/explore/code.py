"""The code for what Explore shows."""

from __future__ import annotations

from pages.session.code import draw_code, model_code, script
from pages.session.workspace import ASPECT, GRID, View, Workspace

_BODY = """
for name in model.classes_:
    numbers[f"predicted {{name}}"] = int((predicted == name).sum())

# Variation across support sets
scores = []
for draw in {draws}:
    again, X_draw, y_draw = fit({model}, draw)
    scores.append(again.score(X_draw, y_draw))
numbers["mean over support sets"], numbers["SD over support sets"] = np.mean(scores), np.std(scores)

# One example, and the map
episode = {episode}
rows = encoder.encode(dataset, support=episode.support)
x = rows[[{row}]]
numbers["{name} is predicted"] = str(model.predict(x)[0])
"""
_INFLUENCE = """numbers["its class scores"] = model.influence(x)[0].round(6).tolist()
"""
_PICTURE = """projection = slp.fit_projection(rows, {method!r}, model{options})
landscape = slp.decision_landscape(model, projection, grid={grid}, aspect={aspect}{inverse})
numbers["fidelity at the projected examples"] = landscape.fidelity
"""


def code(workspace: Workspace, view: View, row: int) -> str:
    body = _BODY.format(
        draws=list(workspace.draws),
        model=model_code(workspace.method.make(**workspace.options)),
        episode=draw_code(workspace.episode),
        row=row,
        name=workspace.dataset.called(row),
    )
    if hasattr(workspace.model, "influence"):
        body += _INFLUENCE
    body += _PICTURE.format(
        method=view.method,
        grid=GRID,
        aspect=ASPECT,
        inverse="" if view.inverse == "plane" else f", inverse={view.inverse!r}",
        options="".join(f", {name}={value!r}" for name, value in view.options),
    )
    return script(workspace, "Explore", body)
