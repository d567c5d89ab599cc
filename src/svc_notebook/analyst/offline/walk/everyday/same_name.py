"""One name for two things: *in Glenmoor, not by the Glenmoor crew*; and names said with *and*: *hit and run*."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import stem
from .wording import Wording

__all__ = ["name_with_and", "other_of_the_name"]

_DENIED = frozenset({"not", "never", "without", "except", "outside"})
_BACK = 5  # words from a denial to what is denied
_ENDS = frozenset({"", "?", ".", "!", ","})


def other_of_the_name(w: Wording, at: int) -> Found | None:
    """``in Glenmoor … not by the Glenmoor crew``: the second time the one value of another column that begins so."""
    word = w.at(at)
    if word not in w.words[:at] or not _DENIED & set(w.words[max(0, at - _BACK) : at]):
        return None
    named = {match.member for match in w.meta.values.find(w.tokens, at) if match.end == at + 1 and match.quality == 1.0}
    if not named:
        return None
    others = {
        (path, str(value).lower())
        for path, values in w.meta.values.members.items()
        if path not in named and path.split(".", 1)[0] in {home.split(".", 1)[0] for home in named} & set(w.cubes)
        for value in values
        if str(value).lower().startswith(f"{word} ")
    }
    if len(others) != 1:
        return None
    value = others.pop()[1].split()
    behind = at + 1
    # What it is called by in its place: "the Millbrook police" of a Millbrook PD.
    if w.at(behind) == value[1] or w.at(behind) not in _ENDS and w.tokens[behind].stem not in w.meta.vocabulary:
        behind += 1
    return w.said(at, *value), behind


def name_with_and(w: Wording, at: int) -> Found | None:
    """``hit and run`` of a column that is called hit run, where neither word is the name of anything."""
    if w.at(at + 1) != "and" or at + 2 >= len(w.tokens) or w.tokens[at].kind != "word":
        return None
    said = (w.tokens[at].stem, w.tokens[at + 2].stem)
    names = {name for name in w.names if len(name) == len(said) and tuple(map(stem, name)) == said}
    alone = {stem(name[0]) for name in w.names if len(name) == 1} | set(w.meta.kind_names.rows)
    return (w.said(at, *names.pop()), at + 3) if len(names) == 1 and not alone & set(said) else None
