"""The code for what Explain shows."""

from __future__ import annotations

from pages.explain.example import Chosen
from pages.session import settings
from pages.session.code import script
from pages.session.scripts import draw_code
from pages.session.workspace import Workspace

_BODY = """
errors = slp.explain_errors(model, X, y)
numbers["errors"] = len(errors)
for cause, n in errors["cause"].value_counts().items():
    numbers[f"errors by {cause}"] = int(n)
"""
_FILTER = """shown = errors[{conditions}]
numbers["errors that the filter keeps"] = len(shown)
"""
_POINT = """
episode = {episode}
x = encoder.encode(dataset, support=episode.support)[[{row}]]
at = model.place(x)
numbers["{name} is predicted"] = str(model.predict(x)[0])
numbers["its line, counted from 1"] = int(at.line[0]) + 1
numbers["its w"], numbers["its t"], numbers["its r"] = (
    float(at.w[0]), float(at.t[0]), float(at.r[0])
)
"""


def code(workspace: Workspace, chosen: Chosen) -> str:
    body = _BODY
    cause, name = settings.ERROR_CAUSE.value, settings.ERROR_CLASS.value
    line, margin = settings.ERROR_LINE.value, settings.ERROR_MARGIN.value
    conditions = [
        f'(errors["{column}"] == {value!r})'
        for column, value in (("cause", cause), ("true", name), ("line", line))
        if value is not None
    ]
    if margin:
        conditions.append(f'(errors["margin"] <= -{margin!r})')
    if conditions:
        body += _FILTER.format(conditions=" & ".join(conditions))
    if chosen.row is not None:
        body += _POINT.format(
            episode=draw_code(workspace.episode),
            row=chosen.row,
            name=workspace.dataset.called(chosen.row),
        )
    return script(workspace, "Explain", body)
