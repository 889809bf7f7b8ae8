"""RoleMiner: who may do what, as yes and no, and the overlapping roles behind it."""
from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _core
from ._base import Estimator
from ._check import array_of, check_features, check_length, column_names, is_sparse, names_in, take_columns
from ._errors import fail, in_python
from ._options import Option, options_of, with_options
from ._page import Bars, Told, summary_line
from ._votes import factorized, is_frame, is_missing, names_of
from .multilabel import sets_of, table_of

Self = TypeVar("Self", bound="RoleMiner")

ROLES = Option("n_roles", "how many roles, or a range such as range(2, 9), of which the shortest description chooses",
               "int or range", "", "", False)


class Role(NamedTuple):
    """A role: its name, the permissions that it grants, and how many users are told to have it."""

    name: str
    permissions: list[Any]
    members: int


class ExceptionalGrant(NamedTuple):
    """A cell in which roles and data differ: extra (held, though no role grants it) or missing (granted, but not held)."""

    user: Any
    permission: Any
    kind: str
    probability: float


class Explanation(NamedTuple):
    """Why a user holds a permission, or does not."""

    held: bool
    granted: bool
    roles: list[str]  # of the user's, that grant it
    exception: str | None  # 'extra', 'missing' or None

    def __str__(self) -> str:
        if self.roles:
            reason = "granted by " + ", ".join(self.roles)
        else:
            reason = "granted by no role"
        return f"{'held' if self.held else 'not held'}, {reason}" + (f": an exception ({self.exception})" if self.exception else "")


def held_of(X: Any) -> tuple[Any, Any, tuple[int, int]]:
    """(numbers, starts, shape) of the cells above 0; of a sparse matrix its own arrays where they do."""
    if is_sparse(X):
        if X.dtype.kind == "c":
            raise fail("X: Complex data not supported: it holds complex numbers", "X")
        rows = X.tocsr()
        if not np.isfinite(rows.data.astype(float)).all():
            raise fail("X: an entry is NaN or infinite", "X")
        if (rows.data == 0).any():
            rows = rows.copy()
            rows.eliminate_zeros()
        if rows.nnz and rows.data.min() < 0:
            raise fail("X: Negative values in data passed to RoleMiner: a permission is held (above 0) or not (0)", "X")
        if min(rows.shape) == 0:
            array_of(np.zeros(rows.shape))  # says what is missing
        return rows.indices.astype(np.int64), rows.indptr.astype(np.int64), rows.shape
    table = np.asarray(X.to_numpy() if is_frame(X) else X)
    if table.dtype != bool or table.ndim != 2 or 0 in table.shape:
        table = array_of(table)
        if table.min() < 0:
            raise fail("X: Negative values in data passed to RoleMiner: a permission is held (above 0) or not (0)", "X")
        table = table > 0
    return (*sets_of(table), table.shape)


