"""Data to try things with: the samples of Motet, and its simulators."""
from __future__ import annotations

import csv
import pathlib
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._base import seed_of, threads_of
from ._options import documented, options_of, texts_of
from .multilabel import table_of

_SAMPLES = pathlib.Path(__file__).resolve().parent / "samples"


class VotesData(NamedTuple):
    """Votes as (item, judge, label), the true labels by item, and of simulated ones how often each judge is right."""

    votes: list[tuple[str, str, str]]
    truth: dict[str, str]
    accuracy: dict[str, float] | None = None


class ItemsData(NamedTuple):
    """Rows of numbers, what is known of each, and the names of the columns."""

    data: Any
    target: Any
    feature_names: list[str]
    target_names: list[str]
    truth: Any = None


class AccessData(NamedTuple):
    """Who holds what, as (user, permission), and of simulated data the roles behind it."""

    grants: list[tuple[str, str]]
    attributes: dict[str, dict[str, str]]
    roles: dict[str, list[str]] | None = None
    assignments: dict[str, list[str]] | None = None


def _rows(name: str) -> list[dict[str, str]]:
    with open(_SAMPLES / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _numbers(rows: list[dict[str, str]]) -> tuple[Any, list[str]]:
    names = [name for name in rows[0] if name[:1] == "x" and name[1:].isdigit()]
    return np.array([[float(row[name]) for name in names] for row in rows]), names


def load_votes() -> VotesData:
    """1,884 votes of seven simulated judges on 300 items of three classes; the last two judges err together."""
    votes = [(row["item"], row["judge"], row["label"]) for row in _rows("judges/votes.csv")]
    return VotesData(votes, {row["item"]: row["label"] for row in _rows("judges/truth.csv")})


def load_items() -> ItemsData:
    """Items that four sources made together: target is 0 or 1 by label."""
    rows = _rows("multilabel/items.csv")
    data, names = _numbers(rows)
    labels = [name for name in rows[0] if name not in names]
    return ItemsData(data, np.array([[int(row[name]) for name in labels] for row in rows]), names, labels)


def load_candidates() -> ItemsData:
    """Items with candidate labels: target is a set for each, truth the right one."""
    rows = _rows("superset/candidates.csv")
    data, names = _numbers(rows)
    target = np.empty(len(rows), object)
    target[:] = [set(row["candidates"].split("|")) for row in rows]
    truth = np.array([row["truth"] for row in rows], object)
    return ItemsData(data, target, names, sorted({label for one in target for label in one}), truth)


def load_access() -> AccessData:
    """Who may do what in a simulated company, with department and status of each."""
    grants = [(row["user"], row["permission"]) for row in _rows("roles/access.csv")]
    return AccessData(grants, {row.pop("user"): row for row in _rows("roles/hr.csv")})


def load_events() -> ItemsData:
    """Rows in time, most of them background, with a few rare events of several classes."""
    rows = _rows("discover/events.csv")
    data, names = _numbers(rows)
    target = np.array([row["y"] for row in rows], object)
    return ItemsData(data, target, names, sorted(set(target)))


def load_machine() -> ItemsData:
    """Rows in time of a machine and what it did."""
    rows = _rows("temporal/machine.csv")
    data, names = _numbers(rows)
    target = np.array([row["y"] for row in rows], object)
    return ItemsData(data, target, names, sorted(set(target)))


def _made(function: Any, random_state: Any, options: dict[str, Any]) -> Any:
    return function(texts_of(options), (seed_of(random_state), threads_of(1), None))


def make_votes(random_state: Any = None, **options: Any) -> VotesData:
    """Votes with known truth, as `motet judges simulate` makes them.

    Parameters
    ----------
    random_state : int, RandomState or Generator, optional
    **options
        <judges_simulate_options>
    """
    made = _made(_core.judges_simulate, random_state, options)
    items, judges, classes = made["items"], made["judges"], made["classes"]
    votes = [(items[i], judges[j], classes[c]) for i, j, c in zip(made["item"], made["judge"], made["label"])]
    return VotesData(votes, {item: classes[c] for item, c in zip(items, made["truth"])}, dict(zip(judges, made["accuracy"])))


def make_items(random_state: Any = None, **options: Any) -> ItemsData:
    """Items with several labels, as `motet multilabel simulate` makes them.

    Parameters
    ----------
    random_state : int, RandomState or Generator, optional
    **options
        <multilabel_simulate_options>
    """
    data, labels, sets = _made(_core.multilabel_simulate, random_state, options)
    return ItemsData(data, table_of(*sets, len(labels)).astype(int), [f"x{d + 1}" for d in range(data.shape[1])], labels)


def make_candidates(random_state: Any = None, **options: Any) -> ItemsData:
    """Items with candidate labels, as `motet superset simulate` makes them: target is True and False by class.

    Parameters
    ----------
    random_state : int, RandomState or Generator, optional
    **options
        <superset_simulate_options>
    """
    data, classes, sets, truth = _made(_core.superset_simulate, random_state, options)
    return ItemsData(data, table_of(*sets, len(classes)), [f"x{d + 1}" for d in range(data.shape[1])], classes,
                     np.array(classes, object)[truth])


def make_access(random_state: Any = None, **options: Any) -> AccessData:
    """Who holds what, with known roles, as `motet roles simulate` makes it.

    Parameters
    ----------
    random_state : int, RandomState or Generator, optional
    **options
        <roles_simulate_options>
    """
    users, permissions, held, roles, assigned, names, words = _made(_core.roles_simulate, random_state, options)
    sets = [[numbers[a:b].tolist() for a, b in zip(starts, starts[1:])] for numbers, starts in (held, roles, assigned)]
    role_names = [f"role{k + 1}" for k in range(len(sets[1]))]
    return AccessData([(user, permissions[d]) for user, row in zip(users, sets[0]) for d in row],
                      {user: dict(zip(names, words[n * len(names):])) for n, user in enumerate(users)} if names else {},
                      {name: [permissions[d] for d in row] for name, row in zip(role_names, sets[1])},
                      {user: [role_names[k] for k in row] for user, row in zip(users, sets[2])})


def make_events(random_state: Any = None, **options: Any) -> ItemsData:
    """Rows with rare events, as `motet discover generate` makes them.

    Parameters
    ----------
    random_state : int, RandomState or Generator, optional
    **options
        <discover_generate_options>
    """
    data, columns, classes, of_row = _made(_core.discover_generate, random_state, options)
    return ItemsData(data, np.array(classes, object)[of_row], columns, classes)


for _function in (make_votes, make_items, make_candidates, make_access, make_events):
    _text = _function.__doc__ or ""
    if "<" in _text:
        _name = _text[_text.index("<") + 1:_text.index(">")]
        _function.__doc__ = _text.replace(f"<{_name}>", "\n        ".join(
            documented(options_of(getattr(_core, _name)())).splitlines()))
