"""Headings as people write them over a sheet: ``How satisfied are you overall? (1-5)``, ``Amount (£)``, ``Share (%)``.

Signs are said in words, a scale and the number of a question are left out, and a question that was asked is called by
what it asks for: *satisfaction overall*.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ... import patterns as re

__all__ = ["Asked", "asked", "per_of", "plain", "scale_of", "unscaled"]

_SIGNS = {"%": "percent", "£": "gbp", "€": "eur", "$": "usd"}
_SIGN = re.compile(r"(?:[(\[]\s*([%£€$])\s*[)\]]|(?<=\s)([%£€$]))\s*$")
_PER_CENT_OF = re.compile(r"^\s*%\s*(?=\w)")
_HIGHEST = "3|4|5|6|7|9|10|100"
_SCALE = re.compile(
    rf"[(\[]\s*(?:(?:on a )?scale (?:of|from)?\s*)?(?:from\s+)?(?:([01])\s*(?:-|–|—|\.\.|to)\s*(?:{_HIGHEST})|"
    rf"out of (?:{_HIGHEST})|[01]\s*=[^()\[\]]*)\s*[)\]]\s*$",
)
_PER = re.compile(r"[(\[]\s*([a-zµ°£€$%]{1,5}\s*/\s*[a-z0-9²³]{1,6})\s*[)\]]\s*$", re.IGNORECASE)
_ASKED_AS = re.compile(r"^\s*(?:[Qq]\s?\d+[a-z]?\s*[.:)\-–]?|\d+\s*[.)])\s+(?=[^\W\d])")

_NOUNS = {
    "satisfied": "satisfaction", "dissatisfied": "dissatisfaction", "likely": "likelihood", "happy": "happiness",
    "easy": "ease", "difficult": "difficulty", "hard": "difficulty", "clean": "cleanliness",
    "friendly": "friendliness", "helpful": "helpfulness", "useful": "usefulness", "clear": "clarity",
    "confident": "confidence", "important": "importance", "comfortable": "comfort", "safe": "safety",
    "stressed": "stress", "stressful": "stress", "engaged": "engagement", "motivated": "motivation",
    "supported": "support", "interested": "interest", "concerned": "concern", "worried": "worry",
    "familiar": "familiarity", "aware": "awareness", "healthy": "health", "anxious": "anxiety", "fair": "fairness",
    "relevant": "relevance", "valuable": "value", "knowledgeable": "knowledge", "loyal": "loyalty",
    "frequently": "frequency", "often": "frequency", "old": "age", "tall": "height", "heavy": "weight",
    "fast": "speed", "quick": "speed", "quickly": "speed", "convenient": "convenience", "attractive": "attractiveness",
    "enjoyable": "enjoyment", "welcome": "welcome", "valued": "value", "productive": "productivity",
}  # fmt: skip
"""What an adjective that is asked for is called."""
_ASKING = frozenset("are is was were do does did would will have has had can could should am".split())
_WHO = frozenset("you your i we it this that there they he she the a an our us".split())
_FINDING = frozenset("find found feel felt think consider".split())
_LED = frozenset("any other others additional further please kindly tell state select choose specify indicate".split())


_AFTER = ("to", "with", "about", "in", "of", "by", "that", "at", "on", "during", "while")


class Asked(Struct, frozen=True):
    """What a heading that asks is called: a name that says no more than what is asked for, and others."""

    name: tuple[str, ...]
    synonyms: tuple[str, ...]


def plain(heading: str) -> str:
    """A heading without scale and number, signs at its end said in words.

    >>> [plain(one) for one in ("Food quality (1-5)", "Spent (£)", "Q3. Region", "Humidity %")]
    ['Food quality', 'Spent gbp', 'Region', 'Humidity percent']
    """
    said = _PER_CENT_OF.sub("percent ", unscaled(heading))
    return _SIGN.sub(lambda found: f" {_SIGNS[found[1] or found[2]]}", said).replace("  ", " ")


def unscaled(heading: str) -> str:
    """A heading without its scale, its number, and a unit that is one over another."""
    return _PER.sub("", _SCALE.sub("", _ASKED_AS.sub("", heading))).strip() or heading


def per_of(heading: str) -> str | None:
    """The unit of a heading that is one over another: ``min/km`` of ``Pace (min/km)``."""
    found = _PER.search(heading)
    return "".join(found[1].split()) if found is not None else None


def scale_of(heading: str) -> bool:
    """Whether a heading says between which marks was chosen."""
    return _SCALE.search(heading) is not None


def asked(words: Sequence[str]) -> Asked | None:
    """What a question over a column asks for; None where the words ask nothing.

    >>> asked("how satisfied are you overall".split()).name
    ('satisfaction', 'overall')
    >>> asked("is this your first visit".split()).synonyms
    ('first visit',)
    """
    words = [word for word in words if word]
    while words and words[0] in _LED and len(words) > 1:
        words = words[1:]
    if len(words) < 2:
        return None
    if words[0] == "how":
        return _how(words[1:])
    if words[0] == "rate":
        return _of("rating", _bare(words[1:]))
    if words[0] in ("what", "which"):
        return _what(words[1:])
    if words[0] in _ASKING and (words[1] in _WHO or len(words) > 3):
        rest = _bare(words[1:])
        return Asked(tuple(rest), (" ".join(rest),)) if rest else None
    return None


def _how(words: Sequence[str]) -> Asked | None:
    first, rest = words[0], list(words[1:])
    if first in ("would", "do", "did", "will") and "rate" in rest[:2]:
        return _of("rating", _bare(rest[rest.index("rate") + 1 :]))
    if first in ("much", "many", "long"):
        return _how_much(first, rest)
    if first in ("well", "good") and rest:
        return _of("rating", _bare(rest))
    if (noun := _NOUNS.get(first)) is not None and rest and rest[0] in _ASKING:
        return _of(noun, _bare(rest[1:], kept=_AFTER))
    rest = _bare(words)
    return Asked(tuple(rest), (" ".join(rest),)) if rest and first in _ASKING else None


def _how_much(first: str, rest: list[str]) -> Asked | None:
    at = next((at for at, word in enumerate(rest) if word in _ASKING), None)
    if at is None:
        return None
    things, done = rest[:at], _bare(rest[at + 1 :])
    if things:
        return Asked(tuple(things), (" ".join(things),))
    if not done:
        return None
    return Asked(tuple(done), (" ".join(done), done[0]) if first == "much" else (" ".join(done),))


def _what(words: Sequence[str]) -> Asked | None:
    if words[0] in _ASKING:
        rest = _bare(words[1:])
    else:
        at = next((at for at, word in enumerate(words) if word in _ASKING), len(words))
        rest = list(words[:at])
    return Asked(tuple(rest), (" ".join(rest),)) if rest else None


def _bare(words: Sequence[str], kept: Sequence[str] = ()) -> list[str]:
    """Words without who is asked, and without what leads up to the thing."""
    rest = list(words)
    while rest and rest[0] not in kept and (rest[0] in _WHO or rest[0] in _ASKING or rest[0] in _FINDING):
        rest = rest[1:]
    return rest


def _of(noun: str, rest: list[str]) -> Asked:
    """*Satisfaction overall*, *rating of the food*."""
    about = [word for word in rest if word not in _WHO]
    while about and about[0] in ("with", "about", "of"):
        about = about[1:]
    joined = rest and rest[0] in (*_AFTER, "overall", "today")
    name = (noun, *rest) if joined or not rest else (noun, "of", *rest)
    short = [noun] if not about or about == ["overall"] else []
    turned = [" ".join([*about, noun])] if about and len(about) < 3 and "to" not in about else []
    return Asked(tuple(name), tuple(dict.fromkeys([" ".join(name), *turned, *short])))
