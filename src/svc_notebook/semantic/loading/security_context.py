"""``{SECURITY_CONTEXT.x.filter("column")}`` and ``{SECURITY_CONTEXT.x}`` in a cube's SQL.

Each is kept as a call that a query fills in for its asker. A value stands where a text may stand, and nowhere else:
what would be part of a name is left as it is, and refused as any other reference that is not known.
"""

from __future__ import annotations

from ... import patterns as re
from ..model import Source
from ..policies.attributes import CONTEXT_FILTER as MARK
from ..policies.attributes import CONTEXT_VALUE
from .problems import Problems

__all__ = ["with_marks"]

_SCOPES = {"userAttributes": "userAttributes", "user_attributes": "userAttributes"}
_FILTER = re.compile(
    r"\$?\{\s*(SECURITY_CONTEXT|USER_CONTEXT|securityContext|security_context|userAttributes|user_attributes)"
    r"((?:\??\.\w+)+?)\.(?:filter|requiredFilter|required_filter)\(\s*(['\"`])([^{}]*?)\3\s*\)\s*\}"
)
_VALUE = re.compile(
    r"\$?\{\s*(?:COMPILE_CONTEXT\s*\.\s*)?"
    r"(SECURITY_CONTEXT|USER_CONTEXT|securityContext|security_context|userAttributes|user_attributes)"
    r"((?:\??\.\w+)+)\s*\}"
)
_NAME_BEFORE = re.compile(r"""(?:[\w."`]|\b(?:FROM|JOIN|AS|TABLE|INTO)\s+)\Z""", re.IGNORECASE)
_NAME_AFTER = re.compile(r"""[\w."`({]""")
_UNSAFE = re.compile(r"\bunsafe_?[vV]alue\b")
_COLUMN = re.compile(r'(?:(?:\w+|"[^"()]+"|`[^`()]+`)\s*\.\s*)*(?:\w+|"[^"()]+"|`[^`()]+`)')


def with_marks(sql: str, source: Source, problems: Problems) -> str:
    """The SQL with each such filter as a call; what is not understood is reported."""
    if _UNSAFE.search(sql):
        problems.error(
            "unsafeValue is not supported, since a value is never written into SQL; compare a column with it as in "
            "{SECURITY_CONTEXT.region.filter('region')}, or write an access_policy",
            source,
            at="unsafe",
        )

    def mark(found: re.Match[str]) -> str:
        scope, path, column = _SCOPES.get(found[1], "securityContext"), found[2].replace("?.", "."), found[4].strip()
        if not _COLUMN.fullmatch(column):
            problems.error(
                f"'{column}' is no column: {found[1]}{path}.filter('…') takes the name of one, which is compared with "
                "the asker's value",
                source,
                at=found[1],
            )
        if scope == "userAttributes" and path.count(".") > 1:
            problems.error(f"'{found[1]}{path}': user attributes are not nested", source, at=found[1])
        return f"{MARK}('{scope}{path}', {column})"

    return _with_values(_FILTER.sub(mark, sql), source, problems)


def _with_values(sql: str, source: Source, problems: Problems) -> str:
    """The SQL with each value of the asker as a call, the quotes around one taken away."""
    parts, at = [], 0
    for found in _VALUE.finditer(sql):
        start, end = found.span()
        # An odd number of quotes before it: it stands inside of a text.
        if sql.count("'", 0, start) % 2:
            if not _is_whole_text(sql, start, end):
                problems.error(
                    f"'{found[0]}' stands inside of a text, into which no value is written; join them: "
                    f"'…' || {found[0]}",
                    source,
                    at=found[0],
                )
                continue
            start, end = start - 1, end + 1
        elif _NAME_BEFORE.search(sql, max(0, start - 20), start) or _NAME_AFTER.match(sql, end):
            continue  # a name of a table or column, which no value can be
        scope, path = _SCOPES.get(found[1], "securityContext"), found[2].replace("?.", ".")
        if scope == "userAttributes" and path.count(".") > 1:
            problems.error(f"'{found[0]}': user attributes are not nested", source, at=found[0])
        parts += [sql[at:start], f"{CONTEXT_VALUE}('{scope}{path}')"]
        at = end
    return "".join([*parts, sql[at:]])


def _is_whole_text(sql: str, start: int, end: int) -> bool:
    """Whether a literal holds what is between the places and nothing else."""
    # A doubled quote is one within the text.
    return sql[start - 1] == "'" == sql[end : end + 1] and sql[start - 2 : start - 1] != "'" != sql[end + 1 : end + 2]
