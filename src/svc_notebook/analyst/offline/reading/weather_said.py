"""Weather that rows had, as what measures it: *while it was raining*, *when it did not snow*, *below freezing*, *above
70 degrees*.
"""

from __future__ import annotations

from collections.abc import Collection

from .... import patterns as re
from ..schema.metadata import Metadata
from ..schema.profiles import as_number
from ..turning.rules import said_so
from ..words.text import stem, tokenize

__all__ = ["as_measured"]

_WHEN = "(?:when|whenever|while|whilst|if|as|where)"
_FALLING = "(?P<what>rain|snow|hail|drizzl|pour)"
_NOT = r"(?: not|n['’]t)"
_FELL = said_so(
    rf"\b{_WHEN} (?:it(?:['’]s| is| was| were| has been| had been)(?P<not>{_NOT})? {_FALLING}(?:e?ing)"
    rf"|it (?:(?:did|does|do)(?P<never>{_NOT})? )?(?P<fell>rain|snow|hail)(?:s|ed)?"
    r"|there (?:is|was|were) (?P<no>no |any |some )?(?P<there>rain|snow|hail)(?:fall)?)\b"
    r"(?P<or_not>,? (?:vs\.?|versus|and|or|compared (?:to|with)|against) "
    r"(?:when (?:it )?(?:(?:was|is|did|does) )?(?:not|(?:did|does|was|is)n['’]?t)|not)\b)?"
)
_WITH_AND_WITHOUT = said_so(
    r"\bwith(?P<or_not>) (?:the |any |some )?(?P<what>rain|snow|hail) (?:vs\.?|versus|and|or|against) "
    r"(?:with no|without)(?: (?:the |any )?(?P=what))?\b"
)
_LASTED = said_so(
    r"(?P<many>\bhow many (?:hours|days|weeks|months)) (?:did|does|has) it (?P<fell>rain|snow|hail)(?:ed)?\b"
)
_WITH_IT = said_so(
    r"\b(?:with|(?P<no>without)) (?:the |any |some )?(?P<what>rain|snow|hail)(?:fall)?\b"
    r"(?! (?:above|below|over|under|of|more|less|at least|at most)\b)"
)
_IN_IT = said_so(r"\b(?:in|during|through) (?:the |any |some )?(?P<what>rain|snow|hail)\b(?! \w+s\b)")
_FREEZING = said_so(
    rf"(?:\b(?P<with>with|at|in|under) )?(?:{_WHEN} (?:it (?:is|was|were) )?|\b)(?:(?P<side>below|under|above|over) "
    r"(?:freezing(?: point)?|zero celsius)|(?:it (?:is|was|were) )?freezing(?P<noun> cold| weather| temperatures?| "
    r"conditions)?)\b"
)
_DEGREES = said_so(
    rf"\b(?:(?:{_WHEN} )?(?:it )?(?:was|were|is|are|went|gets?|got) (?:it )?|with |{_WHEN} )?"
    r"(?P<side>above|below|over|under|more than|less than|at least|at most|warmer than|hotter than|colder than) "
    r"(?P<many>-?\d+(?:\.\d+)?)(?: |°)*(?:degrees?|deg|(?<=°)[cf])(?: (?:fahrenheit|celsius|f|c))?\b"
)
_FELL_SO_MUCH = said_so(
    r"\bhow much (?P<what>rain|snow|hail)(?:fall)? (?:fell|came down|ha[sd] fallen|did (?:it|we) (?:get|have|see))\b"
)
_WAS_IT = said_so(r"(?<=s) (?:was|is|were) it$")  # "how many days was it below freezing"
_SIDES = {"warmer than": "above", "hotter than": "above", "colder than": "below"}
_NAMES = {
    "rain": frozenset({"rain", "rainfall", "precipitation", "precip"}),
    "snow": frozenset({"snow", "snowfall"}),
    "hail": frozenset({"hail"}),
}
_NAMES |= {"drizzl": _NAMES["rain"], "pour": _NAMES["rain"]}
_WARMTH = frozenset({"temperature", "temp"})
_POINTS = {"f": 32, "fahrenheit": 32, "c": 0, "celsius": 0}
_ABOVE = frozenset({"above", "over"})


