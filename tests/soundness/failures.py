"""Queries that fail on rows the asker sees, under conditions that only hidden rows meet.

An engine that plans by what a table spans drops the part of a plan that fails, if the condition around it cannot hold;
whether it can depends on hidden rows. :func:`question` writes such a query for a seed; :func:`search` asks it of worlds
that differ in hidden rows alone, over a bisection of the bound of its condition.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from .compare import Outcome, ask, difference
from .failing_worlds import CONTEXT, SHAPES, World

__all__ = ["FAILURES", "PLACES", "Question", "question", "run_failures", "search"]

# Over a row of the facts; {r} is the relation's name where a subquery reads it again.
FAILURES = {
    "overflow": "big * 9000000000000000000 * big * 90",
    "overflow of all": "(id - 100) * 9000000000000000000 * 9000000000000000000",
    "cast": "CAST(code AS INTEGER)",
    "date cast": "date_diff('day', day, CAST(code AS DATE))",
    "root": "sqrt(qty)",
    "logarithm": "ln(qty)",
    "division": "CAST(1 / qty AS INTEGER) + qty % (qty - 1)",
    "subquery": "(SELECT f2.id FROM {r} f2 WHERE f2.qty = 3)",
    "correlated": "(SELECT f2.id FROM {r} f2 WHERE f2.qty = f.qty)",
    "date": "date_diff('day', day, day + id * INTERVAL '2500 years')",
    "narrow": "CAST(big AS SMALLINT)",
    "sum": "CAST(big AS DECIMAL(38,0)) * 1000000000000000000",
    "late": "big * 100",  # on one row alone, far behind in the table
    "late decimal": "CAST(big AS DECIMAL(38,0)) * 900000000000000000000",
    "none": "qty + 1",
}
_NEAR = ("id", "amount", "score", "qty", "big", "k")


@dataclass(frozen=True)
class Question:
    """A query with a place for the bound of its condition, and the ends between which that is searched."""

    text: str
    low: float
    high: float
    bound: Callable[[float], str]

    def at(self, value: float) -> str:
        return self.text.replace("{x}", self.bound(value))


def _number(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 1e9 else str(int(value))


def _day(value: float) -> str:
    return f"TIMESTAMP '{int(1900 + value // 12):04d}-{int(value % 12) + 1:02d}-01'"


def _word(value: float) -> str:
    first, rest = divmod(int(value), 60)
    return f"'{chr(33 + first % 94)}{chr(48 + rest)}'"


_BOUNDS: dict[str, tuple[float, float, Callable[[float], str]]] = {
    "id": (0, 200_000, _number), "amount": (-95_000, 95_000, _number), "score": (-95_000, 95_000, _number),
    "qty": (-95_000, 95_000, _number), "big": (-2e18, 2e18, _number), "k": (-10, 60, _number),
    "day": (0, 1_500, _day), "code": (0, 94 * 60, _word), "region": (0, 94 * 60, _word),
    "tier": (0, 94 * 60, _word), "credit": (-10, 95_000, _number), "dk": (-10, 60, _number),
}  # fmt: skip


def _condition(rng: random.Random, member: str, name: str) -> str:
    if member == "paid":
        return rng.choice((f"{name} IS NULL", f"NOT {name}", name, f"coalesce({name}, TRUE)"))
    forms = ["{m} > {x}", "{m} >= {x}", "{m} < {x}", "{m} <= {x}", "NOT {m} > {x}", "{m} BETWEEN {x} AND {x}", "{m} = {x}",
             "{m} <> {x}", "{m} IN ({x}, {x})", "({m} > {x} OR {m} IS NULL)", "{m} IS NULL", "{m} IS NOT DISTINCT FROM {x}",
             "({m} > {x} AND {m} IS NOT NULL)", "CASE WHEN {m} > {x} THEN TRUE ELSE FALSE END", "coalesce({m} > {x}, FALSE)"]  # fmt: skip
    if member in _NEAR:
        forms += ["{m} + 1 > {x}", "-{m} < {x}", "abs({m}) > {x}", "{m} > {x} AND {m} < {x} + 5", "{m} * 2 > {x}"]
    return rng.choice(forms).replace("{m}", name)


# {f} fails on some visible row, {c} is the condition, {r} the relation, {j} a condition of a join.
PLACES = {
    "window": "SELECT sum(b) FROM (SELECT *, max({f}) OVER () AS b FROM {r} f) t WHERE {c}",
    "window by": "SELECT count(b) FROM (SELECT *, min({f}) OVER (PARTITION BY region) AS b FROM {r} f) t WHERE {c}",
    "row number": "SELECT sum(b) FROM (SELECT *, {f} AS b, row_number() OVER (ORDER BY id) AS n FROM {r} f) t WHERE {c}",
    "ordered window": "SELECT id FROM (SELECT *, rank() OVER (ORDER BY {f}) AS n FROM {r} f) t WHERE {c} ORDER BY 1",
    "running": "SELECT max(b) FROM (SELECT *, sum({f}) OVER (ORDER BY id ROWS 3 PRECEDING) AS b FROM {r} f) t WHERE {c}",
    "limit": "SELECT max(b) FROM (SELECT *, {f} AS b FROM {r} f ORDER BY id LIMIT 100) t WHERE {c}",
    "unordered limit": "SELECT count(b) FROM (SELECT *, {f} AS b FROM {r} f LIMIT 500) t WHERE {c}",
    "offset": "SELECT count(b) FROM (SELECT *, {f} AS b FROM {r} f ORDER BY id LIMIT 90 OFFSET 3) t WHERE {c}",
    "top by failure": "SELECT count(*) FROM (SELECT * FROM {r} f ORDER BY {f} LIMIT 5) t WHERE {c}",
    "first rows": "SELECT id, {f} AS b FROM {r} f WHERE {c} ORDER BY id LIMIT 2",
    "few rows": "SELECT id, {f} AS b FROM {r} f WHERE {c} LIMIT 2",
    "distinct": "SELECT count(*) FROM (SELECT DISTINCT *, {f} AS b FROM {r} f) t WHERE {c}",
    "distinct on": "SELECT count(b) FROM (SELECT DISTINCT ON (id) *, {f} AS b FROM {r} f ORDER BY id) t WHERE {c}",
    "group": "SELECT count(*) FROM (SELECT {m} AS g, max({f}) AS b FROM {r} f GROUP BY 1) t WHERE {g}",
    "group by failure": "SELECT count(*) FROM (SELECT {f} AS b, max({m}) AS g FROM {r} f GROUP BY 1) t WHERE {g}",
    "total": "SELECT * FROM (SELECT max({f}) AS b, max({m}) AS g FROM {r} f) t WHERE {g}",
    "having": "SELECT {m} AS g, max({f}) AS b FROM {r} f GROUP BY 1 HAVING {h} ORDER BY 1",
    "sum": "SELECT sum({f}) AS b FROM {r} f WHERE {c}",
    "plain": "SELECT count({f}) FROM {r} f WHERE {c}",
    "both": "SELECT count(*) FROM {r} f WHERE {c} AND {f} > 0",
    "either": "SELECT count(*) FROM {r} f WHERE {c} OR {f} > 0",
    "filtered": "SELECT count({f}) FILTER (WHERE {c}) FROM {r} f",
    "case": "SELECT count(CASE WHEN {c} THEN {f} END) FROM {r} f",
    "failing condition": "SELECT count(*) FROM (SELECT * FROM {r} f WHERE {f} IS NOT NULL LIMIT 999) t WHERE {c}",
    "join": "SELECT count(b) FROM (SELECT *, {f} AS b FROM {r} f) t JOIN dims d ON t.k = d.k WHERE {c}",
    "join to nothing": "SELECT count(b) FROM (SELECT *, {f} AS b FROM {r} f) t JOIN (SELECT id AS i FROM {r} f WHERE {c}) u ON t.id = u.i",
    "nothing joined": "SELECT count(b) FROM (SELECT id AS i FROM {r} f WHERE {c}) u JOIN (SELECT *, {f} AS b FROM {r} f) t ON t.id = u.i",
    "left join": "SELECT count(b) FROM (SELECT id AS i FROM {r} f WHERE {c}) u LEFT JOIN (SELECT *, {f} AS b FROM {r} f) t ON t.id = u.i",
    "left joined": "SELECT count(i) FROM (SELECT *, {f} AS b FROM {r} f) t LEFT JOIN (SELECT id AS i FROM {r} f WHERE {c}) u ON t.id = u.i",
    "full join": "SELECT count(i), count(b) FROM (SELECT *, {f} AS b FROM {r} f) t FULL JOIN (SELECT id AS i FROM {r} f WHERE {c}) u ON t.id = u.i",
    "failing join": "SELECT count(*) FROM {r} f JOIN (SELECT id AS i FROM {r} f WHERE {c}) u ON {f} = u.i",
    "unequal join": "SELECT count(*) FROM (SELECT *, {f} AS b FROM {r} f) t JOIN (SELECT id AS i FROM {r} f WHERE {c}) u ON t.b < u.i",
    "cross join": "SELECT count(b) FROM (SELECT *, {f} AS b FROM {r} f) t CROSS JOIN (SELECT id AS i FROM {r} f WHERE {c}) u",
    "cross joined": "SELECT count(b) FROM (SELECT id AS i FROM {r} f WHERE {c}) u CROSS JOIN (SELECT *, {f} AS b FROM {r} f) t",
    "three joined": "SELECT count(b) FROM (SELECT *, {f} AS b FROM {r} f) t JOIN dims d ON t.k = d.k JOIN (SELECT id AS i FROM {r} f WHERE {c}) u ON t.id = u.i",
    "semi join": "SELECT count(*) FROM (SELECT *, {f} AS b FROM {r} f) t WHERE b IS NOT NULL AND id IN (SELECT id FROM {r} f WHERE {c})",
    "anti join": "SELECT count(b) FROM (SELECT *, {f} AS b FROM {r} f) t WHERE id NOT IN (SELECT id FROM {r} f WHERE {c})",
    "in failing": "SELECT count(*) FROM {r} f WHERE {c} AND id IN (SELECT {f} FROM {r} f)",
    "exists": "SELECT count(*) FROM (SELECT id FROM {r} f WHERE {c}) t WHERE EXISTS (SELECT 1 FROM (SELECT max({f}) AS b FROM {r} f) s WHERE b > 0)",
    "correlated exists": "SELECT count(b) FROM (SELECT *, {f} AS b FROM {r} f) t WHERE EXISTS (SELECT 1 FROM (SELECT id AS i FROM {r} f WHERE {c}) s WHERE s.i = t.id)",
    "scalar": "SELECT count(*) FROM (SELECT id FROM {r} f WHERE {c}) t WHERE id > (SELECT max({f}) FROM {r} f)",
    "scalar member": "SELECT id, (SELECT max({f}) FROM {r} f) AS b FROM (SELECT * FROM {r} f) t WHERE {c} ORDER BY 1",
    "union": "SELECT count(*) FROM (SELECT *, {f} AS b FROM {r} f UNION SELECT *, 1 AS b FROM {r} f) t WHERE {c}",
    "union all": "SELECT count(b) FROM (SELECT *, {f} AS b FROM {r} f UNION ALL SELECT *, 1 AS b FROM {r} f) t WHERE {c}",
    "union of nothing": "SELECT {f} AS b FROM {r} f WHERE {c} UNION SELECT 1",
    "except": "SELECT count(*) FROM (SELECT *, {f} AS b FROM {r} f EXCEPT SELECT *, 1 AS b FROM {r} f) t WHERE {c}",
    "except nothing": "SELECT {f} AS b FROM {r} f EXCEPT SELECT id FROM {r} f WHERE {c}",
    "nothing except": "SELECT id FROM {r} f WHERE {c} EXCEPT SELECT {f} AS b FROM {r} f",
    "intersect": "SELECT {f} AS b FROM {r} f INTERSECT SELECT id FROM {r} f WHERE {c}",
    "intersected": "SELECT id FROM {r} f WHERE {c} INTERSECT SELECT {f} AS b FROM {r} f",
    "where over join": "SELECT count(*) FROM {r} f JOIN (SELECT id AS i FROM {r} f WHERE {c}) u ON f.id = u.i WHERE {f} IS NOT NULL",
    "where over product": "SELECT count(*) FROM {r} f CROSS JOIN (SELECT id AS i FROM {r} f WHERE {c}) u WHERE {f} IS NOT NULL",
    "other than": "SELECT count(*) FROM (SELECT *, {f} AS b FROM {r} f WHERE {f} IS NOT NULL) t JOIN (SELECT id AS i FROM {r} f WHERE {c}) u ON t.b <> u.i",
    "right join": "SELECT count(b) FROM (SELECT *, {f} AS b FROM {r} f WHERE {f} IS NOT NULL) t RIGHT JOIN (SELECT id AS i FROM {r} f WHERE {c}) u ON t.id = u.i",
    "semi": "SELECT count(*) FROM (SELECT * FROM {r} f WHERE {f} IS NOT NULL) t SEMI JOIN (SELECT id AS i FROM {r} f WHERE {c}) u ON t.id = u.i",
    "chain": "SELECT count(*) FROM {r} f JOIN (SELECT id AS i FROM {r} f) v ON f.id = v.i AND {f} <> v.i JOIN (SELECT id AS i FROM {r} f WHERE {c}) u ON f.id = u.i",
    "not exists over product": "SELECT t.id FROM {r} t WHERE NOT EXISTS (SELECT 1 FROM {r} f CROSS JOIN (SELECT id AS i FROM {r} f WHERE {c}) u "
    "WHERE f.k = t.k AND {f} IS NOT NULL) UNION SELECT id FROM {r} WHERE id < 9",
    "except not exists over product": "SELECT k FROM {r} EXCEPT SELECT t.k FROM {r} t WHERE NOT EXISTS (SELECT 1 FROM (SELECT id AS i FROM {r} f "
    "WHERE {c}) u CROSS JOIN {r} f WHERE f.k = t.k AND {f} IS NULL)",
    "product of set": "SELECT t.k FROM {r} t WHERE NOT EXISTS (SELECT f.id FROM {r} f, (SELECT id AS i FROM {r} f WHERE {c}) u WHERE u.i <> t.k AND "
    "{f} IS NULL INTERSECT SELECT id FROM {r} WHERE id < t.k) UNION ALL SELECT 1",
    "in beside failing": "SELECT count(*) FROM {r} f WHERE {f} IS NOT NULL AND id IN (SELECT id FROM {r} f WHERE {c})",
    "exists failing": "SELECT count(*) FROM (SELECT id FROM {r} f WHERE {c}) t WHERE EXISTS (SELECT 1 FROM {r} f WHERE {f} IS NOT NULL)",
    "exists either": "SELECT count(*) FROM {r} t WHERE EXISTS (SELECT 1 FROM {r} f WHERE {f} IS NULL OR {c})",
    "any failing": "SELECT count(*) FROM (SELECT id FROM {r} f WHERE {c}) t WHERE id = ANY (SELECT f.k FROM {r} f WHERE {f} IS NOT NULL)",
    "limit of failing": "SELECT count(b) FROM (SELECT id, {f} AS b FROM {r} f WHERE {f} IS NOT NULL OR {c} LIMIT 3) t",
    "offset of failing": "SELECT count(*) FROM (SELECT id FROM {r} f WHERE {f} IS NOT NULL LIMIT 3 OFFSET 5) t WHERE id > 0",
    "scalar limit": "SELECT (SELECT f.id FROM {r} f WHERE {f} IS NOT NULL OR {c} LIMIT 1) AS x",
    "lateral failing": "SELECT count(*) FROM (SELECT id FROM {r} f WHERE {c}) t, LATERAL (SELECT f.k FROM {r} f WHERE {f} IS NOT NULL AND f.id <= t.id) s",
    "cte": "WITH q AS (SELECT *, {f} AS b FROM {r} f) SELECT max(b) FROM q WHERE {c}",
    "cte twice": "WITH q AS (SELECT *, max({f}) OVER () AS b FROM {r} f) SELECT (SELECT max(b) FROM q WHERE {c}) AS a, (SELECT count(*) FROM q WHERE {c}) AS n",
    "materialized cte": "WITH q AS MATERIALIZED (SELECT *, {f} AS b FROM {r} f) SELECT max(b) FROM q WHERE {c}",
    "cte joined": "WITH q AS (SELECT *, {f} AS b FROM {r} f), n AS (SELECT id AS i FROM {r} f WHERE {c}) SELECT count(b) FROM q JOIN n ON q.id = n.i",
    "lateral": "SELECT count(b) FROM (SELECT * FROM {r} f) t, LATERAL (SELECT max({f}) AS b FROM {r} f WHERE f.id <= t.id) s WHERE {c}",
    "rollup": "SELECT count(*) FROM (SELECT {m} AS g, region AS r2, max({f}) AS b FROM {r} f GROUP BY ROLLUP (1, 2)) t WHERE {g}",
    "qualify": "SELECT id FROM {r} f WHERE {c} QUALIFY max({f}) OVER () > 0 ORDER BY 1",
    "measure": "SELECT * FROM (SELECT {m} AS g, MEASURE({y}) AS b FROM {r} f GROUP BY 1) t WHERE {g} ORDER BY 1, 2",
    "measure under": "SELECT {m} AS g, MEASURE({y}) AS b FROM {r} f WHERE {c} GROUP BY 1 ORDER BY 1, 2",
    "measure having": "SELECT {m} AS g, MEASURE({y}) AS b FROM {r} f GROUP BY 1 HAVING {h} ORDER BY 1, 2",
}  # fmt: skip


def question(seed: int, shape: str) -> Question:
    """The question of a seed, for one shape of policy (which says what may be asked)."""
    rng = random.Random(seed)
    relation = "sales" if shape == "view" or rng.random() < 0.35 else "facts"
    members = ["id", "amount", "score", "qty", "big", "k", "day", "code", "region", "paid"]
    members += ["tier", "credit"] if relation == "sales" else []
    member = rng.choice(members)
    low, high, bound = _BOUNDS.get(member, (0.0, 1.0, _number))
    text = rng.choice(list(PLACES.values()))
    if shape == "view":
        text = text.replace(" JOIN dims d ON t.k = d.k", " JOIN (SELECT DISTINCT k AS k2 FROM sales) d ON t.k = d.k2")
    grouped = rng.choice(("max({m})", "min({m})")) if "max({m}) AS g" not in text else ""
    state = rng.getstate()

    def condition(name: str) -> str:
        rng.setstate(state)
        return _condition(rng, member, name)

    name = f"t.{member}" if "JOIN dims d" in text and "JOIN (SELECT id" not in text else member
    for mark, value in {
        "{h}": condition((grouped or "max({m})").replace("{m}", member))
        if member != "paid"
        else condition("bool_or(paid)"),
        "max({m})": "bool_or(paid)" if member == "paid" else f"max({member})",
        "{y}": rng.choice(("codes", "wild", "total", "count")),
        "{f}": rng.choice(list(FAILURES.values())),
        "{g}": condition("g"),
        "{c}": condition(name),
        "{m}": member,
        "{r}": relation,
    }.items():
        text = text.replace(mark, value)
    return Question(text, low, high, bound)


def _flip(asked: Question, one: Callable[[str], Outcome], steps: int) -> list[float]:
    """Bounds at which to compare: the ends, and a bisection of where the first world's outcome changes."""
    low, high = asked.low, asked.high
    tried = [low, high]
    first, last = one(asked.at(low)), one(asked.at(high))
    for _ in range(steps):
        middle = (low + high) / 2
        tried.append(middle)
        found = one(asked.at(middle))
        if difference(found, first) is None:
            low, first = middle, found
        else:
            high, last = middle, found
        if difference(first, last) is None:  # nothing changes between the ends: look nearer to the middle
            low, high = middle, high
    return tried


