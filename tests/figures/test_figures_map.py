"""The map shows what it is given, the same every time, and sends arrays."""

import base64
import html
import io
import itertools
import json
import re
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from plotly.colors import hex_to_rgb

from slp_core.figures.display import with_ring
from slp_core.figures.map.assemble import map_points
from slp_core.figures.map.data import MapData, MapLayers
from slp_core.figures.map.figure import MapDisplay, shade_text
from slp_core.figures.map.image import landscape_png, shade_range
from slp_core.figures.style.text import place_names, shortened, wrapped
from slp_core.figures.style.theme import DARK, LIGHT, class_style
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.views import decision_landscape, fit_projection

CLASSES = ("late <b>", "neutral", "praise")


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = np.array([[-10.0, 0.0], [5.0, 3.0], [15.0, 0.0]])[y] + rng.normal(size=(60, 2)) * 5
    model = ConstraintSLPClassifier().fit(X[:15], y[:15])
    projection = fit_projection(X)
    predictions = model.predict(X)

    def points(rows):
        found = map_points(projection, rows, y[rows], predictions[rows])
        return found.assign(id=100 + rows)

    return MapData(
        classes=CLASSES,
        query=points(np.arange(15, 60)),
        support=points(np.arange(15)),
        centroids=projection.transform(model.centroids_),
        lines=list(model.prototypes_),
        prototypes=model.prototypes_,
        soft_labels=model.soft_labels_,
        feet=np.zeros((3, 2)),
        landscape=decision_landscape(model, projection, grid=40),
        axis_titles=projection.axis_titles,
        scaled=True,
        texts=[f"tweet {row} <i>&" for row in range(160)],
    )


def drawn(figure):
    return [trace for trace in figure.data if trace.customdata is not None]


def test_equal_input_gives_an_identical_figure(data):
    assert MapDisplay(data).figure().to_json() == MapDisplay(data).figure().to_json()


def test_every_example_is_drawn_once_at_its_place_with_its_id(data):
    figure = MapDisplay(data).figure()
    ids = np.concatenate([trace.customdata for trace in drawn(figure)])
    assert sorted(ids) == list(range(100, 160))
    place = {
        i: (x, y)
        for trace in drawn(figure)
        for i, x, y in zip(trace.customdata, trace.x, trace.y, strict=True)
    }
    for points in (data.query, data.support):
        expected = points[["x", "y"]].astype(np.float32)
        np.testing.assert_allclose([place[i] for i in points["id"]], expected)


def test_examples_wear_the_look_of_their_true_class(data):
    true = dict(zip(data.query["id"], data.query["true"], strict=True)) | dict(
        zip(data.support["id"], data.support["true"], strict=True)
    )
    for trace in drawn(MapDisplay(data).figure(DARK)):
        (index,) = {true[i] for i in trace.customdata}
        style = class_style(index, DARK)
        assert (trace.marker.color, trace.marker.symbol) == (style.color, style.symbol)


def test_hover_says_what_it_is_in_harmless_markup(data):
    row = int(np.flatnonzero(data.query["true"] != data.query["predicted"])[0])
    (text,) = (
        trace.hovertext[list(trace.customdata).index(data.query["id"][row])]
        for trace in drawn(MapDisplay(data).figure())
        if data.query["id"][row] in trace.customdata
    )
    assert f"tweet {data.query['id'][row]} &lt;i&gt;&amp;" in text
    names = [shortened(name) for name in CLASSES]
    assert f"<b>{names[data.query['true'][row]]}</b>" in text
    assert f"predicted <b>{names[data.query['predicted'][row]]}</b>" in text


@pytest.mark.parametrize("points", [True, False])
def test_misclassified_are_ringed_in_the_colour_of_the_prediction(data, points):
    layers = MapLayers(query=points, support=points)
    plain = len(MapDisplay(data, layers).figure().data)
    figure = MapDisplay(data, replace(layers, errors=True)).figure()
    # One more entry in the key, and the rings.
    rings = [
        trace
        for trace in figure.data
        if isinstance(trace.marker.symbol, str)
        and trace.marker.symbol == "circle-open"
        and trace.name is None
    ]
    assert len(figure.data) == plain + 1 + len(rings)
    for index in range(3):
        expected = [
            tuple(place)
            for points in (data.query, data.support)
            for place in points[
                (points["true"] != points["predicted"]) & (points["predicted"] == index)
            ][["x", "y"]].to_numpy(dtype=np.float32)
        ]
        found = [
            place
            for trace in rings
            if trace.marker.color == class_style(index, LIGHT).color
            for place in zip(trace.x, trace.y, strict=True)
        ]
        assert sorted(found) == sorted(expected)
    assert rings


