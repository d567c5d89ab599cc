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
    rf"^how many (?:different )?(?P<what>[a-z]+) (?:do|does|did) (?P<who>[\w.' -]+?) (?:{_GOING}) to"
    r"(?P<rest> (?:in|on|during|at|from|out of|last|this|since|before|after|until|between) .+?)?\W*$"
)
_HOW_MANY_SERVED = said_so(
    rf"^how many (?:different )?(?P<what>[a-z]+) (?:do|does|did) (?P<who>[\w.' -]+?) (?:{_GOING})"
    r"(?P<rest> (?:in|on|during|at|from|out of|last|this|since|before|after|until|between) .+?)?\W*$"
)
_WHERE = said_so(
    rf"^where (?:do|does|did|has|have|had) (?P<who>(?!it\b|they\b|that\b|this\b)[\w.' -]+?) (?:ever )?(?:{_GOING}|gone)"
    r"(?: to)?(?P<rest> (?:in|on|during|last|this|since|from) .+?)?\W*$"
)
_WHOSE_THINGS = said_so(
    r"^(?P<ask>which|what) (?P<what>[a-z]+)['’]s? (?P<things>[a-z]+) (?:have|has|had|are|were) (?=the |most )"
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
    owned = _WHOSE_THINGS.match(question)
    if owned is not None and _rows_with(owned["what"], metadata) and _are_things(owned["things"], metadata):
        return f"{owned['ask']} {owned['what']} has {question[owned.end() :]}"
    most, counted = _MOST.match(question), _HOW_MANY.match(question)
    rows = _rows_with(most["what"], metadata) if most is not None else ()
    if most is not None and len(rows) == 1:
        return f"{most['ask']} {most['what']} have the {most['most']} {' '.join(metadata.words_of(rows[0]))}"
    ended = _WHERE.match(question)
    if ended is not None and any(tuple(map(stem, metadata.parts(path))) == (_ENDS,) for path in metadata.members):
        who = "" if set(ended["who"].lower().split()) <= _US else f" for {ended['who']}"
        return f"which destinations are there{who}{ended['rest'] or ''}"
    served = _HOW_MANY_SERVED.match(question)
    if served is not None and _rows_with(served["what"], metadata) and not _names_number(served["what"], metadata):
        who = "" if set(served["who"].lower().split()) <= _US else f" for {served['who']}"
        return f"number of different {served['what']}{who}{served['rest'] or ''}"
    if counted is not None and _are_ends(counted["what"], metadata):
        who = "" if set(counted["who"].lower().split()) <= _US else f" of {counted['who']}"
        return f"how many different destinations are there{who}{counted['rest'] or ''}"
    made = _MADE.match(question)
    if made is not None and _rows_with(made["what"], metadata) and metadata.kind_names.are_rows(made["rows"]):
        return f"{made['ask']} {made['what']} are there for {made['rest']}"
    return question


def _are_ends(noun: str, metadata: Metadata) -> bool:
    """Whether a noun may be for where rows lead to: destinations, unless it names a number or rows with a time."""
    if not any(_ENDS in map(stem, metadata.parts(path)) for path in metadata.members):
        return False
    said = stem(singular(noun.lower()))
    happening = any(metadata.times([name]) for name in metadata.kind_names.rows.get(said, ()))
    return not happening and (said,) not in metadata.number_names.called


def _names_number(noun: str, metadata: Metadata) -> bool:
    return (stem(singular(noun.lower())),) in metadata.number_names.called


def _rows_with(noun: str, metadata: Metadata) -> Sequence[str]:
    """The relations that have a column of texts of which a noun is the whole name."""
    words = tuple(stem(singular(word)) for word in noun.lower().split())
    named = [path for path in metadata.members if tuple(map(stem, metadata.parts(path))) == words]
    return list(dict.fromkeys(path.split(".", 1)[0] for path in named if kind_of(metadata, path) == "text"))


def _are_things(noun: str, metadata: Metadata) -> bool:
    """Whether a noun in the plural is for rows, or for what they are told apart by."""
    said = (stem(singular(noun.lower())),)
    kinds = metadata.kind_names.called.get(said, ())
    return singular(noun.lower()) != noun.lower() and bool(kinds) and said not in metadata.number_names.called
