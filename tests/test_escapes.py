"""No page hands a name or text of a file to Markdown without an escape around it."""

import ast
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[1] / "pages"
# Elements whose first argument is read as Markdown; of all, these further ones are
READS = {
    *("markdown", "caption", "header", "subheader", "title", "write", "error", "info", "warning"),
    *("success", "toast", "spinner", "status", "metric", "expander", "popover", "button", "radio"),
    *("checkbox", "toggle", "slider", "select_slider", "text_input", "number_input"),
    *("download_button", "segmented_control", "pills", "page_link", "tabs", "badge", "progress"),
    *("selectbox", "multiselect", "text_area", "form_submit_button", "point_words", "html"),
}
MARKDOWN_ARGUMENTS = {"help", "label", "before", "after", "text", "note"}
ESCAPES = {
    "literal",
    "named",
    "quoted",
    "said",
    "ClassName",
    "EncoderName",
    "Verbatim",
    "public_name",
    "not_english",
}
# What holds names and texts of files, and whose titles and names come from there
DATA = {"classes", "texts", "describe", "words", "filename", "description"}
TITLED = {"info", "dataset", "card", "encoder"}
# Written in the library: what the sidebar says of a bundled dataset
OURS = {"sidebar.py": ("info.description",)}


def holds_data(part):
    """The parts of an expression that come from a file and stand outside every escape."""
    if isinstance(part, ast.Call):
        name = getattr(part.func, "id", getattr(part.func, "attr", ""))
        # A sentence is made of escaped pieces
        if name in ESCAPES or name == "len" or name.endswith("_text"):
            return
    if isinstance(part, ast.Attribute):
        owner = getattr(part.value, "attr", getattr(part.value, "id", ""))
        if part.attr in DATA or (part.attr in ("title", "name") and owner in TITLED):
            yield ast.unparse(part)
    if isinstance(part, ast.Name) and part.id in ("error", "filename"):
        yield part.id
    for child in ast.iter_child_nodes(part):
        yield from holds_data(child)


def unescaped(source):
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        handed = [*node.args[:1]] if name in READS else []
        handed += [word.value for word in node.keywords if word.arg in MARKDOWN_ARGUMENTS]
        for part in handed:
            yield from (f"line {part.lineno}: {name} of {what}" for what in holds_data(part))


def test_names_and_texts_of_files_are_escaped():
    found = [
        f"{path}, {each}"
        for path in PAGES.rglob("*.py")
        for each in unescaped(path.read_text())
        if not each.endswith(OURS.get(path.name, ("nothing",)))
    ]
    assert not found, "wrap it in literal() or named(), or say it as a fact"


@pytest.mark.parametrize(
    "line", ["st.markdown(f'**{dataset.title}**')", "st.error(str(error))", "st.info(d.texts[1])"]
)
def test_what_is_not_escaped_is_found(line):
    assert list(unescaped(line))


def test_errors_are_told_in_one_place():
    """Which hides where on the server files lie."""
    telling = [
        path.name
        for path in PAGES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", "") == "error"
        and not isinstance(node.args[0], ast.Constant)
    ]
    assert telling == ["say.py"]
