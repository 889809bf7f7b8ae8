"""Discovery: rare events in hours of rows that nobody has named, found with few questions."""
from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _core
from ._base import Estimator
from ._check import array_of, column_names, names_in
from ._errors import fail
from ._options import options_of, with_options
from ._page import Bars, Told
from ._votes import is_missing
from .audio import Features

Self = TypeVar("Self", bound="Discovery")


class Question(NamedTuple):
    """A row to be looked at; the component of the model that finds it odd, or -1."""

    row: int
    component: int


class Guarantee(NamedTuple):
    """How far the search is: when complete, every run of 2 exclusion + 1 rows holds an answered row."""

    exclusion: int
    most_requests: int
    answered: int
    covered: float
    complete: bool


class Segment(NamedTuple):
    """A stretch of rows of one class, in seconds, or in rows where rows have no time."""

    sequence: int
    begin: float
    end: float
    label: str
    probability: float


@with_options(options_of(_core.discover_start_options()))
class Discovery(Estimator):
    """A search for rare events: it asks what a row is, as seldom as possible, and says when nothing is left to be found.

    docs/discover.md has the strategies.

    <parameters>

    Attributes
    ----------
    guarantee_ : Guarantee
        How far the search is.
    answers_ : dict
        What was answered by row: a class, False for nothing (the background), None for not sure.
    n_features_in_ : int

    Examples
    --------
    >>> rows = motet.datasets.load_events()
    >>> search = Discovery().start(rows.data)
    >>> for _ in range(20):
    ...     for question in search.next():
    ...         search = search.answer(question.row, rows.target[question.row])
    >>> sorted(set(search.answers_.values())) == sorted(set(rows.target))
    True
    """

    model_: Any
    guarantee_: Guarantee
    answers_: dict[int, Any]
    n_features_in_: int
    feature_names_in_: Any

    def start(self: Self, X: Any, lengths: Any = None, hop: float = 0.0, window: float = 0.0) -> Self:
        """Begins a search.

        Parameters
        ----------
        X : array or DataFrame of shape (n_rows, n_features), or Features
            Rows in the order of time; what `motet.audio.features` gives brings its columns, hop and window along.
        lengths : sequence of int, optional
            How many rows each sequence has; else all rows are one.
        hop, window : float
            Seconds from a row to the next, and that a row covers; 0: rows have no time.

        Returns
        -------
        self
        """
        self._forget()
        self._take_rows(X, lengths, hop, window)
        self.model_ = self._call(_core.Session.start, *self._rows, self._given())
        self.answers_ = {}
        self._history: list[tuple[bytes, dict[int, Any]]] = []
        return self

    def _take_rows(self, X: Any, lengths: Any, hop: float, window: float) -> None:
        from .temporal import sequences_of

        names, values = names_in(X), array_of(X.data if isinstance(X, Features) else X)
        if isinstance(X, Features):
            names, hop, window = np.array(X.columns, object), X.hop, X.window
        if hop < 0 or window < 0:
            raise fail("hop: seconds are not below 0", "hop")
        self.n_features_in_ = values.shape[1]
        if names is not None:
            self.feature_names_in_ = names
        self._rows = (values, column_names(names, values.shape[1]), sequences_of(lengths, len(values)), float(hop), float(window))

    def next(self) -> list[Question]:
        """The rows to be looked at now, best first; empty: nothing is left to ask."""
        return [Question(*one) for one in self._fitted().next()]

    def answer(self: Self, row: int, label: Any) -> Self:
        """Says what a row is: the name of a class. Any row may be answered; a later answer replaces the earlier."""
        if is_missing(label) or isinstance(label, bool):
            raise fail(f"label: {label!r} is not the name of a class; see nothing() and not_sure()", "label", "usage")
        return self._answer(row, "class", str(label), label)

    def nothing(self: Self, row: int) -> Self:
        """Says that there is nothing in a row: the background."""
        return self._answer(row, "nothing", "", False)

    def not_sure(self: Self, row: int) -> Self:
        """Says that one cannot say."""
        return self._answer(row, "not_sure", "", None)

    def _answer(self: Self, row: int, kind: str, label: str, told: Any) -> Self:
        session = self._fitted()
        if isinstance(row, bool) or not isinstance(row, (int, np.integer)) or not 0 <= row < len(self._rows[0]):
            raise fail(f"row: {row!r} is not a row from 0 to {len(self._rows[0]) - 1}", "row", "usage")
        before = (bytes(session.bytes()), dict(self.answers_))
        self._call(session.answer, int(row), kind, label)
        self._history.append(before)
        self.answers_[int(row)] = told
        return self

    def undo(self: Self) -> Self:
        """Takes back the last answer."""
        self._fitted()
        if not self._history:
            raise fail("undo: nothing was answered", "undo", "usage")
        kept, self.answers_ = self._history.pop()
        self.model_ = _core.Session.of_bytes(kept, *self._rows)
        return self

    @property
    def guarantee_(self) -> Guarantee:  # type: ignore[no-redef]
        return Guarantee(**self._fitted().certificate())

    def export(self, merge_gap: float = 0.0, minimum_length: float = 0.0) -> list[Segment]:
        """The stretches of rows of each class, as the answers and the model say.

        Parameters
        ----------
        merge_gap, minimum_length : float
            Gaps up to this between segments of a class are closed, and shorter segments without an answer left out.
        """
        return [Segment(*one) for one in self._call(self._fitted().segments, merge_gap, minimum_length)]

    def run(self: Self, oracle: Callable[[int], Any], most: int | None = None) -> Self:
        """Asks until nothing is left to ask, or `most` answers are there: oracle(row) is a class, False for nothing or
        None for not sure."""
        asked = 0
        while most is None or asked < most:
            questions = self.next()
            if not questions:
                break
            for question in questions[:None if most is None else most - asked]:
                told = oracle(question.row)
                if told is None:
                    self.not_sure(question.row)
                elif told is False:
                    self.nothing(question.row)
                else:
                    self.answer(question.row, told)
                asked += 1
        return self

    def _told(self) -> Told:
        guarantee = self.guarantee_
        names = ["nothing" if told is False else "not sure" if told is None else str(told) for told in self.answers_.values()]
        counts = {name: names.count(name) for name in dict.fromkeys(names)}
        lines = [f"{guarantee.answered} rows answered of {len(self._rows[0])}; {100 * guarantee.covered:.0f} % are covered",
                 "complete: nothing is left to ask" if guarantee.complete else f"at most {guarantee.most_requests} questions in all"]
        return Told(lines, [Bars("Answers", "rows", list(counts), [float(count) for count in counts.values()])])

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        if self.__dict__.get("model_") is not None:
            state["model_"] = bytes(self.model_.bytes())
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if isinstance(state.get("model_"), bytes):
            self.model_ = _core.Session.of_bytes(state["model_"], *self._rows)

    def __copy__(self: Self) -> Self:
        return copy.deepcopy(self)

    def save(self, path: Any) -> None:
        """Writes the search, without the rows."""
        with open(path, "wb") as file:
            file.write(self._fitted().bytes())

    def resume(self: Self, path: Any, X: Any, lengths: Any = None, hop: float = 0.0, window: float = 0.0) -> Self:
        """Goes on with a search that `save` wrote, on the same rows. What was answered is in it; what can be undone is not."""
        self._forget()
        self._take_rows(X, lengths, hop, window)
        with open(path, "rb") as file:
            self.model_ = _core.Session.of_bytes(file.read(), *self._rows)
        self.answers_, self._history = {}, []
        return self