def as_measured(question: str, metadata: Metadata) -> str:
    """A question that says what the weather was, by the number that tells it, where the model has one and no name or
    value for such weather.
    """
    return _in_degrees(_freezing(_fallen(_how_much(question, metadata), metadata), metadata), metadata)


def _how_much(question: str, metadata: Metadata) -> str:
    """``how much rain fell``: all of it, and no fall of a number."""

    def in_all(said: re.Match[str]) -> str:
        what = said["what"].lower()
        name = "" if _is_value(what, metadata) else _number(_NAMES[what], metadata)
        return f"total {name}" if name else said.group()

    return _FELL_SO_MUCH.sub(in_all, question)


def _fallen(question: str, metadata: Metadata) -> str:
    """``while it was raining``: with some of it."""

    def measured(said: re.Match[str]) -> str:
        parts = said.groupdict()
        what = (parts.get("what") or parts.get("fell") or parts.get("there") or "").lower()
        name = "" if _is_value(what, metadata) else _number(_NAMES[what], metadata)
        denied = parts.get("not") or parts.get("never") or (parts.get("no") or "").strip().lower() in ("no", "without")
        if parts.get("or_not") is not None:
            return f"with {name} above 0 vs {name} of 0" if name else said.group()
        many = f"{parts['many']} " if parts.get("many") else ""
        return f"{many}with {name} {'of 0' if denied else 'above 0'}" if name else said.group()

    for pattern in (_WITH_AND_WITHOUT, _LASTED, _FELL, _WITH_IT, _IN_IT):
        question = pattern.sub(measured, question)
    return question


def _freezing(question: str, metadata: Metadata) -> str:
    """``below freezing``: below the point at which water does, in the unit that the model keeps warmth in."""
    said = _FREEZING.search(question)
    if said is None or stem("freezing") in metadata.vocabulary or _is_value("freezing", metadata):
        return question
    name = _number(_WARMTH, metadata)
    points = {_POINTS[unit] for path in _called(name, metadata) for unit in _units(path, metadata) if unit in _POINTS}
    if not name or len(points) != 1:
        return question
    side = "above" if (said["side"] or "").lower() in _ABOVE else "below"
    before = _WAS_IT.sub("", question[: said.start()].rstrip())
    told = side if before.lower().endswith((name, "temperature", "temperatures")) else f"with {name} {side}"
    return f"{before} {told} {points.pop()}{question[said.end() :]}".lstrip()


def _in_degrees(question: str, metadata: Metadata) -> str:
    """``on days above 70 degrees``: of the one warmth there is, where none is named."""
    said, name = _DEGREES.search(question), _number(_WARMTH, metadata)
    words = {stem(word) for word in (*name.split(), *_WARMTH)}
    if said is None or not name or words & {token.stem for token in tokenize(question)}:
        return question
    side = said["side"].lower()
    bound = f"with {name} {_SIDES.get(side, side)} {said['many']}"
    return f"{question[: said.start()]}{bound}{question[said.end() :]}"


def _is_value(what: str, metadata: Metadata) -> bool:
    return any((stem(word),) in metadata.values.whole for word in (what, f"{what}y"))


def _number(called: Collection[str], metadata: Metadata) -> str:
    """The words of the one name that numbers of rows have which are called so, or which may be; none below nought."""
    members, stems = metadata.members, {stem(word) for word in called}
    named = {
        " ".join(metadata.parts(path)) for path in metadata.number_names.paths
        if stems & {stem(word) for word in (*metadata.parts(path), *members[path].synonyms)}
        and (called is _WARMTH or (as_number(metadata.profile(path).low) or 0) >= 0)
    }  # fmt: skip
    return named.pop() if len(named) == 1 else ""


def _called(name: str, metadata: Metadata) -> list[str]:
    return [path for path in metadata.number_names.paths if " ".join(metadata.parts(path)) == name]


def _units(path: str, metadata: Metadata) -> list[str]:
    unit = str(metadata.members[path].meta.get("unit", "")).lower()
    return [unit.lstrip("°"), *metadata.parts(path)[-1:]]
