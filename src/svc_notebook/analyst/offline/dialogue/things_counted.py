"""``which ones`` behind how many airlines there are: the airlines, and not the flights that they were counted in."""

from __future__ import annotations

from dataclasses import replace

from ....semantic.catalog import Member as CatalogMember
from ..forms import Aggregate, Form, Member, Role
from ..plans.plan import Measure
from ..schema.counted import names_of
from ..schema.member_kinds import labels_of
from ..schema.metadata import Metadata
from ..words.text import singular, stem

__all__ = ["noun_of_things", "things_counted"]


def things_counted(form: Form, metadata: Metadata) -> Member | None:
    """What tells the things apart that a number counts, where these are not the rows: *how many airlines fly there*."""
    of = form.measures[0].expression if len(form.measures) == 1 and not form.having else None
    if not isinstance(of, Aggregate) or not isinstance(of.of, Member) or of.where is not None:
        return None
    path, root = of.of.path, form.root.relation if isinstance(form.root, Role) else ""
    known = metadata.members.get(path)
    if known is None or not root:
        return None
    kind = known.agg_type if of.function == "measure" else of.function
    if kind == "count_distinct":
        found = _told_apart(known, metadata)
        return replace(of.of, path=found) if found is not None else None
    others = kind == "count" and of.function == "measure" and not of.of.role and known.relation != root
    labels = labels_of(metadata, known.relation) if others else ()
    return Member(labels[0]) if labels else None


def noun_of_things(form: Form, metadata: Metadata) -> str:
    """What things are called of which a number counts the different ones; empty for all other numbers."""
    of = form.measures[0].expression if len(form.measures) == 1 and not form.having else None
    path = of.of.path if isinstance(of, Aggregate) and isinstance(of.of, Member) and of.where is None else ""
    known = metadata.members.get(path)
    if not isinstance(of, Aggregate) or known is None:
        return ""
    if known.kind != "measure":
        return metadata.parts(path)[-1] if of.function == "count_distinct" and not known.primary_key else ""
    if known.agg_type == "count" and isinstance(form.root, Role) and form.root.relation != known.relation:
        return metadata.words_of(known.relation)[-1]
    named = metadata.kind_names.called
    words = [word for name in names_of(known) for word in name if (stem(word),) in named]
    return singular(words[0]) if words and known.agg_type == "count_distinct" else ""


def _told_apart(known: CatalogMember, metadata: Metadata) -> str | None:
    """The column whose different values are counted, by its name; None where each row has one of its own."""
    if known.kind != "measure":
        return None if known.path in metadata.keys_of(known.relation) else known.path
    plain = metadata.plain(Measure(known.path, "measure"))
    own = [
        kind.path
        for name in names_of(known)
        for word in name
        for kind in metadata.kind_names.called.get((stem(word),), ())
    ]
    named = [path for path in own if path is not None and metadata.members[path].relation == known.relation]
    if named:
        return named[0]
    return plain.member if plain.aggregate == "count_distinct" else None
