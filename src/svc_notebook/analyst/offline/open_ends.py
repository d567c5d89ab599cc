"""Rows that have not ended yet: no time that they take can be told, and an average over the others leaves them out."""

from __future__ import annotations

from itertools import chain

from .forms import Compare, Difference, Form, Member
from .forms.walking import parts
from .plans.plan import Plan
from .schema.derivations import members_of
from .schema.metadata import Metadata
from .schema.nouns import lowered

__all__ = ["open_ends"]


def open_ends(asked: Plan | Form, metadata: Metadata) -> list[str]:
    """What is told beside a time that rows take, where some of them have no end."""
    ends = list(dict.fromkeys(path for path in _ends(asked) if path in metadata.members))
    missing = [(path, metadata.profile(path)) for path in ends if metadata.profile(path).missing]
    said = []
    for path, profile in missing:
        title = lowered(metadata.member(path).title)
        of = "" if _restricted(asked) else f" ({profile.missing:,} of {profile.rows:,})"
        said.append(f"Rows without {title}{of} are left out: how long they take is not known yet.")
    return said


def _ends(asked: Plan | Form) -> list[str]:
    if isinstance(asked, Plan):
        longer = [members_of(one.member)[1:] for one in asked.conditions if one.operator in _LONGER]
        return [*(m.other for m in asked.measures if m.aggregate == "span" and m.other), *chain.from_iterable(longer)]
    # What takes longer than a bound is also what has not ended since, and nobody counts that.
    longer_than = tuple(p.left for p in parts(asked.where) if isinstance(p, Compare) and p.operator in _LONGER)
    return [
        part.end.path
        for part in parts((asked.measures, longer_than))
        if isinstance(part, Difference) and isinstance(part.end, Member)
    ]


_LONGER = (">", ">=")


def _restricted(asked: Plan | Form) -> bool:
    return bool(asked.conditions or asked.exists if isinstance(asked, Plan) else asked.where)
