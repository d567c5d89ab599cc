"""Questions this asker can ask: a starting set for a model, nearest ones to words that were not understood, and next
steps.
"""

from __future__ import annotations

from collections.abc import Sequence

from .plans.phrases import dimension_words
from .plans.picture import measure_title
from .plans.plan import Measure, Plan
from .schema.lasting import times_of_rows
from .schema.metadata import Metadata
from .schema.nouns import is_plural, lowered, member_words, plural

__all__ = ["next_questions", "questions_near", "starting_questions"]

_UNCOUNTED = frozenset("weather staff stock equipment inventory data history feedback care traffic".split())
_SHORT = frozenset("job car pet dog cat bus van bar".split())
_SPELT_OUT = 4  # letters, at the least, of a noun that is not written short
_MANY = 10  # values of a group from which on a top list says more than all of them


def starting_questions(metadata: Metadata, limit: int = 4) -> list[str]:
    """Questions to begin with: the model's own examples where it has some, else made from its members."""
    questions: list[str] = []
    relations = sorted(
        (r for r in metadata.catalog.relations.values() if not _is_role(r.name, metadata)),
        key=lambda r: (r.kind != "view", -len(r.members)),
    )
    for relation in relations:
        examples = relation.meta.get("examples") if relation.meta else None
        if isinstance(examples, (list, tuple)):
            questions.extend(str(example) for example in examples)
    for relation in relations:
        made = _made(metadata, relation.name)
        questions.extend(q for q in made if not any(_alike(q, known) for known in questions))
        if len(questions) >= 4 * limit:
            break
    return list(dict.fromkeys(questions))[:limit]


def _is_role(relation: str, metadata: Metadata) -> bool:
    """Whether a table stands in the model once more, as what others lead to it for: ``reports_employees``."""
    members = set(metadata.relation(relation).members)
    alike = [name for name in metadata.catalog.relations if set(metadata.relation(name).members) == members]
    return relation != min(alike, key=lambda name: (len(name), name))


def _alike(question: str, known: str) -> bool:
    """Two ways to ask how many there are (``How many flights are there?``, ``… were there?``)."""
    words = question.lower().split()
    return words[:2] == ["how", "many"] and known.lower().split()[:3] == words[:3]


def _made(metadata: Metadata, relation: str) -> list[str]:
    noun = _of_several(lowered(metadata.relation(relation).title.split(" with ")[0]), relation, metadata)
    members = [m for m in metadata.relation(relation).members.values() if m.path in metadata.members]
    measures = [m for m in members if m.kind == "measure"]
    groups = _groups(metadata, relation)
    times = times_of_rows(metadata, relation)
    numbers = [
        m.path
        for m in members
        if metadata.is_number(m.path) and not metadata.is_key(m.path) and not m.name.lower().endswith("year")
    ]
    made = [f"How many {noun} are there?"] if is_plural(noun) else []
    value = next((lowered(m.title) for m in measures if m.agg_type in ("avg", "sum", "number")), None)
    if value is None and numbers:
        value = f"average {lowered(metadata.member(numbers[0]).title)}"
    if value and groups:
        made.append(_opened(f"{value} by {member_words(groups[0], metadata)}"))
    if times and is_plural(noun):
        made.append(_opened(f"{noun} per month"))
    if groups and is_plural(noun):
        group = member_words(groups[-1], metadata)
        many = metadata.cardinality(groups[-1]) > _MANY
        made.append(f"Top 10 {plural(group)} by number of {noun}" if many else _opened(f"{noun} by {group}"))
    return made


def _of_several(noun: str, relation: str, metadata: Metadata) -> str:
    """What several rows are called; a name that is written short stays as it is, and so does what is not counted."""
    last = noun.split()[-1]
    counted = metadata.key_of(relation) is not None and last not in _UNCOUNTED
    return noun if is_plural(noun) or not counted or len(last) < _SPELT_OUT and last not in _SHORT else plural(noun)


def _opened(text: str) -> str:
    """A question with its first letter in upper case; names inside it keep theirs."""
    return text[:1].upper() + text[1:]


def _groups(metadata: Metadata, relation: str) -> list[str]:
    """Text dimensions worth grouping by: more than one value, not one per row."""
    chosen: list[tuple[int, int, str]] = []
    for member in metadata.relation(relation).members.values():
        if (
            member.path not in metadata.members
            or member.kind != "dimension"
            or member.type != "string"
            or metadata.is_key(member.path)
        ):
            continue
        values = metadata.values.members.get(member.path)
        if values is None or not 1 < len(values) <= 200 or member.path not in metadata.values.complete:
            continue
        if member.path != metadata.label_of(relation) and not metadata.profile(member.path).unique:  # of one row each
            chosen.append((0 if len(values) <= 30 else 1, len(chosen), member.path))
    return [path for _, _, path in sorted(chosen)]


def questions_near(metadata: Metadata, relations: Sequence[str], limit: int = 3) -> list[str]:
    """Questions that can be answered, from the relations nearest to what was asked."""
    questions: list[str] = []
    for relation in relations:
        if relation in metadata.catalog.relations and not _is_role(relation, metadata):
            questions.extend(_made(metadata, relation)[:2])
    for question in starting_questions(metadata, limit + 2):
        if not any(_alike(question, known) or _alike(known, question) for known in questions):
            questions.append(question)
    return list(dict.fromkeys(questions))[:limit]


def next_questions(plan: Plan, metadata: Metadata, near: Sequence[str] = (), limit: int = 4) -> list[str]:
    """Other readings first, then refinements of this plan: another grouping, another time grain, a top list."""
    questions = list(near)
    if plan.shape != "aggregate" or not plan.measures:
        return list(dict.fromkeys([*questions, *starting_questions(metadata, limit)]))[:limit]
    relation = plan.scope[0]
    title = _plain_title(plan.measures[0], metadata)
    used = {d.member for d in plan.dimensions}
    groups = [
        g for g in _groups(metadata, relation) if g not in used and not any(c.member == g for c in plan.conditions)
    ]
    times = times_of_rows(metadata, relation)
    grained = next((d for d in plan.dimensions if d.grain in ("year", "quarter", "month", "week", "day")), None)
    if grained is not None:
        finer = {"year": "month", "quarter": "month", "month": "week", "week": "day", "day": "month"}[
            grained.grain or "month"
        ]
        questions.append(f"now by {finer}")
    elif times and not plan.dimensions:
        questions.append(_opened(f"{title} by month"))
    if groups:
        word = member_words(groups[0], metadata)
        further = plan.dimensions and len(plan.dimensions) < 2 and not plan.calculations
        questions.append(f"and by {word}" if further else _opened(f"{title} by {word}"))
    if (
        plan.dimensions
        and plan.limit is None
        and metadata.cardinality(plan.dimensions[0].member) > 10
        and plan.dimensions[0].grain is None
        and plan.dimensions[0].bin is None
    ):
        questions.append(f"Top 5 {plural(dimension_words(plan.dimensions[0], metadata))} by {title}")
    if plan.measures[0].aggregate in ("count", "sum") and plan.dimensions and grained is None and not plan.calculations:
        questions.append(f"Share of {title} by {dimension_words(plan.dimensions[0], metadata)}")
    if len(groups) > 1:
        questions.append(_opened(f"{title} by {member_words(groups[1], metadata)}"))
    return list(dict.fromkeys(questions))[:limit]


def _plain_title(measure: Measure, metadata: Metadata) -> str:
    return lowered(measure_title(measure, metadata))
