"""``which airlines fly to Boston``, ``which makers built the planes of Delta``: those that stand in its rows."""

from __future__ import annotations

from collections.abc import Sequence

from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from ..turning.rules import said_so
from ..words.text import singular, stem

__all__ = ["which_of_them"]

# Verbs that say no more than that both stand in one row.
_GOING = (
    "fl(?:y|ies|ew|own)|serve[sd]?|operate[sd]?|r[au]ns?|travel(?:s|led|ed)?|go|goes|went|offers?|uses?|covers?|visits?"
)
_MAKING = "built|builds?|made|makes?|manufacture[sd]?|supplie[sd]|supply|provide[sd]?|produce[sd]?|delivere?d?"
_TOWARDS = "to|from|at|in|out of|into|between|via|through|on"
_NOUN = r"(?P<ask>which|what) (?P<what>[a-z]+(?: [a-z]+)?)"
_WHO_GO = said_so(rf"^{_NOUN} (?:have |has |do |did |that )?(?:{_GOING}) (?P<way>{_TOWARDS}) (?P<rest>.+)$")
_WHO_SERVE = said_so(rf"^{_NOUN} (?:serve[sd]?|covers?|visits?) (?P<rest>(?!how |most |more |the most |\d).+)$")
_GONE_TO = said_so(
    rf"^{_NOUN} (?:do|does|did) (?P<who>(?!not )[\w.' -]+?) (?:{_GOING})(?: to| from| into)?"
    r"(?P<rest> (?:in|on|during|at|from|last|this) .+?)?\W*$"
)
_MADE = said_so(rf"^{_NOUN} (?:have |has )?(?:{_MAKING}) (?:the |our )?(?P<rows>[a-z]+) (?:of|for|at|by) (?P<rest>.+)$")
_MOST = said_so(rf"^{_NOUN} (?:{_GOING}) (?:the )?(?P<most>most|least|fewest)(?: often)?\W*$")
_HOW_MANY = said_so(
    rf"^how many (?:different )?[a-z]+ (?:do|does|did) (?P<who>[\w.' -]+?) (?:{_GOING}) to(?P<rest> .+?)?\W*$"
)
_US = frozenset("we you they people our planes ships trains buses vans trucks it one".split())
_ENDS = stem("destination")


def which_of_them(question: str, metadata: Metadata) -> str:
    """A question for the values of a column beside something, said without its verb."""
    going = _WHO_GO.match(question)
    if going is not None and _rows_with(going["what"], metadata):
        return f"{going['ask']} {going['what']} are there {going['way']} {going['rest']}"
    serving = _WHO_SERVE.match(question)
    if serving is not None and _rows_with(serving["what"], metadata):
        return f"{serving['ask']} {serving['what']} are there with {serving['rest']}"
    gone = _GONE_TO.match(question)
    if gone is not None and _rows_with(gone["what"], metadata):
        return f"{gone['ask']} {gone['what']} are there for {gone['who']}{gone['rest'] or ''}"
    most, counted = _MOST.match(question), _HOW_MANY.match(question)
    rows = _rows_with(most["what"], metadata) if most is not None else ()
    if most is not None and len(rows) == 1:
        return f"{most['ask']} {most['what']} have the {most['most']} {' '.join(metadata.words_of(rows[0]))}"
    if counted is not None and any(_ENDS in map(stem, metadata.parts(path)) for path in metadata.members):
        who = "" if set(counted["who"].lower().split()) <= _US else f" of {counted['who']}"
        return f"how many different destinations are there{who}{counted['rest'] or ''}"
    made = _MADE.match(question)
    if made is not None and _rows_with(made["what"], metadata) and _are_rows(made["rows"], metadata):
        return f"{made['ask']} {made['what']} are there for {made['rest']}"
    return question


def _rows_with(noun: str, metadata: Metadata) -> Sequence[str]:
    """The relations that have a column of texts of which a noun is the whole name."""
    words = tuple(stem(singular(word)) for word in noun.lower().split())
    named = [path for path in metadata.members if tuple(map(stem, metadata.parts(path))) == words]
    return list(dict.fromkeys(path.split(".", 1)[0] for path in named if kind_of(metadata, path) == "text"))


def _are_rows(noun: str, metadata: Metadata) -> bool:
    return bool(metadata.kind_names.rows.get(stem(singular(noun.lower())), ()))
