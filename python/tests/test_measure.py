"""Measures against their definitions, and against scikit-learn's."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

import motet
from motet import measure

RNG = np.random.default_rng(2)
TRUTH = RNG.random((200, 4)) < 0.4
PREDICTED = TRUTH ^ (RNG.random((200, 4)) < 0.1)


def test_label_sets_are_those_of_scikit_learn() -> None:
    found = measure.label_sets(TRUTH, PREDICTED)
    assert found["error_rate"].value == pytest.approx(1 - metrics.accuracy_score(TRUTH, PREDICTED))
    assert found["hamming_loss"].value == pytest.approx(metrics.hamming_loss(TRUTH, PREDICTED))
    for kind, name in (("samples", ""), ("micro", "micro_"), ("macro", "macro_")):
        for what, function in (("precision", metrics.precision_score), ("recall", metrics.recall_score), ("f1", metrics.f1_score)):
            expected = function(TRUTH, PREDICTED, average=kind, zero_division=0)
            assert found[name + what].value == pytest.approx(expected), name + what
            assert 0 < found[name + what].standard_error < 0.1


def test_probabilities_mean_what_they_say() -> None:
    chance = RNG.random(20_000)
    right = RNG.random(20_000) < chance
    told = measure.reliability(chance, right)
    assert sum(one.items for one in told.bins) == 20_000
    assert all(abs(one.right - one.probability) < 4.5 * one.standard_error for one in told.bins)
    assert told.expected_calibration_error == pytest.approx(
        sum(one.items * abs(one.right - one.probability) for one in told.bins) / 20_000)
    curve = measure.reject_curve(chance, right, points=5)
    assert curve[0].coverage == 1.0 and curve[0].error == pytest.approx(1 - right.mean())
    assert curve[-1].error < curve[0].error


def test_roles_are_matched() -> None:
    truth = RNG.random((4, 20)) < 0.3
    order = np.array([2, 0, 3, 1])
    match = measure.match_roles(truth, truth[order])
    assert match.error == 0.0 and np.array_equal(order[match.partner], np.arange(4))
    assert measure.match_roles(truth, truth[:3]).partner.tolist() == [0, 1, 2, -1]
    assert measure.reconstruction_error(TRUTH, PREDICTED) == np.mean(TRUTH != PREDICTED)
    assert measure.coverage(PREDICTED, TRUTH) == PREDICTED[TRUTH].mean()
    assert measure.stability(TRUTH, TRUTH[:, order]) == (0.0, 1.0)
    assert 0.2 < measure.stability(TRUTH, PREDICTED).instability < 0.5  # 1 - 0.9^4


@pytest.mark.parametrize(("call", "text"), [
    (lambda: measure.label_sets(TRUTH, PREDICTED[:5]), "tables: rows: 5 values where there must be 200"),
    (lambda: measure.label_sets(TRUTH[0], PREDICTED), "y_true: a table of labels has two dimensions; this one has 1"),
    (lambda: measure.reliability([0.5, 1.5], [1, 0]), "probability: 1.5 is outside [0, 1]"),
    (lambda: measure.reliability([0.5], [1, 0]), "right: 2 values where there must be 1"),
    (lambda: measure.reliability([[0.5]], [1]), "probability: one number per item is expected"),
    (lambda: measure.reliability([0.5], [1], bins=0), "bins: there must be one at least"),
])
def test_what_is_wrong_is_told(call: Callable[[], Any], text: str) -> None:
    with pytest.raises(motet.InputError) as refused:
        call()
    assert str(refused.value) == text
