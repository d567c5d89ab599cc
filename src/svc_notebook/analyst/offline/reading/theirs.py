"""What is to be shown beside what is asked: *tenants who gave notice, with their building*."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from msgspec import Struct

from .... import patterns as re
from ..plans.plan import Dimension, Plan
from ..schema.lexicon import find_spans
from ..schema.member_kinds import labels_of
from ..schema.metadata import Metadata
from ..words.text import singular, tokenize

if TYPE_CHECKING:
    from .reading import Reading

__all__ = ["Theirs", "named", "theirs_in", "with_theirs"]

_THEIRS = re.compile(
    r"^(?P<head>.+?),?\s+(?:(?:along\s+|together\s+)?with|and)\s+(?:the\s+names?\s+of\s+)?"
    r"(?:their|its|his\s+or\s+her|his|her)\s+(?:own\s+)?"
    r"(?P<tail>[a-z_][a-z_ ,&-]*?)\s*[?.!]*$",
    re.IGNORECASE,
)
_JOINTS = re.compile(r"\s*(?:,|&|\band\b)\s*(?:their\s+|its\s+|the\s+)?", re.IGNORECASE)
_NO_NAMES = frozenset(
    "than where which that who in on at per by for from most least highest lowest over under above below is are was "
    "were not no sorted ordered first last more less number average total sum count".split()
)
_MOST = 3  # names


class Theirs(Struct, frozen=True):
    """A question without its ``with their …``, and for each name said there the members that it may be."""

    head: str
    words: tuple[str, ...]
    members: tuple[frozenset[str], ...]

    def shown(self, paths: Collection[str]) -> bool:
        """Whether an answer that shows these members shows all of them, and whose they are."""
        others = set(paths).difference(*self.members)
        return bool(others) and all(any(path in paths for path in each) for each in self.members)


def theirs_in(question: str, metadata: Metadata) -> Theirs | None:
    """What a question wants shown beside its rows, where it ends in that."""
    found = _THEIRS.match(question.strip())
    if found is None:
        return None
    said = tuple(word for word in _JOINTS.split(found["tail"].strip()) if word)
    if not said or len(said) > _MOST or _NO_NAMES & set(found["tail"].lower().split()):
        return None
    members = tuple(frozenset(named(word, metadata)) for word in said)
    return Theirs(found["head"], said, members) if all(members) else None  # words nobody knows are told anyway


def named(words: str, metadata: Metadata) -> list[str]:
    """The columns that words name as a whole; of rows what these are known by."""
    tokens = tokenize(words)
    if (said := metadata.referred.get(tuple(singular(token.lower) for token in tokens))) is not None:
        return list(said)
    spans = [span for span in find_spans(tokens, metadata) if (span.start, span.end) == (0, len(tokens))]
    known = {c for span in spans for c in span.candidates if c.full}
    # In the model's order where they fit alike: sets have another one in each process.
    named = sorted(known, key=lambda c: (-c.quality, metadata.position.get(c.member or "", -1), c.relation))
    paths = (
        path
        for one in named
        for path in ((one.member,) if one.member is not None else labels_of(metadata, one.relation))
        if path in metadata.members and not metadata.is_measure(path)
    )
    return list(dict.fromkeys(paths))


def with_theirs(asked: Theirs, metadata: Metadata, read: Callable[[str], Reading]) -> Plan | None:
    """The plan of what is asked with what is to be shown beside it; None where either is not clear."""
    found = read(asked.head)
    plan = found.plan
    if (
        plan is None
        or found.unfit
        or found.missed
        or plan.unread
        or plan.parts
        or plan.nested
        or plan.claim
        or plan.shape == "exists"
    ):
        return None
    rows = plan.shape in ("rows", "distinct") or not plan.dimensions
    if plan.shape == "aggregate" and rows and not _counts_rows(plan, metadata):
        return None
    own = list(plan.columns) or [d.member for d in plan.dimensions] or list(_names(plan, metadata))
    beside = [_nearest(each, own, metadata) for each in asked.members]
    if not own or any(path is None for path in beside):
        return None
    shown = tuple(dict.fromkeys([*own, *(path for path in beside if path is not None)]))
    relations = (*plan.scope, *(path.split(".", 1)[0] for path in shown))
    scope = metadata.scope(relations, plan.scope[:1])
    if scope is None:
        return None
    if not rows:
        added = tuple(Dimension(path) for path in shown if path not in own)
        return plan.with_(dimensions=(*plan.dimensions, *added), scope=scope)
    if plan.shape == "aggregate":
        return plan.with_(shape="rows", columns=shown, measures=(), hidden=(), scope=scope)
    return plan.with_(columns=shown, scope=scope)


def _counts_rows(plan: Plan, metadata: Metadata) -> bool:
    """Whether the only number is how many rows there are: the rows themselves are wanted."""
    counts = len(plan.measures) == 1 and metadata.plain(plan.measures[0]).aggregate in ("count", "count_distinct")
    return counts and not (plan.having or plan.calculations or plan.limit)


def _names(plan: Plan, metadata: Metadata) -> tuple[str, ...]:
    """What the rows that are counted are known by."""
    counted = plan.measures[0].entity or (plan.measures[0].member or "").split(".", 1)[0] or plan.scope[0]
    key = metadata.key_of(counted)
    return labels_of(metadata, counted) or ((key,) if key is not None else ())


def _nearest(paths: Collection[str], own: Collection[str], metadata: Metadata) -> str | None:
    """The one of some columns that each row has one of: its own, or that of what it leads to."""
    homes = list(dict.fromkeys(path.split(".", 1)[0] for path in own))
    kept = [path for path in paths if path.split(".", 1)[0] in homes]
    kept = kept or [path for path in paths if any(metadata.leads_to(home, path.split(".", 1)[0]) for home in homes)]
    return kept[0] if len(kept) == 1 else None
