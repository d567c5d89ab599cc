"""Averages said behind or around their number, and courses of a day: *are the delays shortest on average*."""

from __future__ import annotations

from .rules import Rules, applied, said_so

__all__ = ["as_average", "averages_behind", "by_its_hours", "per_unit_of_time"]

_HIGH = r"(?P<high>highest|largest|greatest|biggest|longest|smallest|lowest|shortest|worst|best)"
_ON_AVERAGE = said_so(
    r"^(?:for|in|at|on|with|of|during) (?:which|what) (?P<group>[\w\s-]+?) (?:is|was|are|were) (?:the |our )?"
    rf"(?P<number>[\w\s-]+?) (?:the )?{_HIGH} on average(?P<end>\W*)$"
)
_OVER = r"(?:(?:over|during|in|throughout) the course of (?:the|a)|(?:throughout|across) (?:the|a))"
_MOVING = (
    r"(?:change|changes|vary|varies|develop|develops|evolve|evolves|differ|differs|move|moves|behave|behaves|look)"
)
_COURSES: Rules = (
    (said_so(rf"^how (?:do|does|did) (?:the )?(?P<what>.+?) {_MOVING} (?:{_OVER}|(?:over|during|through|within) the|by "
             r"time of) day\b"), r"\g<what> by hour of day"),
    (said_so(rf"^how (?:do|does|did) (?:the )?(?P<what>.+?) {_MOVING} (?:{_OVER}|(?:over|during|through|within) the) "
             r"week\b"), r"\g<what> by weekday"),
    (said_so(rf"\b{_OVER} day\b"), "by hour of day"),
    (said_so(rf"\b{_OVER} week\b"), "by weekday"),
)  # fmt: skip
_UNIT = r"(?P<unit>day|week|month|quarter|year)"
_MANY = r"^how many (?P<what>[a-z][\w'’-]*(?: (?!a\b|an\b|per\b|on\b)[\w'’-]+){0,9}?)"
_NOT_IN = (
    r"(?<!\bin)(?<!\bon)(?<!\bfor)(?<!\bof)(?<!\bwithin)(?<!\bfrom)(?<!\bafter)(?<!\bbefore)(?<!\bthan)(?<!\bhalf)"
)
_COMPOUND = (
    r"(?! (?:ago|later|earlier|late|early|old|before|after|or|and|pass|passes|tickets?|cards?|trips?|out|off)\b)"
)
_A_DAY = said_so(rf"{_MANY}{_NOT_IN} (?:a|per|each|every) {_UNIT}\b{_COMPOUND}(?P<rest>[^?.!]*)")
_ON_A_DAY = said_so(rf"{_MANY},? (?:on|in) (?:an average|a typical|a normal|a usual) {_UNIT}\b(?P<rest>[^?.!]*)")
_ON_THE_WHOLE = said_so(r",? (?:on average|on the average|typically|usually)\b")
_IN_FRONT = said_so(r"^on (?:the )?average,? (?P<asked>[^?.!]+?)(?P<end>\W*)$")
_WHOSE = said_so(r"^(?P<noun>.+?)(?P<done> (?:do|does|did|are|is|was|were|have|has|had) .*)$")
_OFTEN = said_so(r"\b(?:twice|times|once|\d+|more|fewer|less|least)$")
_THERE_WERE = said_so(r"^ (?:(?:are|were|was|is) there|(?:do|did) we have|have there been)\b")


def as_average(question: str) -> str:
    """What is most so on average, as the average that is.

    >>> as_average("on which weekday are the delays shortest on average?")
    'which weekday has the shortest average delays?'
    """
    said = _ON_AVERAGE.match(question)
    if said is None:
        return question
    return f"which {said['group']} has the {said['high']} average {said['number']}{said['end']}"


def by_its_hours(question: str) -> str:
    """How something goes over the course of a day or a week: by the hours or the days of it.

    >>> by_its_hours("how does the average delay change over the course of the day?")
    'average delay by hour of day?'
    """
    return applied(_COURSES, question)


def averages_behind(question: str) -> str:
    """What is said in front of a number per unit of time, behind it.

    >>> averages_behind("on average, how many flights a day leave from Oslo?")
    'how many flights a day leave from Oslo on average?'
    """
    said = _IN_FRONT.match(question)
    if said is None or _A_DAY.match(said["asked"]) is None:
        return question
    return f"{said['asked']} on average{said['end']}"


def per_unit_of_time(question: str) -> str:
    """So many a day, on average or on an average day, as a number per day; ``more than twice a week`` is a bound.

    >>> per_unit_of_time("how many flights a day does Delta have?")
    'how many flights per day does Delta have?'
    >>> per_unit_of_time("how many orders a week were there on average in each town?")
    'how many orders per week on average in each town?'
    >>> per_unit_of_time("how many people came on a typical day?")
    'how many people came per day on average?'
    """
    typical = _ON_A_DAY.match(question)
    said = typical or _A_DAY.match(question)
    if said is None or _OFTEN.search(said["what"]) or said["what"].lower().endswith(" and"):
        return question  # "longer than 1 hour and a quarter"
    rest, behind = said["rest"], question[said.end() :]
    what = _ON_THE_WHOLE.sub("", said["what"])
    usual = typical is not None or what != said["what"] or _ON_THE_WHOLE.search(rest) is not None
    if not usual:
        return f"how many {what} per {said['unit']}{rest}{behind}"
    rest = _THERE_WERE.sub("", _ON_THE_WHOLE.sub("", rest))
    whose = _WHOSE.match(what)
    noun, done = (whose["noun"], _THERE_WERE.sub("", whose["done"])) if whose is not None else (what, "")
    return f"how many {noun} per {said['unit']} on average{done}{rest}{behind}"
