"""What is spoken in several words and means one thing: *over an hour*, *an hour and a half*, *how much did we make*."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from .numbers import CURRENCIES, dimension_of, exact_unit, number_word
from .rewriting import Found, rewritten
from .text import Token, stem

__all__ = ["joined", "phrasal"]

_ARTICLES = frozenset({"a", "an"})
_COMPARING = frozenset(
    "over under above below beyond within than least most exceeding exceeds exceed exceeded nearly almost".split()
)
_PARTS = {
    ("half", "an"): 0.5, ("half", "a"): 0.5, ("quarter", "of", "an"): 0.25, ("quarter", "of", "a"): 0.25,
    ("a", "quarter", "of", "an"): 0.25, ("three", "quarters", "of", "an"): 0.75,
    ("three", "quarters", "of", "a"): 0.75,
}  # fmt: skip
_MORE = {("and", "a", "half"): 0.5, ("and", "a", "quarter"): 0.25, ("and", "three", "quarters"): 0.75}
_LONGEST = 4
_TAKEN = {
    (helper, who, verb) for helper, verbs in (
        ("did", ("make", "earn", "raise", "collect", "take")), ("have", ("made", "earned", "raised", "collected")),
    )
    for who in ("we", "they") for verb in verbs
}  # fmt: skip
_CHARGED = frozenset(map(stem, "fee fine commission premium tip deposit toll tax rent fare donation surcharge".split()))
_LENGTH = 3
_REPEATED = {("each",), ("every",), ("per",), ("by",), ("in",), ("this",), ("last",)}
_AS_LONG = frozenset({"longer", "shorter", "more", "less", "over", "under", "at", "between", "for", "exactly"})
_BEHIND = frozenset({"in", "on", "from", "for", "with", "at", "?", ".", ","})  # and no noun, as in *the most money*


def joined(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with each spoken amount as one number before its unit, and what was taken in as revenue."""

    def rule(place: int, written: Sequence[Token]) -> Found | None:
        before = written[-1].lower if written else ""
        return _amount(tokens, place, before) or _taken_in(tokens, place) or _lasting(tokens, place, before)

    return rewritten(tokens, rule)


_PARTICLES = frozenset({"up", "in", "out", "off"})


_SPENDING = frozenset({"spent", "spend", "spends"})
_BOUNDED = frozenset("more less over under above below at".split())  # spent more than 100
_SPENT = frozenset({("money", "spent"), ("money", "paid"), ("money", "made"), ("money", "earned")})


def phrasal(tokens: Sequence[Token], known: Collection[str]) -> list[Token]:
    """The tokens with each verb and its particle as one, where the model writes them so: *signed up* of ``signup``; and
    *money spent* as what was taken in, where no column is called so.
    """
    whole: list[Token] = []
    for token in tokens:
        verb = whole[-1] if whole else token
        one = f"{verb.stem}{token.lower}"
        if token.lower in _PARTICLES and verb is not token and verb.kind == "word" and stem(one) in known:
            text = f"{verb.text}{token.text}"
            whole[-1] = replace(verb, text=text, lower=text.lower(), stem=stem(one), end=token.end)
        elif verb.lower == "return" and token.lower in ("rate", "rates") and verb is not token:
            whole[-1:] = [replace(verb, lower="returned"), token]  # how often it is, and no word of command
        elif verb.lower in _SPENDING and token.lower in _BOUNDED and not {verb.stem, stem("spent")} & set(known):
            whole[-1:] = [replace(verb, lower="revenue", stem=stem("revenue")), token]
        elif (verb.lower, token.lower) in _SPENT and stem("spent") not in known:
            whole[-1] = replace(_whole([verb, token], "word"), lower="revenue", stem=stem("revenue"))
        else:
            whole.append(token)
    return whole