@pytest.mark.parametrize("layer", [f.name for f in fields(MapLayers) if f.type == "bool"])
def test_every_layer_can_be_shown_and_hidden(data, layer):
    more = ["errors", "line_regions", "disagreeing", "chosen", "typed", "changed"]
    with_layer = MapDisplay(data, MapLayers(**{layer: True})).figure().to_json()
    without = MapDisplay(data, MapLayers(**{layer: False})).figure().to_json()
    assert with_layer != without
    default = MapDisplay(data).figure().to_json()
    assert default == (without if layer in more else with_layer)


def test_borders_are_all_drawn(data):
    layers = MapLayers(prototypes=False)
    (shape,) = MapDisplay(data, layers).figure().layout.shapes
    ends = np.array(re.split("[ML,]", shape.path)[1:], dtype=float).reshape(-1, 2, 2)
    np.testing.assert_allclose(ends, data.landscape.boundaries, rtol=1e-5)


def test_rings_share_out_the_soft_label(data):
    shapes = MapDisplay(data).figure().layout.shapes
    for number, side in np.ndindex(data.prototypes.shape[:2]):
        here = [s for s in shapes if (s.xanchor, s.yanchor) == tuple(data.prototypes[number, side])]
        area = {shape.fillcolor: _area(shape.path) for shape in here}
        total = sum(area.values())
        for index, share in enumerate(data.soft_labels[number, side]):
            found = area.get(class_style(index, LIGHT).color, 0.0) / total
            assert found == pytest.approx(share, abs=0.01)


def _area(path):
    x, y = np.array([p.split(",") for p in path[1:-1].split("L")], dtype=float).T
    return abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2


def test_picture_lies_under_its_grid_the_right_way_up(data):
    figure = MapDisplay(data, MapLayers(query=False)).figure()
    (image,) = figure.layout.images
    landscape = data.landscape
    step = landscape.x[1] - landscape.x[0]
    assert image.x == pytest.approx(landscape.x[0] - step / 2)
    assert image.x + image.sizex == pytest.approx(landscape.x[-1] + step / 2)
    labels = np.array([[0, 1], [2, 2]])  # the first row is the bottom one
    source = landscape_png(labels, np.ones((2, 2)), LIGHT)
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(source.split(",")[1]))), dtype=int)
    white, tint = np.array([255, 255, 255]), pixels[::-1]
    for row, column in np.ndindex(2, 2):
        full = np.array(hex_to_rgb(class_style(labels[row, column], LIGHT).color))
        weight = (white - tint[row, column]) / (white - full)
        assert np.ptp(weight) < 0.05


def test_numbers_travel_as_arrays_and_colours_are_all_set(data):
    sent = json.loads(MapDisplay(data, MapLayers(errors=True)).figure().to_json())
    for trace in sent["data"]:
        for name in ("x", "y", "customdata"):
            assert not isinstance(trace.get(name), list)
            if name in trace:
                assert trace[name]["dtype"] in ("f4", "i4", "i1", "i2")
        assert "color" in trace["marker" if trace["mode"] == "markers" else "line"]
    layout = sent["layout"]
    assert layout["paper_bgcolor"] == layout["plot_bgcolor"] == LIGHT.background
    assert layout["font"]["color"] == LIGHT.text
    assert layout["uirevision"] == "map"


def test_a_crowd_is_thinned_with_the_count_said(data):
    n = 30_000
    rng = np.random.default_rng(1)
    places = {"x": rng.normal(size=n), "y": rng.normal(size=n)}
    crowd = pd.DataFrame({"id": range(n), **places, "true": rng.integers(0, 3, n), "predicted": 0})
    crowded = replace(data, query=crowd)
    figure = MapDisplay(crowded).figure()
    assert {trace.type for trace in figure.data} == {"scatter"}  # no browser lacks what it needs
    assert sum(len(t.x) for t in drawn(figure)) == 4_000 + len(data.support)
    said = "4,000 of 30,000 query examples are drawn; the numbers count all of them."
    assert MapDisplay(crowded).thinned_text() == said
    assert not MapDisplay(crowded, MapLayers(query=False)).thinned_text()


