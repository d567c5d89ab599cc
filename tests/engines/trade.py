"""A trader's eight tables, drawn small, and the 22 questions of the decision-support benchmark TPC-H asked of them.

The tables have the benchmark's columns and relations; rows and texts are drawn here, so that nothing of its tools is needed.
"""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from typing import Any

import pyarrow as pa

__all__ = ["MODEL", "QUESTIONS", "tables"]

_COLUMNS = {
    "region": "r_regionkey:int r_name:text",
    "nation": "n_nationkey:int n_name:text n_regionkey:int",
    "supplier": "s_suppkey:int s_name:text s_address:text s_nationkey:int s_phone:text s_acctbal:money s_comment:text",
    "customer": "c_custkey:int c_name:text c_address:text c_nationkey:int c_phone:text c_acctbal:money c_mktsegment:text c_comment:text",
    "part": "p_partkey:int p_name:text p_mfgr:text p_brand:text p_type:text p_size:int p_container:text p_retailprice:money",
    "partsupp": "ps_partkey:int ps_suppkey:int ps_availqty:int ps_supplycost:money",
    "orders": "o_orderkey:int o_custkey:int o_orderstatus:text o_totalprice:money o_orderdate:date o_orderpriority:text o_shippriority:int o_comment:text",
    "lineitem": (
        "l_orderkey:int l_partkey:int l_suppkey:int l_linenumber:int l_quantity:money l_extendedprice:money l_discount:money "
        "l_tax:money l_returnflag:text l_linestatus:text l_shipdate:date l_commitdate:date l_receiptdate:date "
        "l_shipinstruct:text l_shipmode:text"
    ),
}  # fmt: skip
_KINDS = {"int": pa.int64(), "text": pa.string(), "money": pa.decimal128(15, 2), "date": pa.date32()}
_TYPES = {"int": "number", "text": "string", "money": "number", "date": "time"}


def _cube(name: str) -> dict[str, Any]:
    columns = [column.split(":") for column in _COLUMNS[name].split()]
    key = {"sql": "{CUBE}.l_orderkey * 10 + {CUBE}.l_linenumber"} if name == "lineitem" else {"sql": columns[0][0]}
    if name == "partsupp":
        key = {"sql": "{CUBE}.ps_partkey * 100000 + {CUBE}.ps_suppkey"}
    return {
        "name": name, "sql_table": name,
        "dimensions": [
            {"name": "row_key", "type": "number", "primary_key": True, **key},
            *({"name": each, "sql": each, "type": _TYPES[kind]} for each, kind in columns),
        ],
        "measures": [{"name": "count", "type": "count"}],
    }  # fmt: skip


MODEL = {"cubes": [_cube(name) for name in _COLUMNS]}


def tables(seed: int = 11, orders: int = 1_500) -> dict[str, pa.Table]:
    """All eight, with so many orders."""
    rng = random.Random(seed)
    drawn = _rows(rng, orders)
    return {
        name: pa.table({
            column.split(":")[0]: pa.array(values, _KINDS[column.split(":")[1]])
            for column, values in zip(_COLUMNS[name].split(), zip(*drawn[name], strict=True), strict=True)
        })
        for name in _COLUMNS
    }  # fmt: skip


def _money(rng: random.Random, low: int, high: int) -> Decimal:
    return Decimal(rng.randrange(low, high)) / 100


def _day(rng: random.Random) -> dt.date:
    return dt.date(1992, 1, 1) + dt.timedelta(days=rng.randrange(2_400))


