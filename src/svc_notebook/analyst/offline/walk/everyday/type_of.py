"""*fees by type of payment*, *bookings by channel type*: the values of a column that is called so without its kind."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import singular, stem
from .wording import Wording

__all__ = ["type_behind", "type_of"]

_KINDS = frozenset({"type", "kind", "sort"})
_CLASSES = frozenset({"type", "kind", "class", "category"})
_TWO, _SHORTEST = 2, 3  # words of such a name, and letters of one that is written short
_FEW = 40  # kinds of anything
_ARTICLES = frozenset({"the", "a", "an"})
_COUNTED = ("how", "many")


def type_of(w: Wording, at: int) -> Found | None:
    """``type of payment`` where a column is called payment, and none is called its type."""
    if singular(w.at(at)) not in _KINDS or w.at(at + 1) != "of":
        return None
    noun = at + 2 + (w.at(at + 2) in _ARTICLES)
    if named := _named_so(w, noun):
        return w.said(at, *named), noun + 1
    if own := _own_type(w, noun):
        return w.said(at, *own), noun + 1
    if not _tells_kinds(w, noun):
        return None
    different = ["different"] if tuple(w.words[max(0, at - 2) : at]) == _COUNTED else []
    return [*w.said(at, *different), w.tokens[noun]], noun + 1


def type_behind(w: Wording, at: int) -> Found | None:
    """``channel type`` likewise."""
    kind = singular(w.at(at + 1))
    if kind in _KINDS and w.at(at + 2) != "of" and w.rows_at(at) and (named := _named_so(w, at)):
        return w.said(at, *named), at + 2
    if kind not in _KINDS - {"sort"} or w.at(at + 2) == "of" or not _tells_kinds(w, at):
        return None
    return [w.tokens[at]], at + 2


def _named_so(w: Wording, at: int) -> tuple[str, ...]:
    """The name of the one column of a few texts that says which kind of something it is: ``road_class`` of a road."""
    stems = w.tokens[at].stem if at < len(w.tokens) else ""
    names = {
        tuple(w.meta.parts(path))
        for path, member in w.meta.members.items()
        if member.type == "string" and path.split(".", 1)[0] in w.cubes and w.meta.profile(path).distinct <= _FEW
    }
    of_two = [name for name in names if len(name) == _TWO and name[1] in _CLASSES]
    found = [name for name in of_two if stem(name[0]) == stems]
    # Names are written short: insp_type of an inspection.
    found = found or [n for n in of_two if len(n[0]) >= _SHORTEST and w.at(at).startswith(n[0]) and n[0] != w.at(at)]
    return found[0] if len(found) == 1 else ()


def _own_type(w: Wording, at: int) -> tuple[str, ...]:
    """The name of the one column that tells of what type the rows are that a noun is for."""
    names = {
        path: tuple(w.meta.parts(path))
        for relation in w.rows_at(at)
        for path in w.meta.members
        if path.split(".", 1)[0] == relation and relation in w.cubes and w.meta.parts(path)[-1] in _KINDS
    }
    found = [name for path, name in names.items() if w.meta.members[path].type == "string"]
    return found[0] if len(found) == 1 and len(found[0]) > 1 else ()


def _tells_kinds(w: Wording, at: int) -> bool:
    """Whether a noun is the whole name of one column of texts, which its kind is no name of, and of no rows."""
    if not 0 <= at < len(w.tokens) or w.rows_at(at):
        return False
    said = w.tokens[at].stem
    kinds = [kind for kind in w.meta.kind_names.called.get((said,), ()) if kind.relation in w.cubes]
    if len({(kind.path or ".").split(".", 1)[1] for kind in kinds}) != 1:  # a table in two roles has it twice
        return False
    if any(kind.path is None for kind in kinds):
        return False
    if any(tuple(map(stem, w.meta.parts(path))) == (said,) for path in w.numbers):  # how many engines it has
        return False
    return not any(said in name and not _KINDS.isdisjoint(name) for name in w.names)
