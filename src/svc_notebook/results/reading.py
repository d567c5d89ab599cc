"""What a question was read as, to look at and to change: ``chat.ask(reading=answer.reading.with_(limit=5))``.

A reading is a value. Every change makes a new one, and says itself in words for the thread.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from msgspec import UNSET

from ..protocol.reading import Reading as Wire
from ..protocol.reading import ReadingClause, ReadingLimit

__all__ = ["Choice", "Part", "Reading", "choice_from", "reading_from"]

Part = Literal["measures", "groups", "columns", "where", "having", "sort"]
_PARTS: tuple[Part, ...] = ("measures", "groups", "columns", "where", "having", "sort")
_LABELS = {"measures": "measure", "groups": "by", "columns": "columns", "sort": "sort"}
_ABOUT = ("member", "aggregate", "grain", "part", "expression")
_CHANGES = ("limit", "chart", *_PARTS)


class Reading:
    """A question as clauses: ``measures``, ``groups``, ``columns``, ``where``, ``having``, ``sort``, ``limit``.

    Parameters
    ----------
    wire
        The reading as the service sent it.
    edit
        What was changed in it, in words; empty for the service's own.

    Examples
    --------
    >>> reading = client.chat().ask("flights by month in March and April").reading
    >>> [clause.words for clause in reading.where]
    ['scheduled departure from March to April 2013']
    """

    def __init__(self, wire: Wire, edit: str = "") -> None:
        self.wire = wire
        self.edit = edit

    def __repr__(self) -> str:
        return f"<Reading {self}>"

    def __str__(self) -> str:
        """The reading in words."""
        return "; ".join(f"{label} {words}" for label, words, _ in self.rows())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reading) and self.wire == other.wire

    def __hash__(self) -> int:
        return hash(msgspec.json.encode(self.wire))

    @property
    def measures(self) -> list[ReadingClause]:
        """The numbers that are shown."""
        return list(self.wire.measures)

    @property
    def groups(self) -> list[ReadingClause]:
        """What they are shown by."""
        return list(self.wire.groups)

    @property
    def columns(self) -> list[ReadingClause]:
        """The columns of a list of rows."""
        return list(self.wire.columns)

    @property
    def where(self) -> list[ReadingClause]:
        """The conditions on rows; all hold."""
        return list(self.wire.where)

    @property
    def having(self) -> list[ReadingClause]:
        """The conditions on groups."""
        return list(self.wire.having)

    @property
    def sort(self) -> list[ReadingClause]:
        """What rows are sorted by."""
        return list(self.wire.sort)

    @property
    def limit(self) -> int | None:
        """At most so many rows."""
        return self.wire.limit.count if self.wire.limit is not None else None

    @property
    def chart(self) -> str | None:
        """The mark of the chart."""
        return self.wire.chart

    def rows(self) -> list[tuple[str, str, str]]:
        """Its clauses in words: the kind of clause, its words, and its origin (``said``, ``kept``, ``assumed``).

        Examples
        --------
        >>> reading.rows()[0]
        ('measure', 'flights', 'said')
        """
        found = [
            (_LABELS.get(part, part), _words(clause), clause.origin)
            for part in _PARTS
            for clause in getattr(self.wire, part)
            if not clause.hidden
        ]
        limit = self.wire.limit
        if limit is not None:
            found.append(("limit", limit.words.removeprefix("the ") or f"first {limit.count}", limit.origin))
        if self.wire.chart:
            found.append(("chart", self.wire.chart, self.wire.chart_origin or "assumed"))
        return found

    def without(self, part: Part | Literal["limit", "chart"], place: int = 0) -> Reading:
        """The reading without a clause: ``reading.without("where", 0)``.

        Raises
        ------
        IndexError, ValueError
            There is no such clause.

        Examples
        --------
        >>> reading.without("where").where
        []
        """
        if part in ("limit", "chart"):
            less: dict[str, Any] = {"limit": None} if part == "limit" else {"chart": None, "chart_origin": UNSET}
            return Reading(msgspec.structs.replace(self.wire, **less), self._said(f"without {part}"))
        clauses = self._part(part)
        clause = self._clause(part, place)
        rest = {part: [c for c in clauses if c is not clause], **self._following(part, clause, None)}
        return Reading(msgspec.structs.replace(self.wire, **rest), self._said(f"without {_words(clause)}"))

    def changed(self, part: Part, place: int = 0, **fields: Any) -> Reading:
        """The reading with fields of one clause changed: ``reading.changed("where", 0, values=["Spain"])``,
        ``reading.changed("groups", 0, grain="quarter")``.

        Raises
        ------
        IndexError, ValueError
            There is no such clause or field.

        Examples
        --------
        >>> client.chat().ask(reading=reading.changed("groups", 0, grain="day")).df.shape
        (61, 2)
        """
        clause = self._clause(part, place)
        unknown = sorted(set(fields) - set(ReadingClause.__struct_fields__))
        if unknown:
            known = ", ".join(ReadingClause.__struct_fields__)
            raise ValueError(f"a clause has no {unknown[0]!r}; it has {known}")
        given = {name: _sent(value) for name, value in fields.items()}
        # What was said of the old clause is not true of the new one; the service writes its words anew.
        fresh: dict[str, Any] = {"words": "", "origin": "said", "said": UNSET, "from_": UNSET, "name": UNSET}
        new = msgspec.structs.replace(clause, **(fresh | given))
        clauses = {part: [new if c is clause else c for c in self._part(part)], **self._following(part, clause, new)}
        edit = self._said(f"with {_words(new)} instead of {_words(clause)}")
        return Reading(msgspec.structs.replace(self.wire, **clauses), edit)

    def with_(self, **changes: Any) -> Reading:
        """The reading with parts replaced: ``with_(limit=5)``, ``with_(chart="line")``, ``with_(where=[…])``.

        Clauses are :class:`ReadingClause` objects or dicts of their fields.

        Raises
        ------
        ValueError
            It has no such part.

        Examples
        --------
        >>> client.chat().ask(reading=reading.with_(limit=1)).df.shape
        (1, 2)
        """
        unknown = sorted(set(changes) - set(_CHANGES))
        if unknown:
            raise ValueError(f"a reading has no {unknown[0]!r}; it has {', '.join(_CHANGES)}")
        new: dict[str, Any] = {}
        for name, value in changes.items():
            if name == "limit" and isinstance(value, int):
                before = self.wire.limit or ReadingLimit(count=value)
                value = msgspec.structs.replace(before, count=value, words="", origin="said", said=UNSET, from_=UNSET)
            elif name in _PARTS:
                value = [_clause(each) for each in value]
            new[name] = value
        if "chart" in changes:
            new["chart_origin"] = "said"
        told = ", ".join(f"{name} {_told(value)}" for name, value in changes.items())
        return Reading(msgspec.structs.replace(self.wire, **new), self._said(f"with {told}"))

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Reading:
        """A reading as the wire has it.

        Raises
        ------
        ValueError
            If it is none.

        Examples
        --------
        >>> svc.Reading.from_dict(reading.to_dict()) == reading
        True
        """
        return cls(msgspec.convert(given, Wire))

    def to_dict(self) -> dict[str, Any]:
        """The reading as the wire has it.

        Examples
        --------
        >>> reading.to_dict()["chart"]
        'bar'
        """
        found: dict[str, Any] = msgspec.to_builtins(self.wire)
        return found

    def _following(self, part: str, clause: ReadingClause, now: ReadingClause | None) -> dict[str, Any]:
        """What sorts and limits by a shown clause goes with it, or changes as it does."""
        if part not in ("groups", "measures"):
            return {}

        def follow(clauses: list[ReadingClause]) -> list[ReadingClause]:
            same = [(c, _about(c) == _about(clause)) for c in clauses]
            moved = {} if now is None else dict(zip(_ABOUT, _about(now), strict=True))
            return [
                msgspec.structs.replace(c, **moved, words="") if it else c
                for c, it in same
                if now is not None or not it
            ]

        limit = self.wire.limit
        per = {} if limit is None else {"limit": msgspec.structs.replace(limit, per=follow(limit.per))}
        return {"sort": follow(self.wire.sort), **per}

    def _part(self, part: str) -> list[ReadingClause]:
        if part not in _PARTS:
            raise ValueError(f"a reading has no {part!r}; it has {', '.join(_CHANGES)}")
        return list(getattr(self.wire, part))

    def _clause(self, part: str, place: int) -> ReadingClause:
        clauses = self._part(part)
        if not -len(clauses) <= place < len(clauses):
            raise IndexError(f"there is no {part}[{place}]: the reading has {len(clauses)} in {part}")
        return clauses[place]

    def _said(self, words: str) -> str:
        return f"{self.edit}, {words}" if self.edit else f"The same {words}"


def reading_from(given: Any) -> Reading | None:
    """The reading in the input of a tool call, as far as this version knows it."""
    try:
        return Reading(msgspec.convert(given, Wire))
    except msgspec.ValidationError:
        return None


@dataclass(frozen=True)
class Choice:
    """One of the readings that an answer offers where the question can be read in several ways:
    ``chat.ask(choice.question, reading=choice.reading)``.
    """

    question: str
    reading: Reading

    def __str__(self) -> str:
        return self.question


def choice_from(given: Any) -> Choice | None:
    """A choice as a final message carries it, as far as this version knows it."""
    question = given.get("question") if isinstance(given, dict) else None
    reading = reading_from(given.get("reading")) if isinstance(given, dict) else None
    return Choice(question, reading) if isinstance(question, str) and reading is not None else None


def _about(clause: ReadingClause) -> tuple[Any, ...]:
    return tuple(getattr(clause, name) for name in _ABOUT)


def _words(clause: ReadingClause) -> str:
    if clause.words:
        return clause.words
    about = clause.member if isinstance(clause.member, str) else clause.expression
    of = about if isinstance(about, str) else "rows"
    of = of.partition(".")[2].replace("_", " ") or of if isinstance(clause.member, str) else of
    for name in (clause.aggregate, clause.grain, clause.part):
        of = f"{name} of {of}" if isinstance(name, str) else of
    operator = f" {clause.operator}" if isinstance(clause.operator, str) else ""
    values = f" {', '.join(map(str, clause.values))}" if isinstance(clause.values, list) else ""
    return f"{of}{operator}{values}{', largest first' if clause.descending else ''}"


def _clause(given: Any) -> ReadingClause:
    return given if isinstance(given, ReadingClause) else msgspec.convert(given, ReadingClause)


def _told(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " and ".join(_words(_clause(each)) for each in value) or "nothing"
    return str(value)


def _sent(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_sent(each) for each in value]
    if isinstance(value, dt.datetime):
        return value.isoformat(" ")
    return value.isoformat() if isinstance(value, dt.date) else value
