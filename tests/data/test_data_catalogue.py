"""The list of datasets, the tables of scikit-learn, and the toys."""

import subprocess
import sys

import numpy as np
import pytest

from slp_core.data import catalogue, list_datasets, load_dataset, make_toy
from slp_core.errors import DatasetError

INFOS = {info.name: info for info in list_datasets()}
HEAVY = {"sklearn", "scipy", "pandas", "pyarrow", "openpyxl", "charset_normalizer", "torch"}


def test_importing_and_opening_a_sample_stays_light():
    code = (
        "import sys; from slp_core.data import list_datasets, load_dataset; list_datasets();"
        "load_dataset('airline').draw(16, 0); load_dataset('toy_abc');"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY & set(done.stdout.split()) == set()


@pytest.mark.parametrize("name", [name for name in INFOS if INFOS[name].group != "Texts"])
def test_what_the_list_says_is_what_is_loaded(name):
    dataset = load_dataset(name)
    info = INFOS[name]
    assert (dataset.name, dataset.title, dataset.kind) == (name, info.title, info.kind)
    assert len(dataset.classes) == info.n_classes
    assert dataset.classes == tuple(sorted(dataset.classes))
    assert len(dataset.feature_names) == dataset.examples.features.shape[1]
    assert dataset.card.startswith(f"# {info.title}\n")
    assert dataset.shots_available == (1, 2, 4, 8, 16)
    assert dataset.default_encoder == ("numeric" if info.group == "Tables" else "raw")


def test_tables_hold_the_labels_that_scikit_learn_gives():
    from sklearn.datasets import load_digits, load_iris

    iris = load_dataset("iris")
    assert iris.labels[[0, 50, 149]].tolist() == ["setosa", "versicolor", "virginica"]
    assert np.array_equal(iris.examples.features, load_iris().data)
    assert "1 duplicate row: entry 143" in iris.warnings[0]
    digits = load_dataset("digits")
    assert digits.classes == tuple("0123456789")
    assert np.array_equal(digits.y, load_digits().target)


def test_unknown_names_and_options_say_what_there_is():
    with pytest.raises(DatasetError, match=r"no dataset 'irish'.*iris"):
        load_dataset("irish")
    with pytest.raises(DatasetError, match=r"airline has no option 'dimension'"):
        load_dataset("airline", dimension=3)
    with pytest.raises(DatasetError, match=r"its options: n_per_class, seed"):
        load_dataset("toy_abc", dimension=3)
    with pytest.raises(DatasetError, match="no toy 'toy_z'"):
        make_toy("toy_z")
    for dimension in (1, 513):
        with pytest.raises(DatasetError, match="2 to 512 dimensions"):
            make_toy("toy_dimensions", dimension=dimension)


def test_a_missing_sample_or_card_is_named(monkeypatch, tmp_path):
    folder = catalogue.SAMPLE_FOLDER
    monkeypatch.setattr(catalogue, "SAMPLE_FOLDER", tmp_path)
    with pytest.raises(DatasetError, match=r"airline\.jsonl"):
        load_dataset("airline")
    (tmp_path / "airline.jsonl").write_bytes((folder / "airline.jsonl").read_bytes())
    with pytest.raises(FileNotFoundError, match=r"airline\.md"):
        load_dataset("airline")


def centroids(dataset):
    return {
        name: dataset.examples.features[dataset.labels == name].mean(axis=0)
        for name in dataset.classes
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("toy_blue_green_yellow", {"blue": (0, 0), "green": (1.5, 0), "yellow": (3, 0)}),
        ("toy_abc", {"A": (-10, 0), "B": (5, 0), "C": (15, 0)}),
        ("toy_dimensions", {"A": (-10, 0), "B": (5, 0), "C": (15, 0)}),
        ("toy_off_line", {"A": (-4, 0), "B": (-0.5, 3), "C": (4, 0)}),
    ],
)
def test_paper_examples_have_their_centroids_exactly(name, expected):
    dataset = make_toy(name)
    assert set(dataset.counts.values()) == {60}
    assert dataset.feature_names == ("x", "y")
    for label, centroid in centroids(dataset).items():
        np.testing.assert_allclose(centroid, expected[label], atol=1e-12)


@pytest.mark.parametrize("name", [name for name in INFOS if INFOS[name].group == "Toys"])
def test_toys_are_seeded(name):
    assert make_toy(name).digest == make_toy(name).digest
    assert make_toy(name).digest != make_toy(name, seed=1).digest
    assert set(make_toy(name, n_per_class=7).counts.values()) == {7}


def test_rings_are_rings_around_one_centre():
    rings = make_toy("toy_rings")
    radius = np.linalg.norm(rings.examples.features, axis=1)
    means = [radius[rings.labels == ring].mean() for ring in ("inner", "middle", "outer")]
    np.testing.assert_allclose(means, [1, 2.5, 4], atol=0.1)
    assert max(np.linalg.norm(c) for c in centroids(rings).values()) < 0.8


def test_three_on_a_line_and_two_lines_are_lines():
    three = centroids(make_toy("toy_three_on_a_line"))
    np.testing.assert_allclose((three["left"] + three["right"]) / 2, three["middle"], atol=1e-12)
    five = centroids(make_toy("toy_five_on_two_lines"))
    (ax, ay), (bx, by), (cx, cy) = (five[name] for name in "ABC")
    assert abs((by - ay) / (bx - ax) - (cy - ay) / (cx - ax)) < 0.01


def test_dimensions_extend_the_same_points_until_distances_concentrate():
    """The card's claim: A's w falls under 0.7 near 35 dimensions, and all w close in on 0.5."""
    ends = np.zeros((2, 512))
    ends[:, 0] = -10, 15
    widest = make_toy("toy_dimensions", dimension=512).examples.features

    def w_of_a(d):
        points = make_toy("toy_dimensions", dimension=d).examples.features
        if d > 2:
            np.testing.assert_allclose(points[:, :2], widest[:, :2])
        left, right = (np.linalg.norm(points - end[:d], axis=1) for end in ends)
        return (right / (left + right))[:60].mean()

    shares = [w_of_a(d) for d in (2, 20, 35, 60, 512)]
    assert shares == sorted(shares, reverse=True)
    assert shares[1] > 0.72
    assert abs(shares[2] - 0.7) < 0.02
    assert shares[3] < 0.67
    assert 0.5 < shares[4] < 0.55
