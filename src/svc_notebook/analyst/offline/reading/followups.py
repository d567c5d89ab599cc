"""Questions that refine the one before: replace, add, remove, drill, draw otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from .... import patterns as re
from ..plans.plan import ChartWish, Condition, Dimension, Measure, Order, Plan
from ..schema.lexicon import Candidate
from ..schema.metadata import Metadata
from ..schema.nouns import is_plural
from ..words.cues import find_cues
from ..words.text import tokenize
from .reading import Reading

__all__ = ["DEFINED", "IN_THAT", "THAT_NOUN", "has_subject", "is_refinement", "leans_back", "refine", "that_one"]

_POLITE = (
    "ok|okay|please|great|thanks|thank you|can you|could you|let's|i want|show|show me|give me|display|and|but|then|now"
)
_OPENING = (
    "only|just|now|and|also|but|without|excluding|exclude|except|remove|drop|add|include|as a|as an|by|per|split|break|"
    "group|instead|what about|how about|same|the same|this|that|these|those|them|it|make it|show it|show this|"
    "show that|sort|order|rank|top|bottom|limit|for|in|on|since|until|before|after|last|why|drill|zoom|filter|"
    "change|switch|use|replace|compare that|weekly|monthly|daily|yearly|hourly|quarterly|color|colour|stack|facet|"
    "slice|not"
)
_OPENERS = re.compile(rf"^\s*(?:(?:{_POLITE})[\s,]+)*(?:{_OPENING})\b", re.IGNORECASE)
_SWAPPING = re.compile(r"\b(?:replace|swap|substitute|exchange|switch|change)\b.+\b(?:with|for|by|to)\b", re.IGNORECASE)
_LEANS = re.compile(r"\b(?:instead|rather|now|use|make it|as the|switch|change)\b", re.IGNORECASE)
_INSTEAD = re.compile(r"\b(instead|rather)\W*$", re.IGNORECASE)
_PERIOD_FIRST = re.compile(
    rf"^\s*(?:(?:{_POLITE})[\s,]+)*(?:last|this|since|in|for|on|until|before|after)\b", re.IGNORECASE
)
_LEANING = re.compile(r"^\s*(?:and|but|then|now|also|ok|okay|same|only|just)\b", re.IGNORECASE)
_REPLACING = re.compile(r"\b(only|just|instead|what about|how about|switch|change|replace|now|same)\b", re.IGNORECASE)
_MORE = "also|add|as well|too|in addition|additionally|split|break|drill|color|colour|stack|facet|slice"
_ADDING = re.compile(rf"^\s*(?:and|also|plus|then)\b|\b(?:{_MORE})\b", re.IGNORECASE)
_REMOVING = re.compile(r"\b(without|excluding|exclude|except|remove|drop|not|leave out|ignore)\b", re.IGNORECASE)


_SURE = 0.8
_RATES = frozenset(("share_true", "ratio"))  # named with what they are shares of
_WHOLE = 5  # words of which a sentence that names a number can be whole
_POINTING = re.compile(
    r"(?<!sort )(?<!order )(?<!list )(?<!show )(?<!rank )(?<!arrange )(?<!group )(?<!plot )(?<!draw )(?<!sorting )"
    r"\b(them|those|these|the same ones|that one|is that|was that)\b",
    re.IGNORECASE,
)

DEFINED = re.compile(
    r"\b(?:those|these)(?=\s+\w+(?:\s+\w+)?\s+(?:who|whose|which|that)\s+(?!(?:are|were|one|ones)\b\W*$)\w)",
    re.IGNORECASE,
)  # "those employees who …": they are said, and not the ones that were shown
_PRONOUNS = re.compile(
    r"\b(?:(?P<own>their|his|her|its)(?=\s+\w)|them|they|theirs|he|she|him|hers|her(?=\W*$)|it(?=\W*$)"
    r"|(?:these|those)(?=\s+(?:from|in|of|by|for)?\W*$)"
    r"|(?:of|for|among|from|by|in) the (?:others|rest|other ones)(?=\W*$))\b",
    re.IGNORECASE,
)
IN_THAT = re.compile(
    r"\s+(?:(?:in|on|at|for|during|from|of|by|with) (?:that|the same) (?!(?:are|is|were|was|have|has|had)\b)\w+"
    r"|(?:that|the same) (?:hour|day|week|weekend|month|quarter|season|summer|winter|year|morning|evening|night))"
    r"(?:\W*$|(?=\s+(?:by|per|for each|in each)\b))",
    re.IGNORECASE,
)  # "in that month", "the weather that month", "flights that month by airline"


THAT_NOUN = re.compile(
    r"\b(?P<verb>does|did|has|had|is|was)\s+(?:that|this)\s+(?!(?:in|on|at|for|of|from|by|per|with|than|the|an?|all|"
    r"also|still|just|only|really|not|because|much|many|too|so|it|one|what|how|why|more|less|fewer|good|bad|normal|"
    r"\w+er(?=\s+(?:than|in|on|at|for|from|of|when|if|during|with|by|or|and)\b)|usual|unusual|correct|right|true|wrong|possible|include|mean|change|compare|look|happen)\b)[a-z]+(?=\s+[a-z])",
    re.IGNORECASE,
)  # "where does that tutor live", "when was that person hired": of the one that was shown
_CLAUSE_ENDS = re.compile(r",|;|\b(?:and|or|but|who|whose|which|that|when|where|if|than|then)\b", re.IGNORECASE)
_NAMING = frozenset(("name", "value", "quoted"))


_THEM = re.compile(
    r"^(?=.*\bthem\b)\W*\w+\W+\w+.*(?:,|\band\b|\bthen\b)\s+(?:\w+\s+){1,4}?them\b", re.IGNORECASE | re.DOTALL
)  # "show all plays and count them by stage": what was said in the same breath


def is_refinement(question: str, reading: Reading, before: Plan) -> bool:
    """Whether a question leans on the plan before it: it opens like one, or says no subject of its own."""
    if replaced(question, reading, before) is not None:
        return True
    plan = reading.plan
    opened = bool(_OPENERS.search(question))
    words = len([t for t in tokenize(question) if t.kind == "word"])
    if plan is None or reading.draft is None:
        return opened or words <= 6
    draft = reading.draft
    subject = has_subject(question, reading)
    if _INSTEAD.search(question) and not draft.dimensions:
        return True
    if (
        subject
        and (draft.measures or draft.counting)
        and _PERIOD_FIRST.match(question)
        and not _LEANING.match(question)
    ):
        return False  # "last month's revenue" says all it needs
    if not opened and plan.shape != "aggregate" and len(plan.columns) >= 2:
        return False
    if draft.entities and re.match(r"^\s*(is|are|was|were|do|does|did|has|have)\b", question, re.IGNORECASE):
        return False
    if (
        plan.scope
        and before.scope
        and plan.scope[0] != before.scope[0]
        and not set(plan.scope) & set(before.scope)
        and subject
    ):
        return False
    if (
        re.match(r"^\s*(how many|what is|what are|what was|which|who|list)\b", question, re.IGNORECASE)
        and subject
        and plan.shape == "aggregate"
    ):
        return False
    if (
        subject
        and (draft.dimensions or draft.grains or draft.grouped_entities or draft.mentions)
        and not re.match(r"^\s*(and|also|now|what about|how about|instead)\b", question, re.IGNORECASE)
    ):
        return False
    return opened or not subject and words <= 8


_WHO = re.compile(r"^\W*(who|whom|whose|when|where)\s+\w+\s+\w+", re.IGNORECASE)


def has_subject(question: str, reading: Reading) -> bool:
    """Whether a question says itself what it asks for: a number, rows that are counted or ranked, or rows by groups."""
    draft = reading.draft
    if draft is None:
        return False
    if draft.measures or draft.counted_entities or draft.counting:
        return True
    grouped = bool(draft.dimensions or draft.grains or draft.grouped_entities or draft.top)
    if draft.entities and (grouped or not draft.conditions or not _OPENERS.search(question)):
        return True
    if draft.top is not None and (draft.grains or draft.grouped_entities or draft.mentions and draft.dimensions):
        return True
    if reading.plan is not None and any(m.aggregate in _RATES or m.aggregate == "span" for m in reading.plan.measures):
        return True
    if draft.conditions and draft.items and draft.items[0].kind == "word" and is_plural(draft.items[0].text):
        return reading.plan is not None  # rows under a noun of the asker's own: "orders over five units"
    listed = reading.plan is not None and reading.plan.shape == "rows" and reading.plan.limit is not None
    if listed and any(one.is_cue("top") and two.kind == "value" for one, two in pairwise(draft.items)):
        return True  # "longest documentary": one of those
    if _WHO.match(question) and draft.conditions and draft.top is None and reading.plan is not None:
        return not reading.unread  # somebody, by who they are: "who reports to Ada Abel"
    spoken = sum(token.kind == "word" for token in draft.tokens)
    numbers = any(draft.metadata.is_number(m.member) for m in draft.mentions)
    spread = bool(grouped or draft.conditions or draft.spread)  # of it, by something or where something holds
    return numbers and (spoken >= _WHOLE or spread)


def leans_back(question: str, reading: Reading) -> str:
    """The word of a question that stands for something said before it, or none."""
    found = _POINTING.search(DEFINED.sub("the", question))
    if found is not None and not (_THEM.search(question) and has_subject(question, reading)):
        return found.group(1)
    opened = _LEANING.match(question)
    if opened is not None and not has_subject(question, reading):
        return opened.group().strip()
    return that_one(question) or _unbound(question, reading)


def that_one(question: str) -> str:
    """What of a question is one that was said before by its noun (``on that day``, ``did that pilot``), or none."""
    found = THAT_NOUN.search(question) or IN_THAT.search(question)
    return found.group().strip(" ?!.") if found is not None and "the same" not in found.group().lower() else ""


def _unbound(question: str, reading: Reading) -> str:
    """The pronoun of a question that stands for nothing the question names itself, or none.

    ``their salary`` may be of any noun before it; ``them``, ``they``, ``him`` of one in a clause before its own
    (``which depots sent them`` is about neither depots nor anything said).
    """
    named = [reading.tokens[item.start].start for item in reading.items if item.kind in _NAMING]
    for found in _PRONOUNS.finditer(question):
        bound = found.start()
        if found["own"] is None:
            clauses = [end.start() for end in _CLAUSE_ENDS.finditer(question, 0, found.start())]
            bound = clauses[-1] if clauses else 0
        if not any(place < bound for place in named):
            return found.group()
    return ""


def refine(question: str, reading: Reading, before: Plan, metadata: Metadata) -> Plan | None:
    """The plan before with what the new words say; None when they change nothing."""
    if before.parts:
        halves = [refine(question, reading, part, metadata) for part in before.parts]
        if halves[0] is None or halves[1] is None or halves[0].dimensions != halves[1].dimensions:
            return None
        both = tuple(c for c in halves[0].conditions if c in halves[1].conditions)
        return before.with_(
            parts=(halves[0], halves[1]), dimensions=halves[0].dimensions, conditions=both, chart=halves[0].chart
        )
    plan, draft = reading.plan, reading.draft
    otherwise = replaced(question, reading, before) or _reaggregated(question, reading, before, metadata)
    if otherwise is not None:
        return otherwise
    changed = before
    wish = _wish(question, before.chart)
    removing = bool(_REMOVING.search(question))
    if plan is not None and draft is not None:
        left_out = _left_out(reading, before, metadata) if removing else ()
        if left_out:
            return before.with_(conditions=(*before.conditions, *left_out), chart=wish)
        plan = _measured(plan, reading, before)
        reading = replace(reading, plan=plan)
        before = changed = _widened(before, plan, metadata)
        changed = _dimensions(question, plan, draft.measures, changed, metadata, removing)
        changed = _conditions(question, reading, changed, removing)
        changed = _measures(question, reading, changed)
        changed = _orders(reading, changed)
    if plan is not None and plan.chart.channels:
        wish = ChartWish(
            wish.mark,
            wish.stacked,
            wish.grouped,
            wish.horizontal,
            wish.facet or plan.chart.facet,
            wish.table,
            (*before.chart.channels, *plan.chart.channels),
        )
    changed = changed.with_(chart=wish)
    if changed == before.with_(chart=changed.chart) and changed.chart == before.chart:
        return None
    if not _in_scope(changed):
        return None
    return changed.with_(
        unread=reading.unread if plan is None else plan.unread, confidence=1.0 if plan is None else reading.sure
    )


def _left_out(reading: Reading, before: Plan, metadata: Metadata) -> tuple[Condition, ...]:
    """``without cancelled flights``: the rows of a counted kind are left out where a value says which they are."""
    draft = reading.draft
    assert draft is not None
    named = [m.member for m in draft.measures if m.member is not None and metadata.member(m.member).agg_type == "count"]
    found: dict[str, Condition] = {}
    for place, chosen in draft.resolution.choice.items():
        if not isinstance(chosen, Candidate) or chosen.member not in named:
            continue
        item = draft.items[place]
        for start in range(item.start, item.end):
            for match in metadata.values.find(draft.tokens, start):
                if match.end <= item.end and match.member.split(".", 1)[0] in before.scope and match.quality > _SURE:
                    found.setdefault(match.member, Condition(match.member, "not in", (match.value,)))
    return tuple(found.values())[:1]


def _measured(plan: Plan, reading: Reading, before: Plan) -> Plan:
    """``and the arrival delay``: beside a measure, a number named alone is measured as well, not cut into bins."""
    draft = reading.draft
    assert draft is not None
    bare = {m.member for m in draft.mentions if not m.role}
    binned = [d for d in plan.dimensions if d.bin is not None and d.member in bare]
    if not binned or draft.bins or draft.spread or before.shape != "aggregate" or not before.measures:
        return plan
    kind = before.measures[0].aggregate
    aggregate = kind if kind in ("sum", "min", "max", "median") else "avg"
    measures = tuple(Measure(d.member, aggregate) for d in binned)
    return plan.with_(dimensions=tuple(d for d in plan.dimensions if d not in binned), measures=measures)


def _in_scope(plan: Plan) -> bool:
    """Whether a plan's relations hold all that it names; words about other things ask anew."""
    named = [*_members(plan), *(c.member for c in plan.conditions), *(m.other or "" for m in plan.measures)]
    return all(member.split(".", 1)[0] in plan.scope for member in named if member)


