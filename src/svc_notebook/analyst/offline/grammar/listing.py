"""Rows as they are."""

from __future__ import annotations

from collections.abc import Iterator

from ..forms import (
    ROWS,
    Clause,
    Form,
    Member,
    Order,
)
from ..schema.derivations import expression_of
from ..schema.member_kinds import kind_of, labels_of
from ..schema.spans import span_in
from .drafts import Draft
from .ordering import limit_of, ordered
from .partial import Features
from .shares import percent

__all__ = ["listed", "repeats", "told_of"]


def listed(d: Draft, base: Form) -> Iterator[tuple[Form, Features]]:
    """Rows as they are."""
    features: list[tuple[str, float]] = []
    paths = list(dict.fromkeys(s.path for s in d.shown))
    best = d.best
    if d.partial.whole or not paths:
        relation = d.subjects[0].relation if d.subjects else d.scope[0]
        if relation not in d.scope:
            return
        whole = [
            m.path for m in d.metadata.relation(relation).members.values() if m.kind == "dimension" and not m.masked
        ]
        if d.partial.whole:
            paths = whole
            features.append(("rows:whole", 1.0))
        else:
            if not d.subjects and not d.tests and best is None:
                return
            features.append(("rows:label", 1.0))
            paths = [*_key_too(d, relation), *labels_of(d.metadata, relation)]
            # Names alone, or rows whole: which is meant is left to the ranking.
            if best is None and len(whole) > len(paths) and not (d.partial.counting or d.partial.percent):
                every = base.with_(columns=tuple(Clause(Member(path)) for path in whole))
                if relation != d.scope[0]:  # each once, however many rows of others refer to it
                    every = every.with_(groups=every.columns, columns=())
                for made, found in ordered(d, every, (("rows:whole:assumed", 1.0),)):
                    yield made, found
            if d.partial.counting or d.partial.percent:
                yield from _counted(d, base)
    if d.partial.percent and d.tests:
        return
    owner = d.subjects[0].relation if d.subjects else d.scope[0]
    if any(s.owned for s in d.shown) and owner in d.scope:
        paths = list(dict.fromkeys((*labels_of(d.metadata, owner), *paths)))
    columns = tuple(Clause(expression_of(path)) for path in paths)
    form = base.with_(columns=columns)
    features.append(("columns", float(max(0, len(columns) - 1)) if not d.partial.whole else 0.0))
    if best is not None and best.path is not None:
        order = (Order(expression_of(best.path), best.descending),)
        # Ranked by it, it is shown: by how much it is the first would be asked next.
        if best.path not in paths:
            form = form.with_(columns=(*columns, Clause(expression_of(best.path))))
        of_rows: Features = (("best:row", 1.0),)
        if repeats(d):
            of_rows = (("best:row:of-groups", 1.0), (f"best:row:{told_of(d)}", 1.0))
        yield form.with_(order=order, limit=limit_of(best)), (*features, *of_rows)
        return
    said = d.partial.distinct
    for made, found in ordered(d, form, tuple(features)):
        cue = "cued" if said else "uncued"
        yield made, (*found, ("rows:all:" + cue, 1.0))
        many = "many" if len(d.scope) > 1 else "one"
        distinct = made.with_(groups=made.columns, columns=())
        # DISTINCT can only be ordered by what it shows.
        if all(any(o.by == c.expression for c in made.columns) for o in made.order):
            yield distinct, (*found, (f"rows:distinct:{cue}:{many}", 1.0))


def _key_too(d: Draft, relation: str) -> tuple[str, ...]:
    """What tells the rows apart that are picked by how long they took, where their label does not."""
    tested = [test.path for test in d.tests] + [d.best.path if d.best is not None else None]
    key = d.metadata.key_of(relation)
    lasting = any(path is not None and span_in(path) is not None for path in tested)
    if not lasting or key is None or key not in d.metadata.members:
        return ()
    labels = labels_of(d.metadata, relation)
    return () if key in labels or any(d.metadata.profile(path).unique for path in labels) else (key,)


def _counted(d: Draft, base: Form) -> Iterator[tuple[Form, Features]]:
    """How many rows there are, where only conditions follow the question."""
    form = base.with_(measures=(Clause(ROWS),))
    if d.partial.percent:
        yield from percent(d, form, ())
    else:
        yield form, (("measure:rows-of-conditions", 1.0),)


def repeats(d: Draft) -> bool:
    """Whether what is shown names groups of rows rather than single ones: ``which airline has the worst delay``."""
    known = [s.path for s in d.shown]
    own = [path for path in known if path.split(".", 1)[0] == d.scope[0]]
    if not known or any(kind_of(d.metadata, path) not in ("text", "year", "flag") for path in known):
        return False
    return not any(d.metadata.profile(path).unique or path in labels_of(d.metadata, d.scope[0]) for path in own)


def told_of(d: Draft) -> str:
    """Whether a superlative of groups speaks of ``one`` row (the oldest singer), of ``many`` (the longest visits), of
    rows that were ``unnamed`` (which team is slowest).
    """
    assert d.best is not None
    named = [s for s in d.subjects if s.place > d.best.place]
    return "unnamed" if not named else "many" if named[0].many else "one"
