"""The package as a whole: what is in the wheel, its types, its documentation, what it needs."""
from __future__ import annotations

import doctest
import importlib
import os
import pathlib
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import motet
from motet import _core

ROOT = pathlib.Path(os.environ["MOTET_ROOT"])
PACKAGE = pathlib.Path(motet.__file__).parent
MODULES = ["judges", "multilabel", "superset", "roles", "temporal", "discover", "audio", "datasets"]


def run(*words: Any, **more: Any) -> str:
    return str(subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **more).stdout)


def test_importing_needs_numpy_alone() -> None:
    code = ("import sys\nclass Refuse:\n    def find_spec(self, name, path=None, target=None):\n"
            "        if name.split('.')[0] in ('pandas', 'scipy', 'sklearn', 'joblib'): raise ImportError(name)\n"
            "sys.meta_path.insert(0, Refuse())\nimport motet\n"
            "votes = [(i, j, (i + (j == 2) * (i % 3 == 0)) % 2) for i in range(30) for j in range(3)]\n"
            "print(type(motet.Judges().fit_predict(votes)).__name__)\n"
            "try: motet.Judges().predict(votes)\nexcept ValueError as error: print(error)\n"
            "print(motet.RoleMiner(2).fit([[1, 1, 0], [0, 1, 1], [1, 1, 0], [0, 1, 1]]).transform([[1, 1, 0]]).shape)\n")
    assert run(sys.executable, "-I", "-c", code).splitlines() == [
        "ndarray", "This Judges instance is not fitted yet: call 'fit' before it.", "(1, 2)"]


def test_importing_loads_nothing_else() -> None:
    code = "import sys, numpy; before = set(sys.modules); import motet; print(*sorted({n.split('.')[0] for n in set(sys.modules) - before}))"
    loaded = set(run(sys.executable, "-I", "-c", code).split())
    assert not loaded & {"pandas", "scipy", "sklearn", "joblib", "inspect", "dataclasses", "json"}, loaded


def test_the_module_needs_only_what_every_machine_has() -> None:
    (module,) = PACKAGE.glob("_core.*.so")
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", module)))
    allowed = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6", "libz.so.1", "ld-linux-x86-64.so.2", "libpthread.so.0"}
    assert needed <= allowed
    assert "RPATH" not in run("readelf", "-d", module) and "RUNPATH" not in run("readelf", "-d", module)
    shown = [line.split()[-1] for line in run("nm", "-D", "--defined-only", module).splitlines()]
    assert shown == ["PyInit__core"]
    undefined = run("nm", "-DC", "--undefined-only", module)
    assert "fmt::" not in undefined and "motet::" not in undefined


def test_no_path_of_the_build_is_in_the_package() -> None:
    for path in PACKAGE.rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            assert str(ROOT).encode() not in path.read_bytes(), path


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name: str) -> None:
    module = importlib.import_module(f"motet.{name}")
    found = doctest.testmod(module, extraglobs={"motet": motet}, optionflags=doctest.ELLIPSIS)
    assert found.failed == 0
    if name not in ("audio", "datasets"):
        assert found.attempted > 0


@pytest.mark.parametrize("path", [ROOT / "README.md", ROOT / "docs" / "python.md"] + sorted((ROOT / "docs" / "python").glob("*.md")),
                         ids=lambda path: str(path.stem))
def test_examples_of_pages(path: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks
    text = "\n".join(blocks)
    test = doctest.DocTestParser().get_doctest(text, {}, path.stem, str(path), 0)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False).run(test, out=said.append)
    assert not said, "".join(said)
    assert test.examples


def test_every_option_is_documented() -> None:
    for estimator, options in ((motet.Judges, _core.judges_estimate_options()), (motet.RoleMiner, _core.roles_mine_options()),
                               (motet.MultiLabelClassifier, _core.multilabel_train_options()),
                               (motet.SupersetClassifier, _core.superset_train_options()),
                               (motet.TemporalMixture, _core.temporal_fit_options()),
                               (motet.Discovery, _core.discover_start_options())):
        for name, text, *_ in options:
            assert f"\n    {name} : " in (estimator.__doc__ or ""), (estimator, name)
        assert "<" + "parameters>" not in (estimator.__doc__ or "")
        public = [getattr(estimator, name) for name in dir(estimator) if not name.startswith("_") and name not in ("model_",)]
        for function in public:
            if callable(function):
                assert function.__doc__, function


def bytes_copied(function: Any) -> int:
    import tracemalloc

    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_arrays_are_read_in_place() -> None:
    """NumPy tells tracemalloc of its arrays: none of the size of the data may be made on the way to the library."""
    from motet._check import array_of

    for kind in (np.float64, np.float32):
        X = np.ones((100_000, 10), kind)
        assert array_of(X) is X or np.shares_memory(array_of(X), X)
        # One byte per number says whether all are finite.
        assert bytes_copied(lambda: array_of(X)) < 1.2 * X.size
    import scipy.sparse

    from motet.roles import held_of

    held = scipy.sparse.random(20_000, 200, density=0.05, format="csr", random_state=1).astype(bool)
    numbers, starts, _ = held_of(held)
    # The numbers of the columns as 64 bits, and nothing of the size of the table.
    assert bytes_copied(lambda: held_of(held)) < 12 * held.nnz + 20 * held.shape[0] < held.shape[0] * held.shape[1]


@pytest.mark.slow
def test_notebooks_give_what_they_show(tmp_path: pathlib.Path) -> None:
    tool = pathlib.Path(__file__).with_name("run_notebooks.py")
    paths = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
    assert len(paths) == 2
    done = subprocess.run([sys.executable, "-I", tool, *paths], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    changed = tmp_path / paths[0].name
    changed.write_text(paths[0].read_text(encoding="utf-8").replace("worth 4.9", "worth 5.9"), encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", tool, changed], capture_output=True, text=True)
    assert done.returncode == 1 and "worth 5.9" in done.stdout and "worth 4.9" in done.stdout


@pytest.mark.slow
def test_types_hold_in_strict_mode(tmp_path: pathlib.Path) -> None:
    tests = sorted(str(path) for path in pathlib.Path(__file__).parent.glob("*.py") if path.name != "run.py")
    (tmp_path / "mypy.ini").write_text(
        "[mypy]\nstrict = True\n" + "".join(f"[mypy-{name}.*]\nignore_missing_imports = True\n" for name in (
            "pandas", "scipy", "sklearn", "joblib")) + "[mypy-conftest]\nignore_errors = True\n")
    done = subprocess.run([sys.executable, "-I", "-m", "mypy", "--config-file", tmp_path / "mypy.ini", "--cache-dir",
                           tmp_path / "cache", "--explicit-package-bases", *tests], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import motet\nmotet.Judges(nois=1)\nmotet.Judges(noise='gladd')\nmotet.Judges(starts='a')\n"
                     "motet.TemporalMixture('two')\n")
    done = subprocess.run([sys.executable, "-I", "-m", "mypy", "--config-file", tmp_path / "mypy.ini", "--cache-dir",
                           tmp_path / "cache", wrong], cwd=tmp_path, capture_output=True, text=True)
    assert re.findall(r"wrong.py:(\d): error", done.stdout) == ["2", "3", "4", "5"], done.stdout
