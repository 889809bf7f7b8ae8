"""MultiLabelClassifier: items made by several sources at once."""
from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _core
from ._base import Estimator
from ._check import check_length, class_labels, features_at_fit, features_at_use, is_sparse, plain, take_columns
from ._errors import fail
from ._options import options_of, with_options
from ._page import Bars, Told, summary_line, texts
from ._votes import is_frame

Self = TypeVar("Self", bound="MultiLabelClassifier")


class Emissions(NamedTuple):
    """One entry per item and source: the number of the item, the label of the source, and by column the expected emission and its
    standard deviation."""

    item: Any
    source: Any
    mean: Any
    deviation: Any
    columns: list[str]


def is_indicator(y: Any) -> bool:
    if is_sparse(y) or is_frame(y):
        return True
    return isinstance(y, np.ndarray) and y.ndim == 2 and y.shape[1] > 1


def is_list_of_sets(y: Any) -> bool:
    return (isinstance(y, (list, tuple)) or hasattr(y, "dtype") and y.dtype == object and y.ndim == 1) and len(y) > 0 and all(
        isinstance(one, (set, frozenset, list, tuple)) for one in y)


def is_list_of_rows(y: Any) -> bool:
    """Rows of 0 and 1, two or more in each, and as many: a table that is no array yet."""
    return isinstance(y, (list, tuple)) and len(y) > 0 and all(
        isinstance(row, (list, tuple, np.ndarray)) and len(row) == len(y[0]) > 1 for row in y) and bool(
            np.isin(np.asarray(y, object), (0, 1)).all())


def ordered(labels: Iterable[Any]) -> list[Any]:
    try:
        return sorted(labels)
    except TypeError:
        return sorted(labels, key=str)


def indicator(y: Any, name: str = "y") -> Any:
    """True and False, from an array, a sparse matrix or a frame of 0 and 1."""
    y = y.toarray() if is_sparse(y) else np.asarray(y)
    if y.ndim != 2:
        raise fail(f"{name}: a table of labels has two dimensions; this one has {y.ndim}", name)
    if y.dtype == bool:
        return y
    try:
        is_set = y.astype(float)
    except (TypeError, ValueError):
        raise fail(f"{name}: a table of labels has 0 and 1, not {y.ravel()[0]!r}", name) from None
    if not np.isin(is_set, (0.0, 1.0)).all():
        odd = is_set[~np.isin(is_set, (0.0, 1.0))][0]
        raise fail(f"{name}: a table of labels has 0 and 1, not {odd:g}", name)
    return is_set > 0


def sets_of(table: Any) -> tuple[Any, Any]:
    """The rows of a table of True and False as (numbers, starts)."""
    rows, numbers = np.nonzero(table)
    starts = np.zeros(len(table) + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=len(table)), out=starts[1:])
    return numbers.astype(np.int64), starts


def table_of(numbers: Any, starts: Any, count: int) -> Any:
    table = np.zeros((len(starts) - 1, count), bool)
    table[np.repeat(np.arange(len(starts) - 1), np.diff(starts)), numbers] = True
    return table


