"""A form, and its parts, in words: by the titles of the asker's model."""

from __future__ import annotations

import calendar
import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ....by_kind import by_kind
from ....records import dataclass
from ....semantic.catalog import Catalog
from ..words.period_words import between
from ..words.text import few, name_parts, singular
from .conditions import And, Compare, Condition, Extreme, Holds, Like, Missing, Not, OneOf, Or, Range, Related
from .expressions import (
    Aggregate,
    Arithmetic,
    Bin,
    Call,
    Case,
    Cast,
    Difference,
    Expression,
    Member,
    Moved,
    Now,
    Output,
    Over,
    Part,
    Ratio,
    Scalar,
    Test,
    Truncated,
    Value,
)  # fmt: skip
from .form import Form, Limit, Order, Role, SetOf
from .lasting import told_span
from .other_units import as_kept, shown_unit, told_unit
from .partings import PARTINGS, parting_of
from .reading.kinds import kind_of
from .reading.names import Names
from .sides import named_sides, sides_of
from .walking import conjuncts, parts

__all__ = ["Words", "in_words"]

_AGGREGATES = {
    "sum": "total", "avg": "average", "min": "smallest", "max": "largest", "median": "median", "mode": "most frequent",
    "count": "number of values of", "count_distinct": "number of different", "stddev": "standard deviation of",
    "variance": "variance of",
}  # fmt: skip
_DIFFERENT = "count_distinct"
_ENDS = {"min": "first", "max": "last"}  # of times
_COMPARED = {
    "=": "is", "!=": "is not", "<": "below", "<=": "at most", ">": "above", ">=": "at least",
}  # fmt: skip
_TIMES = {"=": "on", "!=": "not on", "<": "before", "<=": "until", ">": "after", ">=": "from"}
_MATCHES = {"contains": "contains", "starts": "starts with", "ends": "ends with", "like": "is like"}
_WINDOWS = {"share": "share of the total of", "sum": "running total of", "avg": "moving average of"}
_BORN = frozenset({"birth", "born"})
_YEARS = range(1900, 2200)
_ROUNDED = {"round": "rounded", "floor": "rounded down", "ceil": "rounded up"}
_OPERATORS = {"+": "plus", "-": "minus", "*": "times", "//": "by whole", "%": "modulo"}
_PARTS = {"weekday": "weekday", "isoweekday": "weekday", "yearday": "day of the year", "day": "day of the month"}


def in_words(form: Form | SetOf, catalog: Catalog) -> str:
    """A form in a sentence without its end."""
    return Words(catalog).form(form)


