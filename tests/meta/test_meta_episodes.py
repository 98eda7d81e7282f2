import gzip

import numpy as np
import pytest

from slp_core.errors import DatasetError, SLPError
from slp_core.meta.episodes import draw_episode, draw_tasks, make_tasks, read_sources
from slp_core.meta.settings import METHODS, preset_settings


@pytest.fixture
def sources(data):
    return read_sources(data, "*_train.jsonl")


def named(task):
    of_sources = (
        (name, [each.label for each in task.classes if each.source.name == name])
        for name in task.sources
    )
    return " + ".join(f"{name}: {' / '.join(labels)}" for name, labels in of_sources)


def test_every_pair_of_classes_is_a_task(sources):
    tasks = make_tasks(sources, shots=4)
    assert [named(task) for task in tasks] == [
        "pairs_train: rain / sun",
        "weather_train: rain / snow",
        "weather_train: rain / sun",
        "weather_train: snow / sun",
    ]
    assert [task.size for task in tasks] == [40] * 4
    assert sources[0].examples.kind == "pair"
    assert sources[1].examples.kind == "text"
    # Twenty of each class are enough for a support and a query set of ten, and for no more.
    assert len(make_tasks(sources, shots=10)) == len(tasks)
    with pytest.raises(DatasetError, match="No file has two classes with 22 examples each"):
        make_tasks(sources, shots=11)


def test_tasks_are_drawn_by_the_square_root_of_their_size(sources):
    tasks = make_tasks(sources, shots=4)
    small = tasks[0]
    source = small.classes[0].source
    source.__dict__["rows"] = {label: rows[:5] for label, rows in source.rows.items()}  # 10 of 40
    drawn = draw_tasks(tasks, 20_000, np.random.default_rng(0))
    share = sum(task is small for task in drawn) / len(drawn)
    assert share == pytest.approx(0.5 / 3.5, abs=0.01)


@pytest.mark.parametrize("which", [1, -1], ids=["two of a source", "four of two sources"])
def test_episodes_keep_support_and_query_apart_and_permute_labels(more_data, which):
    task = make_tasks(read_sources(more_data, "*_train.jsonl"), shots=4, max_classes=4)[which]
    rng = np.random.default_rng(0)
    label_of = {
        text: each.label
        for each in task.classes
        for text in each.source.examples.take(each.rows).texts
    }
    orders = set()
    for _ in range(100):
        texts = np.reshape(draw_episode(task, 4, rng).texts, (2, len(task.classes), 4))
        (order,) = {tuple(map(label_of.get, column)) for half in texts for column in half.T}
        assert sorted(order) == sorted(each.label for each in task.classes)
        assert all(len(np.unique(texts[:, k])) == 8 for k in range(len(order)))
        orders.add(order)
    assert len(orders) > 1


def test_larger_tasks_stand_beside_those_of_two_classes(more_data):
    sources = read_sources(more_data, "*_train.jsonl")
    pairs, threes, fours = (make_tasks(sources, 4, most) for most in (2, 3, 4))
    assert len(pairs) == 5
    assert threes == (*pairs, threes[-1])
    assert named(threes[-1]) == "weather_train: rain / snow / sun"
    # Texts are not joined with pairs of texts, nor a source with itself.
    assert [named(task) for task in fours[6:]] == [
        f"moods_train: rain / sun + weather_train: {two}"
        for two in ("rain / snow", "rain / sun", "snow / sun")
    ]
    assert fours[-1].sources == ("moods_train", "weather_train")
    assert fours[-1].size == 80


def test_an_episode_of_pairs_keeps_both_texts(sources):
    task = make_tasks(sources, shots=4)[0]
    episode = draw_episode(task, 4, np.random.default_rng(0))
    given = task.classes[0].source.examples
    both = set(zip(given.texts, given.pairs, strict=True))
    assert set(zip(episode.texts, episode.pairs, strict=True)) <= both
    assert len(episode) == 16


