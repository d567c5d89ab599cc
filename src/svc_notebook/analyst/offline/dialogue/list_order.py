"""``dearest first`` of rows that are listed: by the column of theirs that the word is said of, and by no other."""

from __future__ import annotations

from .... import patterns as re
from ..forms import Clause, Expression, Form, Member, Order
from ..lexicon import Entry, load_lexicon
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from ..words.text import stem
from .editing import Unfit, main_number
from .expressing import relations_of
from .hearing import Heard

__all__ = ["in_list_order"]

_SORTS = frozenset(("ascending", "descending"))
_NUMBERS = ("number", "measure", "year")


def in_list_order(heard: Heard, form: Form, metadata: Metadata) -> Form | None:
    """A list sorted by what an adjective measures, or by the one number that is told; None for other turns and forms.

    Raises
    ------
    Unfit
        If no column of the rows says that of them.
    """
    if heard.wants not in _SORTS or not form.columns or form.measures or form.groups:
        return None
    said = _quality(heard.text)
    if said is None and re.search(r"\bfirst\W*$", heard.text.lower()):
        return None  # "highest first": by what they were chosen by, or are told with
    if said is None:
        known = main_number(form)
        told = known is not None and _is_number(known, metadata) or not _says_an_end(heard.text)
        return None if told else _by_only_number(heard, form, metadata)
    word, entry = said
    path = _measured(entry, form, metadata)
    if path is None:
        raise Unfit(f"nothing of theirs says which are the {word}; say by which column")
    hinted = not {stem(part) for part in metadata.parts(path)}.isdisjoint(map(stem, entry.hints))
    descending = (entry.argument != "asc") == hinted
    return _sorted(form, Member(path), descending)


def _quality(text: str) -> tuple[str, Entry] | None:
    """The first superlative of some words that says what it measures."""
    words = tuple(re.findall(r"[a-z]+", re.sub(r"\bfirst\W*$", "", text.lower())))
    for place in range(len(words)):
        for length, entry in load_lexicon().at(words[place:]):
            if entry.operator == "superlative" and entry.hints and not _is_plain(words[place : place + length]):
                return " ".join(words[place : place + length]), entry
    return None


def _says_an_end(text: str) -> bool:
    """Whether it is said which end of some number is first, and not only in which order they come."""
    return any(_is_plain((word,)) for word in re.findall(r"[a-z]+st\b", text.lower()) if word != "first")


def _is_plain(words: tuple[str, ...]) -> bool:
    """Whether a superlative may be of any number: ``biggest``."""
    return any(not entry.hints for length, entry in load_lexicon().at(words) if length == len(words))


def _measured(entry: Entry, form: Form, metadata: Metadata) -> str | None:
    """The one column of the rows that an adjective measures, of those that are told if it is one of them."""
    meant = {stem(word) for word in entry.hints | entry.turned}
    root = (relations_of(form) or ("",))[0]
    own = [
        path
        for path in metadata.members
        if path.split(".", 1)[0] == root and metadata.members[path].kind == "dimension"
    ]
    fits = [
        path for path in own if kind_of(metadata, path) in ("number", "time", "year") and _words(path, metadata) & meant
    ]
    shown = {clause.expression for clause in form.columns}
    told = [path for path in fits if Member(path) in shown]
    for found in (told, fits):
        if len(found) == 1:
            return found[0]
    totals = [path for path in told or fits if "total" in metadata.parts(path)]
    return totals[0] if len(totals) == 1 else None


def _words(path: str, metadata: Metadata) -> set[str]:
    return {stem(word) for word in metadata.parts(path)}


def _by_only_number(heard: Heard, form: Form, metadata: Metadata) -> Form:
    numbers = [one for clause in form.columns if _is_number(one := clause.expression, metadata)]
    if len(numbers) != 1:
        raise Unfit("nothing says what they are sorted by; say by which column")
    return _sorted(form, numbers[0], heard.wants == "descending")


def _is_number(of: Expression, metadata: Metadata) -> bool:
    return not isinstance(of, Member) or of.path in metadata.members and kind_of(metadata, of.path) in _NUMBERS


def _sorted(form: Form, by: Expression, descending: bool) -> Form:
    shown = [clause.expression for clause in form.columns]
    more = () if by in shown else (Clause(by),)
    return form.with_(columns=(*form.columns, *more), order=(Order(by, descending),))