@dataclass
class Words:
    """Words by the titles of a catalog; ``rows`` is what the rows that are counted are called, ``alike`` are the
    members whose title alone could be either of two, ``ruled`` the conditions that are said already.
    """

    catalog: Catalog
    rows: str = "rows"
    alike: frozenset[str] = frozenset()
    ruled: frozenset[Condition] = frozenset()

    def form(self, form: Form | SetOf) -> str:
        if isinstance(form, SetOf):
            link = {"union": " or ", "union all": " and also ", "intersect": " that are also ", "except": " but not "}
            return link[form.operator].join(self.form(f) for f in form.forms)
        if (named := self.of_rows(form)) != self:
            return named.form(form)
        shown = few([self.of(c.expression) for c in (*form.measures, *form.columns)], "more columns")
        groups = few([self.of(c.expression) for c in form.groups], "more columns")
        if not shown and groups:
            shown, groups = [f"different {_joined(groups)}"], []
        text = _joined(shown) or "rows"
        if not form.measures:
            text += f" of {self.source(form.root)}"
        text += f" by {_joined(groups)}" if groups else ""
        where = [self.condition(term) for item in form.where for term in conjuncts(item.condition)]
        text += f", where {_joined(where)}" if where else ""
        having = [self.condition(term) for item in form.having for term in conjuncts(item.condition)]
        text += f", only groups whose {_joined(having)}" if having else ""
        if (ends := self._ends(form)) is not None:
            return f"{text}, {ends}"
        text += f", sorted by {_joined([self.order(o) for o in form.order])}" if form.order else ""
        return text + (f", {self.limit(form.limit)}" if form.limit is not None else "")

    def _ends(self, form: Form) -> str | None:
        """The few rows that are most so, where one number or time says which those are."""
        if form.limit is None or form.limit.per or form.limit.skip or len(form.order) != 1:
            return None
        by, few = form.order[0], form.limit.count
        kind = kind_of(by.by, Names(self.catalog))
        if kind == "string":
            return None
        end = {"time": ("earliest", "latest")}.get(kind, ("smallest", "largest"))[by.descending]
        return f"the {few if few != 1 else 'one'} with the {end} {self.of(by.by)}"

    def of_rows(self, form: Form) -> Words:
        """Words that call the rows of a form by their name, and tell members of one title apart."""
        rows = self.source(form.root) if isinstance(form.root, Role) else self.rows
        ruled = frozenset(item.condition for item in form.where if not isinstance(item.condition, Related))
        return replace(self, rows=rows, alike=self._alike(form), ruled=ruled)

    def _alike(self, form: Form) -> frozenset[str]:
        """The members of a form that have the title of another one of it: the city it came from, and went to."""
        called: dict[str, set[str]] = {}
        for member in {one for one in parts(form) if isinstance(one, Member) and not one.role}:
            called.setdefault(self._title(member), set()).add(member.path)
        return frozenset(path for paths in called.values() if len(paths) > 1 for path in paths)

    def _title(self, of: Member) -> str:
        relation = self.catalog.relations.get(of.relation)
        member = relation.members.get(of.name) if relation is not None else None
        title = member.title if member is not None else of.name.replace("_", " ")
        return title if title.isupper() or title[1:2].isupper() else title[:1].lower() + title[1:]

    def source(self, root: Role | Form | SetOf) -> str:
        if not isinstance(root, Role):
            return f"({self.form(root)})"
        relation = self.catalog.relations.get(root.relation)
        return relation.title.lower() if relation is not None else root.relation

    def things(self, key: Expression) -> str:
        """What the rows are called that a key is the only one of; nothing for anything else."""
        if not isinstance(key, Member) or key.role or (relation := self.catalog.relations.get(key.relation)) is None:
            return ""
        keys = [member.path for member in relation.members.values() if member.primary_key]
        return relation.title.lower() if keys == [key.path] else ""

    def heading(self, of: Expression) -> str:
        """What a column is called: where its values tell the sides, by what parts them."""
        sides = sides_of(of)
        return self.of(sides[0] if sides is not None else of)

    def order(self, order: Order) -> str:
        by = order.by.of if isinstance(order.by, Aggregate) and order.by.function == "min" else order.by
        if isinstance(by, Case) and (places := _places(by)) is not None and not order.descending:
            return f"{_joined([self.condition(one) for one in places], 'then')} first"
        if order.ends:
            return f"{self.of(order.by)}, {order.ends[-order.descending]} first"
        kind = kind_of(order.by, Names(self.catalog))
        ends = {"string": ("A to Z", "Z to A"), "time": ("earliest first", "latest first")}
        return f"{self.of(order.by)}, {ends.get(kind, ('smallest first', 'largest first'))[order.descending]}"

    def limit(self, limit: Limit) -> str:
        per = f" of each {_joined([self.of(e) for e in limit.per])}" if limit.per else ""
        skip = f" after the first {limit.skip}" if limit.skip else ""
        return f"the first {limit.count}{per}{skip}"

    def condition(self, of: Condition) -> str:
        """A condition; of several terms in brackets where it stands among others."""
        return self._condition(of)

    def of(self, of: Expression) -> str:
        """An expression."""
        return self._of(of)

    @by_kind
    def _of(self, of: Any) -> str:
        return "a number"

    @_of.register
    def _member(self, of: Member) -> str:
        title, role = self._title(of), of.role.replace("_", " ")
        if role:
            return f"{role} {title}"
        relation = self.catalog.relations.get(of.relation) if of.path in self.alike else None
        return f"{title} of {relation.title.lower()}" if relation is not None else title

    @_of.register
    def _output(self, of: Output) -> str:
        return self.of(of.of)

    @_of.register
    def _value(self, of: Value) -> str:
        return said(of.value)

    @_of.register
    def _now(self, of: Now) -> str:
        return "now" if of.moment else "today"

    @_of.register
    def _aggregate(self, of: Aggregate) -> str:
        where = f" where {self.condition(of.where)}" if of.where is not None else ""
        if of.of is None:
            return f"number of {self.rows}{where}"
        inner = self.of(of.of)
        if of.function == "measure":
            return inner + where
        if of.function == "quantile":
            return f"{(of.at or 0.5) * 100:g} % quantile of {inner}{where}"
        if of.function == "count_distinct" and (things := self.things(of.of)):
            return f"number of different {things}{where}"
        if of.function == "correlation" and of.other is not None:
            return f"correlation of {inner} and {self.of(of.other)}{where}"
        timed = of.function in _ENDS and kind_of(of.of, Names(self.catalog)) == "time"
        if of.function == "sum" and "total" in inner.split():
            return f"sum of {inner}{where}"
        return f"{(_ENDS if timed else _AGGREGATES)[of.function]} {inner}{where}"

    @_of.register
    def _arithmetic(self, of: Arithmetic) -> str:
        if (unit := self._other_unit(of)) is not None:
            return unit
        match of:  # how many years ago something began
            case Arithmetic("-", Value(int(year)), Member(path)) if year in _YEARS:
                if _BORN & set(path.split(".", 1)[1].split("_")):
                    return "age"
                return f"years from {self.of(of.right)} to {year}"
        return f"{self.of(of.left)} {_OPERATORS[of.operator]} {self.of(of.right)}"

    @_of.register
    def _ratio(self, of: Ratio) -> str:
        if (unit := self._other_unit(of)) is not None:
            return unit
        if (span := told_span(of)) is not None:
            return self.of(span)
        match of:
            case Ratio(Aggregate(where=some) as part, Aggregate(where=None) as whole) if some is not None:
                if replace(part, where=None) == whole:
                    counted = f"{self.rows} where {self.condition(some)}"
                    whose = counted if part.function == "rows" else self.of(part)
                    return f"share of {whose.removeprefix('number of ') if part.function == _DIFFERENT else whose}"
            case Ratio(Over("sum", one, within, order), Over("sum", whole, around, ())) if order:
                if (one, within) == (whole, around):
                    return f"running share of {self.of(one) if one is not None else self.rows}"
        return f"{self.of(of.above)} per {self.of(of.below)}{', in per cent' if of.percent else ''}"

    def _other_unit(self, of: Ratio | Arithmetic) -> str | None:
        inner = as_kept(of)
        unit = shown_unit(of, self.catalog) if inner is not of else None
        return f"{self.of(inner)} in {told_unit(unit)}" if unit is not None else None

    @_of.register
    def _difference(self, of: Difference) -> str:
        return f"{of.unit}s from {self._end(of.start, of.end)} to {self._end(of.end, of.start)}"

    def _end(self, of: Expression, other: Expression) -> str:
        """One end of a time; of several rows, the first or last of them."""
        match of:
            case Value(value) if isinstance(value, dt.date):
                return self.of(of)
            case Aggregate("min" | "max", inner, where) if inner is not None:
                one, two = ({m.relation for m in parts(end) if isinstance(m, Member)} for end in (of, other))
                if where is not None:
                    return f"{self.of(inner)} where {self.condition(where)}"
                first = "last " if of.function == "max" else "first " if one == two or self._is_below(one, two) else ""
                return f"{first}{self.of(inner)}"
        return self.of(of)

    def _is_below(self, ones: set[str], others: set[str]) -> bool:
        """Whether rows of one relation refer to those of another."""
        relations = self.catalog.relations
        waiting, seen = [*ones], set[str]()
        while waiting:
            name = waiting.pop()
            joined = [other for other in relations[name].joins if other not in seen] if name in relations else []
            seen.update(joined)
            waiting.extend(joined)
        return bool(seen & others)

    @_of.register
    def _moved(self, of: Moved) -> str:
        way = "after" if of.amount > 0 else "before"
        return f"{abs(of.amount)} {of.unit}{'s' if abs(of.amount) > 1 else ''} {way} {self.of(of.of)}"

    @_of.register
    def _truncated(self, of: Truncated) -> str:
        return f"{of.grain} of {self.of(of.of)}"

    @_of.register
    def _part(self, of: Part) -> str:
        name = _PARTS.get(of.part, of.part)
        same = of.part in ("month", "quarter", "week")
        return f"{name} of {self.of(of.of)}{', whatever the year' if same else ''}"

    @_of.register
    def _bin(self, of: Bin) -> str:
        return f"{self.of(of.of)} in steps of {of.width:g}"

    @_of.register
    def _case(self, of: Case) -> str:
        parted = parting_of(of)
        if parted is not None:
            return f"{PARTINGS[parted[0]].title} of {self.of(parted[1])}"
        if (sides := sides_of(of)) is not None:
            return f"{self.of(sides[0])} ({sides[1]} or {sides[2]})"
        if (named := named_sides(of)) is not None:
            return f"{self.of(named[0])} ({_joined(named[1], 'or')})"
        cases = [f"{self.of(value)} where {self.condition(condition)}" for condition, value in of.branches]
        return ", ".join([*cases, *([f"else {self.of(of.otherwise)}"] if of.otherwise is not None else [])])

    @_of.register
    def _test(self, of: Test) -> str:
        return f"whether {self.condition(of.condition)}"

    @_of.register
    def _call(self, of: Call) -> str:
        match of.arguments:  # an age is told as one
            case (Ratio(Arithmetic("-", Value(), written), Value(10000)),) if of.name == "floor":
                born = next((p.of for p in parts(written) if isinstance(p, Part) and p.part == "year"), None)
                if born is not None:
                    return f"age by {self.of(born)}"
        match of.arguments:
            case (Arithmetic("-", one, other),) if of.name == "abs":
                return f"distance of {self.of(one)} from {self.of(other)}"
        if of.name in _ROUNDED and len(of.arguments) == 1 or of.name == "round":
            return f"{self.of(of.arguments[0])}, {_ROUNDED[of.name]}"
        return f"{of.name} of {_joined([self.of(a) for a in of.arguments])}"

    @_of.register
    def _cast(self, of: Cast) -> str:
        return f"{self.of(of.of)} as a {of.type}"

    @_of.register
    def _over(self, of: Over) -> str:
        name = _WINDOWS.get(of.function, of.function.replace("_", " "))
        if of.function == "sum" and not of.order and of.count is None:
            name = "total of all"
        within = f" within {_joined([self.of(e) for e in of.within])}" if of.within else ""
        return f"{name} {self.of(of.of)}{within}" if of.of is not None else f"{name}{within}"

    @_of.register
    def _scalar(self, of: Scalar) -> str:
        return f"the {self.form(of.form)}"

    def beside(self, of: Expression, value: Expression) -> str:
        """A value as it is said of what it is compared with: months and weekdays by name, a year without a comma."""
        return _named(of, value) or _year(of, value) or self.of(value)

    @by_kind
    def _condition(self, of: Any) -> str:
        return "a condition"

    @_condition.register
    def _compare(self, of: Compare) -> str:
        moment = isinstance(of.right, Value) and isinstance(of.right.value, dt.date)
        link = (_TIMES if moment else _COMPARED)[of.operator]
        return f"{self.of(of.left)} {link} {self.beside(of.left, of.right)}"

    @_condition.register
    def _one_of(self, of: OneOf) -> str:
        values = _joined(few([self.beside(of.of, v) for v in of.values], "others"), "or")
        return f"{self.of(of.of)} {'is none of' if of.negated else 'is'} {values}"

    @_condition.register
    def _range(self, of: Range) -> str:
        whole = _period(of)
        if whole:
            return f"{self.of(of.of)} {'not ' if of.negated else ''}{whole}"
        link = "to" if of.closed else "up to before"
        low, high = self.beside(of.of, of.low), self.beside(of.of, of.high)
        return f"{self.of(of.of)} {'not ' if of.negated else ''}from {low} {link} {high}"

    @_condition.register
    def _like(self, of: Like) -> str:
        return f"{self.of(of.of)} {'not: ' if of.negated else ''}{_MATCHES[of.how]} “{of.text}”"

    @_condition.register
    def _missing(self, of: Missing) -> str:
        return f"{self.of(of.of)} {'is known' if of.negated else 'is missing'}"

    @_condition.register
    def _holds(self, of: Holds) -> str:
        return f"{self.of(of.of)} is true"

    @_condition.register
    def _extreme(self, of: Extreme) -> str:
        among = f" of {self.form(of.among)}" if of.among is not None and of.among.where else ""
        return f"{self.of(of.of)} is the {'largest' if of.largest else 'smallest'}{among}"

    @_condition.register
    def _related(self, of: Related) -> str:
        if (there := self._there_are(of)) is not None:
            return there
        keys = [self.of(k) for k in of.keys] or [self.of(near) for near, _ in of.correlated]
        if (ranked := _first_by(of)) is not None:
            first, few = ranked
            ends = "" if first.descending else ", smallest first"
            rules = [self.condition(item.condition) for item in of.form.where if item.condition not in self.ruled]
            where = f" where {_joined(rules)}" if rules else ""
            which = f"one of the first {few}" if few != 1 else "the first"
            return f"{_joined(keys)} is {which} by {self.of(first.by)}{ends}{where}"
        among = self.form(of.form) if of.form.shown else self.form(of.form.with_(columns=()))
        return f"{_joined(keys)} is {'not ' if of.negated else ''}among {among}"

    def _there_are(self, of: Related) -> str | None:
        """Rows that have, or lack, rows of another relation, where these are known by one column of theirs."""
        inner, shown = of.form, [c.expression for c in (*of.form.columns, *of.form.groups)]
        plain = not (inner.measures or inner.order or inner.limit or of.correlated or inner.joins)
        match of.keys, shown:
            case (Member() as near,), [Member() as far] if plain and isinstance(inner.root, Role):
                theirs = self.of_rows(inner)
                rules = [term for item in inner.where for term in conjuncts(item.condition)]
                rules = [term for term in rules if term != Missing(far, negated=True)]
                where = f" ({_joined([theirs.condition(term) for term in rules])})" if rules else ""
                by = "" if _is_named_after(far, near) else f" by {theirs.of(far)}"
                if inner.having:
                    bounds = [theirs.condition(term) for item in inner.having for term in conjuncts(item.condition)]
                    return f"{'not ' if of.negated else ''}{_joined(bounds)}{by}{where}"
                return f"there are {'no ' if of.negated else ''}{self.source(inner.root)}{by}{where}"
        return None

    @_condition.register
    def _and(self, of: And) -> str:
        if (period := _as_range(of.terms)) is not None and _period(period):
            return self.condition(period)
        return f"({' and '.join(self.condition(t) for t in of.terms)})" if of.terms else "always"

    @_condition.register
    def _or(self, of: Or) -> str:
        return f"({' or '.join(self.condition(t) for t in of.terms)})" if of.terms else "never"

    @_condition.register
    def _not(self, of: Not) -> str:
        if isinstance(of.term, Holds):
            return f"{self.of(of.term.of)} is false"
        if isinstance(of.term, And) and (period := _as_range(of.term.terms)) is not None and _period(period):
            return self.condition(replace(period, negated=True))
        return f"not ({self.condition(of.term)})"


