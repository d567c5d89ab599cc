"""How many pieces of something were traded, where rows are of several: *how many croissants did we sell*."""

from __future__ import annotations

from collections.abc import Collection

from ...schema.metadata import Metadata
from ...schema.values import ValueMatch
from ...words.rewriting import Found
from ...words.text import Token
from .amounts import THEY
from .wording import Wording

__all__ = ["by_number_traded", "pieces", "pieces_folded", "pieces_of_each", "pieces_traded", "traded_pieces"]

_TRADED = frozenset(
    "sell sold buy bought order ordered ship shipped rent rented hire hired lend lent go went produce produced "
    "make made manufacture manufactured bake baked brew brewed".split()
)
_GONE = frozenset({"went", "sold", "shipped"})
_DID = frozenset("did do have had were was got get been".split())
_PIECES = frozenset("quantity units pieces qty".split())
_SOMEBODY = THEY | frozenset("i you people customers".split())
_LONGEST = 4  # words between the thing and the deed
_NEARLY = 0.8  # of a value in the plural


def pieces_traded(w: Wording, at: int) -> Found | None:
    """``how many soups did we sell``: the pieces of them, and not the rows, where the rows have one such number."""
    if w.at(at) != "how" or w.at(at + 1) != "many" or at + 2 >= len(w.tokens):
        return None
    matches = [match for match in w.meta.values.find(w.tokens, at + 2) if match.quality > _NEARLY]
    end = max((match.end for match in matches), default=0)
    deed = next((place for place in range(end, min(end + _LONGEST, len(w.words))) if w.at(place) in _TRADED), None)
    where = _sold_where(w, end, deed) if end and deed is not None else None
    if where is None or deed is None or any(t.stem in w.meta.vocabulary for t in w.tokens[at + 2 : end]):
        return None
    number = pieces(w.meta, {match.member.split(".", 1)[0] for match in matches if match.end == end})
    if number is None or deed == end and w.at(end) not in _GONE:
        return None
    behind = deed + 1 + (w.at(deed + 1) == "out")
    return [*w.said(at, "total", *w.meta.parts(number), "of"), *w.tokens[at + 2 : end], *where], behind


_OUTLETS = frozenset("shop shops store stores branch branches outlet outlets site sites".split())


def _sold_where(w: Wording, start: int, deed: int) -> list[Token] | None:
    """Where somebody sold it, in between (``did York shops sell``); None where anything else stands there."""
    said, place = list[Token](), start
    while place < deed:
        match = _value(w, place) if w.at(place) not in _DID | _SOMEBODY else None
        if match is not None and match.end <= deed:
            said += [*w.said(place, "in"), *w.tokens[place : match.end]]
        elif w.at(place) not in _DID | _SOMEBODY and not (said and (w.rows_at(place) or w.at(place) in _OUTLETS)):
            return None
        place = match.end if match is not None else place + 1
    return said


def pieces_of_each(w: Wording, at: int) -> Found | None:
    """``how many soups and how many pies did we sell``: the pieces of each, and no sum of both."""
    if at or w.words[:2] != ["how", "many"] or w.words.count("many") < _TWO:
        return None
    place, said, members = 2, list[Token](), set[str]()
    while (match := _value(w, place)) is not None:
        said += [*w.tokens[place : match.end], *w.said(0, "and")]
        members.add(match.member)
        place = match.end
        if w.at(place) not in ("and", ","):
            break
        place += 1 + 2 * (w.words[place + 1 : place + 3] == ["how", "many"])
    number = pieces(w.meta, {member.split(".", 1)[0] for member in members}) if len(members) == 1 else None
    if number is None or not _is_traded(w, place):
        return None
    deed = next(p for p in range(place, len(w.tokens)) if w.at(p) in _TRADED)
    column = w.meta.parts(members.pop())
    return [*w.said(0, "total", *w.meta.parts(number), "by", *column, "of"), *said[:-1]], deed + 1


_TWO = 2


def _value(w: Wording, at: int) -> ValueMatch | None:
    """The longest value at a place, of what is no person's."""
    found = [m for m in w.meta.values.find(w.tokens, at) if m.quality > _NEARLY] if at < len(w.tokens) else []
    found = [m for m in found if not w.meta.is_of_people(m.member.split(".", 1)[0])]
    return max(found, key=lambda m: (m.end, m.quality), default=None)


def traded_pieces(w: Wording, at: int) -> Found | None:
    """``books sold per month``: the pieces of them, where rows are of several, and no rows of who is called so."""
    match = _value(w, 0) if not at and w.tokens else None
    if match is None or w.at(match.end) not in _TRADED or w.at(match.end + 1) not in _BEHIND:
        return None
    number = pieces(w.meta, {match.member.split(".", 1)[0]})
    if number is None:
        return None
    so = w.said(0, "where", *w.meta.parts(match.member), "is")
    rest = w.tokens[match.end + 1 : w.end]
    return [*w.said(0, "total", *w.meta.parts(number)), *rest, *so, *w.said(0, str(match.value).lower())], w.end


_BEHIND = frozenset({"per", "by", "each", "every", "in", "this", "last", "since", "during", "", "?"})


def by_number_traded(w: Wording, at: int) -> Found | None:
    """``products by number sold``: by how many pieces in all, and not by what was paid for them."""
    if w.at(at) != "by" or not at:
        return None
    noun = at + 1 + (w.at(at + 1) == "the")
    end = noun + 1 + (w.at(noun + 1) in ("of", "pieces", "units", "items"))
    if w.at(noun) not in _COUNTED or w.at(end) not in _TRADED:
        return None
    found = [p for p in w.numbers if w.meta.members[p].meta.get("kind") == "quantity" and p.split(".", 1)[0] in w.cubes]
    found = [p for p in found if _PIECES & set(w.meta.parts(p)[-1:])]
    return (w.said(at, "by", "total", *w.meta.parts(found[0])), end + 1) if len(found) == 1 else None


_COUNTED = frozenset({"number", "quantity", "units", "pieces", "amount", "count", "items"})


def pieces_folded(w: Wording, at: int) -> Found | None:
    """``total units sold``, ``average units per order``: of the one quantity, where no number is called units."""
    if w.at(at) not in _FOLDED_AS or w.at(at - 1) not in _FOLDS or w.number_end(at) or w.rows_at(at):
        return None
    number = pieces(w.meta, ())
    return (w.said(at, *w.meta.parts(number)), at + 1) if number is not None else None


_FOLDED_AS = frozenset({"units", "pieces"})
_FOLDS = frozenset({"total", "average", "avg", "mean", "median"})


def _is_traded(w: Wording, end: int) -> bool:
    """Whether nothing but somebody stands between a thing and that it was sold or bought."""
    behind = w.words[end : end + _LONGEST]
    deed = next((place for place, word in enumerate(behind) if word in _TRADED), None)
    return (
        deed is not None
        and (deed > 0 or w.at(end) in _GONE)
        and all(word in _DID | _SOMEBODY for word in behind[:deed])
    )


def pieces(meta: Metadata, relations: Collection[str]) -> str | None:
    """The one number of pieces of the rows of these relations, or of what belongs to them, or of any."""
    found = [
        path
        for path in meta.number_names.paths
        if meta.members[path].meta.get("kind") == "quantity" and _PIECES & set(meta.parts(path)[-1:])
        if all(path.split(".", 1)[0] == one or meta.leads_to(path.split(".", 1)[0], one) for one in relations)
    ]
    whole = [path for path in found if len(meta.parts(path)) == 1] or found
    return whole[0] if len(whole) == 1 else None