def _rows(rng: random.Random, orders: int) -> dict[str, list[tuple[Any, ...]]]:
    regions = ["AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"]
    nations = ["BRAZIL", "CANADA", "CHINA", "FRANCE", "GERMANY", "INDIA", "KENYA", "SAUDI ARABIA", "JORDAN", "JAPAN"]
    homes = [1, 1, 2, 3, 3, 2, 0, 4, 4, 2]
    words = ["green", "special", "forest", "requests", "Customer", "Complaints", "quiet", "late", "bold"]
    said = lambda: " ".join(rng.choices(words, k=4))  # noqa: E731
    phone = lambda: f"{rng.randrange(10, 35)}-{rng.randrange(100, 999)}"  # noqa: E731
    suppliers, customers, parts = 20, orders // 10, 60
    made: dict[str, list[tuple[Any, ...]]] = {
        "region": list(enumerate(regions)),
        "nation": [(n, name, homes[n]) for n, name in enumerate(nations)],
        "supplier": [(n, f"Supplier {n}", said(), rng.randrange(10), phone(), _money(rng, -90_000, 900_000), said())
                     for n in range(1, suppliers + 1)],
        "customer": [(n, f"Customer {n}", said(), rng.randrange(10), phone(), _money(rng, -90_000, 900_000),
                      rng.choice(["BUILDING", "MACHINERY", "FURNITURE"]), said()) for n in range(1, customers + 1)],
        "part": [(n, said(), f"Maker {n % 5}", f"Brand#{n % 3}{n % 4}", (f"{rng.choice(['PROMO', 'ECONOMY', 'STANDARD'])} "
                  f"{rng.choice(['ANODIZED', 'POLISHED'])} {rng.choice(['STEEL', 'BRASS'])}"), rng.randrange(1, 51),
                  rng.choice(["SM CASE", "MED BOX", "LG BOX", "MED BAG"]), _money(rng, 90_000, 200_000))
                 for n in range(1, parts + 1)],
    }  # fmt: skip
    made["partsupp"] = [
        (part, 1 + (part * 7 + step * 5) % suppliers, rng.randrange(1, 9_999), _money(rng, 100, 100_000))
        for part in range(1, parts + 1) for step in range(4)
    ]  # fmt: skip
    supplied = {part: [row[1] for row in made["partsupp"] if row[0] == part] for part in range(1, parts + 1)}
    made["orders"], made["lineitem"] = [], []
    for order in range(1, orders + 1):
        day, status = _day(rng), rng.choice(["F", "O", "P"])
        made["orders"].append((
            order, rng.randrange(1, customers * 2 // 3), status, _money(rng, 100_000, 40_000_000), day,
            rng.choice(["1-URGENT", "2-HIGH", "3-MEDIUM", "5-LOW"]), 0, said(),
        ))  # fmt: skip
        for line in range(1, rng.randrange(2, 7)):
            part = rng.randrange(1, parts + 1)
            ship, commit = (day + dt.timedelta(days=rng.randrange(1, 90)) for _ in range(2))
            made["lineitem"].append((
                order, part, rng.choice(supplied[part]), line, Decimal(rng.randrange(1, 51)), _money(rng, 90_000, 9_000_000),
                Decimal(rng.randrange(11)) / 100, Decimal(rng.randrange(9)) / 100, rng.choice("RAN"), rng.choice("OF"),
                ship, commit, ship + dt.timedelta(days=rng.randrange(1, 30)),
                rng.choice(["DELIVER IN PERSON", "COLLECT COD"]), rng.choice(["AIR", "MAIL", "SHIP", "AIR REG"]),
            ))  # fmt: skip
    return made


_NET = "l_extendedprice * (1 - l_discount)"
QUESTIONS = {
    "1 pricing summary": f"""SELECT l_returnflag, l_linestatus, SUM(l_quantity) AS qty, SUM(l_extendedprice) AS base,
        SUM({_NET}) AS net, SUM({_NET} * (1 + l_tax)) AS charge, AVG(l_quantity) AS mean_qty, AVG(l_discount) AS mean_disc,
        COUNT(*) AS n FROM lineitem WHERE l_shipdate <= DATE '1998-12-01' - INTERVAL '90' DAY GROUP BY 1, 2 ORDER BY 1, 2""",
    "2 cheapest supplier": """SELECT s_acctbal, s_name, n_name, p_partkey, p_mfgr, s_address, s_phone
        FROM part JOIN partsupp ON p_partkey = ps_partkey JOIN supplier ON s_suppkey = ps_suppkey
        JOIN nation ON s_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey
        WHERE p_size BETWEEN 5 AND 35 AND p_type LIKE '%BRASS' AND r_name = 'EUROPE' AND ps_supplycost = (
            SELECT MIN(i.ps_supplycost) FROM partsupp i JOIN supplier s ON s.s_suppkey = i.ps_suppkey
            JOIN nation n ON s.s_nationkey = n.n_nationkey JOIN region r ON n.n_regionkey = r.r_regionkey
            WHERE i.ps_partkey = p_partkey AND r.r_name = 'EUROPE')
        ORDER BY s_acctbal DESC, n_name, s_name, p_partkey LIMIT 100""",
    "3 shipping priority": f"""SELECT l_orderkey, SUM({_NET}) AS revenue, o_orderdate, o_shippriority
        FROM customer JOIN orders ON c_custkey = o_custkey JOIN lineitem ON l_orderkey = o_orderkey
        WHERE c_mktsegment = 'BUILDING' AND o_orderdate < DATE '1995-03-15' AND l_shipdate > DATE '1995-03-15'
        GROUP BY l_orderkey, o_orderdate, o_shippriority ORDER BY revenue DESC, o_orderdate, l_orderkey LIMIT 10""",
    "4 order priority": """SELECT o_orderpriority, COUNT(*) AS n FROM orders WHERE o_orderdate >= DATE '1993-07-01'
        AND o_orderdate < DATE '1993-07-01' + INTERVAL '3' MONTH AND EXISTS (SELECT 1 FROM lineitem
        WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate) GROUP BY 1 ORDER BY 1""",
    "5 local suppliers": f"""SELECT n_name, SUM({_NET}) AS revenue FROM customer JOIN orders ON c_custkey = o_custkey
        JOIN lineitem ON l_orderkey = o_orderkey JOIN supplier ON l_suppkey = s_suppkey AND c_nationkey = s_nationkey
        JOIN nation ON s_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey
        WHERE r_name = 'ASIA' AND o_orderdate >= DATE '1994-01-01' GROUP BY 1 ORDER BY revenue DESC""",
    "6 forecast": """SELECT SUM(l_extendedprice * l_discount) AS revenue FROM lineitem WHERE l_shipdate >= DATE '1994-01-01'
        AND l_shipdate < DATE '1995-01-01' AND l_discount BETWEEN 0.06 - 0.01 AND 0.06 + 0.01 AND l_quantity < 24""",
    "7 volume between nations": f"""SELECT supp, cust, yr, SUM(volume) AS revenue FROM (
        SELECT a.n_name AS supp, b.n_name AS cust, EXTRACT(YEAR FROM l_shipdate) AS yr, {_NET} AS volume
        FROM supplier JOIN lineitem ON s_suppkey = l_suppkey JOIN orders ON o_orderkey = l_orderkey
        JOIN customer ON c_custkey = o_custkey JOIN nation a ON s_nationkey = a.n_nationkey
        JOIN nation b ON c_nationkey = b.n_nationkey
        WHERE ((a.n_name = 'FRANCE' AND b.n_name = 'GERMANY') OR (a.n_name = 'GERMANY' AND b.n_name = 'FRANCE'))
        AND l_shipdate BETWEEN DATE '1995-01-01' AND DATE '1996-12-31') AS shipping GROUP BY 1, 2, 3 ORDER BY 1, 2, 3""",
    "8 market share": f"""SELECT yr, SUM(CASE WHEN nation = 'BRAZIL' THEN volume ELSE 0 END) / SUM(volume) AS share FROM (
        SELECT EXTRACT(YEAR FROM o_orderdate) AS yr, {_NET} AS volume, b.n_name AS nation
        FROM part JOIN lineitem ON p_partkey = l_partkey JOIN supplier ON s_suppkey = l_suppkey
        JOIN orders ON l_orderkey = o_orderkey JOIN customer ON o_custkey = c_custkey
        JOIN nation a ON c_nationkey = a.n_nationkey JOIN region ON a.n_regionkey = r_regionkey
        JOIN nation b ON s_nationkey = b.n_nationkey WHERE r_name = 'AMERICA' AND p_type LIKE 'ECONOMY%') AS sold
        GROUP BY 1 ORDER BY 1""",
    "9 profit by product": f"""SELECT nation, yr, SUM(amount) AS profit FROM (
        SELECT n_name AS nation, EXTRACT(YEAR FROM o_orderdate) AS yr, {_NET} - ps_supplycost * l_quantity AS amount
        FROM part JOIN lineitem ON p_partkey = l_partkey JOIN supplier ON s_suppkey = l_suppkey
        JOIN partsupp ON ps_suppkey = l_suppkey AND ps_partkey = l_partkey JOIN orders ON o_orderkey = l_orderkey
        JOIN nation ON s_nationkey = n_nationkey WHERE p_name LIKE '%green%') AS made GROUP BY 1, 2 ORDER BY 1, 2 DESC""",
    "10 returned items": f"""SELECT c_custkey, c_name, SUM({_NET}) AS revenue, c_acctbal, n_name, c_address, c_phone, c_comment
        FROM customer JOIN orders ON c_custkey = o_custkey JOIN lineitem ON l_orderkey = o_orderkey
        JOIN nation ON c_nationkey = n_nationkey WHERE o_orderdate >= DATE '1993-10-01' AND l_returnflag = 'R'
        GROUP BY c_custkey, c_name, c_acctbal, c_phone, n_name, c_address, c_comment ORDER BY revenue DESC, c_custkey LIMIT 20""",
    "11 important stock": """SELECT ps_partkey, SUM(ps_supplycost * ps_availqty) AS worth FROM partsupp
        JOIN supplier ON ps_suppkey = s_suppkey JOIN nation ON s_nationkey = n_nationkey WHERE n_name IN ('GERMANY', 'FRANCE')
        GROUP BY 1 HAVING SUM(ps_supplycost * ps_availqty) > (SELECT SUM(p.ps_supplycost * p.ps_availqty) * 0.01
            FROM partsupp p JOIN supplier s ON p.ps_suppkey = s.s_suppkey JOIN nation n ON s.s_nationkey = n.n_nationkey
            WHERE n.n_name IN ('GERMANY', 'FRANCE')) ORDER BY worth DESC, ps_partkey""",
    "12 shipping modes": """SELECT l_shipmode, SUM(CASE WHEN o_orderpriority IN ('1-URGENT', '2-HIGH') THEN 1 ELSE 0 END) AS high,
        SUM(CASE WHEN o_orderpriority NOT IN ('1-URGENT', '2-HIGH') THEN 1 ELSE 0 END) AS low
        FROM orders JOIN lineitem ON o_orderkey = l_orderkey WHERE l_shipmode IN ('MAIL', 'SHIP')
        AND l_commitdate < l_receiptdate AND l_shipdate < l_commitdate AND l_receiptdate >= DATE '1994-01-01'
        GROUP BY 1 ORDER BY 1""",
    "13 orders by customer": """SELECT c_count, COUNT(*) AS custdist FROM (SELECT c_custkey, COUNT(o_orderkey) AS c_count
        FROM customer LEFT JOIN orders ON c_custkey = o_custkey AND o_comment NOT LIKE '%special%requests%'
        GROUP BY c_custkey) AS c_orders GROUP BY 1 ORDER BY custdist DESC, c_count DESC""",
    "14 promotion effect": f"""SELECT 100.00 * SUM(CASE WHEN p_type LIKE 'PROMO%' THEN {_NET} ELSE 0 END) / SUM({_NET}) AS promo
        FROM lineitem JOIN part ON l_partkey = p_partkey WHERE l_shipdate >= DATE '1995-09-01'
        AND l_shipdate < DATE '1995-09-01' + INTERVAL '1' MONTH""",
    "15 top supplier": f"""WITH revenue AS (SELECT l_suppkey AS supplier_no, SUM({_NET}) AS total FROM lineitem
        WHERE l_shipdate >= DATE '1996-01-01' AND l_shipdate < DATE '1996-01-01' + INTERVAL '3' MONTH GROUP BY 1)
        SELECT s_suppkey, s_name, s_address, s_phone, total FROM supplier JOIN revenue ON s_suppkey = supplier_no
        WHERE total = (SELECT MAX(total) FROM revenue) ORDER BY s_suppkey""",
    "16 suppliers of parts": """SELECT p_brand, p_type, p_size, COUNT(DISTINCT ps_suppkey) AS n FROM partsupp
        JOIN part ON p_partkey = ps_partkey WHERE p_brand <> 'Brand#12' AND p_type NOT LIKE 'STANDARD POLISHED%'
        AND p_size IN (3, 9, 14, 19, 23, 36, 45, 49) AND ps_suppkey NOT IN (SELECT s_suppkey FROM supplier
            WHERE s_comment LIKE '%Customer%Complaints%') GROUP BY 1, 2, 3 ORDER BY n DESC, p_brand, p_type, p_size""",
    "17 small orders": """SELECT SUM(l_extendedprice) / 7.0 AS yearly FROM lineitem JOIN part ON p_partkey = l_partkey
        WHERE p_container = 'MED BOX' AND l_quantity < (SELECT 0.2 * AVG(i.l_quantity) FROM lineitem i
        WHERE i.l_partkey = p_partkey)""",
    "18 large orders": """SELECT c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice, SUM(l_quantity) AS qty
        FROM customer JOIN orders ON c_custkey = o_custkey JOIN lineitem ON o_orderkey = l_orderkey
        WHERE o_orderkey IN (SELECT l.l_orderkey FROM lineitem l GROUP BY l.l_orderkey HAVING SUM(l.l_quantity) > 150)
        GROUP BY 1, 2, 3, 4, 5 ORDER BY o_totalprice DESC, o_orderdate, o_orderkey LIMIT 100""",
    "19 discounted revenue": f"""SELECT SUM({_NET}) AS revenue FROM lineitem JOIN part ON p_partkey = l_partkey
        WHERE (p_brand = 'Brand#12' AND p_container IN ('SM CASE', 'MED BAG') AND l_quantity BETWEEN 1 AND 31
            AND p_size BETWEEN 1 AND 25 AND l_shipmode IN ('AIR', 'AIR REG'))
        OR (p_brand = 'Brand#23' AND p_container IN ('MED BOX', 'LG BOX') AND l_quantity BETWEEN 10 AND 40
            AND l_shipinstruct = 'DELIVER IN PERSON')""",
    "20 part promotion": """SELECT s_name, s_address FROM supplier JOIN nation ON s_nationkey = n_nationkey
        WHERE s_suppkey IN (SELECT ps_suppkey FROM partsupp WHERE ps_partkey IN (SELECT p_partkey FROM part
            WHERE p_name LIKE 'forest%') AND ps_availqty > (SELECT 0.5 * SUM(l_quantity) FROM lineitem
            WHERE l_partkey = ps_partkey AND l_suppkey = ps_suppkey AND l_shipdate >= DATE '1994-01-01'))
        AND n_name IN ('CANADA', 'FRANCE', 'INDIA') ORDER BY s_name""",
    "21 waiting suppliers": """SELECT s_name, COUNT(*) AS waits FROM supplier JOIN lineitem a ON s_suppkey = a.l_suppkey
        JOIN orders ON o_orderkey = a.l_orderkey JOIN nation ON s_nationkey = n_nationkey
        WHERE o_orderstatus = 'F' AND a.l_receiptdate > a.l_commitdate
        AND EXISTS (SELECT 1 FROM lineitem b WHERE b.l_orderkey = a.l_orderkey AND b.l_suppkey <> a.l_suppkey)
        AND NOT EXISTS (SELECT 1 FROM lineitem c WHERE c.l_orderkey = a.l_orderkey AND c.l_suppkey <> a.l_suppkey
            AND c.l_receiptdate > c.l_commitdate)
        GROUP BY 1 ORDER BY waits DESC, s_name LIMIT 100""",
    "22 sales opportunity": """SELECT cntrycode, COUNT(*) AS n, SUM(c_acctbal) AS total FROM (
        SELECT SUBSTRING(c_phone FROM 1 FOR 2) AS cntrycode, c_acctbal FROM customer
        WHERE SUBSTRING(c_phone FROM 1 FOR 2) IN ('13', '31', '23', '29', '30', '18', '17')
        AND c_acctbal > (SELECT AVG(i.c_acctbal) FROM customer i WHERE i.c_acctbal > 0.00)
        AND NOT EXISTS (SELECT 1 FROM orders WHERE o_custkey = c_custkey)) AS idle GROUP BY 1 ORDER BY 1""",
}  # fmt: skip