def _widened(before: Plan, plan: Plan, metadata: Metadata) -> Plan:
    """The plan before over the relations that the new words need too, where its own rows stay the ones counted."""
    named = [d.member for d in plan.dimensions] + [c.member for c in plan.conditions] + list(plan.columns)
    named += [c.member for group in plan.alternatives for c in group]
    named += [
        m.member for m in plan.measures if m.member and m.aggregate == "measure" and not m.member.endswith(".count")
    ]
    scope = before.scope
    for relation in dict.fromkeys(member.split(".", 1)[0] for member in named):
        wider = metadata.scope((*scope, relation), before.scope[:1]) if relation not in scope else None
        if wider is not None and wider[0] == before.scope[0]:
            scope = wider
    return before.with_(scope=scope)


def _wish(question: str, before: ChartWish) -> ChartWish:
    mark, table, stacked, grouped, panels = before.mark, False, before.stacked, before.grouped, before.facet
    for cue in find_cues(tokenize(question)):
        if cue.kind == "mark" and cue.value == "table":
            table = True
        elif cue.kind == "mark":
            mark = cue.value
        elif cue.kind == "style" and cue.value == "stacked":
            stacked, grouped = True, False
        elif cue.kind == "style" and cue.value == "grouped":
            stacked, grouped = False, True
        elif cue.kind == "series" and cue.value == "facet":
            panels = True
    return ChartWish(mark, stacked, grouped, before.horizontal, panels, table, before.channels)


