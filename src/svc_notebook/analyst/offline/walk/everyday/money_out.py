"""Money that was paid out or not paid in: *expenses by kind*, *what did repairs cost us*, *jobs nobody paid for*."""

from __future__ import annotations

from ...schema.money import amounts
from ...words.rewriting import Found
from ...words.text import singular
from .overdue import PAID
from .wording import Wording

__all__ = ["expenses_in_all", "spending_of_rows", "unpaid_rows", "what_some_cost"]

_SPENT = frozenset({"expense", "cost", "outgoing", "expenditure", "spending", "spend"})
_SPENDING = frozenset({"spend", "spending", "expenditure"})
_SPENT_ROWS = frozenset({"expense", "claim", "purchase", "invoice", "bill", "cost", "payment", "spending"})
_FOLDING = frozenset("total average mean median avg highest lowest largest biggest smallest".split())
_BEHIND = frozenset({"by", "per", "in", "this", "last", "since", "for", "at", "during", "", "?", "from", "each"})
_PAYMENTS = frozenset({"payment", "receipt", "remittance"})
_SAID = (
    ("nobody", "paid", "for"), ("nobody", "has", "paid", "for"), ("no", "one", "paid", "for"), ("nobody", "paid"),
    ("not", "paid", "for"), ("not", "paid"), ("never", "paid", "for"), ("never", "paid"), ("still", "unpaid"),
    ("unpaid",),
)  # fmt: skip
_LINKING = frozenset({"that", "which", "are", "is", "were", "was", "have", "has", "been", "still"})
_MOST = 4  # linking words


def expenses_in_all(w: Wording, at: int) -> Found | None:
    """``expenses by kind in 2025``, ``total expenses``: what they come to, and not how many there are."""
    noun = int(w.at(0) in ("total", "all", "overall", "our"))
    if at or singular(w.at(noun)) not in _SPENT or w.at(noun + 1) not in _BEHIND:
        return None
    rows = [name for name in w.rows_at(noun) if name in w.cubes]
    amount = _amount(w, rows) or _headline(w, rows)
    if amount is None:
        return None
    of = ["of", w.at(noun)] if len(w.cubes) > 1 else []  # where it is all there is, a date of it is not meant
    return w.said(0, "total", *w.meta.parts(amount), *of), noun + 1


def spending_of_rows(w: Wording, at: int) -> Found | None:
    """``top 3 teams by spend``, ``average spending``: the number that speaks for expenses, and not how many."""
    if w.at(at) not in _SPENDING or len(w.cubes) != 1 or w.meta.flows is not None:
        return None
    about = {singular(word) for word in (*w.meta.words_of(w.cubes[0]), *w.meta.relation(w.cubes[0]).synonyms)}
    amount = _headline(w, w.cubes) if about & _SPENT_ROWS else None
    if amount is None or any(set(name) & _SPENDING for name in w.names):
        return None
    folded = w.at(at - 1) in _FOLDING
    return w.said(at, *([] if folded else ["total"]), *w.meta.parts(amount)), at + 1


def what_some_cost(w: Wording, at: int) -> Found | None:
    """``what did repairs cost us``: the total of what was spent on what is called so."""
    if at or w.words[:2] not in (["what", "did"], ["what", "do"], ["what", "have"]):
        return None
    start = 2 + (w.at(2) in ("the", "our", "all"))
    found = w.meta.values.find(w.tokens, start) if start < len(w.tokens) else []
    match = next((m for m in found if w.at(m.end) in ("cost", "costed")), None)
    home = match.member.split(".", 1)[0] if match is not None else ""
    amount = _amount(w, [home]) if any(singular(word) in _SPENT for word in w.meta.words_of(home)) else None
    if match is None or amount is None:
        return None
    end = match.end + 1 + (w.at(match.end + 1) in ("us", "them"))
    return [*w.said(0, "total", *w.meta.parts(amount), "of"), *w.tokens[start : match.end]], end


def unpaid_rows(w: Wording, at: int) -> Found | None:
    """``delivered jobs nobody paid for yet``: those without a payment, where payments are rows of their own."""
    place = at
    while at and place < at + _MOST and w.at(place) in _LINKING:
        place += 1
    size = next((len(words) for words in _SAID if tuple(w.words[place : place + len(words)]) == words), 0)
    if not size or w.tokens[place + size - 1].stem in w.meta.vocabulary - {"paid"}:
        return None
    adjective = place == at and w.at(at) == "unpaid" and (bool(w.rows_at(at + 1)) or bool(w.rows_at(at + 2)))
    rows = {name for p in (range(at + 1, at + 3) if adjective else range(at)) for name in w.rows_at(p)} & set(w.cubes)
    told = [p for name in rows for p in w.meta.members if p.split(".", 1)[0] == name and PAID & set(w.meta.parts(p))]
    paying = [n for n in w.cubes if singular(w.meta.words_of(n)[-1]) in _PAYMENTS]
    paying = [name for name in paying if any(w.meta.joins.refers(name, one) for one in rows)]
    if told or len(paying) != 1:
        return None
    without = w.said(at, "without", "a", *w.meta.words_of(paying[0]))
    if adjective:
        noun = at + 1 if w.rows_at(at + 1) else at + 2
        return [*w.tokens[at + 1 : noun + 1], *without], noun + 1
    end = place + size
    return without, end + (w.at(end) == "yet")


def _amount(w: Wording, rows: list[str]) -> str | None:
    """The one amount of money of rows."""
    found = [path for path in amounts(w.meta) if path.split(".", 1)[0] in rows and "*" not in path]
    return found[0] if len(found) == len(rows) == 1 else None


def _headline(w: Wording, rows: list[str]) -> str | None:
    """The number that speaks for the rows of the one table, where it has several amounts."""
    number = w.meta.headline_number(rows[0]) if len(rows) == 1 else None
    return number if number in w.numbers else None
