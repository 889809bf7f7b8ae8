"""Judges: every form of votes, the bytes of the command line, and what goes wrong."""
from __future__ import annotations

import copy
import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import motet
from motet import Judges

Sample = Callable[[str], str]
Program = Callable[..., str]


@pytest.fixture
def votes(sample: Sample) -> Any:
    return pd.read_csv(sample("judges/votes.csv"))


def test_the_model_has_the_bytes_of_the_command_line(votes: Any, sample: Sample, program: Program,
                                                     tmp_path: pathlib.Path) -> None:
    program("judges", "estimate", sample("judges/votes.csv"), "--model", "m.json", "--combined", "labels.csv")
    judges = Judges().fit(votes)
    judges.save(tmp_path / "p.json")
    assert (tmp_path / "p.json").read_bytes() == (tmp_path / "m.json").read_bytes()
    labels = pd.read_csv(tmp_path / "labels.csv", float_precision="round_trip")
    assert list(judges.labels_) == list(labels["label"])
    assert list(judges.labels_.index) == list(labels["item"])
    assert list(judges.probabilities_.max(axis=1)) == list(labels["probability"])


def test_options_and_seed_reach_the_fit(votes: Any, sample: Sample, program: Program, tmp_path: pathlib.Path) -> None:
    program("judges", "estimate", sample("judges/votes.csv"), "--model", "m.json", "--noise", "symmetric", "--bootstrap", 20,
            "--seed", 5, "--prior", "a=0.2,b=0.3,c=0.5", "--plain-em")
    judges = Judges(noise="symmetric", bootstrap=20, random_state=5, prior={"a": 0.2, "b": 0.3, "c": 0.5}, plain_em=True)
    judges.fit(votes).save(tmp_path / "p.json")
    assert (tmp_path / "p.json").read_bytes() == (tmp_path / "m.json").read_bytes()


def test_a_model_of_the_command_line_is_opened(votes: Any, sample: Sample, program: Program, tmp_path: pathlib.Path) -> None:
    program("judges", "estimate", sample("judges/votes.csv"), "--model", "m.json")
    loaded = Judges.load(tmp_path / "m.json")
    fitted = Judges().fit(votes)
    assert list(loaded.judges_) == list(fitted.judges_)
    assert np.array_equal(loaded.accuracy_, fitted.accuracy_)
    assert np.array_equal(loaded.confusion_, fitted.confusion_)
    pd.testing.assert_series_equal(loaded.predict(votes), fitted.labels_)


def test_the_command_line_opens_a_model_of_ours(votes: Any, sample: Sample, program: Program, tmp_path: pathlib.Path) -> None:
    fitted = Judges().fit(votes)
    fitted.save(tmp_path / "p.json")
    program("judges", "combine", sample("judges/votes.csv"), "--model", "p.json", "--combined", "labels.csv")
    assert list(pd.read_csv(tmp_path / "labels.csv")["label"]) == list(fitted.labels_)


@pytest.mark.parametrize("form", ["crowd-kit", "categories", "triples", "wide", "array", "objects", "masked", "shuffled codes"])
def test_every_form_gives_the_same(votes: Any, form: str) -> None:
    expected = Judges().fit(votes)
    wide = votes.pivot(index="item", columns="judge", values="label").loc[votes["item"].unique(), votes["judge"].unique()]
    if form == "crowd-kit":
        given = votes.rename(columns={"item": "task", "judge": "worker"})[["worker", "task", "label"]]
    elif form == "categories":
        given = votes.astype("category")
    elif form == "shuffled codes":
        given = votes.copy()
        for name in given:
            given[name] = pd.Categorical(given[name], categories=["unused", *sorted(set(given[name]), reverse=True)])
    elif form == "triples":
        given = list(votes.itertuples(index=False, name=None))
    elif form == "wide":
        given = wide
    elif form == "array":
        given = wide.replace({"a": 0.0, "b": 1.0, "c": 2.0}).to_numpy(float)
    elif form == "objects":
        given = wide.to_numpy(object)
    else:
        numbers = wide.replace({"a": 0, "b": 1, "c": 2}).to_numpy(float)
        masked: Any = np.ma
        given = masked.array(np.nan_to_num(numbers, nan=9).astype(int), mask=np.isnan(numbers))
    found = Judges().fit(given)
    assert np.array_equal(found.accuracy_, expected.accuracy_)
    assert np.array_equal(np.asarray(found.probabilities_), np.asarray(expected.probabilities_))
    names = {0: "a", 1: "b", 2: "c"}
    assert [names.get(label, label) for label in found.labels_] == list(expected.labels_)
    if form in ("array", "masked"):
        assert found.classes_.dtype.kind == "i"


