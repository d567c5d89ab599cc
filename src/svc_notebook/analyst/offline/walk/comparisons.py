"""Comparisons: a number, a text or nothing, given to the member, measure or count it speaks of."""

from __future__ import annotations

from ..plans.plan import Condition, Measure
from ..schema.kept_units import own_unit
from ..schema.lasting import ends_in, is_length
from ..schema.lexicon import Candidate
from ..schema.money import amounts
from ..schema.values import ValueMatch
from ..words.numbers import CURRENCIES, dimension_of, unit_factor, unit_of
from ..words.text import stem
from ..words.thesaurus import related
from .bounds import Bounds
from .segments import Item
from .walker import SMALL_WORDS, tidy

__all__ = ["Comparisons"]


_BEING = frozenset({"is", "are", "was", "were", "be"})
_OLDEST = 120
_LASTED = frozenset({"took", "take", "takes", "lasted", "last", "lasting", "lasts"})
_RATES = frozenset({"rate", "share", "percentage"})
_OF_COUNTS = frozenset("more less fewer greater larger bigger smaller higher lower above below over under".split())
_TIMES = frozenset({"second", "minute", "hour", "day", "week", "month", "year"})
_TIMED = frozenset(
    stem(word)
    for word in "time duration delay length age day hour minute second month year week wait lag lead tenure period "
    "late experience runtime long".split()
)