@with_options(options_of(_core.multilabel_train_options()))
class MultiLabelClassifier(Estimator):
    """The labels of items that several sources made together, and what each source is like by itself.

    docs/multilabel.md has the models.

    <parameters>

    Attributes
    ----------
    classes_ : ndarray
        The labels.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Where X was a data frame whose columns are named by texts.
    n_label_sets_ : int
        Different sets of labels among the items.
    log_likelihood_ : float or None
    converged_ : bool
    n_iter_ : int
    warnings_ : list of str

    Examples
    --------
    >>> X = [[0.1], [0.0], [2.1], [1.9], [5.0], [5.1], [7.1], [6.9]]
    >>> y = [[], [], ["low"], ["low"], ["high"], ["high"], ["low", "high"], ["low", "high"]]
    >>> sorted(MultiLabelClassifier(background=True, no_calibration=True).fit(X, y).predict([[7.0]])[0])
    ['high', 'low']
    """

    _model_class = _core.MultilabelModel
    _estimator_type = "classifier"

    model_: Any
    classes_: Any
    n_features_in_: int
    feature_names_in_: Any
    n_label_sets_: int
    log_likelihood_: float | None
    converged_: bool
    n_iter_: int
    warnings_: list[str]

    def fit(self: Self, X: Any, y: Any) -> Self:
        """Learns the sources.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (n_items, n_features)
        y : array, sparse matrix or DataFrame of shape (n_items, n_labels), or list of sets
            Which labels each item has: a table of 0 and 1, or a set of labels for each item. One label for each item
            does as well, and `predict` then returns one label for each.

        Returns
        -------
        self
        """
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        self._forget()
        values, columns = features_at_fit(self, X, least=2)
        y = np.asarray(y) if is_list_of_rows(y) else plain(y)
        check_length(values, y if not is_sparse(y) else range(y.shape[0]))
        self._form = "table"
        if is_list_of_sets(y):
            self._form = "sets"
            classes = ordered({label for one in y for label in one})
            place = {label: number for number, label in enumerate(classes)}
            table = np.zeros((len(y), len(classes)), bool)
            for row, one in enumerate(y):
                table[row, [place[label] for label in one]] = True
            labels = np.array(classes, object)
        elif is_indicator(y):
            table = indicator(y)
            labels = np.asarray(y.columns) if is_frame(y) else np.arange(table.shape[1])
        else:
            self._form = "one"
            labels, numbers = class_labels(y)
            table = np.arange(len(labels)) == numbers[:, None]
        names = [str(label) for label in labels]
        if len(set(names)) < len(names):
            raise fail("y: two labels are written alike", "y")
        found = self._call(_core.multilabel_train, values, columns, names, *sets_of(table), self._given())
        self.classes_ = labels
        self.n_label_sets_, self.log_likelihood_ = found["label_sets"], found["log_likelihood"]
        self._counts = table.mean(axis=0)
        self._take_fit(found, found["warnings"])
        return self

    def _decided(self, X: Any, options: dict[str, Any]) -> dict[str, Any]:
        return self._answered(_core.multilabel_predict, X, options)

    def predict(self, X: Any, **options: Any) -> Any:
        """The labels of new items.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (n_items, n_features)
        **options
            Of the decision: `predict_options` lists them.

        Returns
        -------
        ndarray
            Of 0 and 1, of shape (n_items, n_labels); sets where `fit` was given sets; one label per item where it was
            given one for each.
        """
        numbers, starts = self._decided(X, options)["sets"]
        if self._form == "sets":
            result = np.empty(len(starts) - 1, object)
            for row in range(len(result)):
                result[row] = set(self.classes_[numbers[starts[row]:starts[row + 1]]].tolist())
            return result
        table = table_of(numbers, starts, len(self.classes_))
        return self.classes_[table.argmax(axis=1)] if self._form == "one" else table.astype(int)

    def predict_proba(self, X: Any, **options: Any) -> Any:
        """The probability of each label for each item; of one label per item, they sum to 1."""
        shares = self._decided(X, options)["marginal"]
        return shares / shares.sum(axis=1, keepdims=True) if self._form == "one" else shares

    def decide(self, X: Any, **options: Any) -> dict[str, Any]:
        """All that is told of new items: sets, their probability, log_likelihood, marginal, outlier, rejected."""
        found = self._decided(X, options)
        found["sets"] = table_of(*found["sets"], len(self.classes_)).astype(int)
        return found

    def separate(self, X: Any, y: Any = None) -> Emissions:
        """What each source of an item is expected to have emitted.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (n_items, n_features)
        y : as in `fit`, optional
            The labels of the items; else those that are predicted.
        """
        model = self._fitted()
        values, columns = features_at_use(self, X)
        if y is None:
            numbers, starts = self._decided(X, {})["sets"]
        else:
            numbers, starts = sets_of(self._table(y, len(values)))
        names = [str(label) for label in self.classes_]
        item, source, mean, deviation, columns, sources = self._call(_core.multilabel_separate, model, values, columns, names,
                                                                     numbers, starts)
        label_of = dict(zip(names, self.classes_))
        named = np.empty(len(sources), object)
        named[:] = [label_of.get(name, name) for name in sources]
        return Emissions(item, named[source], mean, deviation, columns)

    def _table(self, y: Any, rows: int) -> Any:
        """Labels in the form that `fit` was given, as a table of True and False."""
        y = np.asarray(y) if is_list_of_rows(y) else plain(y)
        check_length(range(rows), y if not is_sparse(y) else range(y.shape[0]))
        if self._form == "table":
            table = indicator(y)
            if table.shape[1] != len(self.classes_):
                raise fail(f"y: {table.shape[1]} columns for {len(self.classes_)} labels", "y")
            return table
        place = {label: number for number, label in enumerate(self.classes_.tolist())}
        table = np.zeros((rows, len(place)), bool)
        for row, one in enumerate(y):
            for label in one if self._form == "sets" else [one]:
                if label not in place:
                    raise fail(f"y: row {row + 1}: {label!r} is not one of the labels", "y")
                table[row, place[label]] = True
        return table

    def score(self, X: Any, y: Any) -> float:
        """The share of items whose set of labels is right."""
        found = self.predict(X)
        if self._form == "table":
            return float((found == indicator(y)).all(axis=1).mean())
        if self._form == "sets":
            return float(np.mean([one == set(truth) for one, truth in zip(found, y)]))
        return float(np.mean(found == np.asarray(y).ravel()))

    def _take_model(self, model: Any) -> None:
        self.classes_ = np.array(model.labels, object)
        take_columns(self, model.columns)
        self._form = "table"
        self.model_ = model

    def _told(self) -> Told:
        if "_counts" not in self.__dict__:
            return Told([f"{len(self.classes_)} labels, {self.n_features_in_} features"], [
                Bars("Labels", "label", texts(self.classes_), [1.0] * len(self.classes_))])
        lines = [f"{len(self.classes_)} labels in {self.n_label_sets_} different sets, {self.n_features_in_} features",
                 summary_line(self)]
        return Told(lines, [Bars("How frequent the labels were", "share of the items", texts(self.classes_),
                                 self._counts.tolist(), None, 1.0)], self.warnings_)

    def _more_tags(self) -> dict[str, Any]:
        return {"multilabel": True, "requires_y": True}


def predict_options() -> str:
    """What `predict`, `predict_proba` and `decide` take."""
    from ._options import documented

    return documented(options_of(_core.multilabel_predict_options()))


MultiLabelClassifier.predict.__doc__ = (MultiLabelClassifier.predict.__doc__ or "").replace(
    "Of the decision: `predict_options` lists them.", "\n            ".join(predict_options().splitlines())) \
    if sys.flags.optimize < 2 else None
