"""Names and values that were said and are nowhere in a plan, and groups that nobody asked for."""

from __future__ import annotations

from collections.abc import Iterator

from ..lexicon import persons
from ..plans.outline import LAID_OUT
from ..plans.plan import Plan
from ..plans.walking import conditions_of, measures_of, ordering_of
from ..schema.counted import counts_values_of
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..walk.draft import Draft
from ..walk.heads_of_values import heads_value
from ..words.text import is_participle, singular, stem

__all__ = ["names_lost"]

_SURE = 0.95
_MANY = 2  # rows of a value
_LONGEST = 4  # words of a value that is looked for


def names_lost(plan: Plan, draft: Draft) -> Iterator[str]:
    """The words of columns and values of which nothing came."""
    if draft.axes or draft.mark or plan.claim or draft.relate or draft.spread:
        return
    yield from _values_lost(plan, draft)
    if LAID_OUT in plan.notes:
        return
    yield from _columns_lost(plan, draft)
    yield from _share_grouped(plan, draft)
    yield from _subject_lost(plan, draft)
    yield from _keys_measured(plan, draft)


def _columns_lost(plan: Plan, draft: Draft) -> Iterator[str]:
    """``worst rated company``: companies, and no rating alone."""
    meta, gone = draft.metadata, _gone_by(plan, draft)
    for place, item in enumerate(() if _told(plan) else draft.items):
        said = draft.resolution.choice.get(place)
        path = said.member if isinstance(said, Candidate) and said.full and said.quality >= _SURE else None
        if item.kind != "name" or path is None or path in gone or path not in meta.members or heads_value(draft, place):
            continue
        if any(counts_values_of(meta, number, path) for number in gone if number in meta.members):
            continue
        word = item.text.lower()
        if is_participle(word) and word not in meta.parts(path):  # falls that "caused" damage, beside a cause
            continue
        known = meta.members[path]
        told = known.kind == "dimension" and known.type == "string" and not meta.is_key(path)
        if told and _is_kind(path, meta):
            owner = path.split(".", 1)[0]
            if not any(of.split(".", 1)[0] == owner and meta.is_key(of) for of in gone):
                yield item.text


def _gone_by(plan: Plan, draft: Draft) -> set[str]:
    plans = [plan, *plan.parts]
    numbers = [one for p in plans for m in measures_of(p) for one in (m, draft.metadata.plain(m))]
    measured = {path for m in numbers for path in (m.member, m.other)}
    tested = {path for p in plans for c in conditions_of(p) for path in (c.member, c.other)}
    ordered = {o.member for p in plans for o in p.order} | {m.member for p in plans for m in ordering_of(p)}
    grouped = {d.member for p in plans for d in (*p.dimensions, *((p.nested.dimension,) if p.nested else ()))}
    return {path for path in measured | tested | ordered | grouped | {c for p in plans for c in p.columns} if path}


def _values_lost(plan: Plan, draft: Draft) -> Iterator[str]:
    """``failed to on time``: a value of several words that the data have just so is one, and no other."""
    meta, gone = draft.metadata, _gone_by(plan, draft)
    held = {str(value).lower() for p in (plan, *plan.parts) for c in conditions_of(p) for value in c.values}
    words = {word for one in held for word in one.split()}
    if any(c.operator in ("null", "not null", "true", "false") for c in conditions_of(plan)):
        return  # a state that a column tells: *on loan* is what has not come back
    stems = [token.stem for token in draft.tokens]
    for start in range(len(stems)):
        for end in range(start + 2, min(len(stems), start + _LONGEST) + 1):
            found = [(m, v) for m, v, q in meta.values.whole.get(tuple(stems[start:end]), ()) if q == 1.0]
            inside = any(item.start <= start and end <= item.end and item.kind != "value" for item in draft.items)
            inside = inside or any(token.kind == "number" for token in draft.tokens[start:end])  # a bound in words
            if found and not inside and not any(_is_held(str(v).lower(), held, words) for _, v in found):
                shown = any(m in gone and all(c.member != m for c in conditions_of(plan)) for m, _ in found)
                if not shown:
                    yield " ".join(token.text for token in draft.tokens[start:end])


def _is_held(value: str, held: set[str], words: set[str]) -> bool:
    """Whether a value is one that is tested, a part of one, or tested word by word."""
    return words.issuperset(value.split()) or any(value in one for one in held)


