"""SupersetClassifier: each item has candidate labels, one of them right."""
from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from . import _core
from ._base import Estimator
from ._check import check_length, class_labels, features_at_fit, features_at_use, is_sparse, plain, take_columns
from ._errors import fail
from ._options import options_of, with_options
from ._page import Bars, Told, summary_line, texts
from ._votes import is_frame
from .multilabel import is_list_of_sets, ordered, table_of

Self = TypeVar("Self", bound="SupersetClassifier")


class Candidates:
    """Classes, and the rows of a sparse matrix: numbers of classes, where each row begins, weights."""

    def __init__(self, classes: Any, numbers: Any, starts: Any, weights: Any) -> None:
        self.classes = classes
        self.numbers = np.asarray(numbers, np.int64)
        self.starts = np.asarray(starts, np.int64)
        self.weights = np.asarray(weights, np.float64)

    def arrays(self) -> tuple[Any, Any, Any]:
        return self.numbers, self.starts, self.weights


def of_sets(rows: Any, classes: Any) -> Candidates:
    """A set, or a mapping from labels to weights, for each item; an empty one: any class."""
    if classes is None:
        classes = ordered({label for row in rows for label in row})
    place = {label: number for number, label in enumerate(classes)}
    numbers: list[int] = []
    starts, weights = [0], []
    for number, row in enumerate(rows):
        for label in row:
            if label not in place:
                raise fail(f"y: row {number + 1}: candidate {label!r} is not one of the classes", "y")
            numbers.append(place[label])
            weights.append(float(row[label]) if isinstance(row, dict) else 1.0)
        starts.append(len(numbers))
    listed = np.empty(len(classes), object)
    listed[:] = list(classes)
    kinds = {type(label) for label in classes}
    return Candidates(np.array(classes) if len(kinds) == 1 and kinds <= {int, bool, str} else listed, numbers, starts, weights)


def of_table(table: Any, classes: Any) -> Candidates:
    """True and False, or weights; 0 is no candidate."""
    names = np.asarray(table.columns) if is_frame(table) else None
    table = table.toarray() if is_sparse(table) else np.asarray(table)
    try:
        weights = table.astype(float)
    except (TypeError, ValueError):
        raise fail(f"y: a table of candidates has weights, not {table.ravel()[0]!r}", "y") from None
    if not np.isfinite(weights).all():
        raise fail("y: a weight is NaN or infinite", "y")
    if (weights < 0).any():
        row, column = np.argwhere(weights < 0)[0]
        raise fail(f"y: row {row + 1}, column {column + 1}: weight {weights[row, column]:g} is negative", "y")
    rows, numbers = np.nonzero(weights)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(table)))])
    chosen = classes if classes is not None else names if names is not None else np.arange(table.shape[1])
    if len(chosen) != table.shape[1]:
        raise fail(f"classes: {len(chosen)} names for {table.shape[1]} columns of candidates", "classes")
    return Candidates(np.asarray(chosen), numbers, starts, weights[rows, numbers])


def candidates_of(y: Any, classes: Any = None) -> Candidates:
    y = plain(y)
    if isinstance(y, (list, tuple)) and len(y) > 0 and all(isinstance(one, dict) for one in y) or is_list_of_sets(y):
        return of_sets(y, classes)
    if is_sparse(y) or is_frame(y) or np.ndim(y) == 2 and np.shape(y)[1] > 1:
        return of_table(y, classes)
    found, numbers = class_labels(y)
    if classes is not None:
        return of_sets([{label} for label in found[numbers].tolist()], classes)
    return Candidates(found, numbers, np.arange(len(numbers) + 1), np.ones(len(numbers)))


