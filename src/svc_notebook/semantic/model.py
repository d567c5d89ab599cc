"""The data model as plain frozen data: what the loader makes and everything else reads.

The vocabulary is that of the open-source Cube project's YAML. SQL fragments are kept as written, with their
``{CUBE}``, ``{member}`` and ``{cube.member}`` references; the compiler resolves them. ``extends`` is already applied
and view members are already expanded, so readers never look at another file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from ..records import dataclass
from .periods import CalendarShift, Granularity, RollingWindow, TimeShift
from .rules import (
    NOWHERE,
    AccessPolicy,
    Filter,
    FilterContext,
    FilterGroup,
    MemberLevel,
    Policy,
    RowLevel,
    Source,
)

__all__ = [
    "AccessPolicy", "CalendarShift", "Case", "CaseWhen", "Cube", "DataModel", "DefaultFilter", "Dimension", "Filter",
    "FilterContext", "FilterGroup", "Folder", "Granularity", "Hierarchy", "Join", "Measure", "MemberLevel", "Policy",
    "RollingWindow", "Rollup", "RowLevel", "Segment", "Source", "TimeShift", "View", "ViewMember",
]  # fmt: skip

DimensionType = Literal["string", "number", "boolean", "time", "geo"]
MeasureType = Literal[
    "count", "count_distinct", "count_distinct_approx", "sum", "avg", "min", "max", "number", "string", "time",
    "boolean", "rank",
]  # fmt: skip
Relationship = Literal["one_to_one", "one_to_many", "many_to_one"]


@dataclass(frozen=True, slots=True)
class CaseWhen:
    sql: str
    label: str
    label_sql: str | None = None  # label given as {sql: ...}


@dataclass(frozen=True, slots=True)
class Case:
    when: tuple[CaseWhen, ...]
    else_label: str | None = None
    else_sql: str | None = None


@dataclass(frozen=True, slots=True)
class Dimension:
    name: str
    type: DimensionType
    sql: str | None = None
    case: Case | None = None
    latitude: str | None = None
    longitude: str | None = None
    primary_key: bool = False
    public: bool = True
    title: str | None = None
    description: str | None = None
    format: str | None = None
    currency: str | None = None
    granularities: tuple[Granularity, ...] = ()
    sub_query: bool = False
    propagate_filters_to_sub_query: bool = False
    multi_stage: bool = False  # computed over measures, at the grain that the next three say
    group_by: tuple[str, ...] | None = None
    reduce_by: tuple[str, ...] | None = None
    add_group_by: tuple[str, ...] | None = None
    mask: str | None = None  # SQL: a literal, or an expression over the cube
    order: Literal["asc", "desc"] | None = None  # how the values like to be listed
    values: tuple[str, ...] = ()  # of a switch: every row of the cube stands once under each of them
    time_shift: tuple[CalendarShift, ...] = ()  # of a calendar's date
    inside: bool = False  # filters on it would belong inside the cube's own SQL (FILTER_PARAMS)
    meta: Mapping[str, Any] = field(default_factory=dict)
    source: Source = NOWHERE


@dataclass(frozen=True, slots=True)
class Measure:
    name: str
    type: MeasureType
    sql: str | None = None
    filters: tuple[str, ...] = ()
    rolling_window: RollingWindow | None = None
    multi_stage: bool = False
    group_by: tuple[str, ...] | None = None
    reduce_by: tuple[str, ...] | None = None
    add_group_by: tuple[str, ...] | None = None
    order_by: tuple[tuple[str, str], ...] = ()  # (sql, "asc"|"desc") of a multi-stage rank
    time_shift: tuple[TimeShift, ...] = ()
    filter: FilterContext | None = None
    case: Case | None = None
    public: bool = True
    title: str | None = None
    description: str | None = None
    format: str | None = None
    currency: str | None = None
    drill_members: tuple[str, ...] = ()
    mask: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    source: Source = NOWHERE


@dataclass(frozen=True, slots=True)
class Segment:
    name: str
    sql: str
    public: bool = True
    title: str | None = None
    description: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    source: Source = NOWHERE


@dataclass(frozen=True, slots=True)
class Hierarchy:
    name: str
    levels: tuple[str, ...]
    title: str | None = None
    public: bool = True


@dataclass(frozen=True, slots=True)
class Join:
    """A LEFT JOIN from the declaring cube to ``name``."""

    name: str
    relationship: Relationship
    sql: str
    source: Source = NOWHERE


@dataclass(frozen=True, slots=True)
class Rollup:
    """A cube's measures taken together ahead, by dimensions of its own and periods of ``times`` (name, granularity)."""

    name: str
    measures: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()
    times: tuple[tuple[str, str], ...] = ()
    source: Source = NOWHERE


@dataclass(frozen=True, slots=True)
class Cube:
    name: str
    sql_table: str | None = None
    sql: str | None = None
    data_source: str = "default"
    public: bool = True
    title: str | None = None
    description: str | None = None
    dimensions: tuple[Dimension, ...] = ()
    measures: tuple[Measure, ...] = ()
    segments: tuple[Segment, ...] = ()
    hierarchies: tuple[Hierarchy, ...] = ()
    joins: tuple[Join, ...] = ()
    access_policy: AccessPolicy | None = None
    calendar: bool = False
    rollups: tuple[Rollup, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    source: Source = NOWHERE

    @property
    def members(self) -> tuple[Dimension | Measure | Segment, ...]:
        """Dimensions, measures and segments, which share one name space."""
        return (*self.dimensions, *self.measures, *self.segments)


@dataclass(frozen=True, slots=True)
class ViewMember:
    """A member of a view: ``name`` as the view shows it, ``join_path`` the cubes walked to reach ``cube.member``."""

    name: str
    kind: Literal["dimension", "measure", "segment", "hierarchy"]
    cube: str
    member: str
    join_path: tuple[str, ...]
    title: str | None = None
    description: str | None = None
    format: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Folder:
    name: str
    includes: tuple[str, ...] = ()
    folders: tuple[Folder, ...] = ()


@dataclass(frozen=True, slots=True)
class DefaultFilter:
    """A condition a view puts into every query over it, unless the query filters one of ``unless`` itself."""

    filter: Filter
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    name: str
    members: tuple[ViewMember, ...] = ()
    measures: tuple[Measure, ...] = ()  # view-level measures (calculated over the view's members)
    dimensions: tuple[Dimension, ...] = ()  # view-level dimensions (expressions over the view's members)
    public: bool = True
    title: str | None = None
    description: str | None = None
    folders: tuple[Folder, ...] = ()
    default_filters: tuple[DefaultFilter, ...] = ()
    access_policy: AccessPolicy | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    source: Source = NOWHERE

    @property
    def own_members(self) -> tuple[Dimension | Measure, ...]:
        """The dimensions and measures that the view itself defines."""
        return (*self.dimensions, *self.measures)


@dataclass(frozen=True, slots=True)
class DataModel:
    """All cubes and views by name, in order of declaration; ``version`` is a hash of the sources (cache key)."""

    cubes: Mapping[str, Cube] = field(default_factory=dict)
    views: Mapping[str, View] = field(default_factory=dict)
    version: str = ""
    warnings: tuple[Any, ...] = ()
