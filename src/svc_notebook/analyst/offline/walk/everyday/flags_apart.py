"""Both sides of a flag: *with and without insurance*, *new vs returning*, *local vs non local*, *A vs the rest*."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import stem
from .wording import Wording

__all__ = ["apart_from_rest", "as_against_not", "flag_set", "has_flag", "new_and_old", "with_and_without"]

_BETWEEN = frozenset({"and", "or", "vs", "versus", "against", "&", "/"})
_AUXILIARY = frozenset({"has", "have", "had", "is", "was", "are", "were", "with"})
_NOT_NEW = frozenset("old existing returning repeat regular recurring established".split())
_ORDINARY = frozenset({"normal", "ordinary", "regular", "standard", "usual"})
_AGAINST = frozenset({"vs", "versus", "against", "and", "or", "than"})
_REST = frozenset({"rest", "others", "other"})
_ENDS = frozenset({"", "?", ".", "!"})
_LONGEST = 3  # words of a flag's name
_HAVING = frozenset("get gets got receive receives received take takes took use uses used want wants wanted".split())
_WHOSE = frozenset({"a", "an", "the", "our", "any", "their"})
_BEHIND = _ENDS | {",", "and", "by", "per", "in", "on", "from", "since", "this", "last", "or", "but"}


def with_and_without(w: Wording, at: int) -> Found | None:
    """``with and without insurance``, ``with vs without a garden``: by the flag that says whether."""
    if w.at(at) != "with" or w.at(at + 1) not in _BETWEEN or w.at(at + 2) != "without":
        return None
    start = at + 3 + (w.at(at + 3) in ("a", "an", "any", "the"))
    flag, end = _flag_at(w, start)
    return (w.said(at, "by", *w.meta.parts(flag)), end) if flag else None


def new_and_old(w: Wording, at: int) -> Found | None:
    """``new and returning``, ``existing vs new``: by the flag that says what is new, where no value is called so."""
    words = w.at(at), w.at(at + 2)
    if w.at(at + 1) not in _BETWEEN or "new" not in words or not _NOT_NEW & {*words} or _NOT_NEW & w.meta.vocabulary:
        return None
    flags = _flags(w, at + 2 * words.index("new"), 1)
    named = [p for p in flags or _all(w) if stem("new") in map(stem, w.meta.parts(p))]
    return (w.said(at, "by", *w.meta.parts(named[0])), at + 3) if len(named) == 1 else None


def as_against_not(w: Wording, at: int) -> Found | None:
    """``local vs non local``: by what tells whether they are."""
    behind = at + 1
    plain = w.at(behind) in _AGAINST and w.at(behind + 1) in _ORDINARY and not w.meta.values.find(w.tokens, behind + 1)
    if w.at(behind) not in _AGAINST or w.at(behind + 1) not in ("non", "not", "no") and not plain:
        return None
    other = behind + 1 if plain else behind + 2 + (w.at(behind + 2) == "-")
    if not w.at(at).isalpha() or w.at(other) != w.at(at) and not plain:
        return None
    named = [p for p in _all(w) if w.tokens[at].stem in {stem(part) for part in w.meta.parts(p)}]
    if len(named) != 1:
        return None
    return w.said(at, "by", *w.meta.parts(named[0])), other + 1


def apart_from_rest(w: Wording, at: int) -> Found | None:
    """``returned orders vs the rest``: by what tells whether they are."""
    flags = {w.meta.parts(p)[-1]: p for p, m in w.meta.members.items() if m.type == "boolean" and m.kind == "dimension"}
    against = at + 1 + bool(w.rows_at(at + 1))
    rest = against + 1 + (w.at(against + 1) in ("the", "all"))
    if w.at(at) not in flags or w.at(against) not in ("vs", "versus", "against") or w.at(rest) not in _REST:
        return None
    end = rest + 1 + (w.at(rest) == "other" and w.at(rest + 1).isalpha())
    if w.at(end) not in _ENDS:
        return None
    return [*w.tokens[at + 1 : against], *w.said(at, "by", *w.meta.parts(flags[w.at(at)]))], end


def has_flag(w: Wording, at: int) -> Found | None:
    """``get the newsletter``, ``use autopay``: those that have what a flag says."""
    if w.at(at) not in _HAVING or at < 1 or w.tokens[at].stem in w.meta.vocabulary:
        return None
    start = at + 1 + (w.at(at + 1) in _WHOSE)
    flag, end = _flag_at(w, start)
    if not flag or w.at(end) not in _BEHIND:
        return None
    rows = bool(w.rows_at(at - 1)) or w.at(at - 1) in ("who", "that", "which")
    having = "with" if rows and w.words[:2] != ["how", "many"] else "have"
    return w.said(at, having, *w.meta.parts(flag)), end


def flag_set(w: Wording, at: int) -> Found | None:
    """``accounts with auto renew off``: without it; ``have the alarm switched on``: with it."""
    if w.at(at) not in _HAS:
        return None
    flag, end = _flag_at(w, at + 1 + (w.at(at + 1) in _WHOSE))
    end += w.at(end) in ("turned", "switched", "set", "to")
    if not flag or (w.at(end) not in _OFF and w.at(end) not in _ON):
        return None
    having = "without" if w.at(end) in _OFF else "with"
    return w.said(at, having, *(part for part in w.meta.parts(flag) if part not in _AUXILIARY)), end + 1


_HAS = frozenset({"have", "has", "had", "having", "with"})
_OFF = frozenset({"off", "disabled", "deactivated", "false"})
_ON = frozenset({"on", "enabled", "activated", "true"})


def _flag_at(w: Wording, start: int) -> tuple[str, int]:
    """The one flag that is named at a place, by as many words as may be, and the place behind; nothing for none."""
    for size in range(_LONGEST, 0, -1):
        if len(flags := _flags(w, start, size)) == 1:
            return flags[0], start + size
    return "", start


def _flags(w: Wording, start: int, size: int) -> list[str]:
    """The flags whose name is just those words."""
    said = [token.stem for token in w.tokens[start : start + size]]
    return [p for p in _all(w) if [stem(part) for part in w.meta.parts(p) if part not in _AUXILIARY] == said]


def _all(w: Wording) -> list[str]:
    return [p for p, m in w.meta.members.items() if m.type == "boolean" and p.split(".", 1)[0] in w.cubes]
