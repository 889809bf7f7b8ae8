"""Runs the tests of the package where it is installed, away from the sources.

usage: run.py ENVIRONMENT PROGRAM RESULTS.xml [WORDS OF PYTEST...]
"""
import os
import pathlib
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent


def main(environment, program, results, *words):
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    variables["MOTET_PROGRAM"] = program
    variables["MOTET_ROOT"] = str(TESTS.parents[1])
    with tempfile.TemporaryDirectory() as folder:
        command = [f"{environment}/bin/python", "-I", "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={TESTS}",
                   "-c", TESTS / "pytest.ini", "--import-mode=importlib", f"--basetemp={folder}/tests",
                   f"--junitxml={results}", *words, TESTS]
        return subprocess.run(command, cwd=folder, env=variables).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
