"""What somebody sees of the model, and why: for those who answer for it, never for the person itself.

For every cube and view: whether it is there for them, which members are shown, masked and hidden, what each policy says
to them and which of its conditions fails, and how many of the rows are theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ...records import dataclass
from ..compiler.values import quote
from ..context import SecurityContext
from ..errors import QueryError
from ..model import Cube, DataModel, Policy, View
from ..results.query_result import QueryResult
from .attributes import MISSING, AttributeReference, ExpressionError, attribute_value
from .condition_evaluation import evaluate_condition
from .expressions import Expression, parse_condition
from .policy import access_to, members_of, visible_members
from .row_filters import FilterWriter

__all__ = ["PolicyVerdict", "RelationAccess", "access_report"]

_KINDS = {"time": "timestamp"}
_OPERATOR = SecurityContext.operator()


class Asked(Protocol):
    """A model that can be queried as somebody."""

    @property
    def model(self) -> DataModel: ...
    def query(self, ctx: SecurityContext, sql: str) -> QueryResult: ...


@dataclass(frozen=True, slots=True)
class PolicyVerdict:
    """One policy and what it says to somebody.

    ``place`` is its file and line, ``relation`` whose it is (a view's rows follow its cubes' too), ``rows`` its row
    filter in words, if it applies.
    """

    place: str
    relation: str
    groups: tuple[str, ...]
    applies: bool
    why: str
    rows: str


@dataclass(frozen=True, slots=True)
class RelationAccess:
    """One cube or view; ``rows`` of ``total`` are theirs (None where that cannot be counted)."""

    name: str
    kind: str
    visible: bool
    why: str
    rows: int | None
    total: int | None
    shown: tuple[str, ...]
    masked: tuple[str, ...]
    hidden: tuple[str, ...]
    policies: tuple[PolicyVerdict, ...]
    notes: tuple[str, ...]


def access_report(layer: Asked, ctx: SecurityContext, names: Sequence[str] = ()) -> list[RelationAccess]:
    """What an asker sees of these cubes and views, or of all that anybody may query.

    Raises
    ------
    KeyError
        If a name is neither a cube nor a view.
    """
    model = layer.model
    every: dict[str, Cube | View] = {**model.views, **model.cubes}
    chosen = [every[name] for name in names] if names else [item for item in every.values() if item.public]
    return [_relation(layer, model, item, ctx) for item in chosen]


def _relation(layer: Asked, model: DataModel, relation: Cube | View, ctx: SecurityContext) -> RelationAccess:
    access = access_to(relation, ctx)
    seen = visible_members(model, relation.name, ctx)
    total, _ = _count(layer, _OPERATOR, relation)
    rows, notes = _count(layer, ctx, relation) if seen else (0, ())
    everything = [member.name for member in members_of(relation)]
    return RelationAccess(
        relation.name,
        "cube" if isinstance(relation, Cube) else "view",
        bool(seen),
        _why(relation, ctx, bool(seen), access.grants is not None and not access.grants),
        rows if relation.public else None,
        total,
        tuple(name for name, how in seen.items() if how == "full"),
        tuple(name for name, how in seen.items() if how == "masked"),
        tuple(name for name in everything if name not in (seen if relation.public else access.members)),
        tuple(_verdict(model, each, policy, ctx) for each in _followed(model, relation) for policy in _policies(each)),
        notes,
    )


def _followed(model: DataModel, relation: Cube | View) -> list[Cube | View]:
    """The relation, and for a view its cubes: their row filters hold for it too."""
    if isinstance(relation, Cube):
        return [relation]
    names = dict.fromkeys(cube for member in relation.members for cube in member.join_path)
    return [relation, *(model.cubes[name] for name in names if name in model.cubes)]


def _policies(relation: Cube | View) -> tuple[Policy, ...]:
    return relation.access_policy or ()


def _why(relation: Cube | View, ctx: SecurityContext, visible: bool, unmatched: bool) -> str:
    if not relation.public:
        return "it is public: false, so nobody queries it directly; views over it follow its row filters"
    if ctx.unrestricted:
        return "the operator is past all policies"
    if relation.access_policy is None:
        return "it has no access_policy: all public members and all rows are visible"
    if unmatched:
        return "it has policies, and none of them applies: it is unknown to them"
    return "the policies that apply grant it" if visible else "the policies that apply grant none of its members"


def _count(layer: Asked, ctx: SecurityContext, relation: Cube | View) -> tuple[int | None, tuple[str, ...]]:
    if not relation.public:
        return None, ()
    try:
        result = layer.query(ctx, f"SELECT COUNT(*) AS n FROM {quote(relation.name)}")
    except QueryError as error:
        return None, (error.message,)
    return int(result.table.column(0).to_pylist()[0]), result.notes


def _verdict(model: DataModel, relation: Cube | View, policy: Policy, ctx: SecurityContext) -> PolicyVerdict:
    place = f"{policy.source.file}:{policy.source.line}" if policy.source.line else ""
    why = _obstacle(policy, ctx)
    rows = "" if why else _rows(model, relation, policy, ctx)
    return PolicyVerdict(place, relation.name, tuple(policy.groups), not why, why or _match(policy, ctx), rows)


def _match(policy: Policy, ctx: SecurityContext) -> str:
    if "*" in policy.groups:
        return "it is for everybody" + (" and its conditions hold" if policy.conditions else "")
    theirs = ", ".join(f"'{group}'" for group in policy.groups if group in ctx.groups)
    return f"they are in {theirs}" + (" and its conditions hold" if policy.conditions else "")


def _obstacle(policy: Policy, ctx: SecurityContext) -> str:
    """Why a policy does not apply; nothing if it does."""
    if ctx.unrestricted:
        return "the operator is past all policies"
    if "*" not in policy.groups and ctx.groups.isdisjoint(policy.groups):
        wanted = " or ".join(f"'{group}'" for group in policy.groups)
        theirs = ", ".join(sorted(ctx.groups))
        return f"it is for {wanted}, and they are in {theirs or 'no group'}"
    for text in policy.conditions:
        try:
            expression = parse_condition(text)
            if evaluate_condition(expression, ctx):
                continue
        except ExpressionError:
            return f"its condition {text} cannot be read"
        known = [f"{reference} is {_said(attribute_value(reference, ctx))}" for reference in _references(expression)]
        return f"its condition {text} does not hold: {', '.join(known) or 'it is never true'}"
    return ""


def _references(expression: Expression) -> list[AttributeReference]:
    found = [item for item in expression.args if isinstance(item, AttributeReference)]
    inner = [item for item in expression.args if isinstance(item, Expression)]
    return [*found, *(reference for item in inner for reference in _references(item))]


def _said(value: Any) -> str:
    return "not set" if value is None or value is MISSING else repr(value)


def _rows(model: DataModel, relation: Cube | View, policy: Policy, ctx: SecurityContext) -> str:
    """The rows of a policy in words, with the asker's values in place of references."""
    if policy.row_level is None or policy.row_level.allow_all:
        return "all rows"
    # Nothing is run of what it writes; the words are wanted.
    writer = FilterWriter(ctx, lambda name: (name, _kind(model, relation, name)), lambda _: "?")
    outcome = writer.all_of(policy.row_level.filters)
    return outcome.words if outcome.sql != "FALSE" else f"no rows ({outcome.words})"


def _kind(model: DataModel, relation: Cube | View, name: str) -> str:
    owner, _, member = name.rpartition(".")
    cube: Cube | View | None = model.cubes.get(owner.rpartition(".")[2]) if owner else relation
    if isinstance(cube, View):
        shown = next((m for m in cube.members if m.name == member), None)
        own = next((d for d in cube.dimensions if d.name == member), None)
        if own is not None:
            return _KINDS.get(own.type, own.type)
        cube, member = (model.cubes.get(shown.cube), shown.member) if shown is not None else (None, member)
    kind = next((d.type for d in cube.dimensions if d.name == member), "string") if cube is not None else "string"
    return _KINDS.get(kind, kind)
