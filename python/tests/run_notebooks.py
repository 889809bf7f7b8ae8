"""Runs the notebooks of docs/notebooks with the installed package and compares what the cells give with what they show.

usage: run_notebooks.py [--update] NOTEBOOK...     with the Python of an environment that has the package

--update writes down what they give.
"""
from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

import motet


def executed(path: pathlib.Path) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        variables = {**os.environ, "PYTHONPATH": str(pathlib.Path(motet.__file__).parents[1]), "HOME": folder, "IPYTHONDIR": folder,
                     "JUPYTER_CONFIG_DIR": folder, "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
        subprocess.run(["/usr/bin/python3", "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", folder, str(path)],
                       check=True, capture_output=True, env=variables, cwd=folder)
        return json.loads(pathlib.Path(folder, path.name).read_text(encoding="utf-8"))


def outputs_of(notebook: Any) -> list[list[str]]:
    """What each cell printed or returned, as text."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [["".join(one.get("text") or one.get("data", {}).get("text/plain", one.get("ename", ""))) for one in cell["outputs"]]
            for cell in cells]


def without_traces(notebook: Any) -> Any:
    """Without times and versions of this machine."""
    for cell in notebook["cells"]:
        cell["metadata"].pop("execution", None)
    notebook["metadata"] = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                            "language_info": {"name": "python"}}
    return notebook


def main(words: list[str]) -> int:
    status = 0
    for name in words:
        if name == "--update":
            continue
        path = pathlib.Path(name).resolve()
        shown, found = json.loads(path.read_text(encoding="utf-8")), executed(path)
        if "--update" in words:
            path.write_text(json.dumps(without_traces(found), indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
            continue
        for number, (old, new) in enumerate(zip(outputs_of(shown), outputs_of(found)), 1):
            if old != new:
                print(f"{path.name}: cell {number} shows {old}, but gives {new}")
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
