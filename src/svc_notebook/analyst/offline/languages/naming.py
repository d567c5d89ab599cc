"""Numbers, groups and conditions of a form as a language names them; what the model calls a thing stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from ....records import dataclass
from ..forms import (
    Aggregate,
    And,
    Bin,
    Compare,
    Condition,
    Expression,
    Form,
    Holds,
    Like,
    Member,
    Missing,
    Not,
    OneOf,
    Or,
    Output,
    Over,
    Part,
    Range,
    Ratio,
    Role,
    Truncated,
    Value,
)
from ..forms.walking import conjuncts
from ..plans.plan import Measure
from ..schema.metadata import Metadata
from .figures import exact, moment
from .phrases import NoPhrase, Phrases

__all__ = ["Naming"]

_COMPARED = {"=": "equal", "!=": "unequal", "<": "less", "<=": "at_most", ">": "more", ">=": "at_least"}
_MOMENTS = {"<": "before", "<=": "until", ">": "after_moment", ">=": "since"}
_MONTHS = {1: "month", 3: "quarter", 12: "year"}
_PLAIN = ("count", "count_distinct", "sum", "avg", "median", "min", "max")


@dataclass(frozen=True)
class Naming:
    """Names in one language; each method raises :class:`NoPhrase` for what the language has no words for."""

    phrases: Phrases
    metadata: Metadata

    def title(self, form: Form) -> str:
        """What a form shows."""
        shown = [self.of(clause.expression, form) for clause in (*form.measures, *form.columns)]
        groups = [self.of(clause.expression, form) for clause in form.groups]
        if form.having or not (shown or groups):
            raise NoPhrase("having")
        text = self.phrases.joined(shown or groups)
        if shown and groups:
            text = self.phrases.say("by", numbers=text, groups=self.phrases.joined(groups))
        rules = self.rules(form)
        text += self.phrases.say("where", rules=rules) if rules else ""
        if form.limit is None or form.limit.skip or form.limit.per:
            return text
        count = form.limit.count
        return text + (self.phrases.say("first", count=count) if count > 1 else self.phrases.say("first_one"))

    def rules(self, form: Form) -> str:
        """Which rows a form is about."""
        return self.phrases.joined([self.condition(term) for item in form.where for term in conjuncts(item.condition)])

    def of(self, of: Expression, form: Form) -> str:
        """A number or group."""
        match of:
            case Member():
                return self._member(of)
            case Truncated(of=Member() as inner):
                return f"{self.phrases.say(f'grain_{of.grain}')} ({self._member(inner)})"
            case Part(of=Member() as inner):
                name = f"part_{of.part}" if "weekday" in of.part else f"grain_{of.part}"
                return f"{self.phrases.say(name)} ({self._member(inner)})"
            case Output():
                return self.of(of.of, form)
            case Bin():
                return self.of(of.of, form)
            case Over(function="share"):
                return self.phrases.say("share", of=self.of(of.of, form)) if of.of is not None else ""
            case Ratio(percent=True) if isinstance(of.above, Aggregate) and of.above.where is not None:
                return self.phrases.say("percent", rules=self.condition(of.above.where))
            case Aggregate(where=None):
                return self._aggregate(of, form)
        raise NoPhrase(type(of).__name__)

    def _aggregate(self, of: Aggregate, form: Form) -> str:
        if of.function == "rows":
            return self._rows(form)
        if not isinstance(of.of, Member):
            raise NoPhrase(of.function)
        if of.function != "measure":
            return self._put_together(of.function, of.of)
        plain = self.metadata.plain(Measure(of.of.path, "measure"))
        if plain.aggregate == "count" and plain.member is None:
            return self._rows(form)
        if plain.aggregate in _PLAIN and plain.member is not None and not plain.conditions:
            return self._put_together(plain.aggregate, Member(plain.member))
        return self._member(of.of)  # as the model calls it

    def _put_together(self, function: str, of: Member) -> str:
        if function not in _PLAIN:
            raise NoPhrase(function)
        return self.phrases.say(function, of=self._member(of))

    def _rows(self, form: Form) -> str:
        root = form.root
        if not isinstance(root, Role) or root.relation not in self.metadata.catalog.relations:
            raise NoPhrase("rows")
        return self.phrases.say("count_rows", rows=self.metadata.relation(root.relation).title)

    def _member(self, of: Member) -> str:
        known = self.metadata.members.get(of.path)
        if known is None or of.role:
            raise NoPhrase("member")
        return known.title

    # ---- conditions ----

    def condition(self, of: Condition) -> str:
        """Which rows a condition leaves."""
        say = self.phrases.say
        match of:
            case Compare(left, operator, Value() as right):
                timed = isinstance(right.value, date) and operator in _MOMENTS
                name = _MOMENTS[operator] if timed else _COMPARED[operator]
                return say(name, of=self._left(left), value=self._value(left, right))
            case OneOf():
                values = [self._value(of.of, value) for value in of.values]
                joined = self.phrases.joined(values, "nor" if of.negated else "or")
                return say("none_of" if of.negated else "one_of", of=self._left(of.of), values=joined)
            case Range():
                return self._range(of)
            case Like(how=how) if how in ("contains", "starts", "ends") and not of.negated:
                return say(f"text_{how}", of=self._left(of.of), text=of.text)
            case Missing():
                return say("known" if of.negated else "missing", of=self._left(of.of))
            case Holds(of=inner):
                return say("holds", of=self._left(inner))
            case Not(term=Holds(of=inner)):
                return say("holds_not", of=self._left(inner))
            case Not(term=term):
                return say("not", rule=self.condition(term))
            case And() | Or():
                link = "and" if isinstance(of, And) else "or"
                return f"({self.phrases.joined([self.condition(term) for term in of.terms], link)})"
        raise NoPhrase(type(of).__name__)

    def _left(self, of: Expression) -> str:
        if isinstance(of, (Member, Part, Truncated)):
            return self.of(of, Form(Role("")))
        raise NoPhrase(type(of).__name__)

    def _value(self, of: Expression, value: Expression) -> str:
        if not isinstance(value, Value):
            raise NoPhrase(type(value).__name__)
        found = value.value
        if isinstance(of, Part) and isinstance(found, int):
            names: Sequence[str] = {
                "isoweekday": self.phrases.locale.weekdays, "month": self.phrases.locale.months,
            }.get(of.part, ())  # fmt: skip
            if 0 < found <= len(names):
                return names[found - 1]
            return str(found)
        return exact(found, self.phrases)

    def _range(self, of: Range) -> str:
        low, high = _moment_of(of.low), _moment_of(of.high)
        left, no = self._left(of.of), "not_" if of.negated else ""
        if of.closed or low is None or high is None:
            ends = {"low": self._value(of.of, of.low), "high": self._value(of.of, of.high)}
            return self.phrases.say(f"{no}between" if of.closed else f"{no}up_to", of=left, **ends)
        months = (high.year - low.year) * 12 + high.month - low.month
        whole = low.day == high.day == 1 and low < high
        grain = _MONTHS.get(months, "") if whole else ""
        if grain == "month" or grain == "quarter" and low.month % 3 == 1 or grain == "year" and low.month == 1:
            return self.phrases.say(f"{no}in_period", of=left, period=moment(low, self.phrases, grain))
        if high - low == timedelta(days=1) and not of.negated:
            return self.phrases.say("on_day", of=left, period=moment(low, self.phrases))
        last = high - timedelta(days=1)
        ends = {"low": moment(low, self.phrases), "high": moment(last, self.phrases)}
        return self.phrases.say(f"{no}period_between", of=left, **ends)


def _moment_of(side: Expression) -> date | None:
    """The day that a side of a period is."""
    value: Any = side.value if isinstance(side, Value) else None
    if isinstance(value, datetime):
        return value.date() if (value.hour, value.minute, value.second) == (0, 0, 0) else None
    return value if isinstance(value, date) else None
