"""At which grain a measure is evaluated: what its names mean among the group keys, its filters, and its window."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ...errors import InvalidQuery
from ...intervals import UNBOUNDED
from ...model import Dimension, Granularity, Measure
from ...references import Reference, ResolvedReference, UnresolvedReference, resolve
from ..authored.timegrain import calendar_granularity, truncated
from ..join_tree.entries import Entry, Use
from ..join_tree.steps import Path
from ..values import Bound
from .leaves import Filter, Grouping
from .model_filters import included
from .periods import length
from .rolling import Rolling
from .source import ModelSource

__all__ = ["added", "is_key", "kept_filters", "named_dimension", "rolling_of", "stays"]


def kept_filters(
    source: ModelSource, path: Path, measure: Measure, filters: list[Filter], asked: list[Filter]
) -> list[Filter]:
    """The filters under which a measure is evaluated: those of the query, as its ``filter`` changes them."""
    context = measure.filter
    if context is None:
        return filters
    # A fixed context is of what was asked, and not of what measures around this one made of it.
    base = asked if context.fixed else filters
    named = context.exclude if context.exclude is not None else context.keep_only
    if named is None:
        kept = list(base)
    else:
        meant = {_member_named(source, path, name) for name in named}
        kept = [f for f in base if f.fixed or _is_kept(source, f, meant, measure, context.exclude is None)]
    return kept + included(source, path, context.include)


def _member_named(source: ModelSource, path: Path, name: str) -> tuple[Path, str]:
    node, resolved = named_dimension(source, path, name)
    return node, resolved.member or ""


def _is_kept(source: ModelSource, item: Filter, meant: set[tuple[Path, str]], measure: Measure, wanted: bool) -> bool:
    own = [source.entry_of(key) for alias, key in item.bound.uses if alias == source.alias]
    # A condition that the model put in reads hidden columns, which no entry stands behind.
    about = item.about or {(entry.path, entry.member.name) for entry in own if entry is not None}
    inside = {member in meant for member in about}
    # Half of an OR cannot be set aside.
    if len(inside) > 1:
        raise InvalidQuery(
            f"'{measure.name}' sets some filters of the query aside, and one condition holds those and others; "
            "write them as conditions of their own, joined by AND."
        )
    return (True in inside) == wanted


def stays(source: ModelSource, path: Path, measure: Measure, key: Bound) -> bool:
    if measure.group_by is not None:
        return any(_is_named(source, path, name, key) for name in measure.group_by)
    # group_by names what stays, reduce_by what goes; with neither all keys stay.
    return not any(_is_named(source, path, name, key) for name in measure.reduce_by or ())


def _is_named(source: ModelSource, path: Path, name: str, key: Bound) -> bool:
    """Whether a model's dimension name means this key (a time dimension at any granularity)."""
    entry, granularity = source.entry_and_grain(key)
    if entry is None:
        return False
    node, resolved = named_dimension(source, path, name)
    grain = resolved.granularity
    return entry.path == node and entry.member.name == resolved.member and grain in (None, granularity)


def named_dimension(source: ModelSource, path: Path, name: str) -> tuple[Path, ResolvedReference]:
    tree = source.tree
    try:
        # Models write both {orders.status} and orders.status here.
        resolved = resolve(tree.index.scope, path[-1], Reference(tuple(name.strip("{} ").split(".")), 0, 0))
    except UnresolvedReference:
        raise InvalidQuery(f"The data model groups by '{name}', which it does not have.") from None
    return tree.walk(path, resolved.join_path), resolved


def is_key(source: ModelSource, path: Path, name: str, keys: Sequence[Bound]) -> bool:
    """Whether a model's dimension name is one of these keys, a time at the very granularity."""
    node, resolved = named_dimension(source, path, name)
    meant = (node, resolved.member, resolved.granularity)
    found = [source.entry_and_grain(key) for key in keys]
    return any(entry is not None and (entry.path, entry.member.name, grain) == meant for entry, grain in found)


def added(source: ModelSource, path: Path, name: str) -> Bound:
    """A dimension that the model groups by, as a key that the query does not name."""
    node, resolved = named_dimension(source, path, name)
    index, member = source.tree.index, resolved.member or ""
    dimension = index.member(node[-1], member)
    key = f"{'.'.join(node)}.{member}#grain"
    if not isinstance(dimension, Dimension):
        raise InvalidQuery(f"The data model groups by '{name}', which is no dimension.")
    grain = resolved.granularity
    if grain is not None and calendar_granularity(grain, dimension.granularities) is not None:
        expr = source.tree.member(node, resolved)
        bound = source.expression(f"{key}@{grain}", expr, index.expression_kind(node[-1], expr.sql))
    else:
        # Without its mask: by masked values different groups would be taken together.
        bound = source.hidden_column(key, node, dimension)
        if grain is not None:
            bound = replace(bound, sql=truncated(grain, bound.sql, dimension.granularities), kind="timestamp")
    source.describe(bound, Entry(key, member, node[-1], node, dimension), grain)
    return bound


def rolling_of(source: ModelSource, grouping: Grouping, filters: list[Filter], measure: Measure) -> Rolling | None:
    """The window of a measure over a time among the group keys, or up to the query's bounds; None without a window."""
    window = measure.rolling_window
    if window is None:
        return None
    timed: list[tuple[float, int, Use, str, Dimension]] = []
    for i, key in enumerate(grouping.keys):
        entry, granularity = source.entry_and_grain(key)
        if entry is not None and granularity is not None and isinstance(entry.member, Dimension):
            _refuse_calendar(measure, entry.member, granularity)
            use = next(iter(key.uses))
            timed.append((length(granularity, entry.member.granularities), i, use, granularity, entry.member))
    if timed:
        # The finest of the keys gives the periods, the others follow from it. What comes after the first two has no
        # order.
        _, first, use, granularity, member = min(timed, key=lambda found: found[:2])
        coarser = tuple((i, grain) for _, i, of, grain, _ in timed if of == use and i != first)
        return Rolling(window, first, use, granularity, member.granularities, coarser)
    unbounded = UNBOUNDED in (window.trailing, window.leading)
    # A window back from the end needs to know the end; one without a limit can start from either bound.
    bounded = {f.of for f in filters if f.of is not None and (f.high is not None or (unbounded and f.low is not None))}
    # With bounds on two times it would be a guess over which of them the measure runs.
    if len(bounded) == 1:
        use = bounded.pop()
        entry = source.entry_of(use[1]) if use[0] == source.alias else None
        custom: tuple[Granularity, ...] = ()
        if entry is not None and isinstance(entry.member, Dimension):
            _refuse_calendar(measure, entry.member)
            custom = entry.member.granularities
        return Rolling(window, None, use, custom=custom)
    if unbounded:
        return None
    raise InvalidQuery(
        f"'{measure.name}' runs over time; group by its time dimension, such as date_trunc('month', …), or say in "
        "WHERE up to when."
    )


def _refuse_calendar(measure: Measure, dimension: Dimension, *granularities: str) -> None:
    window = measure.rolling_window
    # A window of plain intervals has no granularity; any that no calendar keeps will do.
    steps = (*granularities, (window.granularity if window is not None else None) or "day")
    if any(calendar_granularity(step, dimension.granularities) is not None for step in steps):
        raise InvalidQuery(
            f"'{measure.name}' runs over time by intervals, and '{dimension.name}' reads its periods from a "
            "calendar; use a time dimension without calendar periods."
        )
