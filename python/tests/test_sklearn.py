"""scikit-learn's own checks of estimators, and its tools around ours."""
from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from motet import Judges, MultiLabelClassifier, RoleMiner, SupersetClassifier, TemporalMixture

ESTIMATORS = [
    MultiLabelClassifier(),
    MultiLabelClassifier(background=True, prior_strength=1.0),
    SupersetClassifier(),
    TemporalMixture(2),
    RoleMiner(2),
]

@parametrize_with_checks(ESTIMATORS)  # type: ignore[misc]
@pytest.mark.filterwarnings("default")
def test_checks_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def test_the_defaults_are_parameters_that_were_not_given() -> None:
    for estimator in (Judges(), *ESTIMATORS):
        copy = clone(estimator)
        assert copy.get_params() == estimator.get_params()
        assert repr(copy) == repr(estimator)


@pytest.fixture(scope="module")
def blobs() -> Any:
    return make_blobs(150, centers=3, random_state=1, cluster_std=1.0)


@pytest.mark.parametrize("classifier", [MultiLabelClassifier(covariance="full"), SupersetClassifier(method="logistic-em")])
def test_pipelines_and_searches(blobs: Any, classifier: Any) -> None:
    X, y = blobs
    pipeline = make_pipeline(StandardScaler(), classifier)
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.9  # the blobs hardly overlap
    name = type(classifier).__name__.lower()
    grid = {f"{name}__random_state": [1, 2], f"{name}__n_jobs": [1]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(X, y)
    assert search.best_score_ > 0.9
    assert np.array_equal(pickle.loads(pickle.dumps(search)).predict(X), search.predict(X))


def test_a_search_for_the_number_of_states() -> None:
    X, _ = make_blobs(200, centers=4, random_state=2, cluster_std=0.5)
    search = GridSearchCV(TemporalMixture(starts=3), {"n_components": [1, 2, 4]}, cv=3).fit(X)
    assert search.best_params_ == {"n_components": 4}


def test_joblib_runs_fits_in_other_processes(blobs: Any) -> None:
    from joblib import Parallel, delayed

    X, y = blobs
    here = [SupersetClassifier(random_state=seed).fit(X, y).model_.text() for seed in (1, 2)]
    there = Parallel(n_jobs=2)(delayed(SupersetClassifier(random_state=seed, n_jobs=1).fit)(X, y) for seed in (1, 2))
    assert [one.model_.text() for one in there] == here


def test_roles_come_out_as_a_frame() -> None:
    rng = np.random.default_rng(1)
    X = rng.random((40, 3)) < 0.5
    held = (X @ (rng.random((3, 12)) < 0.4)) > 0
    miner = RoleMiner(2).fit(held)
    assert miner.transform(held).dtype == bool
    frame = miner.set_output(transform="pandas").transform(held)
    assert list(frame.columns) == [role.name for role in miner.roles_]
    with pytest.raises(ValueError, match="^transform: 'polars' is neither 'default' nor 'pandas'$"):
        miner.set_output(transform="polars")
