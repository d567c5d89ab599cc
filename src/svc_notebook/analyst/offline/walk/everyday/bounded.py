"""Numbers by a part of their name: *battery below 20 percent*, *lasting 90 minutes*, *flights over 2 hours*."""

from __future__ import annotations

from ...words.numbers import dimension_of, unit_of
from ...words.rewriting import Found
from ...words.text import singular, stem
from .amounts import says_length
from .wording import Wording, named_rows

__all__ = ["cost_together", "lasting_so_long", "money_done", "part_bounded", "rows_so_long"]

_LASTING = frozenset({"lasting", "lasted", "taking"})
_BEING = frozenset({"last", "lasts", "took", "take", "were", "are", "was", "is"})
_ENDS = frozenset({"", "?", ".", "!", ",", "by", "per", "in", "from", "to", "and", "for", "each", "on", "at", "with"})
_LENGTHS = frozenset({"duration", "length", "runtime"})
_COSTS = frozenset({"price", "cost"})
_TOGETHER = frozenset({"together", "altogether", "overall"})
_DONE = {"paid": "payment", "donated": "donation", "spent": "purchase", "refunded": "refund", "claimed": "claim"}


def part_bounded(w: Wording, at: int) -> Found | None:
    """``battery below 20 percent``: of the one number whose name begins so, where nothing else is called that."""
    size = w.bound(at + 1)
    if not size or not w.is_number(at + 1 + size) or w.tokens[at].kind != "word":
        return None
    named = (w.tokens[at].stem,)
    if w.meta.number_names.called.get(named):
        return None
    found = [path for path in w.meta.number_names.partly.get(named, ()) if path.split(".", 1)[0] in w.cubes]
    if len(found) != 1 or stem(w.meta.parts(found[0])[0]) != named[0]:
        return None
    phrases = {w.meta.phrases[place] for place in w.meta.postings.get(w.tokens[at].stem, ())}
    if any(phrase.stems == named for phrase in phrases):
        return None
    return w.said(at, *w.meta.parts(found[0])), at + 1


def lasting_so_long(w: Wording, at: int) -> Found | None:
    """``exams lasting 90 minutes``: of this duration, where the rows have one."""
    if w.at(at) not in _LASTING or not w.is_number(at + 1) or unit_of(w.at(at + 2)) is None or not at:
        return None
    rows = next((r for p in range(at - 1, -1, -1) for r in w.cubes if _is_rows(w, p, r)), None)
    named = [p for p in w.numbers if p.split(".", 1)[0] == rows and _LENGTHS & set(w.meta.parts(p))]
    if len(named) != 1:
        return None
    return [*w.said(at, "with", *w.meta.parts(named[0]), "of"), *w.tokens[at + 1 : at + 3]], at + 3


def rows_so_long(w: Wording, at: int) -> Found | None:
    """``flights over 2 hours``: by how long each of the rows takes, where one number says it, and not how late."""
    noun, start = singular(w.at(at)), at + 1 + (w.at(at + 1) in _LASTING | _BEING)
    size = w.bound(start) if noun != w.at(at) else 0  # "a delay over 2 hours" is a number's name
    end = start + size + 2
    unit = unit_of(w.at(end - 1)) if size and w.is_number(end - 2) else None
    rows = w.rows_at(at) if unit is not None and dimension_of(unit) == "time" and w.at(end) in _ENDS else ()
    named = [p for p in w.numbers if p.split(".", 1)[0] in rows and says_length(w.meta, p)] if rows else []
    if len(named) != 1 or any(noun in w.meta.parts(path) for path in w.numbers):
        return None
    return [w.tokens[at], *w.said(at, "with", *w.meta.parts(named[0])), *w.tokens[start:end]], end


def cost_together(w: Wording, at: int) -> Found | None:
    """``what did all the sensors cost us together``: the sum of what each cost."""
    if at or w.at(0) != "what" or w.at(1) not in ("did", "do", "does") or "cost" not in w.words:
        return None
    verb = w.words.index("cost")
    behind = verb + 1 + (w.at(verb + 1) in ("us", "them", "me", "you"))
    told = w.at(behind) in _TOGETHER or w.words[behind : behind + 2] == ["in", "total"]
    noun = 2 + (w.at(2) == "all") + (w.at(2 + (w.at(2) == "all")) in ("the", "our", "of", "these"))
    if not (told or w.at(2) == "all") or noun + 1 != verb:
        return None
    named = [p for p in w.numbers if _is_rows(w, noun, p.split(".", 1)[0]) and _COSTS & set(w.meta.parts(p))]
    named = [p for p in named if p.split(".", 1)[0] in w.cubes]
    if len(named) != 1:
        return None
    end = behind + (1 if w.at(behind) in _TOGETHER else 2 if told else 0)
    return [*w.said(0, "total", *w.meta.parts(named[0]), "of"), w.tokens[noun]], end


def money_done(w: Wording, at: int) -> Found | None:
    """``money paid``: the amount of payments, where rows are called so and hold one."""
    noun = _DONE.get(w.at(at + 1)) if w.at(at) in ("money", "amount", "amounts") else None
    rows = [name for name in w.cubes if noun is not None and noun in w.meta.words_of(name)[-1:]]
    held = [
        p for p in w.numbers if rows and p.split(".", 1)[0] == rows[0] and set(w.meta.parts(p)) & {"amount", "total"}
    ]
    if len(rows) != 1 or len(held) != 1 or noun is None:
        return None
    return w.said(at, *w.meta.parts(held[0]), "of", f"{noun}s"), at + 2


def _is_rows(w: Wording, at: int, relation: str) -> bool:
    noun = singular(w.at(at))
    return bool(noun) and noun in {singular(word) for word in named_rows(w.meta, relation)}
