"""LEOPARD task folders: own draws, mentions and pairs, empty draws, oddities."""

import json

import pytest

from slp_core.data import read_leopard, remarks
from slp_core.data.leopard import read_leopard_files
from slp_core.data.remarks import Places
from slp_core.errors import DatasetError


def rows(*cells):
    keys = ("sentence1", "label", "sentence2")
    return [dict(zip(keys, row, strict=False)) for row in cells]


def write_task(folder, task, evaluation, draws):
    folder.mkdir(exist_ok=True)
    (folder / f"{task}_eval.json").write_text(json.dumps(evaluation), encoding="utf-8")
    for (draw, shots), content in draws.items():
        path = folder / f"{task}_train_{draw}_{shots}.json"
        path.write_text(json.dumps(content), encoding="utf-8")
    return folder


EVALUATION = rows(("up", "pos"), ("down", "neg"), ("über", "pos"), ("up", "pos"))
DRAWS = {
    (0, 1): rows(("good", "pos"), ("bad", "neg")),
    (0, 2): rows(("good", "pos"), ("bad", "neg"), ("fine", "pos"), ("up", "neg")),
    (1, 1): [],
    (2, 1): rows(("awful", "neg"), ("up", "pos")),
    (2, 2): rows(("good", "pos"), ("good", "pos"), ("bad", "neg"), ("awful", "neg")),
}


@pytest.fixture
def task(tmp_path):
    return write_task(tmp_path / "mood", "mood", EVALUATION, DRAWS)


def test_the_published_draws_are_used(task):
    dataset = read_leopard(task)
    assert (dataset.name, dataset.kind, dataset.classes) == ("mood", "text", ("neg", "pos"))
    assert dataset.default_encoder == "minilm-l4"
    assert (dataset.shots_available, dataset.n_draws) == ((1, 2), 3)
    assert dataset.available_draws(1) == (0, 2)
    assert dataset.available_draws(2) == (0, 2)

    def texts(episode):
        return [dataset.examples.texts[i] for i in episode.support]

    first = dataset.draw(1, 0)
    assert texts(first) == ["bad", "good"]
    assert first.query.tolist() == [0, 1, 2, 3]
    assert [dataset.classes[k] for k in first.y_query] == ["pos", "neg", "pos", "pos"]
    assert dataset.examples.texts[2] == "über"
    assert first.warnings == ()
    assert texts(dataset.draw(2, 0)) == ["bad", "up", "good", "fine"]


def test_a_row_twice_in_one_draw_is_two_support_rows(task):
    dataset = read_leopard(task)
    episode = dataset.draw(2, 2)
    assert len(set(episode.support)) == 4
    assert [dataset.examples.texts[i] for i in episode.support] == ["bad", "awful", "good", "good"]


def test_an_empty_or_missing_draw_is_an_error_only_when_asked_for(task):
    dataset = read_leopard(task)
    with pytest.raises(
        DatasetError,
        match=r"Draw 1 of mood with 1 shots has no row of class 'neg' and 1 more: .*0, 2",
    ):
        dataset.draw(1, 1)
    with pytest.raises(DatasetError, match=r"Draw 1 of mood with 2 shots does not exist: .*0, 2"):
        dataset.draw(2, 1)


def test_a_draw_without_a_row_of_each_class_is_none(tmp_path):
    draws = DRAWS | {(3, 1): rows(("good", "pos"), ("fine", "pos")), (0, 4): rows(("bad", "neg"))}
    dataset = read_leopard(write_task(tmp_path / "mood", "mood", EVALUATION, draws))
    assert (dataset.shots_available, dataset.available_draws(1)) == ((1, 2), (0, 2))
    with pytest.raises(DatasetError, match="Draw 3 of mood with 1 shots has no row of class 'neg'"):
        dataset.draw(1, 3)
    assert "all 4 test rows" in dataset.card
    assert dataset.size_text() in dataset.card


def test_duplicates_and_overlap_are_warned_of(task):
    dataset = read_leopard(task)
    file = "mood_eval.json"
    assert dataset.warnings[0] == remarks.duplicates(file, Places((4,), "entry"))
    assert "2 training rows" in dataset.warnings[1]
    assert dataset.draw(1, 2).warnings == (remarks.repeated_support(2),)


def test_a_mention_inside_its_sentence_makes_a_span(tmp_path):
    evaluation = rows(
        ("any sushi near joe's place", "name", "Joe 's"),
        *((f"where is pizza number {i}", "dish", "pizza") for i in range(18)),
        ("the words are elsewhere", "dish", "sushi"),
    )
    draws = {(0, 1): rows(("a phone and pho", "dish", "pho"), ("at Luigi", "name", "luigi"))}
    dataset = read_leopard(write_task(tmp_path / "food", "food", evaluation, draws))
    assert dataset.kind == "span"
    mentions = [
        text[a:b]
        for text, (a, b) in zip(dataset.examples.texts, dataset.examples.spans, strict=True)
    ]
    assert mentions[0] == "joe's"
    assert mentions[-1] == "Luigi"
    assert dataset.examples.spans[-2] == (12, 15)
    assert mentions[19] == "the words are elsewhere"
    assert any("1 mention not found" in remark for remark in dataset.warnings)


