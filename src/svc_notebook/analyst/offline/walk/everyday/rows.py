"""Which rows, and of whom: *who flies there most often*, *how many different planes*, *in New York* of all of them."""

from __future__ import annotations

from collections.abc import Sequence

from ...plans.plan import Measure
from ...schema.metadata import Metadata
from ...words.families import root
from ...words.rewriting import Found
from ...words.text import is_participle, singular, stem
from .wording import Wording, named_rows

__all__ = ["company_doing", "everywhere", "got", "more_of_two", "same_kind", "which_of_two", "who"]

_OFTEN = (["more", "often"], ["more", "frequently"], ["most", "often"])
_BEING = frozenset({"is", "was", "are", "were", "gets", "has", "had", "got"})
_HAVING = frozenset({"has", "have", "had", "gets", "got", "sees", "saw", "makes", "made"})
_MORE = frozenset({"more", "most", "fewer", "fewest", "less"})
_MARKS = (",", ":", "-")
_NEAR = 4  # words before what is said of either

_COMPANIES = frozenset(
    map(stem, "airline carrier operator company firm supplier vendor brand manufacturer maker publisher team club "
        "agency organization organisation shop store branch".split())
)  # fmt: skip

_BETWEEN = frozenset({"are", "is", "were", "was", "there", "located", "situated", "based", "that", "which"})


def got(w: Wording, at: int) -> Found | None:
    """``got cancelled``: were."""
    done = w.at(at) in ("got", "gotten", "get", "gets") and is_participle(w.at(at + 1)) and len(w.at(at + 1)) > 4
    return (w.said(at, "were"), at + 1) if done else None


def who(w: Wording, at: int) -> Found | None:
    """``who flies to Oslo most often``: which company, where the model knows no people and one kind of companies."""
    if at or w.at(0) != "who" or w.at(1) in ("is", "are", "was", "were") or len(w.words) < 3:
        return None
    if w.meta.knows_people:
        return None
    done = root(w.at(1)) if w.at(1) else ""
    texts = [p for p, m in w.meta.members.items() if m.kind == "dimension" and m.type == "string" and not m.masked]
    named = company_doing(w.meta, texts, done)
    return (w.said(0, "which", *w.meta.parts(named)), 1) if named is not None else None


def company_doing(metadata: Metadata, texts: Sequence[str], done: str) -> str | None:
    """Of texts that of the companies which do something, or of any, by the root of what is done."""
    called = [path for path in texts if {stem(part) for part in metadata.parts(path)} & _COMPANIES]
    doing = [p for p in called if done in {root(word) for word in metadata.words_of(p.split(".", 1)[0])}]
    found = [path for path in doing or called if metadata.label_of(path.split(".", 1)[0]) != path] or called
    whole = [path for path in found if len(metadata.parts(path)) == 1] or found
    return min(whole, key=lambda path: -len(metadata.members[path].synonyms), default=None)


def which_of_two(w: Wording, at: int) -> Found | None:
    """``who is late more often: Norden or Viking``: the shares of both, side by side."""
    if at or w.at(0) not in ("who", "which") or "or" not in w.words:
        return None
    often = next((p for p in range(len(w.words) - 1) if w.words[p : p + 2] in _OFTEN), None)
    being = next((p for p in range(1, _NEAR) if w.at(p) in _BEING), None)
    either = len(w.words) - 1 - w.words[::-1].index("or")
    if often is None or being is None or not being < often + 1 < either:
        return None
    told = [word for p, word in enumerate(w.words[:either]) if p > being and p not in (often, often + 1)]
    so = told[0] if told else ""
    start = next((p for p in range(max(often + 2, being + 2), either) if w.at(p) not in (*_MARKS, so, "the")), either)
    left, right = w.meta.values.find(w.tokens, start), w.meta.values.find(w.tokens, either + 1)
    members = [m.member for m in left if m.end == either or w.at(m.end) in (*_MARKS, "or")]
    both = [member for member in members if member in {match.member for match in right}]
    if not both or so in ("", "the") or so in _MARKS:
        return None
    rows = w.meta.words_of(both[0].split(".", 1)[0])[-1:]
    lead = w.said(0, "share", "of", so, *rows, "by", *w.meta.parts(both[0]), "for")
    end = len(w.words) - (w.words[-1] in ("?", "."))
    named = [token for token in w.tokens[start:either] if token.lower not in _MARKS]
    return [*lead, *named, *w.said(either, "and"), *w.tokens[either + 1 : end]], len(w.words)


