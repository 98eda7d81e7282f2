"""What a page offers to share: code that computes what it shows, and its part of a report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pages.session import settings
from pages.session.scripts import view_code
from pages.session.workspace import Workspace

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
    what = f"{page}: the numbers of this page of SLP Explorer, computed again."
    return view_code(workspace, model, what, body)
