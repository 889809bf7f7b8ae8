"""What estimators say of themselves in a notebook and on a page."""
from __future__ import annotations

import json
import pathlib
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import motet
from motet import datasets

MAKERS: dict[str, Callable[[], Any]] = {
    "judges": lambda: motet.Judges().fit(datasets.load_votes().votes),
    "numbers": lambda: motet.NumericJudges(mean=0, variance=1, noise="channel").fit(np.random.default_rng(1).normal(size=(50, 3))),
    "multilabel": lambda: motet.MultiLabelClassifier().fit(datasets.load_items().data, datasets.load_items().target),
    "superset": lambda: motet.SupersetClassifier(method="naive").fit(datasets.load_candidates().data, datasets.load_candidates().target),
    "roles": lambda: motet.RoleMiner(2).fit(np.random.default_rng(1).random((30, 6)) < 0.4),
    "temporal": lambda: motet.TemporalMixture(2).fit(datasets.load_machine().data),
    "discover": lambda: motet.Discovery().start(datasets.load_events().data).answer(3, "<odd>"),
}
SAID = {"judges": "7 judges, 300 items, 1884 votes, 3 classes", "numbers": "3 judges", "multilabel": "4 labels in ",
        "superset": "4 classes, ", "roles": "2 roles of 30 users over 6 permissions", "temporal": "2 states of 3 features",
        "discover": "1 rows answered of "}


@pytest.mark.parametrize("name", MAKERS)
def test_a_fitted_estimator_tells_what_it_found(name: str, tmp_path: pathlib.Path) -> None:
    fitted = MAKERS[name]()
    told = fitted._repr_html_()
    assert SAID[name] in told
    tree = ElementTree.fromstring(told)  # well-formed
    bars = fitted._told().bars
    assert len(tree.findall(".//{http://www.w3.org/2000/svg}svg")) == len(bars) > 0
    bundle = fitted.plot()._repr_mimebundle_()
    spec = json.loads(json.dumps(bundle["application/vnd.vegalite.v5+json"]))
    assert [row["name"] for row in spec["data"]["values"]] == bars[0].names
    assert [row["value"] for row in spec["data"]["values"]] == pytest.approx(bars[0].values)
    assert bundle["text/plain"] == f"Plot({bars[0].title!r})"
    fitted.report(tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and told in page and "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_names_are_no_markup() -> None:
    told = motet.Judges(noise="symmetric").fit([(i, judge, "<b>" if i % 2 else "&") for i in range(9) for judge in ("<i>", "b", "c")])
    assert "<i>" not in told._repr_html_() and "&lt;i&gt;" in told._repr_html_()


def test_models_of_files_tell_what_they_know(tmp_path: pathlib.Path) -> None:
    for name, maker in MAKERS.items():
        if name != "discover":
            fitted = maker()
            fitted.save(tmp_path / name)
            assert type(fitted).load(tmp_path / name)._repr_html_().startswith("<div>")


def test_before_a_fit_there_is_nothing_to_tell() -> None:
    assert motet.Judges(starts=2)._repr_html_() == "<div><strong>Judges(starts=2)</strong><div>not fitted</div></div>"
    with pytest.raises(ValueError, match="not fitted yet"):
        motet.Judges().plot()
    with pytest.raises(ValueError, match="not fitted yet"):
        motet.Judges().report("x.html")


def test_many_bars_are_the_first_ones() -> None:
    votes = [(i, j, int(i % 2 == (j % 3 > 0))) for i in range(20) for j in range(40)]
    told = motet.Judges(noise="symmetric", prior="uniform").fit(votes)._repr_html_()
    assert "(the first 30 of 40)" in told and told.count("<circle") == 32
