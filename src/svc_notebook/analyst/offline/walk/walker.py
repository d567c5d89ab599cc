"""The state of the walk over the items, shared by its handlers."""

from __future__ import annotations

from typing import Any

from ..calendar.moments import iso
from ..plans.plan import Condition, Measure
from ..schema.lexicon import Candidate
from ..schema.values import ValueMatch
from ..words.text import is_participle, singular
from ..words.thesaurus import FILLER
from .draft import Draft, Mention, OrderWish
from .segments import Item

__all__ = ["EACH", "PLAIN_BY", "SMALL_WORDS", "WalkerState", "iso_or_none", "tidy"]

EACH = frozenset(
    {
        "per",
        "for each",
        "in each",
        "of each",
        "for every",
        "in every",
        "each",
        "by each",
        "within each",
        "from each",
        "every",
    }
)
PLAIN_BY = frozenset({"by", "based on", "according to", "in terms of", "on", "of"})
SMALL_WORDS = frozenset(
    {
        "of",
        "the",
        "a",
        "an",
        "all",
        "its",
        "their",
        "each",
        "is",
        "are",
        "was",
        "were",
        "be",
        "that",
        "in",
        "to",
        "with",
        "attribute",
        "column",
        "field",
        "value",
    }
)


_DONE = frozenset(
    "made written sold bought sent held given taken done won paid led built driven flown run taught seen".split()
)


_WAYS = frozenset({"to", "from", "into", "to the", "from the", "through", "via"})
_BEHIND_ROWS = 2  # places behind rows and a preposition
_CLAUSE = frozenset(
    "that have|that has|who have|who has|which have|which has|that had|who had|have|has|had|whose".split("|")
)


