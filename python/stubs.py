"""Writes the .pyi files of an installed or unpacked package: its sources without bodies, and for each class with options the
keyword arguments that the library lists.

usage: stubs.py FOLDER    with FOLDER/motet, the extension module in it
"""
import ast
import importlib
import pathlib
import sys

TEXT = "str | float | Mapping[str, float] | Sequence[str | float]"
NUMBERS = {"X": "float", "N": "int", "int or range": "int | range | Sequence[int]",
           "int, RandomState or Generator": "int | np.random.RandomState | np.random.Generator", "bool or int": "bool | int"}
IMPORTS = ["from collections.abc import Mapping, Sequence", "from typing import Any, Literal", "import numpy as np"]


def type_of(option):
    if option.is_flag:
        return "bool | None"
    if "|" in option.shape and " " not in option.shape:
        return f"Literal[{', '.join(repr(word) for word in option.shape.split('|'))}] | None" if all(
            word.islower() for word in option.shape.replace("-", "").replace("_", "").split("|")) else f"{TEXT} | None"
    return f"{NUMBERS.get(option.shape, TEXT)} | None"


def bodiless(node):
    node.body = [ast.Expr(ast.Constant(...))]
    return node


def stub_of_class(node, described):
    """The class without bodies; `described`: its leading and its other options, or None."""
    body = []
    for part in node.body:
        if isinstance(part, ast.FunctionDef):
            if not part.name.startswith("_") or part.name.startswith(("__", "_repr_")):
                body.append(bodiless(part))
        elif isinstance(part, ast.AnnAssign):
            if described is None or not part.target.id.startswith("_"):
                body.append(part)
    if described is not None:
        leading, others = described
        text = "".join(f"    {option.name}: {type_of(option)}\n" for option in [*leading, *others])
        first = "".join(f", {option.name}: {type_of(option)} = ..." for option in leading)
        rest = ", ".join(f"{option.name}: {type_of(option)} = ..." for option in others)
        text += f"    def __init__(self{first}, *, {rest}) -> None: ...\n"
        body = ast.parse("class C:\n" + text).body[0].body + body
    node.body = body or [ast.Expr(ast.Constant(...))]
    node.decorator_list = []
    return node


def stub_of(path, module):
    kept = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
                kept.append(node)
        elif isinstance(node, ast.FunctionDef):
            kept.append(bodiless(node))
        elif isinstance(node, ast.ClassDef):
            kept.append(stub_of_class(node, getattr(getattr(module, node.name), "_described", None)))
        elif isinstance(node, ast.AnnAssign) or isinstance(node, ast.Assign) and (
                isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "TypeVar"
                or getattr(node.targets[0], "id", "") == "__all__"):
            kept.append(node)
    return "\n".join([*IMPORTS, ast.unparse(ast.Module(kept, []))]) + "\n"


def main(folder):
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    package = pathlib.Path(folder) / "motet"
    for path in sorted(package.glob("*.py")):
        name = "motet" if path.stem == "__init__" else f"motet.{path.stem}"
        path.with_suffix(".pyi").write_text(stub_of(path, importlib.import_module(name)), encoding="utf-8")
    (package / "_core.pyi").write_text("from typing import Any\n\nversion: str\n\ndef __getattr__(name: str) -> Any: ...\n",
                                       encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
