"""Judges: how good each labeler is with no truth to compare with, and the best label of each item."""
from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, TypeVar
from warnings import warn

import numpy as np

from . import _core
from ._base import Estimator
from ._errors import fail, in_python
from ._options import options_of, with_options
from ._page import Bars, Told, summary_line, texts
from ._votes import VoteTable, is_frame, known_classes, names_of, votes_of

Self = TypeVar("Self", bound="Judges")


def series_of(values: Any, items: Any, table: VoteTable, name: str) -> Any:
    """As crowd-kit's: a Series indexed by the items, where pandas is what the votes came in; else an array."""
    if table.names is None or "pandas" not in sys.modules:
        return values
    import pandas

    return pandas.Series(values, index=pandas.Index(items, name=table.names[0]), name=name)


@with_options(options_of(_core.judges_estimate_options()))
class Judges(Estimator):
    """How good is each judge, and what is the best label of each item, with nobody to say the truth?

    Judges are annotators, classifiers or language models; docs/judges.md has the models.

    <parameters>

    Attributes
    ----------
    classes_ : ndarray
        The labels, numbers by value and else by their names.
    items_, judges_ : ndarray
        Items and judges, in the order of the votes.
    labels_ : Series or ndarray
        The most probable label of each item.
    probabilities_ : DataFrame or ndarray of shape (n_items, n_classes)
        Of each label.
    accuracy_, accuracy_error_ : ndarray of shape (n_judges,)
        How often each judge is right, and its standard error.
    accuracy_interval_ : ndarray of shape (n_judges, 2)
        The interval of it, of probability `confidence`.
    confusion_ : ndarray of shape (n_judges, n_classes, n_classes)
        What each judge says (last axis) of items of each class.
    confusion_interval_ : ndarray of shape (n_judges, n_classes, n_classes, 2)
    prior_ : ndarray of shape (n_classes,)
        How frequent the classes are.
    prior_interval_ : ndarray of shape (n_classes, 2)
    votes_ : ndarray of shape (n_judges,)
        How many votes each judge gave.
    determined_ : ndarray of bool
        False where the votes do not tell how good a judge is.
    difficulty_ : ndarray of shape (n_items,), or None
        How hard each item is, 1 is the average; None unless noise='glad'.
    effective_judges_ : float or None
        With dependence='pairwise', how many independent judges they are worth: those who err together count less.
    log_likelihood_ : float
    converged_ : bool
    n_iter_ : int
    warnings_ : list of str
        What is odd about the votes or the fit.

    Examples
    --------
    >>> votes = [("x", "ann", "yes"), ("x", "bob", "yes"), ("x", "eve", "no"), ("y", "ann", "no"), ("y", "bob", "no"),
    ...          ("y", "eve", "no"), ("z", "ann", "yes"), ("z", "bob", "yes"), ("z", "eve", "yes")]
    >>> Judges(noise="symmetric", prior="uniform").fit(votes).labels_
    array(['yes', 'no', 'yes'], dtype=object)
    """

    _model_class = _core.JudgesModel

    model_: Any
    classes_: Any
    items_: Any
    judges_: Any
    labels_: Any
    probabilities_: Any
    accuracy_: Any
    accuracy_error_: Any
    accuracy_interval_: Any
    confusion_: Any
    confusion_interval_: Any
    prior_: Any
    prior_interval_: Any
    votes_: Any
    determined_: Any
    difficulty_: Any
    effective_judges_: float | None
    log_likelihood_: float
    converged_: bool
    n_iter_: int
    warnings_: list[str]

    def fit(self: Self, votes: Any, y: Any = None, gold: Any = None) -> Self:
        """Learns how good the judges are.

        Parameters
        ----------
        votes : DataFrame, ndarray or list
            A data frame with columns item,judge,label (or task,worker,label), or with one column per judge; an array
            with one row per item and one column per judge, where NaN, None or a mask is no vote; or a list of
            (item, judge, label).
        y : ignored
        gold : mapping, Series or sequence, optional
            Known labels: by item, or one per item with None where nothing is known.

        Returns
        -------
        self
        """
        table = votes_of(votes)
        known = None if gold is None else known_classes(gold, table)
        core = table.core(known)
        self._forget()
        found = self._call(_core.judges_estimate, core, self._given())
        self.classes_, self.items_, self.judges_ = table.classes, table.items, table.judges
        self._take_estimate(found)
        self.labels_, self.probabilities_ = self._combined(found["model"], core, table)
        self.model_ = found["model"]
        return self

    def fit_predict(self, votes: Any, y: Any = None, gold: Any = None) -> Any:
        """The most probable label of each item of these votes: a Series named agg_label, as crowd-kit returns it, for a
        data frame; else an array."""
        return self.fit(votes, gold=gold).labels_

    def fit_predict_proba(self, votes: Any, gold: Any = None) -> Any:
        """The probability of each label for each item of these votes: a data frame for a data frame; else an array."""
        return self.fit(votes, gold=gold).probabilities_

    def partial_fit(self: Self, votes: Any, y: Any = None) -> Self:
        """Adds votes on further items to what was learned; the first call is `fit`.

        Items of these votes count as new ones, and labels_, probabilities_ and items_ are then theirs. Judges may be new;
        labels may not.
        """
        if self.__dict__.get("model_") is None:
            return self.fit(votes)
        table = votes_of(votes)
        core = table.core()
        model = self._call(_core.judges_update, self.model_, core)
        classes = self.classes_
        self._take_model(model)
        self.classes_, self.items_ = classes, table.items
        self.labels_, self.probabilities_ = self._combined(model, core, table)
        return self

    def predict(self, votes: Any) -> Any:
        """The most probable label of each item of new votes."""
        return self._predicted(votes)[0]

    def predict_proba(self, votes: Any) -> Any:
        """The probability of each label for each item of new votes."""
        return self._predicted(votes)[1]

    def _predicted(self, votes: Any) -> tuple[Any, Any]:
        model = self._fitted()
        table = votes_of(votes)
        return self._combined(model, table.core(), table)

    def _combined(self, model: Any, core: Any, table: VoteTable) -> tuple[Any, Any]:
        found = _core.judges_combine(model, core)
        labels = series_of(self.classes_[found["label"]], table.items, table, "agg_label")
        return labels, frame_of(found["posterior"], self.classes_, table)

    def _take_estimate(self, found: Mapping[str, Any]) -> None:
        judges = found["judges"]

        def of_judges(name: str) -> Any:
            return np.array([judge[name] for judge in judges])

        self.accuracy_, self.accuracy_error_ = of_judges("accuracy"), of_judges("standard_error")
        self.accuracy_interval_ = of_judges("interval")
        self.confusion_, self.confusion_interval_ = of_judges("confusion"), of_judges("confusion_interval")
        self.votes_, self.determined_ = of_judges("votes"), of_judges("determined")
        self.prior_, self.prior_interval_ = found["prior"], found["prior_interval"]
        self.difficulty_ = found["difficulty"] if len(found["difficulty"]) else None
        summary = found["summary"]
        self.converged_, self.n_iter_ = summary["converged"], summary["iterations"]
        self.objective_ = summary["objective"]
        self.log_likelihood_ = found["log_likelihood"]
        self.effective_judges_ = found["effective_judges"]
        self.warnings_ = [in_python(text) for text in found["warnings"]]

    def _take_model(self, model: Any) -> None:
        confidence = 0.95 if self.confidence is None else self.confidence  # type: ignore[attr-defined]
        self._take_estimate(_core.judges_estimate_of(model, confidence))
        self.classes_ = np.array(model.classes, object)
        self.judges_ = np.array(model.judges, object)
        self.model_ = model

    def _told(self) -> Told:
        items = len(self.__dict__.get("items_", ()))
        lines = [f"{len(self.judges_)} judges, " + (f"{items} items, " if items else "") + f"{int(self.votes_.sum())} votes, "
                 f"{len(self.classes_)} classes", summary_line(self)]
        order = np.argsort(-self.accuracy_, kind="stable")
        intervals = [tuple(one) for one in self.accuracy_interval_[order].tolist()]
        return Told(lines, [
            Bars("How often each judge is right", "accuracy", texts(self.judges_[order]), self.accuracy_[order].tolist(),
                 intervals, 1.0),
            Bars("How frequent the classes are", "share", texts(self.classes_), self.prior_.tolist(),
                 [tuple(one) for one in self.prior_interval_.tolist()], 1.0)], self.warnings_)