def test_what_cannot_be_read_is_named(data):
    with pytest.raises(DatasetError, match=r"no file \*_test"):
        read_sources(data, "*_test.jsonl")
    with pytest.raises(DatasetError, match="80 examples each"):
        make_tasks(read_sources(data, "*_train.jsonl"), shots=40)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"text": "c"}', "sentence1 is missing"),
        ("[" * 100_000, "It is not JSON"),
        ('{"sentence1": 5, "label": "b"}', "sentence1 must be a text, not 5"),
        ('{"sentence1": "c", "sentence2": 5, "label": "b"}', "sentence2 must be a text, not 5"),
        ('{"sentence1": "c", "label": null}', "label is missing"),
        ('{"sentence1": "c", "label": NaN}', "label must be a text, true or false or a number"),
        ('{"sentence1": "c", "label": -1e999}', "label must be a text"),
        ('{"sentence1": "c", "label": ["b"]}', r"label must be .*, not \['b'\]"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(tmp_path, line, said):
    path = tmp_path / "bad_train.jsonl"
    path.write_text('{"sentence1": "a", "label": "b"}\n' + line)
    with pytest.raises(DatasetError, match=f"^{path}, line 2: {said}"):
        read_sources(tmp_path, "*_train.jsonl")


def test_labels_may_be_numbers(tmp_path):
    lines = (
        f'{{"sentence1": "a", "label": {label}}}\n' for label in ("1", "1.0", "-0.0", "2.5", "true")
    )
    (tmp_path / "a_train.jsonl").write_text("".join(lines))
    (source,) = read_sources(tmp_path, "*_train.jsonl")
    assert source.labels.tolist() == ["1", "1", "0", "2.5", "True"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (
            ("a_train.jsonl", "a_train.jsonl.gz"),
            "{0} and {1} have the same name: rename",
        ),
        (("validation_a_train.jsonl.gz",), "{0} is named both as training and as validation data"),
    ],
)
def test_files_whose_names_leave_open_which_they_are_are_refused(tmp_path, names, said):
    paths = [tmp_path / name for name in names]
    for path in paths:
        path.touch()
    with pytest.raises(DatasetError, match=f"^{said.format(*paths)}"):
        read_sources(tmp_path, "*_train.jsonl")


WHOLE = gzip.compress(b'{"sentence1": "a", "label": "b"}\n' * 100)


@pytest.mark.parametrize(
    "content",
    [WHOLE[:10] + b"\xff" * 20, WHOLE[:-12], b"{}", gzip.compress(b"\xff"), None],
    ids=["damaged", "cut short", "not gzipped", "not UTF-8", "a folder"],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, content):
    path = tmp_path / "bad_train.jsonl.gz"
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(
        DatasetError, match=rf"^{path} cannot be read as UTF-8 JSON Lines \(.*again"
    ):
        read_sources(tmp_path, "*_train.jsonl")


@pytest.mark.parametrize("method", METHODS)
def test_the_papers_preset_is_the_papers_table(method):
    settings = preset_settings(method, "paper")
    assert (settings.n_trainable, settings.shots, settings.batch_size) == (4, 16, 16)
    assert (settings.inner_steps, settings.momentum, settings.head_start) == (5, 0.9, "random")
    of_fomaml = (2e-5, 2e-5)  # which LEOPARD is trained by; the table has no row of it
    rates = {"metaslp-reptile": (5e-5, 2e-5), "metaslp-fomaml": of_fomaml, "leopard": of_fomaml}
    expected = rates.get(method, (1e-5, 1e-5))
    assert (settings.outer_rate, settings.final_outer_rate) == expected


def test_settings_that_leave_no_example_to_place_prototypes_are_refused():
    with pytest.raises(SLPError, match="remain for the prototypes"):
        preset_settings("reptile", shots=4, batch_size=8)
