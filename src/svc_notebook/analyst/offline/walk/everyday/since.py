"""Since when: *since when does Ada work here*, *who has been with us the longest*."""

from __future__ import annotations

from ...schema.sayable import Phrase
from ...words.rewriting import Found
from ...words.text import stem
from .wording import Wording

__all__ = ["BEGUN", "longest_here", "longest_serving", "since_when"]

BEGUN = frozenset(
    map(stem, "hired joined employed enrolled registered started since founded established opened".split())
)
_BIRTHS = frozenset({"birth", "born", "birthday", "birthdate", "dob"})
_HELPERS = frozenset({"does", "do", "did", "is", "has", "have", "was", "are"})
_HERE = (
    ("with", "us"), ("with", "the", "company"), ("here",), ("employed",), ("around",), ("a", "member"), ("on", "staff"),
    ("in", "the", "company"), ("working", "here"), ("working", "for", "us"), ("a", "customer"),
)  # fmt: skip
_OPENING = 6  # words before what is ranked: *who is our …*
_SERVING = frozenset({"serving", "standing", "running", "tenured"})
_ENDS = frozenset({"", "?", ".", "!"})


def _begun(w: Wording) -> list[str]:
    """Times at which people, or what else rows are, began."""
    columns = [path for path, m in w.meta.members.items() if m.kind == "dimension"]
    times = [path for path in columns if w.meta.is_time(path) and not _BIRTHS & set(w.meta.parts(path))]
    times += [path for path in w.numbers if w.meta.is_year(path)]
    named = [path for path in times if BEGUN & {stem(part) for part in w.meta.parts(path)}]
    plain = {path.split(".", 1)[1]: path for path in sorted(named, key=len, reverse=True)}
    return list(plain.values())  # one in a role has a longer name


def longest_here(w: Wording, at: int) -> Found | None:
    """``who has been with us the longest``, ``which seller has been here the longest``: who began first."""
    asked = w.kind_end(1) if w.at(0) in ("which", "what") else 1 if w.at(0) == "who" else 0
    if at or not asked or w.at(asked) not in ("has", "have", "is", "was"):
        return None
    place = asked + 1 + (w.at(asked + 1) == "been")
    size = next((len(words) for words in _HERE if tuple(w.words[place : place + len(words)]) == words), 0)
    behind = place + size + (w.at(place + size) in ("the", "for"))
    behind += w.at(behind) == "the"
    if not size or w.at(behind) not in ("longest", "shortest") or w.at(behind + 1) not in _ENDS:
        return None
    own = [path for path in _begun(w) if _is_asked(w, asked, path.split(".", 1)[0])]
    if len(own) != 1:
        return None
    way = "earliest" if w.at(behind) == "longest" else "latest"
    people = w.meta.words_of(own[0].split(".", 1)[0])
    return w.said(0, "which", *people, "has", "the", way, *w.meta.parts(own[0])), behind + 1


def longest_serving(w: Wording, at: int) -> Found | None:
    """``our longest serving driver``: the one that began first."""
    if at or "longest" not in w.words[:_OPENING]:
        return None
    longest = w.words.index("longest")
    behind = longest + 1 + (w.at(longest + 1) == "-")
    if w.at(behind) not in _SERVING or any(w.is_number(place) for place in range(longest)):
        return None
    noun = {phrase.relation for phrase in _rows_called(w, behind + 1)}
    own = [path for path in _begun(w) if path.split(".", 1)[0] in noun]
    if len(own) != 1:
        return None
    people = w.meta.words_of(own[0].split(".", 1)[0])
    return w.said(0, "which", *people, "has", "the", "earliest", *w.meta.parts(own[0])), behind + 2


def _rows_called(w: Wording, at: int) -> list[Phrase]:
    """What rows a noun alone is for."""
    said = (w.tokens[at].stem,) if at < len(w.tokens) else ()
    named = [w.meta.phrases[place] for place in w.meta.postings.get(said[0], ())] if said else []
    return [phrase for phrase in named if phrase.member is None and phrase.stems == said]


def _is_asked(w: Wording, end: int, relation: str) -> bool:
    """Whether the rows of a relation are who is asked for: people, or what stands behind *which*."""
    return relation in w.rows_at(end - 1) if end > 1 else w.meta.is_of_people(relation)


def since_when(w: Wording, at: int) -> Found | None:
    """``since when does Ada work here``: when she began."""
    if at or w.words[:2] != ["since", "when"] or w.at(2) not in _HELPERS:
        return None
    start = 3 + (w.at(3) == "the")
    named = [match for match in w.meta.values.find(w.tokens, start) if match.quality >= 1]
    if not named:
        return None
    end = max(match.end for match in named)
    own = [path for path in _begun(w) if any(m.member.split(".", 1)[0] == path.split(".", 1)[0] for m in named)]
    if len(own) != 1:
        return None
    return [*w.said(0, "when", "was"), *w.tokens[start:end], *w.said(0, *w.meta.parts(own[0]))], len(w.words)
