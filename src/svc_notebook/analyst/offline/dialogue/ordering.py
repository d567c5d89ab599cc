"""The order of an earlier form, and how many of it are shown."""

from __future__ import annotations

from .... import patterns as re
from ..forms import ROWS, Arithmetic, Clause, Expression, Limit, Member, Order
from ..forms.walking import parts
from ..grammar.clauses import Best, Measured, Sorted
from ..grammar.situation import judgement
from ..linking.mentions import Mention
from ..schema.derivations import expression_of
from ..schema.member_kinds import AMOUNTS, kind_of, labels_of
from ..words.text import stem
from .editing import (
    Edit,
    Unfit,
    clauses_of,
    is_bad,
    like_before,
    main_number,
    number_of,
    number_words,
    reach,
    shown_numbers,
)
from .numbers import adds_up

__all__ = ["rank", "sort"]

_DURATIONS = frozenset(stem(word) for word in ("second", "minute", "hour", "day", "week", "month"))
_OF_ANY_NUMBER = frozenset(("strongest", "weakest"))  # months are strong by whatever is looked at
_AS_SORTED = re.compile(r"^\W*(?:(?:show|give|only|just|me|the)\s+)*first\s+\w+(?:\s+\w+)?\W*$", re.IGNORECASE)
"""The first three of what is sorted already: by that, and not the earliest."""


def rank(edit: Edit) -> None:
    best = next(iter(clauses_of(edit, Best)), None)
    mention = edit.partial.best
    if best is None and mention is None:
        return
    if best is not None:
        descending, limit = best.descending, best.limit
        number = _ranked_by(edit, best)
    else:
        assert mention is not None
        descending, limit = mention.argument != "asc", edit.partial.limit
        number = _most(edit, mention.text.lower())
    if limit and edit.form.order and _AS_SORTED.search(edit.heard.rest):
        edit.form = edit.form.with_(limit=Limit(limit))
        return
    if number is None or not (edit.form.groups or edit.form.columns):
        raise Unfit("nothing to rank")
    said = best or _said(edit.partial.best, limit)
    if said is not None and said.path is None:
        descending = _pointed(edit, said, number, descending)
    edit.form = edit.form.with_(order=(Order(number, descending),), limit=Limit(limit or 1))
    _shows_by_what(edit, number)


def _shows_by_what(edit: Edit, number: Expression) -> None:
    """The one of a list that has most of something: what it is called, and how much of that it has."""
    shown = [clause.expression for clause in edit.form.columns]
    if not shown or number in shown:
        return
    names = [path for member in shown if isinstance(member, Member) for path in _names(member, edit)]
    told = [one for one in shown if isinstance(one, Member) and one.path in names] or shown[:1]
    edit.form = edit.form.with_(columns=tuple(Clause(one) for one in (*told, number)))


def _names(member: Member, edit: Edit) -> tuple[str, ...]:
    key = edit.metadata.key_of(member.relation)
    return (*labels_of(edit.metadata, member.relation), *([key] if key else ()))


def _said(said: Mention | None, limit: int | None) -> Best | None:
    """A superlative that nothing was said behind."""
    if said is None:
        return None
    descending = said.argument != "asc"
    return Best(said.start, descending, limit, hints=said.hints, turned=said.turned, judged=judgement(said))


def _pointed(edit: Edit, said: Best, number: Expression, descending: bool) -> bool:
    """Which end a superlative is said of: the slowest takes longest, and the worst delay is the largest."""
    words = number_words(number, edit.metadata)
    if said.judged:
        return (said.judged == "best") != is_bad(number, edit.metadata, edit.form)
    stems = {stem(word) for word in words}
    if stems & _DURATIONS and "duration" in said.hints | said.turned:
        return descending if "duration" in said.hints else not descending
    if not said.hints or stems & {stem(word) for word in said.hints}:
        return descending
    mention = edit.partial.best
    if mention is not None and mention.text.lower().split()[-1] in _OF_ANY_NUMBER:
        return descending
    if not stems & {stem(word) for word in said.turned}:
        raise Unfit("what it is ranked by is not named")
    return descending if _is_age(number) else not descending


def _is_age(number: Expression) -> bool:
    """Whether a number is the time since something: those born first are the oldest."""
    return any(isinstance(part, Arithmetic) and part.operator == "-" for part in parts(number))


def _ranked_by(edit: Edit, best: Best) -> Expression | None:
    if best.relation:
        number: Expression = number_of(edit, Measured(best.place, "rows", None, best.relation))
    elif best.path is None:
        return main_number(edit.form)
    elif edit.form.columns:
        reach(edit, best.path)
        number = expression_of(best.path)
    else:
        number = like_before(edit, best.path)
    if not edit.form.columns and number not in shown_numbers(edit.form):
        edit.form = edit.form.with_(measures=(*edit.form.measures, Clause(number)))
    return number


def _named_now(edit: Edit) -> Expression | None:
    """The one number beside others that this turn itself names: *in which month did it cancel the most*."""
    own = [number_of(edit, clause) for clause in clauses_of(edit, Measured)]
    shown = shown_numbers(edit.form)
    return own[0] if len(own) == 1 and own[0] in shown and len(shown) > 1 else None


_COUNTED = ("most", "fewest", "least")


def _most(edit: Edit, word: str) -> Expression | None:
    """``the most of them``: rows are counted where the number before does not add up. ``Top 3 of those`` go by it."""
    if word.removeprefix("the ") in _COUNTED and (own := _named_now(edit)) is not None:
        return own
    number = main_number(edit.form)
    if edit.form.columns and isinstance(number, Member) and kind_of(edit.metadata, number.path) not in AMOUNTS:
        raise Unfit("nothing says what the rows are ranked by")
    if number is None or edit.form.columns or not edit.says("those") or adds_up(number, edit.metadata):
        return number
    if word.removeprefix("the ") not in _COUNTED:
        return number
    edit.form = edit.form.with_(measures=(Clause(ROWS),), order=(), having=())
    return ROWS


def sort(edit: Edit) -> None:
    orders = []
    for clause in clauses_of(edit, Sorted):
        by: Expression | None
        if clause.relation:
            by = number_of(edit, Measured(clause.place, "rows", None, clause.relation))
        elif not clause.path:
            by = main_number(edit.form)
        else:
            by = _sort_key(edit, clause.path)
        if by is None:
            raise Unfit("nothing to sort by")
        orders.append(Order(by, clause.descending))
    if orders and not (edit.form.groups or edit.form.columns):
        raise Unfit("it is one number, and nothing to sort")
    if orders:
        edit.form = edit.form.with_(order=tuple(orders))


def _sort_key(edit: Edit, path: str) -> Expression | None:
    shown = [clause.expression for clause in edit.form.shown]
    key = expression_of(path)
    known = next((e for e in shown if key in parts(e)), None)
    if known is not None:
        return known
    if edit.form.columns:
        reach(edit, path)
        return expression_of(path)
    return like_before(edit, path) if edit.form.groups else None
