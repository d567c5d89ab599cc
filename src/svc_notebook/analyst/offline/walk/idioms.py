"""Ways of asking for a sum without its name: *how much did they pay*, *who spent the most*, *how many minutes*."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from ..words.families import root
from ..words.text import Token, is_participle, stem

__all__ = ["named_plainly"]

_PAYING = frozenset({"pay", "pays", "paid"})
_SPENDING = frozenset({"spend", "spends", "spent"})
_HELPERS = frozenset({"did", "does", "do", "has", "have", "had"})
_GETTING = frozenset({"get", "gets", "got", "gotten", "receive", "receives", "received"})
_MOST, _LEAST = frozenset({"most"}), frozenset({"least"})
_BEHIND = frozenset({"with", "in", "on", "by", "during", "since", "from", "for", "overall", "so", "?", ".", "!", ","})
_WHOLE = frozenset({"total", "all", "sum", "average", "avg", "mean", "median", "many"})
_AFTER = frozenset({"of", "by", "per", "for", "in", "did", "do", "does", "have", "has", "were", "was", "are", "?"})
_FAR = 8  # words between "how much did" and what was done


def named_plainly(
    tokens: Sequence[Token],
    amounts: frozenset[str],
    units: Mapping[str, str],
    late: Mapping[str, tuple[str, str]] = MappingProxyType({}),
) -> list[Token]:
    """The tokens with what was paid as revenue, what one got as what one has, a unit as what is measured in it, and
    how late something was done as its delay.

    Parameters
    ----------
    amounts
        Stems of the words that numbers of the model are called by: what they name is left to them.
    units
        By the stem of a unit, the name of the one number that is measured in it.
    late
        By the root of what is done, the two words that say how late it was: ``arrival delay``.
    """
    tokens = _delayed(tokens, late)
    words = [token.lower for token in tokens]
    asks = next((at for at in range(len(words) - 1) if words[at] == "how" and words[at + 1] in ("much", "many")), None)
    whole: list[Token] = []
    place = 0
    while place < len(tokens):
        token, word = tokens[place], words[place]
        if words[place : place + 2] == ["so", "far"] and words[place - 1 : place] != ["how"]:
            place += 2  # no distance
            continue
        # Only behind a helper ("did they pay"): "people pay by card" asks for no sum.
        helped = asks is not None and bool(_HELPERS & set(words[asks + 2 : place])) and place - asks <= _FAR
        much = asks is not None and words[asks + 1] == "much"
        pays = word in _PAYING | _SPENDING and not {token.stem, stem("paid")} & amounts
        if pays and (behind := _the_most(words, place)) is not None:
            whole.extend(_highest(tokens, place, words[place + 2] in _LEAST))
            place = behind
            continue
        if word in _PAYING and helped and much and "pay" not in amounts:
            token = replace(token, lower="spend", stem=stem("spend"))
        elif word in _GETTING and helped and token.stem not in amounts:
            token = replace(token, lower="have", stem=stem("have"))
        elif (
            word in _GETTING and words[place + 1 : place + 2] in (["a"], ["an"], ["any"]) and token.stem not in amounts
        ):
            token = replace(token, text="with", lower="with", stem="with")  # "how many got a discount"
        elif words[place - 2 : place] == ["how", "much"] and token.stem in amounts and _helps_behind(words, place):
            whole[-2:] = [replace(tokens[place - 1], lower="total", stem="total")]  # "how much postage did we take"
        elif token.stem in units and word.endswith("s") and _is_quantity(words, place):
            named = units[token.stem]
            if words[max(0, place - 2) : place] == ["how", "many"]:
                whole[-2:] = [replace(tokens[place - 1], lower="total", stem="total")]
            token = replace(token, lower=named, stem=stem(named))
        whole.append(token)
        place += 1
    return whole


def _delayed(tokens: Sequence[Token], late: Mapping[str, tuple[str, str]]) -> Sequence[Token]:
    """``arrived more than an hour late`` as ``arrival delay more than an hour``."""
    words = [token.lower for token in tokens]
    for at, word in enumerate(words):
        named = late.get(root(word)) if late and _is_past(word) else None
        behind = next((p for p in range(at + 3, min(at + 8, len(words))) if words[p] == "late"), None)
        if named is None or behind is None or words[behind - 1] not in _SPANS or "late" in words[at + 1 : behind]:
            continue
        said = [replace(tokens[at], lower=part, stem=stem(part)) for part in named]
        return [*tokens[:at], *said, *tokens[at + 1 : behind], *tokens[behind + 1 :]]
    return tokens


def _is_past(word: str) -> bool:
    return is_participle(word) or word in ("left", "came", "began")


_SPANS = frozenset("second seconds minute minutes min mins hour hours h day days week weeks".split())


def _helps_behind(words: Sequence[str], place: int) -> bool:
    """Whether what somebody did stands right behind: ``how much rent did they``."""
    return words[place + 1 : place + 2] != [] and words[place + 1] in _HELPERS


def _the_most(words: Sequence[str], place: int) -> int | None:
    """The place behind ``paid the most`` or ``paid the most money``, where no other noun stands there."""
    if words[place + 1 : place + 2] != ["the"] or words[place + 2 : place + 3] not in (["most"], ["least"]):
        return None
    behind = place + 3 + (words[place + 3 : place + 4] == ["money"])
    return behind if not words[behind:] or words[behind] in _BEHIND else None


def _highest(tokens: Sequence[Token], place: int, lowest: bool) -> list[Token]:
    verb, the, most = tokens[place : place + 3]
    best = "lowest" if lowest else "highest"
    return [
        replace(verb, lower="with", stem="with"),
        the,
        replace(most, lower=best, stem=stem(best)),
        replace(most, lower="revenue", stem=stem("revenue")),
    ]


def _is_quantity(words: Sequence[str], place: int) -> bool:
    """Whether a unit stands for what is measured in it: ``total minutes``, ``how many minutes did``."""
    after = words[place + 1] if place + 1 < len(words) else "?"
    before = words[place - 1] if place else ""
    return before in _WHOLE and after in _AFTER
