"""Fits as Python runs them: interrupted, side by side, again and again, with a bar."""
from __future__ import annotations

import concurrent.futures
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from motet import Judges, _core

WITHOUT_END = {"bootstrap": 100_000}  # would take hours


def votes_of(items: int, judges: int, classes: int, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    truth = rng.integers(classes, size=items)
    is_right = rng.random((items, judges)) < 0.6
    return np.where(is_right, truth[:, None], rng.integers(classes, size=(items, judges)))


@pytest.fixture(scope="module")
def votes() -> Any:
    return votes_of(3000, 6, 4, 1)


def test_an_interrupted_fit_leaves_the_object_unfitted(votes: Any) -> None:
    judges = Judges().fit(votes)
    judges.set_params(**WITHOUT_END)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        judges.fit(votes)
    with pytest.raises(ValueError, match="not fitted yet"):
        judges.predict(votes)
    assert not hasattr(judges, "accuracy_")
    assert judges.set_params(bootstrap=None).fit(votes).converged_


def test_other_threads_live_during_a_fit(votes: Any) -> None:
    seen = []

    def look() -> None:
        seen.append(threading.current_thread().name)  # needs the interpreter's lock
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.3, look).start()
    with pytest.raises(KeyboardInterrupt):
        Judges(**WITHOUT_END).fit(votes)  # type: ignore[arg-type]
    assert len(seen) == 1


def test_threads_do_not_change_the_bytes(votes: Any) -> None:
    texts = {Judges(n_jobs=n_jobs).fit(votes).model_.text() for n_jobs in (None, 1, 2, 4, -1, -2)}
    assert len(texts) == 1


def test_a_pool_of_four_gives_the_same_bytes() -> None:
    several = [votes_of(400, 5, 3, seed) for seed in range(8)]

    def text_of(given: Any) -> bytes:
        return bytes(Judges().fit(given).model_.text())

    one_by_one = [text_of(given) for given in several]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(text_of, several)) == one_by_one
    assert len(set(one_by_one)) == 8


def test_a_generator_is_drawn_from(votes: Any) -> None:
    def ends(state: Any) -> Any:
        return Judges(bootstrap=5, random_state=state).fit(votes[:200]).accuracy_interval_.tolist()

    assert ends(None) == ends(1) == ends(np.int64(1)) != ends(2)
    assert ends(np.random.RandomState(3)) == ends(np.random.RandomState(3)) != ends(np.random.RandomState(4))
    assert ends(np.random.default_rng(3)) == ends(np.random.default_rng(3))


def test_progress_is_shown_on_demand(votes: Any, capfd: pytest.CaptureFixture[str]) -> None:
    Judges().fit(votes)
    assert capfd.readouterr() == ("", "")
    Judges(verbose=True, bootstrap=50).fit(votes)
    out, err = capfd.readouterr()
    assert out == ""
    assert "\r" in err and err.endswith("\n")


def test_what_progress_raises_ends_the_fit(votes: Any) -> None:
    def tell(*news: Any) -> None:
        raise RuntimeError(f"told of {news[0]}")

    from motet._votes import votes_of as table_of

    with pytest.raises(RuntimeError, match="^told of "):
        _core.judges_estimate(table_of(votes).core(), {"bootstrap": "100000"}, (1, 1, tell))


MEMORY = """
import resource
import sys
import numpy as np
import motet

rng = np.random.default_rng(1)
votes = rng.integers(3, size=(300, 4))
X = rng.normal(size=(1000, 2))
y = (np.arange(1000)[:, None] % 4 >> np.arange(2)) % 2 + (np.arange(1000)[:, None] % 4 == 0)
once = {"Judges": lambda: motet.Judges(noise="symmetric").fit(votes),
        "MultiLabelClassifier": lambda: motet.MultiLabelClassifier(no_calibration=True).fit(X, y > 0).predict(X),
        "SupersetClassifier": lambda: motet.SupersetClassifier(method="naive", folds=2).fit(X[:200], X[:200, 0] > 0).predict(X[:200]),
        "RoleMiner": lambda: motet.RoleMiner(2, method="dbps").fit(X > 0.5).transform(X > 0.5),
        "TemporalMixture": lambda: motet.TemporalMixture(2, starts=1, max_iterations=5).fit(X).predict(X),
        "wrong": lambda: motet.Judges(confidence=2).fit(votes)}[sys.argv[1]]

def kilobytes(fits):
    for _ in range(fits):
        try:
            once()
        except ValueError:
            assert sys.argv[1] == "wrong"
    with open("/proc/self/statm") as file:  # what is there now: the largest of all times would be that of who started us
        return int(file.read().split()[1]) * resource.getpagesize() // 1024

first = kilobytes(200)
print(kilobytes(1000) - first)
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Judges", "MultiLabelClassifier", "SupersetClassifier", "RoleMiner", "TemporalMixture", "wrong"])
def test_a_thousand_fits_do_not_grow_memory(name: str) -> None:
    done = subprocess.run([sys.executable, "-I", "-c", MEMORY, name], capture_output=True, text=True, check=True)
    # The data of a fit are at least 5 kB: a leak of them, or of one array as large, would be above 5 MB.
    assert int(done.stdout) < 4000
