"""Superlatives said as a comparison with all the others: *which town has more riders than any other*."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .comparatives import COMPARATIVE, superlative
from .passive import as_active
from .rules import said_so

__all__ = ["most_of_all"]

_OF = r"(?:on|in|at|to|from|through|with|by|for|of|via|during|into|under|within)"
_NOUN = (
    rf"(?: (?P<noun>(?!(?:{_OF}|and|or|but|we|they|you|this|last|next|ever|so|since|before|after|per|that|which|who|"
    r"has|have|had|was|were|is|are|do|does|did|combined|together|put|taken)\b)[\w-]+))?"
)
_ONES = (
    r"(?:(?:any|every|each|all)(?: of)?(?: (?:the|our|its|their))? (?:others?|rest|remaining)"
    rf"{_NOUN}|the (?:rest|others|other ones)|(?:any|every|all)\s*(?:one|body|thing|where|place|time)? else)"
)
_THAN_ALL = said_so(
    rf"(?P<said>\b{COMPARATIVE}\b)(?P<between>[^,;?]*?)\s*,? than (?:(?:it|they|we) (?:is|are|was|were|do|does|did) )?"
    rf"(?:{_OF} )?(?:(?:those|that) (?:of|for|in|from|by|at|on) )?(?:did |has |have )?{_ONES}\b"
    r"(?! (?:combined|together|put|taken|added))(?: (?:on record|we (?:have )?(?:ever )?(?:had|seen|have)|do|does|did|"
    r"is|are|was|were|has|have|had))?"
)  # fmt: skip
_BEFORE_ALL = said_so(rf"\b(?P<order>before|after) {_ONES}\b")
_OUTNUMBER = said_so(
    rf"^whose (?P<many>[\w\s-]+?) outnumber (?:those of )?{_ONES}\W*$"
)  # fmt: skip
_ARTICLE = said_so(r"\b(?:an?|the) (?=the\s)")


def most_of_all(question: str) -> str:
    """A question with the superlative that it is about, and its subject in front."""
    outnumbered = _OUTNUMBER.match(question)
    if outnumbered is not None and outnumbered["noun"]:
        return f"which {outnumbered['noun']} has the most {outnumbered['many']}"
    found = _THAN_ALL.search(question)
    if found is None:
        return _BEFORE_ALL.sub(lambda m: "first" if m["order"].lower() == "before" else "last", question)
    most = f"{question[: found.start()]}{superlative(found['said'])}{found['between']}{question[found.end() :]}"
    plain = _ARTICLE.sub("", " ".join(most.split()))
    noun = found["noun"] or ""
    return next((made for rule in _FRAMES if (made := rule(plain, noun))), plain)


_ENDS = r"(?P<end>\W*)$"
_WHICH = rf"^(?:{_OF}) (?:which|what) "
_LED = said_so(
    rf"{_WHICH}(?P<noun>[\w\s-]+?) (?:are|is|do|does|did|was|were|has|have|had) (?:there )?(?P<rest>.*?){_ENDS}"
)  # fmt: skip
_NAMED = said_so(
    rf"^(?:(?:name|give|show|find|tell me) )?(?:the )?(?P<noun>[\w\s-]+?) (?:{_OF} which|where) (?P<rest>.*?){_ENDS}"
)  # fmt: skip
_MOST = said_so(
    r"^(?P<who>(?:[\w']+ ){0,4}?)(?P<most>(?:the )(?:most|fewest|least|highest|lowest|largest|smallest|biggest)) "
    r"(?:of (?:our|the|all|its|their) )?(?P<what>.+)$"
)  # fmt: skip
_LIVING = said_so(r" (?:live|come|reside|belong|stem|originate|take place|happen|occur)\s*$")
_WHOSE = said_so(rf"^whose (?P<what>[\w\s-]+?) (?:is|are|was|were) (?P<rest>.*?){_ENDS}")
_WHO = said_so(rf"^who (?P<rest>.*?){_ENDS}")
_WHERE = said_so(rf"^where (?:is|are|was|were|do|does|did) (?P<rest>.*?){_ENDS}")
_SEES = said_so(
    r"^(?P<which>(?:which|what) [\w\s-]+?) (?:sees|has|gets|had|saw|got) (?P<most>the \w+) "
    r"(?:share|proportion|percentage|fraction) of (?:its|their|his|her|the) (?P<what>\w.*)$"
)  # fmt: skip


_DONE_MOST = said_so(r"(?P<deed>\w+ed) (?P<most>the \w+)\s*(?P<behind>.*)$")


def _sees_share(text: str, _: str) -> str | None:
    said = _SEES.match(text)
    return f"{said['which']} has the highest share of {said['what']}" if said is not None else None


def _led(text: str, _: str) -> str | None:
    """``in which town do the most of our riders live`` → ``which town has the most riders``."""
    said = _LED.match(text)
    return _has_most(said["noun"], said["rest"]) if said is not None else None


def _named(text: str, _: str) -> str | None:
    """``the weekday on which we get the most jobs`` → ``which weekday has the most jobs``."""
    said = _NAMED.match(text)
    return _has_most(said["noun"], said["rest"]) if said is not None else None


def _where(text: str, noun: str) -> str | None:
    said = _WHERE.match(text)
    return _has_most(noun, said["rest"]) if said is not None and noun else None


def _has_most(noun: str, rest: str) -> str | None:
    most = _MOST.match(rest)
    if most is None:
        return None
    return f"which {noun} has {most['most']} {_LIVING.sub('', most['what'])}"


def _whose(text: str, noun: str) -> str | None:
    """``whose courses are rated the highest`` of teachers → ``which teacher has the highest rated courses``."""
    said = _WHOSE.match(text)
    if said is None or not noun:
        return None
    turned = _DONE_MOST.match(said["rest"])
    if turned is not None:
        return f"which {noun} has {turned['most']} {turned['deed']} {said['what']} {turned['behind']}".strip()
    return f"which {noun} has {said['rest']} {said['what']}"


def _who(text: str, noun: str) -> str | None:
    said = _WHO.match(text)
    return f"which {noun} {said['rest']}" if said is not None and noun else None


def _by_whom(text: str, _: str) -> str | None:
    plain = as_active(text)
    return plain if plain != text else None


_OCCURS = said_so(
    r"^(?P<which>(?:which|what) [\w\s-]+?) (?:occurs?|happens?|appears?|arises?|comes? up) (?P<end>most|least) often\b"
)


def _occurs(text: str, _: str) -> str | None:
    """``which issue occurs most often``: the commonest of those there are."""
    plain = _OCCURS.sub(lambda m: f"{m['which']} is the {m['end']} common", text)
    return plain if plain != text else None


_FRAMES: Sequence[Callable[[str, str], str | None]] = (
    _by_whom,
    _occurs,
    _sees_share,
    _led,
    _named,
    _where,
    _whose,
    _who,
)
