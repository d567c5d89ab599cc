"""Groups bounded by some of their rows: *guests with at least two unpaid bills*, *who owe over 90 in open claims*."""

from __future__ import annotations

from collections.abc import Sequence

from ...schema.derivations import is_derived
from ...schema.money import amounts
from ...words.numbers import exact_unit, number_word
from ...words.percents import is_fraction
from ...words.rewriting import Found
from ...words.text import Token, is_participle
from .doings import often
from .wording import Wording

__all__ = ["amount_in_rows", "rows_add_up", "rows_so_many_times", "so_many_such", "sum_of_some"]

_WHO = frozenset({"that", "which", "who"})
_HAVING = frozenset({"with", "have", "has", "had", "having"})
_IN = frozenset({"in", "on", "of", "for", "from"})
_COMING_TO = (
    ("add", "up", "to"), ("adds", "up", "to"), ("sum", "up", "to"), ("sum", "to"), ("come", "to"), ("amount", "to"),
    ("total",), ("are", "worth"), ("is", "worth"), ("worth",),
)  # fmt: skip
_FOLDING = frozenset({"total", "average", "median", "mean", "maximum", "minimum"})
_TOGETHER = (("in", "total"), ("in", "all"), ("altogether",), ("overall",), ("together",))
_ENDS = frozenset({"", "?", ".", "!"})
_MOST = 3  # words that say which rows
_SURE = 0.85  # how well a value fits that is meant


def so_many_such(w: Wording, at: int) -> Found | None:
    """``guests with at least two unpaid bills``, ``carers who missed over two visits``: with a number of such rows."""
    if w.kind_start(at) is None:
        return None
    having = at + (w.at(at) in _WHO)
    having += w.at(having) in _HAVING and bool(_such(w, having + 1))
    such = _such(w, having)
    bound = _bound(w, having + 1) if such or w.at(having) in _HAVING else 0
    if not bound:
        return None
    number = having + 1 + bound
    if exact_unit(w.at(number + 1)) and not w.rows_at(number + 1):
        return None  # "more than 2 hours departure delay" is no number of delays
    end = _such_rows(w, number + 1)
    if not end or end == number + 2 and not such:
        return None
    said = [*w.said(at, "with", "number", "of"), *such, *w.tokens[number + 1 : end]]
    return [*said, *w.tokens[having + 1 : number], *w.said(number, _figure(w, number))], end


def rows_so_many_times(w: Wording, at: int) -> Found | None:
    """``carers who gave talks more than twice``, ``who missed visits at least once``: with a number of such rows."""
    if w.kind_start(at) is None:
        return None
    verb = at + (w.at(at) in _WHO)
    such, start = _such(w, verb), verb + 1
    noun = next((place for place in range(start, min(start + _MOST, len(w.tokens))) if w.rows_at(place)), 0)
    times = often(w, noun + 1) if noun else None
    if times is None or not all(_tells(w, place) for place in range(start, noun)):
        return None
    return [*w.said(at, "with", "number", "of"), *such, *w.tokens[start : noun + 1], *w.said(at, *times[0])], times[1]


def _such(w: Wording, at: int) -> Sequence[Token]:
    """A verb that is a value or a flag of rows: ``missed``."""
    return w.tokens[at : at + 1] if is_participle(w.at(at)) and w.at(at) not in _HAVING and _tells(w, at) else []


def amount_in_rows(w: Wording, at: int) -> Found | None:
    """``guests who owe more than 90 in open claims``: with a total amount of open claims above that."""
    if w.kind_start(at) is None:
        return None
    verb = at + (w.at(at) in _WHO)
    bound = _bound(w, verb + 1)
    number = verb + 1 + bound
    if (
        not bound
        or w.at(number + 1) not in _IN
        or not (verb > at or w.at(verb) in _HAVING or is_participle(w.at(verb)))
    ):
        return None
    end = _such_rows(w, number + 2)
    amount = _amount(w, end - 1) if end else None
    if amount is None:
        return None
    return _total(w, at, amount, w.tokens[number + 2 : end], w.tokens[verb + 1 : number + 1]), end


