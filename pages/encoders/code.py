"""The code for what Encoders shows."""

from __future__ import annotations

from pages.session.code import script
from pages.session.scripts import encoder_code
from pages.session.workspace import Workspace

_BODY = """
for when, name in (("before", {before}), ("after", {after})):
    through = slp.load_encoder(name, normalisation={normalisation!r})
    nearest, X_there, y_there = fit(slp.NearestCentroidClassifier(), {draw}, through)
    numbers[f"accuracy of nearest centroid, {{when}}"] = float(nearest.score(X_there, y_there))
"""


def code(workspace: Workspace, before: Workspace, after: Workspace) -> str:
    names = [encoder_code(each.encoder_name, from_file=False)[1] for each in (before, after)]
    scaled = workspace.encoder.normalisation
    body = _BODY.format(before=names[0], after=names[1], normalisation=scaled, draw=workspace.draw)
    return script(workspace, "Encoders", body)