def frame_of(posterior: Any, classes: Any, table: VoteTable) -> Any:
    if table.names is None or "pandas" not in sys.modules:
        return posterior
    import pandas

    return pandas.DataFrame(posterior, index=pandas.Index(table.items, name=table.names[0]), columns=classes)


@with_options(options_of(_core.numbers_estimate_options()))
class NumericJudges(Estimator):
    """The errors of judges who give numbers, with nobody to say the true ones.

    The truth is taken as normal with known mean and variance; docs/judges.md has the kinds of noise.

    <parameters>

    Attributes
    ----------
    items_, judges_ : ndarray
    values_ : Series or ndarray
        The best guess of the value of each item.
    deviations_ : Series or ndarray
        Its standard deviation.
    theta_, theta_error_ : ndarray of shape (n_judges,)
        The number that tells a judge, by the kind of noise, and its standard error.
    theta_interval_ : ndarray of shape (n_judges, 2)
    mse_, mse_error_ : ndarray of shape (n_judges,)
        Mean squared error of each judge, and its standard error.
    mse_interval_ : ndarray of shape (n_judges, 2)
    log_likelihood_ : float
    converged_ : bool
    n_iter_ : int
    warnings_ : list of str
    """

    _model_class = _core.NumericModel

    model_: Any
    items_: Any
    judges_: Any
    values_: Any
    deviations_: Any
    theta_: Any
    theta_error_: Any
    theta_interval_: Any
    mse_: Any
    mse_error_: Any
    mse_interval_: Any
    log_likelihood_: float
    converged_: bool
    n_iter_: int
    warnings_: list[str]

    def fit(self, predictions: Any, y: Any = None) -> NumericJudges:
        """Learns how large the errors of the judges are.

        Parameters
        ----------
        predictions : DataFrame or ndarray
            One row per item and one column per judge; NaN where a judge gave none. A column item of a data frame names
            the items.
        y : ignored
        """
        items, judges, values = numbers_of(predictions)
        core = _core.Numbers(names_of(items), names_of(judges), values)
        self._forget()
        found = self._call(_core.numbers_estimate, core, self._given())
        self._take_estimate(found)
        self.items_, self.judges_ = items, judges
        self.values_, self.deviations_ = self._combined(found["model"], predictions)
        self.model_ = found["model"]
        return self

    def predict(self, predictions: Any) -> Any:
        """The best guess of the value of each item."""
        return self._combined(self._fitted(), predictions)[0]

    def fit_predict(self, predictions: Any, y: Any = None) -> Any:
        """The best guess of the value of each of these items."""
        return self.fit(predictions).values_

    @staticmethod
    def _combined(model: Any, predictions: Any) -> tuple[Any, Any]:
        items, judges, values = numbers_of(predictions)
        found = _core.numbers_combine(model, _core.Numbers(names_of(items), names_of(judges), values))
        if not is_frame(predictions):
            return found
        import pandas

        index = pandas.Index(items, name="item")
        return pandas.Series(found[0], index, name="value"), pandas.Series(found[1], index, name="deviation")

    def _take_estimate(self, found: Mapping[str, Any]) -> None:
        for name in ("theta", "theta_error", "theta_interval", "mse", "mse_error", "mse_interval"):
            setattr(self, f"{name}_", np.array([judge[name] for judge in found["judges"]]))
        summary = found["summary"]
        self.converged_, self.n_iter_ = summary["converged"], summary["iterations"]
        self.log_likelihood_, self.warnings_ = found["log_likelihood"], [in_python(text) for text in summary["warnings"]]

    def _take_model(self, model: Any) -> None:
        found = _core.numbers_estimate_of(model)
        self._take_estimate(found)
        self.judges_ = np.array([judge["name"] for judge in found["judges"]], object)
        self.model_ = model

    def _told(self) -> Told:
        return Told([f"{len(self.judges_)} judges", summary_line(self)], [
            Bars("Mean squared error of each judge", "error", texts(self.judges_), self.mse_.tolist(),
                 [tuple(one) for one in self.mse_interval_.tolist()])], self.warnings_)


