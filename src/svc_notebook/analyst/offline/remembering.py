"""What an answer leaves for later turns: its form, how sure it is, what its rows stand for, what it left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..base import Turn
from .dialogue import Followed, kept_options, passed_over, remembered_top, still_left_out
from .forms import Form, to_sql
from .plans.statement import Statement
from .schema.metadata import Metadata
from .understood import Understood

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["left_over", "remembered", "shown_few", "sure_of"]

_LEFT = 4  # words and questions that an answer left out, which are told of its edits as well
_POINTED = 20  # rows of a result that "those" may stand for


def sure_of(followed: Followed | None, otherwise: float) -> dict[str, float]:
    """How sure a turn is, and the question that its edits began with: whoever goes on with an edit has taken it."""
    if followed is None:
        return {"sure": round(otherwise, 3)}
    return {"sure": round(followed.sure, 3), "begun": round(followed.of.begun, 3)}


def remembered(seen: Understood, statement: Statement, table: pa.Table) -> dict[str, Any]:
    """What later turns build upon: the form as SQL over the model, its picture, and what its rows stand for."""
    plan, followed = seen.plan, seen.followed
    sql = to_sql(followed.form) if followed is not None else statement.sql
    assert plan is not None
    kept: dict[str, Any] = {
        "reading": sql,
        "version": seen.metadata.catalog.version,
        **sure_of(followed, plan.confidence),
    }
    if plan.chart.words:
        kept["chart"] = plan.chart.words
    if seen.options:
        kept["choices"] = kept_options(seen.options)
    if seen.taken is not None and not seen.again:
        kept["took"] = True
    if followed is not None and followed.undo:
        kept["undo"] = True
    groups = [column.name for column in statement.columns if column.role in ("dimension", "column")]
    pointing = _pointing(statement, seen.metadata)
    if plan.limit is not None and 0 < table.num_rows <= _POINTED and pointing:
        kept["focus"] = [[pointing, [_plain(value) for value in table.column(pointing).to_pylist()]]]
    numbers = [column.name for column in statement.columns if column.role == "measure"]
    if len(groups) == 1 and numbers and (top := remembered_top(plan, table, groups[0], numbers[0])) is not None:
        kept["top"] = top
    return kept


def _pointing(statement: Statement, metadata: Metadata) -> str | None:
    """The column that says which groups or rows are shown: of rows one that each has a value of its own in."""
    groups = [column for column in statement.columns if column.role in ("dimension", "column")]
    if not groups:
        return None
    own_key = metadata.key_of((groups[0].member or "").split(".", 1)[0]) if groups[0].role == "dimension" else None
    keyed = next((column.name for column in groups[1:] if own_key and column.member == own_key), None)
    if keyed or groups[0].role == "dimension" or _tells_apart(groups[0].member, metadata):
        return keyed or groups[0].name  # namesakes are told apart by their keys
    root = (groups[0].member or "").split(".", 1)[0]
    own = [c for c in groups if c.member and c.member.startswith(f"{root}.") and not metadata.is_number(c.member)]
    return next((column.name for column in own if _tells_apart(column.member, metadata)), None)


def _tells_apart(member: str | None, metadata: Metadata) -> bool:
    profile = metadata.profile(member) if member is not None else None
    return profile is None or not profile.rows or profile.unique


def shown_few(form: Form, table: pa.Table) -> dict[str, Any]:
    """The few groups or rows that were asked for, which "those" stands for later."""
    named = form.groups or form.columns
    if form.limit is None or not named or not 0 < table.num_rows <= _POINTED:
        return {}
    return {"focus": [[table.column_names[0], [_plain(value) for value in table.column(0).to_pylist()]]]}


def left_over(turn: Turn, seen: Understood, unread: Sequence[str]) -> dict[str, list[str]]:
    """What an answer leaves out, for the turns that edit it."""
    of = seen.followed.of if seen.followed is not None else None
    gone = passed_over(turn, undecided=seen.followed.undecided) if seen.followed is not None else ()
    left = dict.fromkeys([*still_left_out(turn, of), *gone, *unread])
    return {"left": list(left)[-_LEFT:]} if left else {}


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
