"""Classifiers, roles and states: the bytes of the command line, every form of data, and what goes wrong."""
from __future__ import annotations

import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import motet
from motet import MultiLabelClassifier, RoleMiner, SupersetClassifier, TemporalMixture

Sample = Callable[[str], str]
Program = Callable[..., str]
LABELS = ["label1", "label2", "label3", "label4"]


def exact(path: Any) -> Any:
    return pd.read_csv(path, float_precision="round_trip", keep_default_na=False)


@pytest.fixture
def items(sample: Sample) -> Any:
    return exact(sample("multilabel/items.csv"))


@pytest.fixture
def candidates(sample: Sample) -> Any:
    return exact(sample("superset/candidates.csv"))


@pytest.fixture
def access(sample: Sample) -> Any:
    return exact(sample("roles/access.csv"))


def told_roles(path: Any) -> list[Any]:
    table = exact(path)
    return sorted(table[table["role"] != ""][["user", "role"]].itertuples(index=False, name=None))


def columns(frame: Any, count: int) -> Any:
    return frame[[f"x{i}" for i in range(1, count + 1)]]


# --- the bytes of the command line --------------------------------------------------


def test_multilabel_is_that_of_the_command_line(items: Any, sample: Sample, program: Program, tmp_path: pathlib.Path) -> None:
    path = sample("multilabel/items.csv")
    program("multilabel", "train", path, "--label-columns", ",".join(LABELS), "--covariance", "full", "--model", "m.json",
            "--seed", 3)
    program("multilabel", "predict", path, "--label-columns", ",".join(LABELS), "--model", "m.json", "--out", "p.csv",
            "--marginals", "q.csv")
    classifier = MultiLabelClassifier(covariance="full", random_state=3).fit(columns(items, 6), items[LABELS])
    classifier.save(tmp_path / "p.json")
    assert (tmp_path / "p.json").read_bytes() == (tmp_path / "m.json").read_bytes()
    told = classifier.decide(columns(items, 6))
    sets = ["|".join(np.array(LABELS)[row > 0]) for row in told["sets"]]
    assert sets == list(exact(tmp_path / "p.csv")["labels"])
    assert np.array_equal(told["marginal"], exact(tmp_path / "q.csv")[LABELS].to_numpy())
    loaded = MultiLabelClassifier.load(tmp_path / "m.json")
    assert np.array_equal(loaded.predict(columns(items, 6)), told["sets"])
    assert list(loaded.classes_) == LABELS
    assert classifier.score(columns(items, 6), items[LABELS]) > 0.6


def test_sources_are_separated_as_the_command_line_does(items: Any, sample: Sample, program: Program,
                                                        tmp_path: pathlib.Path) -> None:
    path, X = sample("multilabel/items.csv"), columns(items, 6)
    program("multilabel", "train", path, "--label-columns", ",".join(LABELS), "--standardize", "--model", "m.json")
    program("multilabel", "separate", path, "--label-columns", ",".join(LABELS), "--model", "m.json", "--spread", "--out", "s.csv")
    classifier = MultiLabelClassifier(standardize=True).fit(X, items[LABELS])
    found, table = classifier.separate(X, items[LABELS]), exact(tmp_path / "s.csv")
    assert list(found.source) == list(table["source"])
    assert list(found.item + 1) == list(table["item"])
    assert np.array_equal(found.mean, table[found.columns].to_numpy())
    assert np.array_equal(found.deviation, table[[f"{name}_sd" for name in found.columns]].to_numpy())
    program("multilabel", "separate", path, "--label-columns", ",".join(LABELS), "--model", "m.json", "--predicted", "--out", "s.csv")
    assert np.array_equal(classifier.separate(X).mean, exact(tmp_path / "s.csv")[found.columns].to_numpy())
    with pytest.raises(ValueError, match="^y: 2 columns for 4 labels$"):
        classifier.separate(X, items[LABELS[:2]])
    sets = MultiLabelClassifier(background=True).fit(X, [{name for name in LABELS if row[name]} for _, row in items.iterrows()])
    assert set(sets.separate(X[:9], [{"label1"}] * 9).source) == {"label1", "background"}
    with pytest.raises(ValueError, match="^y: row 1: 'z' is not one of the labels$"):
        sets.separate(X[:1], [{"z"}])
    with pytest.raises(ValueError, match="^model: of method='new', has one source per label set"):
        MultiLabelClassifier(method="new").fit(X, items[LABELS]).separate(X)


