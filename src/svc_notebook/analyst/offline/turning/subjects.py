"""What is asked for most of, in front: *in which town do the most of our riders live* → *which town has the most*."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..words.shares_said import SHARE
from .passive import as_active
from .rules import said_so

__all__ = ["OF", "with_subject"]

OF = r"(?:on|in|at|to|from|through|with|by|for|of|via|during|into|under|within)"
_ENDS = r"(?P<end>\W*)$"
_WHICH = rf"^(?:{OF}) (?:which|what) "
_LED = said_so(
    rf"{_WHICH}(?P<noun>[\w\s-]+?) (?:are|is|do|does|did|was|were|has|have|had) (?:there )?(?P<rest>.*?){_ENDS}"
)  # fmt: skip
_NAMED = said_so(
    rf"^(?:(?:name|give|show|find|tell me) )?(?:the )?(?P<noun>[\w\s-]+?) (?:{OF} which|where) (?P<rest>.*?){_ENDS}"
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
    rf"{SHARE} of (?:its|their|his|her|the) (?P<what>\w.*)$"
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


def with_subject(text: str, noun: str) -> str:
    """A question with a superlative with its subject in front; ``noun``: what all the others are, where it is said."""
    return next((made for rule in _FRAMES if (made := rule(text, noun))), text)
