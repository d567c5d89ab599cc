"""Random expressions over the columns of a relation, reproducible from a seed; many raise on what hidden rows hold."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from .vocabulary import BASE, BOOL, GRAINS, HIDDEN_NAMES, JSON, LIST, NUMBER, PARTS, TEXT, TEXTS, TIME, Relation

__all__ = ["Expressions"]


@dataclass
class Expressions:
    """Writes expressions over the columns of a relation, and conditions and aggregates of them."""

    seed: int
    depth: int = 2
    hostile: float = 0.02  # share of places that name something hidden or absent
    rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)

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