def test_superset_is_that_of_the_command_line(candidates: Any, sample: Sample, program: Program, tmp_path: pathlib.Path) -> None:
    path = sample("superset/candidates.csv")
    program("superset", "train", path, "--truth-column", "truth", "--method", "logistic-em", "--model", "m.json")
    program("superset", "predict", path, "--model", "m.json", "--out", "p.csv")
    X = columns(candidates, 3)
    classifier = SupersetClassifier(method="logistic-em").fit(X, [set(one.split("|")) for one in candidates["candidates"]])
    classifier.save(tmp_path / "p.json")
    assert (tmp_path / "p.json").read_bytes() == (tmp_path / "m.json").read_bytes()
    table = exact(tmp_path / "p.csv")
    assert list(classifier.predict(X)) == list(table["label"])
    assert np.array_equal(classifier.predict_proba(X), table[list(classifier.classes_)].to_numpy())
    assert np.array_equal(SupersetClassifier.load(tmp_path / "m.json").predict(X), classifier.predict(X))
    assert classifier.score(X, candidates["truth"]) == np.mean(table["label"] == candidates["truth"])


def test_roles_are_those_of_the_command_line(access: Any, sample: Sample, program: Program, tmp_path: pathlib.Path) -> None:
    path = sample("roles/access.csv")
    program("roles", "mine", path, "--roles", 5, "--model", "m.json", "--assignments", "a.csv", "--exceptions", "e.csv",
            "--roles-out", "r.csv", "--seed", 2)
    miner = RoleMiner(5, random_state=2).fit(access)
    miner.save(tmp_path / "p.json")
    assert (tmp_path / "p.json").read_bytes() == (tmp_path / "m.json").read_bytes()
    told = [(user, miner.roles_[k].name) for user, row in zip(miner.users_, miner.assignments_) for k in np.flatnonzero(row)]
    assert sorted(told) == told_roles(tmp_path / "a.csv")
    exceptions = [tuple(one) for one in miner.exceptions_]
    assert exceptions == list(exact(tmp_path / "e.csv").itertuples(index=False, name=None))
    program("roles", "assign", path, "--model", "m.json", "--assignments", "b.csv")
    assigned = RoleMiner.load(tmp_path / "m.json").transform(access)
    names = [role.name for role in miner.roles_]
    told = [(user, names[k]) for user, row in zip(miner.users_, assigned) for k in np.flatnonzero(row)]
    assert sorted(told) == told_roles(tmp_path / "b.csv")


