"""How good answers are, where the truth is known."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._base import seed_of
from ._errors import fail
from .multilabel import indicator


class Figure(NamedTuple):
    """A value and its standard error, NaN where none is told."""

    value: float
    standard_error: float


class Bin(NamedTuple):
    """Items whose probabilities are alike: their mean, the share that was right and its standard error, and how many."""

    probability: float
    right: float
    standard_error: float
    items: int


class Reliability(NamedTuple):
    """Bins with items, and the expected calibration error."""

    bins: list[Bin]
    expected_calibration_error: float


class Rejection(NamedTuple):
    """The items that are as sure as a threshold: what share they are, and the share of them that is wrong."""

    threshold: float
    coverage: float
    error: float


class RoleMatch(NamedTuple):
    """Share of wrong cells under the best matching, and by true role its partner, -1 where there is none."""

    error: float
    partner: Any


class Stability(NamedTuple):
    """Share of users whose sets of roles differ, and 1 minus that share over the one of chance."""

    instability: float
    corrected: float


def _table(values: Any, name: str) -> Any:
    return np.ascontiguousarray(indicator(values, name), np.uint8)


def _chances(probability: Any, right: Any) -> tuple[Any, Any]:
    chances = np.ascontiguousarray(probability, np.float64)
    truths = np.ascontiguousarray(np.asarray(right) != 0, np.uint8)
    if chances.ndim != 1 or truths.ndim != 1:
        raise fail("probability: one number per item is expected", "probability")
    return chances, truths


def label_sets(y_true: Any, y_pred: Any) -> dict[str, Figure]:
    """Sets of labels, as tables of 0 and 1: error_rate, balanced_error_rate, hamming_loss, and precision, recall and f1 per
    item, of all pairs of item and label together (micro_) and averaged over labels (macro_)."""
    found = _core.measure_label_sets(_table(y_true, "y_true"), _table(y_pred, "y_pred"))
    return {name: Figure(*figure) for name, figure in found.items()}


def reliability(probability: Any, right: Any, bins: int = 10) -> Reliability:
    """Whether probabilities mean what they say, in bins of equal width; right: whether each answer was."""
    found, error = _core.measure_reliability(*_chances(probability, right), bins)
    return Reliability([Bin(*one) for one in found], error)


def reject_curve(probability: Any, right: Any, points: int = 21) -> list[Rejection]:
    """The error among the items that are kept when the least sure are set aside."""
    return [Rejection(*one) for one in _core.measure_reject_curve(*_chances(probability, right), points)]


def match_roles(truth: Any, found: Any) -> RoleMatch:
    """Roles (by permissions) against those that were planted, under the matching that makes the error smallest."""
    return RoleMatch(*_core.measure_match_roles(_table(truth, "truth"), _table(found, "found")))


def reconstruction_error(reconstruction: Any, data: Any) -> float:
    """The share of cells in which two tables of 0 and 1 differ."""
    return float(_core.measure_reconstruction_error(_table(reconstruction, "reconstruction"), _table(data, "data")))


def coverage(reconstruction: Any, data: Any) -> float:
    """Of the cells that the data hold, the share that the reconstruction holds too."""
    return float(_core.measure_coverage(_table(reconstruction, "reconstruction"), _table(data, "data")))


def stability(first: Any, second: Any, draws: int = 20, random_state: Any = None) -> Stability:
    """Whether two assignments (users by roles) put the same users into the same sets, however roles are numbered."""
    return Stability(*_core.measure_stability(_table(first, "first"), _table(second, "second"), draws,
                                              (seed_of(random_state), 1, None)))