def _dimensions(
    question: str, plan: Plan, measured: Sequence[object], before: Plan, metadata: Metadata, removing: bool
) -> Plan:
    new = list(plan.dimensions)
    if plan.shape != "aggregate" and not measured and before.shape == "aggregate":
        new = [Dimension(c) for c in plan.columns if not metadata.is_number(c) or metadata.is_category(c)]
        if len(plan.columns) > 5:
            new = []
    if not new or before.shape != "aggregate" and before.dimensions == ():
        if new and before.shape == "rows":
            added = tuple(d.member for d in new if d.member not in before.columns)
            return before.with_(columns=(*before.columns, *added))
        return before
    if removing:
        gone = {d.member for d in new}
        kept = tuple(d for d in before.dimensions if d.member not in gone)
        return before.with_(dimensions=kept) if kept != before.dimensions else before
    dims = list(before.dimensions)
    adding = bool(_ADDING.search(question)) and not re.search(r"\binstead\b", question, re.IGNORECASE)
    for dimension in new:
        twin = next(
            (i for i, d in enumerate(dims) if d.member == dimension.member or _both_time(d, dimension, metadata)), None
        )
        if twin is not None:
            dims[twin] = dimension
        elif (
            adding
            or len(dims) == 1
            and _is_time(dims[0], metadata)
            and not _is_time(dimension, metadata)
            and re.search(r"\b(each|per|for each|varies|over)\b", question, re.IGNORECASE)
            or _is_time(dimension, metadata)
            and dims
            and not _REPLACING.search(question)
            and re.search(r"\b(over|varies|vary|change|trend|time)\b", question, re.IGNORECASE)
        ):
            dims.append(dimension)
        else:
            dims = [d for d in dims if d in new]
            dims.append(dimension)
    orders = tuple(o for o in before.order if o.by != "dimension")
    limit = before.limit if not any(_is_time(d, metadata) for d in dims) else None
    return before.with_(
        dimensions=tuple(dims[:3]),
        order=orders if limit else tuple(o for o in orders if before.limit is None),
        limit=limit,
    )