def test_a_range_of_roles_and_rules_are_those_of_the_command_line(access: Any, sample: Sample, program: Program,
                                                                  tmp_path: pathlib.Path) -> None:
    path = sample("roles/access.csv")
    program("roles", "mine", path, "--roles", "2..7", "--attributes", sample("roles/hr.csv"), "--attribute-weight", 0.5,
            "--model", "m.json")
    miner = RoleMiner(range(2, 8), attribute_weight=0.5).fit(access, attributes=exact(sample("roles/hr.csv")))
    assert miner.model_.text() == (tmp_path / "m.json").read_bytes()
    a, b, c = miner.permissions_[:3]
    (tmp_path / "keep.csv").write_text(f"role,permission\nold,{a}\nold,{c}\nother,{c}\n")
    (tmp_path / "apart.csv").write_text(f"first,second\n{a},{b}\n")
    (tmp_path / "users.csv").write_text("first,second\nold,other\n")
    program("roles", "mine", path, "--roles", 4, "--keep", "keep.csv", "--never-share-role", "apart.csv",
            "--never-share-user", "users.csv", "--model", "k.json")
    kept = RoleMiner(4).fit(access, keep={"old": [a, c], "other": [c]}, never_share_role=[(a, b)],
                            never_share_user=[("old", "other")])
    assert kept.model_.text() == (tmp_path / "k.json").read_bytes()
    assert kept.roles_[0].name == "old" and kept.roles_[0].permissions == [a, c]
    assert not (kept.components_[:, 0] & kept.components_[:, 1]).any()
    chosen = RoleMiner(range(2, 4)).fit(access, never_share_role=[(a, b)])
    assert chosen.warnings_[-1] == "the number of roles was chosen without regard to never_share_role"
    with pytest.raises(ValueError, match="^constraints and kept roles work with method='mac' or sac only$"):
        RoleMiner(2, method="dbps").fit(access, never_share_role=[(a, b)])


@pytest.mark.parametrize("options", [{"radius": 3}, {"method": "hmm"}, {"covariance": "tied"}, {"emission": "student-t"}])
def test_states_are_those_of_the_command_line(sample: Sample, program: Program, tmp_path: pathlib.Path,
                                              options: dict[str, Any]) -> None:
    path = sample("temporal/machine.csv")
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    program("temporal", "fit", path, "--components", 3, "--leave-out", "y", *words, "--model", "m.json", "--seed", 4,
            "--assignments", "a.csv")
    X = columns(exact(path), 3)
    mixture = TemporalMixture(3, random_state=4, **options).fit(X)
    mixture.save(tmp_path / "p.json")
    assert (tmp_path / "p.json").read_bytes() == (tmp_path / "m.json").read_bytes()
    assert np.array_equal(TemporalMixture.load(tmp_path / "m.json").predict(X), mixture.predict(X))
    if "method" not in options:  # of a chain, labels_ are the path
        told = exact(tmp_path / "a.csv")["component"]
        assert list(mixture.labels_) == list(told - told.min())


def test_classes_of_rows_are_those_of_the_command_line(sample: Sample, program: Program, tmp_path: pathlib.Path) -> None:
    table = exact(sample("temporal/machine.csv"))
    known = [label if row % 10 == 0 else None for row, label in enumerate(table["y"])]
    table.assign(y=["" if one is None else one for one in known]).to_csv(tmp_path / "t.csv", index=False)
    program("temporal", "fit", "t.csv", "--components", 6, "--labels-column", "y", "--model", "m.json",
            "--assignments", "a.csv")
    mixture = TemporalMixture(6).fit(columns(table, 3), classes=known)
    assert mixture.model_.text() == (tmp_path / "m.json").read_bytes()
    found = mixture.predict_class(columns(table, 3))
    told = exact(tmp_path / "a.csv")["class"]
    is_known = np.array([one is not None for one in known])
    assert list(found[~is_known]) == list(told[~is_known])  # the command line tells what is known as it was given


# --- forms of data --------------------------------------------------------------------


def test_labels_in_every_form(items: Any) -> None:
    X, table = columns(items, 6), items[LABELS].to_numpy()
    first = MultiLabelClassifier().fit(X, table)
    sets = [{LABELS[k] for k in np.flatnonzero(row)} for row in table]
    for form in (table.astype(bool), scipy.sparse.csr_matrix(table), table.tolist(), items[LABELS]):
        again = MultiLabelClassifier().fit(X, form)
        assert np.array_equal(again.predict_proba(X), first.predict_proba(X))
    told = MultiLabelClassifier().fit(X, sets).predict(X)
    assert [one == {LABELS[k] for k in np.flatnonzero(row)} for one, row in zip(told, first.predict(X))] == [True] * len(items)
    rejected = first.decide(X, reject_below=0.9)
    assert rejected["rejected"].any() and not rejected["sets"][rejected["rejected"] > 0].any()


