"""Rows set against an average that is not that of all: *twice the average*, *above the average of their size*."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from .... import patterns as re
from ..forms import (
    ROWS,
    Aggregate,
    Arithmetic,
    Clause,
    Compare,
    Expression,
    Filter,
    Form,
    Join,
    Member,
    Output,
    Role,
    Scalar,
    Value,
)
from ..forms.walking import changed, parts
from ..plans.plan import Plan
from ..plans.sql import write_sql
from ..schema.metadata import Metadata
from ..words.numbers import number_word
from ..words.text import stem, tokenize
from .one_number import LONGEST
from .read_back import read_back

__all__ = ["than_average"]

_BOUND = r"(?:(?P<bound>more than|less than|over|under|above|below|at least|at most|exceeding|than)\s+)?"
_FACTOR = r"(?:(?P<word>twice|double|half)|(?P<half>\w+) and a half times|(?P<times>[\d.]+|\w+) times)"
_TIMES = re.compile(
    rf"\b{_BOUND}{_FACTOR}\s+(?:as\s+\w+\s+as\s+)?(?:the\s+|their\s+|its\s+|an?\s+)?(?:overall\s+)?(?P<mean>average|mean)\b",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?P<side>above|below|over|under|than)\s+(?:the\s+)?"
    r"(?:average|mean)(?:\s+(?P<what>\w+))?\s+(?:of|for|in|within|among)\s+"
    r"(?:their|its|his|her|the same|that)\s+(?:own\s+)?(?P<group>\w+)"
    r"|\b(?P<before>above|below|over|under|than)\s+(?:their|its)\s+(?:own\s+)?(?P<whose>\w+?)(?:['’]s?)?\s+(?:average|mean)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\W*(?:how many|(?:the )?(?:number|count) of)\b", re.IGNORECASE)
_SUCH = re.compile(r"\bthan\s+(?:the\s+)?(?:average|mean)\s+(?P<rows>\w+(?:\s+\w+){0,2})\W*$", re.IGNORECASE)
_FACTORS = {"twice": 2.0, "double": 2.0, "half": 0.5}
_LESS = frozenset({"less than", "under", "below", "at most"})
_CLOSED = {"at least": ">=", "at most": "<="}


class _Put(Struct, frozen=True):
    """A question in plain words, and what they leave out: the factor, the kind of comparison, whose average."""

    texts: tuple[str, ...]
    factor: float = 1.0
    closed: str = ""
    group: str = ""
    such: str = ""


def than_average(question: str, metadata: Metadata, read: Callable[[str], Plan | None]) -> Form | None:
    """The form of what is asked, made of the one in which the average is that of all rows."""
    text = " ".join(question.split()).rstrip("?.! ")
    if len(text) > LONGEST:
        return None
    for put in _put(text):
        for plain in put.texts:
            plan = read(plain)
            found = read_back(write_sql(plan, metadata).sql, metadata) if plan is not None else None
            made = _against(found, put, metadata) if isinstance(found, Form) else None
            if made is not None:
                return _how_many(made, metadata) if _COUNTED.match(text) else made
    return None


def _how_many(form: Form, metadata: Metadata) -> Form:
    """The number of rows that a form lists, where it lists rows by what tells them apart."""
    shown = [clause.expression for clause in (*form.groups, *form.columns)]
    root = form.root.relation if isinstance(form.root, Role) else ""
    rows = shown == [Member(path) for path in (metadata.key_of(root),) if path is not None]
    plain = not (form.measures or form.having or form.limit or form.joins)
    return form.with_(groups=(), columns=(), measures=(Clause(ROWS),), order=()) if rows and plain else form


def _put(text: str) -> Iterator[_Put]:
    if (said := _TIMES.search(text)) is not None:
        factor = _factor(said)
        bound = (said["bound"] or "more than").lower()
        if factor is not None:
            side = "below" if bound in _LESS else "above"
            yield _Put(tuple(_plainly(text, said.start(), said.end(), side)), factor, _CLOSED.get(bound, ""))
    elif (own := _OWN.search(text)) is not None:
        side = (own["side"] or own["before"]).lower()
        group = (own["group"] or own["whose"]).lower()
        what = f" {own['what']}" if own["what"] else ""
        if side == "than":
            yield _Put((f"{text[: own.start()]}than average{text[own.end() :]}",), group=group)
        below = side in ("below", "under")
        yield _Put(tuple(_plainly(text, own.start(), own.end(), "below" if below else "above", what)), group=group)
    elif (such := _SUCH.search(text)) is not None:
        yield _Put((f"{text[: such.start()]}than average",), such=such["rows"].lower())


def _plainly(text: str, start: int, end: int, side: str, what: str = "") -> Iterator[str]:
    """The same with the average of all rows; the number may be named before it, behind it, or both."""
    head, tail = text[:start].rstrip(), text[end:].strip()
    named = what.strip() or tail
    yield f"{head} {side} average"
    if named:
        yield f"{head} with {named} {side} average"
    yield f"{head} {side} average {named}".rstrip()


def _factor(said: re.Match[str]) -> float | None:
    if said["word"]:
        return _FACTORS[said["word"].lower()]
    if said["half"]:
        whole = number_word(said["half"].lower())
        return whole + 0.5 if whole is not None else None
    try:
        return float(said["times"])
    except ValueError:
        return number_word(said["times"].lower())


def _against(form: Form, put: _Put, metadata: Metadata) -> Form | None:
    """The form with the one comparison with an average of all rows put otherwise."""
    found = [
        c for c in parts((form.where, form.having), inner=False) if isinstance(c, Compare) and _is_average(c.right)
    ]
    if len(found) != 1:
        return None
    one = found[0]
    if put.group:
        return _of_its_group(form, one, put.group, metadata)
    operator = one.operator
    right: Expression | None = _of_such(form, one, put.such, metadata) if put.such else one.right
    if right is None:
        return None
    if put.factor != 1.0:
        right = Arithmetic("*", right, Value(put.factor))
    if put.closed:
        operator = put.closed  # type: ignore[assignment]  # one of two comparisons
    return _changed(form, one, Compare(one.left, operator, right))


def _changed(form: Form, one: Compare, other: Compare) -> Form:
    def put(part: Any) -> Any:
        return other if part == one else part

    return form.with_(where=changed(form.where, put), having=changed(form.having, put))


def _is_average(of: Any) -> bool:
    if not isinstance(of, Scalar) or len(of.form.measures) != 1:
        return False
    shown = of.form.measures[0].expression
    return isinstance(shown, Aggregate) and shown.function in ("avg", "measure")


def _of_its_group(form: Form, one: Compare, said: str, metadata: Metadata) -> Form | None:
    """A number of a row against the average of the rows that have the same value."""
    kinds = metadata.kind_names.called.get((stem(said),), ())
    if not isinstance(one.left, Member) or not isinstance(form.root, Role) or form.groups and form.measures:
        return None
    home = one.left.relation
    paths = [kind.path for kind in kinds if kind.path is not None and kind.relation == home]
    if len(paths) != 1 or form.root.relation != home or form.joins:
        return None
    group, mean = Member(paths[0]), Aggregate("avg", one.left)
    inner = Form(form.root, groups=(Clause(group),), measures=(Clause(mean),))
    rest = tuple(f for f in form.where if f.condition != one)
    kept = Filter(Compare(one.left, one.operator, Output(mean)))
    groups = tuple(c for c in form.groups if c.expression != group)
    label = metadata.label_of(home) or metadata.key_of(home)
    if not groups and form.groups:
        groups = (Clause(Member(label)),) if label is not None else ()
    joins = (Join(inner, ((group, Output(group)),)),)
    measures = tuple(_counted(c, metadata) for c in form.measures)
    if any(c is None for c in measures) or form.groups and not groups:
        return None
    return form.with_(
        joins=joins, where=(*rest, kept), groups=groups, measures=tuple(c for c in measures if c is not None)
    )


def _counted(clause: Clause, metadata: Metadata) -> Clause | None:
    """A number of rows as one that stands over joined rows; None for any other number of the model."""
    of = clause.expression
    if not isinstance(of, Aggregate) or of.function != "measure":
        return clause
    known = metadata.members.get(of.of.path) if isinstance(of.of, Member) else None
    return Clause(ROWS) if known is not None and known.agg_type == "count" else None


def _of_such(form: Form, one: Compare, said: str, metadata: Metadata) -> Scalar | None:
    """The average of the rows that are like those asked for, where they are called so again."""
    words = {token.stem for token in tokenize(said)}
    rows = {word for word in words if word in metadata.kind_names.rows}
    if not rows or not isinstance(one.right, Scalar):
        return None
    rest = tuple(f for f in form.where if f.condition != one)
    return Scalar(one.right.form.with_(where=rest)) if words - rows and rest else one.right
