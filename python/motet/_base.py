"""What estimators have in common, in scikit-learn's manner and without needing it."""
from __future__ import annotations

import operator
import os
import sys
from typing import Any, TypeVar

import numpy as np

from ._check import features_at_use
from ._errors import ModelFileError, fail, in_python, not_fitted
from ._options import texts_of
from ._page import Plot, Told, html_of, page_of, plot_of

Self = TypeVar("Self", bound="Estimator")


class Progress:
    """A bar on the terminal: stage, share and rate as the library tells them."""

    def __init__(self) -> None:
        self._shown = False

    def __call__(self, stage: str, done: float, total: float, unit: str) -> None:
        share = f"{'#' * int(30 * min(done / total, 1.0)):30s} {100 * done / total:3.0f} %" if total else ""
        count = f"{done:.0f}" + (f" of {total:.0f}" if total else "") + f" {unit}"
        sys.stderr.write(f"\r\x1b[K{stage}: {share} {count}")
        sys.stderr.flush()
        self._shown = True

    def end(self) -> None:
        if self._shown:
            sys.stderr.write("\n")


def seed_of(random_state: Any) -> int:
    """None is 1, as on the command line."""
    if random_state is None:
        return 1
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    try:
        seed = operator.index(random_state)
    except TypeError:
        raise fail(f"random_state: {random_state!r} is not a seed", "random_state", "usage") from None
    if seed < 0:
        raise fail(f"random_state: {seed} is below 0", "random_state", "usage")
    return seed


def threads_of(n_jobs: Any) -> int:
    """0: all."""
    if n_jobs is None:
        return 0
    try:
        jobs = operator.index(n_jobs)
    except TypeError:
        raise fail(f"n_jobs: {n_jobs!r} is not a number of threads", "n_jobs", "usage") from None
    if jobs == 0:
        raise fail("n_jobs: 0 threads cannot work; None or -1 is all processors", "n_jobs", "usage")
    return jobs if jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + jobs)


class Estimator:
    """Parameters as they were given, learned values that end in `_`, and the model between them."""

    _options: tuple[str, ...] = ()
    _parameters: tuple[str, ...] = ()
    _described: Any = None
    _model_class: Any = None

    # Parameters.

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return sorted(cls._parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name, as they were given; None where nothing was."""
        return {name: getattr(self, name) for name in self._get_param_names()}

    def set_params(self: Self, **params: Any) -> Self:
        """Changes parameters; returns self."""
        for name, value in params.items():
            if name not in self._parameters:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: "
                                 f"{self._get_param_names()!r}.")
            setattr(self, name, value)
        return self

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        given = (f"{name}={getattr(self, name)!r}" for name in self._parameters if getattr(self, name) is not None)
        return f"{type(self).__name__}({', '.join(given)})"

    def _given(self) -> dict[str, str]:
        return texts_of({name: getattr(self, name) for name in self._options})

    # Running.

    def _call(self, function: Any, *arguments: Any) -> Any:
        """A function of the library, run as random_state, n_jobs and verbose say."""
        seed, threads = seed_of(self.random_state), threads_of(self.n_jobs)  # type: ignore[attr-defined]
        bar = Progress() if self.verbose else None  # type: ignore[attr-defined]
        try:
            return function(*arguments, (seed, threads, bar))
        finally:
            if bar:
                bar.end()

    def _fitted(self) -> Any:
        model = self.__dict__.get("model_")
        if model is None:
            raise not_fitted(self)
        return model

    def _take_fit(self, found: Any, warnings: Any) -> None:
        """The end of a fit: how it went, and the model, by which the estimator is fitted."""
        summary = found["summary"]
        self.converged_, self.n_iter_ = summary["converged"], max(summary["iterations"], 1)
        self.warnings_ = [in_python(text) for text in warnings]
        self.model_ = found["model"]

    def _answered(self, function: Any, X: Any, options: dict[str, Any]) -> dict[str, Any]:
        """What a function of the library says of the features of new items."""
        model = self._fitted()
        values, columns = features_at_use(self, X)
        return dict(self._call(function, model, values, columns, texts_of(options)))

    def __sklearn_is_fitted__(self) -> bool:
        return self.__dict__.get("model_") is not None

    def _forget(self) -> None:
        """Before a fit: what an interrupted one leaves is an estimator without one."""
        for name in [name for name in self.__dict__ if name.endswith("_") and not name.startswith("_")]:
            del self.__dict__[name]

    # Models as files.

    def save(self, path: Any) -> None:
        """Writes the model as a file that the command line reads, the bytes that its own would have."""
        with open(path, "wb") as file:
            file.write(self._fitted().text())

    @classmethod
    def load(cls: type[Self], path: Any) -> Self:
        """An estimator with the model of a file that `save` or the command line wrote."""
        with open(path, "rb") as file:
            text = file.read()
        try:
            model = cls._model_class.of_text(text)
        except (ValueError, UnicodeDecodeError) as error:
            raise ModelFileError(in_python(f"{os.fspath(path)}: {str(error).removeprefix('model: ')}")) from None
        estimator = cls()
        estimator._take_model(model)
        return estimator

    def _take_model(self, model: Any) -> None:
        self.model_ = model

    # What it says of itself.

    def _told(self) -> Told:
        raise NotImplementedError

    def plot(self) -> Plot:
        """What was found as a picture that JupyterLab and VS Code draw; its `spec` is Vega-Lite."""
        self._fitted()
        return plot_of(self._told().bars[0])

    def report(self, path: Any) -> None:
        """Writes what was found as a page that opens offline."""
        self._fitted()
        page = page_of(repr(self), self._told())
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)

    def _repr_html_(self) -> str:
        if self.__dict__.get("model_") is None:
            return html_of(repr(self), Told(["not fitted"], []))
        return html_of(repr(self), self._told())

    # What scikit-learn asks about.

    def _more_tags(self) -> dict[str, Any]:
        return {}

    def _get_tags(self) -> dict[str, Any]:
        from sklearn.utils._tags import _DEFAULT_TAGS

        tags = dict(_DEFAULT_TAGS)
        tags.update(self._more_tags())
        return tags
