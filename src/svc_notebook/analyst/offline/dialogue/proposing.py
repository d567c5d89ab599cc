"""What a turn may make of the forms of its thread: every edit, with the facts that speak for and against it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from .... import patterns as re
from ....records import dataclass
from ..forms import ROWS, Aggregate, Clause, Compare, Form, Member, in_words
from ..grammar.clauses import Grouped, Shown, Tested, Timed
from ..grammar.compose import unread
from ..grammar.partial import Partial
from ..linking.lattice import Lattice
from ..reading.followups import IN_THAT, THAT_NOUN, has_subject
from ..reading.reading import Reading
from ..schema.member_kinds import kind_of
from ..schema.metadata import Metadata
from ..schema.nouns import is_plural
from ..schema.polarity import is_judging
from ..words.leads import LEAD
from ..words.text import singular, tokenize
from .belonging import asks_for_any, asks_how_often, listed_theirs, over_theirs, theirs
from .conditions import about, conditions_of
from .editing import Unfit, is_weak, number_words
from .edits import edited
from .expressing import paths_of
from .grouping import looked_at
from .hearing import Heard
from .lexicon import load_discourse
from .moving import same_thing
from .shown_columns import of_what_is_shown
from .thread import Earlier
from .whole import asked_behind, is_list_of_its_own

__all__ = [
    "Facts", "Proposal", "Proposing", "counts_alone", "facts_of_turn", "names_whom", "pointed", "ranks_alone",
    "speaks_of_those", "stands_for_shown",
]  # fmt: skip

Facts = Mapping[str, float]

_SHORT = 6
_PART = 0.4  # of a subject: a number that is named, after "what about"
_DEEPEST = 3  # earlier forms that a turn may be an edit of
_DIFFERENT = re.compile(r"\b(?:different|distinct|unique|kinds|sorts|values)\b", re.IGNORECASE)
_UNDOING = frozenset(("remove", "restore", "opposite", "keep"))  # what takes away needs something that is there
_ASKS = re.compile(
    r"^\W*(?:how (?:many|much|often|long|old)|what|which|who|where|when|show|list|give|compare|is|are|was|were|do|does"
    r"|did|find|tell|return|count)\b",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"^(?=.*\b(?:their|its|them)\b)\W*\w+\W+\w+.*(?:\band\b|\bwith\b|\bincluding\b|,)\W.*\b(?:their|its|them)\b",
    re.IGNORECASE | re.DOTALL,
)
_THOSE = re.compile(
    r"\b(?:are|were|is|was|do|does|did|have|has) (?:they|these|those)\b|\bthem\W*$|"
    r"\b(?:of|among|from|for) (?:these|those|them)\b|\b(?:these|those) (?!days|are|is)\w+",
    re.IGNORECASE,
)


_OWN = re.compile(
    r"\b(?:its|their|his|her|theirs|(?:does|did|do|has|have|had|is|was|are|were) (?:it|they|he|she))\b", re.IGNORECASE
)
_THE_ONE = re.compile(
    r"\w+\s+\w+\s+(?:it|them|him|her|that one|this one)\W*$"
    r"|^\W*(?:(?:and|so|ok|okay|then)\W+)*(?:"
    r"(?:which|what|who)\s+(?:\w+\s+){1,2}(?:is|was|are|were) (?:that|this|those|these)\W*$"
    r"|(?:which|who|whom|any|are any|is any|are there any) of (?:them|those|these)\b)",
    re.IGNORECASE,
)  # "who hosts it", "which department is that", "which of them are sponsored": of the few that were shown


_THERE = re.compile(
    r"(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)(?<!\bbe)(?<!\bbeen)\s+there\b"
    r"(?!\W+(?:is|are|was|were|be|been|any|a|an|some|no)\b)",
    re.IGNORECASE,
)  # "how many people work there?", but not "how many are there?"


_THEN = re.compile(r"\w+\W+\w+\W+then\W*$", re.IGNORECASE)  # "average number of riders then": at that time


@dataclass(frozen=True, slots=True)
class Proposal:
    """An earlier form edited, and the facts it is ranked by; ``unread`` are words it leaves out."""

    form: Form
    of: Earlier
    facts: Facts
    unread: tuple[str, ...] = ()


@dataclass
class Proposing:
    """One turn with all that its words may say, put beside earlier forms; ``unfit`` says why edits failed."""

    heard: Heard
    alone: Reading
    metadata: Metadata
    lattice: Lattice
    said: Sequence[Partial]
    mark: str
    away: bool  # a question of its own was refused since the last answer
    those: bool = False  # it is about the few that are shown
    either: bool = False  # it may be about what is shown, or about all there is
    unfit: list[str] = field(default_factory=list)
    held: list[Proposal] = field(default_factory=list)  # what is said and holds already

    def proposals(self, forms: Sequence[Earlier]) -> list[Proposal]:
        """The edits of the newest form, and of older ones that speak of the same; one of each form."""
        found: dict[object, Proposal] = {}
        turn = facts_of_turn(self.heard, self.alone, self.either)
        for age, before in enumerate(forms[: 1 if self.heard.points else _DEEPEST]):
            for partial in self.said:
                if age and not _touches(partial, before):
                    continue
                new = self._edit(before, partial, age, turn)
                known = found.get(new.form.key) if new is not None else None
                if new is not None and (known is None or len(new.unread) < len(known.unread)):
                    found[new.form.key] = new
        made = _told_apart(found.values(), self.metadata)
        if not _DIFFERENT.search(self.heard.text):
            made = [one for one in made if not _counts_amounts(one, self.metadata)] or made
        made = of_what_is_shown(made)
        newest = [one for one in made if one.of is forms[0]]
        if self.held and all(one.unread for one in newest):  # nothing older is meant by what holds already
            made = [*newest, self.held[0]]
        return _corrections(made, self.metadata) if "correct" in self.heard.acts else made

    def _edit(self, before: Earlier, partial: Partial, age: int, turn: Facts) -> Proposal | None:
        try:
            form, cost = self._made(before, partial)
        except Unfit as reason:
            self.unfit.append(str(reason))
            return None
        same = form == before.form and not (self.those and partial.clauses)
        if _PART_OF_SHOWN.match(self.heard.text) and _is_of_the_same(form, before.form):
            self.unfit.append("what of it that is, no column says")
            return None
        if same and not (self.mark and self.mark != before.chart):
            if not age and self.heard.leans and _holds(partial, form) and not self._missed(partial):
                self.held.append(Proposal(form, before, self._facts(before, form, partial, age, turn, (), cost)))
            return None
        if self.away and (form.measures, form.columns) != (before.form.measures, before.form.columns):
            self.unfit.append("the question before this one was not answered, and it may be about that")
            return None
        missed = self._missed(partial)
        return Proposal(form, before, self._facts(before, form, partial, age, turn, missed, cost), missed)

    def _made(self, before: Earlier, partial: Partial) -> tuple[Form, float]:
        """The form that an edit makes; where rows of another table are asked for, of those which belong to them."""
        few = looked_at(before) if asks_how_often(self.heard) and before.form.columns else None
        relation = theirs(few or before, self.heard, partial, self.metadata)
        over = over_theirs(few or before, relation, self.metadata) if relation else None
        if over is None:
            return edited(before, self.heard, partial, self.metadata)
        if asks_how_often(self.heard) or asks_for_any(self.heard):
            over = replace(over, form=over.form.with_(groups=(), measures=(Clause(ROWS),)))
        if asks_for_any(self.heard):
            return over.form, 0.0
        named = listed_theirs(over, relation, self.heard, partial, self.metadata)
        if named is not None:
            return named, 0.0
        form, cost = edited(over, self.heard, partial, self.metadata)
        if not form.measures:
            raise Unfit("nothing is asked of the rows that belong to them")
        return form, cost

    def _facts(
        self, before: Earlier, form: Form, partial: Partial, age: int, turn: Facts, missed: Sequence[str], cost: float
    ) -> Facts:
        """What speaks for an edit, and against it."""
        facts = {
            **turn, **_of_words(partial, self.said[0]), **_changes(before.form, form, self.heard, self.metadata),
            "unread": float(len(missed)), "cost": max(0.0, cost), "eased": max(0.0, -cost), "older": float(age),
        }  # fmt: skip
        return {name: value for name, value in facts.items() if value}

    def _missed(self, partial: Partial) -> tuple[str, ...]:
        empty = load_discourse().empty
        missed = tuple(word for word in unread(partial, self.lattice) if word.lower() not in empty)
        if self.alone.missed and is_weak(partial):
            kept = set(re.findall(r"\w+", self.heard.rest.lower())) - empty  # without what says how it goes on
            left = (w for w in self.alone.missed if w not in missed and not is_judging(w))
            missed = (*missed, *(w for w in left if kept & {*w.lower().split()}))
        return missed


def _counts_amounts(one: Proposal, metadata: Metadata) -> bool:
    """Whether different values of an amount are counted: ``how many seats do they have`` are as many as there are."""
    new = [clause.expression for clause in one.form.measures if clause not in one.of.form.measures]
    return any(
        isinstance(number, Aggregate) and number.function == "count_distinct" and isinstance(number.of, Member)
        and number.of.path in metadata.members and kind_of(metadata, number.of.path) == "number"
        for number in new
    )  # fmt: skip


def _told_apart(made: Iterable[Proposal], metadata: Metadata) -> list[Proposal]:
    """Edits that say different things: a measure of the model and the same put together here are one."""
    found: dict[str, Proposal] = {}
    for one in made:
        words = in_words(one.form, metadata.catalog)
        known = found.get(words)
        if known is None or (len(one.unread), -one.facts.get("named", 0.0)) < (
            len(known.unread), -known.facts.get("named", 0.0)
        ):  # fmt: skip
            found[words] = one
    return list(found.values())


def _corrections(made: list[Proposal], metadata: Metadata) -> list[Proposal]:
    """Of edits by ``no, I meant …`` those that put it in the place of something, where any of them reads it whole; of
    numbers that are named by a part of theirs those that are called alike: ``departures`` after arrival delays.
    """

    def replaces(one: Proposal) -> bool:
        return any(name.startswith("change:") and name.endswith("~") for name in one.facts)

    whole = any(replaces(one) and not one.unread for one in made)
    left = [one for one in made if replaces(one)] if whole else made
    akin = [one for one in left if _is_akin(one, metadata)]
    return [one for one in left if one in akin or not one.facts.get("weak:name")] if akin else left


def _is_akin(one: Proposal, metadata: Metadata) -> bool:
    """Whether the number that takes the place of another one shares a word with it."""
    old, new = ([c.expression for c in form.measures] for form in (one.of.form, one.form))
    shown = {word for number in old for word in number_words(number, metadata)}
    return old != new and all(shown & set(number_words(number, metadata)) for number in new)


def facts_of_turn(heard: Heard, alone: Reading, either: bool = False) -> dict[str, float]:
    """What of a turn itself speaks for an edit rather than for a question of its own.

    ``either``: it names groups that were shown and no number, so that it says only half of what it asks for.
    """
    return {
        "bias": 1.0, "opens": float(heard.leans), "instead": float("instead" in heard.acts),
        "those": float(_points_out(heard)), "points": float(heard.points and not _WITHIN.search(heard.text)),
        "short": float(len(heard.text.split()) <= _SHORT), "subject": 0.0 if either else _subject(heard, alone),
        "asks": float(heard.asks_where or bool(_ASKS.match(heard.rest))),
        "alone:unread": float(alone.plan is None or bool(alone.unread)),
        "undoes": float(bool(_UNDOING & set(heard.acts))),
    }  # fmt: skip


def _of_words(partial: Partial, best: Partial) -> dict[str, float]:
    """How the words themselves are read."""
    names = {name for name, _ in partial.features}
    values = float(sum(name == "value" for name, _ in partial.features))
    return {
        "value": values,
        "weak:name": float(is_weak(partial) and not values),
        "behind": min(6.0, best.score - partial.score), "weak": float(is_weak(partial)),
        "value:part": float("value:part" in names),
        "named": float(sum(name == "measure:model" for name, _ in partial.features)),
    }  # fmt: skip


def _changes(before: Form, after: Form, heard: Heard, metadata: Metadata) -> dict[str, float]:
    """Which clauses an edit changes, alone and together with what the turn says it does."""
    kinds = set(_changed(before, after, metadata))
    acts = [act for act in heard.acts if act != "lead"] or ["plain"]
    crossed = {f"{act} {kind}": 1.0 for act in acts for kind in kinds}
    return {**{f"change:{kind}": 1.0 for kind in kinds}, **crossed, "changes": float(max(0, len(kinds) - 1))}


def _changed(before: Form, after: Form, metadata: Metadata) -> list[str]:
    kinds = []
    if bool(before.columns) != bool(after.columns):
        kinds.append("shape")
    for name in ("groups", "measures", "columns"):
        old = [clause.expression for clause in getattr(before, name)]
        new = [clause.expression for clause in getattr(after, name)]
        if set(old) != set(new):
            kinds.append(f"{name}{'+' if set(old) <= set(new) else '-' if set(new) < set(old) else '~'}")
    old_where, new_where = conditions_of(before), conditions_of(after)
    if old_where != new_where:
        same = {about(c) for c in old_where} & {about(c) for c in new_where if c not in old_where}
        new = [c for c in new_where if c not in old_where]
        other = any(same_thing(c, n, metadata) is not None for n in new for c in old_where if c not in new_where)
        kinds.append("where~" if same or other else "where+" if len(new_where) > len(old_where) else "where-")
    kinds += [name for name in ("having", "order", "limit") if getattr(before, name) != getattr(after, name)]
    if len(after.joins) > len(before.joins):
        kinds.append("joins")
    return kinds


def _is_of_the_same(form: Form, before: Form) -> bool:
    """Whether two forms are of the same rows and groups."""
    return (form.where, form.having, form.groups) == (before.where, before.having, before.groups)


def _holds(partial: Partial, form: Form) -> bool:
    """Whether all that is said are conditions and groups of the form."""
    where, groups = paths_of(form.where), paths_of(form.groups)
    known = [
        isinstance(one, Timed) or getattr(one, "path", None) in (where if isinstance(one, Tested) else groups)
        for one in partial.clauses if isinstance(one, (Tested, Timed, Grouped, Shown))
    ]  # fmt: skip
    return bool(known) and len(known) == len(partial.clauses) and all(known)


def _touches(partial: Partial, before: Earlier) -> bool:
    """Whether what is said was spoken of in an older form."""
    known = paths_of(before.form)
    return any(getattr(clause, "path", None) in known for clause in partial.clauses)


_STANDS_FOR = r"(?:it|its|they|them|their|that|this|those|these|he|she|his|her|any|one|ones|we|you|i)\b"
_NO_NOUN = r"(?:of|is|are|was|were|do|does|did|has|have|had|more|less|in|on|at|for|by|from|per)\b"
_CLAUSE = re.compile(
    rf"^\W*how (?:many|much)\s+(?!{_STANDS_FOR}|{_NO_NOUN})\w+(?:\s+\w+){{0,3}}?\s+(?:do|does|did|has|have|had)\s+"
    rf"(?!(?:they|it|he|she|that|this|those|these)\b)\w+"
    rf"|^\W*(?:has|have|do|does|did)\s+(?!{_STANDS_FOR})\w+\s+\w+",
    re.IGNORECASE,
)  # "how many novels do we have", "have otters ever been seen": a noun of its own, and what it does


_RANKED_ALONE = re.compile(
    r"^\W*(?:(?:show|give|me|us|only|just|the|and|now|please|ok|okay)\s+)*(?:top|bottom|best|worst)\s+(?:\d+|one|two|three"
    r"|four|five|six|seven|eight|nine|ten|few)?\s*(?:by|in|for|according to|in terms of)\s+\w",
    re.IGNORECASE,
)  # "top 3 by revenue": of what, is not said


def ranks_alone(heard: Heard) -> bool:
    """Whether the first of something are asked for, and not of what: ``top 3 by revenue``."""
    return _RANKED_ALONE.match(heard.text) is not None


_COUNTED_ALONE = re.compile(
    r"^\W*(?:(?:and|so|ok|okay|then|now|show|give|me|please|but|the)\s+)*"
    r"(?:(?:how many|(?:the\s+)?(?:number|count))\s+(?:(?:is|are|was|were)\s+(?:that|those|they|it|there)\s+)?"
    r"(?:(?:by|per|for|in|of|from)\s+(?:each|every)\b|by|per|(?:do|does|did|had|has|have)\s+(?:each|every)\b)"
    r"|(?:which|what)\s+\w+(?:\s+\w+)?\s+(?:did|does|do|had|has|have|made|got|took)\s+how many\W*$)",
    re.IGNORECASE,
)  # "how many per town", "how many did each of the clerks do": of what, is not said


def counts_alone(heard: Heard) -> bool:
    """Whether something is counted by groups, and not said what: ``how many per town``."""
    return _COUNTED_ALONE.match(heard.text) is not None


_ROWS_BY = re.compile(
    r"^\W*(?:(?:please|show|give|list|plot|draw|me|the|a|number|count|total|how many|of)\s+)*(?P<rows>\w+)\s+"
    r"(?:per|by|for each|for every|in each)\s+\w",
    re.IGNORECASE,
)


def _counts_by(text: str, metadata: Metadata) -> bool:
    """Whether rows of the model are counted by something: ``members per coach as a pie chart``."""
    said = _ROWS_BY.match(text)
    if said is None or not is_plural(said["rows"]):
        return False
    row = singular(said["rows"].lower())
    return any(row == singular(metadata.words_of(name)[-1]) for name in metadata.catalog.relations)


def _subject(heard: Heard, alone: Reading) -> float:
    """How much it says itself what it asks for; what is split, added to or taken away was there."""
    own = not (heard.points or set(heard.acts) - {"lead", "every"})
    if own and is_list_of_its_own(heard.text, alone):
        return 1.0
    if _CLAUSE.match(asked_behind(heard.text) or heard.text) and not (heard.points or heard.acts):
        return 1.0  # read or not, it is no piece of what was asked before
    draft = alone.draft
    if ranks_alone(heard) or counts_alone(heard):
        return 0.0
    if (
        draft is not None
        and not (heard.points or set(heard.acts) - {"lead"})
        and _counts_by(heard.text, draft.metadata)
    ):
        return 1.0
    if (
        draft is None
        or any(is_judging(word) for word in draft.unmet)
        or {"split", "remove", "keep"} & set(heard.acts)
        or not has_subject(heard.text, alone)
    ):
        return 0.0
    if heard.is_group and not (draft.measures or draft.counted_entities or draft.counting or heard.asks_where):
        return 0.0
    grouped = draft.dimensions or draft.grains or draft.grouped_entities or draft.conditions or draft.top
    if {"add", "replace", "instead", "correct"} & set(heard.acts):
        return _PART if grouped else 0.0
    return 1.0 if grouped or not heard.leans else _PART


def speaks_of_those(heard: Heard, before: Earlier) -> bool:
    """Whether a turn is about the few that the answer before showed: ``their average price``, ``in that month``."""
    if _WITHIN.search(heard.text) or not (before.focus or before.form.groups or before.form.where):
        return False
    then = _THEN.search(heard.text) is not None and bool(before.focus)
    one = _THE_ONE.search(heard.text) or THAT_NOUN.search(heard.text)
    if one is not None and (looked_at(before) is not None or _is_of_one(before.form)):
        return True
    return then or bool(_OWN.search(heard.text) or IN_THAT.search(heard.rest) or _THERE.search(heard.text))


_STANDS_FOR_SHOWN = re.compile(
    LEAD + r"(?:how|what|when|where|which|who)\b[^,;]*?"
    r"\b(?:do|does|did|has|have|had|is|are|was|were)\s+(?:they|he|she|it(?!\s+(?:take|that|the|a|an)\b))\s+\w",
    re.IGNORECASE,
)  # "how often was it lent": its subject is what was shown


_PART_OF_SHOWN = re.compile(
    LEAD + r"how (?:much|many) of (?:that|this|it|them|those|these)\s+"
    r"(?:is|are|was|were)\b",
    re.IGNORECASE,
)


def stands_for_shown(heard: Heard) -> bool:
    """Whether a question is of what was shown, by a pronoun: as a question of its own it is another."""
    return heard.points and (_STANDS_FOR_SHOWN.match(heard.text) or _PART_OF_SHOWN.match(heard.text)) is not None


def _is_of_one(form: Form) -> bool:
    """Whether a form is about one thing that is named, and shows a number of it."""
    return (
        bool(form.measures)
        and not form.groups
        and any(isinstance(one, Compare) and one.operator == "=" for one in conditions_of(form))
    )


_ASKING = re.compile(r"\b(?:how (?:many|much|often|long|old)|what|which|who|when|where)\b", re.IGNORECASE)
_STANDING = re.compile(
    r"\b(?P<one>which ones?)\b|\b(?:do|does|did|have|has|had|is|are|was|were)\s+(?:they|it|he|she)\b|\b(?:their|its)\b",
    re.IGNORECASE,
)


_EACH = re.compile(
    r"^\W*(?:for|of) (?:each|every) (?P<what>\w+(?:\s+\w+)?)\s*,.*\b(?:their|its|his|her)\b", re.IGNORECASE
)


def names_whom(heard: Heard, alone: Reading) -> bool:
    """Whether what stands for something stands for what the turn itself names before it asks: ``for the Gondola, how
    many rides did they have``, ``the Chair or the Tow, which one is faster``, ``for each lift, its average price``.
    """
    if (each := _EACH.match(heard.text)) is not None:
        return has_subject(heard.text, alone) and any(
            item.kind == "name" and item.text.lower() in each["what"].lower() for item in alone.items
        )
    asking = _ASKING.search(heard.text)
    standing = _STANDING.search(heard.text, asking.start()) if asking is not None else None
    if asking is None or standing is None or set(heard.acts) - {"lead"}:
        return False
    tokens = tokenize(heard.text)
    values = [
        item for item in alone.items
        if item.kind == "value" and item.end <= len(tokens) and tokens[item.end - 1].end <= asking.start()
    ]  # fmt: skip
    return len(values) > bool(standing["one"]) and has_subject(heard.text, alone)


def pointed(heard: Heard) -> str:
    """What a turn says without ``in that month``, without ``there``, and without ``that tutor``."""
    return THAT_NOUN.sub(lambda said: f"{said['verb']} it", _THERE.sub("", IN_THAT.sub("", heard.rest)))


def _points_out(heard: Heard) -> bool:
    within = _WITHIN.search(heard.text) is not None
    return not within and ("those" in heard.acts or _THOSE.search(heard.text) is not None)
