"""``{SECURITY_CONTEXT.x.filter("column")}`` in a cube's SQL: kept as a call that each query fills in for its asker."""

from __future__ import annotations

import re

from ..attributes import CONTEXT_FILTER as MARK
from ..model import Source
from .problems import Problems

__all__ = ["with_marks"]

_SCOPES = {"userAttributes": "userAttributes", "user_attributes": "userAttributes"}
_FILTER = re.compile(
    r"\$?\{\s*(SECURITY_CONTEXT|USER_CONTEXT|securityContext|security_context|userAttributes|user_attributes)"
    r"((?:\??\.\w+)+?)\.(?:filter|requiredFilter|required_filter)\(\s*(['\"`])([^{}]*?)\3\s*\)\s*\}"
)
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

    return _FILTER.sub(mark, sql)
