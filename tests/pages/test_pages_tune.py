"""Tuning an encoder from the Encoders page."""

from driving import charts, figures, open_page, press, shown, table_with, until

import slp_core as slp


def test_an_encoder_is_tuned_and_what_changed_is_counted():
    app = press(open_page("encoders", dataset="Disaster or not", shots=2), "Tune it")
    until(app, lambda: "tuning" in charts(app))
    shown(app)
    episode = slp.load_dataset("disaster").draw(2, 0)
    n, m = (str(len(rows)) for rows in (episode.support, episode.query))
    told = [figures(text.value) for text in app.markdown]
    # seconds, support points, right now, query points, right before, and answers that changed
    (counts,) = [each for each in told if each[1:2] == [n] and each[3:4] == [m]]
    changed = table_with(app, "before")
    assert counts[5:6] == [str(len(changed))]
    assert (changed["before"] != changed["after"]).all()
    right, wrong = (float(counts[place].rstrip("%")) for place in (2, 4))
    now, was = ((changed[when] == changed["true"]).sum() for when in ("after", "before"))
    assert round((right - wrong) / 100 * int(m)) == now - was