def more_of_two(w: Wording, at: int) -> Found | None:
    """``which lake has more hires, Orva or Tisk``: the number of both, side by side."""
    if at or w.at(0) not in ("who", "which", "what") or "or" not in w.words:
        return None
    more = next((p for p in range(2, _NEAR + 2) if w.at(p) in _MORE and w.at(p - 1) in _HAVING), None)
    either = len(w.words) - 1 - w.words[::-1].index("or")
    start = next((p for p in range((more or either) + 2, either) if _ends_at(w, p, either)), None)
    behind = either + 1 + (w.at(either + 1) == "the")
    if more is None or start is None:
        return None
    both = _ends_at(w, start, either) & {match.member for match in w.meta.values.find(w.tokens, behind)}
    what = [token for token in w.tokens[more + 1 : start] if token.lower not in (*_MARKS, "the")]
    if not both or not what:
        return None
    own = [path for path in both if what[-1].stem in {stem(n) for n in named_rows(w.meta, path.split(".", 1)[0])}]
    member = min(own or both, key=[*w.meta.members].index)
    summed = not own and any(what[-1].stem == stem(w.meta.parts(path)[-1]) for path in w.numbers)
    lead = [*w.said(0, *["total"] * summed), *what, *w.said(0, "by", *w.meta.parts(member), "for")]
    return [*lead, *w.tokens[start:either], *w.said(either, "and"), *w.tokens[behind:]], len(w.words)


def _ends_at(w: Wording, start: int, end: int) -> set[str]:
    """The members with a value that is all that is said from one place to another."""
    return {match.member for match in w.meta.values.find(w.tokens, start) if match.end == end}


def everywhere(w: Wording, at: int) -> Found | None:
    """``in New York``, where what the rows are is described so: that is said of all of them."""
    if w.at(at) not in ("in", "from", "at", "of", "around"):
        return None
    for size in (3, 2) if w.places else ():
        words = w.tokens[at + 1 : at + 1 + size]
        named = len(words) == size and all(t.kind == "word" and t.stem not in w.meta.vocabulary for t in words)
        text = " ".join(token.lower for token in words)
        if not named or not any(text in known for known in w.places):
            continue
        if _are_elsewhere_too(w, at):
            return None
        if not any(match.end > at + size for match in w.meta.values.find(w.tokens, at + 1)):
            return [], at + 1 + size
    return None


def _are_elsewhere_too(w: Wording, at: int) -> bool:
    """Whether what stands before is rows of a table of no events: of airports not all are there."""
    place = at - 1
    while place > 0 and w.at(place) in _BETWEEN:
        place -= 1
    rows = w.rows_at(place) if place >= 0 else ()
    return bool(rows) and not set(rows) & set(w.facts)


def same_kind(w: Wording, at: int) -> Found | None:
    """``how many different planes``, ``per plane``: by what tells planes apart, and not by what they are like."""
    different = w.at(at) in ("different", "distinct", "unique") and w.at(at - 1) in ("many", "of")
    noun = singular(w.at(at + 1)) if different or w.at(at) == "per" else ""
    if not noun or any(noun == singular(" ".join(w.meta.parts(path))) for path in w.meta.members):
        return None
    if any(noun == singular(word) for name in w.facts for word in named_rows(w.meta, name)):
        return None  # rows of their own
    found = [
        path for path, m in w.meta.members.items()
        if m.agg_type == "count_distinct" and singular("".join(w.meta.parts(path)[:1])) == noun
    ]  # fmt: skip
    if different:
        return ([], at + 1) if len(found) == 1 else None
    of = {w.meta.plain(Measure(path, "measure")).member for path in found}
    (told,) = of if len(of) == 1 else (None,)
    known = told is not None and told in w.meta.members and not w.meta.is_measure(told)
    return (w.said(at, "per", *w.meta.parts(told)), at + 2) if known and told is not None else None
