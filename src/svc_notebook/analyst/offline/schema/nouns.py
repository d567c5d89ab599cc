"""Nouns in the plural: ``city`` → ``cities``, ``type of plane`` → ``types of plane``, ``person`` → ``people``."""

from __future__ import annotations

from .... import patterns as re
from ..words.inflection import PLURALS, UNCHANGED
from ..words.text import is_participle, singular
from .metadata import Metadata

__all__ = ["flag_words", "is_plural", "lowered", "member_title", "member_words", "plural", "uncounted", "verb"]

_BARE = frozenset({"name", "title", "label", "code", "id", "description", "kind", "type"})  # of what?
_MONTHS = frozenset("January February March April May June July August September October November December".split())
_BETWEEN = frozenset({"of", "in", "at", "for", "to", "from", "by", "per", "on", "with"})


_OF = re.compile(rf" (?:{'|'.join(sorted(_BETWEEN))})\b")


def plural(noun: str) -> str:
    """A noun, or a title that ends in one, in the plural; what is in the plural stays."""
    words = noun.split()
    place = next((i for i, word in enumerate(words) if i and word.lower() in _BETWEEN), len(words)) - 1
    if place < 0 or words[-1] == "by" or words[-1] == "to" and is_participle(words[place].lower()):
        return noun  # whoever it was filed by
    words[place] = _word(words[place])
    return " ".join(words)


def is_plural(noun: str) -> bool:
    """Whether a noun stands in the plural, so that there are many of it."""
    last = noun.split()[-1].lower() if noun.split() else ""
    return last in PLURALS.values() or singular(last) != last or last in ("aircraft", "series", "species", "people")


def verb(title: str, one: str, many: str) -> str:
    """The form of a verb that follows a title: *flights rise*, *the number of flights rises*."""
    return many if is_plural(_OF.split(title, maxsplit=1)[0]) else one


def uncounted(words: str) -> str:
    """What is counted, without that it is a number: a share is *of flights*, not *of number of flights*."""
    return words.removeprefix("number of ")


def member_title(path: str, metadata: Metadata) -> str:
    """The title of a member; a bare *Name* says whose (``Ward name``)."""
    member = metadata.member(path)
    if member.title.lower() not in _BARE:
        return member.title
    owner = metadata.relation(member.relation).title.split(" with ")[0]
    words = owner.split()
    words[-1] = singular(words[-1].lower()) if is_plural(owner) else words[-1]
    return f"{' '.join(words).capitalize() if len(words) == 1 else ' '.join(words)} {member.title.lower()}"


def member_words(path: str, metadata: Metadata) -> str:
    """The title of a member inside a sentence."""
    return lowered(member_title(path, metadata))


def _word(word: str) -> str:
    lower = word.lower()
    if not lower[-1:].isalpha() or lower in UNCHANGED or lower in PLURALS.values():
        return word
    if lower in PLURALS:
        return word[:1] + PLURALS[lower][1:]
    for stem, many in PLURALS.items():  # salesperson, businesswoman
        if len(stem) > 2 and lower.endswith(stem) and stem in ("person", "man", "woman", "child", "foot"):
            return word[: -len(stem)] + many
    if word.isupper() and len(word) > 1:
        return f"{word}s"
    if singular(lower) != lower:
        return word
    if lower.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def lowered(title: str) -> str:
    """A title inside a sentence: lower case except where it is an abbreviation, a month, or a value of the data."""
    name, where, rule = title.partition(" where ")
    first, *rest = name.split() or [""]
    words = (_lowered(first), *(word if word in _MONTHS else _lowered(word) for word in rest))
    return f"{' '.join(words)}{where}{rule}"


def flag_words(title: str, value: bool) -> str:
    """What rows are where a flag is so or not: ``Is new`` → not new, ``Has a lift`` → without a lift."""
    words = lowered(title)
    first, _, held = words.partition(" ")
    if held and first in _POSSESSING:
        return f"{'with' if value else 'without'} {held}"
    words = held if held and first in _BEING else words
    return words if value or words.startswith("not ") else f"not {words}"


_BEING = ("is", "was", "are", "were")
_POSSESSING = ("has", "had", "have")


def _lowered(word: str) -> str:
    return word if not word[1:].islower() and len(word) > 1 else word[:1].lower() + word[1:]
