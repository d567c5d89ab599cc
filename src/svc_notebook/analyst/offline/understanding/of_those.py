"""``how many of those are still open``: asked whole with the rows that were shown named in the place of *those*, and of
these rows alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .... import patterns as re
from ..dialogue import (
    UNANSWERED,
    Earlier,
    Unfit,
    Unmet,
    earlier,
    few_shown,
    narrowed_to,
    passed_over,
    rows_of,
)
from ..dialogue.conditions import about, conditions_of, with_conditions
from ..dialogue.expressing import paths_of
from ..dialogue.numbers import plainly
from ..dialogue.rows import listed
from ..forms import Compare, Condition, Member
from ..schema.member_kinds import kind_of
from ..schema.nouns import plural
from ..understood import Understood
from ..words.shares_said import SHARE
from .asked import AskedTurn
from .asked_of_those import ASKS, STANDS, THOSE, edit_of, root_of, whole_form
from .edited import edited
from .ends_of_those import ended, other_end
from .people_of_those import WHO_ARE, people, who

__all__ = ["of_those"]

_HOW_MANY = re.compile(rf"{ASKS}how many (?:of |among ){THOSE} (?P<so>\S.*?)\W*$", re.IGNORECASE)
_HOW_MANY_SO = rf"(?:how many(?: (?P<parts>percent))?|what (?P<part>{SHARE})(?P<of> of (?:all )?(?:of )?{THOSE})?)"
_DOES = r"(?:is|are|was|were|has|have|had|do|did|got|went|came|left|ran|took)(?: (?:also|not|only))?"
_IN = r"(?:in|on|at|to|from|by|with|during|before|after|over|under|above|below)"
_BEHIND_DEED = r"(?= (?:in|on|at|to|from|by|for|with|before|after|over|under|late|early|\w+ly)\b|\W*$)"
_UNNAMED = re.compile(
    rf"{ASKS}(?:of {THOSE},? )?{_HOW_MANY_SO} (?!(?:is|are|was|were) (?:there|that|those|they|it)\b)"
    rf"(?P<so>(?:{_DOES}|(?:also |never |only )?\w+ed{_BEHIND_DEED}|(?(of){_IN}|(?!)))\b.*?)\W*$",
    re.IGNORECASE,
)
"""``how many were cancelled``, ``what share of them was late``: of the rows that were chosen, as none are named."""
_BESIDE = re.compile(rf"{_IN}\b", re.IGNORECASE)
_ONES = re.compile(
    rf"{ASKS}(?:only|just|keep)(?: only| just)? (?:the ones|{THOSE}(?: ones)?|ones) (?P<so>\S.*?)\W*$", re.IGNORECASE
)
_SHOWN = re.compile(
    rf"{ASKS}(?:show|list|give|see|display)(?: me| us)?(?: only| just| all)? (?:the ones|{THOSE}(?: ones)?|ones)"
    r"(?: (?:that|which|who)(?: (?:is|are|was|were))?)?"
    r" (?!with\b|by\b|sorted\b|ordered\b|and\b|in (?:order|a)\b|as\b)(?P<so>\S.*?)\W*$",
    re.IGNORECASE,
)
_WHICH = re.compile(rf"{ASKS}(?:which|what)(?: ones?)? of {THOSE} (?P<so>\S.*?)\W*$", re.IGNORECASE)
_ONE = re.compile(rf"{ASKS}which one (?P<so>\S.*?)\W*$", re.IGNORECASE)
_THE_END = re.compile(
    rf"{ASKS}(?:(?:which|what|who) (?:is|was|are|were) )?the "
    r"(?P<so>(?!most\b|least\b|fewest\b|first\b|last\b)\w{2,}est|(?:most|least) \w+)"
    rf"(?: ones?)?(?: (?:of|among) {THOSE}(?: all)?)\W*$",
    re.IGNORECASE,
)  # "and the cheapest of them?"
_END = re.compile(r"\b(?:most|least|fewest|best|worst|first|last|\w{2,}est)\b", re.IGNORECASE)


def of_those(asked: AskedTurn) -> Understood | None:
    """A turn about the rows that the answer before counted or listed; None where it is none, or cannot be read so."""
    forms = earlier(asked.turn, asked.metadata.catalog)
    if passed_over(asked.turn):  # of those that were asked for, and of nobody else
        return asked.nothing(unmet=Unmet(UNANSWERED)) if WHO_ARE.match(asked.question) else None
    if not forms:
        return None
    before = forms[0]
    if asked.heard.wants:
        return other_end(asked, before)
    return (
        _narrowed(asked, before)
        or _listed_so(asked, forms)
        or _unnamed(asked, forms)
        or _picked(asked, before)
        or ended(asked, before)
        or people(asked, before)
        or who(asked, before)
    )


def _narrowed(asked: AskedTurn, before: Earlier) -> Understood | None:
    """Fewer of the rows that were counted."""
    counts = _HOW_MANY.match(asked.question)
    said = counts or _ONES.match(asked.question)
    rows = rows_of(before.form, asked.metadata)
    if said is None or not rows or STANDS.search(said["so"]):
        return None
    made = edited(asked) if counts is None else None
    if made is not None and (made.plan is not None or made.form is not None):
        return made
    few = few_shown(before)
    new = whole_form(asked, f"how many {plural(rows)} {said['so']}") if few is not None else None
    if few is None or new is None or new.groups or rows_of(new, asked.metadata) != rows:
        return None
    if few.columns or few.groups and counts:  # all of them together
        return edit_of(asked, before, narrowed_to(new, few, asked.metadata))
    return edit_of(asked, before, narrowed_to(few, new, asked.metadata))


def _listed_so(asked: AskedTurn, forms: Sequence[Earlier]) -> Understood | None:
    """``show me the ones over an hour late``: the rows that were counted or measured of which that is so, in a list."""
    said, before, metadata = _SHOWN.match(asked.question), forms[0], asked.metadata
    few, root = few_shown(before), root_of(before.form)
    if said is None or few is None or not root or few.groups or not few.measures or STANDS.search(said["so"]):
        return None
    rows = metadata.words_of(root)[-1]
    new = whole_form(asked, f"how many {plural(rows)} are {said['so']}") or whole_form(
        asked, f"how many {plural(rows)} {said['so']}"
    )
    if new is None or new.groups or new.columns or rows_of(new, metadata) != rows or not new.where:
        return None
    meant = [_as_measured(condition, said["so"], forms, asked) for condition in conditions_of(new)]
    narrowed = narrowed_to(few, with_conditions(new, meant), metadata)
    try:
        return edit_of(asked, before, listed(narrowed, metadata) if narrowed is not None else None)
    except Unfit:
        return None


def _as_measured(condition: Condition, words: str, forms: Sequence[Earlier], asked: AskedTurn) -> Condition:
    """A bound on the number that the thread measures, where words may be for that as well: ``late`` of arrivals."""
    left, metadata = getattr(condition, "left", None), asked.metadata
    if not isinstance(condition, Compare) or not isinstance(left, Member) or kind_of(metadata, left.path) != "number":
        return condition
    *apart, last = metadata.parts(left.path)
    told = [
        number
        for one in forms
        for clause in one.form.measures
        for number in paths_of(plainly(clause.expression, metadata))
    ]
    near = [path for path in told if metadata.parts(path)[-1:] == (last,) and path.split(".")[0] == left.relation]
    if not near or near[0] == left.path or set(apart) & set(re.findall(r"[a-z]+", words.lower())):
        return condition
    return replace(condition, left=Member(near[0]))


def _unnamed(asked: AskedTurn, forms: Sequence[Earlier]) -> Understood | None:
    """How many of the rows that were chosen are so, where a turn names no rows of its own; one such turn after another
    is of the same rows.
    """
    said = _UNNAMED.match(asked.question)
    before = next((one for one in forms if not _UNNAMED.match(one.turn.question)), None)
    found = _of_chosen(asked, before, said) if said is not None and before is not None else None
    return asked.nothing(lost=(said["of"].strip(),)) if found is None and said is not None and said["of"] else found


def _of_chosen(asked: AskedTurn, before: Earlier, said: re.Match[str]) -> Understood | None:
    few = few_shown(before)
    if few is None or not few.where or few.groups and said["of"] or STANDS.search(said["so"]):
        return None
    part, rows = said["part"] or said["parts"], rows_of(before.form, asked.metadata)
    head = f"what {part} of" if part else "how many"
    so = f"were {said['so']}" if _BESIDE.match(said["so"]) else said["so"]
    new = (whole_form(asked, f"{head} {plural(rows)} {so}") if rows else None) or whole_form(asked, asked.question)
    if new is None or new.groups or new.columns or not (part or conditions_of(new)) or root_of(new) != root_of(few):
        return None
    told = {about(condition) for condition in conditions_of(new)}
    kept = with_conditions(few, [one for one in conditions_of(few) if about(one) not in told])
    return edit_of(asked, before, narrowed_to(new, kept, asked.metadata))


def _picked(asked: AskedTurn, before: Earlier) -> Understood | None:
    """Those of the rows that were counted or listed of which something is so, or the one that has most of it."""
    said = _WHICH.match(asked.question) or _ONE.match(asked.question)
    end = _THE_END.match(asked.question) if said is None else None
    said = said or end
    rows = rows_of(before.form, asked.metadata)
    if said is None or not rows or before.form.groups or STANDS.search(said["so"]):
        return None
    few = few_shown(before)
    noun = rows if _END.search(said["so"]) else plural(rows)
    so = f"is the {said['so']}" if end is not None else said["so"]
    new = whole_form(asked, f"which {rows if end is not None else noun} {so}") if few is not None else None
    if few is None or new is None or not new.columns or rows_of(new, asked.metadata) != rows:
        return None
    return edit_of(asked, before, narrowed_to(new, few, asked.metadata))
