"""The evidence under a result: the SQL, as whom it ran, which rows were filtered away and why, how many rows, its id.

Times and result ids are kept out of what a cell shows, since they differ from run to run; the widget and exported files
show the id, and the metadata of a cell's output holds it.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from .markdown import plain_text
from .tables import rows_said

if TYPE_CHECKING:
    from ..protocol.tools import RowFilter
    from .result import Result

__all__ = ["evidence", "evidence_html", "evidence_text"]


def evidence(result: Result) -> dict[str, Any]:
    """What stands behind a result, as plain data (the widget draws it)."""
    return {
        "sql": plain_text(result.sql or ""),
        "whom": plain_text(getattr(result, "whoami", "") or ""),
        "filters": [_filter_said(row_filter) for row_filter in result.row_filters or ()],
        "notes": [plain_text(note) for note in result.notes or ()],
        "rows": rows_said(len(result), len(result), result.total_rows),
        "partial": bool(result.truncated),
        "uuid": plain_text(result.uuid or ""),
        "asOf": plain_text(getattr(result, "as_of", "") or ""),
    }


def _filter_said(row_filter: RowFilter) -> str:
    said = f"{row_filter.cube}: {row_filter.filter}"
    return plain_text(f"{said} ({row_filter.reason})" if row_filter.reason else said)


def _facts(found: dict[str, Any], ids: bool) -> list[tuple[str, str]]:
    facts = [("rows", found["rows"])]
    if found["whom"]:
        facts.append(("as", found["whom"]))
    facts.append(("row filters", "; ".join(found["filters"]) or "none"))
    facts += [("note", note) for note in found["notes"]]
    if ids and found["asOf"]:
        facts.append(("data as of", found["asOf"]))
    if ids and found["uuid"]:
        facts.append(("result", found["uuid"]))
    return facts


def evidence_html(result: Result, *, ids: bool = False) -> str:
    """The evidence as static HTML, the SQL folded away; with ``ids`` the result's id too."""
    found = evidence(result)
    items = "".join(f"<li><strong>{escape(name)}:</strong> {escape(value)}</li>" for name, value in _facts(found, ids))
    sql = f"<pre><code>{escape(found['sql'])}</code></pre>" if found["sql"] else ""
    head = f"<summary>Evidence: {escape(found['rows'])}, SQL</summary>"
    return f'<details class="svc-evidence">{head}{sql}<ul>{items}</ul></details>'


def evidence_text(result: Result) -> str:
    """The evidence as lines of text."""
    found = evidence(result)
    lines = [f"{name}: {value}" for name, value in _facts(found, ids=False)]
    if found["sql"]:
        lines += ["sql:", *("    " + line for line in found["sql"].splitlines())]
    return "\n".join(lines)
