"""SQL fragments as the model writes them: one spelling of references, and a record of each for the checks."""

from __future__ import annotations

from dataclasses import field

from ... import patterns as re
from ...records import dataclass
from ..model import Source
from ..policies.attributes import AMONG, ExpressionError, parse_value
from .comments import without_comments
from .dialects import Dialects
from .problems import Problems
from .translation import DialectError, Untranslatable, translated

__all__ = ["SQL_OF", "Fragment", "Fragments", "sql_literal"]

_QUOTED = re.compile(r"\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'")
# Only before a name: ${…} may be text of a template's that is none of ours.
_JS_STYLE = re.compile(r"\$\{(?=\s*[A-Za-z_]\w*\s*(?:\}|\(|\??\.\s*[A-Za-z_])[^{}]*)")
_BY_THEMSELVES = "filters reach a cube's rows by themselves; write the condition as a dimension or a segment"
_BOUND = (
    "write an access_policy with row_level filters, or in a cube's sql {SECURITY_CONTEXT.region.filter('region')}, "
    "which compares a column with the asker's value"
)
_CONTEXT = {
    "FILTER_PARAMS": _BY_THEMSELVES,
    "FILTER_GROUP": _BY_THEMSELVES,
    "SECURITY_CONTEXT": _BOUND,
    "USER_CONTEXT": _BOUND,
    "securityContext": _BOUND,
    "userAttributes": _BOUND,
    "security_context": _BOUND,
    "user_attributes": _BOUND,
    "COMPILE_CONTEXT": "a model is the same for everybody; write an access_policy",
    "SQL_UTILS": "times are converted to the asker's time zone by themselves; write the column",
}
_CONTEXT_USE = re.compile(r"\{\s*(" + "|".join(_CONTEXT) + r")\b[^{}]*\}?")
_GROUP = re.compile(r"\{\s*(?:groups|userGroups)\.filter\(\s*(?:\"('[^'\"{}]*')\"|'(\"[^'\"{}]*\")')\s*\)\s*\}")
_ATTRIBUTE = re.compile(
    r"\{\s*(userAttributes|user_attributes|securityContext|security_context|SECURITY_CONTEXT)\b[^{}]*\}"
)
_CALL = re.compile(r"\{\s*[A-Za-z_][\w.]*\s*\([^{}]*\}")
_REFUSED = "svc_untranslatable(NULL)"  # no function of any database: whatever holds it cannot be planned
SQL_OF = re.compile(r"\{\s*([A-Za-z_]\w*)\s*\.\s*sql\s*\(\s*\)\s*\}")


@dataclass(frozen=True, slots=True)
class Fragment:
    """One piece of SQL: whose (``relation``, ``member``), what for (``role``), and where it stands."""

    relation: str
    member: str
    role: str
    sql: str
    source: Source


@dataclass
class Fragments:
    """Every fragment that was read, in order."""

    problems: Problems
    dialects: Dialects
    found: list[Fragment] = field(default_factory=list)

    def plain(self, relation: str, sql: str) -> str:
        """The SQL without its comments; where a backslash escapes in texts, they go when it is translated."""
        return without_comments(sql).strip() if self.dialects.of(relation) in ("duckdb", "postgres") else sql

    def add(self, relation: str, member: str, role: str, sql: str | None, source: Source) -> str | None:
        """Normalise a fragment, report what it may not hold, and keep it for the checks."""
        if sql is None:
            return None
        sql = normalised(self.plain(relation, sql))
        called = f"'{member}'" if member else f"'{relation}'"
        if not sql:
            self.problems.error(f"the SQL of {called} is empty", source)
        if role == "mask":
            sql = self._with_attributes(sql, source)
        for use in _CONTEXT_USE.finditer(sql):
            if role == "mask" and _CONTEXT[use[1]] is _BOUND:
                continue
            self.problems.error(f"{use[1]} is not supported: {_CONTEXT[use[1]]}", source, at=use[1])
        for call in _CALL.finditer(sql):
            if SQL_OF.fullmatch(call[0]) is None and _CONTEXT_USE.match(call[0]) is None:
                self.problems.error(
                    f"'{call[0]}' is not supported: braces hold names only, no calls", source, at=call[0]
                )
        dialect = self.dialects.of(relation)
        if dialect != "duckdb" and sql:
            sql = self._translated(sql, dialect, called, source)
            # A cube's SQL stands in FROM as a query.
            sql = f"SELECT {sql}" if role == "table" and sql == _REFUSED else sql
        elif "`" in _QUOTED.sub("", sql):
            self.problems.warning(
                f"the SQL of {called} quotes names with backticks, which DuckDB does not; if the model is written for "
                "another database, say which: 'dialect: bigquery' beside 'cubes:'",
                source,
                at="`",
            )
        if role != "table" and SQL_OF.search(sql):
            self.problems.error("{cube.sql()} belongs into the sql of a cube, not of a member", source)
        self.found.append(Fragment(relation, member, role, sql, source))
        return sql

    def _translated(self, sql: str, dialect: str, called: str, source: Source) -> str:
        try:
            return translated(sql, dialect)
        except Untranslatable as error:
            self.problems.warning(
                f"the SQL of {called} cannot be said in DuckDB's, and queries with it are refused: {error}", source
            )
            return _REFUSED
        except DialectError as error:
            self.problems.error(f"the SQL of {called} is not readable as {dialect}: {error}", source)
            return sql

    def _with_attributes(self, sql: str, source: Source) -> str:
        """A mask with the asker's attributes in their one spelling; they are bound when it is shown."""

        def spelt(found: re.Match[str]) -> str:
            try:
                return "{" + str(parse_value(found[0])) + "}"
            except ExpressionError as error:
                self.problems.error(str(error), source, at=found[1])
                return found[0]

        return _ATTRIBUTE.sub(spelt, _GROUP.sub(lambda found: f"{AMONG}({{groups}}, {found[1] or found[2]})", sql))


def normalised(sql: str) -> str:
    """``${x}`` as ``{x}``, escaped braces and a trailing semicolon undone, ends trimmed."""
    sql = _JS_STYLE.sub("{", sql.strip())
    return sql.rstrip(";").rstrip()


def sql_literal(value: object) -> str:
    """A mask's static value as SQL."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        # repr() of a float reads back as the same number.
        return repr(value)
    return "'" + str(value).replace("'", "''") + "'"
