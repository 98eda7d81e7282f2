"""A widget is a view of a setting: the last choice is shown; unavailable values are cleared."""

from driving import chosen, widget
from streamlit.testing.v1 import AppTest


def page():
    import streamlit as st

    from pages.session.settings import SHOTS

    options = st.session_state["offered"]
    st.button("Four", on_click=SHOTS.set, args=(4,))
    st.session_state["got"] = st.selectbox("Shots", **SHOTS.bound(options[0], options=options))


def open_with(offered):
    app = AppTest.from_function(page, default_timeout=240)
    app.session_state["offered"] = offered
    return app.run()


def test_what_is_chosen_holds_while_it_can_be_had():
    app = open_with((1, 2, 16))
    assert app.session_state["got"] == 1
    assert widget(app.selectbox, "shots").set_value(16).run().session_state["got"] == 16
    app.session_state["offered"] = (2, 4)
    assert app.run().session_state["got"] == 2  # as it opens
    app.session_state["shots"] = 4
    assert app.run().session_state["got"] == 4
    app.session_state["offered"] = (4, 8)  # which opens with it: it stays when others do not
    assert app.run().session_state["got"] == 4


def test_code_makes_another_widget_and_what_is_said_of_the_one_before_is_nothing():
    app = open_with((1, 2, 4))
    before = app._tree
    app.button[0].click().run()
    assert app.session_state["got"] == chosen(app, "shots") == 4
    app._tree = before  # a browser that still shows the former widget, and clicks on
    assert widget(app.selectbox, "shots").set_value(1).run().session_state["got"] == 4
    assert widget(app.selectbox, "shots").set_value(2).run().session_state["got"] == 2


def test_a_choice_by_hand_keeps_its_widget():
    app = open_with((1, 2, 4))
    key = widget(app.selectbox, "shots").key
    widget(app.selectbox, "shots").set_value(2).run()
    assert widget(app.selectbox, "shots").key == key
    assert app.session_state["got"] == 2
