"""What is asked of each of some: *what share of each clinic's visits are …*, *the biggest order of each customer*."""

from __future__ import annotations

from ...calendar.units import UNITS
from ...schema.metadata import Metadata
from ...schema.money import amounts
from ...words.rewriting import Found
from ...words.shares_said import PART_WORDS
from ...words.text import singular
from ...words.thesaurus import TRADES
from .pieces import pieces
from .wording import Wording

__all__ = ["best_selling", "extreme_of_each", "longest_ways", "share_of_each"]

_WAYS = frozenset({"route", "road", "trail", "track", "path", "connection", "leg", "line", "street", "river", "lane"})
_ASKING = frozenset("what which are is was were the our my show me list give top".split())
_FAR = {"longest": "highest", "shortest": "lowest"}

_EACH = frozenset({"each", "every"})
_OF = frozenset({"of", "by", "from", "in", "for", "at"})
_BEING = frozenset({"is", "are", "was", "were", "that", "which", "who", "has", "have", "had", "been", "got", "get"})
_ENDS = frozenset({"", "?", ".", "!", ",", ";"})
_GROUPING = frozenset({"by", "per"})
_SIZES = {
    **dict.fromkeys(("biggest", "largest", "greatest", "highest"), "highest"),
    **dict.fromkeys(("smallest", "lowest"), "lowest"),
}


def share_of_each(w: Wording, at: int) -> Found | None:
    """``what share of each airline's flights leave from JFK``: the share of those that do, by airline."""
    at += w.at(at) in ("what", "which")
    if w.at(at) not in PART_WORDS or w.at(at + 1) != "of":
        return None
    start = at + 2
    if w.at(start) in _EACH:
        first = start + 1
        end = w.kind_end(first) or first + (singular(w.at(first)) in UNITS)
        rows, behind = (end, end + 1) if end > first and w.rows_at(end) else (0, 0)
    else:
        rows = start + (w.at(start) in ("the", "all", "our"))
        first = rows + 3
        if not w.rows_at(rows) or w.at(rows + 1) not in _OF or w.at(rows + 2) not in _EACH:
            return None
        end = behind = w.kind_end(first) or first + (singular(w.at(first)) in UNITS)
    if not rows or end <= first:
        return None
    stop = next(p for p in range(behind, len(w.words) + 1) if w.at(p) in _ENDS)
    while w.at(behind) in _BEING:
        behind += 1
    if behind >= stop or _EACH & set(w.words[behind:stop]):
        return None
    apart = next((p for p in range(behind, stop) if w.at(p) in _GROUPING), stop)
    so = behind + (_says_which(w, behind))  # the cancelled flights, as the model calls them
    told = [*w.tokens[at:start], *w.tokens[behind:so], w.tokens[rows], *w.tokens[so:apart]]
    return [*told, *w.said(at, "by"), *w.tokens[first:end], *w.tokens[apart:stop]], stop


def _says_which(w: Wording, at: int) -> bool:
    return bool({w.at(at), w.tokens[at].stem} & w.meta.kind_names.told)


def extreme_of_each(w: Wording, at: int) -> Found | None:
    """``biggest sale of each seller``: the highest amount by seller, where one number says how much each is about."""
    way = _SIZES.get(w.at(at))
    noun = at + 1
    if way is None or singular(w.at(noun)) not in TRADES or w.at(noun + 1) not in _OF or w.at(noun + 2) not in _EACH:
        return None
    end = w.kind_end(noun + 3)
    rows = w.rows_at(noun)
    sums = [path for path in amounts(w.meta) if path.split(".", 1)[0] in rows and path in w.meta.members]
    if not end or len(sums) != 1:
        return None
    return [*w.said(at, way, *w.meta.parts(sums[0]), "by"), *w.tokens[noun + 3 : end]], end


def best_selling(w: Wording, at: int) -> Found | None:
    """``best selling product``: what most pieces were sold of, else what is sold most often; none of when."""
    if not at:  # "what is our best-selling product"
        at = next((place for place, word in enumerate(w.words) if word == "top" or word not in _ASKING), 0)
    end = at + 2 + (w.at(at + 1) == "-")
    kind = w.kind_end(end) if end < len(w.tokens) else 0
    if w.at(at) not in _SELLING or w.at(end - 1) != "selling" or not kind or _names_selling(w.meta):
        return None
    number = pieces(w.meta, ())
    if number is None or w.at(kind) not in _BEHIND:
        return w.said(at, "most" if _SELLING[w.at(at)] == "highest" else "least", "popular"), end
    named = w.said(at, "total", *w.meta.parts(number))
    if singular(w.at(kind - 1)) != w.at(kind - 1) and _SELLING[w.at(at)] == "highest":
        return [*w.said(at, "top"), *w.tokens[end:kind], *w.said(at, "by"), *named], kind
    return [*w.tokens[end:kind], *w.said(at, "with", "the", _SELLING[w.at(at)]), *named], kind


def _names_selling(meta: Metadata) -> bool:
    """Whether the model has a number of that name."""
    return any("selling" in phrase.words and phrase.member for phrase in meta.phrases)


_SELLING = {"best": "highest", "top": "highest", "most": "highest", "worst": "lowest", "least": "lowest"}
_BEHIND = frozenset("? . in at of for from during this last by on".split()) | {""}


def longest_ways(w: Wording, at: int) -> Found | None:
    """``5 longest routes``: by how far they go, where one number says so, and not by how long that takes."""
    noun = at + 1
    far = {w.meta.number_names.plain[p]: p for p in w.numbers if {"distance", "length"} & set(w.meta.parts(p))}
    if any(word not in _ASKING and not w.is_number(place) for place, word in enumerate(w.words[:at])):
        return None
    if w.at(at) not in _FAR or singular(w.at(noun)) not in _WAYS or len(far) != 1 or not w.kind_end(noun):
        return None
    named = w.meta.parts(next(iter(far.values())))
    return [w.tokens[noun], *w.said(at, "with", "the", _FAR[w.at(at)], *named)], noun + 1
