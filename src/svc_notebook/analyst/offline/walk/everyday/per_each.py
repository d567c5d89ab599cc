"""How many each has of something: *how many lines does an order have on average*, *wines per grower on average*."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import singular, stem
from .wording import Wording, named_rows

__all__ = ["each_has"]

_HAVING = frozenset({"have", "has", "get", "gets", "contain", "contains", "make", "makes", "take", "takes"})
_DOING = frozenset({"do", "does", "did"})
_EACH = frozenset({"a", "an", "each", "every", "one", "the", "per"})
_OVER = frozenset({"on", "in", "per", "for", "to"})
_USUALLY = (("on", "average"), ("typically",), ("usually",), ("in", "general"))


def each_has(w: Wording, at: int) -> Found | None:
    """``how many lines does an order have on average``: the average of their number; ``how many seats do planes have
    on average``: of the number that each holds.
    """
    if at:
        return None
    size = next((len(words) for words in _USUALLY if _ends_in(w, words)), 0)
    end = len(w.words) - size - (w.words[-1:] in (["?"], ["."], ["!"]))
    start = 2 if w.words[:2] == ["how", "many"] else 0
    if not size or end - start < 2 or w.words[:1] in (["average"], ["what"]):
        return None
    link = next((p for p in range(start + 1, min(start + 4, end)) if w.at(p) in _DOING | _OVER), None)
    if link is None:
        return None
    owner = link + 1 + (w.at(link + 1) in _EACH)
    last = end - (w.at(link) in _DOING)
    if (
        w.at(link) in _DOING
        and w.at(last) not in _HAVING
        or not owner < last
        or w.at(link) == "on"
        and owner == link + 1
    ):
        return None
    if _is_number(w, start, link):
        held = start == 2 and w.at(link) in _DOING and _is_rows(w, last - 1)
        return (w.said(0, "average", *w.words[start:link], "of", *w.words[owner:last]), end + size) if held else None
    if not (_is_rows(w, link - 1) and _is_kind(w, owner, last)):
        return None
    return w.said(0, "average", "number", "of", *w.words[start:link], "per", *w.words[owner:last]), end + size


def _ends_in(w: Wording, words: tuple[str, ...]) -> bool:
    end = len(w.words) - (w.words[-1:] in (["?"], ["."], ["!"]))
    return tuple(w.words[end - len(words) : end]) == words


def _is_number(w: Wording, start: int, end: int) -> bool:
    """Whether rows say how many: ``bottles`` of each line."""
    said = w.tokens[end - 1].stem
    return any(stem(w.meta.parts(path)[-1]) == said for path in w.numbers) and end - start == 1


def _is_rows(w: Wording, at: int) -> bool:
    """Whether a noun is for the rows of a relation."""
    said = w.tokens[at].stem
    return any(said in {stem(word) for word in named_rows(w.meta, name)} for name in w.meta.catalog.relations)


def _is_kind(w: Wording, start: int, end: int) -> bool:
    """Whether words name something of which there are several: rows, or a text of them."""
    said = [singular(word) for word in w.words[start:end]]
    if end - start == 1 and _is_rows(w, start):
        return True
    texts = [path for path, m in w.meta.members.items() if m.kind == "dimension" and m.type == "string"]
    return any([singular(part) for part in w.meta.parts(path)] == said for path in texts)