def _is_named_after(far: Member, near: Member) -> bool:
    """Whether a column that refers to a key is called like it, or like its rows (``customer_id`` of customers)."""
    own = {singular(word) for word in (*name_parts(near.name), *name_parts(near.relation))}
    return far.relation != near.relation and bool(
        own & {singular(word) for word in name_parts(far.name)} - {"id", "no"}
    )


def _first_by(of: Related) -> tuple[Order, int] | None:
    """What the few are ranked by that the key is one of, a number that is not shown, and how many they are."""
    form, few = of.form, of.form.limit
    if few is None or few.skip or few.per or form.having or form.measures or of.negated or not of.keys:
        return None
    ranked = len(form.groups) == 1 and bool(form.order) and form.order[0].by != form.groups[0].expression
    return (form.order[0], few.count) if ranked else None


_YEARS = range(1000, 2201)
_NAMES: dict[str, Sequence[str]] = {"isoweekday": ("", *calendar.day_name), "month": tuple(calendar.month_name)}


def _named(of: Expression, value: Expression) -> str:
    """A weekday or month by its name."""
    names = _NAMES.get(of.part, ()) if isinstance(of, Part) else ()
    place = value.value if isinstance(value, Value) else None
    return names[place] if isinstance(place, int) and 0 < place < len(names) else ""


