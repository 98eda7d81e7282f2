"""Imports run one way and in no circle, pages hold no mathematics, a first picture is light."""

import ast
import os
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MAIN = ROOT / "pages" / "shell" / "main.py"
# What a package may import of slp_core, beside itself and what all may.
ALLOWED = {
    "data": set(),
    "encoders": {"data"},
    "lines": set(),
    "methods": {"data", "encoders", "lines"},
    "meta": {"data", "encoders", "lines", "methods"},
    "explain": {"lines", "methods"},
    "diagnostics": {"lines", "methods"},
    "views": {"lines", "methods"},
    "lessons": {"data", "lines", "methods", "meta", "explain"},
    "evaluation": {"data", "encoders", "lines", "methods", "meta", "explain"},
    "figures": {"lines", "methods", "meta", "explain", "diagnostics", "views", "evaluation"}
    | {"data", "encoders"},
    "report": {"data", "encoders", "methods", "explain", "diagnostics", "evaluation", "figures"},
    "cli": {"data", "encoders", "methods", "meta", "evaluation"},
}
COMMON = {
    "allowed",
    "entries",
    "errors",
    "glossary",
    "markdown",
    "memory",
    "on_demand",
    "own_parts",
    "process",
    "progress",
    "resources",
    "sentences",
}
SHARED = ["session", "widgets", "shell"]  # what pages share; each may import those before it
PAGES = sorted(
    folder.name
    for folder in (ROOT / "pages").iterdir()
    if folder.is_dir() and folder.name not in (*SHARED, "__pycache__")
)
ARITHMETIC = {"numpy", "scipy", "sklearn", "torch", "math", "cmath", "statistics", "fractions"}
FILES = [
    file
    for top in ("app.py", "slp_core", "pages", "research", "tools")
    for file in ([ROOT / top] if top.endswith(".py") else sorted((ROOT / top).rglob("*.py")))
]


def module_of(file):
    """The dotted name of a file."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(file) for file in FILES}


@cache
def imports(file, types_too=False):
    """Modules that a file imports when it runs, in functions too; and those for types alone."""
    return list(_imports(ast.parse(file.read_text()), types_too))


def _imports(node, types_too):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom) and child.module and child.level == 0:
            for alias in child.names:
                inner = f"{child.module}.{alias.name}"
                yield inner if inner in MODULES else child.module
        elif isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif types_too or not (
            isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        ):
            yield from _imports(child, types_too)


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_layers_import_downwards_only(package):
    for file in (ROOT / "slp_core" / package).rglob("*.py"):
        for module in imports(file, types_too=True):
            top, _, rest = module.partition(".")
            assert top not in ("streamlit", "pages"), f"{file.name} imports {module}"
            part = rest.split(".")[0]
            if top == "slp_core" and part:
                allowed = ALLOWED[package] | COMMON | {package}
                assert part in allowed, f"{package}/{file.name} imports {module}"


BROWSER = ("query_params", "st-key", "data-testid", "[class", "clientWidth", "The address")


def test_the_library_knows_no_address_no_selector_and_no_browser():
    for file in (ROOT / "slp_core").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found = [word for word in BROWSER if word in node.value]
                assert not found, f"{file.relative_to(ROOT)}:{node.lineno} says {found}"


def test_every_package_of_the_library_has_its_layer():
    packages = {file.parent.name for file in (ROOT / "slp_core").glob("*/__init__.py")}
    assert packages == set(ALLOWED)


@pytest.mark.parametrize("folder", [*SHARED, *PAGES])
def test_a_page_imports_what_pages_share_and_no_other_page(folder):
    allowed = {folder, *(SHARED[: SHARED.index(folder)] if folder in SHARED else SHARED)}
    for file in (ROOT / "pages" / folder).rglob("*.py"):
        for module in imports(file, types_too=True):
            top, _, rest = module.partition(".")
            if top == "pages":
                assert rest.split(".")[0] in allowed, f"{folder}/{file.name} imports {module}"


def test_pages_are_folders_with_a_script():
    assert not list((ROOT / "pages").glob("*.py"))
    assert all((ROOT / "pages" / folder / "page.py").is_file() for folder in PAGES)


def test_research_uses_the_library_alone_and_nothing_uses_it():
    for file in FILES:
        tops = {module.partition(".")[0] for module in imports(file, types_too=True)}
        if file.is_relative_to(ROOT / "research"):
            assert not tops & {"pages", "tools", "streamlit"}, f"{file.name} imports {tops}"
        else:
            assert "research" not in tops, f"{file.relative_to(ROOT)} imports research"


def test_pages_hold_no_mathematics():
    for file in (ROOT / "pages").rglob("*.py"):
        heavy = ARITHMETIC & {module.split(".")[0] for module in imports(file)}
        assert not heavy, f"{file.relative_to(ROOT)} imports {heavy}"


def test_there_is_no_import_cycle():
    graph = {module_of(file): set(imports(file, types_too=True)) & MODULES for file in FILES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


# What is imported first, and what must not be there by then: one stage after another.
STAGES = (
    ("import app", {"numpy", "pandas", "slp_core.data", "pages.session.settings", "torch"}),
    (
        "import pages.shell.phone",
        {"torch", "sklearn", "slp_core.figures", "pages.shell.frame"},
    ),
    (  # the frame is on its way
        "import pages.shell.frame, pages.widgets.example",
        {"sklearn", "slp_core.report", "slp_core.diagnostics"},
    ),
    (  # the first picture is there
        "from streamlit.testing.v1 import AppTest; "
        f"assert not AppTest.from_file({str(MAIN)!r}, default_timeout=240).run().exception",
        {"torch", "transformers", "umap", "numba"},
    ),
)


def test_what_comes_first_does_not_wait_for_what_is_needed_later():
    script = "import sys\n" + "".join(
        f"{stage}\nlate = {late} & set(sys.modules)\n"
        f"if late: sys.exit(f'imported by then: {{late}}')\n"
        for stage, late in STAGES
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_phone_in_a_room_waits_for_no_part_of_the_app():
    script = (
        "import sys; from streamlit.testing.v1 import AppTest; "
        f"app = AppTest.from_file({str(MAIN)!r}, default_timeout=240); "
        "app.query_params['room'] = ''; app.run(); assert app.title and not app.exception; "
        "late = {'torch', 'sklearn', 'slp_core.figures', 'pages.shell.frame'} & set(sys.modules); "
        "sys.exit(f'imported on the way: {late}' if late else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]


COMMAND = "import slp_core.cli; slp_core.cli.main(['methods'])"


@pytest.mark.parametrize(
    ("program", "given", "policy"),
    [
        ("import slp_core", None, None),
        ("import app", None, "passive"),
        (COMMAND, None, "passive"),
        (COMMAND, "active", "active"),
    ],
)
def test_programs_have_openmp_sleep_and_the_library_sets_nothing(program, given, policy):
    name = "OMP_WAIT_POLICY"
    code = (
        f"import os, sys; before = dict(os.environ); {program}; "
        f"assert {policy is not None} or os.environ == before; assert 'torch' not in sys.modules; "
        f"print(os.environ.get({name!r}), file=sys.stderr)"
    )
    environment = {k: v for k, v in os.environ.items() if k != name}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment | ({name: given} if given else {}),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.splitlines()[-1] == str(policy)