def _taken_in(tokens: Sequence[Token], place: int) -> Found | None:
    """*how much did we make in June*, *which month did we earn the most*: what was taken in."""
    end = place + _LENGTH
    if _words(tokens, place, end) not in _TAKEN:
        return None
    every = _words(tokens, end, end + 1) in _REPEATED and _words(tokens, place - 1, place) == ("what",)
    if every:  # "what did we take each month"
        return [replace(_whole(tokens[place:end], "word"), lower="revenue", stem=stem("revenue"))], end
    asked = _words(tokens, place - 2, place) == ("how", "much") or _words(tokens, place - 1, place) == ("money",)
    after = _words(tokens, end, end + 3)
    after = after[1:] if after[:1] == ("the",) else after
    source = after[:1] in (("in",), ("from",), ("with",), ("on",))
    if asked and source and _CHARGED & set(map(stem, _words(tokens, end, end + 5))):  # ... in entry fees
        return [replace(_whole(tokens[place:end], "word"), lower="total", stem=stem("total"))], end
    most = after[:1] in (("most",), ("least",)) and (after[1:2] or ("in",))[0] in _BEHIND
    if not (asked or most):
        return None
    return [replace(_whole(tokens[place:end], "word"), lower="revenue", stem=stem("revenue"))], end


def _lasting(tokens: Sequence[Token], place: int, before: str) -> Found | None:
    """*rentals that last longer than an hour*: the verb, and no time before now."""
    if tokens[place].lower != "last" or before in {"", "the"} or not {*_words(tokens, place + 1, place + 2)} & _AS_LONG:
        return None
    return [replace(tokens[place], lower="lasted", stem=stem("lasted"))], place + 1


def _words(tokens: Sequence[Token], start: int, end: int) -> tuple[str, ...]:
    return tuple(token.lower for token in tokens[max(0, start) : end])


def _amount(tokens: Sequence[Token], place: int, before: str) -> Found | None:
    """A number with its unit, and where it ends; None where none begins."""
    read = _part(tokens, place) or _single(tokens, place, before) or _counted(tokens, place)
    if read is None:
        return None
    value, unit = read
    end = unit + 1
    more = _more(tokens, end) if value >= 1 else None
    if unit == place + 1 and more is None and tokens[place].kind == "number":
        return None  # said in figures, and nothing is added
    if more is not None:
        value, end = value + more[0], more[1]
    said = tokens[unit]
    measured = replace(_whole(tokens[unit:end], "word"), text=said.text, lower=said.lower, stem=said.stem)
    return [_whole(tokens[place:unit], "number", value), measured], end


def _part(tokens: Sequence[Token], place: int) -> tuple[float, int] | None:
    """*half an hour*, *a quarter of an hour*."""
    for size in range(_LONGEST, 1, -1):
        value = _PARTS.get(tuple(token.lower for token in tokens[place : place + size]))
        if value is not None and _is_unit(tokens, place + size):
            return value, place + size
    return None


def _single(tokens: Sequence[Token], place: int, before: str) -> tuple[float, int] | None:
    """*more than an hour*: one, where something is compared; elsewhere *an hour* is how often."""
    behind = tokens[place + 1].lower if place + 1 < len(tokens) else ""
    measured = _is_unit(tokens, place + 1) or behind in CURRENCIES
    if tokens[place].lower not in _ARTICLES or before not in _COMPARING or not measured:
        return None
    return 1.0, place + 1


def _counted(tokens: Sequence[Token], place: int) -> tuple[float, int] | None:
    """*two hours and a half*, *2 and a half hours*."""
    token = tokens[place]
    value = token.value if token.kind == "number" else number_word(token.lower) if token.kind == "word" else None
    if value is None or value < 1:
        return None
    more = _more(tokens, place + 1)
    if more is not None and _is_unit(tokens, more[1]):
        return value + more[0], more[1]
    if _is_unit(tokens, place + 1) and _more(tokens, place + 2) is not None:
        return value, place + 1
    return None


def _more(tokens: Sequence[Token], place: int) -> tuple[float, int] | None:
    words = tuple(token.lower for token in tokens[place : place + 3])
    return (_MORE[words], place + 3) if words in _MORE else None


def _is_unit(tokens: Sequence[Token], place: int) -> bool:
    if place >= len(tokens) or tokens[place].kind != "word":
        return False
    unit = exact_unit(tokens[place].lower)
    return unit is not None and dimension_of(unit) != ""


def _whole(tokens: Sequence[Token], kind: str, value: float | None = None) -> Token:
    """Several tokens as one."""
    text = " ".join(token.text for token in tokens)
    whole = replace(tokens[0], text=text, lower=text.lower(), stem=text.lower(), end=tokens[-1].end)
    return replace(whole, kind="number", value=value) if kind == "number" else whole
