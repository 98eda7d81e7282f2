"""Text is data: no name or text of a file becomes markup, a link, a formula or an icon anywhere."""

import json
import re
import shutil
from dataclasses import replace
from tempfile import TemporaryDirectory

import plotly.graph_objects as go
import pytest
from driving import open_page, until
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df

import slp_core as slp
from pages.session.jobs import job_pool
from pages.widgets.chart import _page
from slp_core.encoders.meta_checkpoint import CHECKPOINTS_DIR

CLASSES = (
    "<b>Qb</b> &lt;Qi",
    "$Qx$ :smile: %{Qt}",
    "[Ql](https://q.org)",
    "www.q.org q@q.org",
    ":red[Qr] :material/home:",
    "**Qs** _Qu_ ~~Qd~~ `Qc`",
)
# What would be read as markup where Markdown is, and where Plotly's is
MARKDOWN = (
    *(rf"(?<!\\){mark}Q" for mark in ("<b>", "&lt;", r"\$", r"\[", "_", "~", "`")),
    r"(?<!\\)\*Qs",
    *(":smile:", r":red\[", ":material/home:", "https?://q", r"www\.q", "q@q"),
)
PLOTLY = ("<b>Q", "template .*%{Q", "(?<!amp;)&lt;Q")
# Fields of elements that are shown as they are, or not at all
PLAIN = {
    "selectbox": {"options", "raw_value", "placeholder", "default", "value"},
    "multiselect": {"options", "default", "raw_values", "placeholder"},
    "text_input": {"default", "value"},
    "text_area": {"default", "value"},
    "text": {"body"},
    "code": {"code_text"},
    "plotly_chart": {"alt", "config"},
    "dataframe": {"alt"},
    "bidi_component": {"json"},
}
UNSEEN = {"id", "key", "user_key", "form_id", "url", "columns", "query_param_key", "page"}
PAGES = {
    "explore": {"method": "DeepSLP"},
    "train": {},
    "explain": {},
    "soft_labels": {"method": "DeepSLP"},
    "ensemble": {},
    "compare": {"compared": ["1-nearest neighbour", "DeepSLP"]},
    "encoders": {},
    "learn": {},
}


def dataset_in(folder):
    rows = [
        {"text": f"{name} is row {row} of {'ab'[row % 2]} {place}", "label": name}
        for place, name in enumerate(CLASSES)
        for row in range(12)
    ]
    path = folder / "www.q.org <b>Qb %{Qt} :smile: $Qx$.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return replace(slp.read_dataset(path), title=path.stem)


def encoder_in(folder):
    made = TemporaryDirectory(dir=folder, prefix="a__b")
    source = CHECKPOINTS_DIR / "reptile-minilm-l4"
    shutil.copy(source / "model.safetensors", made.name)
    card = json.loads((source / "card.json").read_text())
    card |= dict.fromkeys(("description", "data_note", "machine"), " ".join(CLASSES[1:4]))
    card["title"] = f"{CLASSES[4]} {CLASSES[0]}"
    with open(f"{made.name}/card.json", "w") as file:
        json.dump(card, file)
    return card["title"], made


def elements(app):
    """Every element and block of a page with its kind."""
    nodes = [app._tree]
    while nodes:
        node = nodes.pop()
        nodes += getattr(node, "children", {}).values()
        if (proto := getattr(node, "proto", None)) is not None:
            yield getattr(node, "type", ""), proto


def texts_in(message):
    """Every text of an element with the field that it stands in; of a plain table, its cells."""
    if message.DESCRIPTOR.name == "Table":
        cells = convert_arrow_bytes_to_pandas_df(message.arrow_data.data)
        yield from (("cell", str(each)) for each in cells.to_numpy().flat)
    for field, value in message.ListFields():
        for each in value if field.is_repeated else [value]:
            if isinstance(each, str) and field.name not in UNSEEN:
                yield field.name, each
            elif hasattr(each, "ListFields"):
                yield from texts_in(each)


def strings_of(part, key="", at=""):
    """Every text of a figure under keys that end so."""
    if isinstance(part, str):
        return [part] if at.endswith(key) else []
    if isinstance(part, dict):
        return [text for name, each in part.items() for text in strings_of(each, key, name)]
    several = part if isinstance(part, list) else []
    return [text for each in several for text in strings_of(each, key, at)]


def faults(app):
    """Whatever of the data a browser would make something of."""
    found = set()
    for kind, proto in elements(app):
        for field, text in texts_in(proto):
            if field in PLAIN.get(kind, ()):
                continue
            texts, rules = [text], MARKDOWN
            if kind == "plotly_chart" and field == "spec":
                figure, rules = json.loads(text), PLOTLY
                templates = [t for t in strings_of(figure, "template") if "%{Q" in t]
                texts = [*strings_of(figure), *(f"template {t}" for t in templates)]
            found |= {
                (kind, field, rule, each[:200])
                for each in texts
                for rule in rules
                if re.search(rule, each)
            }
    return sorted(found)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A dataset and an encoder whose every name and text is an attempt at something."""
    folder = tmp_path_factory.mktemp("hostile")
    return dataset_in(folder), encoder_in(folder)


@pytest.mark.parametrize("page", PAGES)
def test_names_and_texts_of_files_are_shown_as_they_are(page, hostile):
    dataset, (title, folder) = hostile
    app = open_page(
        page,
        uploads={dataset.title: dataset},
        dataset=dataset.title,
        uploaded_encoders={title: folder},
        encoder=title,
        shots=4,
        point=3,
        **PAGES[page],
    )
    until(app, lambda: all("umap" in str(k) for k in job_pool().running))
    app.run()
    assert not app.exception
    assert not faults(app)
    assert app.session_state["dataset"] == dataset.title
    shown = [text for _, proto in elements(app) for _, text in texts_in(proto)]
    assert any("Qs" in text for text in shown), "nothing of the data is on the page"


def test_a_downloaded_figure_runs_no_script_of_the_data():
    attack = "</script><script>alert(1)</script>"
    figure = go.Figure(go.Scatter(x=[1], y=[1], name=attack, hovertext=[attack]))
    page = _page(figure, {}, f"map: dataset {attack}", attack).decode()
    assert page.count("alert(1)") >= 4  # it is all there, as text
    assert "<script>alert" not in page
