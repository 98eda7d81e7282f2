"""Links to every encoder of the list before options were open the encoder that they opened."""

import json
from pathlib import Path

import pytest
from driving import open_page, until

from pages.session import settings
from pages.session.available_encoders import titles_by_name
from pages.session.files import WORKSPACE
from pages.session.old_links import current_names
from slp_core.encoders.choice import EncoderChoice

FILE = Path(__file__).parents[1] / "encoders" / "old_names.json"
OLD = {each["title"]: name for name, each in json.loads(FILE.read_text(encoding="utf-8")).items()}
NUMBERS = ("numeric", "numeric-table", "raw")


def workspace_of(page, **query):
    app = open_page(page, query=query, folded=True)
    until(app, lambda: all(key in app.session_state for key in (WORKSPACE, "address_refused")))
    assert not app.session_state["address_refused"]
    return app, app.session_state[WORKSPACE]


@pytest.mark.parametrize("title", OLD)
def test_an_old_title_is_an_encoder_of_today(title):
    choice, titles = EncoderChoice.of(OLD[title]), titles_by_name()
    requested = current_names({"encoder": [title], "dataset": ["Airline tweets"]})
    assert requested.pop("dataset") == ["Airline tweets"]
    assert requested.pop("encoder") == [titles[choice.name]]
    combine = requested.pop("combine", ["none"])[-1]
    chunks = requested.pop("chunks", ["false"])[-1]
    assert not requested
    assert EncoderChoice(choice.name, settings.COMBINES[combine], chunks == "true") == choice


# Of each kind one: as it is, a new name, 8 bits, either way of combining, by passage, numbers.
@pytest.mark.parametrize(
    "title",
    [
        "ProtoNet on MiniLM, layer 4",
        "MiniLM, layer 4, 8-bit",
        "MiniLM, layer 4, by passage",
        "MiniLM and LEOPARD, side by side",
        "MiniLM and ProtoNet (mean of four), weighted, by passage",
        "Standardised on support set",
        "Raw numbers",
    ],
)
def test_an_old_title_opens_the_same_encoder(title):
    name = OLD[title]
    dataset = "Wine" if name in NUMBERS else "Disaster or not"
    app, workspace = workspace_of("train", encoder=[title], dataset=[dataset])
    assert workspace.encoder_name == str(EncoderChoice.of(name))
    assert app.session_state["encoder"] == titles_by_name()[EncoderChoice.of(name).name]


def test_old_titles_elsewhere_are_those_of_today():
    title = "MiniLM and Reptile, plain head, side by side"
    app, _ = workspace_of("soft_labels", other_encoder=[title], dataset=["Disaster or not"])
    today = "Reptile, plain head on MiniLM, layer 4, concatenated with MiniLM"
    assert app.session_state["other_encoder"] == today
    key = "beside_constraint_slp_minilm-l4"
    app, _ = workspace_of("explore", **{key: [f"through {title}"], "dataset": ["Disaster or not"]})
    assert app.session_state[key] == f"through {today}"
    old = "passages-weighted-protonet-mean-minilm-l6"
    query = {f"before_{old}": ["TF-IDF and SVD"], "dataset": ["Disaster or not"]}
    query["encoder"] = ["MiniLM and ProtoNet (mean of four), weighted, by passage"]
    app, workspace = workspace_of("encoders", **query)
    assert app.session_state[f"before_{EncoderChoice.of(old)}"] == "TF-IDF and SVD"
    assert workspace.encoder_name == "protonet-mean-minilm-l6+weighted+chunks"
