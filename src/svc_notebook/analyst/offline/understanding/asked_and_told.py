"""What a turn asks for is in what an edit shows: no list for *how many*, no place's name for *who*, none of what was
shown already for *where*; what leans on an unanswered turn is no question of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from .... import patterns as re
from ..dialogue import UNANSWERED, Unmet, earlier, options_of, passed_over
from ..dialogue.conditions import conditions_of
from ..dialogue.expressing import paths_of, relations_of
from ..dialogue.grouping import is_pinned
from ..forms import Expression, Form, Member
from ..lexicon import any_kinds, persons
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from ..understood import Understood
from ..words.leads import lead
from ..words.text import singular, stem
from .asked import AskedTurn
from .forming import form_shown
from .number_alone import number_of_each

__all__ = ["asked_and_told"]

PARTED = "nothing of it tells those apart; say by which column"
_LEAD = lead("also")
_HOW_MANY = re.compile(rf"{_LEAD}how (?:many|much)\b(?!\s+(?:more|less|fewer|earlier|later|longer)\b)", re.IGNORECASE)
_WHO = re.compile(rf"{_LEAD}who\s+(?!else\b)\w+\s+\w+", re.IGNORECASE)
_JUDGED = re.compile(
    rf"{_LEAD}who\s+(?:is|was|are|were|comes?|came)\s+(?:the\s+)?(?:best|worst|first|last|top)\b", re.IGNORECASE
)
_WHERE = re.compile(rf"{_LEAD}where\s+(?:do|does|did|is|was|are|were)\s+\w+\s+\w+", re.IGNORECASE)
_ASKS = re.compile(rf"{_LEAD}(?P<word>who|whom|whose|where|when|why)\b", re.IGNORECASE)
_WHAT_IN = re.compile(
    rf"{_LEAD}what\s+(?:is|was|are|were)\s+(?:in|on|inside)\s+(?:it|that|those|these|them)\b", re.IGNORECASE
)
_LIKE = re.compile(rf"{_LEAD}(?:what|how)\s+(?:is|was|are|were)\s+.*\blike\W*$", re.IGNORECASE)
_THERE = re.compile(r"\b(?!(?:is|are|was|were|be|been|out|in|over|up|down)\b)\w+\s+there\W*$", re.IGNORECASE)
_PIECE = re.compile(
    r"^\W*(?:on|for|from|with|without|of|at|by|in|to|among|between|per)\s+\w+(?:\s+\w+)?\W*$", re.IGNORECASE
)
_DID_IT = re.compile(
    r"\b(?:has|had|have|did|does|do)\s+(?:it|they|he|she)\b(?!\s+(?:take|cost|last|need|rain|snow|hail|freeze|get)\b)",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^\W*(?:how|what|which|who|whose|where|when|show|list|give|tell|find|compare|overall|total|average|mean|median|number"
    r"|all|is|are|was|were|do|does"
    r"|did|has|have|can|could|i|we)\b|\b(?:overall|altogether|in total|there are)\W*$",
    re.IGNORECASE,
)
_FEW = 4
_NAMED = frozenset(("value", "quoted"))


def asked_and_told(asked: AskedTurn, found: Understood) -> Understood:
    """What was understood, or a refusal by the word for what it does not tell."""
    if found.told is not None or found.analysis is not None or found.claim or found.taken is not None:
        return found
    if found.followed is None and _hangs(asked, found):
        return asked.nothing(unmet=Unmet(UNANSWERED))
    form = form_shown(found)
    if form is not None and found.followed is None and "split" in asked.heard.acts and not form.groups:
        return asked.nothing(unmet=Unmet(PARTED))
    if form is not None and found.followed is None and _is_bare_number(asked, form):
        return _of_each_or_all(asked, form)
    lost = next(_lost(asked, found, form), "") if form is not None else ""
    return asked.nothing(lost=(lost,)) if lost else found


def _hangs(asked: AskedTurn, found: Understood) -> bool:
    """Whether a piece of a question stands behind one that was not answered: ``on tea`` after *what did he spend*."""
    shown = found.plan is not None or found.form is not None
    hangs = _PIECE.match(asked.question) is not None or _DID_IT.search(asked.question) is not None
    return shown and not found.fragments and bool(passed_over(asked.turn)) and hangs


def _of_each_or_all(asked: AskedTurn, number: Form) -> Understood:
    """A question back: of the groups, or the rows, that were shown, or of all there is."""
    each = number_of_each(asked, earlier(asked.turn, asked.metadata.catalog)[0], number)
    both = [form for form in (each, number) if form is not None]
    return asked.nothing(options=options_of(both, asked.metadata.catalog, 1))


def _is_bare_number(asked: AskedTurn, form: Form) -> bool:
    """Whether a number alone is named behind groups, or some rows: it may be meant of each of those, or of all."""
    shown = earlier(asked.turn, asked.metadata.catalog)
    plain = bool(form.measures) and not (form.groups or form.where or form.columns)
    of_some = bool(shown) and bool(shown[0].form.groups or shown[0].form.where) and shown[0].form.limit is None
    return (
        of_some
        and plain
        and not passed_over(asked.turn)
        and not _ASKING.search(asked.question)
        and len(asked.question.split()) <= _FEW
    )


def _lost(asked: AskedTurn, found: Understood, form: Form) -> Iterator[str]:
    said, metadata = asked.question, asked.metadata
    shown = [clause.expression for clause in (*form.groups, *form.columns)]
    if _LIKE.match(said) and not form.measures:
        yield "like"
    asks = _ASKS.match(said)
    if asks is not None and shown and not form.measures and all(_is_said(one, form) for one in shown):
        yield asks["word"].lower()
    if found.followed is None and _WHO.match(said) and form.measures and not shown:
        yield "who"  # a number says nothing of anybody
    if found.followed is None:
        if asked.turn.history and _THERE.search(said) and not _names_one(asked):
            yield "there"
        return
    if _HOW_MANY.match(said) and not form.measures and not any(_is_number(one, metadata) for one in shown):
        yield "how many"
    if _WHO.match(said) and shown and not _tells_whom(form, metadata, judged=_JUDGED.match(said) is not None):
        yield "who"
    before = found.followed.of.form
    if _WHERE.match(said) and _is_of_known(form, before) and not any(_is_place(one, form, metadata) for one in shown):
        yield "where"
    if _WHAT_IN.match(said) and shown and all(_is_key(one, metadata) for one in shown):
        yield "what"


def _is_said(of: Expression, form: Form) -> bool:
    """Whether a column shows no more than the question said: ``who delivered parcel 4711``, and 4711 is told."""
    return isinstance(of, Member) and any(is_pinned(one, of) for one in conditions_of(form))


def _names_one(asked: AskedTurn) -> bool:
    """Whether a turn names itself what *there* may stand for."""
    return any(item.kind in _NAMED for item in asked.reading.items)


def _is_of_known(form: Form, before: Form) -> bool:
    """Whether an edit tells apart nothing that was not told apart, or picked, before."""
    known = paths_of((before.groups, before.columns, before.where))
    return paths_of((form.groups, form.columns)) <= known


def _is_place(of: Expression, form: Form, metadata: Metadata) -> bool:
    """Whether a column says where something is that is not said by the condition already."""
    pinned = any(is_pinned(one, of) for one in conditions_of(form))
    return not pinned and isinstance(of, Member) and bool(_words(of.path, metadata) & any_kinds()["place"])


def _tells_whom(form: Form, metadata: Metadata, *, judged: bool) -> bool:
    """Whether somebody is shown; ``judged``: the best of whatever was ranked, where its rows are not people."""
    of_people = any(map(metadata.is_of_people, relations_of(form) or ()))
    shown = [clause.expression for clause in (*form.groups, *form.columns)]
    told = any(_is_somebody(one, metadata, alone=of_people) for one in shown)
    return told or judged and not of_people and bool(form.measures)


def _is_somebody(of: Expression, metadata: Metadata, *, alone: bool) -> bool:
    """Whether a column says who somebody is; ``alone``: a person, and no group of them."""
    if not isinstance(of, Member) or of.path not in metadata.members:
        return False
    relation, words = of.path.split(".", 1)[0], _words(of.path, metadata)
    if metadata.is_of_people(relation) and (metadata.is_key(of.path) or kind_of(metadata, of.path) == "text" and alone):
        return bool(words & _CALLED) or metadata.is_key(of.path) or of.path == metadata.label_of(relation)
    if {stem(word) for word in words} & persons() or "by" in words:
        return True
    return not alone and bool((words | {*metadata.words_of(relation)}) & (any_kinds()["company"] | _GROUPS))


_CALLED = frozenset(("name", "forename", "surname"))
_GROUPS = frozenset("team department dept crew group club office branch division unit country town city".split())


def _words(path: str, metadata: Metadata) -> set[str]:
    if path not in metadata.members:
        return set()
    member = metadata.members[path]
    named = " ".join((*metadata.parts(path), member.title.lower(), *member.synonyms))
    return {one for word in named.split() for one in (word, singular(word))}


def _is_number(of: Expression, metadata: Metadata) -> bool:
    return (
        not isinstance(of, Member)
        or of.path in metadata.members
        and kind_of(metadata, of.path) in ("number", "measure")
    )


def _is_key(of: Expression, metadata: Metadata) -> bool:
    return isinstance(of, Member) and of.path in metadata.members and metadata.is_key(of.path)
