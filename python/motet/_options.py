"""Options: what C++ says of them, as keyword arguments with documentation; their values as C++ reads them.

A keyword that is left at None is not passed on, so defaults are known in C++ alone. The text that is shown for
each of them comes from the same description as the help of the command line.
"""
from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from ._errors import fail, in_python


class Option(NamedTuple):
    name: str
    help: str
    shape: str
    range: str
    default: str
    is_flag: bool


def options_of(listed: Iterable[tuple[Any, ...]], without: Iterable[str] = ()) -> list[Option]:
    left_out = set(without)
    return [Option(*one) for one in listed if one[0] not in left_out]


def text_of(name: str, value: Any) -> str:
    """A value as it would be typed on the command line."""
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ",".join(f"{key}={text_of(name, share)}" for key, share in value.items())
    if isinstance(value, range):
        if value.step != 1 or len(value) == 0:
            raise fail(f"{name}: {value} is not a rising range without gaps", name, "usage")
        return f"{value[0]}..{value[-1]}"
    if isinstance(value, (list, tuple)):
        return ",".join(text_of(name, one) for one in value)
    if isinstance(value, int):
        return str(value)
    try:
        number = value.item() if hasattr(value, "item") else float(value)
    except (TypeError, ValueError):
        raise fail(f"{name}: {value!r} is not a value that an option can have", name, "usage") from None
    return repr(number)


def texts_of(values: Mapping[str, Any]) -> dict[str, str]:
    """Of those that are given."""
    return {name: text_of(name, value) for name, value in values.items() if value is not None}


def shape_of(option: Option) -> str:
    """How a docstring tells the type."""
    if option.is_flag:
        kind = "bool"
    elif "|" in option.shape:
        kind = "{" + ", ".join(f"'{word}'" for word in option.shape.split("|")) + "}"
    else:
        kind = {"X": "float", "N": "int"}.get(option.shape, "str")
    if option.is_flag:
        return f"{kind}, default False"
    return kind + (f", default {option.default}" if option.default else ", optional")


def documented(options: Iterable[Option]) -> str:
    """The rows of a numpydoc section."""
    lines = []
    for option in options:
        lines.append(f"{option.name} : {shape_of(option)}")
        told = in_python(option.help) + (f" ({option.range})" if option.range else "")
        lines += textwrap.wrap(told[0].upper() + told[1:] + ".", 92, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


# What is not an option of the library, but of how it is called.
RUNNING = [
    Option("random_state", "seed of all randomness: a whole number, or a NumPy RandomState or Generator that one is drawn "
           "from; None is 1, so that the same data give the same bytes", "int, RandomState or Generator", "", "", False),
    Option("n_jobs", "how many threads work; None or -1: one for each processor; the result does not depend on it", "N", "",
           "", False),
    Option("verbose", "show a progress bar", "bool or int", "", "", False),
]

Class = TypeVar("Class", bound=type)


def with_options(options: list[Option], leading: tuple[Option, ...] = ()) -> Callable[[Class], Class]:
    """Gives a class the keyword arguments and the documentation of options; `leading` may be given by position."""

    def change(chosen: Class) -> Class:
        every = [*leading, *options, *RUNNING]
        first = "".join(f", {option.name}=None" for option in leading)
        rest = ", ".join(f"{option.name}=None" for option in every[len(leading):])
        body = "".join(f"    self.{option.name} = {option.name}\n" for option in every)
        space: dict[str, Any] = {}
        exec(f"def __init__(self{first}, *, {rest}):\n{body}", space)  # as dataclasses do
        init = space["__init__"]
        init.__qualname__ = f"{chosen.__qualname__}.__init__"
        init.__module__ = chosen.__module__
        init.__doc__ = "See the class."
        chosen.__init__ = init
        chosen._options = tuple(option.name for option in options)
        chosen._described = (leading, every[len(leading):])
        chosen._parameters = tuple(option.name for option in every)
        parameters = "Parameters\n----------\n" + documented(every)
        chosen.__doc__ = (chosen.__doc__ or "").replace("<parameters>", textwrap.indent(parameters, "    ").lstrip())
        return chosen

    return change
