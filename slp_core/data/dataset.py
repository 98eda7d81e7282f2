"""A dataset, and one draw from it."""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from sys import getsizeof
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slp_core.data import remarks
from slp_core.data.edits import NONE, Edits
from slp_core.data.examples import Examples, Kind, digest_strings, frozen_array
from slp_core.data.language import Language, language_of
from slp_core.errors import DatasetError
from slp_core.sentences import class_names, listed

if TYPE_CHECKING:
    import pandas as pd

USUAL_SHOTS = (1, 2, 4, 8, 16)
MOST_MARKED = 32  # rows a class of a support set that a file marks; more are rows to draw from
USUAL_DRAWS = 10
"""Draws in the paper's protocol."""


@dataclass(frozen=True, eq=False)
class FewShotDataset:
    """Labelled examples, and how support sets are drawn from them.

    Parameters
    ----------
    name, title
        A short id (``"airline"``) and what people read (``"Airline tweets"``).
    examples
        The n inputs.
    labels
        (n,) the class name of each row.
    classes
        The K class names, sorted: the class order used everywhere. By default those of the labels,
        which they have to be.
    default_encoder
        Name of the encoder to begin with (see ``slp_core.list_encoders``), by default
        ``"minilm-l4"``, or ``"numeric"`` for numbers.
    card
        Markdown: what the data are, how they were made, how to read mistakes on them.
    warnings
        What is odd in the data but no error: sentences, in Markdown.
    feature_names
        The d names of numeric features; empty for texts.
    support_pool, query_pool
        Row indices that support sets are drawn from, and that are always the query set. ``None``
        (the default for both) draws from every row and takes the rest as the query set.
    own_draws
        Support rows that come with the data, by ``(shots, draw)``, which may repeat; an empty array
        stands for a draw that was published empty. One without a row of each class cannot be drawn
        either: classes are told apart by their place in `classes`. Needs `query_pool`.
    read_as
        Of a dataset from a file: ``filename``, and whatever else :func:`read_dataset` has to be
        told to read the same from it again.
    file_rows, file_unit
        (n,) where each row stands in its file, ascending, and what is counted there: ``"row"``,
        ``"line"`` or ``"entry"``. ``None`` where rows are known by their indices alone.
    predicted
        (n,) what the file says that some classifier predicted, as indices into `classes`; −1 where
        it says nothing. ``None`` where the file holds no predictions.
    made
        Class names in the order in which they were made, by which they are coloured, so that a new
        class changes no colour; by default they are coloured as sorted.

    Raises
    ------
    ValueError
        When the parts differ in length, the classes are not those of the labels, a feature is not
        finite, or a pool or a draw names what is no row, a row twice, or one of the query pool.

    Examples
    --------
    >>> import slp_core as slp
    >>> dataset = slp.load_dataset("iris")
    >>> dataset.classes, len(dataset), dataset.kind
    (('setosa', 'versicolor', 'virginica'), 150, 'numeric')
    """

    name: str
    title: str
    examples: Examples
    labels: NDArray[np.str_]
    classes: tuple[str, ...] = ()
    default_encoder: str = ""
    card: str = ""
    warnings: tuple[str, ...] = ()
    feature_names: tuple[str, ...] = ()
    support_pool: NDArray[np.int64] | None = None
    query_pool: NDArray[np.int64] | None = None
    own_draws: Mapping[tuple[int, int], NDArray[np.int64]] | None = None
    read_as: Mapping[str, Any] | None = None
    file_rows: NDArray[np.int64] | None = None
    file_unit: str = "row"
    predicted: NDArray[np.int64] | None = None
    made: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", frozen_array(self.labels, np.str_, ndim=1))
        there = sorted(set(self.labels.tolist()))
        object.__setattr__(self, "classes", self.classes or there)
        usual = "numeric" if self.kind == "numeric" else "minilm-l4"
        object.__setattr__(self, "default_encoder", self.default_encoder or usual)
        for part in ("classes", "warnings", "feature_names"):
            object.__setattr__(self, part, tuple(getattr(self, part)))
        if len(self.labels) != len(self.examples):
            raise ValueError(f"{len(self.examples)} examples but {len(self.labels)} labels")
        if list(self.classes) != there:
            raise ValueError("classes are not those of the labels, sorted: leave them out")
        self._check_finite()
        self._freeze_rows()

    def _check_finite(self) -> None:
        # Not of Examples: what is typed or encoded alone is refused by the encoder, in its words.
        features = self.examples.features
        if features is None or np.isfinite(features).all():
            return
        row, column = np.argwhere(~np.isfinite(features))[0].tolist()
        name = repr(self.feature_names[column]) if self.feature_names else str(column)
        raise ValueError(
            f"feature {name} of row {row} is {features[row, column]}: put a number there or leave "
            "the row out"
        )

    def _freeze_rows(self) -> None:
        """Check the pools and the dataset's own draws, and keep copies of them."""
        n, draws, learnt = len(self), dict(self.own_draws or {}), {}
        for pool in ("query_pool", "support_pool"):
            if (rows := getattr(self, pool)) is not None:
                learnt[pool] = _row_numbers(rows, pool, n)
                object.__setattr__(self, pool, learnt[pool])
        for key, rows in draws.items():
            what = f"own_draws[{key}]"
            draws[key] = learnt[what] = _row_numbers(rows, what, n, may_repeat=True)
        if self.own_draws is not None:
            object.__setattr__(self, "own_draws", draws)
        query = learnt.pop("query_pool", None)
        if (query is None) != (self.support_pool is None and self.own_draws is None):
            raise ValueError(
                "query_pool needs support_pool or own_draws, and either of them needs query_pool"
            )
        for what, rows in learnt.items():
            if query is not None and len(shared := np.intersect1d(rows, query)):
                raise ValueError(
                    f"{what} and query_pool share row {shared[0]}: leave it out of one of them"
                )

    def __len__(self) -> int:
        return len(self.examples)

    @property
    def kind(self) -> Kind:
        """What the inputs are: ``"text"``, ``"pair"``, ``"span"`` or ``"numeric"``."""
        return self.examples.kind

    @cached_property
    def y(self) -> NDArray[np.int64]:
        """(n,) the class of each row as an index into `classes`."""
        position = {name: k for k, name in enumerate(self.classes)}
        return frozen_array([position[label] for label in self.labels.tolist()], np.int64, ndim=1)

    @property
    def counts(self) -> dict[str, int]:
        """Rows of each class, in class order."""
        counts = np.bincount(self.y, minlength=len(self.classes)).tolist()
        return dict(zip(self.classes, counts, strict=True))

    @cached_property
    def language(self) -> Language:
        """The language of the texts."""
        return language_of(self.examples.texts or ())

    @cached_property
    def digest(self) -> str:
        """Hex digest (BLAKE2b, 128 bits) of inputs, labels, classes and the way of drawing."""
        digest = hashlib.blake2b(self.examples.digest.encode(), digest_size=16)
        digest_strings(digest, self.classes)
        digest.update(self.y.astype("<i8", copy=False).tobytes())
        for rows in (self.support_pool, self.query_pool):
            digest.update(b"all" if rows is None else rows.astype("<i8", copy=False).tobytes())
        for key in sorted(self.own_draws or {}):
            assert self.own_draws is not None
            rows = np.concatenate([key, self.own_draws[key]])
            digest.update(rows.astype("<i8").tobytes())
        return digest.hexdigest()

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """(n,) the displayed number of each row: its place in the file, or else its index."""
        return np.arange(len(self)) if self.file_rows is None else self.file_rows

    def index_of(self, number: int, before: int | None = None) -> int:
        """The row of a number, or where it was left out the next, away from row `before`."""
        at = int(np.searchsorted(self.numbers, number))
        left_out = bool(self.numbers[at] != number)
        return at - 1 if left_out and before is not None and at <= before else at

    def called(self, index: int) -> str:
        """The displayed name of a row: ``example 7``, or ``example in row 9`` of a file."""
        where = "" if self.file_rows is None else f"in {self.file_unit} "
        return f"example {where}{self.numbers[index]}"

    def numbered(self, table: pd.DataFrame) -> pd.DataFrame:
        """A table whose columns ``row`` and ``id`` hold indices, with :attr:`numbers` there."""
        if self.file_rows is None:
            return table
        there = table[[name for name in ("row", "id") if name in table.columns]]
        called = dict(enumerate(self.numbers.tolist()))
        numbers = there.map(lambda row: called.get(row, row), na_action="ignore")
        return table.assign(**numbers.astype(there.dtypes))

    def describe(self, index: int) -> str:
        """One readable line about row `index` (see `Examples.describe`)."""
        return self.examples.describe(index, self.feature_names)

    @cached_property
    def n_bytes(self) -> int:
        """The approximate memory of the examples."""
        numbers = 0 if self.examples.features is None else self.examples.features.nbytes
        texts = (*(self.examples.texts or ()), *(self.examples.pairs or ()))
        return numbers + self.labels.nbytes + sum(map(getsizeof, texts))

    @cached_property
    def max_shots(self) -> int:
        """The most shots that any class can give; a smaller class gives all of its rows.

        Without a query pool, the largest class keeps a row to be tested on.
        """
        if self.own_draws is not None:
            return max(self.shots_available, default=0)
        largest = max(len(self._pool_rows(k)) for k in range(len(self.classes)))
        return largest - (self.support_pool is None)

    @property
    def shots_available(self) -> tuple[int, ...]:
        """Sensible choices of shots, ascending.

        Those that came with the data, or 1, 2, 4, 8, 16 as far as the largest class allows, and
        `marked_shots`.
        """
        if self.own_draws is not None:
            return tuple(sorted({shots for shots, _ in self._whole_draws}))
        usual = {shots for shots in USUAL_SHOTS if shots <= self.max_shots}
        return tuple(sorted(usual | ({self.marked_shots} - {0})))

    @property
    def opening_shots(self) -> int:
        """Shots to begin with: `marked_shots`, or the most that leave most classes to be tested."""
        most = USUAL_SHOTS[-1]
        if self.query_pool is None:  # a class that gives all of its rows has none to be tested on
            most = min(most, sorted(self.counts.values())[(len(self.classes) - 1) // 2] - 1)
        available = self.shots_available
        usual = max((shots for shots in available if shots <= most), default=available[0])
        return self.marked_shots or usual

    @cached_property
    def marked_shots(self) -> int:
        """The number of shots that takes the whole support set marked in the data."""
        if self.own_draws is not None or self.support_pool is None:
            return 0
        marked = np.unique(self.y[self.support_pool], return_counts=True)[1]
        most = int(marked.max(initial=0))
        return most if marked.min() == most <= MOST_MARKED else 0

    @property
    def n_draws(self) -> int:
        """How many draws an evaluation repeats over: 10, or the number that came with the data."""
        if self.own_draws is None:
            return USUAL_DRAWS
        return 1 + max((draw for _, draw in self.own_draws), default=-1)

    def available_draws(self, shots: int) -> tuple[int, ...]:
        """The draws below `n_draws` that `draw` can make with this many shots, ascending.

        Of random draws that choose the same support set, as those from a handful of rows do, only
        the first: what is averaged over draws is to count each of them once.
        """
        if self.own_draws is not None:
            return tuple(sorted(draw for k, draw in self._whole_draws if k == shots))
        if not 1 <= shots <= self.max_shots:
            return ()
        if shots not in self._distinct_draws:
            first: dict[bytes, int] = {}
            for draw in range(self.n_draws):
                rows = np.sort(self._random_support(shots, draw))
                first.setdefault(rows.tobytes(), draw)
            self._distinct_draws[shots] = tuple(first.values())
        return self._distinct_draws[shots]

    def repeated_draws(self, shots: int) -> str:
        """The remark that random draws with the same rows as another are left out; or ""."""
        n = len(self.available_draws(shots))
        if self.own_draws is not None or n in (0, self.n_draws):
            return ""
        return remarks.repeated_draws(n, self.n_draws)

    @cached_property
    def _distinct_draws(self) -> dict[int, tuple[int, ...]]:
        return {}

    def size_text(self) -> str:
        """Rows, classes and support sets as a sentence."""
        sets = {shots: len(self.available_draws(shots)) for shots in self.shots_available}
        return remarks.size(len(self), len(self.classes), sets)

    def counts_text(self) -> str:
        """How many examples each class has as a sentence; of many classes the first."""
        return remarks.class_counts(self.classes, self.counts)

    def draw(self, shots: int, draw: int) -> Episode:
        """Choose a support set of `shots` rows a class; the query set is what it is judged on.

        The choice depends on the labels, `shots` and `draw` only. Support and query rows are
        disjoint, and the support set of a draw is contained in that of the same draw with more
        shots (unless the draws came with the data).

        Parameters
        ----------
        shots
            Support rows a class, from 1 to `max_shots`; a smaller class gives all of its rows, and
            without a query pool is then not among the query rows.
        draw
            Number of the draw, from 0.

        Raises
        ------
        DatasetError
            When no class has that many rows, or the draw did not come with the data.
        """
        shots, draw = operator.index(shots), operator.index(draw)
        if shots < 1:
            raise DatasetError(f"Shots per class are counted from 1: {shots} is too few.")
        if draw < 0:
            raise DatasetError(f"Draws are counted from 0: there is no draw {draw}.")
        if self.own_draws is None:
            support = self._random_support(shots, draw)
        else:
            support = self._own_support(shots, draw)
        query = self.query_pool
        if query is None:
            query = np.delete(np.arange(len(self)), support)
        return Episode(
            dataset=self,
            shots=shots,
            draw=draw,
            support=support,
            query=query,
            warnings=(*self._uneven(support, shots), *self._of_query(support, query)),
        )

    def _random_support(self, shots: int, draw: int) -> NDArray[np.int64]:
        if shots > self.max_shots:
            raise DatasetError(
                f"No class of {self.name} has rows for {shots} shots: ask for at most "
                f"{self.max_shots} or add rows."
            )
        # Sorting uniform keys, rather than Generator.permutation, keeps a draw the same under every
        # NumPy: only the bit stream is promised. A prefix of the order nests over shots.
        pools = [self._pool_rows(k) for k in range(len(self.classes))]
        keys = [np.random.default_rng([draw, k]).random(len(pool)) for k, pool in enumerate(pools)]
        orders = [each.argsort(kind="stable")[:shots] for each in keys]
        return np.concatenate([pool[order] for pool, order in zip(pools, orders, strict=True)])

    def _pool_rows(self, k: int) -> NDArray[np.int64]:
        """Of class k, those that a random draw may learn from."""
        pool = self.support_pool
        return np.flatnonzero(self.y == k) if pool is None else pool[self.y[pool] == k]

    @cached_property
    def _whole_draws(self) -> tuple[tuple[int, int], ...]:
        """Of the draws that came with the data, those that lack no class."""
        own = self.own_draws or {}
        return tuple(key for key, rows in own.items() if not self._lacking(rows))

    def _lacking(self, support: NDArray[np.int64]) -> list[str]:
        there = set(self.y[support].tolist())
        return [name for k, name in enumerate(self.classes) if k not in there]

    def _own_support(self, shots: int, draw: int) -> NDArray[np.int64]:
        assert self.own_draws is not None
        support = self.own_draws.get((shots, draw))
        state = "does not exist"
        if support is not None:
            lacking = self._lacking(support)
            if not lacking:
                return support[self.y[support].argsort(kind="stable")]
            state = f"has no row of class {listed([repr(name) for name in lacking], 1)}"
        instead = "no draw of it has a row of each class"
        if self.shots_available:
            instead = f"it has draws with {', '.join(map(str, self.shots_available))} shots"
        if there := self.available_draws(shots):
            instead = f"the draws with {shots} shots are {', '.join(map(str, there))}"
        raise DatasetError(f"Draw {draw} of {self.name} with {shots} shots {state}: {instead}.")

    def _uneven(self, support: NDArray[np.int64], shots: int) -> Iterator[str]:
        counts, names = np.bincount(self.y[support], minlength=len(self.classes)), self.classes
        odd = {
            name: int(n) for name, n in zip(class_names(names), counts, strict=True) if n != shots
        }
        if odd:
            yield remarks.uneven_support(shots, odd)

    def _of_query(self, support: NDArray[np.int64], query: NDArray[np.int64]) -> Iterator[str]:
        """Classes that a query set lacks, unless it is empty, and what it shares with the shots."""
        there, ids = set(self.y[query].tolist()), self.examples.content_ids
        lacking = [name for name in class_names(self.classes) if name.place not in there]
        if lacking and len(query):
            yield remarks.untested(lacking)
        if n := int(np.isin(ids[query], ids[support]).sum()):
            yield remarks.repeated_support(n)


@dataclass(frozen=True, eq=False)
class Episode:
    """One draw: the rows to fit on and the rows to test on.

    Parameters
    ----------
    dataset, shots, draw
        What was drawn from, and which draw this is.
    support
        Row indices into ``dataset.examples``, class by class in class order: `shots` of each, or as
        many as it has.
    query
        (m,) row indices, ascending, none of them in `support`.
    warnings
        What is odd in this draw, such as query rows that repeat a support row: sentences.
    edits
        How it differs from the draw (see :meth:`edited`).
    drawn
        The draw itself, where this is an edited one.

    Examples
    --------
    >>> import slp_core as slp
    >>> episode = slp.load_dataset("iris").draw(shots=4, draw=0)
    >>> len(episode.support), len(episode.query)
    (12, 138)
    """

    dataset: FewShotDataset
    shots: int
    draw: int
    support: NDArray[np.int64]
    query: NDArray[np.int64]
    warnings: tuple[str, ...] = ()
    edits: Edits = NONE
    drawn: Episode | None = None

    def __post_init__(self) -> None:
        for part in ("support", "query"):
            object.__setattr__(self, part, frozen_array(getattr(self, part), np.int64, ndim=1))

    def edited(
        self,
        remove: Iterable[int] = (),
        add: Iterable[int] = (),
        relabel: Mapping[int, str] | None = None,
    ) -> Episode:
        """The episode with some of its shots removed, added or relabelled.

        Edits add up, and those that undo each other leave the draw as it was. Classes may then
        have unequal shots.

        Parameters
        ----------
        remove
            Shots, as row numbers of the dataset, that join the query set.
        add
            Rows of the dataset that become shots and leave the query set.
        relabel
            The class that a shot is given, by its row number: `y_support` has it, while
            ``dataset.y`` keeps the true label.

        Returns
        -------
        Episode
            Its `edits` are the differences from the draw, and its shots are in the draw's order
            with added ones, ascending, at the end of each class.

        Raises
        ------
        DatasetError
            A row is no shot, is one already, or does not exist, a class does not, or one would
            lose its last shot.

        Examples
        --------
        >>> import slp_core as slp
        >>> episode = slp.load_dataset("airline").draw(shots=4, draw=0)
        >>> first = int(episode.support[0])
        >>> edited = episode.edited(remove=[first])
        >>> len(edited.support), first in edited.query
        (11, True)
        """
        drawn, dataset, y = self.drawn or self, self.dataset, self.dataset.y
        shots = dict(zip(self.support.tolist(), self.y_support.tolist(), strict=True))
        classes = set(shots.values())
        for row in map(operator.index, remove):
            _check_shot(row, shots)
            del shots[row]
        for row in map(operator.index, add):
            if not 0 <= row < len(dataset):
                raise DatasetError(
                    f"Row {row} cannot be added: the rows of {dataset.name} are 0 to "
                    f"{len(dataset) - 1}."
                )
            if row in shots:
                raise DatasetError(f"Row {row} is a shot already: add another one.")
            shots[row] = int(y[row])
        for row, name in (relabel or {}).items():
            _check_shot(row, shots)
            if name not in dataset.classes:
                raise DatasetError(
                    f"Row {row} cannot be given the label {name!r}: choose one of the classes of "
                    f"{dataset.name}."
                )
            shots[operator.index(row)] = dataset.classes.index(name)
        if lost := sorted(classes - set(shots.values())):
            raise DatasetError(
                f"Class {dataset.classes[lost[0]]!r} would lose its last shot: add one to it first."
            )
        of_draw = set(drawn.support.tolist())
        edits = Edits(
            tuple(sorted(of_draw - shots.keys())),
            tuple(sorted(shots.keys() - of_draw)),
            tuple((row, k) for row, k in sorted(shots.items()) if k != y[row]),
        )
        if not edits:
            return drawn
        kept = drawn.support[~np.isin(drawn.support, edits.removed)]
        support = np.append(kept, edits.added).astype(np.int64)
        support = support[edits.labels(y, support).argsort(kind="stable")]
        query = np.setdiff1d(np.append(drawn.query, edits.removed), edits.added).astype(np.int64)
        return replace(
            drawn,
            support=support,
            query=query,
            warnings=tuple(dataset._of_query(support, query)),
            edits=edits,
            drawn=drawn,
        )

    def with_edits(self, edits: Edits) -> Episode:
        """A draw with these edits; DatasetError where they do not fit it."""
        names = self.dataset.classes
        for row, k in edits.relabelled:
            if k >= len(names):
                raise DatasetError(f"Row {row} cannot be relabelled: class {k} does not exist.")
        relabel = {row: names[k] for row, k in edits.relabelled}
        return self.edited(edits.removed, edits.added, relabel)

    def place_of(self, row: int) -> int | None:
        """Where a row of the dataset stands among the query rows; None where it is none."""
        places = np.flatnonzero(self.query == row)
        return int(places[0]) if len(places) else None

    @property
    def y_support(self) -> NDArray[np.int64]:
        """Class given to each support row as an index into ``dataset.classes``."""
        return self.edits.labels(self.dataset.y, self.support)

    @property
    def labels(self) -> NDArray[np.str_]:
        """(n,) class name of each row of the dataset, with those that shots are given."""
        y = self.edits.labels(self.dataset.y, np.arange(len(self.dataset)))
        return np.array(self.dataset.classes)[y]

    @property
    def y_query(self) -> NDArray[np.int64]:
        """Class of each query row as an index into ``dataset.classes``."""
        return self.dataset.y[self.query]


def _check_shot(row: int, shots: Mapping[int, int]) -> None:
    if row not in shots:
        raise DatasetError(f"Row {row} is no shot of this support set: name one of its rows.")


def _row_numbers(
    rows: ArrayLike, what: str, n: int, *, may_repeat: bool = False
) -> NDArray[np.int64]:
    """Rows among n: in order, or if they may repeat as given."""
    given = np.asarray(rows)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise ValueError(
            f"{what} must be a list of row numbers, which are whole: of a mask give "
            "np.flatnonzero(mask)"
        )
    outside = given[(given < 0) | (given >= n)]
    if len(outside):
        raise ValueError(f"{what} names row {outside[0]}, but the rows are 0 to {n - 1}")
    if not may_repeat:
        given, times = np.unique(given, return_counts=True)
        if (times > 1).any():
            raise ValueError(f"{what} names row {given[times > 1][0]} twice: name each row once")
    return frozen_array(given, np.int64, ndim=1)
