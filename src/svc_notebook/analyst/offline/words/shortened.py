"""Words that names write short: ``mkt`` for market, ``meth`` for method, ``pmt`` for payment."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

__all__ = ["is_short_for"]

_VOWELS = frozenset("aeiouy")
_SHORTEST, _LONGEST = 3, 5  # letters of a beginning that stands for a word
_WORDS = frozenset(
    "act aid air app area arm art bag ball band bank bar bath bed bill boat body book boss box boy bus call car card "
    "care cart case cash cat chat city code cost crew cup date day deal desk dog door drug end face fact fan farm fee "
    "file film fine fish flat food form fuel fund game gas gate gift goal hall hand head heat home host hour ill item "
    "job key kid king lab lake land law leg line list load loan log lot mail main man map mark mass meal men mile mill "
    "name net news note off order oil open pack page pair pan par park part pass past path pay pen pet pin plan plane "
    "plant play plot plug pool port post pot press pub race rail rain rank rate raw ray rent rest ring road rock role "
    "room root row rule run sale sea seat self sell sen set shape ship shop show side sign site size skill son song "
    "sort state stock stop store sun tag tank tap task tax tea team ten term test text tick tie time tip ton top tour "
    "town track train trip tub type unit use user van view visa wage wall war ward week wine wing word work yard year "
    "zone".split()
)
"""Short words that are whole, whatever longer ones begin with them; a bed and a bath are among their rooms."""
_AGGREGATES = frozenset({"min", "max", "avg", "sum"})  # how a number was made: no money is *min*
_ROOMS = {"bed": "bedroom", "bath": "bathroom"}


@lru_cache(16_384)
def is_short_for(short: str, word: str) -> bool:
    """Whether a part of a name is a word written short: by its beginning, by its consonants, or the first of these.

    >>> [is_short_for(*pair) for pair in (("mkt", "market"), ("dlv", "delivery"), ("car", "cargo"), ("how", "hawaii"))]
    [True, True, False, False]
    """
    if _ROOMS.get(short) == word:
        return True
    if short in _AGGREGATES or len(word) < len(short) + 2 or short[:1] != word[:1] or not short.isalpha():
        return False
    if word.startswith(short):
        whole = {short, short.removesuffix("s")} & _WORDS or word[len(short)] in _VOWELS and short[-1] in _VOWELS
        return _SHORTEST <= len(short) <= _LONGEST and not whole
    bones = _bones(word)
    if len(short) > 1 and _bones(short) == bones and len(short) <= len(bones) + 1 and _is_within(short, word):
        return len(short) > 2 or len(word) <= 5  # nm and cd, where two letters say little of long words
    plain = len(short) >= _SHORTEST and not _VOWELS & set(short[1:])
    return plain and (bones.startswith(short) or short[-1] == bones[-1] and _is_within(short, bones))


def _bones(word: str) -> str:
    """The first letter and the consonants behind it, each once where it is doubled."""
    kept = word[:1] + "".join(letter for letter in word[1:] if letter not in _VOWELS)
    return "".join(letter for letter, _ in groupby(kept))


def _is_within(short: str, word: str) -> bool:
    letters = iter(word)
    return all(letter in letters for letter in short)
