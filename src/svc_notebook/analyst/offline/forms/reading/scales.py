"""``ORDER BY CASE "weekday" WHEN 'Monday' THEN 1 … END``: sorted by a member, in the order that its values have."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from sqlglot import exp

from ....scales import along_scale, declared_order
from ..expressions import Expression, Member
from ..partings import PARTINGS, parting_of
from .expressions import read_expression
from .scope import Scope

__all__ = ["sorted_by"]


def sorted_by(node: exp.Expr, scope: Scope) -> tuple[Expression, tuple[str, ...]]:
    """What a term of ORDER BY sorts by: where it counts off the values of something in their own order, that, with the
    first and the last of them.
    """
    texts = _counted_off(node)
    if texts:
        of = read_expression(node.this, scope)
        if texts == _in_order(of, texts, scope):
            return of, (texts[0], texts[-1])
    return read_expression(node, scope), ()


def _counted_off(node: exp.Expr) -> list[str]:
    """The texts that a CASE gives the numbers from 1 on."""
    if not isinstance(node, exp.Case) or node.this is None or node.args.get("default") is not None:
        return []
    texts, numbers = [], count(1)
    for branch in node.args["ifs"]:
        when, then = branch.this, branch.args["true"]
        if not (isinstance(when, exp.Literal) and when.is_string) or then != exp.Literal.number(next(numbers)):
            return []
        texts.append(when.name)
    return texts


def _in_order(of: Expression, texts: Sequence[str], scope: Scope) -> list[str] | None:
    parted = parting_of(of)
    if parted is not None:
        return list(PARTINGS[parted[0]].in_order)
    if isinstance(of, Member):
        relation = scope.names.catalog.relations.get(of.relation)
        member = relation.members.get(of.name) if relation is not None else None
        declared = declared_order(member.meta) if member is not None else ()
        if declared:
            # The values that are declared, and behind them those that came later.
            later = [text for text in texts if text not in declared]
            return [*declared, *sorted(later)]
    return along_scale(texts)
