"""``list them with their price, dearest first``: each of the rows that were only counted, and what is told of it."""

from __future__ import annotations

from collections.abc import Iterable

from .... import patterns as re
from ..forms import Clause, Expression, Form, Member, Order
from ..grammar.clauses import Grouped, Shown, Sorted, Subject, Tested, Timed
from ..linking.mentions import Mention
from ..schema.member_kinds import kind_of, labels_of
from ..schema.metadata import Metadata
from .editing import Edit, Unfit, aggregate_of, clauses_of, reach
from .expressing import relations_of, time_of
from .rows import listed

__all__ = ["dated", "list_them", "lists_them"]

_THEM = re.compile(
    r"^\W*(?:(?:and|now|so|ok|okay|please|then|can you|could you)\W+)*(?:list|show|give|display|name|see)\s+"
    r"(?:me\s+|us\s+)?(?:them|those|these)(?:\s+all)?\b[\s,;:–-]+(?:(?:with|by|sorted|ordered|in order)\b.*"
    r"|.*\bfirst)\W*$",
    re.IGNORECASE,
)
_DATE = re.compile(r"\b(?:their |the )?dates?\b(?! of\b| they\b)(?=\W*(?:$|and\b|,))", re.IGNORECASE)
_BY = re.compile(r".*?\b(?:them|those|these)(?:\s+all)?\W+by\b", re.IGNORECASE)
_COUNTS = frozenset(("rows", "count", "count_distinct"))
_BY_TIME = re.compile(r"\b(?:newest|latest|youngest|most recent|oldest|earliest|chronological(?:ly)?)\b", re.IGNORECASE)
_TOLD = (Shown, Grouped, Sorted, Subject, Tested, Timed)


def lists_them(text: str, form: Form, metadata: Metadata) -> bool:
    """Whether rows that were only counted are to be listed, and it is said with what, or in which order."""
    counted = {aggregate_of(clause.expression, metadata) for clause in form.measures}
    plain = bool(counted) and counted <= _COUNTS and not (form.groups or form.columns or form.having)
    return plain and _THEM.match(text) is not None


def dated(text: str, form: Form, metadata: Metadata) -> str:
    """``list them with the date``: with the one time at which such rows happen, where they have others besides."""
    path = time_of(form, metadata)
    own = metadata.times([path.split(".", 1)[0]]) if path is not None else ()
    if path is None or len(own) < 2 or any(" ".join(metadata.parts(one)) == "date" for one in own):
        return text
    return _DATE.sub(" ".join(metadata.parts(path)), text)


def list_them(edit: Edit) -> Form:
    """The rows behind a count, with what is told of them.

    Raises
    ------
    Unfit
        If a number of them all is meant, or nothing says what they are sorted by.
    """
    if any(not isinstance(clause, _TOLD) for clause in edit.partial.clauses):
        raise Unfit("each of them is asked for, and no number of them all")
    told = [clause.path for clause in (*clauses_of(edit, Shown), *clauses_of(edit, Grouped)) if clause.path]
    metadata = edit.metadata
    edit.form = listed(edit.form, metadata)
    reach(edit, *told)
    form, keys = edit.form, list[Order]()
    if told and _BY.match(edit.heard.text):
        keys = [Order(Member(path), False) for path in told]
    elif told:
        form = form.with_(columns=tuple(Clause(Member(path)) for path in (*_names(form, metadata), *told)))
    keys = keys or _keys(edit, told)
    return form.with_(columns=_with(form, [order.by for order in keys]), order=tuple(keys))


def _with(form: Form, more: Iterable[Expression]) -> tuple[Clause, ...]:
    """The columns of a form and what they are sorted by."""
    return tuple(Clause(one) for one in dict.fromkeys((*(clause.expression for clause in form.columns), *more)))


def _names(form: Form, metadata: Metadata) -> list[str]:
    root = (relations_of(form) or ("",))[0]
    return [path for path in (labels_of(metadata, root) or (metadata.key_of(root),)) if path is not None]


def _keys(edit: Edit, told: list[str]) -> list[Order]:
    """What they are sorted by; ``sorted by weight, heaviest first`` says one thing twice."""
    best, said = edit.partial.best, [_key(edit, clause, told) for clause in clauses_of(edit, Sorted)]
    if best is not None:
        said.append(_best(edit, best, told))
    elif not said and edit.heard.text.lower().rstrip(" .?!").endswith("first"):
        raise Unfit("nothing says what they are sorted by")
    return list({order.by: order for order in said}.values())


def _key(edit: Edit, clause: Sorted, told: list[str]) -> Order:
    """What they are sorted by: what is said, else the number that is told of them, else their time."""
    if clause.path:
        return Order(Member(clause.path), clause.descending)
    numbers = [path for path in told if kind_of(edit.metadata, path) in ("number", "time", "year")]
    time = time_of(edit.form, edit.metadata) if _BY_TIME.search(edit.heard.text) else None
    if not (numbers or time):
        raise Unfit("nothing says what they are sorted by")
    return Order(Member(numbers[0] if numbers else str(time)), clause.descending)


def _best(edit: Edit, said: Mention, told: list[str]) -> Order:
    """``oldest first``: by the one number or time of theirs that a superlative is said of, turned where it must be."""
    own = [path for path in edit.metadata.members if path.split(".", 1)[0] == (relations_of(edit.form) or ("",))[0]]
    for path in (*told, *own):
        words = set(edit.metadata.parts(path))
        if kind_of(edit.metadata, path) not in ("number", "time", "year") or not words & (said.hints | said.turned):
            continue
        return Order(Member(path), (said.argument != "asc") == bool(words & said.hints))
    return _key(edit, Sorted(said.start, said.argument != "asc"), told)