def numbers_of(predictions: Any) -> tuple[Any, Any, Any]:
    """(items, judges, values) of a frame or an array."""
    if is_frame(predictions):
        has_items = "item" in predictions.columns
        items = (predictions["item"] if has_items else predictions.index).to_numpy()
        table = predictions.drop(columns=["item"]) if has_items else predictions
        judges, values = table.columns.to_numpy(), table.to_numpy()
    else:
        values = predictions
        items = judges = None
    try:
        values = np.ascontiguousarray(np.ma.filled(np.ma.asarray(values, dtype=float), np.nan))
    except (TypeError, ValueError):
        raise fail("predictions: not all are numbers", "predictions") from None
    if values.ndim != 2:
        raise fail(f"predictions: an array has two dimensions, items and judges; this one has {values.ndim}", "predictions")
    if items is None:
        items, judges = np.arange(values.shape[0]), np.arange(values.shape[1])
    return items, judges, values


def two_populations(votes_a: Any, votes_b: Any, prior_a: Any, prior_b: Any, confidence: float = 0.95) -> Any:
    """One judge's two error rates from two sets of items whose shares of two classes are known and unlike.

    Parameters
    ----------
    votes_a, votes_b : as `Judges.fit` takes them
    prior_a, prior_b : mapping or float
        The shares of the classes in either set: {'yes': 0.8, 'no': 0.2}, or the share of the first class.
    confidence : float
        Of the intervals.

    Returns
    -------
    list of dict
        For each judge with votes in both sets: name, votes_a, votes_b, and with their standard errors and intervals
        right_on_first, right_on_second, risk_a and risk_b.
    """
    table_a, table_b = votes_of(votes_a), votes_of(votes_b)
    shares = [first_share(prior, table_a, name) for prior, name in ((prior_a, "prior_a"), (prior_b, "prior_b"))]
    found, warnings = _core.two_populations(table_a.core(), table_b.core(), *shares, confidence)
    judges = []
    for name, count_a, count_b, *rates in found:
        judge = {"name": name, "votes_a": count_a, "votes_b": count_b}
        for what, (value, error, low, high) in zip(("right_on_first", "right_on_second", "risk_a", "risk_b"), rates):
            judge.update({what: value, f"{what}_error": error, f"{what}_interval": (low, high)})
        judges.append(judge)
    for warning in warnings:
        warn(in_python(warning), stacklevel=2)
    return judges


def first_share(prior: Any, table: VoteTable, argument: str) -> float:
    if not isinstance(prior, Mapping):
        return float(prior)
    shares = {str(name): float(share) for name, share in prior.items()}
    classes = names_of(table.classes)
    if set(shares) != set(classes):
        raise fail(f"{argument}: names {sorted(shares)!r}, but the classes are {classes!r}", argument, "usage")
    if abs(sum(shares.values()) - 1.0) > 1e-6:
        raise fail(f"{argument}: the shares sum to {sum(shares.values()):g}, not to 1", argument, "usage")
    return shares[classes[0]]