def test_colours_are_strong_by_what_was_asked_for(data):
    sources = {
        shade: MapDisplay(data, MapLayers(shade=shade)).figure().layout.images[0].source
        for shade in ("margin", "confidence")
    }
    assert sources["margin"] != sources["confidence"]


def test_caption_says_what_shade_means(data):
    for shade in ("margin", "confidence"):
        expected = shade_text(shade, *shade_range(data.landscape, shade))
        assert MapDisplay(data, MapLayers(shade=shade)).caption() == expected
    assert MapDisplay(data, MapLayers(landscape=False)).caption() == ""


def test_the_key_names_prototypes_where_there_are_any(data):
    bare = replace(data, lines=[], prototypes=data.prototypes[:0], feet=None)
    for each in (data, bare):
        names = {trace.name for trace in MapDisplay(each).figure().data}
        assert ("prototype" in names) == (each is data)


def test_table_has_every_mark(data):
    table = MapDisplay(data).table()
    assert table["mark"].value_counts().to_dict() == {
        "query": 45,
        "support": 15,
        "centroid": 3,
        "prototype A": len(data.lines),
        "prototype B": len(data.lines),
    }
    query = table[table["mark"] == "query"]
    np.testing.assert_array_equal(query["id"], data.query["id"])
    np.testing.assert_array_equal(query[["x", "y"]], data.query[["x", "y"]])
    assert list(query["predicted"]) == [CLASSES[k] for k in data.query["predicted"]]
    assert list(query["text"]) == [data.texts[row] for row in data.query["id"]]


def test_names_cover_no_mark_and_no_other_name():
    points = np.random.default_rng(0).uniform(size=(25, 2))
    names = [f"class {k}" for k in range(25)]
    placed = place_names(points, names, unit=500, font=12, radius=16, beneath=points)
    assert 5 < len(placed) < 25
    boxes = []
    for index, dx, dy in placed:
        middle = points[index] * 500 + (dx, dy)
        half = np.array([0.3 * 12 * len(names[index]), 0.6 * 12])
        boxes.append((middle - half, middle + half))
        inside = (points * 500 > middle - half) & (points * 500 < middle + half)
        assert not inside.all(axis=1).any()
    for a, (low, high) in enumerate(boxes):
        for other_low, other_high in boxes[a + 1 :]:
            assert (high <= other_low).any() or (other_high <= low).any()


def test_a_name_stands_where_it_covers_the_fewest_points():
    mark = np.zeros((1, 2))
    around = [(0, -26), (0, 26), (34, 0), (-34, 0), (27, -21), (-27, -21), (27, 21), (-27, 21)]
    for n in range(9):
        for crowd in (around[:n], [*around, *around[:n]]):
            beneath = np.reshape(crowd, (-1, 2))
            ((_, *shift),) = place_names(mark, ["name"], 1, 12, 18, beneath)
            np.testing.assert_allclose(shift, around[n % 8], atol=1)
    beneath = np.reshape(around[:3], (-1, 2))
    for frame, place in (([(-20, -50), (60, 50)], 4), ([(-20, -20), (60, 50)], 6)):
        ((_, *shift),) = place_names(mark, ["name"], 1, 12, 18, beneath, np.array(frame))
        np.testing.assert_allclose(shift, around[place], atol=1)  # within the frame
    assert place_names(mark, ["&lt;b&gt;"], 1, 12, 18, beneath) == place_names(
        mark, ["(b)"], 1, 12, 18, beneath
    )


def test_long_words_and_long_texts_are_cut():
    lines = wrapped("word " * 200, width=20, lines=3).split("<br>")
    assert len(lines) == 3
    assert all(len(line) <= 20 for line in lines)
    assert lines[-1].endswith("…")
    assert wrapped("x" * 45, width=20).split("<br>") == ["x" * 20, "x" * 20, "x" * 5]
    assert wrapped("short & sweet") == "short &amp; sweet"
    assert wrapped("") == ""
    assert wrapped("a  tab\tand a well-known name", width=12) == "a tab and a<br>well-known<br>name"


