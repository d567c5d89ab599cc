"""Random SQL over the model of :mod:`worlds`, reproducible from a seed.

Every query is deterministic in what it returns (windows order by a key or use rank-like functions, ``LIMIT`` comes
with an order over all columns, doubles are dyadic so that sums do not depend on their order); apart from that anything
goes, above all expressions that can raise on the values hidden rows hold.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

NUMBER, TEXT, BOOL, TIME = "number", "text", "bool", "time"
JSON, LIST = "json", "list"  # columns that operators read texts, numbers and conditions from


@dataclass(frozen=True)
class Column:
    name: str
    kind: str


@dataclass(frozen=True)
class Relation:
    name: str
    columns: tuple[Column, ...]
    key: str | None
    measures: tuple[str, ...] = ()
    segments: tuple[str, ...] = ()


def _columns(**kinds: str) -> tuple[Column, ...]:
    return tuple(Column(name, kind) for kind, names in kinds.items() for name in names.split())


ORDER_COLUMNS = {
    NUMBER: "order_id amount qty score code_number",
    TEXT: "region status code size",
    BOOL: "is_paid",
    TIME: "created_at ship_date",
    JSON: "info",
    LIST: "tags",
}
ORDER_MEASURES = (
    "count", "total_amount", "avg_score", "max_amount", "min_score", "statuses", "code_sum", "per_item", "paid_count",
    "paid_share",
)  # fmt: skip
BASE = (
    Relation("orders", _columns(**ORDER_COLUMNS), "order_id", ORDER_MEASURES, ("done",)),
    Relation(
        "customers",
        _columns(number="customer_id credit", text="name region tier contact", time="joined"),
        "customer_id",
        ("count", "total_credit", "contacts"),
    ),
    Relation("products", _columns(number="product_id price weight", text="label line"), "product_id", ("avg_price",)),
    Relation(
        "sales",
        _columns(
            number=ORDER_COLUMNS[NUMBER] + " customers_credit products_price products_weight",
            text=ORDER_COLUMNS[TEXT] + " customers_name customers_region customers_tier products_label products_line"
            " customers_contact",
            bool="is_paid",
            time="created_at ship_date",
            json="info",
            list="tags",
        ),
        "order_id",
        (*ORDER_MEASURES, "customers_count", "customers_total_credit", "products_avg_price", "customers_contacts"),
        ("done",),
    ),
)
REPEATED = (
    # What the view sees of cubes that a join repeats; asked alone, such a measure is found without that join.
    Relation("sales", _columns(number="customers_credit", text="customers_name customers_region customers_tier"), None,
             ("customers_count", "customers_total_credit", "total_amount")),
    Relation("sales", _columns(number="products_price products_weight", text="products_label products_line"), None,
             ("products_avg_price", "count")),
)  # fmt: skip
BASE += (
    Relation("tickets", _columns(number="ticket_id minutes", text="region topic", time="opened_at"), "ticket_id",
             ("count", "minutes_total", "longest")),
    Relation("accounts", _columns(number="customer_id calls spent", text="tier"), "customer_id",
             ("count", "credit_total", "mean_calls", "per_ticket")),
    Relation("desk", _columns(number="customer_id tickets_ticket_id tickets_minutes calls", text="tier tickets_topic tickets_region",
                              time="tickets_opened_at"), None,
             ("count", "credit_total", "tickets_count", "tickets_minutes_total", "tickets_longest", "per_ticket")),
)  # fmt: skip
ROOTS = (
    # A view of two roots that no join connects: a query may name members of one, or of both and be told.
    Relation("parts", _columns(number="price", text="label line"), None, ("avg_price",)),
    Relation("parts", _columns(number="minutes", text="topic"), None, ("minutes_total", "longest")),
    Relation("parts", _columns(number="minutes price", text="topic line"), None, ("longest", "avg_price")),
)  # fmt: skip
OVER_TIME = (
    "rolling",
    "running",
    "fiscal",
    "coming",
    "busiest",
    "earlier",
    "all_statuses",
    "share",
    "count",
    "total_amount",
    "last_order",
    "any_big",
    "codes",
)
CUSTOM_GRAINS = ("fiscal_year", "ten_days")
HIDDEN_NAMES = ("internal_note", "email", "mails", "customers_email", "pay", "no_such_member", "rowid", "Secret")
TEXTS = ("EMEA", "APAC", "NA", "completed", "pending", "gold", "large", "CANARY_STATUS_1", "Thing 3", "7", "", "it''s")
GRAINS = ("year", "quarter", "month", "week", "day", "hour")
PARTS = ("year", "month", "day", "hour", "dow", "quarter", "week", "doy", "isodow")


_TOKENS = re.compile(r"'[^']*'|\"[^\"]*\"|\d+\.\d+|\w+|<=|>=|<>|\|\||::|[^\w\s]")
_INTRUDERS = (
    "NULL", "*", "()", "(", ")", ",", ".", "'", '"', ";", "--", "/*", "1", "-1", "''", "SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY",
    "HAVING", "LIMIT", "OFFSET", "UNION", "EXCEPT", "WITH", "AS", "ON", "JOIN", "CROSS JOIN", "DISTINCT", "OVER", "OVER ()", "MEASURE",
    "count", "email", "internal_note", "orders", "customers", "raw", "secrets", "t", "x1", "CASE", "WHEN", "END", "IN", "NOT", "IS", "LIKE",
    "BETWEEN", "AND", "OR", "CAST", "INTERVAL", "DATE", "TRUE", "ALL", "ANY", "EXISTS", "FILTER", "PARTITION BY", "ROWS", "::", "||", "[1]",
    "{", "}", "$1", ":p", "?", "@", "\u200b", "\x00", "é", "LATERAL", "USING", "NATURAL", "RECURSIVE", "VALUES", "INTO", "QUALIFY",
)  # fmt: skip


def _sort(token: str) -> tuple[bool, bool, bool]:
    """Keywords are written in capitals here, names are not."""
    return token[0].isalpha(), token.islower(), token[0] in "'\"0123456789"


def mutate(sql: str, rng: random.Random) -> str:
    """Break a statement in a few places: drop, double, swap or replace pieces of it."""
    tokens = _TOKENS.findall(sql)
    for _ in range(rng.choice([1, 1, 2, 3])):
        at, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        form = rng.randrange(24)
        alike = [n for n, token in enumerate(tokens) if _sort(token) == _sort(tokens[at])]
        if form >= 15:
            tokens[at] = tokens[rng.choice(alike)]
        elif form >= 6:
            swapped = rng.choice(alike)
            tokens[at], tokens[swapped] = tokens[swapped], tokens[at]
        elif form == 0:
            del tokens[at]
        elif form == 1:
            tokens.insert(at, tokens[other])
        elif form == 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif form == 3:
            tokens[at] = rng.choice(_INTRUDERS)
        elif form == 4:
            tokens.insert(at, rng.choice(_INTRUDERS))
        else:
            low, high = sorted((at, other))
            tokens[low:high] = tokens[low:high][: rng.randrange(6)]
        if not tokens:
            return ""
    return " ".join(tokens)


@dataclass
class Grammar:
    """One query generator; ``Grammar(seed).query()`` is a function of the seed alone."""

    seed: int
    depth: int = 2
    hostile: float = 0.02  # share of places that name something hidden or absent
    rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)

    # --- expressions ---------------------------------------------------------------------------------------------

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def column(self, relation: Relation, alias: str, kind: str) -> str | None:
        if self.chance(self.hostile):
            slip = self.rng.choice(relation.columns).name
            at = self.rng.randrange(len(slip))
            return f"{alias}.{self.rng.choice([*HIDDEN_NAMES, slip[:at] + slip[at + 1 :] or 'x'])}"
        names = [column.name for column in relation.columns if column.kind == kind]
        if not names:
            return None
        name = self.rng.choice(names)
        return f'{alias}."{name}"' if self.chance(0.1) else f"{alias}.{name}"

    def expression(self, relation: Relation, alias: str, kind: str, depth: int) -> str:
        column = self.column(relation, alias, kind)
        if kind == LIST:
            return column or "NULL"
        if depth <= 0 or self.chance(0.3):
            return column if column is not None and self.chance(0.93) else self.literal(kind)
        forms: dict[str, Callable[[Relation, str, int], str]] = {
            NUMBER: self.number, TEXT: self.text, BOOL: self.condition, TIME: self.time, JSON: self.text,
        }  # fmt: skip
        return forms[kind](relation, alias, depth)

    def literal(self, kind: str) -> str:
        pick = self.rng.choice
        if kind == NUMBER:
            return pick(["0", "1", "2", "7", "100", "0.5", "-3", "250.25", "NULL"])
        if kind in (TEXT, JSON):
            return f"'{pick(TEXTS)}'"
        if kind == BOOL:
            return pick(["TRUE", "FALSE", "NULL"])
        return pick(["DATE '2024-06-01'", "TIMESTAMP '2024-03-09 10:00:00'", "DATE '1999-12-31'"])

    def number(self, relation: Relation, alias: str, depth: int) -> str:
        def sub(kind: str) -> str:
            return self.expression(relation, alias, kind, depth - 1)

        form = self.rng.randrange(20)
        a = sub(NUMBER)
        if form >= 18:
            return self.counted_inside(relation, alias)
        if form == 15:
            return f"div({a}, {sub(NUMBER)})" if self.rng.random() < 0.5 else f"({a} // {sub(NUMBER)})"
        if form == 16:
            return f"width_bucket({a}, 0, 250, 5)"
        if form == 17:
            return f"EXTRACT({self.rng.choice(['YEAR', 'MONTH', 'DAY'])} FROM age({sub(TIME)}, {sub(TIME)}))"
        if form <= 3:
            return f"({a} {self.rng.choice('+-*')} {sub(NUMBER)})"
        if form == 4:
            return f"({a} / {sub(NUMBER)})"
        if form == 5:
            return f"({a} % {self.rng.choice(['2', '3', '7', sub(NUMBER)])})"
        if form == 6:
            kind = self.rng.choice(["INTEGER", "BIGINT", "SMALLINT", "DOUBLE", "DECIMAL(6,2)", "TINYINT"])
            return f"CAST({self.rng.choice([a, sub(TEXT)])} AS {kind})"
        if form == 7:
            return f"{self.rng.choice(['abs', 'floor', 'ceil', 'round', 'sqrt', 'ln', 'sign'])}({a})"
        if form == 8:
            return f"CASE WHEN {sub(BOOL)} THEN {a} ELSE {sub(NUMBER)} END"
        if form == 9:
            return f"{self.rng.choice(['coalesce', 'nullif', 'greatest', 'least'])}({a}, {sub(NUMBER)})"
        if form == 10:
            return f"length({sub(TEXT)})"
        if form == 11:
            return f"EXTRACT({self.rng.choice(PARTS)} FROM {sub(TIME)})"
        if form == 12:
            return f"{self.rng.choice(['year', 'month', 'quarter', 'dayofweek'])}({sub(TIME)})"
        if form == 13:
            return f"date_diff('{self.rng.choice(['day', 'month', 'hour'])}', {sub(TIME)}, {sub(TIME)})"
        return f"TRY_CAST({sub(TEXT)} AS INTEGER)"

    def text(self, relation: Relation, alias: str, depth: int) -> str:
        def sub(kind: str) -> str:
            return self.expression(relation, alias, kind, depth - 1)

        form = self.rng.randrange(15)
        a = sub(TEXT)
        if form >= 13:
            return self.read_inside(relation, alias)
        if form == 9:
            return f"regexp_replace({a}, '[A-E]+', '{self.rng.choice(['', '*'])}', 'g')"
        if form == 10:
            return f"to_char({sub(TIME)}, '{self.rng.choice(['YYYY-MM', 'FMMonth', 'IYYY IW', 'Q'])}')"
        if form == 11:
            return f"lpad({a}, 6, '0')"
        if form == 12:
            return self.rng.choice([f"concat_ws('-', {a}, {sub(NUMBER)})", f"substring({a} FROM 'n(.)')"])
        if form == 0:
            return f"{self.rng.choice(['upper', 'lower', 'trim'])}({a})"
        if form == 1:
            return f"({a} || {sub(TEXT)})"
        if form == 2:
            return f"substring({a}, {self.rng.randrange(1, 4)}, {self.rng.randrange(1, 5)})"
        if form == 3:
            return f"CAST({self.rng.choice([sub(NUMBER), sub(TIME), sub(BOOL)])} AS VARCHAR)"
        if form == 4:
            return f"coalesce({a}, {sub(TEXT)})"
        if form == 5:
            return f"CASE WHEN {sub(BOOL)} THEN {a} WHEN {sub(BOOL)} THEN {sub(TEXT)} END"
        if form == 6:
            return f"replace({a}, 'C', '')"
        if form == 7:
            return f"concat({a}, '-', {sub(NUMBER)})"
        return f"left({a}, 3)"

    def time(self, relation: Relation, alias: str, depth: int) -> str:
        def sub(kind: str) -> str:
            return self.expression(relation, alias, kind, depth - 1)

        form = self.rng.randrange(7)
        a = sub(TIME)
        if form == 6:
            zone = self.rng.choice(["UTC", "America/New_York", "asia/kolkata"])
            return f"(CAST({a} AS {self.rng.choice(['TIMESTAMP', 'TIMESTAMPTZ'])}) AT TIME ZONE '{zone}')"
        if form <= 2:
            return f"date_trunc('{self.rng.choice(GRAINS)}', {a})"
        if form == 3:
            return f"({a} + INTERVAL {self.rng.randrange(1, 40)} {self.rng.choice(['DAY', 'MONTH', 'HOUR'])})"
        if form == 4:
            return f"CAST({self.rng.choice([a, sub(TEXT)])} AS {self.rng.choice(['DATE', 'TIMESTAMP'])})"
        return f"coalesce({a}, {sub(TIME)})"

    def condition(self, relation: Relation, alias: str, depth: int) -> str:
        def sub(kind: str) -> str:
            return self.expression(relation, alias, kind, depth - 1)

        form = self.rng.randrange(22)
        kind = self.rng.choice([NUMBER, NUMBER, TEXT, TEXT, TIME])
        if form >= 20:
            return self.found_inside(relation, alias, sub(TEXT))
        if form == 17:
            return f"({sub(TEXT)} {self.rng.choice(['', 'NOT '])}SIMILAR TO '{self.rng.choice(['(C|E)%', '_+ing', '%[0-9]'])}')"
        if form == 18:
            row = f"({sub(kind)}, {sub(TEXT)}) {self.rng.choice(['=', '<>', '<', '>='])}"
            return f"({row} ({self.literal(kind)}, {self.literal(TEXT)}))"
        if form == 19:
            values = ", ".join(self.literal(TEXT) for _ in range(2))
            test = self.rng.choice(
                [f"= ANY (ARRAY[{values}])", f"<> ALL (ARRAY[{values}])", "LIKE ANY (ARRAY['C%', '%e'])"]
            )
            return f"({sub(TEXT)} {test})"
        if form <= 3:
            return f"({sub(kind)} {self.rng.choice(['=', '<>', '<', '<=', '>', '>='])} {sub(kind)})"
        if form == 4:
            return f"({sub(BOOL)} {self.rng.choice(['AND', 'OR'])} {sub(BOOL)})"
        if form == 5:
            return f"(NOT {sub(BOOL)})"
        if form == 6:
            return f"({sub(kind)} IS {self.rng.choice(['', 'NOT '])}NULL)"
        if form == 7:
            pattern = self.rng.choice(["C%", "%A%", "_e%", "%ing"])
            return f"({sub(TEXT)} {self.rng.choice(['', 'NOT '])}{self.rng.choice(['LIKE', 'ILIKE'])} '{pattern}')"
        if form == 8:
            values = ", ".join(self.literal(kind) for _ in range(self.rng.randrange(1, 4)))
            return f"({sub(kind)} {self.rng.choice(['', 'NOT '])}IN ({values}))"
        if form == 9:
            return f"({sub(kind)} BETWEEN {self.literal(kind)} AND {sub(kind)})"
        if form == 10:
            return f"({sub(kind)} IS {self.rng.choice(['', 'NOT '])}DISTINCT FROM {sub(kind)})"
        if form == 11:
            return f"({sub(BOOL)} IS {self.rng.choice(['TRUE', 'NOT TRUE', 'FALSE', 'NOT FALSE'])})"
        if form == 12:
            return f"(CASE WHEN {sub(BOOL)} THEN {sub(NUMBER)} ELSE 1 END = {self.literal(NUMBER)})"
        if form == 13 and depth > 0:
            other = self.rng.choice(BASE)
            kind = self.rng.choice([NUMBER, TEXT])
            inner = self.expression(other, "s", kind, 1)
            where = self.condition(other, "s", depth - 1)
            negation = self.rng.choice(["", "NOT "])
            return f"({sub(kind)} {negation}IN (SELECT {inner} FROM {other.name} s WHERE {where}))"
        if form == 14 and depth > 0:
            other = self.rng.choice(BASE)
            kind = self.rng.choice([NUMBER, TEXT])
            correlation = f"{self.expression(other, 's', kind, 0)} = {self.expression(relation, alias, kind, 0)}"
            negation = self.rng.choice(["", "NOT "])
            extra = self.condition(other, "s", depth - 1)
            return f"({negation}EXISTS (SELECT 1 FROM {other.name} s WHERE {correlation} AND {extra}))"
        if form == 15 and depth > 0:
            other = self.rng.choice(BASE)
            aggregate = self.aggregate(other, "s", 1)
            return f"({sub(NUMBER)} {self.rng.choice('<>=')} (SELECT {aggregate} FROM {other.name} s))"
        return f"({sub(TEXT)} = {self.literal(TEXT)})"

    # --- inside of JSON and lists ----------------------------------------------------------------------------------

    def inside(self, relation: Relation, alias: str) -> tuple[str, str | None]:
        """A column of JSON (or of texts, which are none) and one of lists, if there is one."""
        fields = self.column(relation, alias, JSON) or self.column(relation, alias, TEXT) or "'[1]'"
        return fields, self.column(relation, alias, LIST)

    def read_inside(self, relation: Relation, alias: str) -> str:
        fields, many = self.inside(relation, alias)
        forms = ["({j}->>'a')", "({j}->'b'->>'c')", "({j} #>> '{l,1}')", "json_extract_string({j}, '$.b.c')", "({j}->'l'->>-1)",
                 "CAST({j}->'b' AS VARCHAR)", "json_extract_path_text({j}, 'b', 'c')"]  # fmt: skip
        forms += ["{l}[1]", "array_to_string({l}, '-')", "{l}[2]"] if many else []
        return self.rng.choice(forms).replace("{j}", fields).replace("{l}", many or "")

    def counted_inside(self, relation: Relation, alias: str) -> str:
        fields, many = self.inside(relation, alias)
        forms = [
            "CAST({j}->>'n' AS INTEGER)",
            "json_array_length({j}->'l')",
            "length({j}->>'a')",
            "({j}->>'n')::double",
        ]
        forms += ["array_length({l})", "cardinality({l})"] if many else []
        return self.rng.choice(forms).replace("{j}", fields).replace("{l}", many or "")

    def found_inside(self, relation: Relation, alias: str, text: str) -> str:
        fields, many = self.inside(relation, alias)
        forms = ["({j} ? 'a')", "({j}->>'a' = {t})", "(({j}->>'n')::int > 6)", "({j}->'b'->>'c' IS NOT NULL)"]
        forms += ["({t} = ANY ({l}))", "({l} @> ARRAY['x', 'y'])", "list_contains({l}, {t})"] if many else []
        return self.rng.choice(forms).replace("{j}", fields).replace("{l}", many or "").replace("{t}", text)

    def aggregate(self, relation: Relation, alias: str, depth: int) -> str:
        form = self.rng.randrange(11)
        a = self.expression(relation, alias, NUMBER, depth)
        if form == 0:
            return "count(*)"
        if form == 1:
            return f"count({self.expression(relation, alias, self.rng.choice([NUMBER, TEXT]), depth)})"
        if form == 2:
            return f"count(DISTINCT {self.expression(relation, alias, self.rng.choice([NUMBER, TEXT]), depth)})"
        if form == 3:
            return f"sum({a}) FILTER (WHERE {self.condition(relation, alias, depth)})"
        if form == 4:
            return f"max(length({self.expression(relation, alias, TEXT, depth)}))"
        if form == 5:
            return f"sum(CASE WHEN {self.condition(relation, alias, depth)} THEN 1 ELSE 0 END)"
        return f"{self.rng.choice(['sum', 'min', 'max', 'avg', 'median'])}({a})"

    # --- queries -------------------------------------------------------------------------------------------------

    def query(self) -> str:
        return self.tail(*self.select(self.depth))

    def tail(self, sql: str, width: int) -> str:
        if self.chance(0.4):
            order = ", ".join(
                f"{n}{self.rng.choice(['', ' DESC', ' NULLS FIRST', ' DESC NULLS LAST'])}" for n in range(1, width + 1)
            )
            sql += f" ORDER BY {order}"
            if self.chance(0.6):
                sql += f" LIMIT {self.rng.randrange(1, 12)}"
                if self.chance(0.3):
                    sql += f" OFFSET {self.rng.randrange(0, 5)}"
        return sql

    def select(self, depth: int) -> tuple[str, int]:
        forms = [
            self.series,
            self.series,
            self.outer_measures,
            self.rows,
            self.rows,
            self.grouped,
            self.grouped,
            self.grouped,
            self.measures,
            self.measures,
        ]
        forms += [self.windows, self.distinct, self.joined, self.star, self.kept, self.lateral, self.numbered]
        if depth > 0:
            forms += [self.set_operation, self.common_table, self.common_table, self.derived, self.derived]
        return self.rng.choice(forms)(depth)

    def source(self) -> tuple[Relation, str]:
        relation = self.rng.choice(BASE)
        return relation, self.rng.choice([relation.name, "t", "x1"])

    def _from(self, relation: Relation, alias: str) -> str:
        if alias == relation.name:
            return f"FROM {relation.name}"
        return f"FROM {relation.name} {self.rng.choice(['', 'AS '])}{alias}"

    def where(self, relation: Relation, alias: str, depth: int) -> str:
        if self.chance(0.35):
            return ""
        condition = self.condition(relation, alias, depth)
        if relation.segments and self.chance(0.1):
            condition = f"{alias}.{self.rng.choice(relation.segments)} AND {condition}"
        return f" WHERE {condition}"

    def items(self, relation: Relation, alias: str, depth: int) -> list[str]:
        kinds = self.rng.choices([NUMBER, TEXT, TIME, BOOL], weights=[4, 3, 2, 1], k=self.rng.randrange(1, 5))
        return [self.expression(relation, alias, kind, depth) for kind in kinds]

    def rows(self, depth: int) -> tuple[str, int]:
        relation, alias = self.source()
        items = self.items(relation, alias, depth)
        named = ", ".join(f"{item} AS c{n}" for n, item in enumerate(items))
        return f"SELECT {named} {self._from(relation, alias)}{self.where(relation, alias, depth)}", len(items)

    def distinct(self, depth: int) -> tuple[str, int]:
        sql, width = self.rows(min(depth, 1))
        return sql.replace("SELECT", "SELECT DISTINCT", 1), width

    def star(self, depth: int) -> tuple[str, int]:
        relation, alias = self.source()
        column = self.rng.choice(relation.columns)
        instead = ""
        if self.rng.random() < 0.4:
            instead = f" REPLACE ({self.expression(relation, alias, column.kind, 1)} AS {column.name})"
        inner = f"SELECT *{instead} {self._from(relation, alias)}{self.where(relation, alias, depth)}"
        aggregate = self.aggregate(relation, "i", 0)
        return f"SELECT {aggregate} AS a FROM ({inner}) i", 1

    def grouped(self, depth: int) -> tuple[str, int]:
        relation, alias = self.source()
        keys = self.items(relation, alias, 1)[: self.rng.randrange(0, 3)]
        values = [self.aggregate(relation, alias, depth) for _ in range(self.rng.randrange(1, 4))]
        named = ", ".join(f"{item} AS c{n}" for n, item in enumerate([*keys, *values]))
        sql = f"SELECT {named} {self._from(relation, alias)}{self.where(relation, alias, depth)}"
        if keys:
            sql += " GROUP BY " + ", ".join(str(n + 1) for n in range(len(keys)))
        if self.chance(0.25):
            sql += f" HAVING {self.aggregate(relation, alias, 1)} {self.rng.choice('<>')} {self.literal(NUMBER)}"
        return sql, len(keys) + len(values)

    def measures(self, depth: int) -> tuple[str, int]:
        relation, alias = self.source()
        if self.chance(0.25):
            relation, alias = self.rng.choice([*REPEATED, *ROOTS]), "t"
        keys = []
        for _ in range(self.rng.randrange(0, 3)):
            kind = self.rng.choice([TEXT, TEXT, TIME, NUMBER])
            key = self.column(relation, alias, kind) or f"{alias}.{relation.columns[0].name}"
            keys.append(f"date_trunc('{self.rng.choice(GRAINS)}', {key})" if kind == TIME else key)
        names = self.rng.sample(relation.measures, k=min(len(relation.measures), self.rng.randrange(1, 4)))
        values = [f"MEASURE({alias}.{name})" if self.chance(0.3) else f"MEASURE({name})" for name in names]
        if self.chance(0.3):
            values[0] += f" FILTER (WHERE {self.condition(relation, alias, min(depth, 1))})"
        named = ", ".join(f"{item} AS c{n}" for n, item in enumerate([*keys, *values]))
        sql = f"SELECT {named} {self._from(relation, alias)}{self.where(relation, alias, depth)}"
        if keys:
            sql += " GROUP BY " + ", ".join(str(n + 1) for n in range(len(keys)))
        if self.chance(0.25):
            sql += f" HAVING {self.rng.choice(values)} {self.rng.choice('<>')} {self.literal(NUMBER)}"
        return sql, len(keys) + len(values)

    def series(self, depth: int) -> tuple[str, int]:
        """Measures over time: rolling windows, running totals, shifted and shared ones, custom granularities."""
        relation = self.rng.choice([BASE[0], BASE[3]])
        grain = self.rng.choice([*GRAINS[:4], "month", *CUSTOM_GRAINS])
        items = [f"date_trunc{'_gapfill' if self.chance(0.2) else ''}('{grain}', t.created_at)"]
        if self.chance(0.15):
            items.append("date_trunc('year', t.created_at)")
        if self.chance(0.5):
            items.append(f"t.{self.rng.choice(['status', 'region', 'size', 'band', 'band'])}")
        keys = len(items)
        items += [f"MEASURE(t.{name})" for name in self.rng.sample(OVER_TIME, k=self.rng.randrange(1, 4))]
        named = ", ".join(f"{item} AS c{n}" for n, item in enumerate(items))
        conditions = []
        if self.chance(0.5):
            conditions.append(f"t.created_at >= DATE '2024-0{self.rng.randrange(1, 6)}-01'")
        if self.chance(0.5):
            conditions.append(f"t.created_at < TIMESTAMP '2024-{self.rng.randrange(7, 13):02d}-15 00:00:00'")
        if self.chance(0.3):
            conditions.append(self.condition(relation, "t", min(depth, 1)))
        if self.chance(0.15):
            conditions.append(f"t.band <> '{self.rng.choice(['high', 'often', 'low'])}'")
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        groups = ", ".join(str(n + 1) for n in range(keys))
        return f"SELECT {named} FROM {relation.name} t{where} GROUP BY {groups}", len(items)

    def outer_measures(self, depth: int) -> tuple[str, int]:
        """Measures of an inner query of rows, evaluated at the outer grouping; groupings of several levels."""
        relation = self.rng.choice([BASE[0], BASE[3]])
        name = self.rng.choice(relation.measures)
        key = self.rng.choice(["status", "region", "size", "band"])
        where = self.where(relation, "t", min(depth, 1))
        if self.chance(0.5):
            inner = f"SELECT {key}, {name} FROM {relation.name} t{where}"
            return f"SELECT i.{key} AS c0, MEASURE(i.{name}) AS c1 FROM ({inner}) i GROUP BY 1", 2
        sets = self.rng.choice(
            [f"ROLLUP({key}, is_paid)", f"CUBE({key}, is_paid)", f"GROUPING SETS (({key}), (is_paid), ())"]
        )
        aggregate = self.rng.choice([f"MEASURE({name})", "count(*)", "sum(amount)"])
        level = f"GROUPING({key}, is_paid)" if self.chance(0.5) else "1"
        items = f"{key} AS c0, is_paid AS c1, {aggregate} AS c2, {level} AS c3"
        return f"SELECT {items} FROM {relation.name} t{where} GROUP BY {sets}", 4

    def kept(self, depth: int) -> tuple[str, int]:
        """Rows that another relation decides over: SEMI and ANTI JOIN, ANY and ALL, rows of values in a list."""
        relation, other = self.rng.choice(BASE), self.rng.choice(BASE)
        items = self.items(relation, "t", 1)
        named = ", ".join(f"{item} AS c{n}" for n, item in enumerate(items))
        kind = self.rng.choice([NUMBER, TEXT])
        one, two = self.expression(relation, "t", kind, 1), self.expression(other, "s", kind, 1)
        form = self.rng.randrange(3)
        if form == 0:
            word = self.rng.choice(["SEMI", "ANTI"])
            right = self.rng.choice([f"{other.name} s", f"(SELECT * FROM {other.name} x{self.where(other, 'x', 0)}) s"])
            join = f" {word} JOIN {right} ON {one} = {two}"
            return f"SELECT {named} FROM {relation.name} t{join}{self.where(relation, 't', 0)}", len(items)
        if form == 1:
            test = f"{one} {self.rng.choice(['=', '<>', '<', '>='])} {self.rng.choice(['ANY', 'ALL'])}"
            test += f" (SELECT {two} FROM {other.name} s{self.where(other, 's', 0)})"
        else:
            rows = ", ".join(f"({self.literal(kind)}, {self.literal(TEXT)})" for _ in range(2))
            test = f"({one}, {self.expression(relation, 't', TEXT, 0)}) IN ({rows})"
        return f"SELECT {named} FROM {relation.name} t WHERE {test}", len(items)

    def lateral(self, depth: int) -> tuple[str, int]:
        """A subquery for each row before it: an aggregate, a measure, its first rows, or an expression with a name."""
        left, right = self.rng.choice(BASE), self.rng.choice(BASE)
        kind = self.rng.choice([NUMBER, TEXT])
        where = f"{self.expression(right, 's', kind, 0)} = {self.expression(left, 'l', kind, 0)}"
        if self.chance(0.5):
            where += f" AND {self.condition(right, 's', min(depth, 1))}"
        inner = self.rng.choice(
            [
                f"SELECT {self.aggregate(right, 's', 1)} AS v FROM {right.name} s WHERE {where}",
                f"SELECT MEASURE({self.rng.choice(right.measures)}) AS v FROM {right.name} s WHERE {where}",
                f"SELECT {self.expression(right, 's', NUMBER, 1)} AS v FROM {right.name} s WHERE {where} ORDER BY 1 LIMIT 2",
                f"SELECT {self.expression(left, 'l', NUMBER, 1)} AS v",
            ]
        )
        join = self.rng.choice(
            [f", LATERAL ({inner}) x", f" CROSS JOIN LATERAL ({inner}) x", f" LEFT JOIN LATERAL ({inner}) x ON TRUE"]
        )
        key = self.expression(left, "l", TEXT, 1)
        return f"SELECT {key} AS c0, x.v AS c1 FROM {left.name} l{join}{self.where(left, 'l', 0)}", 2

    def numbered(self, depth: int) -> tuple[str, int]:
        """A series of numbers or days, and what falls on each of them."""
        relation = self.rng.choice(BASE)
        if self.chance(0.5):
            series, on = (
                f"generate_series({self.rng.randrange(3)}, {self.rng.randrange(3, 9)})",
                self.expression(relation, "t", NUMBER, 1),
            )
        else:
            series = f"generate_series(DATE '2024-01-01', DATE '2024-12-31', INTERVAL '1 {self.rng.choice(['day', 'month'])}')"
            on = f"date_trunc('day', {self.expression(relation, 't', TIME, 0)})"
        on += f" = g.n AND {self.condition(relation, 't', min(depth, 1))}"
        join = f"FROM {series} AS g(n) LEFT JOIN {relation.name} t ON {on}"
        return f"SELECT g.n AS c0, count(*) AS c1, {self.aggregate(relation, 't', 1)} AS c2 {join} GROUP BY g.n", 3

    def windows(self, depth: int) -> tuple[str, int]:
        relation, alias = self.source()
        if relation.key is None:
            return self.grouped(depth)
        key = f"{alias}.{relation.key}"
        part = self.expression(relation, alias, TEXT, 1)
        number = self.expression(relation, alias, NUMBER, 1)
        order = f"{self.expression(relation, alias, self.rng.choice([NUMBER, TIME]), 1)}, {key}"
        functions = [
            f"row_number() OVER (ORDER BY {order})",
            f"rank() OVER (PARTITION BY {part} ORDER BY {number})",
            f"dense_rank() OVER (ORDER BY {part} DESC)",
            f"sum({number}) OVER (PARTITION BY {part})",
            f"count(*) OVER (ORDER BY {number})",
            f"lag({number}) OVER (ORDER BY {order})",
            f"lead({part}, 2) OVER (PARTITION BY {part} ORDER BY {order})",
            f"max({number}) OVER (ORDER BY {order} ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)",
            f"percent_rank() OVER (ORDER BY {number})",
            f"ntile(4) OVER (ORDER BY {order})",
            f"first_value({part}) OVER (ORDER BY {order})",
            f"count(*) FILTER (WHERE {number} > 1) OVER (PARTITION BY {part})",
            f"count({number}) OVER (ORDER BY {order} ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW)",
        ]
        items = [key, *self.rng.sample(functions, k=self.rng.randrange(1, 3))]
        named = ", ".join(f"{item} AS c{n}" for n, item in enumerate(items))
        sql = f"SELECT {named} {self._from(relation, alias)}{self.where(relation, alias, depth)}"
        if self.chance(0.25):
            sql += f" QUALIFY row_number() OVER (PARTITION BY {part} ORDER BY {order}) <= {self.rng.randrange(1, 4)}"
        return sql, len(items)

    def joined(self, depth: int) -> tuple[str, int]:
        left, right = self.rng.choice(BASE), self.rng.choice(BASE)
        kind = self.rng.choice([NUMBER, TEXT])
        on = f"{self.expression(left, 'l', kind, 0)} = {self.expression(right, 'r', kind, 0)}"
        if self.chance(0.4):
            on += f" AND {self.condition(right, 'r', 1)}"
        join = self.rng.choice(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
        key = self.expression(left, "l", TEXT, 1)
        values = [self.aggregate(left, "l", 1), self.aggregate(right, "r", 1)]
        where = self.where(left, "l", 0)
        items = f"{key} AS c0, {values[0]} AS c1, {values[1]} AS c2"
        return f"SELECT {items} FROM {left.name} l {join} {right.name} r ON {on}{where} GROUP BY 1", 3

    def set_operation(self, depth: int) -> tuple[str, int]:
        left, right = self.source(), self.source()
        kinds = self.rng.choices([NUMBER, TEXT], k=self.rng.randrange(1, 3))
        parts = []
        for relation, alias in (left, right):
            items = ", ".join(f"{self.expression(relation, alias, kind, 1)} AS c{n}" for n, kind in enumerate(kinds))
            parts.append(f"SELECT {items} {self._from(relation, alias)}{self.where(relation, alias, depth - 1)}")
        operator = self.rng.choice(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])
        return f" {operator} ".join(parts), len(kinds)

    def common_table(self, depth: int) -> tuple[str, int]:
        inner, width = self.select(depth - 1)
        if not self._is_named(inner):
            return inner, width
        name = self.rng.choice(["q", "orders_q", "top", "customers"])
        materialized = self.rng.choice(["", "", "MATERIALIZED "])
        column = f"c{self.rng.randrange(width)}"
        pairs = f"{name} a JOIN {name} b ON a.{column} = b.{column}"
        outer = self.rng.choice(
            [
                f"SELECT count(*) AS c0, count({column}) AS c1 FROM {name}",
                f"SELECT {column} AS c0, count(*) AS c1 FROM {name} GROUP BY 1",
                f"SELECT {column} AS c0, {column} IS NULL AS c1 FROM {name} WHERE {column} IS NOT NULL",
                f"SELECT a.{column} AS c0, count(*) AS c1 FROM {pairs} GROUP BY 1",
            ]
        )
        return f"WITH {name} AS {materialized}({inner}) {outer}", 2

    def derived(self, depth: int) -> tuple[str, int]:
        inner, width = self.select(depth - 1)
        if not self._is_named(inner):
            return inner, width
        column = f"c{self.rng.randrange(width)}"
        if self.chance(0.3):
            inner = self.tail(inner, width)
        return f"SELECT d.{column} AS c0, count(*) AS c1, max(d.{column}) AS c2 FROM ({inner}) d GROUP BY d.{column}", 3

    @staticmethod
    def _is_named(sql: str) -> bool:
        return " AS c0" in sql and not sql.startswith("WITH")
