"""Of how many kinds something is had: *with at least 3 different job types*, *that ordered every type of job*."""

from __future__ import annotations

from collections.abc import Iterator

from ...words.numbers import number_word
from ...words.rewriting import Found
from ...words.text import Token, is_participle, singular
from .so_many import only_joins
from .wording import Wording

__all__ = ["with_every_kind", "with_so_many_kinds"]

_HAVING = frozenset({"with", "having", "have", "has", "had"})
_DIFFERENT = frozenset({"different", "distinct"})
_ENDS = frozenset({"", "?", ".", "!", ",", "in", "during", "last", "this", "since", "from", "so"})
_KINDS = frozenset({"type", "kind", "sort"})
_MOST = 5  # words between who has them and of which kind they are
_MANY = 40  # values of which nobody has every one


def with_so_many_kinds(w: Wording, at: int) -> Found | None:
    """``customers with at least 7 different job types``: by how many different ones there are of each."""
    number = at + 1 + w.bound(at + 1)
    if not at or w.at(at) not in _HAVING or number == at + 1 or not w.is_number(number):
        return None
    kind = _kind(w, number + 2) if w.at(number + 1) in _DIFFERENT else None
    if kind is None or w.at(kind[1]) not in _ENDS or w.kind_start(at) is None:
        return None
    return _said(w, at, kind[0], (*w.words[at + 1 : number], _digits(w, number))), kind[1]


def with_every_kind(w: Wording, at: int) -> Found | None:
    """``customers that have ordered every type of job``: with as many different ones as there are."""
    if at >= len(w.tokens) or w.kind_start(at) is None:
        return None
    for place in range(at, min(at + _MOST, len(w.tokens))):
        kind = _every(w, place)
        if kind is not None:
            path, end = kind
            many = str(len(w.meta.values.members[path]))
            return (_said(w, at, path, ("at", "least", many)), end) if w.at(end) in _ENDS else None
        if not only_joins(w, place) and not is_participle(w.at(place)):
            return None
    return None


def _every(w: Wording, at: int) -> tuple[str, int] | None:
    """The column whose every value is asked for, and the place behind."""
    if w.at(at) not in ("every", "all"):
        return None
    place = at + 1 + (w.at(at + 1) in ("the", "our"))
    told = number_word(w.at(place)) if w.at(place) else None
    kind = _kind(w, place + (told is not None))
    values = w.meta.values.members.get(kind[0], ()) if kind is not None else ()
    complete = kind is not None and kind[0] in w.meta.values.complete and 1 < len(values) <= _MANY
    return kind if complete and (told is None or int(told) == len(values)) else None


def _kind(w: Wording, at: int) -> tuple[str, int] | None:
    """The one column of texts that a kind is told by (``job types``, ``types of job``), and the place behind."""
    if singular(w.at(at)) in _KINDS and w.at(at + 1) == "of":
        homes = set(w.rows_at(at + 2)) & set(w.cubes)
        found = [path for path in _texts(w) if path.split(".", 1)[0] in homes and w.meta.parts(path)[-1] in _KINDS]
        return (found[0], at + 3) if len(found) == 1 else None
    end = w.kind_end(at)
    called = w.meta.kind_names.called.get(tuple(token.stem for token in w.tokens[at:end]), ()) if end else ()
    paths = {kind.path for kind in called if kind.path is not None and kind.relation in w.cubes}
    return (paths.pop(), end) if len(paths) == 1 else None


def _texts(w: Wording) -> Iterator[str]:
    return (p for p, m in w.meta.members.items() if m.kind == "dimension" and m.type == "string" and w.meta.parts(p))


def _digits(w: Wording, at: int) -> str:
    token = w.tokens[at]
    return str(
        int(token.value if token.kind == "number" and token.value is not None else number_word(token.lower) or 0)
    )


def _said(w: Wording, at: int, path: str, bound: tuple[str, ...]) -> list[Token]:
    *before, last = w.meta.parts(path)
    return w.said(at, "with", "a", "number", "of", "different", *before, f"{singular(last)}s", "of", *bound)