def _is_time(dimension: Dimension, metadata: Metadata) -> bool:
    return (
        metadata.is_time(dimension.member)
        or metadata.is_year(dimension.member)
        or bool(set(metadata.parts(dimension.member)) & {"hour", "weekday", "month", "week"})
    )


def _both_time(one: Dimension, other: Dimension, metadata: Metadata) -> bool:
    return _is_time(one, metadata) and _is_time(other, metadata)


def _conditions(question: str, reading: Reading, before: Plan, removing: bool) -> Plan:
    assert reading.plan is not None
    conditions = list(before.conditions)
    for condition in reading.plan.conditions:
        if condition.member.split(".")[0] not in before.scope:
            continue
        new = _negated(condition) if removing and condition.operator in ("in", "=", "true", "period") else condition
        same = [c for c in conditions if c.member == new.member and c.operator == new.operator]
        if removing and new.operator == "not in":
            kept = [
                c
                for c in conditions
                if not (c.member == new.member and c.operator == "in" and set(c.values) <= set(new.values))
            ]
            if len(kept) < len(conditions):
                conditions = kept
                continue
        if same and re.match(r"^\s*(and|also|plus)\b", question, re.IGNORECASE) and new.operator in ("in", "not in"):
            merged = Condition(
                new.member, new.operator, tuple(dict.fromkeys((*same[0].values, *new.values))), new.part, new.words
            )
            conditions[conditions.index(same[0])] = merged
            continue
        conditions = [
            c
            for c in conditions
            if not (
                c.member == new.member
                and (c.operator == new.operator or {c.operator, new.operator} <= {"in", "=", "period"})
            )
        ]
        conditions.append(new)
    changed = before.with_(conditions=tuple(conditions))
    if reading.plan.alternatives:
        changed = changed.with_(alternatives=reading.plan.alternatives)
    return changed


