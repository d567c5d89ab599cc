"""All that a question may mean in one list: the forms of the grammar, and the reading of the rules among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ....records import dataclass
from ..budget import Budget
from ..checks.beside import is_beside
from ..checks.coverage import bounds_a_count
from ..checks.other_rows import measures_the_unspoken
from ..forms import Aggregate, Compare, Condition, Form, Member, Missing, Range, Role, SetOf, Value
from ..forms.walking import parts
from ..grammar import Candidate
from ..grammar.partial import Features
from ..linking.lattice import Lattice
from ..plans.forms_as_plans import plan_of
from ..plans.plan import Plan
from ..plans.sql import write_sql
from ..reading.read_back import read_back
from ..reading.reading import ENOUGH, Reading
from ..reading.same_plans import same_plan
from ..schema.lexicon import Candidate as Named
from ..schema.metadata import Metadata
from .agreement import agreement
from .asked import Asked, asked_of
from .shape import shape

__all__ = ["Standing", "is_grave", "known_plan", "standing", "standings"]

_GRAVE = ("skip:number", "skip:value", "skip:period", "skip:operator", "waits:", "lost:")
_MANY = 3.0
# The rules read whole what people wrote them for: a form has to be e⁴ times as likely.
_AHEAD = 4.0  # by how much a form must score better than rules that leave no word out


@dataclass(frozen=True, slots=True)
class Standing:
    """One of the readings that compete; ``by_rules``: the plan of the rules says it.

    ``form`` is None where the rules read what no form says. ``unread`` are the words it leaves out.
    """

    form: Form | SetOf | None
    features: Features
    unread: tuple[str, ...] = ()
    by_rules: bool = False
    score: float = 0.0


def known_plan(before: Reading) -> Plan | None:
    """The reading of the rules, where they are sure enough of it to let it stand."""
    return before.plan if before.plan is not None and before.plan.confidence >= ENOUGH else None


def is_grave(candidate: Candidate) -> bool:
    """Whether a form leaves out a number, value, period or operator: it is no reading of the question."""
    # "each" waits for a noun that a group may hold in another way.
    return any(name.startswith(_GRAVE) and name != "waits:each" for name, _ in candidate.features)


def _is_unfit(form: Form | SetOf, before: Reading, metadata: Metadata) -> bool:
    """Whether a form is what the rules read and know to be no answer, or answers beside the question as they see it."""
    plan = plan_of(form, metadata) if isinstance(form, Form) and before.draft is not None else None
    if plan is None or before.draft is None:
        return False
    same = before.unfit and before.plan is not None and same_plan(plan, before.plan, metadata)
    draft = before.draft
    return same or is_beside(plan, draft) or bounds_a_count(draft, plan) or measures_the_unspoken(plan, draft)


def _is_void(form: Form | SetOf, metadata: Metadata) -> bool:
    """Whether a form asks for rows without a value that every row has (``not paid`` where each amount is known)."""
    inside = list(parts(form))
    roots = {p.root.relation for p in inside if isinstance(p, Form) and isinstance(p.root, Role)}
    without = [p.of for p in inside if isinstance(p, Missing) and not p.negated and isinstance(p.of, Member)]
    known = [metadata.profile(of.path) for of in without if of.relation in roots and of.path in metadata.members]
    return any(profile.rows and not profile.missing for profile in known)


def _is_amiss(form: Form | SetOf, metadata: Metadata) -> bool:
    """Whether a form compares a text with a number, counts what there is one of in each group, or holds two periods
    that were said apart for one and the same.
    """
    compared = [p for p in parts(form) if isinstance(p, Compare) and isinstance(p.right, Value)]
    texts = [c for c in compared if isinstance(c.left, Member) and _is_text(c.left, metadata)]
    if any(isinstance(c.right, Value) and type(c.right.value) in (int, float) for c in texts):
        return True
    if isinstance(form, Form) and _counts_ones(form, metadata):
        return True
    said: dict[Condition, set[str]] = {}
    for item in form.where if isinstance(form, Form) else ():
        if isinstance(item.condition, Range) and item.anchor.words:
            said.setdefault(item.condition, set()).add(item.anchor.words.lower())
    return any(len(words) > 1 for words in said.values())


def _counts_ones(form: Form, metadata: Metadata) -> bool:
    """Whether each group is one row, or one of the things that are counted (``tickets by ticket id``)."""
    counts = [c.expression for c in form.measures]
    counted = [one.of for one in counts if isinstance(one, Aggregate) and one.function in ("rows", "count_distinct")]
    if not counted or len(counted) < len(counts) or not isinstance(form.root, Role):
        return False
    groups = {c.expression.path for c in form.groups if isinstance(c.expression, Member)}
    rows = metadata.key_of(form.root.relation) in groups and not form.joins
    return rows or all(isinstance(of, Member) and of.path in groups for of in counted)


def _is_text(of: Member, metadata: Metadata) -> bool:
    known = metadata.members.get(of.path)
    return known is not None and known.type == "string"


def standings(
    candidates: Sequence[Candidate], before: Reading, lattice: Lattice, metadata: Metadata, budget: Budget | None = None
) -> list[Standing]:
    """What competes for a question, with its features and without a score."""
    asked, known = asked_of(lattice), known_plan(before)
    rules = _form_of(known, metadata) if known is not None else None
    doubt = "~" if before.unread or before.missed else ""
    found: list[Standing] = []
    agreed = False
    for candidate in candidates:
        if budget is not None:
            budget.spend(20)
        # Once: of forms that the rules' plan says, the first stands for it.
        same = known is not None and not agreed and _says(candidate.form, rules, known, metadata)
        agreed = agreed or same
        void = is_grave(candidate) or _is_void(candidate.form, metadata) or _is_amiss(candidate.form, metadata)
        if void and not same:
            # What the rules say too is a reading, however it is scored.
            continue
        # A plan that stands has been held to these already.
        if known is None and _is_unfit(candidate.form, before, metadata):
            continue
        beside = agreement(candidate.form, rules, doubt) if known is not None else (("rules:none", 1.0),)
        told: Features = ((f"same{doubt}", 1.0),) if same else ()
        features = (*candidate.features, *told, *shape(candidate.form, asked, metadata), *beside)
        found.append(Standing(candidate.form, features, before.unread if same else candidate.unread, same))
    # No candidate says what the rules read: they stand by themselves, with what is known of them.
    if known is not None and not agreed:
        features = (*_alone(before, known, rules, doubt, lattice), *_seen(rules, asked, metadata, doubt))
        found.append(Standing(rules, features, before.unread, True))
    return found


def standing(found: Sequence[Standing], weights: Mapping[str, float]) -> list[Standing]:
    """Readings with their scores, the likeliest first. Rules that leave no word out give way to a clear lead only."""

    def score(s: Standing) -> float:
        learned = sum(weights.get(name, 0.0) * value for name, value in s.features)
        return learned + (_AHEAD if s.by_rules and not s.unread else 0.0)

    return sorted((replace(s, score=score(s)) for s in found), key=lambda s: -s.score)


def _seen(rules: Form | SetOf | None, asked: Asked, metadata: Metadata, doubt: str) -> Features:
    return (*shape(rules, asked, metadata), *agreement(rules, rules, doubt))


def _alone(before: Reading, known: Plan, rules: Form | SetOf | None, doubt: str, lattice: Lattice) -> Features:
    """What is known of a reading of the rules that no candidate says as well."""
    left = {*before.unread, *before.missed}
    skipped = [w for token, w in zip(lattice.tokens, lattice.weight, strict=True) if w and token.text in left]
    special = known.calculations or known.parts or known.nested or known.exists
    return (
        ("rules:only", 1.0), *((("rules:only~", 1.0),) if doubt else ()),
        ("rules:only:unsure", 1 - known.confidence), ("rules:only:unread", min(_MANY, len(before.unread))),
        ("rules:only:missed", min(_MANY, len(before.missed))), ("rules:only:special", float(bool(special))),
        ("rules:only:noform", float(rules is None)), *((f"skip:{weight}", 1.0) for weight in skipped),
        ("skip:content", float(max(0, len(before.unread) - len(skipped)))), *_links(before),
    )  # fmt: skip


def _links(before: Reading) -> Features:
    """How well the names fit that the rules read."""
    chosen = before.draft.resolution.choice.values() if before.draft is not None else ()
    weak = [1 - c.quality for c in chosen if isinstance(c, Named) and c.member is not None and not c.full]
    return (("rules:link:part", float(len(weak))), ("rules:link:weak", max(weak))) if weak else ()


def _form_of(plan: Plan, metadata: Metadata) -> Form | SetOf | None:
    return read_back(write_sql(plan, metadata).sql, metadata)


def _says(form: Form, rules: Form | SetOf | None, known: Plan, metadata: Metadata) -> bool:
    if form == rules:
        return True
    plan = plan_of(form, metadata)
    return plan is not None and same_plan(plan, known, metadata)
