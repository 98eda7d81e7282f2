"""The code for what Soft labels shows."""

from __future__ import annotations

from pages.session.code import encoder_code, model_code, script
from pages.session.workspace import Workspace

_BODY = """

def soft_labels(model, X):
    \"\"\"(L, 2, K): where they depend on the example, means over the examples of a line.\"\"\"
    if not callable(getattr(model, "soft_labels", None)):
        return model.soft_labels_
    line, labels = model.place(X).line, model.soft_labels(X)
    means = np.full((len(model.lines_), *labels.shape[1:]), np.nan)
    for number in np.unique(line):
        means[number] = labels[line == number].mean(axis=0)
    return means


{other_encoder}other, X_other, y_other = fit({other}, {draw}{through})
numbers["soft labels"] = soft_labels(model, X).round(4).tolist()
numbers["the other's"] = soft_labels(other, X_other).round(4).tolist()
numbers["accuracy of the other"] = float(other.score(X_other, y_other))
"""


def code(workspace: Workspace, other: Workspace) -> str:
    load, through = "", ""
    if other.encoder_name != workspace.encoder_name:
        name = encoder_code(other.encoder_name)
        scaled = workspace.encoder.normalisation
        load = f"other_encoder = slp.load_encoder({name}, normalisation={scaled!r})\n"
        through = ", other_encoder"
    made = model_code(other.method.make(**other.options))
    body = _BODY.format(other_encoder=load, other=made, draw=other.draw, through=through)
    return script(workspace, "Soft labels", body)
