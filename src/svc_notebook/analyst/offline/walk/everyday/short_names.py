"""Names that are written short, or as one word where two are said: *credit limit* of ``cr_limit``, *dry dock*."""

from __future__ import annotations

from ...words.rewriting import Found
from ...words.text import singular, stem
from ...words.thesaurus import FILLER
from .doings import subject_at
from .wording import Wording

__all__ = ["glued", "never_had", "short_name", "without_its_code"]

_LONGEST = 3  # words of a name
_NEVER = (("never", "been", "in"), ("never", "had"), ("never", "been"), ("not", "been", "in"), ("not", "had"))
_BEFORE = frozenset({"have", "has", "had", "that", "which", "who", "were", "was"})
_ARTICLES = frozenset({"a", "an", "any", "the"})
_LAST = frozenset({"last", "latest", "recent", "previous"})
_ENDS = frozenset({"", "?", ".", "!", ",", "yet"})


def short_name(w: Wording, at: int) -> Found | None:
    """``credit limit`` of ``cr_limit``: a name of as many words, of which one is the same and the others are short."""
    for size in range(_LONGEST, 1, -1):
        said = w.words[at : at + size]
        if len(said) < size or not all(word.isalpha() for word in said):
            continue
        if all(t.stem in w.meta.vocabulary or t.lower in FILLER for t in w.tokens[at : at + size]):
            continue  # hours of delay are no hour of a day
        found = [name for name in w.names if len(name) == size and _is_short(name, said)]
        if len(found) == 1:
            return w.said(at, *found[0]), at + size
    return None


def _is_short(name: tuple[str, ...], said: list[str]) -> bool:
    same = [stem(part) == stem(word) for part, word in zip(name, said, strict=True)]
    return any(same) and all(one or _begins(part, word) for one, part, word in zip(same, name, said, strict=True))


def _begins(part: str, word: str) -> bool:
    """``cr`` of credit, ``hv`` of heavy: beside a word that is the same, two letters are enough; ``with`` is whole."""
    letters = iter(word)
    return (
        part not in FILLER
        and 1 < len(part) < len(word)
        and part[0] == word[0]
        and all(letter in letters for letter in part)
    )


def without_its_code(w: Wording, at: int) -> Found | None:
    """``departure airport`` of an origin that is called *departure airport code* as well: no time beside it."""
    said = tuple(token.stem for token in w.tokens[at : at + 2])
    if len(said) != 2 or w.at(at + 2) in _CODES or not all(stem in w.meta.vocabulary for stem in said):
        return None
    places = set(w.meta.postings.get(said[0], ())) & set(w.meta.postings.get(said[1], ()))
    phrases = [w.meta.phrases[place] for place in places]
    named = {
        p.member for p in phrases
        if p.member is not None and p.stems[:2] == said and len(p.words) == len(p.stems) == 3 and p.words[2] in _CODES
    }  # fmt: skip
    whole = any(p.stems == said for p in phrases)
    path = named.pop() if len(named) == 1 and not whole else None
    return (w.said(at, *w.meta.parts(path)), at + 2) if path is not None else None


_CODES = frozenset({"code", "id", "number", "name", "key"})


def glued(w: Wording, at: int) -> Found | None:
    """``dry dock``, ``check-up`` of a name that writes it as one."""
    behind = at + 1 + (w.at(at + 1) == "-")
    both = w.at(at) + w.at(behind)
    if not (w.at(at).isalpha() and w.at(behind).isalpha()) or w.tokens[at].stem in w.meta.vocabulary:
        return None
    return (w.said(at, both), behind + 1) if stem(both) in w.meta.vocabulary and len(both) >= _GLUED else None


_GLUED = 5


def never_had(w: Wording, at: int) -> Found | None:
    """``ships that have never been in dry dock`` of a ``last_drydock``: without one."""
    place = at
    while place < len(w.words) and w.at(place) in _BEFORE:
        place += 1
    size = next((len(said) for said in _NEVER if tuple(w.words[place : place + len(said)]) == said), 0)
    of = subject_at(w, at - 1) if at and size else None
    if of is None:
        return None
    start = place + size + (w.at(place + size) in _ARTICLES)
    end = next((p for p in range(start, min(start + _LONGEST, len(w.words)) + 1) if w.at(p) in _ENDS), None)
    if end is None or end == start:
        return None
    joined = "".join(singular(word) for word in w.words[start:end] if word != "-")
    times = [p for p, m in w.meta.members.items() if m.type == "time" and p.split(".", 1)[0] == of]
    found = [p for p in times if w.meta.parts(p)[0] in _LAST and "".join(w.meta.parts(p)[1:]) == joined]
    found = [path for path in found if w.meta.profile(path).missing]
    return (w.said(at, "without", *w.meta.parts(found[0])), end) if len(found) == 1 else None
