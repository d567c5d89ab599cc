"""Which keys each element of a model may hold, which are without influence here, and which are refused."""

from __future__ import annotations

from .fields import Schema

__all__ = [
    "CALENDAR_SHIFT", "CASE", "CUBE", "DEFAULT_FILTER", "DIMENSION", "FILTER", "FILTER_CONTEXT", "FOLDER", "GRAIN",
    "GRANULARITY", "HIERARCHY", "JOIN", "MEASURE", "MEMBER_LEVEL", "POLICY", "ROLLING_WINDOW", "ROLLUP",
    "ROLLUP_TIME", "ROOT", "ROW_LEVEL", "SEGMENT", "TIME_SHIFT", "VIEW", "VIEW_CUBE", "VIEW_MEMBER",
]  # fmt: skip

_NO_CACHE = "there is no cache to manage, every query reads the data"
_WITH_DATA = "a rollup is built anew with the data it is of"
_ONE_TABLE = "a rollup is one table beside the data"
_ONE_ENGINE = "a model is bound to the one database it is opened with"
_DISPLAY = "it concerns display in other tools"
_SHORT = "write 'title'"
_SHOWN = {"shown": "public", "visible": "public"}

ROOT = Schema(
    "model",
    ("cubes", "views", "dialect"),
    ignored={"view_groups": _DISPLAY, "version": "the format has one version"},
    unsupported={
        "semantic_models": "this is another tool's model; write 'cubes' and 'views'",
        "metrics": "this is another tool's model; write measures inside 'cubes'",
    },
)
CUBE = Schema(
    "cube",
    (
        "name", "sql", "sql_table", "extends", "public", "title", "description", "meta", "dimensions", "measures",
        "segments", "hierarchies", "joins", "access_policy", "calendar", "dialect", "pre_aggregations",
    ),
    ignored={
        "refresh_key": _NO_CACHE,
        "data_source": _ONE_ENGINE,
        "sql_alias": "names in generated SQL are our own",
        "rewrite_queries": "queries are planned without it",
        "context_members": "it is of no use here",
    },
    unsupported={
        "query_rewrite": "write an access_policy",
        "schedule_refresh": _NO_CACHE,
    },
    aliases=_SHOWN,
)  # fmt: skip
DIMENSION = Schema(
    "dimension",
    (
        "name", "type", "sql", "case", "latitude", "longitude", "primary_key", "public", "title", "description",
        "format", "currency", "granularities", "sub_query", "propagate_filters_to_sub_query", "mask", "meta", "order",
        "values", "time_shift", "multi_stage", "group_by", "reduce_by", "add_group_by", "grain",
    ),
    ignored={
        "links": _DISPLAY,
        "suggest_filter_values": _DISPLAY,
        "enable_suggestions": _DISPLAY,
        "values_as_segments": _DISPLAY,
        "field_type": _DISPLAY,
        "aliases": "write alternative names under meta.synonyms",
        "key": "rows are grouped by the dimension itself",
        "key_reference": "rows are grouped by the dimension itself",
        "short_title": _SHORT,
    },
    unsupported={
        "filter": "a dimension is read row by row, without filters of its own; write a measure",
    },
    aliases={**_SHOWN, "subquery": "sub_query", "propagate_filters_to_subquery": "propagate_filters_to_sub_query"},
)  # fmt: skip
MEASURE = Schema(
    "measure",
    (
        "name", "type", "sql", "filters", "rolling_window", "multi_stage", "group_by", "reduce_by", "add_group_by",
        "order_by", "grain", "time_shift", "case", "public", "title", "description", "format", "currency",
        "drill_members", "mask", "meta", "filter",
    ),
    ignored={
        "drill_filters": _DISPLAY,
        "drill_member_groups": _DISPLAY,
        "short_title": _SHORT,
        "cumulative": "write rolling_window: {trailing: unbounded}",
        "aliases": "write alternative names under meta.synonyms",
    },
    unsupported={
        "sub_query": "only dimensions can be sub-queries; a measure refers to other measures as {cube.measure}",
        "primary_key": "only dimensions can be primary keys",
    },
    aliases={**_SHOWN, "drill_member_references": "drill_members"},
)  # fmt: skip
SEGMENT = Schema(
    "segment",
    ("name", "sql", "public", "title", "description", "meta"),
    ignored={"aliases": "write alternative names under meta.synonyms"},
    aliases=_SHOWN,
)
HIERARCHY = Schema("hierarchy", ("name", "levels", "title", "public", "description", "meta"), aliases=_SHOWN)
JOIN = Schema("join", ("name", "relationship", "sql", "through"), aliases={"type": "relationship"})
ROLLUP = Schema(
    "rollup",
    ("name", "type", "measures", "dimensions", "time_dimension", "granularity", "time_dimensions"),
    ignored={
        **dict.fromkeys(("refresh_key", "scheduled_refresh"), _WITH_DATA),
        **dict.fromkeys(("build_range_start", "build_range_end", "union_with_source_data"), _WITH_DATA),
        **dict.fromkeys(("partition_granularity", "indexes", "external", "read_only", "storage_type"), _ONE_TABLE),
        **dict.fromkeys(("unique_key_columns", "stream_offset", "output_column_types"), _ONE_TABLE),
        "allow_non_strict_date_range_match": "a range is answered from it where periods begin at both its ends",
        "segments": "a query with a segment reads the data; write its condition as a dimension",
        "sql_alias": "names in generated SQL are our own",
        "rollups": "it is of other types of pre-aggregations",
    },
    aliases={
        "measure_references": "measures", "dimension_references": "dimensions",
        "time_dimension_reference": "time_dimension",
    },
)  # fmt: skip
ROLLUP_TIME = Schema("rollup's time dimension", ("dimension", "granularity"), aliases={"name": "dimension"})
CASE = Schema("case", ("when", "else", "switch"))
GRANULARITY = Schema(
    "granularity",
    ("name", "interval", "offset", "origin", "title", "sql"),
    ignored={"format": _DISPLAY},
)
ROLLING_WINDOW = Schema("rolling window", ("trailing", "leading", "offset", "type", "granularity"))
TIME_SHIFT = Schema("time shift", ("interval", "type", "time_dimension", "name"))
CALENDAR_SHIFT = Schema("calendar's time shift", ("name", "interval", "type", "sql"))
FILTER_CONTEXT = Schema("filter context", ("mode", "exclude", "keep_only", "include"), strict=True)
GRAIN = Schema("grain", ("keep_only", "exclude", "include"))
VIEW = Schema(
    "view",
    (
        "name", "extends", "public", "title", "description", "meta", "cubes", "includes", "excludes", "measures",
        "dimensions", "folders", "access_policy", "default_filters",
    ),
    ignored={
        "view_group": _DISPLAY,
        "view_groups": _DISPLAY,
        "context_members": "it is of no use here",
        "refresh_key": _NO_CACHE,
        "pre_aggregations": "write it in the cube; queries of views are answered from it",
        "data_source": _ONE_ENGINE,
        "sql_alias": "names in generated SQL are our own",
        "rewrite_queries": "queries are planned without it",
        "is_view": "it is one",
    },
    unsupported={
        "joins": "a view follows the joins of its cubes; write 'cubes: - join_path: a.b'",
        "segments": "include segments of cubes instead",
        "sql": "a view has no SQL of its own; write a cube",
        "sql_table": "a view has no table of its own; write a cube",
    },
    aliases=_SHOWN,
)  # fmt: skip
VIEW_CUBE = Schema(
    "view's cube",
    ("join_path", "includes", "excludes", "prefix", "alias", "split"),
    ignored={"folder": "write 'folders' at the view"},
)
VIEW_MEMBER = Schema(
    "view's member",
    ("name", "alias", "title", "description", "format", "meta", "member"),
    ignored={"currency": "it is taken from the member"},
)
DEFAULT_FILTER = Schema("default filter", ("member", "operator", "values", "unless"), strict=True)
FOLDER = Schema("folder", ("name", "includes", "folders", "title", "join_path"))
POLICY = Schema(
    "policy",
    ("groups", "conditions", "member_level", "member_masking", "row_level"),
    aliases={"role": "groups", "roles": "groups", "group": "groups"},
    strict=True,
)
MEMBER_LEVEL = Schema("member rule", ("includes", "excludes"), strict=True)
ROW_LEVEL = Schema("row rule", ("filters", "allow_all"), strict=True)
FILTER = Schema(
    "row filter",
    ("member", "operator", "values", "and", "or"),
    aliases={"dimension": "member", "value": "values"},
    strict=True,
)