def rows_add_up(w: Wording, at: int) -> Found | None:
    """``guests whose bills add up to over 500``, ``who had bills worth more than 500 in total``."""
    if w.kind_start(at) is None or w.at(at) not in {"whose", "with", *_WHO}:
        return None
    start = at + 1 + (w.at(at) in _WHO)
    for end in range(start + 1, start + 1 + _MOST):
        size = next((len(t) for t in _COMING_TO if tuple(w.words[end : end + len(t)]) == t), 0)
        bound = _bound(w, end + size) if size and w.rows_at(end - 1) else 0
        number = end + size + bound
        behind = next(
            (number + 1 + len(t) for t in _TOGETHER if tuple(w.words[number + 1 : number + 1 + len(t)]) == t), 0
        )
        if not bound or not (behind or w.at(at) == "whose") or w.at(behind or number + 1) not in _ENDS:
            continue
        amount = _amount(w, end - 1)
        if amount is not None:
            total = _total(w, at, amount, w.tokens[start:end], w.tokens[end + size : number + 1])
            return total, behind or number + 1
    return None


def sum_of_some(w: Wording, at: int) -> Found | None:
    """``guests whose total amount of unpaid bills is above 90``: with so much, of those."""
    if w.kind_start(at) is None or w.at(at) not in {"whose", "with", "having"} or w.at(at + 1) not in _FOLDING:
        return None
    of = next((place for place in range(at + 3, at + 3 + _MOST) if w.at(place) == "of"), 0)
    ends = range(of + 2, of + 3 + _MOST) if of else range(0)
    end = next((place for place in ends if w.rows_at(place - 1) and not w.rows_at(place)), 0)
    start = end + (w.at(end) in ("is", "was", "of"))
    bound = _bound(w, start) if end else 0
    number = start + bound
    if not bound or end == of + 2 or w.at(number + 1) not in _ENDS:
        return None
    if not all(_tells(w, place) for place in range(of + 1, end - 1)):
        return None
    said = [*w.said(at, "with"), *w.tokens[at + 1 : of], *w.tokens[start : number + 1]]
    return [*said, *w.said(at, "for"), *w.tokens[of + 1 : end]], number + 1


def _total(w: Wording, at: int, path: str, rows: Sequence[Token], bound: Sequence[Token]) -> list[Token]:
    said = w.said(at, "with", "total", *w.meta.parts(path))
    if len(rows) == 1:
        return [*said, *w.said(at, "of"), *rows, *bound]
    return [*said, *bound, *w.said(at, "for"), *rows]


def _amount(w: Wording, rows: int) -> str | None:
    """The money that rows called so are about, the likeliest, or their only number; none that is computed."""
    homes = set(w.rows_at(rows)) & set(w.cubes)
    own = [path for path in w.numbers if path.split(".", 1)[0] in homes]
    money = (p for p in amounts(w.meta) if p.split(".", 1)[0] in homes and not is_derived(p))
    return next(money, own[0] if len(own) == 1 else None)


def _bound(w: Wording, at: int) -> int:
    """How many words of a bound stand before a number, or 0."""
    size = w.bound(at)
    number = at + size
    if not size or number >= len(w.tokens) or is_fraction(w.tokens[number]):
        return 0
    return size if w.tokens[number].kind == "number" or (number_word(w.at(number)) or 0) >= 1 else 0


def _figure(w: Wording, number: int) -> str:
    value = w.tokens[number].value if w.tokens[number].kind == "number" else number_word(w.at(number))
    return str(int(value)) if value is not None and float(value).is_integer() else w.tokens[number].text


def _such_rows(w: Wording, at: int) -> int:
    """The place behind a noun for rows and the values or flags before it, where nothing is said behind; or 0."""
    for end in range(at, min(at + _MOST + 1, len(w.tokens))):
        if w.rows_at(end) and w.at(end + 1) in _ENDS:
            return end + 1 if all(_tells(w, place) for place in range(at, end)) else 0
    return 0


def _tells(w: Wording, at: int) -> bool:
    """Whether a word tells some rows from others."""
    told = {w.at(at), w.tokens[at].stem} & w.meta.kind_names.told
    return bool(told) or w.at(at) in ("not", "non", "-") or any(
        match.quality >= _SURE for place in (at - 1, at) for match in w.meta.values.find(w.tokens, place)
        if match.start <= at < match.end
    )  # fmt: skip