class Comparisons(Bounds):
    """Numbers and texts that something is compared with."""

    def comparable(self, one: str, other: str) -> bool:
        return (
            self.meta.member(one).type == self.meta.member(other).type
            and not self.meta.is_measure(one)
            and one != other
        )

    def number_at(self, place: int) -> tuple[float, int, str | None] | None:
        """Number at a place with the place after it and a unit said with it."""
        while (
            place < len(self.items) and self.items[place].kind == "word" and self.items[place].text in ("$", "€", "£")
        ):
            place += 1
        if place >= len(self.items):
            return None
        item = self.items[place]
        value = item.number if item.kind == "number" else None
        if value is None and item.kind == "period" and item.period is not None and item.period.bare_year:
            value = float(item.text)
        if value is None and item.kind == "value" and self.draft.tokens[item.start].value is not None:
            value = self.draft.tokens[item.start].value
        if value is None:
            return None
        after = place + 1
        if after < len(self.items) and self.items[after].kind == "unit":
            return value, after + 1, unit_of(self.items[after].text.lower())
        if after < len(self.items) and self.items[after].kind == "grain" and self.items[after].grain is not None:
            unit = unit_of(self.items[after].text.lower())
            if unit:
                return value, after + 1, unit
        paid = after < len(self.items) and self.items[after].kind == "word"
        return value, after + (paid and self.items[after].text.lower() in CURRENCIES), None

    def says_of_rows(self, start: int, end: int) -> bool:
        """``rated 2 or lower were insured``: what the rows with the number are, and nothing that there are two of."""
        chosen = self.chosen(end)
        said = any(item.text.lower() in _BEING for item in self.items[start:end])
        path = chosen.member if isinstance(chosen, Candidate) else None
        flag = path is not None and (self.meta.member(path).type == "boolean" or self.meta.is_flag(path))
        return said and flag and self.last_member is not None

    def skip_joiner(self, place: int) -> int:
        while place < len(self.items) and (
            self.items[place].is_cue("logic", "and")
            or self.items[place].text.lower() in ("to", "and", "-", "–", "through")
        ):
            place += 1
        return place

    def give_numbers(self, operator: str, numbers: tuple[float, ...], unit: str | None, after: int) -> None:
        """Bind a comparison to the member before it, the noun after it, or a count."""
        for place in range(self.at, min(after, len(self.items))):
            # Taken before anything is bound: whatever comes of them, they are no numbers of something else.
            self.absorbed.add(place)
        if self.negated:
            # Of what is denied the rest is meant, as a bound and not as a denial of rows.
            operator = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "=": "!=", "!=": "="}.get(operator, operator)
            self.negated = False
        place = self.skip_small(after)
        follower = self.chosen(place) if place < len(self.items) and not self.says_of_rows(after, place) else None
        if isinstance(follower, Candidate) and follower.member is not None and unit is not None:
            # Beside it, and not of it: "in more than 24 knots with a delay".
            follower = None if self.is_kept_otherwise(follower.member, unit) else follower
        tied = self.items[self.at - 1] if self.at else None
        behind = self.measure_before()
        # A noun of rows behind is what is counted, unless the number before counts just those.
        if behind is not None and isinstance(follower, Candidate) and follower.member is None and place <= after + 1:
            spoken = behind.entity or (behind.member or "").split(".", 1)[0]
            behind = behind if follower.relation == spoken and self.counts_rows(behind) else None
        named = follower.member if isinstance(follower, Candidate) and place == after else None
        if behind is not None and named is not None and self.counts_rows(behind) and self.can_compare(named):
            behind = None  # how many orders over five units: each order's units, not how many there are
        own = self.chosen(self.at - 1) if named is None and self.at else None
        path = named or (own.member if isinstance(own, Candidate) else None)
        if behind is not None and path is not None and self.is_of_each_row(behind, path, self.at - (named is None)):
            behind = None
        if behind is not None and (self.is_of_rows(behind) or self.counts_rows(behind) and self.is_paid_in(after)):
            behind = None
        if behind is not None and unit is not None and self.is_number_otherwise(behind, unit):
            behind = None
        # Said of a group where a number of it was named just before; a joint word begins something new.
        if behind is not None and (tied is None or not tied.is_cue("logic")):
            self.draft.having.append((behind, operator, self.as_kept(behind, numbers, unit)))
            return
        # What was named right before comes first, then what follows, then what was named farther back, last what only
        # the adjective or the unit tell.
        previous = self.last_member if self.member_close_before() else None
        paid = self.paid_before(operator, numbers, after)
        if paid is not None and self.last_member not in amounts(self.meta):
            self.add_condition(self.number_condition(paid, operator, numbers, unit))
            return
        if previous is not None and self.may_speak_of(previous, operator, numbers, unit):
            self.drop_mention(previous)
            self.add_condition(self.number_condition(previous, operator, numbers, unit))
            return
        if isinstance(follower, Candidate) and place <= after + 2:
            if follower.member is None:
                self.draft.having.append((Measure(None, "count", entity=follower.relation), operator, numbers))
                self.draft.entities.append((follower.relation, place))
                self.absorbed.add(place)
                return
            if self.meta.is_measure(follower.member):
                measure = Measure(follower.member, "measure")
                self.draft.having.append((measure, operator, self.as_kept(measure, numbers, unit)))
                self.absorbed.add(place)
                return
            if self.can_compare(follower.member):
                self.add_condition(self.number_condition(follower.member, operator, numbers, unit))
                self.absorbed.add(place)
                return
            self.draft.having.append((self.how_many(follower.member), operator, numbers))
            self.absorbed.add(place)
            return
        if self.last_member is not None and self.may_speak_of(self.last_member, operator, numbers, unit):
            self.drop_mention(self.last_member)
            self.add_condition(self.number_condition(self.last_member, operator, numbers, unit))
            return
        if paid is not None:
            self.add_condition(self.number_condition(paid, operator, numbers, unit))
            return
        told = self.adjective_member() or self.worded_member() or self.age_member(numbers, unit)
        if told is not None and not self.is_other_kind(told, unit):
            self.add_condition(self.number_condition(told, operator, numbers, unit))
            return
        measured = self.members_in(unit) if unit else []
        if unit and len(measured) > 1:  # no visibility is ever 2000 miles
            held = (m for m in measured if self.can_hold(self.number_condition(m, operator, numbers, unit)))
            measured = list(held) or measured
        # Several columns in the unit: only one that the adjective speaks of is sure.
        if len(measured) > 1:
            near = related(stem(self.items[self.at].text.lower().split()[0]))
            measured = [m for m in measured if {stem(p) for p in self.meta.parts(m)} & near]
        if len(measured) == 1:
            self.add_condition(self.number_condition(measured[0], operator, numbers, unit))
            return
        # What it compares is not known: read, and told as left over.
        self.draft.doubts.append("comparison")
        self.draft.unread.extend(f"{number:g}" for number in numbers)

    def how_many(self, member: str) -> Measure:
        """``more than 100 cancellations``: rows that are so; ``more than 3 cities``: different ones."""
        if self.meta.member(member).type != "boolean":
            return Measure(member, "count_distinct")
        return Measure(None, "count", (Condition(member, "true"),), entity=member.split(".", 1)[0])

    def may_speak_of(self, member: str, operator: str, numbers: tuple[float, ...], unit: str | None) -> bool:
        """Whether a number further back is compared: not where rows stand between that never come to as much, as in
        ``average stars of orders that took more than 50 minutes``.
        """
        if not self.can_compare(member) or unit is not None and self.is_kept_otherwise(member, unit):
            return False
        condition = self.number_condition(member, operator, numbers, unit)
        return not self.rows_before() or self.can_hold(condition)

    def counts_rows(self, measure: Measure) -> bool:
        known = self.meta.members.get(measure.member or "")
        return measure.aggregate == "count" or known is not None and known.agg_type == "count"

    def is_of_rows(self, measure: Measure) -> bool:
        """``how many planes are older than 20 years``: the adjective speaks of each row, not of how many there are."""
        known = self.meta.members.get(measure.member or "")
        counted = measure.aggregate.startswith("count") or known is not None and known.agg_type == "count"
        word = self.items[self.at].text.lower().split()[0]
        return counted and word not in _OF_COUNTS and bool(related(stem(word)))

    def is_paid_in(self, after: int) -> bool:
        """``how many gifts over 500 francs``: an amount of money is no number of rows."""
        return self.items[after - 1].text.lower() in CURRENCIES

    def is_other_kind(self, member: str, unit: str | None) -> bool:
        """``longer than five hours``: not of a distance, though it is long as well."""
        return unit in _TIMES and not _TIMED & {stem(part) for part in self.meta.parts(member)}

    def is_kept_otherwise(self, member: str, unit: str) -> bool:
        """``average price of rentals that took 30 minutes``: what is kept in euros has no minutes."""
        known = self.meta.member(member)
        declared = str(known.meta.get("unit", "")) if known.meta else ""
        kept = unit_of(declared) or own_unit(self.meta, member) or ""
        return bool((declared or kept) and dimension_of(unit)) and dimension_of(kept) != dimension_of(unit)

    def as_kept(self, measure: Measure, numbers: tuple[float, ...], unit: str | None) -> tuple[float, ...]:
        """``average air time above 2 hours``: as many as it is of the minutes that it is kept in."""
        kept = self.meta.plain(measure).member
        if kept is None or unit is None or self.counts_rows(measure) or measure.aggregate.startswith("count"):
            return numbers
        bound = self.number_condition(kept, ">", numbers, unit).values
        return tuple(float(value) for value in bound if isinstance(value, (int, float)))

    def is_number_otherwise(self, measure: Measure, unit: str) -> bool:
        """``median delay of flights over 2000 miles``: minutes are no miles, where another number is in them."""
        kept = self.meta.plain(measure).member
        otherwise = self.is_kept_otherwise(kept, unit) if kept is not None else bool(dimension_of(unit))
        return otherwise and bool(self.members_in(unit))

    def is_amount(self, member: str | None) -> bool:
        """``without a tip``: a number that every row has is nought where there is none."""
        number = member is not None and self.meta.is_number(member) and not self.meta.is_key(member)
        return number and member is not None and not self.meta.profile(member).missing

    def worded_member(self) -> str | None:
        """``with amount smaller than 3000``: the only number here or next door that has the word in its name."""
        back = self.at - 1
        while back >= 0 and self.items[back].text.lower() in SMALL_WORDS:
            back -= 1
        if back < 0 or self.items[back].kind != "word":
            return None
        word, scope = stem(self.items[back].text.lower()), self.draft.resolution.scope
        beside = [
            other for relation in scope for other in self.meta.joins.links.get(relation, {}) if other not in scope
        ]
        # Here first, then next door: a number of a joined table is only meant where none of these rows is called so.
        for relations in (scope, tuple(dict.fromkeys(beside))):
            found = [
                path
                for path, member in self.meta.members.items()
                if member.relation in relations
                and self.meta.is_number(path)
                and not self.meta.is_key(path)
                and word in {stem(part) for part in self.meta.parts(path)}
            ]
            if len(found) == 1:
                if self.draft.unread and self.draft.unread[-1] == self.items[back].text:
                    self.draft.unread.pop()
                return found[0]
        return None

    def adjective_member(self) -> str | None:
        """``older than 70``, ``cheaper than 5``: the number that the adjective compares by."""
        words = self.items[self.at].text.lower().split()
        # Only with "than": "old tickets" compares nothing.
        near = related(stem(words[0])) if "than" in words else frozenset()
        found = [
            member.path
            for relation in self.draft.resolution.scope
            for member in self.meta.relation(relation).members.values()
            if member.path in self.meta.members
            and self.meta.is_number(member.path)
            and not self.meta.is_key(member.path)
            and {stem(part) for part in self.meta.parts(member.path)} & near
        ]
        return found[0] if len(found) == 1 else None

    def age_member(self, numbers: tuple[float, ...], unit: str | None) -> str | None:
        """``drivers under 18``: right behind whose age is known, a plain number is that."""
        people = self.chosen(self.at - 1) if self.at else None
        if not isinstance(people, Candidate) or people.member is not None or unit not in (None, "year"):
            return None
        said = self.draft.tokens[self.items[self.at - 1].end - 1].stem
        own = [m.path for m in self.meta.relation(people.relation).members.values() if m.kind == "dimension"]
        known = [(p, self.meta.parts(p)) for p in own if p in self.meta.members and self.meta.is_number(p)]
        ages = [p for p, parts in known if parts == ("age",) or parts[-1] == "age" and stem(parts[0]) == said]
        return ages[0] if len(ages) == 1 and max(numbers) <= _OLDEST else None

    def against_average(self, place: int, operator: str) -> bool:
        """``heavier than the average weight``, ``whose average fee is above the overall average fee``."""
        first = place
        while place < len(self.items) and self.items[place].text.lower() in ("overall", "general", "total"):
            place += 1
        said = place < len(self.items) and self.items[place].is_cue("agg", "avg")
        at = self.skip_small(place + 1) if said else place
        chosen = self.chosen(at) if at < len(self.items) else None
        # The average of an average that was just named: a bound on groups by their own number.
        if said and operator in (">", "<") and self.averaged_last() and not isinstance(chosen, Candidate):
            self.absorbed.update(range(first, place + 1))
            self.draft.having.append((self.draft.measures[-1], operator, ()))
            return True
        rated = self.at > 0 and self.items[self.at - 1].text.lower().split()[-1] in _RATES
        if said and (place > first or rated) and operator in (">", "<") and not isinstance(chosen, Candidate):
            self.absorbed.update(range(first, place + 1))
            self.draft.against_all = operator
            return True
        if operator not in (">", "<") or not isinstance(chosen, Candidate) or chosen.member is None:
            return False
        plain = self.meta.plain(Measure(chosen.member, "measure" if self.meta.is_measure(chosen.member) else "avg"))
        if plain.member is None or plain.aggregate != "avg" or not said and not self.meta.is_measure(chosen.member):
            return False
        if not self.meta.is_number(plain.member):
            return False
        self.absorbed.update(range(first, at + 1))
        known = self.draft.measures[-1] if self.draft.measures else None
        if known is not None and self.meta.plain(known) == plain:
            self.draft.having.append((known, operator, ()))
            return True
        self.drop_mention(plain.member)
        # The same number again is the group's; otherwise each row is held against the average.
        self.add_condition(Condition(plain.member, "above_average" if operator == ">" else "below_average"))
        return True

    def averaged_last(self) -> bool:
        """Whether an average was named last: ``carriers whose average distance is above average``."""
        plain = self.meta.plain(self.draft.measures[-1]) if self.draft.measures else None
        return plain is not None and plain.aggregate == "avg" and plain.member is not None and not plain.conditions

    def members_in(self, unit: str) -> list[str]:
        """Numbers of the scope that are kept in a unit (``longer than 2000 miles`` speaks of the one in miles), or else
        in another one of the same kind.
        """
        found: list[str] = []
        alike: list[str] = []
        lasting = bool(_LASTED & {token.lower for token in self.draft.tokens})
        for relation in self.draft.resolution.scope:
            lasts = lasting and ends_in(self.meta, relation) is not None
            for member in self.meta.relation(relation).members.values():
                if member.path in self.meta.members and self.meta.is_number(member.path):
                    if lasts and not is_length(self.meta, member.path):
                        continue  # repairs that took a week: not a week of work
                    kept = str(member.meta.get("unit", "")) if member.meta else ""
                    own = (unit_of(kept) if kept else unit_of(member.title)) or ""
                    if own == unit:
                        found.append(member.path)
                    elif dimension_of(own) and dimension_of(own) == dimension_of(unit):
                        alike.append(member.path)
        return found or alike

    def measure_before(self) -> Measure | None:
        """The measure spoken of just before a comparison (``average delay above 10``)."""
        back = self.at - 1
        while back >= 0 and (self.items[back].is_cue("have") or self.items[back].text.lower() in SMALL_WORDS):
            back -= 1
        if back < 0 or not self.draft.measures:
            return None
        chosen = self.chosen(back)
        last = self.draft.measures[-1]
        if isinstance(chosen, Candidate) and (
            chosen.member == last.member and chosen.member or last.entity == chosen.relation and chosen.member is None
        ):
            return last
        return None

    def is_of_each_row(self, measure: Measure, path: str, start: int) -> bool:
        """``total fee of hires with at least 30 fee``: the fee of each hire, which are named right before the bound."""
        while start > 1 and self.items[start - 1].text.lower() in ("a", "an", "the"):
            start -= 1
        before = self.items[start - 1] if start > 1 else None
        if before is None or not before.is_cue("have") or before.text.lower().split()[0] not in ("with", "having"):
            return False
        rows = {stem(word) for word in self.meta.words_of(path.split(".", 1)[0])}
        words = self.items[start - 2].text.lower().split()
        return len(words) > 1 and stem(words[-1]) in rows and self.can_compare(path) and measure.entity is None

    def number_condition(self, member: str, operator: str, numbers: tuple[float, ...], unit: str | None) -> Condition:
        known = self.meta.member(member)
        declared = str(known.meta.get("unit", "")) if known.meta else ""
        kept = unit_of(declared or f"{known.title} {known.description or ''}") if unit else None
        factor = unit_factor(unit, kept) if unit and kept else None
        if factor is None and kept is None and unit and self.meta.parts(member)[-1] == "minimum":
            factor = unit_factor(unit, "minute")  # beside a unit of time, "min" is one
        if (
            unit
            and kept is None
            and any(word in ("delay", "duration", "time", "length") for word in self.meta.parts(member))
        ):
            # Times without a unit are kept in minutes by most who keep them; hours are the only ones said otherwise.
            factor = unit_factor(unit, "minute") if unit == "hour" else None
        scaled = tuple(tidy(number * (factor or 1.0)) for number in numbers)
        return Condition(member, operator, scaled, words=" ".join(f"{number:g}" for number in numbers))

    def text_condition(self, operator: str) -> None:
        """``name contains "x"``, ``title starts with J``, ``phone is missing``."""
        if operator in ("null", "not null"):
            lacked = self.lacking() if operator == "null" and not self.items[self.at].text.startswith("is ") else None
            if lacked is not None:
                self.deny(lacked)
                return
            behind = self.chosen(self.skip_small(self.at + 1))
            if self.items[self.at].text.lower().startswith("without") and isinstance(behind, ValueMatch):
                self.negated = True  # "patients without a vaccination"
                return
            target = self.last_member if self.member_close_before() and not self.qualifies_next() else None
            if target is None:
                place = self.skip_small(self.at + 1)
                # Said of what follows: "missing tail number".
                chosen = self.chosen(place) if place < len(self.items) else None
                if isinstance(chosen, Candidate):
                    if operator == "null" and self.is_amount(chosen.member):
                        self.absorbed.add(place)
                        self.add_condition(Condition(chosen.member or "", "=", (0,), words=self.items[self.at].text))
                        return
                    self.absorbed.add(place)
                    if chosen.member is None:
                        if operator == "null" and self.is_absent(chosen.relation):
                            self.draft.doubts.append(f"exists:{chosen.relation}:no")
                        else:
                            self.draft.entities.append((chosen.relation, place))
                        return
                    target = chosen.member
                    if self.meta.is_measure(target):  # "weeks with no cancelled flights": where it is nought
                        zero = "=" if operator == "null" else ">"
                        self.draft.having.append((Measure(target, "measure"), zero, (0.0,)))
                        return
                # Nothing follows that could be missing: what does follow is denied.
                else:
                    self.negated = True
                    return
            if self.negated:
                operator, self.negated = {"null": "not null", "not null": "null"}[operator], False
            self.drop_mention(target)
            self.add_condition(Condition(target, operator))
            return
        place = self.at + 1
        texts: list[str] = []
        end = place
        while place < len(self.items):
            item = self.items[place]
            # After quotes only another quoted text goes on.
            joins = item.is_cue("logic") and not item.is_cue("logic", "break") and self.is_quoted(place + 1)
            if texts and self.is_quoted(self.at + 1) and not (self.is_quoted(place) or joins):
                break  # what is in quotes ends with them
            if (
                item.kind == "quoted"
                or item.kind in ("value", "word", "number")
                and len(item.text) == 1
                and item.text.isupper()
                or item.kind == "value"
                or (
                    item.kind == "word"
                    and not texts
                    and item.text.lower() not in SMALL_WORDS
                    # "contains" is followed by the text itself, other matches by a bare word.
                    and operator != "contains"
                )
            ):
                texts.append(item.text)
                end = place + 1
                if item.kind == "word" and len(item.text) > 1:
                    place += 1
                    break
            elif (
                item.is_cue("logic", ",")
                and texts
                and not (
                    place + 1 < len(self.items)
                    and len(self.items[place + 1].text) == 1
                    and self.items[place + 1].text.isupper()
                )
            ):
                break
            elif (
                item.is_cue("logic")
                and texts
                or item.text.lower() in SMALL_WORDS
                or item.text.lower() in ("letter", "letters", "word", "string")
            ):
                if item.is_cue("logic", "break"):
                    break
            elif len(item.text) == 1 and item.text.isupper():
                texts.append(item.text)
                end = place + 1
            else:
                break
            place += 1
        # A text is looked for in a text: a number named before it is not what it is in.
        target = self.last_member if self.last_member is not None else None
        if target is not None and self.meta.member(target).type != "string":
            target = None
        ahead = self.skip_small(end)
        after = (
            self.chosen(ahead)
            if texts and ahead < len(self.items) and any(self.items[p].text.lower() == "in" for p in range(end, ahead))
            else None
        )
        if (
            isinstance(after, Candidate)
            and after.member is not None
            and self.meta.member(after.member).type == "string"
        ):
            target = after.member
            self.absorbed.add(ahead)
        if not texts or target is None:
            return
        for used in range(self.at, end):
            self.absorbed.add(used)
        self.drop_mention(target)
        if self.negated:
            operator, self.negated = "not " + operator, False
        self.add_condition(Condition(target, operator, tuple(texts)))

    def is_quoted(self, place: int) -> bool:
        return place < len(self.items) and self.draft.tokens[self.items[place].start].kind == "quoted"

    def qualifies_next(self) -> bool:
        """``number of flights with a missing tail number``: it is said of the name behind, and of no measure before."""
        before, after = self.items[self.at - 1] if self.at else None, self.chosen(self.skip_small(self.at + 1))
        said = before is not None and (before.is_cue("have") or before.text.lower() in SMALL_WORDS)
        named = isinstance(after, Candidate) and after.member is not None and after.member != self.last_member
        return named and said or self.last_member is not None and self.meta.is_measure(self.last_member)

    def counts_bins(self, place: int, item: Item) -> bool:
        """``into 8 buckets``: the number right before the bins says how many, unless a unit stands between."""
        number = self.items[place].number or 0
        return (
            place == self.at - 1
            and item.text.lower() in ("bins", "buckets", "intervals")
            and float(number).is_integer()
            and number <= 50
        )

    def leading_number(self, member: str) -> bool:
        """``5 cylinder cars``: a number right before a member of few whole values."""
        before = self.items[self.at - 1] if self.at else None
        if before is None or before.kind != "number" or before.number is None or (self.at - 1) in self.absorbed:
            return False
        if not self.meta.is_number(member) or self.meta.is_key(member):
            return False
        self.absorbed.add(self.at - 1)
        if self.draft.unread and self.draft.unread[-1] == before.text:
            self.draft.unread.pop()
        self.add_condition(Condition(member, "=", (tidy(before.number),)))
        return True
