"""Feature matrices as scikit-learn's estimators take them: arrays, data frames and sparse matrices, or a clear refusal."""
from __future__ import annotations

import sys
from typing import Any
from warnings import warn

import numpy as np

from ._errors import fail
from ._votes import is_frame

# The words are those that scikit-learn's checks of estimators look for.


def is_sparse(X: Any) -> bool:
    scipy = sys.modules.get("scipy.sparse")
    return scipy is not None and bool(scipy.issparse(X))


def names_in(X: Any) -> Any:
    """The names of a frame's columns, where all are texts."""
    if not is_frame(X):
        return None
    if not all(isinstance(name, str) for name in X.columns):
        return None
    return np.asarray(X.columns, object)


def array_of(X: Any, least: int = 1, dtypes: tuple[Any, ...] = (np.float64, np.float32)) -> Any:
    """Two dimensions of finite numbers with at least so many rows, C-contiguous; as it is where it is so already."""
    if is_sparse(X):
        X = X.toarray()
    elif is_frame(X):
        X = X.to_numpy()
    X = np.asarray(X)
    if X.dtype.kind == "c":
        raise fail("X: Complex data not supported: it holds complex numbers", "X")
    if X.dtype not in dtypes:
        try:
            X = X.astype(dtypes[0])
        except ValueError as error:
            raise fail(f"X: not all are numbers: {error}", "X") from None
    if X.ndim != 2:
        raise fail(f"X: Expected 2D array, got {X.ndim}D array instead. Reshape your data with X.reshape(-1, 1) if it has a "
                   "single feature, or X.reshape(1, -1) if it is a single item", "X")
    for axis, what, minimum in ((1, "feature", 1), (0, "sample", least)):
        if X.shape[axis] < minimum:
            raise fail(f"X: Found array with {X.shape[axis]} {what}(s) (shape={X.shape}) while a minimum of {minimum} is "
                       "required.", "X")
    if not np.isfinite(X).all():
        row, column = np.argwhere(~np.isfinite(X))[0]
        value = "NaN" if np.isnan(X[row, column]) else "infinite (inf)"
        raise fail(f"X: row {row + 1}, column {column + 1} is {value}", "X")
    return np.ascontiguousarray(X)


def features_at_fit(estimator: Any, X: Any, least: int = 1) -> tuple[Any, list[str]]:
    """(numbers, names of the columns) of at least so many rows; notes both in the estimator."""
    names = names_in(X)
    values = array_of(X, least)
    estimator.n_features_in_ = values.shape[1]
    if names is not None:
        estimator.feature_names_in_ = names
    return values, column_names(names, values.shape[1])


def column_names(names: Any, count: int) -> list[str]:
    return [f"x{i}" for i in range(count)] if names is None else [str(name) for name in names]


def take_columns(estimator: Any, columns: list[str]) -> None:
    """Of a model from a file: names that are not those of arrays are names of features."""
    estimator.n_features_in_ = len(columns)
    if columns != column_names(None, len(columns)):
        estimator.feature_names_in_ = np.array(columns, object)


def check_features(estimator: Any, X: Any, count: int) -> None:
    """Raises, or warns, where the columns are not those of the fit."""
    known, names = estimator.__dict__.get("feature_names_in_"), names_in(X)
    kind = type(estimator).__name__
    if known is None and names is not None:
        warn(f"X has feature names, but {kind} was fitted without feature names", stacklevel=4)
    elif known is not None and names is None:
        warn(f"X does not have valid feature names, but {kind} was fitted with feature names", stacklevel=4)
    elif known is not None and names is not None and list(known) != list(names):
        raise fail(names_differ(known, names), "X")
    if count != estimator.n_features_in_:
        raise fail(f"X has {count} features, but {kind} is expecting {estimator.n_features_in_} features as input", "X")


def names_differ(known: Any, names: Any) -> str:
    text = "The feature names should match those that were passed during fit.\n"
    unseen, missing = sorted(set(names) - set(known)), sorted(set(known) - set(names))
    for title, listed in (("Feature names unseen at fit time:", unseen),
                          ("Feature names seen at fit time, yet now missing:", missing)):
        if listed:
            text += title + "\n" + "".join(f"- {name}\n" for name in listed[:5]) + ("- ...\n" if len(listed) > 5 else "")
    if not unseen and not missing:
        text += "Feature names must be in the same order as they were in fit.\n"
    return text


def features_at_use(estimator: Any, X: Any) -> tuple[Any, list[str]]:
    """The same for items that come later."""
    values = array_of(X)
    check_features(estimator, X, values.shape[1])
    return values, column_names(estimator.__dict__.get("feature_names_in_"), values.shape[1])


def plain(y: Any) -> Any:
    """What only knows how to become an array as one."""
    is_known = isinstance(y, (list, tuple, np.ndarray)) or is_sparse(y) or is_frame(y)
    return np.asarray(y) if not is_known and hasattr(y, "__array__") else y


def check_length(X: Any, y: Any, what: str = "y") -> None:
    if len(y) != len(X):
        raise fail(f"{what}: {len(y)} entries for {len(X)} rows of X", what)


def class_labels(y: Any) -> tuple[Any, Any]:
    """(classes, numbers) of one class per row, refused where it is a measurement."""
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        try:
            from sklearn.exceptions import DataConversionWarning as Kind
        except ImportError:
            Kind = UserWarning
        warn("A column-vector y was passed when a 1d array was expected; it is taken for y.ravel()", Kind, stacklevel=4)
        y = y.ravel()
    if y.ndim != 1:
        raise fail(f"y: one class per row has one dimension; this has {y.ndim}", "y")
    if y.dtype.kind == "f":
        if not np.isfinite(y).all():
            raise fail("y: Input contains NaN or infinity", "y")
        if (y != np.floor(y)).any():
            raise fail("y: Unknown label type: 'continuous', numbers that are not whole", "y")
    if y.dtype == object and any(value is None or value != value for value in y):
        raise fail("y: a class is missing", "y")
    return np.unique(y, return_inverse=True)