def test_labels_keep_their_kind_and_come_in_natural_order() -> None:
    rows = [(item, judge, label) for item in range(12) for judge, label in enumerate([10 * (item % 2), 10 * (item % 2), 2])]
    judges = Judges(noise="symmetric", prior="uniform").fit(rows)
    assert list(judges.classes_) == [0, 2, 10]
    assert judges.labels_.dtype.kind == "i"


def test_fit_predict_is_crowd_kits(votes: Any) -> None:
    frame = votes.rename(columns={"item": "task", "judge": "worker"})
    labels = Judges().fit_predict(frame)
    assert isinstance(labels, pd.Series)
    assert labels.name == "agg_label"
    assert labels.index.name == "task"
    assert set(labels.index) == set(frame["task"])
    shares = Judges().fit_predict_proba(frame)
    assert list(shares.columns) == ["a", "b", "c"]
    assert np.allclose(shares.sum(axis=1), 1.0)


def test_gold_labels_count(votes: Any, sample: Sample, program: Program, tmp_path: pathlib.Path) -> None:
    gold = pd.read_csv(sample("judges/truth.csv"), index_col="item")["label"]
    program("judges", "estimate", sample("judges/votes.csv"), "--gold", sample("judges/truth.csv"), "--model", "m.json")
    by_series, by_mapping = Judges().fit(votes, gold=gold), Judges().fit(votes, gold=dict(gold))
    by_series.save(tmp_path / "p.json")
    assert (tmp_path / "p.json").read_bytes() == (tmp_path / "m.json").read_bytes()
    assert np.array_equal(by_mapping.accuracy_, by_series.accuracy_)
    in_order = Judges().fit(votes, gold=[gold[item] for item in votes["item"].unique()])
    assert np.array_equal(in_order.accuracy_, by_series.accuracy_)
    half = Judges().fit(votes, gold={name: label for name, label in gold.items() if int(name[4:]) % 2})
    assert not np.array_equal(half.accuracy_, by_series.accuracy_)
    assert list(by_series.labels_[gold.index]) == list(gold)


def test_partial_fit_adds_as_the_command_line_does(votes: Any, sample: Sample, program: Program,
                                                   tmp_path: pathlib.Path) -> None:
    more = pd.DataFrame({"item": ["n1", "n1", "n2"], "judge": ["judge1", "judge9", "judge1"], "label": ["a", "a", "b"]})
    more.to_csv(tmp_path / "new.csv", index=False)
    program("judges", "estimate", sample("judges/votes.csv"), "--model", "m.json")
    program("judges", "estimate", "--update", "new.csv", "--model", "m.json")
    judges = Judges().partial_fit(votes).partial_fit(more)
    judges.save(tmp_path / "p.json")
    assert (tmp_path / "p.json").read_bytes() == (tmp_path / "m.json").read_bytes()
    assert judges.judges_[-1] == "judge9"
    assert judges.labels_["n2"] == "b"


def test_learned_values(votes: Any) -> None:
    judges = Judges(noise="symmetric", dependence="pairwise", prior="uniform").fit(votes)
    assert judges.accuracy_interval_.shape == (7, 2)
    assert ((judges.accuracy_interval_[:, 0] < judges.accuracy_) & (judges.accuracy_ < judges.accuracy_interval_[:, 1])).all()
    assert np.allclose(judges.confusion_.sum(axis=2), 1.0)
    assert judges.confusion_interval_.shape == (7, 3, 3, 2)
    assert judges.votes_.sum() == len(votes)
    assert judges.effective_judges_ is not None and 1.0 < judges.effective_judges_ < 7.0
    assert np.allclose(judges.prior_, 1 / 3)
    assert judges.difficulty_ is None
    assert Judges().fit(votes).effective_judges_ is None
    (warning,) = Judges().fit(votes).warnings_
    assert warning.endswith("see how the labels change without one of them")
    hard = Judges(noise="glad").fit(votes).difficulty_
    assert hard is not None and hard.shape == (300,)


def test_a_new_judge_is_left_out(votes: Any) -> None:
    judges = Judges().fit(votes)
    few = [("x", "judge1", "a"), ("x", "stranger", "b")]
    assert np.array_equal(judges.predict_proba(few), judges.predict_proba(few[:1]))


