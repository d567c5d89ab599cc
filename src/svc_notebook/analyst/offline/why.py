"""Why is one group higher: the dimension whose values explain most of its difference from the other groups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any

import pyarrow as pa
from msgspec import Struct

from .plans.phrases import where_words
from .plans.picture import measure_title
from .plans.plan import Condition, Dimension, Plan
from .plans.sql import write_sql
from .schema.metadata import Metadata
from .schema.nouns import lowered
from .telling import figure

__all__ = ["Explanation", "asked_group", "explain"]

_CANDIDATES = 5


class Explanation(Struct, frozen=True):
    """The winning breakdown: a plan that shows it, and sentences about what differs most."""

    plan: Plan
    sentences: tuple[str, ...]


def asked_group(reading_conditions: Sequence[Condition], before: Plan) -> Condition | None:
    """The group of the plan before that "why" points at: a value or period of one of its dimensions."""
    members = {d.member for d in before.dimensions}
    return next((c for c in reading_conditions if c.member in members), None)


def explain(before: Plan, group: Condition, metadata: Metadata, run: Callable[[str], pa.Table]) -> Explanation | None:
    """Break the measure down by each fitting dimension, inside the group and in the others, and keep what differs most.

    Parameters
    ----------
    run
        Runs SQL over the model under the asker's policy.
    """
    dimension = next(d for d in before.dimensions if d.member == group.member)
    others = tuple(c for c in before.conditions if c.member != group.member)
    bare = before.with_(
        measures=before.measures[:1], order=(), limit=None, limit_per=None, calculations=(), having=(), hidden=()
    )
    best: tuple[float, str, list[tuple[Any, float, float]], int] | None = None
    for member in _candidates(before, metadata):
        plan = bare.with_(dimensions=(dimension, Dimension(member)), conditions=others)
        inside, outside, groups = _split(run(write_sql(plan, metadata).sql), group)
        if not inside or not groups:
            continue
        additive = before.measures[0].aggregate in ("count", "sum", "count_values") or _adds_up(before, metadata)
        gaps = [
            (value, inside.get(value, 0.0), sum(seen) / (groups if additive else len(seen)))
            for value, seen in outside.items()
        ]
        total = sum(abs(here - usual) for _, here, usual in gaps)
        strongest = max((abs(here - usual) for _, here, usual in gaps), default=0.0)
        score = strongest / total * min(1.0, 8 / max(1, len(gaps))) if total else 0.0
        if best is None or score > best[0]:
            best = (score, member, sorted(gaps, key=lambda gap: (-abs(gap[1] - gap[2]), str(gap[0]))), groups)
    if best is None:
        return None
    _, member, gaps, groups = best
    shown = bare.with_(dimensions=(Dimension(member),), conditions=(*others, group))
    return Explanation(shown, _sentences(before, group, member, gaps, groups, metadata))


def _candidates(before: Plan, metadata: Metadata) -> list[str]:
    used = {d.member for d in before.dimensions} | {c.member for c in before.conditions}
    found: list[tuple[int, int, str]] = []
    for member in metadata.relation(before.scope[0]).members.values():
        values = metadata.values.members.get(member.path)
        if (
            member.path not in used
            and values is not None
            and member.path in metadata.values.complete
            and 1 < len(values) <= 40
        ):
            found.append((len(values), len(found), member.path))
    return [path for _, _, path in sorted(found)[:_CANDIDATES]]


def _adds_up(before: Plan, metadata: Metadata) -> bool:
    member = metadata.members.get(before.measures[0].member or "")
    return bool(member and member.agg_type in ("count", "sum"))


def _split(table: pa.Table, group: Condition) -> tuple[dict[Any, float], dict[Any, list[float]], int]:
    """Numbers by value: inside the group, and those of all other groups; with how many other groups there are."""
    inside: dict[Any, float] = {}
    outside: dict[Any, list[float]] = defaultdict(list)
    seen = set()
    for key, value, number in zip(*(column.to_pylist() for column in table.columns), strict=True):
        if number is None or key is None:
            continue
        if _holds(key, group):
            inside[value] = inside.get(value, 0.0) + float(number)
        else:
            seen.add(key)
            outside[value].append(float(number))
    return inside, dict(outside), len(seen)


def _holds(key: Any, group: Condition) -> bool:
    if group.operator == "period":
        moment = key if isinstance(key, (date, datetime)) else None
        text = moment.isoformat()[:10] if moment is not None else str(key)
        low, high = group.values
        return (low is None or text >= str(low)[:10]) and (high is None or text < str(high)[:10])
    if group.part is not None:
        return key in group.values
    return str(key) in {str(v) for v in group.values}


def _sentences(
    before: Plan, group: Condition, member: str, gaps: list[tuple[Any, float, float]], groups: int, metadata: Metadata
) -> tuple[str, ...]:
    known = metadata.members.get(before.measures[0].member or "")
    form, currency = (known.format, known.currency) if known else (None, None)
    title, name = lowered(measure_title(before.measures[0], metadata)), lowered(metadata.member(member).title)
    gaps = [("(none)" if value is None else value, here, usual) for value, here, usual in gaps]
    value, here, usual = gaps[0]
    side = "higher" if here > usual else "lower"
    where = where_words([group], metadata, before.scope, link=" where ")
    said = [
        f"Of the dimensions I compared, **{name}** differs most{where}.",
        (
            f"For **{value}** {title} {'are' if title.endswith('s') else 'is'} {figure(here, form, currency)}, "
            f"{side} than {figure(usual, form, currency)} "
            + ("in the other group." if groups == 1 else f"on average in the {groups} other groups.")
        ),
    ]
    if len(gaps) > 1 and gaps[1][1] != gaps[1][2]:
        value, here, usual = gaps[1]
        side = "higher" if here > usual else "lower"
        said.append(f"Next comes {value}: {figure(here, form, currency)}, {side} than {figure(usual, form, currency)}.")
    said.append("This shows where the difference lies, not what caused it.")
    return tuple(said)
