from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from collections.abc import Callable

import pytest

import motet

ROOT = pathlib.Path(os.environ["MOTET_ROOT"])


def pytest_sessionstart() -> None:
    assert pathlib.Path(motet.__file__).is_relative_to(sys.prefix), "the tests are for what is installed"


@pytest.fixture
def sample() -> Callable[[str], str]:
    """The path of a sample by its name: 'judges/votes.csv'."""
    return lambda name: str(ROOT / "samples" / name)


@pytest.fixture
def program(tmp_path: pathlib.Path) -> Callable[..., str]:
    """Runs the command line in a fresh folder and returns what it printed."""

    def run(*words: object) -> str:
        done = subprocess.run([os.environ["MOTET_PROGRAM"], *map(str, words)], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