def test_pickling_and_copies_keep_the_model(votes: Any) -> None:
    judges = Judges(confidence=0.9).fit(votes)
    for other in (pickle.loads(pickle.dumps(judges)), copy.deepcopy(judges)):
        pd.testing.assert_series_equal(other.predict(votes), judges.labels_)
        assert other.get_params() == judges.get_params()
        assert other.model_.text() == judges.model_.text()


def test_parameters_are_kept_as_given() -> None:
    judges = Judges(noise="glad", confidence=0.9)
    assert judges.get_params()["noise"] == "glad"
    assert judges.get_params()["prior"] is None
    assert judges.set_params(starts=2).starts == 2
    assert repr(judges) == "Judges(noise='glad', confidence=0.9, starts=2)"
    with pytest.raises(ValueError, match="Invalid parameter 'nois' for estimator"):
        judges.set_params(nois=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'nois'"):
        Judges(nois="glad")  # type: ignore[call-arg]


WORD: Any = "gladd"
LONG = pd.DataFrame({"item": ["x", "x", "y"], "judge": ["a", "b", "a"], "label": ["p", "q", "p"]})


@pytest.mark.parametrize(("given", "text"), [
    (7, "votes: a int is neither a data frame, nor an array, nor a list of triples"),
    ("votes.csv", "votes: a str is neither a data frame, nor an array, nor a list of triples"),
    ([], "votes: there are none"),
    (LONG[:0], "votes: there are none"),
    (np.full((3, 2), np.nan), "votes: there are none"),
    (np.zeros(3), "votes: an array has two dimensions, items and judges; this one has 1"),
    (LONG.drop(columns="item"), "votes: columns ['judge', 'label'] are not item,judge,label (or task,worker,label)"),
    (LONG.assign(label=["p", None, "p"]), "votes: row 2: the label is missing"),
    (LONG.assign(judge=["a", "", "b"]), "votes: row 2: the judge is missing"),
    (LONG.assign(item=["x", "y", np.nan]), "votes: row 3: the item is missing"),
    ([("x", "a", "p"), ("x", "b")], "votes: row 2 has 2 entries; (item, judge, label) has 3"),
    ([("x", "a", ["p"])], "votes: row 1: label is ['p'], not a name"),
    (["xap"], "votes: row 1 is 'xap', not (item, judge, label)"),
    ([("x", "a", 1), ("x", "b", "1"), ("y", "a", 2)], "votes: two labels are written '1'"),
    ([("x", "a", "p"), ("x", "b", "p")], "votes: at least two classes are needed"),
])
def test_bad_votes_are_refused(given: Any, text: str) -> None:
    with pytest.raises(motet.InputError) as refused:
        Judges().fit(given)
    assert str(refused.value) == text
    assert isinstance(refused.value, ValueError)
    assert isinstance(refused.value, motet.Error)


def test_two_votes_of_a_judge_on_an_item_are_refused() -> None:
    with pytest.raises(ValueError, match="judge 'a'.*'x'"):
        Judges().fit([("x", "a", "p"), ("x", "a", "q"), ("y", "a", "p")])


def test_words_of_the_data_are_no_options() -> None:
    from motet._errors import in_python

    assert in_python("label '--odd-one' is not one of {'--plain'}; use --plain-em") == \
        "label '--odd-one' is not one of {'--plain'}; use plain_em"
    assert in_python("--roles 7 is more than the 2 distinct users") == "n_roles=7 is more than the 2 distinct users"
    assert in_python("a model of --noise glad cannot be added to") == "a model of noise='glad' cannot be added to"
    assert in_python("--smoothing must be above 0") == "smoothing must be above 0"


def test_errors_name_the_argument(votes: Any) -> None:
    with pytest.raises(motet.Error) as refused:
        Judges(confidence=2.0).fit(votes)
    assert str(refused.value) == "confidence=2 is outside [0.5, 0.9999]"
    assert (refused.value.argument, refused.value.kind) == ("confidence", "usage")
    with pytest.raises(motet.Error) as refused:
        Judges(noise=WORD).fit(votes)
    assert str(refused.value) == "noise: 'gladd' is not one of {symmetric, confusion, glad, shared, subtypes, auto}"
    with pytest.raises(ValueError, match="^random_state: 'gladd' is not a seed$"):
        Judges(random_state=WORD).fit(votes)
    with pytest.raises(ValueError, match="^n_jobs: 0 threads cannot work; None or -1 is all processors$"):
        Judges(n_jobs=0).fit(votes)
    with pytest.raises(ValueError, match="^gold: label 'z' is not one of {'a', 'b', 'c'}$"):
        Judges().fit(votes, gold={"item1": "z"})
    with pytest.raises(ValueError, match="^gold: 1 labels for 300 items$"):
        Judges().fit(votes, gold=["a"])


def test_labels_the_model_does_not_know_are_refused(votes: Any) -> None:
    with pytest.raises(motet.InputError, match="^label 'z' is not one of {'a', 'b', 'c'}$"):
        Judges().fit(votes).predict([("x", "judge1", "z")])


def test_before_a_fit_nothing_is_told(votes: Any) -> None:
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError, match="This Judges instance is not fitted yet: call 'fit' before it."):
        Judges().predict(votes)
    judges = Judges().fit(votes)
    with pytest.raises(ValueError):
        judges.set_params(noise="gladd").fit(votes)