def simulate(X: Any, truth: Iterable[Any], background: Any = None, most: int | None = None, **options: Any) -> dict[str, Any]:
    """Plays a search through on rows whose classes are known.

    Parameters
    ----------
    X : array or DataFrame of shape (n_rows, n_features)
    truth : sequence
        The class of each row.
    background : optional
        The class that is answered as nothing; else the most frequent one.
    most : int, optional
        Questions at most; else as many as there are.
    **options
        Of `Discovery`.

    Returns
    -------
    dict
        found: the question that found each class, by class; questions: how many were asked; search: the `Discovery`.
    """
    truth = list(truth)
    if background is None:
        names, counts = np.unique(np.asarray(truth, object).astype(str), return_counts=True)
        background = names[counts.argmax()]
    search = Discovery(**options).start(X)
    if len(truth) != len(search._rows[0]):
        raise fail(f"truth: {len(truth)} entries for {len(search._rows[0])} rows of X", "truth")
    wanted = {str(label) for label in truth} - {str(background)}
    found: dict[str, int] = {}
    asked = 0
    while wanted - set(found) and (most is None or asked < most):
        questions = search.next()
        if not questions:
            break
        for question in questions[:None if most is None else most - asked]:
            label = str(truth[question.row])
            asked += 1
            if label == str(background):
                search.nothing(question.row)
            else:
                found.setdefault(label, asked)
                search.answer(question.row, label)
    return {"found": found, "questions": asked, "search": search}


__all__ = ["Discovery", "Guarantee", "Question", "Segment", "simulate"]