@with_options(options_of(_core.superset_train_options()))
class SupersetClassifier(Estimator):
    """A classifier that learns from items with several candidate labels, of which one is right.

    docs/superset.md has the models.

    <parameters>

    Attributes
    ----------
    classes_ : ndarray
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Where X was a data frame whose columns are named by texts.
    disambiguated_ : ndarray of shape (n_items, n_classes)
        The probability of each class for each item of the fit, given its candidates.
    converged_ : bool
    n_iter_ : int
    warnings_ : list of str

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [3.0], [3.1], [3.2]]
    >>> y = [{"a", "b"}, {"a"}, {"a", "c"}, {"b"}, {"b", "a"}, {"b", "c"}]
    >>> SupersetClassifier(method="naive").fit(X, y).predict([[0.05], [3.05]])
    array(['a', 'b'], dtype='<U1')
    """

    _model_class = _core.SupersetModel
    _estimator_type = "classifier"

    model_: Any
    classes_: Any
    n_features_in_: int
    feature_names_in_: Any
    disambiguated_: Any
    converged_: bool
    n_iter_: int
    warnings_: list[str]

    def fit(self: Self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learns from items and their candidates.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (n_items, n_features)
        y : list of sets, array, sparse matrix or DataFrame
            The candidates of each item: a set of labels, or a mapping from labels to weights; a table of True and False,
            or of weights, with one column per class; or ordinary labels, one per item. Without candidates an item may
            be of any class.
        classes : sequence, optional
            All classes there are; else those that occur.

        Returns
        -------
        self
        """
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        self._forget()
        values, columns = features_at_fit(self, X, least=2)
        candidates = candidates_of(y, classes)
        check_length(values, range(len(candidates.starts) - 1))
        names = [str(label) for label in candidates.classes]
        if len(names) == 1:
            raise fail("y: there is one class only; at least two classes are needed", "y")
        found = self._call(_core.superset_train, values, columns, names, *candidates.arrays(), self._given())
        self.classes_ = candidates.classes
        self.disambiguated_ = found["probability"]
        self._take_fit(found, found["summary"]["warnings"])
        return self

    def _decided(self, X: Any, options: dict[str, Any]) -> dict[str, Any]:
        return self._answered(_core.superset_predict, X, options)

    def predict(self, X: Any, **options: Any) -> Any:
        """The class of each item.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (n_items, n_features)
        **options
            <options>

        Returns
        -------
        ndarray of shape (n_items,)
            With abstain_below, None where the model abstains.
        """
        numbers = self._decided(X, options)["label"]
        if (numbers >= 0).all():
            return self.classes_[numbers]
        labels = self.classes_.astype(object)[numbers]
        labels[numbers < 0] = None
        return labels

    def predict_proba(self, X: Any) -> Any:
        """The probability of each class for each item."""
        return self._decided(X, {})["probability"]

    def predict_set(self, X: Any, coverage: float = 0.9) -> Any:
        """For each item a set of classes that holds the right one in this share of items: True and False, by class."""
        return table_of(*self._decided(X, {"coverage": coverage})["sets"], len(self.classes_))

    def disambiguate(self, X: Any, y: Any) -> Any:
        """The probability of each class for each item, given its features and its candidates."""
        model = self._fitted()
        values, columns = features_at_use(self, X)
        candidates = candidates_of(y, self.classes_.tolist())
        check_length(values, range(len(candidates.starts) - 1))
        return self._call(_core.superset_disambiguate, model, values, columns, [str(label) for label in self.classes_],
                          *candidates.arrays())

    def score(self, X: Any, y: Any) -> float:
        """The share of items whose class is right; y has one class per item."""
        truth = np.asarray(y).ravel()
        found = self.predict(X)
        check_length(found, truth)
        return float(np.mean(found == truth))

    def _take_model(self, model: Any) -> None:
        self.classes_ = np.array(model.classes, object)
        take_columns(self, model.columns)
        self.model_ = model

    def _told(self) -> Told:
        if "disambiguated_" not in self.__dict__:
            return Told([f"{len(self.classes_)} classes, {self.n_features_in_} features"], [
                Bars("Classes", "class", texts(self.classes_), [1.0] * len(self.classes_))])
        lines = [f"{len(self.classes_)} classes, {len(self.disambiguated_)} items, {self.n_features_in_} features",
                 summary_line(self)]
        return Told(lines, [Bars("How frequent the classes are, by their probabilities", "share of the items",
                                 texts(self.classes_), self.disambiguated_.mean(axis=0).tolist(), None, 1.0)], self.warnings_)

    def _more_tags(self) -> dict[str, Any]:
        return {"requires_y": True}