def _year(of: Expression, value: Expression) -> str:
    """A number beside what is called a year."""
    called = of.part == "year" if isinstance(of, Part) else isinstance(of, Member) and "year" in name_parts(of.name)
    number = value.value if isinstance(value, Value) else None
    return str(number) if called and isinstance(number, int) and number in _YEARS else ""


def _places(of: Case) -> list[Condition] | None:
    """The conditions that rows stand in the order of, where a number is given to each."""
    numbers = [value.value if isinstance(value, Value) else None for _, value in of.branches]
    rest = of.otherwise.value if isinstance(of.otherwise, Value) else None
    ranked = [number for number in [*numbers, rest] if isinstance(number, int)]
    if len(ranked) <= len(numbers) or ranked != sorted(set(ranked)):
        return None
    return [condition for condition, _ in of.branches]


def _as_range(terms: Sequence[Condition]) -> Range | None:
    """``from … and before …`` as one period."""
    if len(terms) != 2 or not all(isinstance(term, Compare) for term in terms):
        return None
    found = {term.operator: term for term in terms if isinstance(term, Compare)}
    if set(found) != {">=", "<"} or found[">="].left != found["<"].left:
        return None
    return Range(found[">="].left, found[">="].right, found["<"].right)


def _day(side: Expression) -> Any:
    """The day that a side of a period is, also where it is said as a moment."""
    value = side.value if isinstance(side, Value) else None
    midnight = isinstance(value, dt.datetime) and value.time() == dt.time(0) and value.tzinfo is None
    return value.date() if midnight and isinstance(value, dt.datetime) else value


def _period(of: Range) -> str:
    """A period of whole days in words."""
    low, high = _day(of.low), _day(of.high)
    if of.closed or type(low) is not dt.date or type(high) is not dt.date or low >= high:
        return ""
    return between(*(dt.datetime(day.year, day.month, day.day) for day in (low, high)))


def said(value: Any) -> str:
    """A constant in words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        # Thirteen digits: a computed end of a range is 5.2 and not 5.199999999999996, and cents of billions stay.
        value = float(f"{value:.13g}") if isinstance(value, float) and math.isfinite(value) else value
        return f"{int(value) if isinstance(value, float) and value.is_integer() else value:,}"
    if isinstance(value, dt.datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    return value.isoformat() if isinstance(value, dt.date) else str(value)


def _joined(words: Sequence[str], link: str = "and") -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {link} {words[-1]}"
