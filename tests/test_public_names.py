"""Frameworks as they are shipped: no name of theirs that is not public, and none replaced."""

import ast
import builtins
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OWN = ("pages", "slp_core", "research", "tools")
FILES = [ROOT / "app.py", *(file for top in OWN for file in (ROOT / top).rglob("*.py"))]
SENT = [
    file
    for top in ("pages", "slp_core")
    for end in ("js", "css", "html")
    for file in (ROOT / top).rglob(f"*.{end}")
]
# Of Streamlit, beside the package itself
PUBLIC = {"streamlit.errors", "streamlit.testing.v1"}
NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}  # documented, and private by form alone
STANDARD = {"os._exit"}  # likewise
# One operator of PyTorch, where it is there, behind a guard
OPERATORS = {"slp_core/encoders/bert.py": "torch.ops.mkldnn._linear_pointwise"}
# What is a library's own, or put in the place of it
PRIVATE_IN_SCRIPTS = re.compile(
    r"(?<!this)\??\.(_[A-Za-z]\w*)|Plotly\.react|pushState|defineProperty\(window"
)


def is_private(name):
    return name.startswith("_") and not name.startswith("__")


def trees():
    return {file: ast.parse(file.read_text(encoding="utf-8")) for file in FILES}


def own_private_names(parsed):
    """All that our code itself calls so: functions, classes, fields, arguments, variables."""
    names = set()
    for tree in parsed.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.add(node.name)
            elif isinstance(node, ast.arg):
                names.add(node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                names |= {node.attr} if ast.unparse(node.value) in ("self", "cls") else set()
    return {name for name in names if is_private(name)}


def imported(tree):
    """What a file calls the modules and names of others, by where each comes from."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                found[each.asname or each.name.partition(".")[0]] = each.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                found[each.asname or each.name] = f"{node.module}.{each.name}"
    return {name: of for name, of in found.items() if of.partition(".")[0] not in OWN}


def faults(tree, own):
    """Each line that uses what is not public, or puts something in its place."""
    foreign = imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None)
            for name in [each.name for each in node.names]:
                whole = name if module is None else f"{module}.{name}"
                if whole.partition(".")[0] in (*OWN, "__future__"):
                    continue
                inner = module or name
                if any(map(is_private, whole.split("."))):
                    yield node.lineno, whole
                elif inner.startswith("streamlit.") and inner not in PUBLIC:
                    yield node.lineno, inner
                elif inner == "streamlit" and name in ("config", "runtime", "proto", "elements"):
                    yield node.lineno, whole
        elif isinstance(node, ast.Attribute):
            of = node.value.id if isinstance(node.value, ast.Name) else ""
            private = is_private(node.attr) and node.attr not in own | NAMED_TUPLES
            inner = of == "st" and node.attr in ("config", "runtime", "proto")
            if (private and ast.unparse(node) not in STANDARD) or inner:
                yield node.lineno, ast.unparse(node)
            elif of in foreign and isinstance(node.ctx, ast.Store):
                yield node.lineno, f"{ast.unparse(node)} = ..."
        elif isinstance(node, ast.keyword):
            if node.arg and is_private(node.arg) and node.arg not in own:
                yield node.value.lineno, f"{node.arg}="
        elif isinstance(node, ast.Call):
            sets = isinstance(node.func, ast.Name) and node.func.id == "setattr" and node.args
            if sets and ast.unparse(node.args[0]).partition(".")[0] in foreign:
                yield node.lineno, ast.unparse(node)


def test_no_code_uses_or_replaces_what_is_not_public():
    parsed = trees()
    own = own_private_names(parsed)
    found = {}
    for file, tree in parsed.items():
        name = str(file.relative_to(ROOT))
        told = [each for each in sorted(set(faults(tree, own))) if each[1] != OPERATORS.get(name)]
        if told:
            found[name] = told
    assert found == {}


@pytest.mark.parametrize("file", SENT, ids=lambda file: file.name)
def test_no_script_that_is_sent_does(file):
    found = PRIVATE_IN_SCRIPTS.findall(file.read_text(encoding="utf-8"))
    assert not found


def test_nothing_is_read_from_streamlits_own_files():
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        assert "get_static_dir" not in text
        assert "st.__file__" not in text


@pytest.mark.parametrize(
    "line",
    [
        "from streamlit.runtime import get_instance",
        "from streamlit.delta_generator import DeltaGenerator",
        "import streamlit.config",
        "from streamlit import runtime",
        "st.runtime.exists()",
        "st.plotly_chart = print",
        "figure._secret",
        "go.Figure(_validate=False)",
        "setattr(st, 'text', print)",
        "from torch._C import ops",
    ],
)
def test_the_test_itself_sees_them(line):
    tree = ast.parse(f"import streamlit as st\nimport plotly.graph_objects as go\n{line}")
    assert list(faults(tree, own=set()))


def test_what_is_public_passes():
    code = "import streamlit as st\nst.session_state.x = 1\nself._own\ntuple._replace(a=1)\n"
    assert hasattr(builtins, "tuple")
    assert list(faults(ast.parse(code), own={"_own"})) == []