def test_features_in_every_form(items: Any) -> None:
    y = items[LABELS].to_numpy()
    values = columns(items, 6).to_numpy()
    expected = MultiLabelClassifier().fit(values, y).predict_proba(values)
    for form in (np.asfortranarray(values), values[::-1][::-1], scipy.sparse.csr_matrix(values), values.tolist()):
        assert np.array_equal(MultiLabelClassifier().fit(form, y).predict_proba(form), expected)
    single = values.astype(np.float32)
    assert np.array_equal(MultiLabelClassifier().fit(single, y).predict_proba(single),
                          MultiLabelClassifier().fit(single.astype(float), y).predict_proba(single.astype(float)))


def test_candidates_in_every_form(candidates: Any) -> None:
    X = columns(candidates, 3)
    sets = [set(one.split("|")) for one in candidates["candidates"]]
    first = SupersetClassifier(method="naive").fit(X, sets)
    table = np.array([[name in one for name in first.classes_] for one in sets])
    for form in (table, table.astype(float), scipy.sparse.csr_matrix(table.astype(int)), [dict.fromkeys(one, 1.0) for one in sets],
                 pd.DataFrame(table, columns=first.classes_)):
        assert np.array_equal(SupersetClassifier(method="naive").fit(X, form).predict_proba(X), first.predict_proba(X))
    weights = np.where(table, [1.0, 2.0, 4.0], 0.0)[:, :table.shape[1]] if table.shape[1] == 3 else table * 2.0
    heavier = SupersetClassifier(method="naive").fit(X, weights)
    assert heavier.classes_.tolist() == list(range(table.shape[1]))
    assert np.allclose(first.disambiguated_.sum(axis=1), 1.0)
    assert (first.disambiguated_[~table] < 1e-6).all()
    assert np.allclose(first.disambiguate(X, sets), first.disambiguated_)
    found = first.predict_set(X, coverage=0.9)
    assert found.shape == table.shape and found.any(axis=1).all()
    unsure = first.predict(X, abstain_below=0.999)
    assert None in list(unsure)
    named = SupersetClassifier(method="naive").fit(X, sets, classes=[*first.classes_, "never"])
    assert named.predict_proba(X).shape == (len(X), len(first.classes_) + 1)


def test_access_in_every_form(access: Any) -> None:
    table = pd.crosstab(access["user"], access["permission"]).loc[access["user"].unique(), access["permission"].unique()]
    first = RoleMiner(4).fit(access)
    sparse = scipy.sparse.csr_matrix(table.to_numpy())
    for form in (table, table > 0, table.to_numpy(), table.to_numpy() > 0, sparse, sparse.tocoo(), sparse.astype(bool)):
        again = RoleMiner(4).fit(form)
        assert np.array_equal(again.components_, first.components_)
        assert np.array_equal(again.assignments_, first.assignments_)
        assert np.array_equal(again.transform(form), again.assignments_)
    assert [role.permissions for role in RoleMiner(4).fit(table).roles_] == [role.permissions for role in first.roles_]
    back = first.inverse_transform(first.assignments_)
    assert np.mean(back != (table.to_numpy() > 0)) == pytest.approx(first.training_error_)
    assert np.count_nonzero(back != (table.to_numpy() > 0)) == len(first.exceptions_)
    assert first.role_probabilities(access).shape == first.assignments_.shape


