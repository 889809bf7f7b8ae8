"""The exceptions of Motet: the sentences of the command line, with the names of arguments for its options."""
from __future__ import annotations

import functools
import re

KINDS = ("internal", "usage", "bad_data", "unanswerable", "machine_limit", "interrupted")


class Error(Exception):
    """What goes wrong in Motet. `kind` says who can mend it: 'usage' and 'bad_data' the caller, 'unanswerable' nobody
    with these data, 'machine_limit' the machine, 'internal' us. `argument` is the argument at fault, where one is."""

    kind: str = "bad_data"
    argument: str | None = None

    def __init__(self, text: str, kind: str = "bad_data", argument: str | None = None) -> None:
        super().__init__(text)
        self.kind = kind
        self.argument = argument

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return type(self), (self.args[0], self.kind, self.argument)


class InputError(Error, ValueError):
    """Something that was passed in is at fault."""


class ModelFileError(InputError):
    """A model file that cannot be read as what was asked for."""


_FLAG = re.compile(r"--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?: (-?\d[\w.+-]*\d|\d|[a-z][a-z-]*[a-z]))?")


@functools.lru_cache(maxsize=1)
def _choices() -> dict[str, set[str]]:
    """The words that options may be, by the names of the options."""
    from . import _core

    words: dict[str, set[str]] = {}
    for listed in (name for name in dir(_core) if name.endswith("_options")):
        for name, _, shape, *_ in getattr(_core, listed)():
            known = words.setdefault(name, set())
            if "|" in shape:
                known.update(shape.split("|"))
    return words


# Options of the command line that are arguments here.
_ARGUMENTS = {"roles": "n_roles", "components": "n_components", "prior_a": "prior_a", "prior_b": "prior_b", "update": "partial_fit",
              "keep": "keep", "never_share_role": "never_share_role", "never_share_user": "never_share_user",
              "attributes": "attributes", "gold": "gold"}


def _argument(flag: str) -> str | None:
    name = flag.replace("-", "_")
    return _ARGUMENTS.get(name, name if name in _choices() else None)


def in_python(text: str) -> str:
    """A sentence of the command line as Python has it: plain_em for --plain-em, k=2 for --k 2, noise='glad' for --noise glad."""

    def change(found: re.Match[str]) -> str:
        name, value = _argument(found[1]), found[2]
        if name is None:  # a word of the data
            return found[0]
        if value is None:
            return name
        if value[0] in "-0123456789":
            return f"{name}={value}"
        return f"{name}='{value}'" if value in _choices().get(name, ()) else f"{name} {value}"

    return _FLAG.sub(change, text)


def error_of(kind: int, text: str) -> BaseException:
    """What an error of the library is to Python."""
    name = KINDS[kind]
    if name == "interrupted":
        return KeyboardInterrupt(text)
    found = _FLAG.match(text)
    argument = _argument(found[1]) if found else None
    if name in ("usage", "bad_data", "unanswerable"):
        return InputError(in_python(text), name, argument)
    return Error(in_python(text), name, argument)


def fail(text: str, argument: str | None = None, kind: str = "bad_data") -> InputError:
    """To be raised: an argument is at fault."""
    return InputError(text, kind, argument)


def not_fitted(estimator: object) -> Exception:
    """scikit-learn's NotFittedError where scikit-learn is, so that its tools know it; else its like."""
    text = f"This {type(estimator).__name__} instance is not fitted yet: call 'fit' before it."
    try:
        from sklearn.exceptions import NotFittedError
    except ImportError:
        return NotFitted(text)
    return NotFittedError(text)


class NotFitted(ValueError, AttributeError):
    """What is asked of an estimator needs a fit first."""