def _negated(condition: Condition) -> Condition:
    operator = {"in": "not in", "=": "!=", "true": "false", "period": "not period"}[condition.operator]
    return Condition(condition.member, operator, condition.values, condition.part, condition.words)


def _measures(question: str, reading: Reading, before: Plan) -> Plan:
    draft = reading.draft
    assert draft is not None
    assert reading.plan is not None
    new = tuple(
        m
        for m in reading.plan.measures
        if m in draft.measures
        or m.aggregate == "share_true"
        or (m.member is not None and any(x.member == m.member for x in draft.mentions))
    )
    if not new or draft.top is not None and new[0] in before.measures:
        if reading.plan.calculations and before.dimensions:
            return before.with_(calculations=reading.plan.calculations)
        return before
    if before.shape != "aggregate":
        return before
    if _ADDING.search(question) and not _REPLACING.search(question):
        return before.with_(measures=(*before.measures, *(m for m in new if m not in before.measures)))
    return before.with_(measures=new, calculations=reading.plan.calculations, having=())


def _orders(reading: Reading, before: Plan) -> Plan:
    plan, draft = reading.plan, reading.draft
    assert plan is not None
    assert draft is not None
    if draft.top is not None and before.dimensions:
        direction, number, _ = draft.top
        return before.with_(
            order=(Order("measure", 0, direction != "asc"),), limit=number or plan.limit or 1, limit_per=None
        )
    if draft.orders and (before.dimensions or before.columns):
        wish = draft.orders[0]
        kind = (
            "column"
            if before.shape != "aggregate"
            else "dimension"
            if wish.axis == "x" or wish.member and any(d.member == wish.member for d in before.dimensions)
            else "measure"
        )
        place = next((i for i, d in enumerate(before.dimensions) if d.member == wish.member), 0)
        return before.with_(order=(Order(kind, place, bool(wish.descending)),))  # type: ignore[arg-type]  # kind: one of three
    return before


