"""Words nobody knows, and whether one of them is what was asked for: then nothing else is answered instead."""

from __future__ import annotations

from ..plans.plan import Measure, Plan
from ..schema.lexicon import Candidate
from ..schema.values import ValueMatch
from ..walk.draft import Draft
from ..walk.segments import Item
from ..words.text import singular
from .leftover import DONE, LITTLE, PHRASING, is_done

__all__ = ["missed_words"]

_ARTICLES = frozenset({"the", "a", "an", "each", "every", "all", "any", "our", "my", "their", "its", "his", "her"})
_OWNED = frozenset({"of", "of the", "is", "are", "was", "were", "does", "do", "did"})
_RESTRICTING = frozenset(
    {"from", "from the", "to", "at", "in", "with", "near", "without", "only", "for", "named", "called", "on"}
)
_BECAUSE = frozenset({"because", "due", "owing", "thanks", "caused", "result"})
_SURE = 0.6  # a name that fits no better than this is a guess by a like word and hangs on what stands before it


def missed_words(draft: Draft, plan: Plan) -> tuple[str, ...]:
    """The unknown words that stand where the subject of the question stands; none where the rest says enough."""
    return _Unknown(draft, plan).missed()


class _Unknown:
    """The places of unknown words, and what stands around each."""

    def __init__(self, draft: Draft, plan: Plan) -> None:
        self.draft = draft
        self.plan = plan
        self.items = draft.items
        said = set(plan.unread)
        self.places = [i for i, item in enumerate(self.items) if self.is_unknown(i, item, said)]

    def is_unknown(self, place: int, item: Item, said: set[str]) -> bool:
        if item.text not in said or item.text.lower() in PHRASING:
            return False
        asked = place > 0 and self.items[place - 1].is_cue("ask", "which")
        return item.kind == "word" or item.kind == "name" and (asked or place in self.draft.resolution.choice)

    def missed(self) -> tuple[str, ...]:
        nouns = [place for place in self.places if not self.is_verb(place)]
        missed = [self.items[place].text for place in nouns if self.is_subject(place)]
        return tuple(dict.fromkeys(missed or self.half_names() or self.other_deeds()))

    def is_verb(self, place: int) -> bool:
        """A participle or adverb says something about what is known; it is no thing itself."""
        word = self.items[place].text.lower()
        if word.endswith("ing") and len(word) > 4:
            # A gerund before a name may be the thing ("landing fees"), alone it is what somebody does.
            before = self.items[place - 1] if place else None
            after = self.items[place + 1] if place + 1 < len(self.items) else None
            opens = before is None or before.is_cue("agg") or before.is_cue("count") or before.is_cue("ask")
            return not (after is None or after.is_cue("group") or opens and self.names(self.after(place)))
        return is_done(word) or word.endswith("ly") and len(word) > 4

    def is_subject(self, place: int) -> bool:
        """Whether an unknown noun is counted, aggregated, ranked, grouped by, or owns what is asked for."""
        at, article = self.lead(place)
        lead = self.items[at] if at >= 0 else None
        # From the surest to the least: what stands before an unknown noun mostly says whether it was asked for.
        if self.are_the_rows(place, lead):
            return False
        if lead is not None and lead.text.lower() == "how":
            return True
        if self.is_averaged(place, at):
            return True
        if self.names(self.after(place)):
            return self.qualifies_guess(place, lead)
        if self.heads_list(place, lead):
            return True
        if lead is None:
            return not self.number_said() and not self.beside_name(place)
        if self.is_spelled_out(place):
            return False
        if lead.is_cue("count") and not self.counts_entity():
            return True
        if lead.is_cue("agg") and not self.number_said():
            return True
        if lead.kind == "number" and at and self.items[at - 1].is_cue("top"):
            return True
        if lead.is_cue("ask", "which") or lead.is_cue("top"):
            return True
        if lead.is_cue("group") and not self.beside_name(place):
            return True
        if self.owns(at, lead):
            return True
        if self.restricts(lead, article) or self.is_reason(at) or self.ends_in(place, lead):
            return True
        # In front of the groups, where nothing else says what is asked for, it is the subject.
        return not self.number_said() and not self.beside_name(place) and self.heads(place)

    def are_the_rows(self, place: int, lead: Item | None) -> bool:
        """``cars on level 2`` of one table of parking: what opens a question in the plural is what its rows are, where
        all else was read and restricts them. How many of them there are is another matter.
        """
        word = self.items[place].text.lower()
        listed = lead is None or lead.is_cue("ask", "list")
        # One table alone: of several it would not be known whose rows they are.
        alone = len(self.draft.metadata.catalog.relations) == 1 and len(self.plan.unread) == 1
        plain = self.plan.shape != "aggregate" or not (self.plan.dimensions or self.draft.counting)
        return listed and alone and plain and singular(word) != word and bool(self.plan.conditions)

    def is_averaged(self, place: int, at: int) -> bool:
        """``average team size``: of rows, what nobody knows, where no number of theirs is named."""
        chosen = self.draft.resolution.choice.get(at)
        rows = isinstance(chosen, Candidate) and chosen.member is None and self.items[at].end == self.items[place].start
        averaged = at > 0 and any(self.items[at - 1].is_cue("agg", value) for value in ("avg", "median"))
        return rows and averaged and not self.draft.measures and not self.names(self.after(place))

    def lead(self, place: int) -> tuple[int, bool]:
        """The place of what stands before an unknown noun, its articles and other unknown words left out."""
        article = False
        at = place - 1
        while at >= 0:
            item = self.items[at]
            text = item.text.lower()
            if at in self.places and not self.is_verb(at):
                at -= 1
            elif item.kind == "word" and text in LITTLE:
                article = article or text in _ARTICLES
                at -= 1
            else:
                break
        return at, article

    def after(self, place: int) -> int:
        """The place right after an unknown noun and the unknown words beside it."""
        while place + 1 in self.places and self.items[place + 1].start == self.items[place].end:
            place += 1
        # Unknown words side by side are one unknown thing.
        return place + 1 if place + 1 < len(self.items) and self.items[place + 1].start == self.items[place].end else -1

    def names(self, place: int) -> bool:
        """Whether something known stands at a place."""
        if place < 0:
            return False
        item = self.items[place]
        done = self.draft.tokens[item.end - 1].lower in DONE
        return item.kind == "grain" or item.kind == "name" and place in self.draft.resolution.choice and not done

    def beside_name(self, place: int) -> bool:
        """``colour scheme``, ``cylinder type``: the noun hangs on a name right before it."""
        while place - 1 in self.places:
            place -= 1
        before = place - 1
        if before < 0 or self.items[before].end != self.items[place].start or not self.names(before):
            return False
        chosen = self.draft.resolution.choice.get(before)
        return before > 0 or not isinstance(chosen, Candidate) or chosen.full

    def qualifies_guess(self, place: int, lead: Item | None) -> bool:
        """``crew size``: an unknown noun before a name that is only a guess makes another thing of it."""
        chosen = self.draft.resolution.choice.get(self.after(place))
        if not isinstance(chosen, Candidate) or self.is_part_of(place, chosen):
            return False
        if chosen.full:
            opens = lead is None or lead.is_cue("agg")
            measured = any(m.aggregate == "measure" and m.member == chosen.member for m in self.plan.measures)
            alone = not self.draft.entities and not self.number_said()
            return opens and measured or alone and any(d.member == chosen.member for d in self.plan.dimensions)
        if lead is not None and lead.is_cue("ask", "which"):
            return True
        shares = any(m.aggregate == "share_true" for m in self.plan.measures)
        # A guess that is not measured harms nothing.
        if chosen.quality <= _SURE or shares:
            return chosen.member in self.measured()
        return chosen.member in {d.member for d in self.plan.dimensions} and not self.draft.entities

    def is_part_of(self, place: int, chosen: Candidate) -> bool:
        """``pass rate`` of what is called ``passed``: the word belongs to the name."""
        said = self.draft.tokens[self.items[place].start].lower
        parts = self.draft.metadata.parts(chosen.member) if chosen.member is not None else ()
        return any(part.startswith(said) for part in parts)

    def measured(self) -> set[str | None]:
        """The members that numbers other than counts are made of."""
        numbers = [m for m in self.plan.measures if not m.aggregate.startswith("count") and m.aggregate != "span"]
        return {m.member for m in numbers} | {c.member for m in numbers for c in m.conditions if m.member is None}

    def other_deeds(self) -> list[str]:
        """``seats sold`` where only ``seats offered`` is known: what was done to them is another thing."""
        named = [c for c in self.draft.resolution.choice.values() if isinstance(c, Candidate)]
        deeds = {
            word
            for c in named
            if c.member is not None and c.member in self.measured()
            for word in self.draft.metadata.parts(c.member)
            if is_done(word)
        }
        said = [self.items[place].text for place in self.places if is_done(self.items[place].text.lower())]
        known = {token.lower for token in self.draft.tokens}
        return said if deeds and not deeds & known else []

    def half_names(self) -> list[str]:
        """``shipping cost``: two halves of names side by side, which are no name together."""
        choice = self.draft.resolution.choice
        for place in range(len(self.items) - 1):
            one, other = choice.get(place), choice.get(place + 1)
            if not isinstance(one, Candidate) or not isinstance(other, Candidate) or None in (one.member, other.member):
                continue
            beside = self.items[place].end == self.items[place + 1].start and one.member != other.member
            if (
                beside
                and not one.full
                and not other.full
                and other.quality <= _SURE
                and other.member in self.measured()
            ):
                return [f"{self.items[place].text} {self.items[place + 1].text}"]
        return []

    def heads_list(self, place: int, lead: Item | None) -> bool:
        """``population of the cities``: the attribute that is to be listed is unknown, its owner known."""
        if lead is not None and not lead.is_cue("ask") or self.plan.shape == "aggregate":
            return False
        after = self.after(place)
        return after >= 0 and self.items[after].text.lower().startswith("of")

    def is_spelled_out(self, place: int) -> bool:
        """An abbreviation beside a number that is named in words (``the ACP … the average closing price``)."""
        text = self.items[place].text
        return text.isupper() and 1 < len(text) < 6 and self.number_said() and not self.draft.counting

    def number_said(self) -> bool:
        """Whether the question names what is computed, so that it is not a mere count of rows."""
        draft = self.draft
        if draft.measures or draft.counted_entities or draft.counting or self.plan.parts:
            return True
        if self.plan.shape != "aggregate":
            return True
        return not all(self.is_plain_count(m) for m in self.plan.measures) or bool(draft.spread or draft.markers)

    def is_plain_count(self, measure: Measure) -> bool:
        """Whether a number is the count of rows that stands in where no number was named."""
        known = self.draft.metadata.members.get(measure.member or "")
        return measure.aggregate == "count" or known is not None and known.agg_type == "count"

    def counts_entity(self) -> bool:
        """Whether rows of a relation that the question names are counted whatever else is."""
        grouped = {place for _, place in self.draft.grouped_entities}
        if any(place not in grouped for _, place in self.draft.entities):
            return True
        relations = list(self.draft.metadata.catalog.relations.values())
        words = relations[0].title.lower().split()
        return len(relations) == 1 and singular(words[-1]) == words[-1]  # one table that does not say what its rows are

    def owns(self, at: int, lead: Item) -> bool:
        """``the name of the captain``, ``how tall is the pilot``: a known attribute of nobody known."""
        if lead.text.lower() not in _OWNED or self.draft.entities:
            return False
        back = at - 1
        while back >= 0 and self.items[back].text.lower() in LITTLE:
            back -= 1
        chosen = self.draft.resolution.choice.get(back)
        if not isinstance(chosen, Candidate):
            return False
        plan = self.plan
        asked = {*(m.member for m in plan.measures), *plan.columns}
        asked |= set() if self.draft.measures else {d.member for d in plan.dimensions}
        return chosen.member in asked

    def restricts(self, lead: Item, article: bool) -> bool:
        """``flights from Frankfurt``: a restriction to something nobody knows, where none is known."""
        if lead.text.lower() not in _RESTRICTING or article:
            return False
        # Where a value is known, the unknown word is a part of how that is said.
        known = any(isinstance(c, ValueMatch) for c in self.draft.resolution.choice.values())
        return not known and not self.plan.conditions

    def is_reason(self, at: int) -> bool:
        """``cancelled because of strikes``: of those that were for a reason, not all."""
        said = self.items[at - 1].text.lower() if at > 0 else ""
        return said in _BECAUSE and self.items[at].text.lower() in _OWNED | {"to", "by"}

    def ends_in(self, place: int, lead: Item) -> bool:
        """``delayed with a bird strike``: the last thing said is what those that are meant have."""
        having = lead.text.lower() in ("with", "without") and place == len(self.items) - 1
        return having and not (self.draft.drawing or self.draft.mark or self.draft.axes or self.draft.table)

    def heads(self, place: int) -> bool:
        """Whether a noun stands before the groups, where what is asked for is said."""
        group = next((i for i, item in enumerate(self.items) if item.is_cue("group")), len(self.items))
        return place < group