def _share_grouped(plan: Plan, draft: Draft) -> Iterator[str]:
    """``share of viewings where the buyer came``: of all of them, and not of each buyer's."""
    if not draft.items or not draft.items[0].is_cue("calc", "share") or len(plan.dimensions) != 1:
        return
    grouping = any(item.is_cue("group") or item.kind == "grain" for item in draft.items)
    if grouping or plan.compare or plan.dimensions[0].grain or plan.dimensions[0].bin or plan.calculations:
        return
    path = plan.dimensions[0].member
    for place, item in enumerate(draft.items):
        said = draft.resolution.choice.get(place)
        opened = place > 1 and any(one.text.lower() in _CLAUSES for one in draft.items[1:place])
        if isinstance(said, Candidate) and said.member == path and opened:
            yield item.text


def _subject_lost(plan: Plan, draft: Draft) -> Iterator[str]:
    """``companies that only make bars``, ``how many members came``: companies and members are told, or counted."""
    items = draft.items
    if len(items) > 1 and items[0].kind == "word" and items[1].text.lower().split()[0] in _WHO:
        if _is_plural(items[0].text.lower()):
            yield items[0].text
        return
    opening = next((place for place, item in enumerate(draft.items[:_AHEAD]) if item.kind == "name"), None)
    said = draft.resolution.choice.get(opening) if opening is not None else None
    if opening is None or not isinstance(said, Candidate) or plan.parts or plan.nested is not None:
        return
    counted = opening > 0 and draft.items[opening - 1].is_cue("count")
    behind = draft.tokens[draft.items[opening].end].lower if draft.items[opening].end < len(draft.tokens) else ""
    if not (behind in _WHO and (opening == 0 or counted or draft.items[opening - 1].is_cue("ask"))) and not counted:
        return
    if counted and any(item.is_cue("group") or item.kind == "grain" for item in draft.items):
        return
    numeric = said.member is not None and draft.metadata.members[said.member].type == "number"
    told = _told(plan)
    single = {c.member for c in plan.conditions if c.operator in ("in", "=") and len(c.values) == 1}
    if numeric or not (_named(draft) - single).isdisjoint(told):
        return  # "how many kilos did Ann and Ben bring": of each of them
    if told and not any(_is_of(path, said, draft) for path in told) or not told and _counts_rows(plan, said, draft):
        yield draft.items[opening].text


def _counts_rows(plan: Plan, said: Candidate, draft: Draft) -> bool:
    """Whether rows are counted for a kind that many of them have: tickets for those who wrote them."""
    meta, path = draft.metadata, said.member
    counts = [m for m in map(meta.plain, plan.measures) if m.aggregate == "count" and not m.conditions and not m.exists]
    if path is None or not said.full or len(counts) < len(plan.measures) or not counts:
        return False
    if meta.members[path].type != "string":
        return False
    return not meta.is_key(path) and _is_kind(path, meta) and any(m.member is None for m in counts)


def _is_kind(path: str, meta: Metadata) -> bool:
    """Whether many rows have each value, so that none of these stands for a row."""
    profile = meta.profile(path)
    return _MANY * profile.distinct <= profile.rows - profile.missing


def _keys_measured(plan: Plan, draft: Draft) -> Iterator[str]:
    """``more than 3`` of a number that only tells one from another."""
    for condition in plan.conditions:
        known = condition.member in draft.metadata.members and draft.metadata.is_key(condition.member)
        if known and condition.operator in ("<", "<=", ">", ">=") and condition.values:
            yield f"{condition.values[0]:g}" if isinstance(condition.values[0], float) else str(condition.values[0])


def _is_plural(word: str) -> bool:
    return singular(word) != word and stem(word) not in persons() and word not in _ANY


_ANY = frozenset({"ones", "things", "those", "others"})


def _named(draft: Draft) -> set[str]:
    """The members that were named, or a value of which was."""
    members = (getattr(said, "member", None) for said in draft.resolution.choice.values())
    return {path for path in members if path is not None}


def _told(plan: Plan) -> list[str]:
    return [*plan.columns, *(d.member for d in plan.dimensions if d.grain is None)]


def _is_of(path: str, said: Candidate, draft: Draft) -> bool:
    """Whether a member is the one that was said, or tells of the rows that were."""
    meta = draft.metadata
    if path == said.member or path not in meta.members:
        return True
    owners = {path.split(".", 1)[0], meta.relation_referred(path)}
    if said.member is None:
        return said.relation in owners
    return meta.relation_referred(said.member) in owners and (
        said.member.split(".", 1)[0] not in owners or meta.is_key(said.member)
    )


_AHEAD = 3
_WHO = frozenset({"who", "that", "which", "whose"})
_CLAUSES = frozenset({"where", "whose", "that", "which", "in which", "where the"})
