"""Words of one family: *arrived* and *arrival*, *delivered* and *delivery*, *accepted* and *acceptance*."""

from __future__ import annotations

from functools import lru_cache

from .text import singular, stem

__all__ = ["root"]

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