def test_files_of_others_are_refused(tmp_path: pathlib.Path, votes: Any) -> None:
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(motet.ModelFileError) as refused:
        Judges.load(tmp_path / "x.json")
    assert str(refused.value) == f"{tmp_path}/x.json: not a motet model file"
    Judges().fit(votes).save(tmp_path / "m.json")
    with pytest.raises(motet.ModelFileError, match="m.json: "):
        motet.NumericJudges.load(tmp_path / "m.json")
    with pytest.raises(FileNotFoundError):
        Judges.load(tmp_path / "none.json")


def test_numbers(program: Program, tmp_path: pathlib.Path) -> None:
    rng = np.random.default_rng(3)
    truth = rng.normal(2.0, 3.0, 400)
    said = truth[:, None] + rng.normal(0.0, [0.5, 1.0, 2.0], (400, 3))
    said[rng.random(said.shape) < 0.1] = np.nan
    frame = pd.DataFrame(said, columns=["a", "b", "c"])
    frame.insert(0, "item", [f"i{n}" for n in range(400)])
    frame.to_csv(tmp_path / "p.csv", index=False)
    program("judges", "regression", "p.csv", "--mean", 2, "--variance", 9, "--noise", "channel", "--model", "m.json",
            "--combined", "v.csv")
    judges = motet.NumericJudges(mean=2, variance=9, noise="channel").fit(frame)
    judges.save(tmp_path / "q.json")
    assert (tmp_path / "q.json").read_bytes() == (tmp_path / "m.json").read_bytes()
    assert list(judges.values_) == list(pd.read_csv(tmp_path / "v.csv", float_precision="round_trip")["value"])
    assert list(judges.values_.index[:2]) == ["i0", "i1"]
    assert np.allclose(judges.theta_, [0.5, 1.0, 2.0], rtol=0.25)
    loaded = motet.NumericJudges.load(tmp_path / "m.json")
    assert list(loaded.predict(frame)) == list(judges.values_)
    assert np.array_equal(loaded.mse_interval_, judges.mse_interval_)
    assert np.array_equal(judges.fit_predict(said), loaded.predict(frame))
    with pytest.raises(ValueError, match="^judge '0' is not in the model$"):
        loaded.predict(said)
    with pytest.raises(ValueError, match="^mean: must be given$"):
        motet.NumericJudges().fit(frame)
    with pytest.raises(ValueError, match="^predictions: not all are numbers$"):
        motet.NumericJudges(mean=0, variance=1, noise="channel").fit(np.array([["x", "y"]]))


def test_two_populations() -> None:
    rng = np.random.default_rng(5)
    sets = []
    for share in (0.8, 0.2):
        truth = rng.random(3000) < share
        said = np.where(rng.random(3000) < np.where(truth, 0.9, 0.7), truth, ~truth)
        sets.append([(n, "j", "no" if no else "yes") for n, no in enumerate(said)])
    a, b = sets
    (judge,) = motet.two_populations(a, b, {"no": 0.8, "yes": 0.2}, 0.2)
    assert judge["name"] == "j"
    # Four standard errors: one of 30,000 runs would fail, and this one is always the same.
    assert abs(judge["right_on_first"] - 0.9) < 4 * judge["right_on_first_error"] < 0.1
    assert abs(judge["right_on_second"] - 0.7) < 4 * judge["right_on_second_error"]
    low, high = judge["right_on_first_interval"]
    assert low < judge["right_on_first"] < high
    with pytest.raises(ValueError, match=r"^prior_a: names \['maybe'\], but the classes are \['no', 'yes'\]$"):
        motet.two_populations(a, b, {"maybe": 1.0}, 0.2)
    with pytest.raises(ValueError, match="^prior_b: the shares sum to 0.9, not to 1$"):
        motet.two_populations(a, b, 0.8, {"no": 0.4, "yes": 0.5})