def test_the_ring_stands_at_the_chosen_row_and_is_no_part_of_the_figure(data):
    for points in (data.query, data.support):
        display = MapDisplay(data, chosen=int(points["id"][3]))
        (spot,) = display.ring
        np.testing.assert_allclose([spot.x, spot.y], points.loc[3, ["x", "y"]])
        assert display.figure().to_json() == MapDisplay(data).figure().to_json()
    assert MapDisplay(data, chosen=5).ring == ()  # neither a shot nor a query example
    ringed = with_ring(display.figure(), display.ring, DARK).layout.shapes
    ours = ringed[len(display.figure().layout.shapes) :]
    assert {(s.xanchor, s.yanchor, s.xsizemode) for s in ours} == {(spot.x, spot.y, "pixel")}
    assert {s.line.color for s in ours} == {DARK.text, DARK.background}


def test_the_key_gives_every_kind_of_mark_a_look_of_its_own(data):
    layers = MapLayers(errors=True, disagreeing=True, chosen=True)
    figure = MapDisplay(data, layers).figure()
    assert figure.layout.legend.maxheight <= 0.3  # however many classes: the map has the rest
    keys = [t for t in figure.data if t.legend == "legend2"]
    looks = [(t.marker.symbol or "circle", t.marker.color, t.marker.line.width) for t in keys]
    assert len(set(looks)) == len(keys) == 7
    by_name = {t.name: t.marker for t in keys}
    assert by_name["misclassified (outline: prediction)"].symbol != (
        by_name["centroid"].symbol or "circle"
    )


@pytest.mark.parametrize("height", [620, 420])
def test_names_on_a_map_do_not_cover_one_another(data, height):
    centroids = np.array([[0.0, 0.0], [1.5, 0.4], [3.0, 0.0]])
    near = replace(data, centroids=centroids)
    notes = [n for n in MapDisplay(near, height=height).figure().layout.annotations if n.text]
    unit = 1.15 * (height - 130) / np.ptp(data.landscape.x)
    boxes = []
    for each in notes:
        width = 0.55 * each.font.size * len(html.unescape(re.sub("<.*?>", "", each.text)))
        x, y = each.x * unit + each.xshift, each.y * unit + each.yshift
        boxes.append((x - width / 2, y - 9, x + width / 2, y + 9))
    assert len(boxes) == (3 if height == 620 else len(boxes)) > 0
    for a, b in itertools.combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_many_names_stand_on_a_high_map_alone(data):
    many = replace(
        data,
        classes=tuple("abcdefgh"),
        centroids=np.linspace([-9.0, 0.0], [9.0, 0.0], 8),
        feet=np.zeros((8, 2)),
    )
    seen = {h: MapDisplay(many, height=h).figure().layout.annotations for h in (620, 420)}
    assert {height: len(notes) > 3 for height, notes in seen.items()} == {620: True, 420: False}


def test_ends_of_lines_are_named_where_prototype_a_is_not_on_the_left(data):
    turned = replace(data, prototypes=data.prototypes[:, ::-1], soft_labels=data.soft_labels)
    for shown, ends in ((data, set()), (turned, {("late &lt;b&gt;", "B"), ("praise", "A")})):
        texts = [note.text[3:-4] for note in MapDisplay(shown).figure().layout.annotations]
        assert {tuple(text.split(" · ")) for text in texts if "·" in text} == ends


def test_names_are_one_line_whole_at_the_centroid_and_never_markup(data):
    odd = ("<b>%{y}</b>\nnew line " + "long " * 25, "5", ":smile: $x$")
    figure = MapDisplay(replace(data, classes=odd)).figure()
    texts = [a.text for a in figure.layout.annotations] + [t.name for t in figure.data if t.name]
    hover = [h for t in figure.data if t.hovertext is not None for h in t.hovertext]
    for text in (*texts, *hover):
        bare = re.sub("</?(b|br)>", "", text)
        assert not set(bare) & {"<", "\n"}
    assert all("%{" not in text for text in texts)
    (whole,) = (h for h in hover if h.startswith("<b>centroid of &lt;b&gt;"))
    assert whole.split("prototype")[0].count("long") == 25


def test_names_from_the_right_stand_apart_where_they_are_seen_and_plain_in_the_table(data):
    names = ("سلبي", "محايد", "ايجابي")
    display = MapDisplay(replace(data, classes=names))
    seen = {trace.name for trace in display.figure().data}
    assert {f"\u2068{name}\u2069" for name in names} <= seen
    hovered = [text for trace in display.figure().data for text in np.ravel(trace.hovertext)]
    assert any("“\u2068سلبي\u2069” 0." in str(text) for text in hovered)
    assert "\u2068" not in display.table().to_csv()
