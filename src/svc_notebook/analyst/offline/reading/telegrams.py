"""Signs and short words of who types in a hurry, written out: *% late*, *5+ offers*, *w/ a deposit*, *pre 2020*."""

from __future__ import annotations

from .... import patterns as re
from ..schema.metadata import Metadata
from ..words.text import singular, stem

__all__ = ["written_out"]

_LONGEST = 300  # characters
_SIGN = r"(?<!\S)(?P<sign>%|pct\b\.?|perc\b\.?)(?!\S)"
_SHARE_AHEAD = re.compile(
    rf"{_SIGN}(?:\s+of\b)?(?=\s+(?!by\b|per\b|for\b|in\b|or\b|and\b|to\b|points?\b)[^\W\d])", re.IGNORECASE
)
_SHARE_BEHIND = re.compile(
    rf"^(?P<what>[^,:;]*?[^\W\d_])[\s,:-]*\s{_SIGN}(?P<group>\s+(?:by|per|for each)\s[^,;:]+)?(?P<end>\W*)$",
    re.IGNORECASE,
)
_NUMBERED = frozenset("many much in as by a an the of to and or per than total change growth what".split())
_VERBS = re.compile(
    r"\s+(?:is|are|was|were|have|has|had|got|get|gets|change|growth|increase|decrease|rise|drop)\b", re.IGNORECASE
)
_PERCENTS = frozenset({"percent", "pct", "percentage", "perc", "%", "share", "rate"})
_AT_LEAST = re.compile(r"(?:(?P<before>[^\W\d_]+)\s+)?(?<![\w.,+$€£-])(?P<number>[$€£]?\d+(?:[.,]\d+)*%?)\+(?=\s|,|$)")
_BOUND = frozenset(
    "with w of has have had had having is are was were rated aged over for at and or than in by from who that scoring "
    "the earned earning got getting paying lasting took taking make makes making made".split()
)
_WITH = re.compile(r"(?<!\S)w(?:/\s*(?!o\b)|\s+)(?=\S)", re.IGNORECASE)
_WITHOUT = re.compile(r"(?<!\S)w\s?/\s?o(?=\s)", re.IGNORECASE)
_SINCE = re.compile(
    r"(?<!\S)(?P<side>pre|post)(?:\s*-\s*|\s+)(?=\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b)",
    re.IGNORECASE,
)
_NUMBER_OF = re.compile(r"(?<!\S)(?:#|(?:no|nr|num)\b\.?)\s+of(?=\s)|^#\s?(?=[^\W\d])", re.IGNORECASE)
_EITHER_WAY = re.compile(r"(?P<by>\b(?:by|per)\s+)?(?P<flag>[^\W\d_]+)[\s,:(]+y(?:es)?\s?/\s?no?\b\)?", re.IGNORECASE)
_WEEKDAYS = re.compile(r"[\s,(]+mon(?:day)?\s?(?:-|–|to|thru|through|\.\.+)\s?sun(?:day)?\b\)?", re.IGNORECASE)
_YEAR = re.compile(r"\b(?P<which>this|last|next|previous|past|every|each|per|\d+)\s+yr(?P<many>s?)\b", re.IGNORECASE)
_NONE = re.compile(r"\bwith\s+(?:zero|0)\s+(?!(?:to|or|and|till|until)\b)(?=[^\W\d])", re.IGNORECASE)
_PER_CENT = re.compile(r"\bper\s+cent\b", re.IGNORECASE)
_SHARE_CALLED = re.compile(
    r"(?P<as>\b(?:as|in)\s+(?:an?\s+)?)?\b(?P<name>portion|pct|proportion|fraction)(?P<many>s?)\b(?P<of>\s+of\b)?",
    re.IGNORECASE,
)
_EXCEPT = re.compile(r"(?<!\S)excl?\b\.?(?=\s+[^\W\d])", re.IGNORECASE)


def written_out(question: str, metadata: Metadata) -> str:
    """A question with the signs and short words of a telegram as the words that they stand for."""
    if len(question) > _LONGEST:
        return question
    text = _WITHOUT.sub("without", question)
    text = text if _is_known("w", metadata) else _WITH.sub("with ", text)
    text = _NUMBER_OF.sub(lambda said: "number of " if said.group().endswith(("#", " ")) else "number of", text)
    text = _AT_LEAST.sub(lambda said: _at_least(said, metadata), text)
    text = _SINCE.sub(lambda said: "before " if said["side"].lower() == "pre" else "after ", text)
    text = _EITHER_WAY.sub(lambda said: f"{said['by'] or 'by '}{said['flag']}", text)
    text = _WEEKDAYS.sub(" by weekday", text)
    text = text if _is_known("excl", metadata) else _EXCEPT.sub("excluding", text)
    text = _NONE.sub("without ", _YEAR.sub(r"\g<which> year\g<many>", text))
    text = _SHARE_CALLED.sub(lambda said: _share_called(said, metadata), _PER_CENT.sub("percent", text))
    return _shares(text, metadata)


def _share_called(said: re.Match[str], metadata: Metadata) -> str:
    """``as a proportion``, ``what portion of``: a share, in its commonest word."""
    name = said["name"].lower()
    if _is_known(name, metadata) or not (said["as"] or name == "portion" and said["of"]):
        return said.group()
    return f"{said['as'] or ''}share{said['many']}{said['of'] or ''}"


def _is_known(word: str, metadata: Metadata) -> bool:
    """Whether a short word is what the model or its data say."""
    return stem(word) in metadata.vocabulary or stem(word) in metadata.values.first


def _at_least(said: re.Match[str], metadata: Metadata) -> str:
    """``bidders 5+ offers``: with at least 5."""
    sign = f"{said['number']}+"
    if any(sign in str(value) for values in metadata.values.members.values() for value in values):
        return said.group()
    before = said["before"] or ""
    several = before and singular(before.lower()) != before.lower() and before.lower() not in _BOUND
    return f"{before}{' with' if several else ''}{' ' if before else ''}at least {said['number']}"


def _shares(text: str, metadata: Metadata) -> str:
    """``% late``, ``late orders %``: the percentage of them."""
    if (behind := _SHARE_BEHIND.match(text)) is not None:
        *_, last = behind["what"].lower().split()
        if last in _NUMBERED or _is_percent(last, metadata):
            return text
        return f"percentage of {behind['what']}{behind['group'] or ''}{behind['end']}"
    said = _SHARE_AHEAD.search(text)
    before = text[: said.start()].lower().split() if said is not None else []
    if (
        said is None
        or before
        and (before[-1].strip(",") in _NUMBERED - {"the", "what", "and"} or _is_number(before[-1]))
    ):
        return text
    if before and _is_percent(before[-1], metadata):
        return text
    of = "" if _VERBS.match(text, said.end()) else " of"
    return f"{text[: said.start()]}percentage{of}{text[said.end() :]}"


def _is_number(word: str) -> bool:
    return word[-1:].isdigit()


def _is_percent(word: str, metadata: Metadata) -> bool:
    """Whether a number of the model is in percent and called by a word: ``contamination_pct``."""
    named = (metadata.parts(path) for path in metadata.members)
    return any(stem(word) in map(stem, parts) and not _PERCENTS.isdisjoint(parts) for parts in named)
