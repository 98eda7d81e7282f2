"""What is run: the tasks found on disk, the methods by name, and the runs they make together.

A run is one method fitted once: (task, encoder, method, shots, draw, seed). To add a method, write
its estimator in :mod:`slp_core.methods` and add one line to ``METHODS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from slp_core.errors import DatasetError, SLPError

if TYPE_CHECKING:
    from slp_core.data import FewShotDataset
    from slp_core.methods.protocols import Classifier


@dataclass(frozen=True)
class Method:
    """A classifier that can be evaluated by name.

    Attributes
    ----------
    name
        As given on the command line and written in the results.
    factory
        Makes an unfitted classifier; is called with ``random_state=seed`` if the method is
        stochastic, and with ``encoder=name`` if it reads texts.
    stochastic
        Whether the seed changes the outcome. A deterministic method is run with seed 0 only,
        however many seeds are asked for: more would be copies that narrow the spread falsely.
    paper
        The paper's system that this method is set beside, or None where it has no counterpart.
    paper_with
        Where the encoder decides that: the beginning of an encoder's name, and the system, if any.
    reads
        ``"vectors"``: it is fitted on an encoder's embeddings. ``"texts"``: it takes the encoder
        with it, and trains layers of it.
    """

    name: str
    factory: Callable[..., Classifier]
    stochastic: bool = False
    paper: str | None = None
    paper_with: tuple[tuple[str, str | None], ...] = ()
    reads: Literal["vectors", "texts"] = "vectors"

    def make(self, seed: int, encoder: str = "") -> Classifier:
        """Make an unfitted classifier for one run."""
        options: dict[str, Any] = {"random_state": seed} if self.stochastic else {}
        if self.reads == "texts":
            options["encoder"] = encoder
        return self.factory(**options)

    def counterpart(self, encoder: str) -> str | None:
        """The paper's system beside this method on an encoder."""
        for beginning, system in self.paper_with:
            if encoder.startswith(beginning):
                return system
        return self.paper

    def seeds(self, n_seeds: int) -> range:
        """Seeds that this method is run with when ``n_seeds`` are asked for."""
        return range(n_seeds if self.stochastic else 1)


def _estimator(class_name: str, **params: Any) -> Callable[..., Classifier]:
    """Factory of an estimator that is imported when first made: naming methods stays light."""
    return partial(_build, class_name, **params)


def _build(class_name: str, **params: Any) -> Classifier:
    classifier: Classifier = getattr(import_module("slp_core.methods"), class_name)(**params)
    return classifier


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("constraint_slp", _estimator("ConstraintSLPClassifier"), paper="constraintSLP"),
        Method(
            "constraint_slp_along_line",
            _estimator("ConstraintSLPClassifier", distance="along_line"),
            paper="constraintSLP",
        ),
        # deterministic: its heads start at the centroids and take full-batch steps
        Method("deep_slp", _estimator("DeepSLPClassifier", preset="prototype"), paper="DeepSLP"),
        Method(
            "deep_slp_paper",
            _estimator("DeepSLPClassifier", preset="paper"),
            stochastic=True,
            paper="DeepSLP",
        ),
        # a class's mean is its prototype in ProtoNet: of the encoder as it is, or trained for it
        Method(
            "nearest_centroid",
            _estimator("NearestCentroidClassifier"),
            paper="ProtoNet (low-resource)",
            paper_with=(
                ("protonet", "ProtoNet (high-resource)"),
                ("metaslp", None),
                ("reptile", None),
            ),
        ),
        Method("one_nn", _estimator("OneNearestNeighbourClassifier")),
        Method("logistic_regression", _estimator("LogisticRegressionClassifier")),
        Method(
            "meta_slp",
            _estimator("MetaSLPClassifier"),
            paper_with=(
                ("metaslp-reptile", "MetaSLP-Reptile"),
                ("metaslp-fomaml", "MetaSLP-FOMAML"),
            ),
            reads="texts",
        ),
        Method(
            "lora",
            _estimator("LoRAClassifier"),
            stochastic=True,
            paper="LoRA-BERT",
            reads="texts",
        ),
        Method(
            "fine_tuned",
            _estimator("FineTunedClassifier"),
            stochastic=True,
            paper="BERT fine-tuned",
            paper_with=(("reptile", "Reptile"),),
            reads="texts",
        ),
        Method(
            "proto_net",
            _estimator("ProtoNetClassifier"),
            stochastic=True,
            paper="ProtoNet (low-resource)",
            reads="texts",
        ),
        # not of the paper: what a user might take instead
        Method("setfit", _estimator("SetFitClassifier"), stochastic=True, reads="texts"),
    )
}


