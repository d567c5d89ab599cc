"""Numbers of groups: which has the most and the least, what share, how two differ. A top list has no last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from msgspec import Struct

from ...charts import ChartColumn
from ..forms.partings import PARTINGS
from ..plans.phrases import join_words
from ..schema.nouns import lowered, uncounted
from ..words.text import singular
from .figures import changed, figure, label, number, numbers, points, said
from .intervals import how_sure
from .outcome import Outcome, Telling

__all__ = ["claim_holds", "most", "of_things", "one_of", "tell_groups"]

_Ordered = Sequence[tuple[float, int]]
"""Numbers and their rows, the largest first."""
_NEXT = 2  # groups that follow the first by name
_SHOWN = 8
_AS_LONG = 0.9
_LEVEL = 3  # groups that share a place, by name


def tell_groups(outcome: Outcome) -> Telling:
    """Sentences about the groups of a result."""
    if not outcome.measures:
        return _named(outcome)
    column = outcome.measures[0]
    found = outcome.comparable(column)
    # First of all: a date is no number, and would be told to have no value in any group.
    if outcome.per and outcome.limit == 1 or any(isinstance(cell, date) for cell in column.cells or ()):
        return _of_each(outcome, column)
    if not found:
        text = f"{column.title} has no value in any of the {outcome.rows:,} {outcome.noun}"
        return Telling(text, [f"{text}."])
    if outcome.rows == 1:
        return _single(outcome, found[0][1])
    if outcome.ranked and outcome.limit is not None and not outcome.per:
        return _top(outcome, column)
    if outcome.rows == 2 and len(found) == 2 and outcome.limit is None:
        return _pair(outcome, column)
    high, low = max(found, key=lambda f: f[0]), min(found, key=lambda f: f[0])
    if high[0] == low[0]:
        same = f"{said(column, high[0])} in each of {len(found):,} {outcome.noun}"
        return Telling(
            f"{column.title}: {same}",
            [f"**{said(column, high[0])}** in each of {len(found):,} {outcome.noun}: {lowered(column.title)}."],
        )
    told = _whole(outcome, column) if _adds_up(column) and outcome.limit is None else _ends(outcome, column)
    return Telling(told.headline, [*told.sentences, *_others(outcome, column)])


def _named(outcome: Outcome) -> Telling:
    labels, count = outcome.labels, outcome.rows
    shown = join_words(labels[:_SHOWN]) if count <= _SHOWN else ", ".join(labels[:_SHOWN]) + " and others"
    noun = outcome.noun if count != 1 else singular(outcome.noun)
    return Telling(f"{count:,} {noun}", [f"**{count:,}** {noun}: {shown}."])


def _of_each(outcome: Outcome, column: ChartColumn) -> Telling:
    """The first of each group, or a time for each: every one of them is an answer, and none is ahead of the others."""
    cells = column.cells or ()
    days = replace(column, grain="day")
    told = [label(days, cell) if isinstance(cell, date) else said(column, cell) for cell in cells[:_SHOWN]]
    each = [f"**{outcome.labels[row]}** ({value})" for row, value in enumerate(told)]
    more = f" and {outcome.rows - _SHOWN:,} more" if outcome.rows > _SHOWN else ""
    listed = join_words(each) if not more else ", ".join(each) + more
    return Telling(column.title, [f"{column.title}: {listed}."])


def _single(outcome: Outcome, row: int) -> Telling:
    name = outcome.labels[row]
    values = [(c, (c.cells or ())[row]) for c in outcome.measures]
    told = join_words([f"{lowered(c.title)} **{said(c, value)}**" for c, value in values])
    if outcome.ranked and outcome.limit == 1:
        column, value = values[0]
        which = f"{_place(outcome)}{most(column, outcome.ranked)}"
        told = f"the {which}: **{said(column, value)}**"
        rest = [f"{lowered(c.title)} {said(c, v)}" for c, v in values[1:]]
        more = f" ({join_words(rest)})" if rest else ""
        few = _few(outcome, row)
        return Telling(f"{name} has the {which}", [f"**{name}** has {told}{more}.", *few])
    return Telling(f"{name}: {said(*values[0])}", [f"**{name}**: {told}."])


_PLACES = ("", "second ", "third ", "fourth ", "fifth ")


def _place(outcome: Outcome) -> str:
    """Which one of the order the first that is shown is, where that is not the first: ``second highest``."""
    return _PLACES[outcome.skipped] if outcome.skipped < len(_PLACES) else f"{outcome.skipped + 1}th "


def _few(outcome: Outcome, row: int) -> list[str]:
    if outcome.sizes is None or outcome.sizes[row] >= 30:
        return []
    size = outcome.sizes[row]
    return [f"That rests on only {size:,} row{'s' * (size != 1)}."]


def _top(outcome: Outcome, column: ChartColumn) -> Telling:
    """A list that was cut: its first, and who follows. Its last is only where it was cut."""
    cells, labels = column.cells or (), outcome.labels
    which = f"{_place(outcome)}{most(column, outcome.ranked)}"
    level = next((row for row, cell in enumerate(cells) if cell != cells[0]), outcome.rows)
    after = [f"{labels[row]} ({said(column, cells[row])})" for row in range(level, min(outcome.rows, level + _NEXT))]
    rest = f", before {join_words(after)}" if after else ""
    if level > 1:  # none of them is ahead of the others
        many = level > _LEVEL
        plain = f"{level:,} {outcome.noun}" if many else join_words(labels[:level])
        marked = f"**{plain}**" if many else join_words([f"**{name}**" for name in labels[:level]])
        told = f"{marked} have the {which}: **{said(column, cells[0])}** each{rest}."
        return Telling(f"{plain} have the {which}", [told, *_others(outcome, column)])
    brief = f"{labels[0]} has the {which}"
    few = _few(outcome, 0)
    return Telling(
        brief,
        [f"**{labels[0]}** has the {which}: **{said(column, cells[0])}**{rest}.", *few, *_others(outcome, column)],
    )


def _pair(outcome: Outcome, column: ChartColumn) -> Telling:
    """Two groups: which is ahead, by how much, how many times."""
    (one, two), labels = [number(cell) or 0.0 for cell in (column.cells or ())], outcome.labels
    front, back = (0, 1) if one >= two else (1, 0)
    values = (one, two)
    ahead, behind = values[front], values[back]
    sentences = []
    holds = claim_holds(outcome, (one, two))
    if holds is not None:
        sentences.append("**Yes**." if holds else "**No**.")
    if ahead == behind:
        text = f"{labels[0]} and {labels[1]} are level: {said(column, ahead)}"
        level = f"**{labels[0]}** and **{labels[1]}** are level: **{said(column, ahead)}**"
        return Telling(text, [*sentences, f"{level} {uncounted(lowered(column.title))}."])
    sentences.append(
        f"{column.title}: **{labels[front]}** {said(column, ahead)}, **{labels[back]}** {said(column, behind)}."
    )
    times = (
        f", {figure(ahead / behind)} times as much"
        if behind > 0 and ahead / behind >= 1.5 and not points(column)
        else ""
    )
    gap_said = changed(column, ahead, behind).split(", ")[0].lstrip("+")
    sentences.append(f"The difference is {gap_said}{times}{_how_sure(outcome, column, ahead - behind, front)}.")
    sentences += _per_day(outcome, column, (front, back))
    sentences += [
        f"{c.title}: {join_words([f'{labels[r]} {said(c, (c.cells or ())[r])}' for r in (0, 1)])}."
        for c in outcome.measures
        if c is not column
    ]
    brief = f"{labels[front]} is {gap_said} above {labels[back]}"
    return Telling(f"{brief[:1].upper()}{brief[1:]}" if _of_ours(outcome) else brief, sentences)


def claim_holds(outcome: Outcome, values: tuple[float, float]) -> bool | None:
    """Whether two groups are as was claimed of the first; None where nothing was. Of days it is so many each day."""
    claim = outcome.claim
    cells = outcome.groups[0].cells or () if len(outcome.groups) == 1 else ()
    if not claim or claim[1] not in cells and str(claim[1]) not in outcome.labels:
        return None
    first = cells.index(claim[1]) if claim[1] in cells else outcome.labels.index(str(claim[1]))
    each = outcome.days if "per day" in claim[3:] and outcome.days is not None else (1, 1)
    here, there = (values[row] / each[row] for row in (first, 1 - first))
    return here > there if claim[0] == ">" else here < there


def _of_ours(outcome: Outcome) -> bool:
    """Whether the groups are called by words of ours (``weekday``) and not by what the data hold."""
    return outcome.groups[0].grain in PARTINGS


def _per_day(outcome: Outcome, column: ChartColumn, order: tuple[int, int]) -> list[str]:
    """Both sums per day, where they are over unequal numbers of days."""
    if outcome.days is None or not column.additive or min(outcome.days) > _AS_LONG * max(outcome.days):
        return []
    link = "for" if _of_ours(outcome) else "in"
    cells, days = column.cells or (), outcome.days
    each = [f"{said(column, (number(cells[row]) or 0.0) / days[row])} {link} {outcome.labels[row]}" for row in order]
    one, two = (days[row] for row in order)
    return [f"Per day that is {', '.join(each)} ({one:,.0f} and {two:,.0f} days)."]


def _how_sure(outcome: Outcome, column: ChartColumn, gap: float, front: int) -> str:
    """The interval of a difference of two means, and of how many rows they are."""
    if len(outcome.spreads) != 2:
        return ""
    return how_sure(column, gap, outcome.spreads[front], outcome.spreads[1 - front])


def _whole(outcome: Outcome, column: ChartColumn) -> Telling:
    """Parts of a whole: the largest with its share, who follows, the smallest."""
    ordered = sorted(outcome.comparable(column), key=lambda f: -f[0])
    (value, row), who = ordered[0], _who(outcome, column, ordered[0][0], ordered[0][1])
    name = outcome.labels[row]
    total = sum(n for n in numbers(column) if n is not None)
    base = next((c for c in outcome.measures if c is not column), column)
    if column.computed:  # a share that was asked for: the number it is a share of stands beside it
        of = f"{said(base, (base.cells or ())[row])} of {said(base, sum(n for n in numbers(base) if n is not None))}"
        first = f"**{name}** has the largest {lowered(column.title)}: **{said(column, value)}**" + (
            f" ({of})" if base is not column else ""
        )
        what = lowered(base.title).removeprefix("share of ")
        brief = f"{name} has {said(column, value)} of {uncounted(what)}"
    else:
        share = f", {value / total * 100:.1f} % of {said(column, total)}"
        if who.several:
            share = f", each {value / total * 100:.1f} % of {said(column, total)}"
        first = f"{who.marked} {who.verb} the {most(column)}: **{said(column, value)}**{share}"
        brief = f"{who.plain} {who.verb} the {most(column)}, {'each ' * who.several}{value / total * 100:.1f} % of all"
    behind = ordered[who.count :] if not column.computed else ordered[1:]
    return Telling(brief, [f"{first}.", *_behind(outcome, column, ordered, behind)])


def _behind(outcome: Outcome, column: ChartColumn, ordered: _Ordered, behind: _Ordered) -> list[str]:
    """Who follows the first, and who is last; who is last of many is not named as a follower."""
    least, at = ordered[-1]
    many = len(behind) > _NEXT
    after = [f"{outcome.labels[row]} ({said(column, n)})" for n, row in behind[:_NEXT] if n != least or not many]
    if many and not after:
        return [f"The {len(behind)} others have {said(column, least)} each."]
    if not after:
        return []
    followed = f"Then {'come' if len(after) > 1 else 'comes'} {join_words(after)}"
    last = _who(outcome, column, least, at)
    ended = f"; {last.plain} {'are' if last.several else 'is'} last of {len(ordered):,} ({said(column, least)})"
    return [f"{followed}{ended if many else ''}."]


def _ends(outcome: Outcome, column: ChartColumn) -> Telling:
    """Averages and rates: the highest and the lowest."""
    found = outcome.comparable(column)
    (high, top), (low, bottom) = max(found, key=lambda f: f[0]), min(found, key=lambda f: f[0])
    labels, title = outcome.labels, lowered(column.title)
    best, worst = _who(outcome, column, high, top), _who(outcome, column, low, bottom)
    first = f"{best.marked} {best.verb} the {most(column)}: **{said(column, high)}**"
    if outcome.limit is not None and not outcome.ranked:  # cut by something else: others may lie higher
        which = f"Of the {outcome.rows:,} {outcome.noun} shown"
        return Telling(f"{which}, {labels[top]} has the {most(column)}", [f"{which}, {first}."])
    if outcome.limit is not None:
        return Telling(f"{labels[top]} has the {most(column)}", [f"{first}."])
    least = "fewest" if of_things(column, title) else "lowest"
    last = f"{worst.plain} the {least} ({said(column, low)}), of {len(found):,} {outcome.noun}"
    return Telling(f"{best.plain} {best.verb} the {most(column)}, {worst.plain} the {least}", [f"{first}; {last}."])


class _Who(Struct, frozen=True):
    """The groups that share a place: as they are named, the same marked, and how many they are."""

    plain: str
    marked: str
    count: int = 1

    @property
    def several(self) -> bool:
        return self.count > 1

    @property
    def verb(self) -> str:
        return "have" if self.several else "has"


def _who(outcome: Outcome, column: ChartColumn, value: float, row: int) -> _Who:
    """Who has a value: all who have it, since none of them is ahead of the others."""
    rows = [row, *(other for n, other in outcome.comparable(column) if n == value and other != row)]
    names = [outcome.labels[each] for each in rows]
    if len(names) > _LEVEL:
        many = f"{len(names):,} {outcome.noun}"
        return _Who(many, f"**{many}**", len(names))
    return _Who(join_words(names), join_words([f"**{name}**" for name in names]), len(names))


def _others(outcome: Outcome, column: ChartColumn) -> list[str]:
    """The best group of each further number."""
    said_all = []
    for other in outcome.measures[:3]:
        found = outcome.comparable(other) if other is not column and not other.computed else []
        if found and other is not column and not (column.computed):
            best, row = max(found, key=lambda f: f[0])
            said_all.append(f"{other.title}: highest for **{outcome.labels[row]}** ({said(other, best)}).")
    return said_all


def _adds_up(column: ChartColumn) -> bool:
    known = [n for n in numbers(column) if n is not None]
    return (
        (column.additive or column.computed and points(column))
        and len(known) > 2
        and all(n >= 0 for n in known)
        and sum(known) > 0
    )


_SAME = {
    "lowest": ("lowest ", "smallest ", "fewest ", "least ", "earliest ", "oldest ", "shortest ", "cheapest "),
    "highest": ("highest ", "largest ", "most ", "biggest ", "latest ", "newest ", "longest ", "heaviest "),
}
"""How titles begin that say themselves which end they are of."""


def most(column: ChartColumn, ranked: str = "highest") -> str:
    """``highest average delay``, ``most flights``, ``fewest flights``."""
    title = lowered(column.title)
    if column.grain == "year":
        return f"{'earliest' if ranked == 'lowest' else 'latest'} {title}"
    end = ranked or "highest"
    if title.startswith(_SAME[end]):
        return title  # the highest of all lowest temperatures is another thing
    if title.startswith("number of "):
        return f"{'most' if ranked != 'lowest' else 'fewest'} {uncounted(title)}"
    if of_things(column, title):
        return f"{'most' if ranked != 'lowest' else 'fewest'} {title}"
    return f"{end} {title}"


def of_things(column: ChartColumn, title: str) -> bool:
    """Whether a column counts things that its title names: ``flights``, ``cancelled flights``, ``planes used``."""
    words = title.split()
    if column.unit or column.currency or column.format or not any(_plural(word) for word in words):
        return False
    if words[0] in _AGGREGATED or any(word in ("of", "per", "share", "rate") for word in words):
        return False
    return all(n is None or n.is_integer() for n in numbers(column))


def one_of(title: str) -> str:
    """A title of things for one of them: ``airline flying``."""
    words = title.split()
    place = next((i for i, word in enumerate(words) if _plural(word)), None)
    if place is not None:
        words[place] = singular(words[place])
    return " ".join(words)


def _plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


_AGGREGATED = frozenset("total sum average mean median highest lowest largest smallest latest earliest".split())
