"""Run the code of a notebook and keep what its cells show: ``python -m tools.execute_notebook``."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

import plotly.graph_objects as go

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "docs" / "displays.ipynb"


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of its cells, run from the first to the last."""
    names: dict[str, Any] = {}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        number += 1
        cell |= {"execution_count": number, "outputs": _outputs("".join(cell["source"]), names)}
        for output in cell["outputs"]:
            if output["output_type"] == "execute_result":
                output["execution_count"] = number
    return notebook


def _outputs(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """What a cell prints, and the value of its last expression."""
    body, value = ast.parse(source), None
    end = body.body[-1]
    last = end if isinstance(end, ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        if last is not None:
            del body.body[-1]
        exec(compile(body, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        outputs.append({"output_type": "execute_result", "data": _shown(value), "metadata": {}})
    return outputs


def _shown(value: Any) -> dict[str, Any]:
    if isinstance(value, go.Figure):
        return {"application/vnd.plotly.v1+json": json.loads(value.to_json())}
    return {"text/plain": str(value).splitlines(keepends=True)}


def main() -> int:
    """Execute the notebook of the documentation in place."""
    notebook = executed(json.loads(NOTEBOOK.read_text(encoding="utf-8")))
    text = json.dumps(notebook, ensure_ascii=False, separators=(",", ":"))
    NOTEBOOK.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
