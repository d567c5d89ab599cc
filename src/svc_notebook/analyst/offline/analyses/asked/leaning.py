"""Whether more of one is more of another: *do bigger planes have fewer delays*, *do older patients pay more*."""

from __future__ import annotations

from functools import partial

from ..... import patterns as re
from ...lexicon import load_lexicon
from ...plans.phrases import describe
from ...plans.plan import Plan
from ...schema.member_kinds import adjective_members
from ...schema.metadata import Metadata
from ...words.families import root
from ...words.text import singular, stem
from ..relation import relation
from .analysis import Analysis, Reader, about
from .words import numbers_of

__all__ = ["leaning"]

_ASKED = re.compile(
    r"^\W*(?:do|does|did|are|is)\s+(?:an?\s+|the\s+)?(?P<so>more \w+|less \w+|\w+er)\s+(?P<noun>[a-z]+)\s+"
    r"(?:(?:usually|generally|really|also|tend to|always)\s+)*(?P<rest>[\w ]+?)\W*$",
    re.IGNORECASE,
)
_STRENGTH = re.compile(
    r"[?.,;\s]+(?:and\s+)?how (?:strong|big|close|tight) is (?:that|this|the) "
    r"(?:relation(?:ship)?|link|connection|effect|correlation)\W*$",
    re.IGNORECASE,
)  # what is told with any of them
_SMALL = frozenset(
    "have has had get gets got be being been take takes a an the on average in of their to and usually".split()
)
_UNITS = frozenset({"minute", "second", "hour", "millisecond", "mile", "kilometer"})  # of anything
_MORE = {"more": 1, "higher": 1, "greater": 1, "larger": 1, "fewer": -1, "less": -1, "lower": -1, "smaller": -1}


def leaning(question: str, metadata: Metadata, read: Reader) -> Analysis | None:
    """How the number that an adjective measures goes with the one that there is said to be more of, or less."""
    asked = _ASKED.match(_STRENGTH.sub("", question))
    if asked is None:
        return None
    second = _more_of(asked["rest"].lower().split(), metadata, read)
    if second is None:
        return None
    of = second[0].split(".", 1)[0]
    for first in _measured(asked["so"].lower(), asked["noun"].lower(), metadata):
        scope = metadata.scope([first[0].split(".", 1)[0], of])
        if first[0] != second[0] and scope is not None:
            return _related(first, second, scope, metadata)
    return None


def _related(first: tuple[str, int], second: tuple[str, int], scope: tuple[str, ...], metadata: Metadata) -> Analysis:
    plan = Plan(scope, shape="rows", columns=(first[0], second[0]))
    words = f"How {describe(plan, metadata).removeprefix('a list of ')} go together"
    leads = first[1] * second[1]
    return about(plan, metadata, words, partial(relation, plan, first[0], second[0], metadata, leads))


def _measured(adjective: str, noun: str, metadata: Metadata) -> list[tuple[str, int]]:
    """The numbers of what a noun names that an adjective compares by, and whether more of it is more of that."""
    word = singular(noun)
    rows = [name for name in metadata.catalog.relations if word in _called(metadata, name)]
    named = [p for p, m in metadata.members.items() if m.kind == "dimension" and word in metadata.parts(p)]
    others = list(dict.fromkeys(p.split(".", 1)[0] for p in named))  # flights tell how many seats their plane has
    return [*_of_adjective(adjective, rows, metadata), *_of_adjective(adjective, others, metadata, word)]


def _called(metadata: Metadata, relation: str) -> set[str]:
    names = (*metadata.words_of(relation)[-1:], *metadata.relation(relation).synonyms)
    return {singular(name.lower()) for name in names}


def _of_adjective(adjective: str, rows: list[str], metadata: Metadata, noun: str = "") -> list[tuple[str, int]]:
    words = tuple(adjective.split())
    senses = [e for size, e in load_lexicon().at((*words, "than")) if e.hints and size > len(words)]
    if not senses or not rows:
        return []
    sense = senses[0]
    known = adjective_members(metadata, rows, sense.hints - _UNITS, sense.turned - _UNITS)
    known = [(p, r) for p, r in known if p in metadata.members and metadata.is_number(p) and not metadata.is_measure(p)]
    sign = 1 if sense.argument == ">" else -1
    return [(path, -sign if back else sign) for path, back in known if not noun or noun in metadata.parts(path)]


def _more_of(words: list[str], metadata: Metadata, read: Reader) -> tuple[str, int] | None:
    """The number that there is more of, or less: *fewer delays*, *a higher fee*, *cost more*, *wait longer*."""
    sign = next((_MORE[word] for word in words if word in _MORE), 0)
    named = [word for word in words if word not in _SMALL and word not in _MORE]
    if not sign:
        found = [e for word in named for _, e in load_lexicon().at((word, "than")) if e.operator == "compare"]
        sign = (1 if found[0].argument == ">" else -1) if found else 0
        named = [w for w in named if not load_lexicon().at((w, "than"))] or named
    if not sign or not named:
        return None
    plan = read("average " + " ".join(named))
    numbers = numbers_of(plan, metadata) if plan is not None and not plan.conditions and not plan.dimensions else []
    if len(numbers) != 1:
        numbers = _said(named, metadata)
    return (numbers[0], sign) if numbers else None


def _said(named: list[str], metadata: Metadata) -> list[str]:
    """Numbers of rows whose names have one of the words, or what it is made of: ``wait`` of *waiting minutes*."""
    wanted = {stem(word) for word in named} | {root(word) for word in named}
    known = [p for p, m in metadata.members.items() if m.kind == "dimension" and metadata.is_number(p)]
    fitting = [
        p for p in known if wanted & ({stem(w) for w in metadata.parts(p)} | {root(w) for w in metadata.parts(p)})
    ]
    return [path for path in fitting if not metadata.is_key(path)]
