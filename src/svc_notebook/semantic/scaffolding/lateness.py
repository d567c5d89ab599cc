"""Whether something was late, where a table knows when it was due and when it was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .elements import MadeDimension, Names
from .kinds import NumberKind
from .profile import TableProfile
from .words import SHORT_WORDS

__all__ = ["late"]

_DUE = frozenset("due deadline promised expected planned scheduled target estimated required agreed eta".split())
_DONE = frozenset(
    "paid payment done delivered delivery returned return arrived arrival completed completion closed finished "
    "resolved shipped dispatched sent collected received submitted submission fulfilled actual answered handed".split()
)
_PAID = frozenset({"paid", "payment"})
_SAID = frozenset("late delay delayed lateness overdue punctual ontime".split())
_ALSO = frozenset("is was minutes hours days min h total arrival departure arr dep delivery".split()) | _SAID
"""What else a name may have that says how late, as a late fee does not."""


def late(made: Sequence[MadeDimension], names: Names, profile: TableProfile) -> list[MadeDimension]:
    """A yes or no: what was done after the one time it was due, and by how many minutes where both times tell them;
    nothing where a column says so, or two may.
    """
    # A column that says how late it was knows better.
    if any(_SAID & (said := set(_words(dim))) and said <= _ALSO for dim in made):
        return []
    times = [dim for dim in made if dim.kind == "time" and dim.yaml.get("public", True)]
    due = [dim for dim in times if _DUE & set(_words(dim))]
    done = [dim for dim in times if _DONE & set(_words(dim)) and dim not in due]
    # What is paid for as well is late by when it was done.
    done = [dim for dim in done if not _PAID & set(_words(dim))] or done
    # What is received is done where it was lent, and begun where it is shipped: then only the other may be missing.
    done = [dim for dim in done if _may_be_missing(dim, profile)] or done if len(done) > 1 else done
    # Of several it would be a guess which was due, and which was done.
    if len(due) != 1 or len(done) != 1:
        return []
    return [_flag(due[0], done[0], names), *_delay(due[0], done[0], names)]


def _flag(due: MadeDimension, done: MadeDimension, names: Names) -> MadeDimension:
    limit, end = (f"{{{dim.yaml['name']}}}" for dim in (due, done))
    day = f"DATE_TRUNC('day', {limit})"  # what is due on a day may be done until its end
    sql = f"CASE WHEN {limit} = {day} THEN DATE_TRUNC('day', {end}) > {limit} ELSE {end} > {limit} END"
    yaml = {
        "name": names.give("late"), "sql": sql, "type": "boolean",
        "description": f"Whether {done.yaml['name']} is after {due.yaml['name']}",
        "meta": {"computed": True},
    }  # fmt: skip
    return replace(due, yaml=yaml, kind="boolean", words=("late",), key=False, year=False, number=None)


def _delay(due: MadeDimension, done: MadeDimension, names: Names) -> list[MadeDimension]:
    """The minutes from one time to the other, where neither is a date alone."""
    limit, end = (f"{{{dim.yaml['name']}}}" for dim in (due, done))
    if any("TIMESTAMP" not in dim.column.physical.upper() for dim in (due, done)):
        return []
    number = NumberKind("duration", "avg", f"it is the time from {due.yaml['name']} to {done.yaml['name']}", "minutes")
    yaml = {
        "name": names.give("delay_minutes"), "sql": f"DATE_DIFF('minute', {limit}, {end})", "type": "number",
        "title": "Delay", "description": f"Minutes from {due.yaml['name']} to {done.yaml['name']}",
        "meta": {**number.meta, "computed": True},
    }  # fmt: skip
    words = ("delay", "minutes")
    return [replace(due, yaml=yaml, kind="number", words=words, key=False, year=False, number=number)]


def _may_be_missing(dim: MadeDimension, profile: TableProfile) -> bool:
    seen = profile.columns.get(dim.column.name)
    return seen is not None and seen.filled < profile.rows


def _words(dim: MadeDimension) -> list[str]:
    return [part for word in dim.words for part in SHORT_WORDS.get(word, word).split()]
