"""A lecture's file: what is wrong with it is said by scene and field; the app's own is correct."""

import pytest

from pages.learn.views import VIEWS
from pages.session.lectures import PICTURES, lecture_of, packed, picture_of, wrong_with
from pages.session.settings import LONGEST as LONGEST_LINK
from slp_core.lessons.lecture import FILES, MOST_BYTES, LectureError, read_lecture

GOOD = """title = "Ours"
[[scenes]]
title = "<b>One</b> $x$"
link = "https://slp.example/app/explain?dataset=Wine&shots=4&lecture=prototypes"
sentence = "A sentence."
"""
ASKS = f'{GOOD}question = "Which?"\n'
SECOND = '[[scenes]]\ntitle = "Two"\nsentence = "Words."\nlink = "{}"\n'


@pytest.mark.parametrize("name", FILES)
def test_a_lecture_of_the_app_can_be_read_from_the_back_row(name):
    lecture = lecture_of(name)
    assert len(lecture.scenes) == 8
    for scene in lecture.scenes:
        assert 2 <= len(scene.title.split()) <= 8
        assert scene.sentence.endswith(".")
        assert scene.question.endswith("?")
    assert len({scene.link for scene in lecture.scenes}) == 8
    assert len(packed(FILES[name])) <= LONGEST_LINK


def test_every_picture_is_a_view():
    assert set(PICTURES.values()) <= set(VIEWS)


def test_a_file_packed_into_a_link_is_the_same_lecture():
    lecture = lecture_of(packed(GOOD.encode()))
    assert lecture == read_lecture(GOOD.encode())
    assert picture_of(lecture.scenes[0]) == "strip"
    assert not lecture.scenes[0].for_the_room
    asked = ASKS + 'choices = [" a  b", "c"]\ncorrect = "a b"\nwhy = "So."'
    (scene,) = read_lecture(asked.encode()).scenes
    assert (scene.choices, scene.correct, scene.of_classes) == (("a b", "c"), "a b", False)
    (scene,) = read_lecture(f'{ASKS}choices = "classes"'.encode()).scenes
    assert scene.for_the_room
    for broken in ("nothing", packed(GOOD.encode())[:-9], packed(b"0" * 10**7), "é", "_"):
        assert lecture_of(broken) is None


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (GOOD.replace("= ", "", 1), "The file is not valid TOML: Expected '=' after a key in a "
         "key/value pair (at line 1, column 7)."),
        ("x" * (MOST_BYTES + 1), "The file is larger than 20,000 bytes: shorten the lecture."),
        ("a" + ".a" * 2000, "A line has 4,001 bytes: at most 2,200 are read."),
        ('title = "Ours"', "The lecture has no scenes: begin each with a line [[scenes]]."),
        (GOOD.replace('title = "Ours"', ""), "The lecture has no field “title”: add a line "
         'title = "…".'),
        ("", 'The lecture has no field “title”: add a line title = "…".'),
        ("author = 1\n" + GOOD, "The lecture has an unknown field “author”: its fields are title "
         "and scenes."),
        (GOOD + 40 * "[[scenes]]\n", "The lecture has 41 scenes: at most 40 can be shown."),
        (GOOD + "[[scenes]]\n", 'Scene 2 has no field “title”: add a line title = "…".'),
        ('title = "Ours"\nscenes = [1]', "Scene 1 is not a table: begin it with a line "
         "[[scenes]]."),
        (GOOD + "text = 1", "Scene 1 has an unknown field “text”: its fields are title, link, "
         "sentence, question, choices, correct and why."),
        (GOOD + 'choices = ["a", "b"]', "Scene 1 has choices and no question: add a line question "
         '= "…".'),
        (ASKS + "choices = 3", "Scene 1, field “choices”, is not a list: write [\"…\", \"…\"], or "
         '"classes" for those of the data.'),
        (ASKS + 'choices = ["a"]', "Scene 1, field “choices”, has 1 choice: write 2 to 6."),
        (ASKS + "choices = [1, 2]", "Scene 1, field “choices”, is not a text: put it in quotes."),
        (ASKS + 'choices = ["a", "b"]\nwhy = "So."', "Scene 1 has no field “correct”: add a line "
         'correct = "…".'),
        (ASKS + 'choices = ["a", "b"]\nwhy = "So."\ncorrect = "c"', "Scene 1, field “correct”, is "
         "not one of choices that all differ."),
        (ASKS + 'choices = "classes"\nwhy = "So."', "Scene 1, field “why”, has no list of choices "
         "to go with: add one."),
        (GOOD + "question = 1", "Scene 1, field “question”, is not a text: put it in quotes."),
        (GOOD + f'question = "{"x" * 201}"', "Scene 1, field “question”, has 201 characters: "
         "write 0 to 200."),
        (GOOD.replace("One", "a b c d e f g h"), "Scene 1, field “title”, has 9 words: at most 8 "
         "fit."),
        (GOOD + SECOND.format("compare"), "Scene 2, field “link”: there is no picture “compare”; "
         "choose one of explore, explain, train, soft_labels, ensemble, learn, shared, "
         "one_prediction, three_to_move, dimensions, bands, local_labels, members and episode."),
        (GOOD + SECOND.format("http://[x"), None),
        (GOOD + SECOND.format("explore?colour=red"), "Scene 2, field “link”: there is no setting "
         "“colour”; copy the link from Share."),
        (GOOD + SECOND.format("explore?shots=many"), "Scene 2, field “link”: “shots” cannot be "
         "“many” in a lecture."),
        (GOOD + SECOND.format("explore?dataset=Mine"), "Scene 2, field “link”: “dataset” cannot "
         "be “Mine” in a lecture."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_by_scene_and_field(file, message):
    with pytest.raises(LectureError) as refused:
        read_lecture(file.encode(), wrong_with)
    if message is not None:
        assert str(refused.value) == message


def test_what_is_no_text_is_refused():
    with pytest.raises(LectureError, match="not valid TOML: 'utf-8' codec"):
        read_lecture(b"\xff\xfe")
