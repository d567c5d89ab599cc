"""``who turned up?``, ``who are the customers?``: whose rows were counted or listed, and who did what they tell of."""

from __future__ import annotations

from dataclasses import replace

from .... import patterns as re
from ..dialogue import Earlier, few_shown, narrowed_to, rows_of
from ..dialogue.conditions import conditions_of
from ..dialogue.expressing import is_time, members_of
from ..schema.nouns import is_plural
from ..understood import Understood
from ..words.text import singular
from .asked import AskedTurn
from .asked_of_those import ASKS, STANDS, THOSE, edit_of, root_of, whole_form

__all__ = ["WHO_ARE", "people", "who"]

_WHO = re.compile(rf"{ASKS}who (?!(?:is|are|was|were|else|exactly)\b)\w+(?: [\w'-]+){{0,4}}\W*$", re.IGNORECASE)
WHO_ARE = re.compile(
    rf"{ASKS}who (?:are|were) the (?P<who>[\w-]+(?: [\w-]+)?)"
    rf"(?: (?:of|behind|in|for|on) {THOSE})?\W*$",
    re.IGNORECASE,
)


def people(asked: AskedTurn, before: Earlier) -> Understood | None:
    """Whose rows were counted or listed: after some of the orders, ``who are the customers?`` asks for theirs alone."""
    said, rows = WHO_ARE.match(asked.question), rows_of(before.form, asked.metadata)
    if said is None or not rows or before.form.groups or not before.form.where:
        return None
    named = said["who"].lower()
    if not is_plural(named.split()[-1]) or singular(named.split()[-1]) == singular(rows):
        return None
    made = asked.anew(replace(asked.turn, question=f"which {named} are those"))
    return made if made.followed is not None and not made.unread else None


def who(asked: AskedTurn, before: Earlier) -> Understood | None:
    """Who did something, where a verb alone says of what: after some of the viewings, ``who turned up?`` asks it of
    these.
    """
    few = few_shown(before)
    if few is None or not few.where or not _WHO.match(asked.question) or STANDS.search(asked.question):
        return None
    said = [item for item in asked.reading.items if item.kind == "name" and item.text.lower() in asked.question.lower()]
    if any(name.member is None for item in said for name in item.names):
        return None  # it says of what rows
    if any(item.kind in ("value", "quoted") for item in asked.reading.items):
        return None  # it says of whom
    new = whole_form(asked, asked.question)
    if new is None or root_of(new) != root_of(few):
        return None
    if any(is_time(one, asked.metadata) for condition in conditions_of(new) for one in members_of(condition)):
        return None  # of another time
    return edit_of(asked, before, narrowed_to(new, few, asked.metadata))