def replaced(question: str, reading: Reading, before: Plan) -> Plan | None:
    """``replace displacement with weight``: the second takes the place of the first wherever that stood."""
    if reading.draft is None or not _SWAPPING.search(question):
        return None
    named = [
        c.member for _, c in sorted(reading.draft.resolution.choice.items()) if isinstance(c, Candidate) and c.member
    ]
    old = next((member for member in named if member in _members(before)), None)
    new = next((member for member in named if member != old), None)
    if old is None or new is None:
        return None
    return before.with_(
        columns=tuple(new if c == old else c for c in before.columns),
        measures=tuple(replace(m, member=new) if m.member == old else m for m in before.measures),
        dimensions=tuple(Dimension(new, d.grain) if d.member == old else d for d in before.dimensions),
        order=tuple(replace(o, member=new) if o.member == old else o for o in before.order),
        unread=(), confidence=1.0,
    )  # fmt: skip


def _members(plan: Plan) -> set[str]:
    return {*plan.columns, *(m.member or "" for m in plan.measures), *(d.member for d in plan.dimensions)}


def _reaggregated(question: str, reading: Reading, before: Plan, metadata: Metadata) -> Plan | None:
    """``the total instead of the average``: the same number, put together otherwise."""
    said = [cue.value for cue in find_cues(tokenize(question)) if cue.kind == "agg"]
    named = reading.draft is not None and any(c.member for c in reading.draft.resolution.choice.values())
    if not said or named or before.shape != "aggregate" or len(before.measures) != 1 or not _LEANS.search(question):
        return None
    old = before.measures[0]
    known = metadata.members.get(old.member or "")
    if known is None:
        return None
    column, aggregate = known.path, old.aggregate
    if known.kind == "measure":
        heads = ("avg_", "average_", "total_", "sum_", "min_", "max_", "median_")
        short = next((known.name[len(head) :] for head in heads if known.name.startswith(head)), "")
        column, aggregate = f"{known.relation}.{short}", known.agg_type  # type: ignore[assignment]  # one of the aggregates
    if said[0] == aggregate or column not in metadata.members or not metadata.is_number(column):
        return None
    measure = Measure(column, said[0])  # type: ignore[arg-type]  # a cue's aggregate
    own = next(
        (
            m
            for head in {"avg": ("avg", "average"), "sum": ("total", "sum")}.get(said[0], (said[0],))
            for m in [metadata.members.get(f"{column.split('.', 1)[0]}.{head}_{column.split('.', 1)[1]}")]
            if m is not None and m.kind == "measure" and m.agg_type == said[0]
        ),
        None,
    )
    return before.with_(measures=(Measure(own.path, "measure") if own else measure,), unread=(), confidence=1.0)
