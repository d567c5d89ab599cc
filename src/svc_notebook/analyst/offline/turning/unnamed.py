"""What somebody did, whoever it was, as what was done: *how often did anybody return a boat* → *boats returned*."""

from __future__ import annotations

from .... import patterns as re
from ..schema.nouns import is_plural, plural
from ..words.families import PAST
from .rules import said_so

__all__ = ["of_nobody_named"]

_ANY = r"(?:somebody|someone|anybody|anyone|people|they|some people)"
_ONE = r"(?:an?|one of (?:our|the)|any(?: of (?:our|the))?|their|some of (?:our|the))"
_NOUN = r"(?P<noun>[a-z]+(?:-[a-z]+)?)"
_TIMES = said_so(
    rf"^how (?:many times|often) (?P<be>has|have|did) {_ANY} (?:ever )?(?P<deed>[a-z]+) {_ONE} {_NOUN}(?P<rest>\b.*)$"
)
_TIMES_SAID = said_so(
    rf"^how (?:many times|often) {_ANY} (?:has |have |had )?(?:ever )?(?P<deed>[a-z]+) {_ONE} {_NOUN}(?P<rest>\b.*)$"
)
_WHENEVER = said_so(
    rf"^(?P<when>when|whenever|if|once) {_ANY} (?:has |have |had )?(?P<deed>[a-z]+) {_ONE} {_NOUN}"
    r"(?P<rest>(?: (?!and\b)[^,]*)?, .*)$"
)
_FIRST = said_so(
    rf"^when (?:(?:was it|it was|is it|it is) (?:that )?)?(?:did )?{_ANY} (?:had |has )?(?:first )?(?P<deed>[a-z]+) "
    r"(?P<what>the (?:very )?(?:first|last|latest|earliest|most recent) .+)$"
)
_NO_DEEDS = frozenset("have has had be was were is are do did does get go come who that with in from".split())
_DONE = {
    "give": "given", "take": "taken", "write": "written", "drive": "driven", "break": "broken", "choose": "chosen",
    "see": "seen", "do": "done", "ride": "ridden", "eat": "eaten", "forget": "forgotten", "steal": "stolen",
    "throw": "thrown", "pay": "paid", "buy": "bought", "sell": "sold", "lose": "lost", "hurt": "hurt", "cut": "cut",
    "hit": "hit", "put": "put", "shut": "shut", "return": "returned",
}  # fmt: skip


def of_nobody_named(question: str) -> str:
    """A question what somebody did as one what was done to something; the rest as it is."""
    times = _TIMES.match(question) or _TIMES_SAID.match(question)
    deed = _done(times["deed"]) if times is not None else None
    if times is not None and deed is not None:
        return f"how many {plural(times['noun'])} were {deed}{_back(times['rest'])}"
    whenever = _WHENEVER.match(question)
    deed = _done(whenever["deed"]) if whenever is not None else None
    if whenever is not None and deed is not None:
        noun = whenever["noun"]
        be = "are" if is_plural(noun) else "is"
        return f"{whenever['when']} {'' if is_plural(noun) else 'a '}{noun} {be} {deed}{_back(whenever['rest'])}"
    first = _FIRST.match(question)
    deed = _done(first["deed"]) if first is not None else None
    if first is not None and deed is not None:
        what = re.sub(r"^the\s+very\s+", "the ", first["what"], flags=re.IGNORECASE)
        return f"when was {what.rstrip(' ?.!')} {deed}"
    return question


def _done(deed: str) -> str | None:
    """What is done by a verb, said of what it is done to; None for those that do nothing to it."""
    said = deed.lower()
    said = PAST.get(said, said)
    if said in _NO_DEEDS:
        return None
    if said in _DONE:
        return _DONE[said]
    if said.endswith("ed") or said in _DONE.values():
        return said
    past = next((one for one, base in PAST.items() if base == said), None)
    if past is not None:
        return past
    base = said[:-1] if said.endswith("s") and not said.endswith("ss") else said
    if base in _DONE:
        return _DONE[base]
    if base.endswith("e"):
        return f"{base}d"
    if re.search(r"[^aeiou]y$", base):
        return f"{base[:-1]}ied"
    doubled = re.search(r"^[^aeiou]*[aeiou][bdgmnprt]$|[^aeiou]el$", base)
    return f"{base}{base[-1] if doubled else ''}ed"


def _back(rest: str) -> str:
    """The rest without to whom it was done: us."""
    return re.sub(r"^\s+(?:to|with|from)\s+us\b", "", rest, flags=re.IGNORECASE)
