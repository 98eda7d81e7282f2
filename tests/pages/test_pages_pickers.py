"""What is chosen from a list is one of its options, however late it comes."""

from streamlit.testing.v1 import AppTest


def page():
    import streamlit as st

    from pages.widgets.pickers import as_offered

    options = st.session_state["offered"]
    st.session_state["got"] = as_offered(st.selectbox("Shots", options, key="shots"), options)


def test_a_number_that_arrives_as_text_is_the_number():
    app = AppTest.from_function(page)
    for chosen, offered, expected in (
        ("16", (1, 2, 16), 16),  # from a list that had no 16
        ("16", (1, 2), 1),
        (2, (1, 2), 2),
    ):
        app.session_state["shots"], app.session_state["offered"] = chosen, offered
        app.run()
        assert not app.exception
        assert app.session_state["got"] is expected
