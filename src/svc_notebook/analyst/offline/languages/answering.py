"""An answer in another language, from the same result and by the same rules as in English: the number first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from ....records import dataclass
from ...charts import ChartColumn
from ..forms import Form
from ..forms.names import column_names
from ..schema.metadata import Metadata
from ..telling import Outcome, Telling
from ..telling.caveats import cut_periods, holes, partial_rows, time_of
from ..telling.figures import number
from ..telling.ranking import claim_holds
from ..telling.titled import without_name
from .axes import named_in
from .figures import changed, figure, label, moment, said
from .naming import Naming
from .phrases import NoPhrase, Phrases, phrases_of

__all__ = ["Abroad", "told_in"]

_NEXT = 2
_SHOWN = 8
_NAMED = 3
_FEW = 30


@dataclass(frozen=True)
class Abroad:
    """An answer in another language: sentences, the title of what is shown, columns with their names."""

    telling: Telling
    title: str
    columns: tuple[ChartColumn, ...]
    subtitle: str = ""


def told_in(code: str, form: Form, outcome: Outcome, metadata: Metadata) -> Abroad | None:
    """What a result says in a language; None where anything of it has no phrase there."""
    phrases = phrases_of(code)
    try:
        return _Teller(phrases, form, outcome, metadata).told()
    except NoPhrase:
        return None


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


class _Teller:
    def __init__(self, phrases: Phrases, form: Form, outcome: Outcome, metadata: Metadata) -> None:
        self._say, self._phrases, self._form = phrases.say, phrases, form
        naming = Naming(phrases, metadata)
        self._title = naming.title(form)
        names = dict(zip(column_names(form.shown), (clause.expression for clause in form.shown), strict=True))
        if {column.name for column in outcome.columns} - set(names) or outcome.none:
            raise NoPhrase("columns")
        self._out = replace(
            outcome,
            columns=tuple(named_in(c, naming.of(names[c.name], form), phrases) for c in outcome.columns),
        )
        rules = naming.rules(form)
        self._where = self._say("where", rules=rules) if rules else ""
        cells = [[label(g, cell, phrases) for cell in g.cells or ()] for g in self._out.groups]
        self._labels = [" / ".join(row) for row in zip(*cells, strict=True)]

    def told(self) -> Abroad:
        out = self._out
        telling = self._telling()
        telling = Telling(_begun(telling.headline), [_begun(sentence) for sentence in telling.sentences])
        cut = partial_rows(out)
        time = time_of(out)
        parts = [_begun(self._title)] if telling.headline != _begun(self._title) else []
        if time is not None and cut:
            names = dict.fromkeys(label(time, (time.cells or ())[row], self._phrases) for row in sorted(cut))
            parts.append(self._say("incomplete", periods=self._phrases.joined(list(names))))
        if out.small and out.sizes is not None:
            most = figure(max(out.sizes[row] for row in out.small), self._phrases)
            parts.append(self._say("small_below", most=most))
        if without_name(out):
            titles = [group.title for group in out.groups if any(cell is None for cell in group.cells or ())]
            parts.append(self._say("nameless_below", title=self._phrases.joined(titles)))
        return Abroad(telling, _begun(self._title), out.columns, "; ".join(parts))

    def _telling(self) -> Telling:
        out = self._out
        if not out.rows:
            return Telling(self._title, [self._say("no_rows"), *self._covered()])
        if out.shape != "aggregate":
            return self._rows()
        if not out.groups:
            return self._numbers()
        found = self._series() or self._groups()
        return Telling(found.headline, [*found.sentences[:4], *self._caveats()][:6])

    # ---- numbers and rows ----

    def _value(self, column: ChartColumn, value: object) -> str:
        return said(column, value, self._phrases)

    def _numbers(self) -> Telling:
        values = [(column, (column.cells or ())[0]) for column in self._out.measures]
        if all(value is None for _, value in values):
            return Telling(self._title, [self._say("no_rows"), *self._covered()])
        if len(values) == 1:
            column, value = values[0]
            first = self._say("number", value=self._value(column, value), title=column.title, where=self._where)
            so = [] if self._out.so is None else [self._say("yes" if self._out.so else "no")]
            return Telling(self._title, [*so, first, *self._known(), *self._covered()])
        each = [f"**{self._value(column, value)}** {column.title}" for column, value in values]
        return Telling(self._title, [self._say("numbers", values=self._phrases.joined(each), where=self._where)])

    def _covered(self) -> list[str]:
        low, high = self._out.span
        if low is None or high is None or not self._out.timed:
            return []
        ends = {"low": moment(low.date(), self._phrases), "high": moment(high.date(), self._phrases)}
        return [self._say("covered", time=self._out.timed, **ends)]

    def _rows(self) -> Telling:
        out, columns = self._out, self._out.columns
        count = figure(out.rows, self._phrases)
        if out.shape == "distinct" and len(columns) == 1:
            values = [label(columns[0], cell, self._phrases) for cell in columns[0].cells or ()]
            more = f" {self._say('others')}" if out.rows > _SHOWN else ""
            shown = f"{', '.join(values[:_SHOWN])}{more}" if more else self._phrases.joined(values)
            name = "distinct" if out.rows != 1 else "distinct_one"
            return Telling(self._title, [self._say(name, count=count, title=columns[0].title, values=shown)])
        if out.rows == 1:
            each = [f"{c.title}: **{self._cell(c)}**" for c in columns]
            return Telling(self._title, [self._say("row", values="; ".join(each))])
        if out.first is not None:
            self._labels = [label(out.first.groups[0], cell, self._phrases) for cell in out.first.groups[0].cells or ()]
            return self._top(out.measures[0])
        names = self._phrases.joined([column.title for column in columns[:4]])
        return Telling(self._title, [self._say("rows", count=count, names=names)])

    def _cell(self, column: ChartColumn) -> str:
        value = (column.cells or ())[0]
        if isinstance(value, str):
            return value
        return self._value(column, value) if column.measured else label(column, value, self._phrases)

    # ---- groups ----

    def _groups(self) -> Telling:
        out = self._out
        if not out.measures:
            raise NoPhrase("groups")
        column = out.measures[0]
        found = out.comparable(column)
        if not found:
            raise NoPhrase("no value in any group")
        if out.rows == 1 and not out.ranked:
            values = [f"{c.title} **{self._value(c, (c.cells or ())[0])}**" for c in out.measures]
            joined = self._phrases.joined(values)
            sentence = self._say("single", name=self._labels[0], values=joined, where=self._where)
            return Telling(self._title, [sentence])
        if out.ranked and out.limit is not None and not out.per:
            return self._top(column)
        if out.rows == 2 and len(found) == 2 and out.limit is None:
            return self._pair(column)
        return self._all(column, sorted(found, key=lambda pair: -pair[0]))

    def _top(self, column: ChartColumn) -> Telling:
        out, cells, name = self._out, column.cells or (), self._labels[0]
        end = "low" if out.ranked == "lowest" else "high"
        after = [self._with(row, cells[row], column) for row in range(1, min(out.rows, 1 + _NEXT))]
        parts = {"name": name, "value": self._value(column, cells[0]), "title": column.title, "where": self._where}
        if out.skipped:
            first = self._say(f"place_{end}", place=out.skipped + 1, **parts)
            return Telling(self._title, [first, *self._further(column)])
        behind = self._say("after", names=self._phrases.joined(after)) if after else ""
        few = []
        if out.sizes is not None and out.sizes[0] < _FEW:
            few = [self._say("few", count=figure(out.sizes[0], self._phrases))]
        headline = self._say(f"head_{end}", name=name, title=column.title)
        return Telling(headline, [self._say(f"first_{end}", after=behind, **parts), *few, *self._further(column)])

    def _with(self, row: int, value: object, column: ChartColumn) -> str:
        return self._say("with", name=self._labels[row], value=self._value(column, value))

    def _pair(self, column: ChartColumn) -> Telling:
        one, two = (number(cell) or 0.0 for cell in column.cells or ())
        front, back = (0, 1) if one >= two else (1, 0)
        ahead, behind = max(one, two), min(one, two)
        first, second = self._labels[front], self._labels[back]
        yes = self._claimed(one, two)
        if ahead == behind:
            parts = {"value": self._value(column, ahead), "title": column.title, "where": self._where}
            return Telling(self._title, [*yes, self._say("level", first=first, second=second, **parts)])
        high, low = self._value(column, ahead), self._value(column, behind)
        both = {"first": first, "second": second}
        by = changed(column, ahead, behind, self._phrases).lstrip("+").replace(", +", ", ")
        sentence = self._say("pair", title=column.title, high=high, low=low, where=self._where, **both)
        brief = self._say("head_pair", gap=by, **both)
        return Telling(brief, [*yes, sentence, self._say("gap", gap=by), *self._further(column)])

    def _claimed(self, one: float, two: float) -> list[str]:
        if not self._out.claim:
            return []
        holds = claim_holds(self._out, (one, two))
        if holds is None:
            raise NoPhrase("claim")
        return [self._say("yes" if holds else "no")]

    def _all(self, column: ChartColumn, ordered: list[tuple[float, int]]) -> Telling:
        (high, top), (low, bottom) = ordered[0], ordered[-1]
        name, last = self._level(column, high, top), self._level(column, low, bottom)
        count = figure(len(ordered), self._phrases)
        parts = {"value": self._value(column, high), "title": column.title, "where": self._where}
        if high == low:
            return Telling(self._title, [self._say("even", count=count, **parts)])
        headline = self._say("head_high", name=name, title=column.title)
        if self._out.limit is not None and not self._out.ranked:
            raise NoPhrase("cut by something else")
        total = sum(value for value, _ in ordered)
        if column.additive and not column.computed and len(ordered) > 2 and low >= 0 and total > 0:
            share = figure(high / total, self._phrases, "percent")
            whole = self._value(column, total)
            first = self._say("whole", name=name, share=share, total=whole, **parts)
            return Telling(headline, [first, *self._following(column, ordered), *self._further(column)])
        first = self._say("ends", name=name, last=last, low=self._value(column, low), count=count, **parts)
        return Telling(headline, [first, *self._further(column)])

    def _level(self, column: ChartColumn, value: float, row: int) -> str:
        """A group, with those that have the same value."""
        found = self._out.comparable(column)
        names = [self._labels[row], *(self._labels[other] for n, other in found if n == value and other != row)]
        if len(names) > _NAMED:
            names = [*names[:_NAMED], self._say("besides", count=len(names) - _NAMED)]
        return self._phrases.joined(names)

    def _following(self, column: ChartColumn, ordered: list[tuple[float, int]]) -> list[str]:
        names = [self._with(row, value, column) for value, row in ordered[1 : 1 + _NEXT]]
        joined = self._phrases.joined(names)
        if len(ordered) <= _NEXT + 1:
            return [self._say("then", names=joined)]
        least, row = ordered[-1]
        count, value = figure(len(ordered), self._phrases), self._value(column, least)
        return [self._say("then_last", names=joined, count=count, last=self._labels[row], value=value)]

    def _further(self, column: ChartColumn) -> list[str]:
        found = []
        for other in self._out.measures[:3]:
            known = self._out.comparable(other) if other is not column and not other.computed else []
            if known:
                best, row = max(known, key=lambda pair: pair[0])
                value = self._value(other, best)
                found.append(self._say("further", title=other.title, name=self._labels[row], value=value))
        return found

    # ---- along time ----

    def _series(self) -> Telling | None:
        out, time = self._out, time_of(self._out)
        if time is None or not out.measures or len(out.groups) > 2 or out.limit is not None:
            return None
        if any(group is not time and group.kind == "ordinal" and group.grain for group in out.groups):
            raise NoPhrase("parts of two periods")
        column = out.measures[0]
        runs = self._runs(time, column)
        if not runs or out.rows < 3 or max(len(run) for run in runs.values()) < 2:
            return None
        return self._one(column, runs[""]) if len(out.groups) == 1 else self._several(column, time, runs)

    def _runs(
        self, time: ChartColumn, column: ChartColumn, *, whole: bool = False
    ) -> dict[str, list[tuple[float, str]]]:
        out = self._out
        left = (set() if whole else partial_rows(out)) | out.small | out.nameless
        other = next((group for group in out.groups if group is not time), None)
        found: dict[str, list[tuple[str, float, str]]] = defaultdict(list)
        for row, cell in enumerate(time.cells or ()):
            value = number((column.cells or ())[row])
            if cell is None or value is None or row in left:
                continue
            name = label(other, (other.cells or ())[row], self._phrases) if other is not None else ""
            found[name].append((str(cell), value, label(time, cell, self._phrases)))
        return {name: [(value, at) for _, value, at in sorted(rows)] for name, rows in found.items()}

    def _one(self, column: ChartColumn, run: list[tuple[float, str]]) -> Telling:
        (first, start), (last, end) = run[0], run[-1]
        (high, top), (low, bottom) = max(run, key=lambda v: v[0]), min(run, key=lambda v: v[0])
        parts = {"title": column.title, "start": start, "end": end, "where": self._where}
        if high == low:
            return Telling(self._title, [self._say("flat", value=self._value(column, high), **parts)])
        way = "rose" if last > first else "fell" if last < first else "again"
        values = {"first": self._value(column, first), "last": self._value(column, last)}
        moved = self._say(way, change=changed(column, last, first, self._phrases), **values, **parts)
        ends = {"top": top, "bottom": bottom, "high": self._value(column, high), "low": self._value(column, low)}
        brief = {"title": column.title, "start": start, "end": end}
        headline = self._title if way == "again" else self._say(f"head_{way}", **brief)
        return Telling(headline, [moved, *([self._say("extremes", **ends)] if len(run) > 2 else [])])

    def _several(self, column: ChartColumn, time: ChartColumn, runs: dict[str, list[tuple[float, str]]]) -> Telling:
        if column.additive:
            every = self._runs(time, column, whole=True)
            sums = sorted(((sum(value for value, _ in run), name) for name, run in every.items()), reverse=True)
            total = sum(value for value, _ in sums)
            if total <= 0:
                raise NoPhrase("no total")
            value, name = sums[0]
            parts = {"value": self._value(column, value), "total": self._value(column, total)}
            share = figure(value / total, self._phrases, "percent")
            told = [self._say("sums", name=name, share=share, title=column.title, where=self._where, **parts)]
        else:
            high, at, name = max((value, at, name) for name, run in runs.items() for value, at in run)
            value_said = self._value(column, high)
            told = [self._say("peak", name=name, value=value_said, title=column.title, at=at, where=self._where)]
        headline = self._say("head_high", name=name, title=column.title)
        least = 2 if max(len(run) for run in runs.values()) == 2 else 3
        moved = [(abs(run[-1][0] - run[0][0]), name) for name, run in runs.items() if len(run) >= least]
        if moved and max(moved)[0]:
            mover = max(moved)[1]
            (first, start), (last, end) = runs[mover][0], runs[mover][-1]
            values = {"first": self._value(column, first), "last": self._value(column, last)}
            change = changed(column, last, first, self._phrases)
            told.append(self._say("mover", name=mover, start=start, end=end, change=change, **values))
        return Telling(headline, told)

    # ---- what to mind ----

    def _caveats(self) -> list[str]:
        return [*self._cut(), *self._holes(), *self._small(), *self._missing(), *self._known()]

    def _known(self) -> list[str]:
        if self._out.known is None:
            return []
        values, rows = (figure(count, self._phrases) for count in self._out.known)
        return [self._say("known_of", values=values, rows=rows)]

    def _cut(self) -> list[str]:
        time = time_of(self._out)
        if time is None:
            return []
        return [
            self._say(name, period=label(time, start, self._phrases), day=moment(day.date(), self._phrases))
            for start, name, day in cut_periods(self._out, time)
        ]

    def _holes(self) -> list[str]:
        found, time = holes(self._out), time_of(self._out)
        if not found or time is None:
            return []
        names = [label(time, start, self._phrases) for start in found[:_NAMED]]
        if len(found) > _NAMED:
            return [self._say("holes_many", count=figure(len(found), self._phrases), first=names[0])]
        return [self._say("holes", periods=self._phrases.joined(names))]

    def _small(self) -> list[str]:
        out = self._out
        if not out.small or out.sizes is None:
            return []
        sizes = sorted((out.sizes[row], row) for row in out.small)
        if len(sizes) > _NAMED:
            count, most = (figure(value, self._phrases) for value in (len(sizes), sizes[-1][0]))
            return [self._say("small_many", count=count, most=most)]
        names = [self._say("with", name=self._labels[row], value=figure(size, self._phrases)) for size, row in sizes]
        return [self._say("small", names=self._phrases.joined(names))]

    def _missing(self) -> list[str]:
        out, column, found = self._out, self._out.measures[0], []
        if out.nameless and len(out.groups) == 1:
            value = self._value(column, (column.cells or ())[min(out.nameless)])
            found.append(self._say("nameless", title=out.groups[0].title, value=value))
        missing = sum(number(cell) is None for cell in column.cells or ())
        if missing and missing < out.rows:
            count, rows = figure(missing, self._phrases), figure(out.rows, self._phrases)
            found.append(self._say("valueless", count=count, rows=rows))
        return found
