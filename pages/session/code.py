"""What a page offers to share: code that computes what it shows, and its part of a report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import slp_core as slp
from pages.session import settings
from pages.session.public import limits
from pages.session.scripts import edits_code, view_code
from pages.session.stage import shown_stage
from pages.session.workspace import Workspace
from slp_core.data.typed_shots import base_of, typed_text

if TYPE_CHECKING:
    from slp_core.report.subject import Part


def offer_code(code: Callable[[], str], of: Workspace) -> None:
    """Register the page's code, which is written once the page is drawn, and its workspace."""
    settings.CODE.set((code, of))


def offer_report(key: str, make: Callable[[], Sequence[Part]]) -> None:
    """Register the page's sentences, figures and tables, made on demand; a key that names them."""
    settings.REPORTED.set((key, make))


def script(workspace: Workspace, page: str, body: str = "") -> str:
    """A script that fits the workspace's method, then does the rest of the page."""
    model = workspace.method.make(**workspace.options)
    source = source_of(workspace)
    what = f"{page}: the numbers of this page of SLP Explorer, computed again."
    return view_code(model, body, what=what, **source)


def source_of(workspace: Workspace) -> dict[str, Any]:
    """Where data and vectors come from, in a script's terms."""
    data = base_of(workspace.dataset)
    options = {info.name: info.options for info in slp.list_datasets()}
    own = () if data.read_as else options.get(data.name, ())
    given: dict[str, Any] = {"dimension": workspace.X.shape[1]} if "dimension" in own else {}
    if "centroids" in own:
        stage = shown_stage()
        given |= {"centroids": stage.places, "noise": stage.noise}
    return {
        "dataset": data.title if data.read_as else data.name,
        "shots": workspace.shots,
        "draw": workspace.draw,
        "edits": edits_code(workspace.episode),
        "encoder": workspace.encoder_name,
        "normalisation": None if data.kind == "numeric" else workspace.encoder.normalisation,
        "dataset_options": given,
        "read_as": data.read_as,
        "typed": typed_text(workspace.dataset),
        **({"home": "the folder of SLP Explorer"} if limits() else {}),
    }