@with_options(options_of(_core.roles_mine_options()), leading=(ROLES,))
class RoleMiner(Estimator):
    """Overlapping roles behind a table of who holds which permission, who has them, and what fits none.

    docs/roles.md has the models.

    <parameters>

    Attributes
    ----------
    roles_ : list of Role
        Name, permissions and number of members.
    components_ : ndarray of bool of shape (n_roles, n_permissions)
        What each role grants.
    probabilities_ : ndarray of shape (n_roles, n_permissions)
        That it grants each permission.
    assignments_ : ndarray of bool of shape (n_users, n_roles)
        Which roles each user of the fit is told to have.
    exceptions_ : list of ExceptionalGrant
        Cells in which roles and data differ, most probable first.
    users_, permissions_ : ndarray
    training_error_ : float
        Share of the cells that the roles do not reproduce.
    coverage_ : float
        Share of the permissions held that a role grants.
    noise_fraction_ : tuple of float
        Interval of it.
    log_likelihood_ : float
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Where X was a data frame whose columns are named by texts.
    converged_ : bool
    n_iter_ : int
    warnings_ : list of str

    Examples
    --------
    >>> X = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]
    >>> RoleMiner(2).fit(X).components_.astype(int).tolist()
    [[1, 1, 0, 0], [0, 0, 1, 1]]
    """

    _model_class = _core.RoleModel

    model_: Any
    roles_: list[Role]
    components_: Any
    probabilities_: Any
    assignments_: Any
    exceptions_: list[ExceptionalGrant]
    users_: Any
    permissions_: Any
    training_error_: float
    coverage_: float
    noise_fraction_: tuple[float, float]
    log_likelihood_: float
    n_features_in_: int
    feature_names_in_: Any
    converged_: bool
    n_iter_: int
    warnings_: list[str]

    def fit(self: Self, X: Any, y: Any = None, attributes: Any = None, keep: Mapping[str, Iterable[Any]] | None = None,
            never_share_role: Iterable[tuple[Any, Any]] = (), never_share_user: Iterable[tuple[str, str]] = ()) -> Self:
        """Finds the roles.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame
            One row per user and one column per permission, of True and False or of numbers that are above 0 where the
            permission is held; the names of users and permissions are those of a frame. Or a frame with the columns
            user and permission, one row for each permission that is held.
        y : ignored
        attributes : DataFrame, optional
            What else is known of the users, such as department and site: one row per user, in the order of X or by a
            column user.
        keep : mapping, optional
            Roles that stay as they are: their permissions by their names.
        never_share_role : iterable of pairs, optional
            Permissions that no role may grant together.
        never_share_user : iterable of pairs, optional
            Kept roles that no user may have together.

        Returns
        -------
        self
        """
        self._forget()
        users, permissions, numbers, starts = self._read(X, at_fit=True)
        access = _core.Access(names_of(users), names_of(permissions), numbers, starts)
        names, words = words_of(attributes, users)
        place = {name: number for number, name in enumerate(names_of(permissions))}
        rules = rules_of(place, keep or {}, never_share_role, never_share_user)
        options = self._given()
        count = self._count(access, options)
        if len(users) == 1 < count:
            array_of(np.zeros((1, len(permissions))), least=count)  # says that one is too few
        found = self._call(_core.roles_mine, access, count, names, words, rules, options)
        self.users_, self.permissions_ = users, permissions
        self._take(found)
        self._held = (numbers, starts)
        if isinstance(self.n_roles, (range, list, tuple)) and rules[0]:  # type: ignore[attr-defined]
            self.warnings_.append("the number of roles was chosen without regard to never_share_role")
        self.model_ = found["model"]
        return self

    def _count(self, access: Any, options: dict[str, str]) -> int:
        wanted = self.n_roles  # type: ignore[attr-defined]
        if wanted is None:
            if options.get("method") == "ino":
                return 1
            raise fail("n_roles: must be given, a number of roles or a range", "n_roles", "usage")
        if isinstance(wanted, (range, list, tuple)):
            if len(wanted) == 0 or min(wanted) < 1:
                raise fail(f"n_roles: {wanted!r} is not a range of numbers of roles", "n_roles", "usage")
            return int(self._call(_core.roles_choose, access, min(wanted), max(wanted), options))
        if isinstance(wanted, bool) or not isinstance(wanted, (int, np.integer)) or wanted < 1:
            raise fail(f"n_roles: {wanted!r} is neither a number of roles nor a range", "n_roles", "usage")
        return int(wanted)

    def _read(self, X: Any, at_fit: bool) -> tuple[Any, Any, Any, Any]:
        """(users, permissions, numbers, starts)."""
        if is_frame(X) and {"user", "permission"} <= set(X.columns):
            return self._read_pairs(X, at_fit)
        numbers, starts, shape = held_of(X)
        names = names_in(X)
        if at_fit:
            self.n_features_in_ = shape[1]
            if names is not None:
                self.feature_names_in_ = names
        else:
            check_features(self, X, shape[1])
        permissions = np.array(column_names(names if at_fit else self.__dict__.get("feature_names_in_"), shape[1]), object)
        if not at_fit and "feature_names_in_" not in self.__dict__:
            permissions = self.permissions_
        users = X.index.to_numpy() if is_frame(X) else np.arange(shape[0])
        return users, permissions, numbers, starts

    def _read_pairs(self, X: Any, at_fit: bool) -> tuple[Any, Any, Any, Any]:
        if len(X) == 0:
            raise fail("X: there are no rows", "X")
        user, users = factorized(X["user"], "user", "X")
        permission, permissions = factorized(X["permission"], "permission", "X")
        order = np.argsort(user, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(user, minlength=len(users)))]).astype(np.int64)
        if at_fit:
            self.n_features_in_ = len(permissions)
        return users, permissions, permission[order].astype(np.int64), starts

    def _take(self, found: Mapping[str, Any]) -> None:
        count = len(self.permissions_)
        self.roles_ = [Role(name, self.permissions_[list(granted)].tolist(), members)
                       for name, granted, _, members in found["roles"]]
        self.components_ = np.zeros((len(self.roles_), count), bool)
        for row, (_, granted, _, _) in zip(self.components_, found["roles"]):
            row[list(granted)] = True
        self.probabilities_ = np.array([shares for _, _, shares, _ in found["roles"]]).reshape(-1, count)
        self.assignments_ = table_of(*found["assignments"][0], len(self.roles_))
        self.exceptions_ = [ExceptionalGrant(self.users_[user], self.permissions_[permission], "extra" if is_extra else "missing", p)
                            for user, permission, is_extra, p in found["exceptions"]]
        self.training_error_, self.coverage_ = found["training_error"], found["coverage"]
        self.noise_fraction_, self.log_likelihood_ = found["noise_fraction"], found["log_likelihood"]
        summary = found["summary"]
        self.converged_, self.n_iter_ = summary["converged"], max(summary["iterations"], 1)
        self.warnings_ = [in_python(text) for text in found["warnings"]]

    def _assigned(self, X: Any) -> tuple[Any, Any]:
        model = self._fitted()
        users, permissions, numbers, starts = self._read(X, at_fit=False)
        access = _core.Access(names_of(users), names_of(permissions), numbers, starts)
        sets, shares = self._call(_core.roles_assign, model, access)
        return table_of(*sets, shares.shape[1]), shares

    def transform(self, X: Any) -> Any:
        """The roles of users: True and False, by role."""
        return self._put_out(self._assigned(X)[0], X)

    def fit_transform(self, X: Any, y: Any = None, **more: Any) -> Any:
        """The roles of these users."""
        return self._put_out(self.fit(X, **more).assignments_, X)

    def role_probabilities(self, X: Any) -> Any:
        """The probability that a user has a role, for each."""
        return self._assigned(X)[1]

    def inverse_transform(self, X: Any) -> Any:
        """What users with these roles hold: True and False, by permission."""
        self._fitted()
        table = np.asarray(X) > 0
        if table.ndim != 2 or table.shape[1] != len(self.components_):
            raise fail(f"X: {table.shape} is not one row per user and one column for each of {len(self.components_)} roles", "X")
        return (table.astype(int) @ self.components_.astype(int)) > 0

    def explain(self, user: Any, permission: Any) -> Explanation:
        """Why a user of the fit holds a permission, or does not."""
        self._fitted()
        n, d = position(self.users_, user, "user"), position(self.permissions_, permission, "permission")
        numbers, starts = self._held
        held = bool((numbers[starts[n]:starts[n + 1]] == d).any())
        roles = [self.roles_[k].name for k in np.flatnonzero(self.assignments_[n] & self.components_[:, d])]
        kind = None if held == bool(roles) else "extra" if held else "missing"
        return Explanation(held, bool(roles), roles, kind)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The names of the roles."""
        self._fitted()
        return np.array([role.name for role in self.roles_], object)

    def set_output(self: Self, *, transform: str | None = None) -> Self:
        """transform='pandas': data frames; 'default': arrays."""
        if transform is not None:
            if transform not in ("default", "pandas"):
                raise fail(f"transform: {transform!r} is neither 'default' nor 'pandas'", "transform", "usage")
            self._sklearn_output_config = {"transform": transform}
        return self

    def _put_out(self, table: Any, X: Any) -> Any:
        chosen = self.__dict__.get("_sklearn_output_config", {}).get("transform")
        if chosen is None and "sklearn" in sys.modules:
            import sklearn

            chosen = sklearn.get_config().get("transform_output", "default")
        if chosen != "pandas":
            return table
        import pandas

        return pandas.DataFrame(table, index=X.index if is_frame(X) and len(X) == len(table) else None,
                                columns=self.get_feature_names_out())

    def _take_model(self, model: Any) -> None:
        self.permissions_ = np.array(model.permissions, object)
        take_columns(self, model.permissions)
        self.components_ = np.asarray(model.granted)
        self.roles_ = [Role(name, self.permissions_[row].tolist(), 0) for name, row in zip(model.roles, self.components_)]
        self.model_ = model

    def _told(self) -> Told:
        names = [role.name for role in self.roles_]
        if "assignments_" not in self.__dict__:
            return Told([f"{len(names)} roles over {len(self.permissions_)} permissions"], [
                Bars("Permissions of each role", "permissions", names, self.components_.sum(axis=1).tolist())])
        low, high = self.noise_fraction_
        lines = [f"{len(names)} roles of {len(self.users_)} users over {len(self.permissions_)} permissions",
                 f"they grant {100 * self.coverage_:.1f} % of what is held; {100 * self.training_error_:.2f} % of the cells are "
                 f"exceptions, and {100 * low:.1f} to {100 * high:.1f} % noise", summary_line(self)]
        return Told(lines, [Bars("Members of each role", "users", names, [float(role.members) for role in self.roles_]),
                            Bars("Permissions of each role", "permissions", names, self.components_.sum(axis=1).tolist())],
                    self.warnings_)

    def _more_tags(self) -> dict[str, Any]:
        return {"requires_positive_X": True, "X_types": ["2darray", "sparse"], "preserves_dtype": []}


def position(names: Any, name: Any, what: str) -> int:
    found = np.flatnonzero(np.asarray(names, object) == name)
    if len(found) == 0:
        raise fail(f"{what}: {name!r} is not in the data", what)
    return int(found[0])


def words_of(attributes: Any, users: Any) -> tuple[list[str], list[str]]:
    """Names of the attributes, and words by user and attribute; empty: missing."""
    if attributes is None:
        return [], []
    if not is_frame(attributes):
        raise fail(f"attributes: a {type(attributes).__name__} is no data frame", "attributes")
    if "user" in attributes.columns:
        attributes = attributes.set_index("user").reindex(users)
    check_length(users, attributes, "attributes")
    words = [["" if is_missing(word) else str(word) for word in row] for row in attributes.itertuples(index=False)]
    return [str(name) for name in attributes.columns], [word for row in words for word in row]


def rules_of(place: Mapping[str, int], keep: Mapping[str, Iterable[Any]], apart_in_roles: Iterable[tuple[Any, Any]],
             apart_in_users: Iterable[tuple[str, str]]) -> tuple[Any, Any, Any]:
    def permission(name: Any, argument: str) -> int:
        if str(name) not in place:
            raise fail(f"{argument}: permission {str(name)!r} is not in the data", argument)
        return place[str(name)]

    kept = [(str(name), [permission(one, "keep") for one in granted]) for name, granted in keep.items()]
    number = {name: i for i, (name, _) in enumerate(kept)}
    for pair in apart_in_users:
        for name in pair:
            if name not in number:
                raise fail(f"never_share_user: role {name!r} is not among those that are kept", "never_share_user")
    return ([(permission(a, "never_share_role"), permission(b, "never_share_role")) for a, b in apart_in_roles], kept,
            [(number[a], number[b]) for a, b in apart_in_users])
