"""The code for what Compare shows on these data."""

from __future__ import annotations

from collections.abc import Sequence

from pages.compare.contestants import Contestant, VectorContestant
from pages.session.code import script
from pages.session.scripts import encoder_code, model_code
from pages.session.workspace import Workspace

_BODY = """
# Every method over the draws; methods that train the encoder are left out, which take minutes.
for title, encoder_name, make in (
{methods}):
    through = slp.load_encoder(encoder_name, normalisation={normalisation!r})
    scores = []
    for draw in {draws}:
        fitted, X_draw, y_draw = fit(make(), draw, through)
        scores.append(fitted.score(X_draw, y_draw))
    numbers[f"{{title}}: mean"], numbers[f"{{title}}: SD"] = np.mean(scores), np.std(scores)
"""


def code(workspace: Workspace, contest: Sequence[Contestant]) -> str:
    """Accuracy of every method on vectors, over the draws."""
    lines: list[str] = []
    draws: tuple[int, ...] = ()
    for each in contest:
        if isinstance(each, VectorContestant):
            made = model_code(each.method.make(**each.workspace.options))
            _, name = encoder_code(each.workspace.encoder_name, from_file=False)
            lines.append(f"    ({each.title!r}, {name}, lambda: {made}),\n")
            draws = each.draws(workspace.shots)
    if not lines:
        return script(workspace, "Compare")
    scaled = None if workspace.dataset.kind == "numeric" else workspace.encoder.normalisation
    body = _BODY.format(methods="".join(lines), draws=list(draws), normalisation=scaled)
    return script(workspace, "Compare", body)
