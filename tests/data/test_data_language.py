"""Uploads that an English encoder does not read are told so; English ones are not."""

import io

import pytest

from slp_core.data import list_datasets, load_dataset, read_dataset
from slp_core.data.language import language_of

SAMPLES = {
    "German": "Das Paket kam zu spät an und war beschädigt. Ich bin zufrieden.",
    "French": "Le colis est arrivé en retard et il était abîmé. Je suis content.",
    "Spanish": "El paquete llegó tarde y estaba roto. No voy a comprar más en esta tienda.",
    "Italian": "Il pacco è arrivato in ritardo. Sono molto contento della musica.",
    "Dutch": "Het pakket kwam te laat en was kapot. Ik ben heel tevreden met de muziek.",
    "Polish": "Film jest nudny, ale muzyka jest piękna i bardzo ładna. Nie wracam do tego.",
    "Turkish": "Film çok sıkıcı ama müzik güzel. Bu mağazadan bir daha almam.",
}
SCRIPTS = {
    "Chinese": "物流非常快",
    "Japanese": "とても良い です",
    "Korean": "정말 좋아요",
    "Cyrillic": "очень хорошо",
    "Arabic": "جيد جدا",
    "emoji": "\N{GRINNING FACE} \N{PARTY POPPER}\N{PARTY POPPER}",
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_language_is_known_by_its_common_words(name):
    found = language_of([SAMPLES[name]])
    assert (found.script, found.name) == ("", name)
    assert found.remarkable
    assert not found.unread


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_known_by_its_letters(name):
    found = language_of([SCRIPTS[name]] * 3)
    assert (found.script, found.share, found.name) == (name, 1.0, "")
    assert found.unread
    some = language_of([SCRIPTS[name], "It is one of the many English words that were counted"])
    assert some.script in ("", name)
    assert not some.unread


def test_no_alarm_on_english_names_numbers_or_nothing():
    for info in list_datasets():
        assert not load_dataset(info.name).language.remarkable, info.name
    names = ["Zalando", "Deutsche Bahn", "Le Monde", "El País", "HDMI 2.1 © 4K"]
    for texts in (
        [],
        [""],
        ["12", "!?"],
        names,
        ["cheap flights London"] * 9,
        ["station de la mer 7"] * 9,
    ):
        assert not language_of(texts).remarkable


def uploaded(*texts):
    lines = "\n".join(f'"{text}",{"ab"[row % 2]}' for row, text in enumerate(texts))
    return read_dataset(io.BytesIO(f"text,label\n{lines}\n".encode()), "reviews.csv")


@pytest.mark.parametrize(
    ("texts", "encoder", "what"),
    [
        ([SCRIPTS["emoji"]] * 4, "tfidf-char", "100% of the words in reviews.csv are emoji"),
        (
            [SCRIPTS["Chinese"]] * 3 + ["good"],
            "tfidf-char",
            "75% of the words in reviews.csv are in Chinese script",
        ),
        (
            [SCRIPTS["Cyrillic"], "not bad", "so so", "good"],
            "minilm-l4",
            "29% of the words in reviews.csv are in Cyrillic script",
        ),
        ([SAMPLES["German"], "gut"] * 2, "minilm-l4", "reviews.csv looks German"),
    ],
)
def test_an_upload_is_told_what_to_use_instead(texts, encoder, what):
    dataset = uploaded(*texts)
    assert dataset.default_encoder == encoder
    assert (
        f"MiniLM reads English, and {what}: use *TF-IDF of words and characters* or a multilingual "
        "encoder."
    ) in dataset.warnings
