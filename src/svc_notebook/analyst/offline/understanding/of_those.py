"""``how many of those are still open``: asked whole with the rows that were shown named in the place of *those*, and of
these rows alone.
"""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..dialogue import Earlier, Followed, earlier, few_shown, narrowed_to, passed_over, rows_of
from ..forms import Form
from ..schema.nouns import plural
from ..understood import Understood
from .asked import AskedTurn
from .edited import edited
from .forming import as_edit, form_of_plan, is_sayable

__all__ = ["of_those"]

_LEAD = r"^\W*(?:(?:and|so|ok|okay|now|then|but|please)\W+)*"
_THOSE = r"(?:those|them|these)"
_HOW_MANY = re.compile(rf"{_LEAD}how many (?:of |among ){_THOSE} (?P<so>\S.*?)\W*$", re.IGNORECASE)
_ONES = re.compile(
    rf"{_LEAD}(?:only|just|keep)(?: only| just)? (?:the ones|{_THOSE}(?: ones)?|ones) (?P<so>\S.*?)\W*$", re.IGNORECASE
)
_WHICH = re.compile(rf"{_LEAD}(?:which|what)(?: ones?)? of {_THOSE} (?P<so>\S.*?)\W*$", re.IGNORECASE)
_ONE = re.compile(rf"{_LEAD}which one (?P<so>\S.*?)\W*$", re.IGNORECASE)
_END = re.compile(r"\b(?:most|least|fewest|best|worst|first|last|\w{2,}est)\b", re.IGNORECASE)
_STANDS = re.compile(r"\b(?:that|those|these|they|them|it|its|their|he|she|his|her)\b", re.IGNORECASE)


def of_those(asked: AskedTurn) -> Understood | None:
    """A turn about the rows that the answer before counted or listed; None where it is none, or cannot be read so."""
    forms = earlier(asked.turn, asked.metadata.catalog)
    if not forms or asked.heard.wants or passed_over(asked.turn):
        return None
    before = forms[0]
    return _narrowed(asked, before) or _picked(asked, before)


def _narrowed(asked: AskedTurn, before: Earlier) -> Understood | None:
    """Fewer of the rows that were counted."""
    counts = _HOW_MANY.match(asked.question)
    said = counts or _ONES.match(asked.question)
    rows = rows_of(before.form, asked.metadata)
    if said is None or not rows or _STANDS.search(said["so"]):
        return None
    made = edited(asked) if counts is None else None
    if made is not None and (made.plan is not None or made.form is not None):
        return made
    few = few_shown(before)
    new = _whole(asked, f"how many {plural(rows)} {said['so']}") if few is not None else None
    if few is None or new is None or new.groups or rows_of(new, asked.metadata) != rows:
        return None
    if few.columns or few.groups and counts:  # all of them together
        return _made(asked, before, narrowed_to(new, few, asked.metadata))
    return _made(asked, before, narrowed_to(few, new, asked.metadata))


def _picked(asked: AskedTurn, before: Earlier) -> Understood | None:
    """Those of the rows that were counted or listed of which something is so, or the one that has most of it."""
    said = _WHICH.match(asked.question) or _ONE.match(asked.question)
    rows = rows_of(before.form, asked.metadata)
    if said is None or not rows or before.form.groups or _STANDS.search(said["so"]):
        return None
    few = few_shown(before)
    noun = rows if _END.search(said["so"]) else plural(rows)
    new = _whole(asked, f"which {noun} {said['so']}") if few is not None else None
    if few is None or new is None or not new.columns or rows_of(new, asked.metadata) != rows:
        return None
    return _made(asked, before, narrowed_to(new, few, asked.metadata))


def _whole(asked: AskedTurn, words: str) -> Form | None:
    """What a question asks at the start of a thread, where it is answered and nothing of it is left out."""
    seen = asked.anew(replace(asked.turn, question=words, history=()))
    if seen.options or seen.unread or seen.analysis is not None or seen.lost:
        return None
    if seen.plan is not None:
        return form_of_plan(seen.plan, asked.metadata) if not seen.plan.unread else None
    return seen.form


def _made(asked: AskedTurn, before: Earlier, form: Form | None) -> Understood | None:
    if form is None or not is_sayable(form, asked.metadata):
        return None
    return as_edit(Followed(form, before, "", sure=before.sure), asked.reading, asked.metadata)
