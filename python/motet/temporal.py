"""TemporalMixture: numbers that come in time, and the states behind them."""
from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from . import _core
from ._base import Estimator, seed_of
from ._check import check_length, features_at_fit, features_at_use, take_columns
from ._errors import fail, in_python
from ._options import Option, options_of, with_options
from ._page import Bars, Told, summary_line
from ._votes import is_missing

Self = TypeVar("Self", bound="TemporalMixture")

COMPONENTS = Option("n_components", "how many states; None is 1", "N", "1 to 250", "", False)


def sequences_of(lengths: Any, rows: int) -> list[int]:
    if lengths is None:
        return []
    lengths = [int(length) for length in np.atleast_1d(lengths)]
    if any(length < 1 for length in lengths):
        raise fail("lengths: a sequence has at least one row", "lengths")
    if sum(lengths) != rows:
        raise fail(f"lengths: they sum to {sum(lengths)}, but X has {rows} rows", "lengths")
    return lengths


@with_options(options_of(_core.temporal_fit_options()), leading=(COMPONENTS,))
class TemporalMixture(Estimator):
    """States behind rows that come in time: a mixture whose neighbours pull each other, or a hidden Markov chain.

    With radius=0, the default, time is not looked at. docs/temporal.md has the models.

    <parameters>

    Attributes
    ----------
    weights_ : ndarray of shape (n_components,)
        Share of each state.
    means_ : ndarray of shape (n_components, n_features)
    covariances_ : ndarray of shape (n_components, n_features, n_features)
    startprob_, transmat_ : ndarray, or None
        Of method='hmm'.
    labels_ : ndarray of shape (n_rows,)
        The state of each row of the fit.
    classes_ : ndarray, or None
        Where classes of rows were given.
    log_likelihood_ : float or None
        Per row of the fit, without priors; None where it is not known.
    n_parameters_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Where X was a data frame whose columns are named by texts.
    converged_ : bool
    n_iter_ : int
    warnings_ : list of str

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> sorted(TemporalMixture(2).fit(X).means_.ravel().round(1).tolist())
    [0.1, 5.1]
    """

    _model_class = _core.TemporalModel
    _estimator_type = "clusterer"

    model_: Any
    weights_: Any
    means_: Any
    covariances_: Any
    startprob_: Any
    transmat_: Any
    labels_: Any
    classes_: Any
    log_likelihood_: float | None
    n_parameters_: int
    n_features_in_: int
    feature_names_in_: Any
    converged_: bool
    n_iter_: int
    warnings_: list[str]

    def fit(self: Self, X: Any, y: Any = None, lengths: Any = None, classes: Any = None) -> Self:
        """Learns the states.

        Parameters
        ----------
        X : array or DataFrame of shape (n_rows, n_features)
        y : ignored
        lengths : sequence of int, optional
            How many rows each sequence has; else all rows are one.
        classes : sequence, optional
            The class of each row where it is known, else None: each state then belongs to a class.

        Returns
        -------
        self
        """
        self._forget()
        count = 1 if self.n_components is None else self.n_components  # type: ignore[attr-defined]
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or not 1 <= count <= 250:
            raise fail(f"n_components: {count!r} is not a number from 1 to 250", "n_components", "usage")
        values, columns = features_at_fit(self, X, least=int(count))
        sequences = sequences_of(lengths, len(values))
        names, of_row = self._known_classes(classes, values)
        found = self._call(_core.temporal_fit, values, columns, sequences, 0.0, 0.0, int(count),
                           [str(name) for name in names], of_row, self._given())
        self._take(found["model"])
        self.classes_ = np.array(names, object) if names else None
        self.labels_ = self._states(found["states"])
        self.log_likelihood_, self._bic = found["log_likelihood"], found["bic"]
        self.n_parameters_, self._rows = found["parameters"], len(values)
        summary = found["summary"]
        self.converged_, self.n_iter_ = summary["converged"], max(summary["iterations"], 1)
        self.objective_, self.warnings_ = summary["objective"], [in_python(text) for text in summary["warnings"]]
        self.model_ = found["model"]
        return self

    @staticmethod
    def _known_classes(classes: Any, values: Any) -> tuple[list[Any], list[int]]:
        if classes is None:
            return [], []
        classes = list(classes)
        check_length(values, classes, "classes")
        place: dict[Any, int] = {}  # by first appearance, as the command line does it
        numbers = [-1 if is_missing(one) else place.setdefault(one, len(place)) for one in classes]
        return list(place), numbers

    @staticmethod
    def _states(states: Any) -> Any:
        """Of a chain the most probable path, as hmmlearn decodes it."""
        return (states["path"] if len(states["path"]) else states["component"]).astype(np.int64)

    def _apply(self, X: Any, lengths: Any) -> Any:
        model = self._fitted()
        values, columns = features_at_use(self, X)
        inference = "icm" if self.inference is None else self.inference  # type: ignore[attr-defined]
        return self._call(_core.temporal_apply, model, values, columns, sequences_of(lengths, len(values)), 0.0, 0.0,
                          inference)

    def predict(self, X: Any, lengths: Any = None) -> Any:
        """The state of each row."""
        return self._states(self._apply(X, lengths))

    def fit_predict(self, X: Any, y: Any = None, lengths: Any = None) -> Any:
        """The state of each row of these."""
        return self.fit(X, lengths=lengths).labels_

    def predict_class(self, X: Any, lengths: Any = None) -> Any:
        """The class of each row, None where its state has none."""
        numbers = self._apply(X, lengths)["of_class"]
        if self.classes_ is None:
            raise fail("classes: the fit was given none", "classes", "usage")
        names = np.append(self.classes_, None)
        return names[numbers]

    def score(self, X: Any, y: Any = None, lengths: Any = None) -> float:
        """The log-likelihood per row; with a field and inference other than exact a bound of it, or what stands for it."""
        return float(self._apply(X, lengths)["objective"])

    def bic(self, X: Any, lengths: Any = None) -> float:
        """Bayes' information criterion of these rows: smaller is better."""
        rows = len(X) if not hasattr(X, "shape") else X.shape[0]
        return float(self.n_parameters_ * np.log(rows) - 2.0 * rows * self.score(X, lengths=lengths))

    def aic(self, X: Any, lengths: Any = None) -> float:
        """Akaike's information criterion of these rows: smaller is better."""
        rows = len(X) if not hasattr(X, "shape") else X.shape[0]
        return float(2.0 * self.n_parameters_ - 2.0 * rows * self.score(X, lengths=lengths))

    def sample(self, n_samples: int = 1) -> tuple[Any, Any]:
        """(rows, states) drawn from the model: of method='hmm' a chain, else each row by itself."""
        model = self._fitted()
        if self.means_.shape[1] != self.n_features_in_:
            raise fail("stack: a model of several rows side by side cannot be drawn from", "stack", "usage")
        state = self.random_state  # type: ignore[attr-defined]
        rng = state if isinstance(state, np.random.RandomState) else np.random.RandomState(seed_of(state))
        states = np.empty(n_samples, np.int64)
        for row in range(n_samples):
            shares = self.weights_ if self.transmat_ is None else self.startprob_ if row == 0 else self.transmat_[states[row - 1]]
            states[row] = rng.choice(len(shares), p=shares / shares.sum())
        rows = np.empty((n_samples, self.means_.shape[1]))
        for row, number in enumerate(states):
            drawn = rng.multivariate_normal(np.zeros(rows.shape[1]), self.covariances_[number])
            degrees = model.degrees(int(number))
            rows[row] = self.means_[number] + drawn / (np.sqrt(rng.chisquare(degrees) / degrees) if degrees > 0 else 1.0)
        return rows, states

    def _take(self, model: Any) -> None:
        numbers = range(model.components)
        self.weights_ = np.array([model.share(k) for k in numbers])
        self.means_ = np.array([model.mean(k) for k in numbers])
        dimensions = self.means_.shape[1]
        self.covariances_ = np.array([model.covariance(k) for k in numbers]).reshape(-1, dimensions, dimensions)
        start = np.array(model.chain_start)
        self.startprob_ = start if len(start) else None
        self.transmat_ = np.array(model.chain_transition).reshape(len(start), -1) if len(start) else None

    def _take_model(self, model: Any) -> None:
        self._take(model)
        self.classes_ = np.array(model.classes, object) if model.classes else None
        take_columns(self, model.columns)
        self.model_ = model

    def _told(self) -> Told:
        lines = [f"{len(self.weights_)} states of {self.n_features_in_} features"]
        if "converged_" in self.__dict__:
            lines.append(summary_line(self))
            if self.log_likelihood_ is not None:
                lines.append(f"log-likelihood {self.log_likelihood_:.4g} per row, {self.n_parameters_} parameters")
        return Told(lines, [Bars("Share of each state", "share of the rows", [f"state {k}" for k in range(len(self.weights_))],
                                 self.weights_.tolist(), None, 1.0)], self.__dict__.get("warnings_", []))
