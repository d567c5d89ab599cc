"""Access policies, resolved for one asker: which members are visible, and which rows.

The rules, closest to the open-source Cube project's:

- no ``access_policy``: everything public is visible; the operator (``unrestricted``) is past all policies;
- with one, an asker whom no policy matches (group and all conditions) sees nothing of the relation;
- members: the union over the matching policies; a member that only ``member_masking`` grants is masked;
- rows: a policy counts for a query only if it grants or masks *every* member the query uses of the relation. The
  rows of all that count are OR-ed; none left means no rows. A policy without ``row_level`` sees every row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from ...records import dataclass
from ..context import SecurityContext
from ..model import Cube, DataModel, Dimension, Measure, MemberLevel, Policy, RowLevel, Segment, View, ViewMember
from .attributes import ExpressionError
from .condition_evaluation import evaluate_condition
from .expressions import parse_condition

__all__ = [
    "Access",
    "Grant",
    "RowRule",
    "Visibility",
    "access_by",
    "access_to",
    "granted",
    "kept_back",
    "matching",
    "members_of",
    "public_members",
    "visible_members",
]

Visibility: TypeAlias = Literal["full", "masked"]


@dataclass(frozen=True, slots=True)
class Grant:
    """What one matching policy gives: members in full, members masked, and its rows (None: every row)."""

    policy: Policy
    full: frozenset[str]
    masked: frozenset[str]
    rows: RowLevel | None

    def covers(self, members: Iterable[str]) -> bool:
        return all(name in self.full or name in self.masked for name in members)


@dataclass(frozen=True, slots=True)
class RowRule:
    """The rows of one relation for one query: the OR over ``alternatives``; ``everything`` if one of them is open."""

    relation: str
    everything: bool
    alternatives: tuple[Grant, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Access:
    """One asker's access to one relation. ``grants`` is None where no policy applies."""

    relation: str
    members: Mapping[str, Visibility]
    grants: tuple[Grant, ...] | None

    def rows(self, used: Iterable[str], *, lenient: bool = False) -> RowRule:
        """The rows for a query that uses these members.

        ``lenient`` is for a cube below a view, where the view decides on members: members that no grant knows are
        left out of the question of coverage.
        """
        if self.grants is None:
            return RowRule(self.relation, True)
        names = set(used)
        if lenient:
            names &= frozenset().union(*(g.full | g.masked for g in self.grants)) if self.grants else set()
        covering = tuple(g for g in self.grants if g.covers(names))
        if any(g.rows is None for g in covering):
            return RowRule(self.relation, True, covering)
        reason = ""
        if not covering:
            none = "no policy of this relation applies to this asker"
            reason = "no policy grants this asker all members used together" if self.grants else none
        return RowRule(self.relation, False, covering, reason)

    def unmasked(self, member: str, used: Iterable[str]) -> RowRule | None:
        """The rows on which ``member`` shows its value, for a query using these members; None: on all rows."""
        if self.grants is None:
            return None
        covering = [g for g in self.grants if g.covers(used)]
        full = tuple(g for g in covering if member in g.full)
        if len(full) == len(covering) or any(g.rows is None for g in full):
            return None
        return RowRule(self.relation, False, full)


def visible_members(model: DataModel, relation_name: str, ctx: SecurityContext) -> dict[str, Visibility]:
    """The public members of a cube or view this asker may see, in order of declaration; empty if none or unknown."""
    relation = model.cubes.get(relation_name) or model.views.get(relation_name)
    return {} if relation is None else public_members(relation, access_to(relation, ctx))


def public_members(relation: Cube | View, access: Access) -> dict[str, Visibility]:
    """:func:`visible_members` of a relation, of an asker's access to it."""
    if not relation.public:
        return {}
    return {name: access.members[name] for name in _public_names(relation) if name in access.members}


def matching(relation: Cube | View, ctx: SecurityContext) -> tuple[int, ...] | None:
    """Which of a relation's policies match an asker; None where none applies to anything."""
    if ctx.unrestricted or relation.access_policy is None:
        return None
    return tuple(i for i, policy in enumerate(relation.access_policy) if _matches(policy, ctx))


def access_to(relation: Cube | View, ctx: SecurityContext) -> Access:
    """Resolve a relation's policies for one asker (members here include private ones, for row filters)."""
    return access_by(relation, matching(relation, ctx))


def access_by(relation: Cube | View, matched: tuple[int, ...] | None) -> Access:
    """What policies of a relation give together: all there is to know of who asks is which of them match."""
    names = _all_names(relation)
    policies = relation.access_policy
    if matched is None or policies is None:
        return Access(relation.name, dict.fromkeys(names, "full"), None)
    grants = tuple(_grant(relation, names, policies[i]) for i in matched)
    full = frozenset[str]().union(*(g.full for g in grants))
    masked = frozenset[str]().union(*(g.masked for g in grants))
    members: dict[str, Visibility] = {
        name: "full" if name in full else "masked" for name in names if name in full or name in masked
    }
    return Access(relation.name, members, grants)


def kept_back(relation: Cube | View) -> frozenset[str]:
    """Members that some policy of the relation hides or masks."""
    names = _all_names(relation)
    return frozenset().union(*(set(names) - _grant(relation, names, p).full for p in relation.access_policy or ()))


def granted(relation: Cube | View, policy: Policy) -> Grant:
    """What a policy of the relation gives those it matches."""
    return _grant(relation, _all_names(relation), policy)


def _matches(policy: Policy, ctx: SecurityContext) -> bool:
    if "*" not in policy.groups and ctx.groups.isdisjoint(policy.groups):
        return False
    try:
        return all(evaluate_condition(parse_condition(text), ctx) for text in policy.conditions)
    except ExpressionError:
        return False


def _grant(relation: Cube | View, names: tuple[str, ...], policy: Policy) -> Grant:
    full = _selected(relation, names, policy.member_level) if policy.member_level else frozenset(names)
    masked = _selected(relation, names, policy.member_masking) - full if policy.member_masking else frozenset()
    rows = policy.row_level
    return Grant(policy, full, masked, None if rows is None or rows.allow_all else rows)


def _selected(relation: Cube | View, names: tuple[str, ...], level: MemberLevel) -> frozenset[str]:
    included = frozenset(names) if level.includes == "*" else frozenset(_plain(relation, n) for n in level.includes)
    excluded = frozenset(names) if level.excludes == "*" else frozenset(_plain(relation, n) for n in level.excludes)
    return (included & frozenset(names)) - excluded


def _plain(relation: Cube | View, name: str) -> str:
    """A policy may write ``relation.member``, and in a view also ``cube.member``."""
    if "." not in name:
        return name
    owner, _, member = name.rpartition(".")
    if owner == relation.name or isinstance(relation, Cube):
        return member
    return next((m.name for m in relation.members if (m.cube, m.member) == (owner, member)), member)


def members_of(relation: Cube | View) -> list[Dimension | Measure | Segment | ViewMember]:
    """Every dimension, measure and segment of a cube or view, in order of declaration; hierarchies are none."""
    members: list[Dimension | Measure | Segment | ViewMember] = []
    if isinstance(relation, View):
        members += (m for m in relation.members if m.kind != "hierarchy")
        return [*members, *relation.dimensions, *relation.measures]
    return [*relation.dimensions, *relation.measures, *relation.segments]


def _all_names(relation: Cube | View) -> tuple[str, ...]:
    return tuple(m.name for m in members_of(relation))


def _public_names(relation: Cube | View) -> tuple[str, ...]:
    return tuple(m.name for m in members_of(relation) if isinstance(m, ViewMember) or m.public)
