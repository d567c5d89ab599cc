"""Which rows are meant: those that *how many …* would count."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from .... import patterns as re
from ..plans.plan import Plan
from ..schema.member_kinds import labels_of
from ..schema.metadata import Metadata
from ..words.text import stem, tokenize

__all__ = ["Rows", "rows_named"]

_SURE = 0.4
_WHO = r"(?:\b(?:who|that|which) )?"
_STAYING = re.compile(
    rf"{_WHO}(?:\bare |\bis |\bwere |\bwas )?\b(?P<verb>lives?|living|lived|resides?|residing|stays?|staying|"
    r"based|located|situated|housed) (?=(?:in|at|on|near)\b)",
    re.IGNORECASE,
)
_LASTING = re.compile(
    rf"{_WHO}\b(?P<verb>runs?|running|lasts?|lasting|measures?|measuring|goes|weighs?|weighing) (?:for )?"
    r"(?=(?:longer|shorter|more|less|over|under|at least|at most|between|above|below|up to|exactly|heavier|lighter)\b)",
    re.IGNORECASE,
)
_GETTING = re.compile(
    rf"{_WHO}\b(?:gets?|receives?|wants?|takes?|has|have) (?:the |a |an |our )?(?P<noun>[a-z]+)$", re.IGNORECASE
)


class Rows(Struct, frozen=True):
    """Rows of a relation, as the plan that counts them has them."""

    relation: str
    plan: Plan

    def names(self, meta: Metadata) -> tuple[str, ...]:
        """What tells one row from another: its name, else its key; both where several are called alike."""
        label, key = meta.label_of(self.relation), meta.key_of(self.relation)
        names = labels_of(meta, self.relation) if label is not None else ()
        if key is None or len(names) > 1 or names and meta.profile(names[0]).unique:
            return names
        return tuple(dict.fromkeys((*names, key)))

    def told_apart(self, meta: Metadata) -> bool:
        """Whether what they are called tells each from the others: of flights by their numbers it does not."""
        return any(path == meta.key_of(self.relation) or meta.profile(path).unique for path in self.names(meta))

    def have_names(self, meta: Metadata) -> bool:
        """Whether people tell them apart by a name, or they are things, and nothing that happened at a time."""
        names = labels_of(meta, self.relation) if meta.label_of(self.relation) is not None else ()
        texts = [p for p in names if p != meta.key_of(self.relation) and meta.members[p].type == "string"]
        return len(texts) > 1 or bool(texts) and meta.profile(texts[0]).unique or not meta.times([self.relation])

    def are_one(self, meta: Metadata) -> bool:
        """Whether one row is meant, by what it is called."""
        names = {*labels_of(meta, self.relation), meta.key_of(self.relation)}
        said = [c for c in self.plan.conditions if c.member in names]
        return len(said) == 1 and said[0].operator in ("in", "=") and len(said[0].values) == 1

    def are_spoken_of(self, words: str, meta: Metadata) -> bool:
        """Whether a word is for them, and not for what they have."""
        rows = meta.kind_names.rows
        return any(self.relation in rows.get(token.stem, ()) for token in tokenize(words))

    @property
    def restricted(self) -> bool:
        return bool(self.plan.conditions or self.plan.alternatives or self.plan.exists)


def _plainly(words: str, meta: Metadata) -> str:
    """Without verbs that only say that something is so (*who live in*, *that run longer than*); a yes or no with it."""
    for verbs in (_STAYING, _LASTING):
        said = verbs.search(words)
        if said is not None and stem(said["verb"].lower()) not in meta.vocabulary:
            words = f"{words[: said.start()]}{words[said.end() :]}"
    got = _GETTING.search(words)
    if got is not None and got.start() and any(_is_so(path, got["noun"], meta) for path in meta.members):
        words = f"{words[: got.start()]}with {got['noun']}"
    return words


def _is_so(path: str, noun: str, meta: Metadata) -> bool:
    """Whether a column says yes or no to what a noun is for."""
    return meta.members[path].type == "boolean" and stem(noun.lower()) == stem(meta.parts(path)[-1])


def rows_named(
    words: str, meta: Metadata, read: Callable[[str], Plan | None], *, of_kinds: bool = False
) -> Rows | None:
    """The rows that words stand for, where every word is read and they are rows of one kind.

    ``of_kinds``: their columns are told, so that ``courses`` are the rows that are of a course.
    """
    plain = _plainly(words, meta)
    # By themselves too: "how many planes" may be a measure of another table, where "planes" are rows of their own.
    found = (_counted(read(text), meta, of_kinds) for text in (f"how many {plain}", plain))
    return next((rows for rows in found if rows is not None), None)


def _counted(plan: Plan | None, meta: Metadata, of_kinds: bool) -> Rows | None:
    """The rows that a plan counts, where it does nothing else."""
    if plan is None or plan.unread or plan.confidence < _SURE:
        return None
    other = plan.dimensions or plan.having or plan.order or plan.parts or plan.nested or plan.calculations
    if other or plan.limit or plan.claim or plan.compare:
        return None
    if plan.shape in ("rows", "distinct"):
        return _of_names(plan, meta)
    if plan.shape != "aggregate" or len(plan.measures) != 1:
        return None
    counted = meta.plain(plan.measures[0])
    if counted.conditions or counted.exists:
        return None
    if counted.aggregate == "count":
        relation = counted.entity or plan.scope[0]
    elif counted.aggregate == "count_distinct" and counted.member is not None:
        relation = counted.member.split(".", 1)[0]
        named = counted.member in (meta.key_of(relation), *labels_of(meta, relation))
        if not named and not (of_kinds and relation == plan.scope[0]):
            return None
    else:
        return None
    return Rows(relation, plan)


def _of_names(plan: Plan, meta: Metadata) -> Rows | None:
    """The rows that are listed by the one name that each of them has of its own: *planes*, known by tail number."""
    path = plan.columns[0] if len(plan.columns) == 1 else ""
    whose = path.split(".", 1)[0]
    own = bool(path) and whose == plan.scope[0] and path in labels_of(meta, whose) and meta.profile(path).unique
    if any(c.member == path for c in plan.conditions):
        return None  # one of them, called by its name
    return Rows(whose, plan) if own else None