def test_a_grant_is_explained(access: Any) -> None:
    miner = RoleMiner(4).fit(access)
    kinds = set()
    exceptions = {(one.user, one.permission): one.kind for one in miner.exceptions_}
    held = set(access[["user", "permission"]].itertuples(index=False, name=None))
    for user in miner.users_[:20]:
        for permission in miner.permissions_:
            told = miner.explain(user, permission)
            assert told.held == ((user, permission) in held)
            assert told.exception == exceptions.get((user, permission))
            assert all(permission in role.permissions for role in miner.roles_ if role.name in told.roles)
            kinds.add((told.held, told.granted))
    assert len(kinds) >= 3
    one = miner.exceptions_[0]
    assert f"an exception ({one.kind})" in str(miner.explain(one.user, one.permission))
    with pytest.raises(ValueError, match="^user: 'nobody' is not in the data$"):
        miner.explain("nobody", miner.permissions_[0])


def test_a_mixture_in_the_manner_of_others() -> None:
    planted = TemporalMixture(2)
    rng = np.random.default_rng(0)
    states = np.repeat([0, 1, 0, 1], 100)
    X = rng.normal(states[:, None] * 4.0, 1.0, (400, 2))
    mixture = TemporalMixture(2, method="hmm").fit(X, lengths=[200, 200])
    assert mixture.transmat_.shape == (2, 2)
    assert np.allclose(mixture.transmat_.sum(axis=1), 1.0) and np.allclose(mixture.weights_.sum(), 1.0)
    assert max(np.mean(mixture.labels_ == states), np.mean(mixture.labels_ != states)) > 0.97
    rows, drawn = mixture.sample(300)
    assert rows.shape == (300, 2) and set(drawn) == {0, 1}
    assert np.count_nonzero(np.diff(drawn)) < 60  # states last
    assert mixture.score(rows) == pytest.approx(mixture.score(X), abs=0.5)
    assert mixture.bic(X, lengths=[200, 200]) == pytest.approx(
        mixture.n_parameters_ * np.log(400) - 800 * mixture.score(X, lengths=[200, 200]))
    assert mixture.aic(X) < mixture.bic(X)
    still = TemporalMixture(2).fit(X)
    assert still.transmat_ is None
    assert still.log_likelihood_ == pytest.approx(still.score(X))
    from sklearn.mixture import GaussianMixture

    other = GaussianMixture(2, random_state=1, tol=1e-8).fit(X)
    assert still.score(X) == pytest.approx(other.score(X), abs=1e-3)
    order = np.argsort(other.means_[:, 0])
    assert np.allclose(still.means_[np.argsort(still.means_[:, 0])], other.means_[order], atol=0.05)
    with pytest.raises(ValueError, match="^stack: a model of several rows side by side cannot be drawn from$"):
        TemporalMixture(2, stack=1).fit(X).sample(1)
    with pytest.raises(ValueError, match="not fitted yet"):
        planted.sample(1)


@pytest.mark.parametrize("estimator", ["multilabel", "superset", "roles", "temporal"])
def test_pickled_models_say_the_same(estimator: str, items: Any, access: Any) -> None:
    X = columns(items, 6)
    makers: dict[str, Callable[[], Any]] = {"multilabel": lambda: MultiLabelClassifier().fit(X, items[LABELS]),
                   "superset": lambda: SupersetClassifier(method="naive").fit(X, items["label1"]),
                   "roles": lambda: RoleMiner(3).fit(access), "temporal": lambda: TemporalMixture(2).fit(X)}
    fitted = makers[estimator]()
    other = pickle.loads(pickle.dumps(fitted))
    given = access if estimator == "roles" else X
    ask = "transform" if estimator == "roles" else "predict"
    assert np.array_equal(getattr(other, ask)(given), getattr(fitted, ask)(given))