class WalkerState:
    """Where the walk stands: the item, what is pending, and what every handler needs to look around."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.items = draft.items
        self.meta = draft.metadata
        self.at = 0
        self.agg: str | None = None
        self.agg_used = False
        self.counting: str | None = None
        self.group: str | None = None
        self.group_text = ""
        self.group_used = False
        self.negated = False
        self.joiner = "and"
        self.order: OrderWish | None = None
        self.axis: str | None = None
        self.series: str | None = None
        self.absorbed: set[int] = set()
        self.last_member: str | None = None
        self.clause = False  # inside words about the rows: "that have …", "whose …"
        self.aggs: list[str] = []
        self.prefix = self.opens_with_prefix()

    def opens_with_prefix(self) -> bool:
        """``For those employees who …, show …``: what stands before the comma only restricts."""
        first = self.items[0].text.lower() if self.items else ""
        second = self.items[1].text.lower() if len(self.items) > 1 else ""
        if (
            not first.startswith("for")
            or "each" in first
            or "every" in first
            or second in ("each", "every")
            or first.startswith("form")
        ):
            return False
        # At the very end a comma restricts nothing.
        place = next(
            (i for i, item in enumerate(self.items) if item.is_cue("logic", ",") or item.is_cue("logic", "break")), None
        )
        return place is not None and place < len(self.items) - 1

    def note_clause(self, item: Item) -> None:
        """Keep in mind whether what is said speaks of the rows rather than of the columns."""
        text, before = item.text.lower(), self.items[self.at - 1] if self.at else None
        if (
            text in _CLAUSE
            or text in ("who", "that", "which")
            and before is not None
            and before.kind in ("name", "value")
        ):
            self.clause = True
        elif (
            item.is_cue("group") or item.is_cue("order") or item.is_cue("ask", "list") or item.is_cue("logic", "break")
        ):
            self.clause = False
        if self.clause:
            self.draft.clauses.add(self.at)

    def peek(self, ahead: int = 1) -> Item | None:
        place = self.at + ahead
        return self.items[place] if place < len(self.items) else None

    def skip_small(self, place: int) -> int:
        """The next place whose item is more than a little word."""
        while place < len(self.items) and (
            self.items[place].kind in ("word", "cue")
            and self.items[place].text.lower() in SMALL_WORDS
            or self.items[place].is_cue("have")
            or self.items[place].is_cue("ask")
        ):
            place += 1
        return place

    def names_relation(self, place: int) -> bool:
        """Whether the item at ``place`` was chosen to name a relation, not a member."""
        candidate = self.chosen(place)
        return isinstance(candidate, Candidate) and candidate.member is None

    def names_doer(self) -> bool:
        """``made by customers from Spain``: who did it, told apart by what follows; no grouping."""
        place = self.skip_small(self.at + 1)
        behind = self.items[place + 1] if place + 1 < len(self.items) else None
        definite = place > self.at + 1 and self.items[self.at + 1].text.lower() == "the"
        if (
            definite
            and self.names_relation(place)
            and behind is not None
            and behind.text.lower() in ("with", "whose", "named")
        ):
            return True
        back = self.items[self.at - 1] if self.at else None
        verb = self.draft.tokens[back.end - 1].lower if back is not None and back.kind in ("word", "name") else ""
        doer, after = self.peek(), self.peek(2)
        if not (is_participle(verb) or verb in _DONE) or doer is None or not self.names_relation(self.at + 1):
            return False
        last = self.draft.tokens[doer.end - 1].lower
        described = after is not None and (after.is_cue("have") or after.text.lower() in ("who", "that", "which"))
        return described and last != singular(last)

    def deny(self, place: int) -> None:
        """Note that rows have none of the relation at ``place``, nor of one that a verb there speaks of."""
        denied = self.relation_at(place)
        self.draft.doubts.append(f"exists:{denied}:no")
        self.draft.lacked.setdefault(denied, []).extend(self.said_of_denied(place, denied))
        last = place
        # "never prescribed drugs": the verb is taken with the rows it is said of.
        if is_participle(self.draft.tokens[self.items[place].end - 1].lower):
            for ahead in range(place + 1, min(len(self.items), place + 4)):
                if self.names_relation(ahead):
                    last = ahead
                    break
        self.absorbed.update(range(self.at, last + 1))

    def said_of_denied(self, place: int, denied: str) -> list[Condition]:
        """``without cancelled orders``: what the rows are like that are denied."""
        said: dict[str, list[str]] = {}
        flags: list[Condition] = []
        for at in range(self.at + 1, place):
            match = self.chosen(at)
            if isinstance(match, ValueMatch) and match.member.split(".", 1)[0] == denied:
                said.setdefault(match.member, []).append(match.value)
            elif self.is_flag_of(at, denied) and isinstance(match, Candidate):
                flags.append(Condition(match.member or "", "true", words=self.items[at].text))
        held = [Condition(path, "in", tuple(values), words=" or ".join(values)) for path, values in said.items()]
        return [*held, *flags]

    def is_flag_of(self, place: int, relation: str) -> bool:
        """``without late loans``: whether a name says what rows of a relation are or are not."""
        chosen = self.chosen(place)
        member = chosen.member if isinstance(chosen, Candidate) and chosen.relation == relation else None
        return member is not None and self.meta.member(member).type == "boolean"

    def says_whether(self, place: int) -> bool:
        chosen = self.chosen(place)
        return isinstance(chosen, Candidate) and self.is_flag_of(place, chosen.relation)

    def relation_at(self, place: int) -> str:
        """The relation that the name at ``place`` was chosen to mean."""
        chosen = self.chosen(place)
        assert isinstance(chosen, Candidate)
        return chosen.relation

    def value_of(self, place: int) -> str | None:
        """The member whose value the item at ``place`` was chosen to be."""
        match = self.chosen(place)
        return match.member if isinstance(match, ValueMatch) else None

    def chosen(self, place: int) -> Candidate | ValueMatch | None:
        return self.draft.resolution.choice.get(place)

    def add_condition(self, condition: Condition) -> None:
        # A flag that is missing is no; no row is without its key.
        if condition.operator == "null" and self.meta.member(condition.member).type == "boolean":
            condition = Condition(condition.member, "false")  # "without a balcony"
        elif condition.operator == "null" and self.meta.member(condition.member).primary_key:
            self.draft.unmet.append(self.items[self.at].text)  # no row is without its key
        self.draft.conditions.append((self.joiner, condition, self.at))
        self.joiner = "and"

    def flush_count(self) -> None:
        """A count that met a grouping before any noun counts rows."""
        if self.counting and self.order is None and not self.draft.measures:
            self.draft.add_measure(Measure(None, "count_distinct" if self.counting == "distinct" else "count"))
            self.counting = None

    def close_order(self) -> None:
        if self.order is not None and (
            self.order.descending is not None or self.order.axis or self.order.member or self.order.measure
        ):
            self.draft.orders.append(self.order)
        self.order = None

    def mention(self, member: str, axis: str = "", counted: bool = False) -> None:
        role = self.group if self.group and not self.group_used else ""
        if not role and not counted and self.draft.mark is None and self.tells_of_rows():
            return
        clause = self.clause and not role and not counted and self.draft.mark is None
        self.draft.mentions.append(Mention(member, self.at, role, axis, counted, clause))

    def tells_of_rows(self) -> bool:
        """``flights to airports in the hills``: where rows that open a question go, or what they have, is not asked."""
        rows = self.at - _BEHIND_ROWS
        if (
            rows not in (0, 1)
            or rows == 1
            and not (self.items[0].is_cue("count") or self.items[0].is_cue("ask", "list"))
        ):
            return False
        told = any(item.kind in ("value", "number", "period") for item in self.items[self.at + 1 :])
        return told and self.items[rows + 1].text.lower() in _WAYS and self.speaks_of_rows(rows)

    def speaks_of_rows(self, place: int) -> bool:
        """Whether rows are named at a place, or how many there are."""
        said = self.chosen(place)
        path = said.member if isinstance(said, Candidate) else None
        counted = path is not None and self.meta.is_measure(path) and self.meta.member(path).agg_type == "count"
        return counted or self.names_relation(place)

    def drop_mention(self, member: str) -> None:
        """Take back the last bare mention of a member: it belongs to a condition."""
        for number in range(len(self.draft.mentions) - 1, -1, -1):
            if self.draft.mentions[number].member == member:
                # The last one, since the same member may have been named before for itself.
                del self.draft.mentions[number]
                return

    def member_close_before(self) -> bool:
        """Whether the last member is what the comparison speaks of: nothing of weight stands between."""
        back = self.at - 1
        while back >= 0 and (
            self.items[back].is_cue("have")
            or self.items[back].kind in ("word", "unit")
            or self.items[back].is_cue("neg")
            or self.items[back].text.lower() in SMALL_WORDS
        ):
            back -= 1
        chosen = self.chosen(back) if back >= 0 else None
        return isinstance(chosen, Candidate) and chosen.member == self.last_member

    def wants_grouping(self) -> bool:
        return self.group is not None and not self.group_used

    def continues(self) -> bool:
        """Whether the item before joins this one to its neighbour (``by A and B``, ``by A, B``)."""
        back = self.at - 1
        while back >= 0 and (
            self.items[back].text.lower() in SMALL_WORDS
            or back in self.absorbed
            and self.items[back].kind != "name"
            or (self.items[back].kind == "word" and self.draft.tokens[self.items[back].start].stem in FILLER)
            or self.names_relation(back)
        ):
            back -= 1
        return back >= 0 and (self.items[back].is_cue("logic", "and") or self.items[back].is_cue("logic", ","))

    def agg_open(self) -> bool:
        """Whether the aggregate still reaches this member (``average of age and salary``, not past a grouping)."""
        if not self.agg_used:
            return True
        return self.continues() and not (self.group and self.group_used)

    def followed_by_name(self, place: int) -> bool:
        return isinstance(self.chosen(place + 1), Candidate) and place + 1 < len(self.items)

    def can_compare(self, member: str) -> bool:
        return self.meta.is_number(member) or self.meta.is_year(member)

    def is_absent(self, relation: str) -> bool:
        """Whether ``relation`` is denied of one named before that it points at (``customers without orders``)."""
        earlier = [r for r, _ in self.draft.entities] + [m.member.split(".")[0] for m in self.draft.mentions]
        ways = [self.meta.joins.way(r, relation) for r in earlier if r != relation]
        return any(way is not None and len(way) <= 4 for way in ways)

    def lacking(self) -> int | None:
        """The place of the relation that a ``have not``, ``without``, ``never`` denies: verbs may stand between."""
        # Six words: denials stand near what they deny.
        for place in range(self.at + 1, min(len(self.items), self.at + 6)):
            item, chosen = self.items[place], self.chosen(place)
            if isinstance(chosen, Candidate) and chosen.member is None:
                values = [self.value_of(at) for at in range(self.at + 1, place)]
                own = all(path is None or path.split(".", 1)[0] == chosen.relation for path in values)
                flags = [at for at in range(self.at + 1, place) if self.says_whether(at)]
                own = own and all(self.is_flag_of(at, chosen.relation) for at in flags)
                return place if own and self.is_absent(chosen.relation) else None
            if self.says_whether(place):
                continue
            verb = item.kind in ("word", "name") and self.draft.tokens[item.end - 1].lower.endswith(("ed", "en"))
            linked = item.is_cue("have") or item.is_cue("logic")
            if not (item.kind in ("word", "value") or verb or linked or item.text.lower() in SMALL_WORDS):
                return None
        return None


def tidy(number: float) -> float:
    return int(number) if float(number).is_integer() else number


def iso_or_none(moment: Any) -> str | None:
    return iso(moment) if moment is not None else None
