"""``where are they from?``: the places of those who were shown, or by which rows that were counted are told apart."""

from __future__ import annotations

from ..forms import Clause, Expression, Form, Member
from ..schema.member_kinds import kind_of, labels_of
from ..schema.metadata import Metadata
from ..words.text import stem
from .editing import Unfit
from .expressing import relations_of
from .lexicon import load_discourse

__all__ = ["placed"]

_MOST = 3
_NAMES = frozenset(("name", "names", "title", "id", "code", "no", "number"))
_KINDS = frozenset(("country", "state"))


def placed(form: Form, metadata: Metadata) -> Form:
    """The form with the places of what it shows.

    Raises
    ------
    Unfit
        If what is shown has no places, or shows them already.
    """
    if form.columns:
        shown = [clause.expression for clause in form.columns]
        found = _of_those(shown, metadata)
        return form.with_(columns=(*form.columns, *map(Clause, found)))
    if not form.groups:
        root = (relations_of(form) or ("",))[0]
        return form.with_(groups=(Clause(_fresh(_places(root, metadata), [])[0]),), order=(), limit=None)
    shown = [clause.expression for clause in form.groups]
    named = {label for relation in relations_of(form) or () for label in labels_of(metadata, relation)}
    if not any(isinstance(one, Member) and one.path in named for one in shown):
        theirs = [place for one in shown if isinstance(one, Member) for place in _called_alike(one, metadata)]
        if theirs:
            return form.with_(groups=(*form.groups, *map(Clause, _fresh(theirs, shown))))
        raise Unfit("it is not told whose places are meant; ask for them in a whole question")
    found = _of_those(shown, metadata)
    return form.with_(groups=(*form.groups, *map(Clause, found)))


def _of_those(shown: list[Expression], metadata: Metadata) -> list[Expression]:
    """The places of whom the first of what is shown names."""
    relations = [one.relation for one in shown if isinstance(one, Member)]
    known = next((places for one in relations if (places := _places(one, metadata))), [])
    return _fresh(known, shown)


def _called_alike(one: Member, metadata: Metadata) -> list[Expression]:
    """The places that are called as a name beside them is: ``learner_country`` of ``learner_name``."""
    *whose, last = metadata.parts(one.path)
    if not whose or last not in _NAMES:
        return []
    places = _places(one.relation, metadata)
    return [of for of in places if isinstance(of, Member) and [*metadata.parts(of.path)][: len(whose)] == whose]


def _fresh(places: list[Expression], shown: list[Expression]) -> list[Expression]:
    if not places:
        raise Unfit("nothing here says where they are")
    found = [one for one in places if one not in shown]
    if not found:
        raise Unfit("where they are is shown already")
    return found[:_MOST]


def _places(relation: str, metadata: Metadata) -> list[Expression]:
    """The members of a relation whose values are places, the widest first as far as that is known."""
    if relation not in metadata.catalog.relations:
        return []
    words = load_discourse().where
    found: list[tuple[int, int, Expression]] = []
    for place, member in enumerate(metadata.relation(relation).members.values()):
        if member.masked or member.kind != "dimension" or kind_of(metadata, member.path) != "text":
            continue
        called = [
            at for at, word in enumerate(words) if stem(word) in {stem(part) for part in metadata.parts(member.path)}
        ]
        if called or metadata.kind(member.path) in _KINDS:
            found.append((min(called, default=0), place, Member(member.path)))
    return [member for *_, member in sorted(found, key=lambda one: one[:2])]