def test_a_second_sentence_of_its_own_makes_a_pair(tmp_path):
    evaluation = rows(
        ("Cells divide.", "entails", "Cells divide"),
        *((f"Fact {i} holds.", "neutral", f"Claim {i} is wet.") for i in range(6)),
    )
    draws = {(0, 1): rows(("a", "neutral", "b"), ("c", "entails", "d"))}
    dataset = read_leopard(write_task(tmp_path / "science", "science", evaluation, draws))
    assert dataset.kind == "pair"
    assert dataset.examples.pairs[:2] == ("Cells divide", "Claim 0 is wet.")


def test_a_task_may_have_another_name_than_its_folder(tmp_path):
    folder = write_task(tmp_path / "conll", "conll_c", EVALUATION, DRAWS)
    assert read_leopard(folder).name == "conll"
    uploaded = write_task(tmp_path / "tmp4f", "conll_c", EVALUATION, DRAWS)
    assert read_leopard(uploaded).name == "conll"
    elsewhere = write_task(tmp_path / "download-3", "mood", EVALUATION, DRAWS)
    assert read_leopard(elsewhere).name == "mood"


def test_published_rows_are_kept_however_long_blank_or_typed(tmp_path):
    evaluation = rows(("x" * 30_000, 5), ("  ", 2), ("fine", "5"), ("poor", 2.0))
    draws = {(0, 1): rows(("a", "2"), ("b", "5"))}
    dataset = read_leopard(write_task(tmp_path / "stars", "stars", evaluation, draws))
    assert dataset.labels.tolist() == ["5", "2", "5", "2", "2", "5"]
    assert "1 row without text" in dataset.warnings[0]
    assert len(dataset.draw(1, 0).query) == 4


@pytest.mark.parametrize(
    ("evaluation", "draws", "words"),
    [
        ([], DRAWS, "mood_eval.json is an empty list"),
        (EVALUATION, {}, "mood_train_<draw>_<shots>.json"),
        (rows(("up", "")), DRAWS, "no 'label' in entry 1"),
        ([{"label": "pos"}], DRAWS, "no 'sentence1' in entry 1"),
        ({"sentence1": "up"}, DRAWS, "one object rather than a list"),
        (rows(("up", "pos", "u")), DRAWS, "have sentence2 and some have not"),
    ],
)
def test_a_broken_folder_says_what_is_wrong(tmp_path, evaluation, draws, words):
    with pytest.raises(DatasetError) as error:
        read_leopard(write_task(tmp_path / "mood", "mood", evaluation, draws))
    assert words in str(error.value)


def test_files_without_a_folder_are_read_alike(tmp_path):
    folder = write_task(tmp_path / "mood", "mood", EVALUATION, DRAWS)
    files = [(f"from/elsewhere/{path.name}", path.read_bytes()) for path in folder.iterdir()]
    dataset = read_leopard_files(files)
    assert dataset.digest == read_leopard(folder).digest
    assert dataset.size_text() == remarks.size(len(dataset), 2, {1: 2, 2: 2})
    with pytest.raises(DatasetError, match=r"^The upload has no file named"):
        read_leopard_files([])


def test_no_task_in_the_folder(tmp_path):
    with pytest.raises(DatasetError, match="has no file named"):
        read_leopard(tmp_path)
    with pytest.raises(DatasetError, match="not a folder"):
        read_leopard(tmp_path / "nothing")
    write_task(tmp_path / "mood", "mood", EVALUATION, DRAWS)
    with pytest.raises(DatasetError, match=r"folders of tasks \(mood\).*for example .*mood\."):
        read_leopard(tmp_path)
    write_task(tmp_path, "one", EVALUATION, DRAWS)
    write_task(tmp_path, "two", EVALUATION, DRAWS)
    named = r"has 2 files named <task>_eval.json \(one_eval.json, two_eval.json\)"
    with pytest.raises(DatasetError, match=named):
        read_leopard(tmp_path)


def test_two_files_of_one_draw_are_refused(task):
    (task / "mood_train_00_2.json").write_text("[]", encoding="utf-8")
    named = "two files for draw 0 with 2 shots, mood_train_00_2.json and mood_train_0_2.json"
    with pytest.raises(DatasetError, match=named):
        read_leopard(task)


def test_no_file_of_an_upload_is_lost_without_a_word(task):
    files = [(path.name, path.read_bytes()) for path in task.iterdir()]
    with pytest.raises(DatasetError, match=r"two files named mood_eval\.json that differ"):
        read_leopard_files([("a/mood_eval.json", b"[]"), *files])
    assert read_leopard_files([*files, *files]).digest == read_leopard(task).digest
    others = [("mood_train_0_1 (1).json", b"[]"), ("food_train_0_1.json", b"[]")]
    left_out = remarks.left_out_files("mood", ["food_train_0_1.json", "mood_train_0_1 (1).json"])
    assert read_leopard_files([*files, *others]).warnings[-1] == left_out
