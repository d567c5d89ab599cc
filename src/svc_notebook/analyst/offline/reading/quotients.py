"""``ratio of A to B for each C``: two questions with the same groups, read one by one and divided."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .... import patterns as re
from ..plans.plan import Dimension, Measure, Plan
from ..schema.metadata import Metadata
from ..schema.nouns import plural
from ..walk.segments import Item
from ..words.text import Token, singular, stem
from ..words.thesaurus import TRADES
from .one_number import LONGEST
from .per_size import per_size

__all__ = ["quotient"]

_SHARED = ("in", "=", "period")
_JOINTS = ("to", "to the", "out of", "over", "per", "divided by")
_TAIL = re.compile(r"^(?:vary|varies|changes?|differs?|looks?|evolves?|in the database|overall)\b", re.IGNORECASE)


def quotient(
    question: str,
    tokens: Sequence[Token],
    items: Sequence[Item],
    metadata: Metadata,
    read: Callable[[str], Plan | None],
) -> Plan | None:
    """The plan of a ratio of two numbers, or None where either cannot be read whole."""
    halves = _halves(question, tokens, items) or _of_each_group(question, metadata)
    if halves is None:
        return per_size(question, metadata, lambda text: _number(text, read))
    above, below, tail = halves
    if above == _TAKEN and metadata.flows is not None:
        return None  # the rows of an account bring and cost
    top, bottom = (_number(f"{half} {tail}".strip(), read) for half in (above, below))
    if top is None or bottom is None or _groups(top) != _groups(bottom):
        return None
    own = {c.member for c in top.conditions}
    shared = tuple(c for c in bottom.conditions if own and c.member not in own and c.operator in _SHARED)
    top = top.with_(conditions=(*top.conditions, *shared))
    if (behind := _said_behind(top, bottom, question)) and not shared:
        again = _number(f"{above} {behind} {tail}".strip(), read)
        if again is None or _groups(again) != _groups(bottom) or len(again.conditions) == len(top.conditions):
            return None
        top = again
    if _said(top, metadata) == _said(bottom, metadata):
        return None
    both = tuple(c for c in top.conditions if c in bottom.conditions)
    return Plan(
        scope=top.scope,
        measures=(Measure(None, "ratio"),),
        dimensions=top.dimensions,
        conditions=both,
        parts=(top, bottom),
        chart=top.chart,
    )


def _said_behind(top: Plan, bottom: Plan, question: str) -> str:
    """A place or time that ends the question, and that only the second half holds: it is said of both."""
    known = {one.words for one in top.conditions}
    for one in bottom.conditions:
        words = re.escape(one.words.strip())
        said = re.search(rf"\b(?:in|at|during|since)\s+(?:the\s+)?{words}(?=\W*$)", question, re.IGNORECASE)
        if said is not None and words and one.words not in known:
            return said[0]
    return ""


def _said(plan: Plan, metadata: Metadata) -> tuple[object, ...]:
    """What a number is of: rows may be counted by a measure of the model or by themselves."""
    plain = [(m.aggregate, m.member, m.conditions) for m in map(metadata.plain, plan.measures)]
    return plain, plan.scope[:1], plan.conditions, plan.exists


def _halves(question: str, tokens: Sequence[Token], items: Sequence[Item]) -> tuple[str, str, str] | None:
    """What is divided, by what, and the groups said behind or before it."""
    start = next((i for i, item in enumerate(items) if item.is_cue("calc", "ratio")), None)
    if start is None:
        return _worth(question, items)
    stop = _end(question, tokens, items, start)
    joint = next((i for i in range(start + 2, stop) if _joins(items[i], tokens)), None)
    if joint is None:
        return None
    tail = next(
        (i for i in range(joint + 2, stop) if items[i].is_cue("group") and not items[i].text.lower().startswith("of ")),
        stop,
    )
    word = next((i for i in range(joint + 2, tail) if _TAIL.match(items[i].text)), tail)

    def text(first: int, last: int) -> str:
        if first >= last:
            return ""
        return question[tokens[items[first].start].start : tokens[items[last - 1].end - 1].end]

    split = _inside(items[joint], tokens)
    head = text(0, start) if any(item.is_cue("group") for item in items[:start]) else ""
    if split is None:
        return text(start + 1, joint), text(joint + 1, word), f"{text(tail, stop)} {head}".strip()
    first, last = split
    above = question[tokens[items[start].end].start : tokens[first].start]
    below = question[tokens[last].start : tokens[items[word - 1].end - 1].end]
    return above, below, f"{text(tail, stop)} {head}".strip()


_PER = re.compile(
    r"^(?:\W*(?:show(?: me)?|give me|list|what (?:is|are|was|were)))?\s*(?:the\s+)?(?P<above>[\w ]+?)"
    r" (?:per|for each) (?P<unit>\w+|(?:square|sq) \w+)"
    r"[ ,]+(?P<group>(?:for|in|by|per|at) (?:each |every |the )?[\w ]+?)[?.! ]*$",
    re.IGNORECASE,
)
_FOLDED = re.compile(r"\b(?:average|avg|mean|median|highest|lowest|most|least|top)\b", re.IGNORECASE)
_AVERAGED = re.compile(r"^(?:average|avg|mean) (?:number of |count of )?(?P<of>.+)$")
_LEAD = re.compile(r"^\w+ (?:each |every |the )?")


def _of_each_group(question: str, metadata: Metadata) -> tuple[str, str, str] | None:
    """``visits per member in each town``: how many there are of each of what they are divided by."""
    said = _PER.match(question) if len(question) <= LONGEST else None
    if said is None:
        return None
    unit, above, rows = said["unit"].lower(), said["above"].lower(), metadata.kind_names.rows
    averaged = _AVERAGED.match(above)
    # The average number of visits per member is all visits by all members, those without included.
    if (
        averaged is not None
        and stem(averaged["of"].split()[-1]) in rows
        and not _is_number_of(averaged["of"], metadata)
    ):
        above = averaged["of"]
    if _FOLDED.search(above):
        return None
    if singular(unit) != unit or not _parts_rows(said["group"], unit, metadata):
        return None
    if stem(unit) not in rows:
        one = metadata.number_names.called.get(tuple(map(stem, above.split())), ())
        square = " " in unit and not one
        return (f"total {above}", f"total {unit}", _LEAD.sub("by ", said["group"])) if square else None
    if stem(above.split()[-1]) not in rows:
        called = metadata.number_names.called.get(tuple(map(stem, above.split())), ())
        if any(path.split(".", 1)[0] in rows[stem(unit)] for path in called):
            return None  # the weight per parcel is its average
        above = f"total {above}"
    return above, f"number of {plural(unit)}", _LEAD.sub("by ", said["group"])


def _is_number_of(words: str, metadata: Metadata) -> bool:
    """Whether each row has such a number, whatever rows are called so too: the ``animals`` of a sighting."""
    return bool(metadata.number_names.called.get(tuple(map(stem, words.split()))))


def _parts_rows(group: str, unit: str, metadata: Metadata) -> bool:
    """Whether a group is one of values, each of several rows, or what each of a unit is of; no month, no name."""
    kinds = metadata.kind_names.called.get((stem(group.split()[-1]),), ())
    owned = metadata.kind_names.rows.get(stem(unit), ())
    return any(
        not metadata.profile(kind.path).unique
        if kind.path is not None
        else any(one != kind.relation and metadata.leads_to(one, kind.relation) for one in owned)
        for kind in kinds
    )


_TAKEN = "total revenue"
_WORTH = re.compile(r"\b(?:average|avg|mean|typical)\s+(\w+)\s+(value|size|worth)\b(.*)", re.IGNORECASE)


def _worth(question: str, items: Sequence[Item]) -> tuple[str, str, str] | None:
    """``average order value``: the money of all of them by how many there are, where no column is called so."""
    found = _WORTH.search(question)
    if found is None or any(item.kind == "name" and found[2].lower() in item.text.lower() for item in items):
        return None
    if found[2].lower() == "size" and singular(found[1].lower()) not in TRADES:
        return None  # how large a team is tells no money
    rows = any(item.kind == "name" and item.text.lower() == found[1].lower() and _is_rows(item) for item in items)
    return (_TAKEN, f"number of {plural(found[1].lower())}", found[3].strip(" ?.!")) if rows else None


def _is_rows(item: Item) -> bool:
    return any(name.member is None and name.full for name in item.names)


def _end(question: str, tokens: Sequence[Token], items: Sequence[Item], start: int) -> int:
    """The item behind the sentence that names the ratio."""
    for i in range(start + 1, len(items)):
        between = question[tokens[items[i - 1].end - 1].end : tokens[items[i].start].start]
        if items[i].is_cue("logic", "break") or items[i].is_cue("ask", "list") or "?" in between or ". " in between:
            return i
    return len(items)


def _joins(item: Item, tokens: Sequence[Token]) -> bool:
    return item.text.lower() in _JOINTS or _inside(item, tokens) is not None


def _inside(item: Item, tokens: Sequence[Token]) -> tuple[int, int] | None:
    """A ``to`` swallowed by a name (``students to the number``): its place and that of the word behind it."""
    if item.kind != "name":
        return None
    for place in range(item.start + 1, item.end - 1):
        if tokens[place].lower == "to":
            return place, place + 1
    return None


def _number(text: str, read: Callable[[str], Plan | None]) -> Plan | None:
    """A plan of one number (per group) for a half; names of things are counted."""
    for asked in (text, f"number of {text}", f"total {text}"):
        plan = read(asked)
        if plan is not None and _is_number(plan):
            return plan
    return None


def _is_number(plan: Plan) -> bool:
    if plan.shape != "aggregate" or len(plan.measures) != 1 or plan.unread or plan.limit is not None:
        return False
    return not (plan.calculations or plan.nested or plan.parts or plan.having or plan.hidden or plan.alternatives)


def _groups(plan: Plan) -> tuple[Dimension, ...]:
    return plan.dimensions