def search(asked: Question, worlds: list[World], shape: str, *, steps: int = 4) -> tuple[int, Counter[str], str | None]:
    """Compare worlds over a bisection of the bound; how many pairs, what they came to, and the first difference."""
    first, *others = worlds
    pairs, seen = 0, Counter[str]()

    def of(world: World) -> Callable[[str], Outcome]:
        return lambda sql: ask(world.layers[shape], CONTEXT, sql)

    tried = _flip(asked, of(first), steps) if "{x}" in asked.text else [0.0]
    for value in tried:
        sql = asked.at(value)
        mine = of(first)(sql)
        for world in others:
            theirs = of(world)(sql)
            pairs += 1
            seen[theirs.error or "rows"] += 1
            if "QueryTimeout" in (mine.error, theirs.error):
                continue
            told = difference(mine, theirs)
            if told:
                return pairs, seen, f"{first.name} against {world.name}, {shape}: {told}\n    {sql}"
    return pairs, seen, None


@dataclass
class Found:
    """What a run came to."""

    pairs: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def run_failures(worlds: list[World], seeds: range, *, steps: int = 4, stop_after: int = 20) -> Found:
    """Search one question per seed."""
    found = Found()
    for seed in seeds:
        shape = SHAPES[seed % len(SHAPES)]
        pairs, seen, told = search(question(seed, shape), worlds, shape, steps=steps)
        found.pairs += pairs
        found.seen += seen
        if told:
            found.failures.append(f"seed {seed}: {told}")
            if len(found.failures) >= stop_after:
                break
    return found
