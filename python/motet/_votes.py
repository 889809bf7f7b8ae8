"""Votes in whatever form they come, as three arrays of numbers and three lists of names.

Items and judges are numbered by first appearance and classes put in order as the command line does it, so the same
votes give the same bytes.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._errors import fail

ITEM_NAMES = ("item", "task")
JUDGE_NAMES = ("judge", "worker")


class VoteTable(NamedTuple):
    items: Any  # the values themselves, by number
    judges: Any
    classes: Any
    item: Any  # numbers, one per vote
    judge: Any
    label: Any
    names: tuple[str, str] | None = None  # of the columns of items and judges; None: not a long frame

    def core(self, known: Any = None) -> Any:
        """For the library."""
        return _core.Votes(names_of(self.items), names_of(self.judges), names_of(self.classes), self.item, self.judge,
                           self.label, known)


def names_of(values: Any) -> list[str]:
    values = values.tolist() if hasattr(values, "tolist") else list(values)
    return values if all(type(value) is str for value in values) else [str(value) for value in values]


def is_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "iloc")


def is_missing(value: Any) -> bool:
    """None, NaN, NaT, pandas.NA, an empty text."""
    if value is None or value is np.ma.masked or (isinstance(value, str) and not value):
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas.NA is of two minds
        return True


def factorized(values: Any, what: str, place: str = "votes") -> tuple[Any, Any]:
    """(numbers, values by number), by first appearance. Missing values are an error that names the row."""
    if hasattr(values, "factorize"):
        codes, unique = values.factorize()
        if len(codes) and codes.min() < 0:
            missing(int(np.argmin(codes)), what, place)
        unique = np.asarray(unique)
        if unique.dtype == object and "" in unique[:]:
            missing(int(np.argmax(codes == int(np.argmax(unique == "")))), what, place)
        return codes.astype(np.uint32), unique
    if isinstance(values, np.ndarray) and values.dtype.kind in "biu":
        unique, first, codes = np.unique(values, return_index=True, return_inverse=True)
        order = np.argsort(first)
        return np.argsort(order).astype(np.uint32)[codes], unique[order]
    numbers: dict[Any, int] = {}
    found = np.empty(len(values), np.uint32)
    for row, value in enumerate(values):
        if is_missing(value):
            missing(row, what, place)
        try:
            found[row] = numbers.setdefault(value, len(numbers))
        except TypeError:
            raise fail(f"{place}: row {row + 1}: {what} is {value!r}, not a name", place) from None
    return found, object_array(numbers)


def missing(row: int, what: str, place: str) -> None:
    raise fail(f"{place}: row {row + 1}: the {what} is missing", place)


def object_array(values: Iterable[Any]) -> Any:
    """Of their own kind where all are of one, as NumPy has it."""
    listed = list(values)
    if len({type(value) for value in listed}) == 1 and isinstance(listed[0], (int, float, bool, np.generic)):
        return np.array(listed)
    result = np.empty(len(listed), object)
    result[:] = listed
    return result


def in_natural_order(label: Any, classes: Any) -> tuple[Any, Any]:
    """Numbers and classes with the classes in the order of their names."""
    names = names_of(classes)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise fail(f"votes: two labels are written {twice!r}", "votes")
    ordered = _core.natural_order(names)
    place = {name: number for number, name in enumerate(ordered)}
    number_of = np.array([place[name] for name in names], np.uint32)
    order = np.argsort(number_of) if len(names) else np.zeros(0, int)
    return number_of[label] if len(names) else label, classes[order]


def column(frame: Any, names: tuple[str, ...]) -> str | None:
    return next((name for name in names if name in frame.columns), None)


def votes_of(data: Any) -> VoteTable:
    """From a data frame, long or wide, from triples, or from an array with one column per judge."""
    if isinstance(data, VoteTable):
        return data
    if is_frame(data):
        item, judge = column(data, ITEM_NAMES), column(data, JUDGE_NAMES)
        if item and judge and "label" in data.columns:
            return long_votes(data[item], data[judge], data["label"], (item, judge))
        if item and judge or "label" in data.columns:
            raise fail(f"votes: columns {list(map(str, data.columns))!r} are not item,judge,label (or task,worker,label)",
                       "votes")
        return wide_frame(data, item)
    if isinstance(data, Mapping) or isinstance(data, (str, bytes)) or not hasattr(data, "__iter__"):
        raise fail(f"votes: a {type(data).__name__} is neither a data frame, nor an array, nor a list of triples", "votes")
    if isinstance(data, np.ndarray):
        return array_votes(data)
    return triples(list(data))


def long_votes(item: Any, judge: Any, label: Any, names: tuple[str, str] | None) -> VoteTable:
    if len(label) == 0:
        raise fail("votes: there are none", "votes")
    item_numbers, items = factorized(item, "item")
    judge_numbers, judges = factorized(judge, "judge")
    labels, classes = factorized(label, "label")
    labels, classes = in_natural_order(labels, classes)
    return VoteTable(items, judges, classes, item_numbers, judge_numbers, labels, names)


def triples(rows: list[Any]) -> VoteTable:
    if not rows:
        raise fail("votes: there are none", "votes")
    for number, row in enumerate(rows):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__len__"):
            raise fail(f"votes: row {number + 1} is {row!r}, not (item, judge, label)", "votes")
    if len(rows[0]) != 3 and len({len(row) for row in rows}) == 1:
        return array_votes(np.array(rows, object))
    for number, row in enumerate(rows):
        if len(row) != 3:
            raise fail(f"votes: row {number + 1} has {len(row)} entries; (item, judge, label) has 3", "votes")
    item, judge, label = zip(*rows)
    return long_votes(item, judge, label, None)


def array_votes(votes: Any) -> VoteTable:
    if votes.ndim != 2:
        raise fail(f"votes: an array has two dimensions, items and judges; this one has {votes.ndim}", "votes")
    return wide_votes(votes, np.arange(votes.shape[0]), np.arange(votes.shape[1]))


def wide_frame(frame: Any, item: str | None) -> VoteTable:
    """One column per judge; the items are the column of that name, or the index."""
    items = frame.index.to_numpy() if item is None else frame[item].to_numpy()
    table = frame if item is None else frame.drop(columns=[item])
    return wide_votes(table.to_numpy(), items, table.columns.to_numpy())


def wide_votes(votes: Any, items: Any, judges: Any) -> VoteTable:
    if len(set(names_of(items))) < len(items):
        raise fail("votes: two rows have the same item", "votes")
    if np.ma.isMaskedArray(votes):
        is_there, votes = ~np.ma.getmaskarray(votes), votes.data
    else:
        is_there = np.ones(votes.shape, bool)
    if votes.dtype.kind == "f":
        is_there &= ~np.isnan(votes)
    elif votes.dtype.kind in "OU":
        is_there &= ~np.vectorize(is_missing, otypes=[bool])(votes) if votes.size else is_there
    if not is_there.any():
        raise fail("votes: there are none", "votes")
    item, judge = np.nonzero(is_there)  # row by row
    said = votes[is_there]
    if said.dtype.kind == "f" and (said == np.floor(said)).all():
        said = said.astype(np.int64)  # whole numbers with gaps, as pandas keeps them
    labels, classes = factorized(said.tolist() if said.dtype == object else said, "label")
    labels, classes = in_natural_order(labels, classes)
    return VoteTable(items, judges, classes, item.astype(np.uint32), judge.astype(np.uint32), labels)


def known_classes(gold: Any, table: VoteTable) -> Any:
    """Gold labels by item: a mapping, a Series, or an array with one entry per item; -1 where there is none."""
    place = {name: number for number, name in enumerate(names_of(table.classes))}
    known = np.full(len(table.items), -1, np.int32)

    def note(item: int, label: Any) -> None:
        if is_missing(label):
            return
        if str(label) not in place:
            raise fail(f"gold: label {str(label)!r} is not one of {{{', '.join(map(repr, place))}}}", "gold")
        known[item] = place[str(label)]

    if hasattr(gold, "items"):
        number = {name: i for i, name in enumerate(names_of(table.items))}
        for name, label in gold.items():
            if str(name) in number:
                note(number[str(name)], label)
        return known
    labels = list(gold)
    if len(labels) != len(table.items):
        raise fail(f"gold: {len(labels)} labels for {len(table.items)} items", "gold")
    for item, label in enumerate(labels):
        note(item, label)
    return known
