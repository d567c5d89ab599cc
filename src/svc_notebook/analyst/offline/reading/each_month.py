"""``average monthly spend``, ``average hours per lawyer``: what a month or a person comes to on average, and not the
average of each time.
"""

from __future__ import annotations

from .... import patterns as re
from ..calendar.units import ADVERBS
from ..schema.masses import is_what_is_won, mass_called
from ..schema.metadata import Metadata
from ..schema.money import taken_in
from ..turning.rules import said_so
from ..words.numbers import dimension_of, exact_unit
from ..words.text import Token, singular, stem, tokenize

__all__ = ["summed_each"]

_SMALL = r"(?!(?:by|per|of|for|in|from|since|at|over|on|with|where|between|this|last|and|vs|compared|each|every)\b)"
_WHAT = rf"(?P<what>{_SMALL}[\w-]+(?: {_SMALL}[\w-]+){{0,2}})"
_MEAN = r"\b(?:average|mean|typical|usual|avg\.?)(?: total)? "
_EACH = said_so(rf"{_MEAN}(?P<unit>{'|'.join(ADVERBS)}) {_WHAT}(?P<whose> per\b)?")
_PER = said_so(
    rf"^(?:what(?:['’]?s| is| are| was| were) )?(?:the |our )?{_MEAN}{_WHAT} (?:per|for each|of each) (?P<kind>[a-z]+)",
    r"(?P<rest>\W*$| (?:in|during|since|this|last|for|from|between) .*$)",
)
_TAKEN = frozenset("revenue turnover takings proceeds earnings income sales spend spending billing billings".split())
_SPENT = frozenset("revenue turnover spend spending billing billings".split())
_ADDED = frozenset("mass volume".split())
_MASSES = frozenset("kwh mwh wh hour km kilometer mile".split())
_SUMMED = frozenset(
    "revenue turnover takings proceeds earnings income sales spend spending billing amount cost expense expenditure "
    "usage use consumption production output yield volume mileage rainfall".split()
)


def summed_each(question: str, metadata: Metadata) -> str:
    """The question with the average of the sums of each unit of time or person, where a number is one that adds up."""
    if (said := _EACH.search(question)) is not None and not _is_own_name(said, metadata):
        number = _adding_up(tokenize(said["what"]), metadata)
        whose = " by" if said["whose"] else ""
        unit = ADVERBS[said["unit"].lower()]
        before, behind = question[: said.start()], question[said.end() :]
        return f"{before}total {number} per {unit} on average{whose}{behind}" if number else question
    if (said := _PER.match(question)) is not None:
        return _of_persons(tokenize(said["what"]), said["kind"], said["rest"], metadata) or question
    return question


def _of_persons(words: list[Token], kind: str, rest: str, metadata: Metadata) -> str:
    """``average sick days per employee``; of a department, those of each of its employees."""
    path = _spent(words, metadata) or _lasting(words, metadata)
    others = metadata.kind_names.rows.get(stem(kind.lower()), ())
    if path is None or len(others) != 1 or others[0] == (home := path.split(".", 1)[0]):
        return ""
    number = " ".join(token.text for token in words)
    if _spent(words, metadata) is not None:
        number = _named(path, metadata)
    if not metadata.leads_to(home, others[0]):
        return ""
    people = [name for name in metadata.edges.get(home, ()) if metadata.is_of_people(name)]
    if metadata.is_of_people(others[0]) or people and others[0] in metadata.edges.get(home, ()):  # work on a project
        return f"total {number} per {kind} on average{rest}"
    if len(people) != 1 or not metadata.leads_to(people[0], others[0]):
        return ""
    return f"average {number} per {singular(metadata.words_of(people[0])[-1])} by {kind}{rest}"


def _spent(words: list[Token], metadata: Metadata) -> str | None:
    """The amount of all that was taken, where that alone is said."""
    spent = len(words) == 1 and words[0].lower in _SPENT and metadata.flows is None
    return taken_in(metadata) if spent else None


def _lasting(words: list[Token], metadata: Metadata) -> str | None:
    """The one number that is called by nothing but days or hours; what stands before it says of which rows."""
    unit = exact_unit(words[-1].lower) or ""
    paths = metadata.number_names.called.get((words[-1].stem,), ()) if dimension_of(unit) == "time" else ()
    paths = tuple(path for path in paths if _is_of_rows(path, metadata) and len(metadata.parts(path)) == 1)
    told = len(words) == 1 or any(m.end == len(words) - 1 for m in metadata.values.find(words, 0))
    return paths[0] if len(paths) == 1 and told else None


def _is_own_name(said: re.Match[str], metadata: Metadata) -> bool:
    """Whether a member is called so: a *monthly rent* is one of its own."""
    stems, unit = set(_stems(tokenize(said["what"]))), said["unit"].lower()
    own = (metadata.parts(path) for path in metadata.members)
    return any(unit in parts and not stems.isdisjoint(map(stem, parts)) for parts in own)


def _adding_up(words: list[Token], metadata: Metadata) -> str:
    """The words for a number that adds up, where there is one that is called so."""
    said = " ".join(token.text for token in words)
    paths = [p for p in metadata.number_names.called.get(_stems(words), ()) if _is_of_rows(p, metadata)]
    if len(words) == 1 and is_what_is_won(metadata, words[0].lower):
        won = mass_called(metadata, words[0].lower)
        return " ".join(metadata.parts(won)) if won is not None else ""
    noun = words[-1].lower
    if not paths and len(words) == 1 and {noun, singular(noun)} & _TAKEN:
        if metadata.flows is not None:  # what went out and what came in are numbers of their own
            return said
        taken = taken_in(metadata)
        return _named(taken, metadata) if taken is not None else ""
    if not paths and len(words) > 1:
        return said if _lasting(words, metadata) is not None or _flagged(words, metadata) else ""
    return said if paths and all(_adds_up(path, noun, metadata) for path in paths) else ""


def _flagged(words: list[Token], metadata: Metadata) -> bool:
    """``billable hours``: of rows that a flag says so of."""
    paths = [p for p in metadata.number_names.called.get(_stems(words[1:]), ()) if _is_of_rows(p, metadata)]
    flags = {path.split(".", 1)[0] for path, m in metadata.members.items() if m.type == "boolean"
             and words[0].lower in metadata.parts(path)}  # fmt: skip
    own = [path for path in paths if path.split(".", 1)[0] in flags]
    return len(own) == len(paths) == 1 and _adds_up(own[0], words[-1].lower, metadata)


def _stems(words: list[Token]) -> tuple[str, ...]:
    return tuple(token.stem for token in words)


def _named(amount: str, metadata: Metadata) -> str:
    return " ".join(part for part in metadata.parts(amount) if part != "total")


def _is_of_rows(path: str, metadata: Metadata) -> bool:
    return metadata.relation(path.split(".", 1)[0]).kind == "cube"


def _adds_up(path: str, noun: str, metadata: Metadata) -> bool:
    """Whether a number is of what adds up: money that was paid, what was used, hours that were worked."""
    if {noun, singular(noun)} & (_SUMMED | _MASSES):
        return True
    unit = exact_unit(metadata.parts(path)[-1]) or ""
    return bool(unit) and (dimension_of(unit) in _ADDED or unit in _MASSES)
