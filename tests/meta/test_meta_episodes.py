import numpy as np
import pytest

from slp_core.errors import DatasetError, SLPError
from slp_core.meta.episodes import draw_episode, draw_tasks, make_tasks, read_sources
from slp_core.meta.settings import METHODS, preset_settings


@pytest.fixture
def sources(data):
    return read_sources(data, "*_train.jsonl")


def test_every_pair_of_classes_is_a_task(sources):
    tasks = make_tasks(sources, shots=4)
    assert [task.name for task in tasks] == [
        "pairs_train: rain / sun",
        "weather_train: rain / snow",
        "weather_train: rain / sun",
        "weather_train: snow / sun",
    ]
    assert [task.size for task in tasks] == [40] * 4
    assert sources[0].examples.kind == "pair"
    assert sources[1].examples.kind == "text"


def test_tasks_are_drawn_by_the_square_root_of_their_size(sources):
    tasks = make_tasks(sources, shots=4)
    small = tasks[0]
    rows = small.source.rows
    small.source.__dict__["rows"] = {label: rows[label][:5] for label in rows}  # 10 rows of 40
    drawn = draw_tasks(tasks, 20_000, np.random.default_rng(0))
    share = sum(task is small for task in drawn) / len(drawn)
    assert share == pytest.approx(0.5 / 3.5, abs=0.01)


def test_episodes_keep_support_and_query_apart_and_permute_labels(sources):
    task = make_tasks(sources, shots=4)[1]
    rng = np.random.default_rng(0)
    firsts = set()
    for _ in range(30):
        episode = draw_episode(task, 4, rng)
        rows = np.r_[episode.support.ravel(), episode.query.ravel()]
        assert len(set(rows.tolist())) == 16
        labels = task.source.labels[np.hstack([episode.support, episode.query])]
        assert all(len(set(line)) == 1 for line in labels)
        assert set(labels[:, 0]) == set(task.classes)
        firsts.add(str(labels[0, 0]))
        assert episode.examples.texts == tuple(task.source.examples.texts[i] for i in rows)
    assert firsts == set(task.classes)


def test_what_cannot_be_read_is_named(data):
    with pytest.raises(DatasetError, match=r"no file \*_test"):
        read_sources(data, "*_test.jsonl")
    with pytest.raises(DatasetError, match="80 examples each"):
        make_tasks(read_sources(data, "*_train.jsonl"), shots=40)
    (data / "bad_train.jsonl").write_text('{"sentence1": "a", "label": "b"}\n{"text": "c"}\n')
    with pytest.raises(DatasetError, match=r"bad_train.jsonl, line 2: .*sentence1"):
        read_sources(data, "*_train.jsonl")


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
    with pytest.raises(SLPError, match="left to place the prototypes"):
        preset_settings("reptile", shots=4, batch_size=8)
    with pytest.raises(SLPError, match="choose one of metaslp-reptile"):
        preset_settings("maml")
