"""Results in, Plotly figures out. Every figure has a table twin with the same content."""

from slp_core.errors import missing

try:
    import plotly  # noqa: F401
except ModuleNotFoundError:
    raise missing("A figure", "plotly", "app") from None
