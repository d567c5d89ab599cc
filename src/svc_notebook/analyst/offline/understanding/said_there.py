"""``how many airlines fly from there`` after the busiest airport, ``how many flights that day``: what is counted now,
of the one that was shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .... import patterns as re
from ..calendar.units import UNITS
from ..dialogue import Earlier, few_shown, narrowed_to
from ..dialogue.conditions import conditions_of, says_so, with_conditions
from ..dialogue.expressing import is_time, paths_of
from ..forms import Form
from ..words.leads import LEAD
from ..words.text import stem
from .asked import AskedTurn
from .forming import form_read_whole
from .of_last_answer import of_last_answer

__all__ = ["said_there"]

_SAID = re.compile(
    LEAD + r"(?P<what>how many (?:different |distinct |other )?\S.*?)\s+"
    r"(?:(?:from|to|at|in|on|for|during)\s+)?(?:there|(?:on |in )?that (?:same )?(?P<noun>[a-z]+))\W*$",
    re.IGNORECASE,
)
_BEING = frozenset({"are", "is", "were", "was", "be", "been"})


@of_last_answer(_SAID)
def said_there(asked: AskedTurn, said: re.Match[str], forms: Sequence[Earlier]) -> Form | None:
    """What is counted, of the rows of the one group that an answer told; None where that is not what is pointed at."""
    few = few_shown(forms[0])
    if said["what"].lower().split()[-1] in _BEING:
        return None  # "how many are there" points at nothing
    if few is None or len(few.groups) != 1 or forms[0].form.limit is None or forms[0].form.limit.count != 1:
        return None
    group, noun = few.groups[0].expression, (said["noun"] or "").lower()
    timed = is_time(group, asked.metadata)
    if timed != (noun in UNITS) or not timed and noun and not _is_called(noun, paths_of(group), asked):
        return None
    new = _counted(asked, said["what"])
    if new is None or not new.measures or new.groups or new.limit is not None:
        return None
    kept = [condition for condition in conditions_of(few) if not says_so(condition, asked.metadata)]
    return narrowed_to(new, with_conditions(few, kept), asked.metadata) if kept else None


def _counted(asked: AskedTurn, what: str) -> Form | None:
    """What is counted, also where nothing of the data is called as the verb is: *ferries that leave* are ferries."""
    bare = " ".join(what.split()[:-1])
    texts = (what, f"{bare} are there") if len(bare.split()) > len(("how", "many")) else (what,)
    read = (asked.anew(replace(asked.turn, question=text, history=(), typed="")) for text in texts)
    return next((form for seen in read if not seen.options and (form := form_read_whole(seen)) is not None), None)


def _is_called(noun: str, paths: set[str], asked: AskedTurn) -> bool:
    return any(stem(noun) in map(stem, asked.metadata.parts(path)) for path in paths)
