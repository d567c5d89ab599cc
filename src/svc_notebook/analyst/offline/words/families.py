"""Words of one family: *arrived* and *arrival*, *delivered* and *delivery*, *accepted* and *acceptance*."""

from __future__ import annotations

from functools import lru_cache

from .text import singular, stem

__all__ = ["PAST", "deed", "is_same_deed", "root"]

_SHORTEST = 5  # letters of a root that two words may share by their ending alone: a station is no state
_ENDINGS = ("ance", "ence", "ure", "ion", "al", "y")
_TURNED = (("mission", "mit"), ("cision", "cid"), ("clusion", "clud"), ("tension", "tend"), ("ception", "ceiv"),
           ("duction", "duc"), ("scription", "scrib"), ("solution", "solv"), ("pletion", "plet"))  # fmt: skip
_SHORT = {
    "payment": "pay", "paid": "pay", "denial": "deny", "denied": "deny", "loss": "lose", "lost": "lose",
    "flight": "fly", "rental": "rent", "growth": "grow", "sold": "sell", "sale": "sell", "bought": "buy",
    "drove": "drive", "driven": "drive", "rode": "ride", "ridden": "ride", "gift": "give", "given": "give",
    "gave": "give",
    "choice": "choose", "chosen": "choose", "birth": "bear", "born": "bear", "death": "die", "died": "die",
    "deceased": "die",
    "complaint": "complain", "shipment": "ship", "complained": "complain",
    "hiring": "hire", "adoption": "adopt", "failure": "fail",
}  # fmt: skip


@lru_cache(maxsize=65536)
def root(word: str) -> str:
    """What the words of a family have in common, the word's own stem where its ending tells of none."""
    base = singular(word)
    if word in _SHORT or base in _SHORT:
        return _SHORT.get(word) or _SHORT[base]
    for ending, verb in _TURNED:
        if base.endswith(ending):
            return base[: -len(ending)] + verb
    one = stem(base)
    for ending in _ENDINGS:
        if base.endswith(ending) and len(base) - len(ending) >= _SHORTEST:
            return stem(base[: -len(ending)])
    return one


PAST = {
    "bade": "bid", "began": "begin", "begun": "begin", "borne": "bear", "broke": "break", "broken": "break",
    "brought": "bring", "built": "build", "came": "come", "caught": "catch", "chose": "choose", "dealt": "deal",
    "did": "do", "done": "do", "drawn": "draw", "drew": "draw", "fed": "feed", "found": "find", "gave": "give",
    "given": "give", "gone": "go", "got": "get", "gotten": "get", "had": "have", "has": "have", "heard": "hear",
    "held": "hold", "kept": "keep", "laid": "lay", "led": "lead", "left": "leave", "lent": "lend", "made": "make",
    "met": "meet", "ran": "run", "saw": "see", "seen": "see", "sent": "send", "shown": "show", "spent": "spend",
    "spoke": "speak", "spoken": "speak", "submitted": "submit", "taken": "take", "told": "tell", "took": "take",
    "used": "use", "using": "use", "went": "go", "woke": "wake", "won": "win", "written": "write", "wrote": "write",
}  # fmt: skip
"""The verb of a form that is not made of it by an ending."""
_DEED_ENDINGS = ("ation", "ition", "ment", "ance", "ence", "ing", "ion", "ure", "ed", "al", "er", "y", "e", "s")


@lru_cache(maxsize=65536)
def deed(word: str) -> str:
    """What a word says is done: ``bring`` of *brought*, ``register`` of *registration*, without its ending."""
    word = PAST.get(word, word)
    word = word[:-1] if word.endswith("wn") else word  # sewn, drawn
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) > 3 and base[-1] == base[-2] and base[-1] not in "sle":
            return base[:-1]  # cutting, shipped
    base = root(word)
    for ending in _DEED_ENDINGS:
        if base.endswith(ending) and len(base) - len(ending) >= 4:
            return base[: -len(ending)]
    return base


@lru_cache(maxsize=65536)
def is_same_deed(one: str, other: str) -> bool:
    """Whether two words say that the same is done: *registration* and *registered*, *receipt* and *received*."""
    if root(PAST.get(one, one)) == root(PAST.get(other, other)):
        return True
    left, right = deed(one), deed(other)
    if left == right:
        return True
    least = min(len(left), len(right))
    shared = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), least)
    return least >= 4 and shared >= max(4, least - (least > 5)) and abs(len(left) - len(right)) <= 2
