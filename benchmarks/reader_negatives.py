"""Questions that cannot be answered, made of those that can: a member is missing, or another database is asked."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from svc_notebook.analyst.offline.forms import Form, Member
from svc_notebook.analyst.offline.forms.walking import parts
from svc_notebook.analyst.offline.schema.metadata import Metadata
from svc_notebook.analyst.offline.schema.values import ValueIndex
from svc_notebook.semantic.catalog import Catalog

__all__ = ["NEGATIVES", "strangers", "without", "worth_removing"]

NEGATIVES = frozenset(
    {"about", "removed", "stranger", "decline", "smalltalk", "clarify"}
)  # kinds of rows that nothing answers
_STRANGERS = 6  # questions of other databases that each one is asked


def worth_removing(form: Form, metadata: Metadata, chance: random.Random) -> str | None:
    """A member that a right form needs: neither a key nor one that only joins."""
    asked = form.with_(joins=())
    paths = {part.path for part in parts(asked) if isinstance(part, Member)}
    usable = sorted(path for path in paths if path in metadata.members and not metadata.is_key(path))
    return chance.choice(usable) if usable else None


def without(metadata: Metadata, path: str) -> Metadata:
    """The same model, had it never had this member, nor a measure made of it."""
    relation, _, name = path.partition(".")
    held = metadata.catalog.relations[relation]
    kept = {key: member for key, member in held.members.items() if key != name and name not in member.name}
    relations = {**metadata.catalog.relations, relation: replace(held, members=kept)}
    values = ValueIndex()
    for known, texts in metadata.values.members.items():
        if known != path:
            values.add(known, list(texts), complete=known in metadata.values.complete)
    return Metadata(Catalog(relations, f"{metadata.catalog.version} without {path}"), values, metadata.measure_profile)


def strangers(
    by_model: Mapping[str, Sequence[Mapping[str, Any]]], model: str, chance: random.Random
) -> Iterator[Mapping[str, Any]]:
    """Questions that were asked of other databases."""
    others = [case for name, cases in sorted(by_model.items()) if name != model for case in cases if _alone(case)]
    yield from chance.sample(others, min(_STRANGERS, len(others)))


def _alone(case: Mapping[str, Any]) -> bool:
    return len(case.get("turns") or [0]) < 2 and case["gold"].get("rows") is not None
