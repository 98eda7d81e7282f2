"""What is folded away: listed, not computed, and opened by a link."""

from driving import FOLDS, charts, open_page, shown

from pages.explain.parts import PARTS
from pages.session import settings


def test_a_folded_part_is_listed_and_drawn_only_once_it_is_open():
    app = open_page("explain", folded=True)
    assert not {"theorem 2", "dimensions", "errors on the map"} & set(charts(app))
    (listed,) = [e.proto.body for e in app.get("html") if "Parts of this page" in e.proto.body]
    places = [e.proto.body for e in app.get("html") if e.proto.body.startswith("<span")]
    for part in PARTS:
        assert f'href="#{part.anchor}"' in listed
        assert f'<span id="{part.anchor}"></span>' in places
    assert [part.fold.key in FOLDS for part in PARTS if part.fold] == [True] * 4

    app = open_page("explain", {settings.FOLDS["theorem2"].key: "true"}, folded=True)
    shown(app)
    assert "theorem 2" in charts(app)
    assert "dimensions" not in charts(app)