def test_models_of_files_know_their_columns(tmp_path: pathlib.Path) -> None:
    X = pd.DataFrame(GOOD, columns=["a", "b"])
    estimators: list[Any] = [TemporalMixture(2), SupersetClassifier(method="naive"), MultiLabelClassifier(), RoleMiner(1)]
    for estimator in estimators:
        ask = "transform" if isinstance(estimator, RoleMiner) else "predict"
        estimator.fit(GOOD, LABEL).save(tmp_path / "m.json")  # warnings are errors here
        assert len(getattr(type(estimator).load(tmp_path / "m.json"), ask)(GOOD)) == 6
        estimator.fit(X, LABEL).save(tmp_path / "m.json")
        loaded = type(estimator).load(tmp_path / "m.json")
        assert list(loaded.feature_names_in_) == ["a", "b"] and len(getattr(loaded, ask)(X)) == 6
        with pytest.warns(UserWarning, match="X does not have valid feature names, but"):
            getattr(loaded, ask)(GOOD)
        with pytest.raises(ValueError, match="Feature names unseen at fit time:\n- c\n"):
            getattr(loaded, ask)(X.rename(columns={"b": "c"}))


# --- what goes wrong ------------------------------------------------------------------

GOOD = np.arange(12.0).reshape(6, 2)
LABEL = [0, 1, 0, 1, 0, 1]
WORD: Any = "two"


@pytest.mark.parametrize("estimator", [MultiLabelClassifier(), SupersetClassifier(method="naive"), TemporalMixture(2), RoleMiner(2)])
@pytest.mark.parametrize(("X", "text"), [
    (GOOD[0], "X: Expected 2D array, got 1D array instead. Reshape your data with X.reshape(-1, 1) if it has a single "
              "feature, or X.reshape(1, -1) if it is a single item"),
    (GOOD[:, :0], "X: Found array with 0 feature(s) (shape=(6, 0)) while a minimum of 1 is required."),
    (np.where(GOOD == 3, np.nan, GOOD), "X: row 2, column 2 is NaN"),
    (np.where(GOOD == 4, -np.inf, GOOD), "X: row 3, column 1 is infinite (inf)"),
    (np.full((6, 2), "a"), "X: not all are numbers: could not convert string to float: 'a'"),
    (np.full((6, 2), "a", object), "X: not all are numbers: could not convert string to float: 'a'"),
    (GOOD + 1j, "X: Complex data not supported: it holds complex numbers"),
])
def test_bad_features_are_refused(estimator: Any, X: Any, text: str) -> None:
    with pytest.raises(motet.InputError) as refused:
        estimator.fit(X, LABEL)
    assert (str(refused.value), refused.value.argument) == (text, "X")
    with pytest.raises(ValueError, match=r"Found array with 0 sample\(s\)"):
        estimator.fit(GOOD[:0], [])