def get_method(name: str) -> Method:
    """Look a method up by name; raises SLPError naming the ones there are."""
    try:
        return METHODS[name]
    except KeyError:
        raise SLPError(
            f"There is no method called '{name}'; choose from {', '.join(METHODS)}."
        ) from None


class Run(NamedTuple):
    """One fit of one method: what a row of the results is known by."""

    task: str
    encoder: str
    method: str
    shots: int
    draw: int
    seed: int


def plan_runs(
    task: str,
    encoder: str,
    methods: Sequence[Method],
    shots: Sequence[int],
    n_draws: int,
    n_seeds: int,
) -> Iterator[Run]:
    """Every run of one task and encoder, in a fixed order: shots, draw, method, seed."""
    for n_shots in shots:
        for draw in range(n_draws):
            for method in methods:
                for seed in method.seeds(n_seeds):
                    yield Run(task, encoder, method.name, n_shots, draw, seed)


@dataclass(frozen=True)
class Task:
    """A dataset that is known by name and read when needed.

    Attributes
    ----------
    name
        What rows of results call it: the folder's name for a LEOPARD folder, the file's name for a
        table, and ``sample/NAME`` for a bundled dataset, so that our sample "airline" is never
        set beside the paper's figures for LEOPARD's "airline".
    load
        Reads the dataset; raises DatasetError.
    """

    name: str
    load: Callable[[], FewShotDataset]


def find_tasks(sources: Sequence[str]) -> tuple[Task, ...]:
    """Find the tasks that command-line words stand for, without reading them.

    Parameters
    ----------
    sources
        Each a LEOPARD task folder, a folder of task folders, a dataset file, or the name of a
        bundled dataset. A path that exists goes before a bundled dataset of the same name.

    Raises
    ------
    DatasetError
        A source is none of these, a folder is empty, or two tasks have one name.
    """
    tasks = [task for source in sources for task in _tasks_of(source)]
    names = [task.name for task in tasks]
    for name in names:
        if names.count(name) > 1:
            raise DatasetError(f"Two tasks are called '{name}': evaluate them into separate files.")
    return tuple(tasks)


def _tasks_of(source: str) -> list[Task]:
    from slp_core.data import list_datasets, load_dataset, read_dataset, read_leopard

    # absolute, and not resolved: "." has a name, and a link keeps the one that it was given
    path = Path(source).expanduser().absolute()
    if path.is_dir():
        if any(path.glob("*.json")):
            return [Task(path.name, partial(read_leopard, path))]
        folders = sorted(
            folder
            for folder in path.iterdir()
            if folder.is_dir() and not folder.name.startswith(".")
        )
        if not folders:
            raise DatasetError(
                f"The folder {source} holds no task: a task folder holds NAME_eval.json and "
                "NAME_train_DRAW_SHOTS.json files."
            )
        return [Task(folder.name, partial(read_leopard, folder)) for folder in folders]
    if path.is_file():
        return [Task(path.name, partial(read_dataset, path))]
    bundled = [info.name for info in list_datasets()]
    if source in bundled:
        return [Task(f"sample/{source}", partial(load_dataset, source))]
    raise DatasetError(
        f"'{source}' is neither a folder, a file nor a bundled dataset ({', '.join(bundled)})."
    )
