"""Nouns in both numbers: ``city`` and ``cities``, ``bus`` and ``buses``, ``person`` and ``people``."""

from __future__ import annotations

from functools import lru_cache

from .... import patterns as re

__all__ = ["PLURALS", "UNCHANGED", "singular_of"]

PLURALS = {
    "person": "people", "child": "children", "man": "men", "woman": "women", "foot": "feet", "tooth": "teeth",
    "goose": "geese", "mouse": "mice", "criterion": "criteria", "phenomenon": "phenomena", "analysis": "analyses",
    "crisis": "crises", "diagnosis": "diagnoses", "basis": "bases", "thesis": "theses", "hypothesis": "hypotheses",
    "axis": "axes", "matrix": "matrices", "index": "indices", "vertex": "vertices", "appendix": "appendices",
    "datum": "data", "medium": "media", "bacterium": "bacteria", "curriculum": "curricula", "stimulus": "stimuli",
    "alumnus": "alumni", "cactus": "cacti", "nucleus": "nuclei", "life": "lives", "wife": "wives", "knife": "knives",
    "half": "halves", "shelf": "shelves", "leaf": "leaves", "wolf": "wolves", "thief": "thieves", "loaf": "loaves",
    "calf": "calves", "hero": "heroes", "potato": "potatoes", "tomato": "tomatoes", "echo": "echoes", "veto": "vetoes",
    "quiz": "quizzes", "ox": "oxen", "bus": "buses", "gas": "gases", "lens": "lenses", "status": "statuses",
    "census": "censuses", "campus": "campuses", "virus": "viruses", "bonus": "bonuses", "address": "addresses",
}  # fmt: skip
UNCHANGED = frozenset(
    "aircraft spacecraft hovercraft series species sheep fish deer data media news staff equipment information weather "
    "inventory stock feedback traffic revenue income money software hardware luggage baggage furniture people "
    "personnel police cattle headquarters means sex".split()
)
# Of two nouns that share a plural, or of a verb that looks like one, the one that names things in tables.
_ELSE = {"bases": "base", "leaves": "leave", "halves": "half", "data": "data", "media": "media", "people": "person"}
_SINGULARS = {many: one for one, many in PLURALS.items()} | _ELSE
_NO_PLURAL = frozenset(
    "alias atlas bias canvas chaos christmas cosmos diabetes economics ethics ethos gas genetics gymnastics lens "
    "logistics mathematics pancreas physics politics robotics series species sas texas thermos news".split()
)
_ENDS_IN_E = re.compile(
    r"(ache|avalanche|cache|creche|moustache|niche|quiche)s$"
    r"|([^z]z|(?:hous|caus|claus|paus|spous|blous|mous|us|fus|mus|excus|reclus|refus|abus|accus|warehous))es$"
)
_IN_IE = frozenset(
    "birdies brownies calories collies cookies foodies freebies genies goalies groupies hoodies indies junkies movies "
    "newbies pixies prairies rookies selfies smoothies sorties townies veggies zombies".split()
)
_IN_ES = re.compile(r"(ss|sh|ch|x|zz|tz)es$")
_IN_US = re.compile(r"..[^aeo]uses$")  # "viruses", where "houses" and "causes" keep their e


@lru_cache(maxsize=65536)
def singular_of(word: str) -> str:
    """``cities`` → ``city``, ``classes`` → ``class``, ``prizes`` → ``prize``; what is no plural stays."""
    if word in _SINGULARS:
        return _SINGULARS[word]
    if word in _NO_PLURAL or word in UNCHANGED:
        return word
    if not word.endswith("s"):  # most words: what follows looks at how a plural ends
        return word
    if word in _IN_IE:
        return word[:-1]
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if _ENDS_IN_E.search(word):
        return word[:-1]
    if len(word) > 4 and (_IN_ES.search(word) or _IN_US.search(word)):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