@pytest.mark.parametrize(("call", "text"), [
    (lambda: MultiLabelClassifier().fit(GOOD, LABEL[:5]), "y: 5 entries for 6 rows of X"),
    (lambda: MultiLabelClassifier().fit(GOOD, [[2, 0]] * 6 and np.full((6, 2), 2)), "y: a table of labels has 0 and 1, not 2"),
    (lambda: MultiLabelClassifier().fit(GOOD, np.full((6, 2), "x")), "y: a table of labels has 0 and 1, not 'x'"),
    (lambda: MultiLabelClassifier().fit(GOOD, [0.5] * 6), "y: Unknown label type: 'continuous', numbers that are not whole"),
    (lambda: MultiLabelClassifier().fit(GOOD, [{1}, {"1"}] * 3), "y: two labels are written alike"),
    (lambda: SupersetClassifier().fit(GOOD, np.full((6, 2), -1.0)), "y: row 1, column 1: weight -1 is negative"),
    (lambda: SupersetClassifier().fit(GOOD, np.full((6, 2), np.nan)), "y: a weight is NaN or infinite"),
    (lambda: SupersetClassifier().fit(GOOD, [0] * 6), "y: there is one class only; at least two classes are needed"),
    (lambda: SupersetClassifier().fit(GOOD, [{"a"}] * 6, classes=["b", "c"]), "y: row 1: candidate 'a' is not one of the classes"),
    (lambda: SupersetClassifier().fit(GOOD, np.ones((6, 2)), classes=["b"]), "classes: 1 names for 2 columns of candidates"),
    (lambda: SupersetClassifier().fit(GOOD, [None] * 6), "y: a class is missing"),
    (lambda: TemporalMixture(0).fit(GOOD), "n_components: 0 is not a number from 1 to 250"),
    (lambda: TemporalMixture(WORD).fit(GOOD), "n_components: 'two' is not a number from 1 to 250"),
    (lambda: TemporalMixture(2).fit(GOOD, lengths=[2, 3]), "lengths: they sum to 5, but X has 6 rows"),
    (lambda: TemporalMixture(2).fit(GOOD, lengths=[6, 0]), "lengths: a sequence has at least one row"),
    (lambda: TemporalMixture(2).fit(GOOD, classes=["a"]), "classes: 1 entries for 6 rows of X"),
    (lambda: TemporalMixture(2).fit(GOOD).predict_class(GOOD), "classes: the fit was given none"),
    (lambda: TemporalMixture(2, floor=7).fit(GOOD), "floor=7 is outside [0, 1]"),
    (lambda: RoleMiner().fit(GOOD), "n_roles: must be given, a number of roles or a range"),
    (lambda: RoleMiner(0).fit(GOOD), "n_roles: 0 is neither a number of roles nor a range"),
    (lambda: RoleMiner(range(0)).fit(GOOD), "n_roles: range(0, 0) is not a range of numbers of roles"),
    (lambda: RoleMiner(2).fit(-GOOD), "X: Negative values in data passed to RoleMiner: a permission is held (above 0) or not (0)"),
    (lambda: RoleMiner(2).fit(scipy.sparse.csr_matrix(-GOOD)),
     "X: Negative values in data passed to RoleMiner: a permission is held (above 0) or not (0)"),
    (lambda: RoleMiner(2).fit(scipy.sparse.csr_matrix([[np.nan]])), "X: an entry is NaN or infinite"),
    (lambda: RoleMiner(2).fit(pd.DataFrame({"user": [], "permission": []})), "X: there are no rows"),
    (lambda: RoleMiner(2).fit(pd.DataFrame({"user": ["a", None], "permission": ["p", "q"]})), "X: row 2: the user is missing"),
    (lambda: RoleMiner(2).fit(GOOD, attributes=[1]), "attributes: a list is no data frame"),
    (lambda: RoleMiner(2).fit(GOOD, attributes=pd.DataFrame({"a": [1]})), "attributes: 1 entries for 6 rows of X"),
    (lambda: RoleMiner(2).fit(GOOD, keep={"r": ["p"]}), "keep: permission 'p' is not in the data"),
    (lambda: RoleMiner(2).fit(GOOD, never_share_role=[("x0", "p")]), "never_share_role: permission 'p' is not in the data"),
    (lambda: RoleMiner(2).fit(GOOD, never_share_user=[("r", "s")]),
     "never_share_user: role 'r' is not among those that are kept"),
    (lambda: RoleMiner(2).fit(GOOD > 3).inverse_transform([[1]]), "X: (1, 1) is not one row per user and one column for each of 2 roles"),
])
def test_what_is_wrong_is_told(call: Callable[[], Any], text: str) -> None:
    with pytest.raises(motet.InputError) as refused:
        call()
    assert str(refused.value) == text


def test_models_of_another_task_are_refused(tmp_path: pathlib.Path) -> None:
    TemporalMixture(2).fit(GOOD).save(tmp_path / "m.json")
    kinds: list[Any] = [MultiLabelClassifier, SupersetClassifier, RoleMiner, motet.Judges]
    for kind in kinds:
        with pytest.raises(motet.ModelFileError, match="m.json: .*temporal"):
            kind.load(tmp_path / "m.json")
    (tmp_path / "n.json").write_bytes((tmp_path / "m.json").read_bytes()[:-40])
    with pytest.raises(motet.ModelFileError):
        TemporalMixture.load(tmp_path / "n.json")
