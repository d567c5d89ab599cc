"""Statements written to get at hidden rows, hidden members or the machine, by the way they try.

``REFUSED`` must never be answered. ``PROBES`` may be answered or refused; whatever happens must be what happens where the
hidden rows do not exist.
"""

from __future__ import annotations

_POSITIONS = """
SELECT ({X})
SELECT 1 WHERE 1 = ({X})
SELECT order_id FROM orders WHERE amount > ({X})
SELECT order_id FROM orders GROUP BY order_id, ({X})
SELECT count(*) FROM orders HAVING count(*) > ({X})
SELECT order_id FROM orders ORDER BY ({X})
SELECT order_id FROM orders LIMIT ({X})
SELECT order_id FROM orders OFFSET ({X})
SELECT order_id FROM orders LIMIT ({X}) PERCENT
SELECT sum(amount) OVER (PARTITION BY ({X})) FROM orders
SELECT sum(amount) OVER (ORDER BY order_id ROWS BETWEEN ({X}) PRECEDING AND CURRENT ROW) FROM orders
SELECT sum(amount) OVER w FROM orders WINDOW w AS (ORDER BY ({X}))
SELECT lag(amount, ({X})) OVER (ORDER BY order_id) FROM orders
SELECT order_id FROM orders QUALIFY rank() OVER (ORDER BY amount) < ({X})
SELECT count(*) FILTER (WHERE amount < ({X})) FROM orders
SELECT string_agg(status, ',' ORDER BY ({X})) FROM orders
SELECT CASE ({X}) WHEN 1 THEN 2 END
SELECT CASE WHEN 1 = 1 THEN 2 ELSE ({X}) END
SELECT CAST(({X}) AS VARCHAR)
SELECT coalesce(NULL, ({X}))
SELECT -({X})
SELECT NOT (({X}) IS NULL)
SELECT 1 IN (({X}))
SELECT 1 BETWEEN ({X}) AND 5
SELECT ARRAY[({X})]
SELECT [({X})]
SELECT {'a': ({X})}
SELECT MAP {'a': ({X})}
SELECT ROW(({X}))
SELECT ({X})::DOUBLE
SELECT * FROM (VALUES (({X}))) t(a)
SELECT * FROM (SELECT ({X})) t
SELECT * FROM orders o JOIN customers c ON c.customer_id = ({X})
SELECT * FROM orders o, LATERAL (SELECT ({X}) AS z) l
WITH q AS (SELECT ({X}) AS z) SELECT * FROM q
WITH q AS MATERIALIZED (SELECT ({X}) AS z) SELECT 1 FROM q
WITH q AS (SELECT 1 AS z), r AS (SELECT ({X}) AS z) SELECT * FROM q
WITH RECURSIVE q AS (SELECT 1 AS z UNION ALL SELECT ({X}) FROM q WHERE z < 1) SELECT * FROM q
SELECT 1 UNION ALL ({X})
SELECT 1 UNION ALL SELECT ({X})
SELECT 1 EXCEPT SELECT ({X})
SELECT EXISTS ({X})
SELECT 1 = ANY ({X})
SELECT 1 > ALL ({X})
SELECT date_trunc('day', ({X}))
SELECT EXTRACT(year FROM ({X}))
SELECT substring(status, ({X})) FROM orders
SELECT status LIKE ({X})::VARCHAR FROM orders
SELECT status LIKE 'a' ESCAPE ({X}) FROM orders
SELECT created_at AT TIME ZONE ({X}) FROM orders
SELECT INTERVAL (({X})) DAY
SELECT DISTINCT ON (({X})) order_id FROM orders
SELECT MEASURE(count) FROM orders GROUP BY ({X})
SELECT MEASURE(({X})) FROM orders
SELECT * REPLACE (({X}) AS amount) FROM orders
SELECT COLUMNS(x -> x = ({X})) FROM orders
SELECT list_transform([1], x -> ({X}))
SELECT list_filter([1], lambda x : x = ({X}))
SELECT [z FOR z IN [1] IF z = ({X})]
SELECT orders.amount, ({X}) FROM orders GROUP BY ALL
SELECT amount FROM orders ORDER BY ALL LIMIT ({X})
SELECT * FROM orders TABLESAMPLE (({X}) ROWS)
SELECT * FROM (PIVOT orders ON status USING sum(amount) GROUP BY region) p WHERE 1 = ({X})
SELECT * FROM orders o ASOF JOIN ({X}) s(pay) ON o.amount >= s.pay
SELECT * FROM orders POSITIONAL JOIN ({X}) s
SELECT * FROM orders SEMI JOIN ({X}) s(order_id) USING (order_id)
SELECT * FROM orders NATURAL JOIN ({X}) s
FROM ({X}) s SELECT s.pay
FROM orders SELECT amount WHERE amount > ({X})
TABLE orders ORDER BY ({X})
SELECT order_id FROM orders ANTI JOIN ({X}) s(order_id) USING (order_id)
SELECT order_id FROM orders WHERE (order_id, amount) IN ((1, ({X})))
SELECT order_id FROM orders WHERE amount >= ALL (SELECT ({X}))
SELECT count(DISTINCT (status, ({X}))) FROM orders
SELECT status, GROUPING(({X})) FROM orders GROUP BY ROLLUP (status)
SELECT date_trunc_gapfill('day', ({X})), count(*) FROM orders GROUP BY 1
SELECT date_add(({X}), INTERVAL '1 day')
"""
_FORBIDDEN_READS = (
    "SELECT max(pay) FROM raw.secrets",
    "SELECT max(pay) FROM secrets",
    "SELECT count(*) FROM raw.orders",
    "SELECT max(email) FROM customers",
    "SELECT max(internal_note) FROM orders",
    "FROM duckdb_tables() SELECT count(*)",
)

_REFUSED = r"""
SELECT * FROM orders POSITIONAL JOIN customers
SELECT * FROM orders ASOF JOIN customers ON TRUE
SELECT pg_typeof(amount) FROM orders
SELECT current_role
SELECT to_regclass('raw.customers')
SELECT * FROM pragma_storage_info('raw.customers')
SELECT * FROM customers SEMI JOIN orders ON email = status
SELECT c.name FROM orders o SEMI JOIN customers c ON o.order_id = c.customer_id
SELECT o.order_id FROM orders o ANTI JOIN customers c ON o.order_id = c.customer_id WHERE c.name = 'x'
SELECT name FROM customers WHERE (name, email) IN (('a', 'b'))
SELECT name FROM customers WHERE name = ANY (SELECT email FROM customers)
SELECT GROUPING(email) FROM customers GROUP BY ROLLUP (name)
SELECT * EXCLUDE (email) FROM customers
SELECT * REPLACE (name AS email) FROM customers
SELECT amount = ANY ([1, 2]) FROM orders
SELECT * FROM raw.secrets
SELECT * FROM "raw"."secrets"
SELECT * FROM RAW.SECRETS
SELECT * FROM "raw.secrets"
SELECT * FROM 'raw.secrets'
SELECT * FROM "full".raw.secrets
SELECT * FROM data.raw.secrets
SELECT * FROM main.orders
SELECT * FROM temp.orders
SELECT * FROM system.main.duckdb_tables
SELECT * FROM sqlite_master
SELECT * FROM pg_catalog.pg_tables
SELECT * FROM information_schema.tables
SELECT * FROM duckdb_settings()
SELECT * FROM pragma_table_info('orders')
SELECT * FROM pragma_storage_info('raw.orders')
SELECT * FROM query('SELECT 1')
SELECT * FROM query_table('orders')
SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))
SELECT json_serialize_plan('SELECT 1')
SELECT * FROM read_csv_auto('/etc/passwd')
SELECT * FROM '/etc/passwd'
SELECT * FROM "file.parquet"
SELECT * FROM glob('/*')
SELECT * FROM range(10)
SELECT * FROM generate_series(1, 10)
SELECT * FROM unnest([1, 2])
SELECT unnest([1, 2])
SELECT range(1000000000)
SELECT repeat('a', 1000000000)
SELECT lpad('a', 1000000000, 'b')
SELECT rpad('a', 1000000000, 'b')
SELECT list_transform(range(100000000), x -> x)
SELECT sleep_ms(10000)
SELECT error('x')
SELECT getenv('HOME')
SELECT getvariable('x')
SELECT current_setting('memory_limit')
SELECT set_config('x', 'y')
SELECT version()
SELECT current_user
SELECT session_user
SELECT user
SELECT current_database()
SELECT current_schema
SELECT current_catalog
SELECT current_query()
SELECT txid_current()
SELECT pg_typeof(1)
SELECT nextval('s')
SELECT currval('s')
SELECT write_log('x')
SELECT parse_path('/etc/passwd')
SELECT hash(orders) FROM orders
SELECT rowid FROM orders
SELECT orders.rowid FROM orders
SELECT file_row_number FROM orders
SELECT __internal_column FROM orders
SELECT #1 FROM orders
SELECT $1
SELECT ?
SELECT $name
SELECT :name
SELECT @x
SELECT COLUMNS('.*') FROM orders
SELECT COLUMNS(*) FROM customers WHERE email IS NOT NULL
SELECT * EXCLUDE (name) FROM customers WHERE email LIKE 'C%'
SELECT email FROM customers
SELECT "email" FROM customers
SELECT "EMAIL" FROM customers
SELECT c.email FROM customers c
SELECT customers.email FROM customers
SELECT name FROM customers GROUP BY name, email
SELECT name FROM customers ORDER BY email
SELECT name FROM customers WHERE email > 'C'
SELECT MEASURE(mails) FROM customers
SELECT count(*) FILTER (WHERE email > 'A') FROM customers
SELECT sum(credit) OVER (PARTITION BY email) FROM customers
SELECT c.name FROM customers c JOIN orders o ON c.email = o.internal_note
SELECT c.name FROM customers c JOIN customers d USING (email)
SELECT customers_email FROM sales
SELECT internal_note FROM sales
SELECT internal_note FROM orders
SELECT x.a FROM (SELECT email AS a FROM customers) x
WITH q AS (SELECT internal_note FROM orders) SELECT 1 FROM q
SELECT 1 FROM orders o WHERE EXISTS (SELECT 1 FROM customers c WHERE o.internal_note = c.name)
INSERT INTO orders VALUES (1)
UPDATE orders SET amount = 1
DELETE FROM orders
TRUNCATE orders
MERGE INTO orders USING customers ON true WHEN MATCHED THEN DELETE
DROP VIEW orders
ALTER TABLE orders ADD COLUMN x INT
CREATE VIEW v AS SELECT 1
CREATE TABLE t AS SELECT * FROM orders
CREATE MACRO count(x) AS 1
CREATE TEMP MACRO m() AS TABLE FROM raw.secrets
WITH x AS (INSERT INTO raw.orders SELECT * FROM raw.orders RETURNING *) SELECT * FROM x
WITH x AS (DELETE FROM raw.orders RETURNING *) SELECT * FROM x
COPY orders TO '/tmp/x'
COPY (SELECT 1) TO '/tmp/x'
EXPORT DATABASE '/tmp/x'
IMPORT DATABASE '/tmp/x'
ATTACH ':memory:' AS z
DETACH data
USE raw
SET search_path = 'raw'
SET VARIABLE x = 1
RESET memory_limit
PRAGMA database_list
PRAGMA version
CALL pragma_version()
INSTALL httpfs
LOAD icu
VACUUM
ANALYZE
CHECKPOINT
BEGIN
PREPARE p AS SELECT 1
EXECUTE p
DEALLOCATE p
EXPLAIN SELECT 1
EXPLAIN ANALYZE SELECT * FROM orders
DESCRIBE orders
SHOW TABLES
SHOW ALL TABLES
SUMMARIZE orders
SELECT * FROM (DESCRIBE orders)
SELECT * FROM (SUMMARIZE raw.orders)
SELECT * FROM (SHOW TABLES)
SELECT 1; SELECT 2
SELECT 1; DROP TABLE raw.orders
;
SELECT
SELECT FROM orders
SELECT * FROM orders o, raw.secrets
SELECT * FROM orders NATURAL JOIN raw.secrets
SELECT * FROM orders POSITIONAL JOIN raw.secrets
SELECT * FROM orders ASOF JOIN raw.secrets s ON orders.amount >= s.pay
SELECT * FROM orders CROSS JOIN LATERAL (SELECT * FROM raw.secrets) s
SELECT * FROM orders ANTI JOIN raw.secrets s ON true
WITH orders AS (SELECT * FROM raw.orders) SELECT * FROM orders
WITH raw AS (SELECT 1) SELECT * FROM raw.secrets
WITH "raw.secrets" AS (SELECT 1 AS x) SELECT * FROM raw.secrets
WITH secrets AS (SELECT * FROM secrets) SELECT * FROM secrets
WITH RECURSIVE secrets AS (SELECT pay FROM secrets) SELECT * FROM secrets
SELECT secrets.pay FROM orders AS secrets
SELECT orders.pay FROM orders
SELECT data.raw.orders.internal_note FROM orders
SELECT raw.orders.internal_note FROM orders
SELECT orders.internal_note.x FROM orders
SELECT (orders).internal_note FROM orders
SELECT struct_extract(orders, 'internal_note') FROM orders
SELECT orders['internal_note'] FROM orders
SELECT to_json(orders) FROM orders
SELECT * FROM orders AT (VERSION => 1)
SELECT * FROM orders AT (TIMESTAMP => now())
SELECT 'x'::regclass
SELECT 'raw.secrets'::regclass::oid
SELECT CAST('orders' AS REGTYPE)
SELECT CAST(1 AS some_type)
SELECT nosuch(1)
SELECT pg_sleep(5)
SELECT orders.count FROM orders, raw.secrets
SELECT pay​FROM​raw.secrets
SELECT pay FROM raw.secrets
SELECT﻿*﻿FROM﻿raw.secrets
SELECT * FROM raw⁠.secrets
SELECT * FROM ｏｒｄｅｒｓ
SELECT * FROM оrders
SELECT * FROM orders‮
SELECT * FROM orderſ
SELECT emaıl FROM customers
SELECT * FROM `raw`.`secrets`
SELECT * FROM [raw].[secrets]
SELECT * FROM raw/**/./**/secrets
SELECT * FROM raw -- x
SELECT U&"\0065mail" FROM customers
SELECT E'\x00' FROM raw.secrets
SELECT $$a$$ FROM raw.secrets
SELECT $tag$ FROM orders $tag$, pay FROM raw.secrets
SELECT /* a /* b */ c */ pay FROM raw.secrets
SELECT '\', pay FROM raw.secrets --'
SELECT "a""b", pay FROM raw.secrets
"""

_PROBES = """
SELECT order_id FROM orders WHERE amount >= ALL (SELECT amount FROM orders)
SELECT order_id FROM orders WHERE amount <= ANY (SELECT amount FROM orders)
SELECT order_id FROM orders WHERE amount > ALL (SELECT CAST(code AS INT) FROM orders)
SELECT name FROM customers c ANTI JOIN orders o ON o.amount > 700
SELECT name FROM customers c SEMI JOIN orders o ON CAST(o.code AS INTEGER) = 7
SELECT order_id FROM orders WHERE (region, status) IN (('APAC', 'pending'), ('EMEA', 'completed'))
SELECT count(DISTINCT (region, status, code)) FROM orders
SELECT region, GROUPING(region), count(*) FROM orders GROUP BY ROLLUP (region)
SELECT date_trunc_gapfill('day', created_at) AS d, count(*) FROM orders GROUP BY 1
SELECT date_trunc_gapfill('month', created_at) AS d, region, MEASURE(total_amount) FROM orders GROUP BY 1, 2
SELECT date_trunc_gapfill('week', created_at) AS d, MEASURE(rolling), MEASURE(count) FROM orders GROUP BY 1
SELECT MEASURE(rolling) FROM orders WHERE created_at < '2024-05-01'
SELECT tier, MEASURE(customers_total_credit) FROM sales GROUP BY customers_tier
SELECT customers_tier, MEASURE(customers_total_credit), MEASURE(customers_count) FROM sales GROUP BY 1
SELECT MEASURE(customers_count), MEASURE(products_avg_price) FROM sales
SELECT * EXCLUDE (order_id) FROM orders
SELECT count(*) FROM orders WHERE status LIKE status || chr(92)
SELECT (SELECT o2.status FROM orders o2 WHERE o2.region = o.region) FROM orders o
SELECT date_add(created_at, INTERVAL '290000 years') FROM orders
SELECT 1 FROM orders; --
SELECT * FROM orders
SELECT * FROM customers
SELECT * FROM sales
SELECT count(*) FROM orders
SELECT count(*), count(status), count(DISTINCT status), min(amount), max(amount), sum(score) FROM orders
SELECT approx_count_distinct(status) FROM orders
SELECT min(order_id), max(order_id) FROM orders
SELECT max(created_at), min(created_at) FROM orders
SELECT CAST(code AS INTEGER) FROM orders
SELECT CAST(status AS INTEGER) FROM orders
SELECT count(*) FROM orders WHERE CAST(code AS INTEGER) > 3
SELECT count(*) FROM orders WHERE CAST(code AS TINYINT) > 3
SELECT count(*) FROM orders WHERE CAST(code AS DATE) > DATE '2020-01-01'
SELECT count(*) FROM orders WHERE CAST(amount AS DECIMAL(7,2)) > 3
SELECT count(*) FROM orders WHERE CAST(score AS TINYINT) IS NULL
SELECT count(*) FROM orders WHERE CAST(amount * 1000000 AS INTEGER) > 3
SELECT count(*) FROM orders WHERE sqrt(score) > 3
SELECT count(*) FROM orders WHERE ln(qty) > 1
SELECT count(*) FROM orders WHERE 10 / qty > 1
SELECT count(*) FROM orders WHERE 10 % qty > 1
SELECT sum(amount / qty) FROM orders
SELECT sum(score * score * score) FROM orders
SELECT exp(score) FROM orders
SELECT pow(score, 50) FROM orders
SELECT factorial(qty) FROM orders
SELECT count(*) FROM orders WHERE strptime(code, '%d') IS NOT NULL
SELECT count(*) FROM orders WHERE code::UUID IS NULL
SELECT count(*) FROM orders WHERE regexp_matches(status, code)
SELECT count(*) FROM orders WHERE status SIMILAR TO code
SELECT count(*) FROM orders WHERE status LIKE code ESCAPE 'xx'
SELECT count(*) FROM orders WHERE date_trunc(code, created_at) IS NULL
SELECT count(*) FROM orders WHERE date_part(code, created_at) IS NULL
SELECT created_at AT TIME ZONE code FROM orders
SELECT make_date(qty, qty, qty) FROM orders
SELECT make_timestamp(qty, qty, qty, qty, qty, 1.0) FROM orders
SELECT chr(qty * 100000000) FROM orders
SELECT substring(code, CAST(amount AS BIGINT)) FROM orders
SELECT (SELECT order_id FROM orders WHERE amount > 700000)
SELECT (SELECT amount FROM orders o WHERE o.order_id > 1000)
SELECT name, (SELECT amount FROM orders o WHERE o.amount > 700000) FROM customers
SELECT customer_id, (SELECT max(amount) FROM orders WHERE order_id > customers.customer_id) FROM customers
SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.region = c.region AND CAST(o.code AS INT) > 3)
SELECT name FROM customers c WHERE c.credit > ALL (SELECT score FROM orders)
SELECT order_id FROM orders WHERE status IN (SELECT status FROM orders WHERE CAST(code AS INTEGER) < 50)
SELECT order_id FROM orders WHERE (region, status) IN (SELECT region, tier FROM customers)
SELECT order_id FROM orders WHERE amount = (SELECT max(amount) FROM orders)
SELECT o.order_id FROM orders o JOIN orders p ON o.order_id = p.order_id + 1000
SELECT o.order_id, p.order_id FROM orders o FULL JOIN orders p ON o.order_id = p.order_id AND CAST(p.code AS INTEGER) > 5
SELECT count(*) FROM orders o LEFT JOIN customers c ON CAST(o.code AS INTEGER) = c.customer_id WHERE c.name IS NULL
SELECT count(*) FROM orders o RIGHT JOIN customers c ON o.region = c.region WHERE o.order_id IS NULL
SELECT count(*) FROM orders o SEMI JOIN customers c ON o.region = c.region
SELECT count(*) FROM orders o ANTI JOIN customers c ON o.region = c.region
SELECT count(*) FROM orders JOIN customers USING (region)
SELECT count(*) FROM orders NATURAL JOIN customers
SELECT count(*) FROM orders POSITIONAL JOIN customers
SELECT count(*) FROM orders o ASOF JOIN customers c ON o.amount >= c.credit
SELECT count(*) FROM orders o, customers c WHERE o.region = c.region
SELECT o.order_id, l.n FROM orders o, LATERAL (SELECT count(*) AS n FROM customers c WHERE c.region = o.region) l
SELECT order_id FROM orders ORDER BY amount DESC, order_id LIMIT 3
SELECT order_id FROM orders ORDER BY CAST(code AS INTEGER), order_id LIMIT 3
SELECT order_id, status FROM orders ORDER BY status DESC, order_id LIMIT 3
SELECT order_id FROM orders ORDER BY order_id DESC LIMIT 1
SELECT order_id FROM orders ORDER BY order_id LIMIT 5 OFFSET 200
SELECT order_id FROM orders ORDER BY order_id LIMIT 10 PERCENT
SELECT DISTINCT status FROM orders ORDER BY 1 DESC LIMIT 2
SELECT DISTINCT ON (status) status, order_id FROM orders ORDER BY status, order_id
SELECT count(*) FROM orders TABLESAMPLE 100 PERCENT
SELECT status, count(*) FROM orders GROUP BY 1 HAVING count(*) > 100
SELECT status, count(*) FROM orders GROUP BY ROLLUP(status)
SELECT status, region, count(*) FROM orders GROUP BY CUBE(status, region)
SELECT status, region, count(*) FROM orders GROUP BY GROUPING SETS ((status), (region), ())
SELECT status, count(*) FROM orders GROUP BY ALL
SELECT count(*) OVER (), order_id FROM orders
SELECT ntile(5) OVER (ORDER BY order_id), order_id FROM orders
SELECT cume_dist() OVER (ORDER BY amount), order_id FROM orders
SELECT order_id, lag(order_id) OVER (ORDER BY order_id), lead(order_id) OVER (ORDER BY order_id) FROM orders
SELECT first_value(status) OVER (ORDER BY created_at, order_id) FROM orders
SELECT nth_value(order_id, 2) OVER (ORDER BY created_at, order_id) FROM orders
SELECT sum(amount) OVER (ORDER BY created_at, order_id RANGE BETWEEN INTERVAL 1 YEAR PRECEDING AND CURRENT ROW) FROM orders
SELECT max(status) OVER (ORDER BY order_id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM orders
SELECT order_id FROM orders QUALIFY row_number() OVER (ORDER BY amount DESC NULLS LAST, order_id) = 1
WITH q AS MATERIALIZED (SELECT * FROM orders) SELECT count(*) FROM q WHERE CAST(code AS INTEGER) > 3
WITH q AS NOT MATERIALIZED (SELECT * FROM orders) SELECT count(*) FROM q WHERE CAST(code AS INTEGER) > 3
WITH orders AS (SELECT * FROM orders) SELECT count(*) FROM orders
WITH customers AS (SELECT DISTINCT order_id AS customer_id, 'EMEA' AS region FROM orders) SELECT count(*) FROM orders
WITH customers AS (SELECT 1 AS customer_id, 'NA' AS region) SELECT count(*) FROM sales
WITH raw AS (SELECT 1 AS orders) SELECT count(*) FROM orders
WITH q AS (SELECT 1 AS a), orders AS (SELECT * FROM q) SELECT * FROM orders
WITH RECURSIVE r AS (SELECT min(order_id) AS n FROM orders UNION ALL SELECT n + 1 FROM r WHERE n < 20) SELECT count(*) FROM r
SELECT * FROM (WITH customers AS (SELECT 'x' AS name) SELECT name FROM customers) t, customers
SELECT count(*) FROM orders AS customers, customers AS orders
SELECT count(*) FROM "ORDERS"
SELECT count(*) FROM Orders AS "orders"
SELECT ORDERS.Amount FROM OrDeRs ORDER BY oRdErS.amount LIMIT 3
SELECT MEASURE(count), MEASURE(code_sum), MEASURE(per_item) FROM orders
SELECT MEASURE(code_sum) FROM orders WHERE code_number > 3
SELECT status, MEASURE(paid_share) FROM orders GROUP BY 1 HAVING MEASURE(code_sum) > 1000
SELECT MEASURE(count) FROM sales WHERE customers_name LIKE 'CANARY%'
SELECT customers_region, MEASURE(total_amount) FROM sales GROUP BY 1
SELECT MEASURE(count) FROM orders WHERE customers.region = 'NA'
SELECT count(*) FROM sales WHERE customers_credit > 700000
SELECT code_number, count(*) FROM orders GROUP BY 1
SELECT size, count(*) FROM orders GROUP BY 1
SELECT nosuch FROM orders
SELECT emial FROM customers
SELECT internal_not FROM orders
SELECT * FROM ordrs
SELECT * FROM secret
SELECT * FROM customer
SELECT statu FROM orders
SELECT cutomers_name FROM sales
SELECT MEASURE(mail) FROM customers
SELECT MEASURE(nope) FROM orders
SELECT upper(nosuch(1)) FROM orders
SELECT status + 1 FROM orders
SELECT sum(status) FROM orders
SELECT count(*) FROM orders WHERE region
SELECT count(*) FROM orders WHERE status = 3
SELECT count(*) FROM orders WHERE order_id = 'CANARY'
SELECT order_id AS status, status AS order_id FROM orders ORDER BY status LIMIT 3
SELECT o FROM orders o LIMIT 1
SELECT orders FROM orders
SELECT t.* FROM orders t WHERE t IS NULL
SELECT * FROM (SELECT * FROM customers) t(a, b, c, d, e, f)
SELECT * FROM (SELECT * FROM customers) t(a, b, c, d, e, f, g)
SELECT count(*) FROM orders WHERE region IS NULL
SELECT count(*) FROM orders WHERE region IS DISTINCT FROM 'EMEA'
SELECT count(*) FROM orders WHERE region = 'EMEA' OR TRUE
SELECT count(*) FROM orders WHERE NOT (region = 'EMEA')
SELECT count(*) FROM orders WHERE (region = 'EMEA') IS UNKNOWN
SELECT count(*) FROM orders WHERE coalesce(region, 'NA') = 'NA'
SELECT 1 UNION SELECT order_id FROM orders WHERE order_id > 1000
SELECT order_id FROM orders EXCEPT ALL SELECT order_id FROM sales
SELECT order_id FROM orders INTERSECT SELECT customer_id FROM customers
SELECT region FROM orders UNION BY NAME SELECT region, name FROM customers
FROM orders SELECT count(*)
FROM orders
TABLE orders
SELECT current_date > DATE '2000-01-01', now() > TIMESTAMP '2000-01-01'
SELECT random() < 2 FROM orders LIMIT 1
SELECT count(*) FROM orders WHERE order_id * 9000000000000000 > 5
SELECT count(*) FROM orders WHERE order_id * 9000000000000000 > 5 AND status IS NOT NULL
SELECT sum(order_id * 9000000000000000) FROM orders WHERE order_id < 3
SELECT order_id * 30000000000000000 FROM orders WHERE order_id <= 240
SELECT count(*) FILTER (WHERE order_id * 9000000000000000 > 5) FROM orders
SELECT count(*) FROM orders GROUP BY order_id * 9000000000000000
SELECT order_id FROM orders ORDER BY order_id * 9000000000000000, order_id LIMIT 3
SELECT max(order_id * 9000000000000000) OVER (ORDER BY order_id) FROM orders
SELECT count(*) FROM orders o JOIN customers c ON o.order_id * 9000000000000000 > c.customer_id
SELECT count(*) FROM orders o LEFT JOIN orders p ON o.order_id * 9000000000000000 = p.order_id
SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.order_id * 9000000000000000 > c.customer_id)
SELECT count(*) FROM customers WHERE customer_id IN (SELECT order_id * 9000000000000000 FROM orders)
SELECT CASE WHEN order_id > 1000 THEN order_id * 9000000000000000 ELSE 0 END AS a, count(*) FROM orders GROUP BY 1
SELECT count(*) FROM orders WHERE -order_id * 9000000000000000 < 5
SELECT count(*) FROM orders WHERE order_id + 9223372036854775500 > 5
SELECT count(*) FROM orders WHERE 0 - 9223372036854774900 - order_id < 5
SELECT count(*) FROM orders WHERE amount * amount * amount * amount * amount * amount > 5
SELECT count(*) FROM orders WHERE amount * 10000000000000000000000000000000.5 > 5
SELECT sum(amount * 1000000000000000000000000000.5) FROM orders WHERE order_id <= 240
SELECT count(*) FROM orders WHERE score * 1e10 > 5
SELECT count(*) FROM orders WHERE score * score < 5
SELECT count(*) FROM orders WHERE round(score, 2) > 5
SELECT count(*) FROM orders WHERE round(score) > 5
SELECT count(*) FROM orders WHERE floor(score)::BIGINT > 5
SELECT count(*) FROM orders WHERE abs(score) > 5
SELECT count(*) FROM orders WHERE pow(score, 3) > 5
SELECT count(*) FROM orders WHERE pow(order_id, 400) > 5
SELECT count(*) FROM orders WHERE exp(order_id) > 5
SELECT count(*) FROM orders WHERE stddev(score) OVER () > 5
SELECT stddev(score), variance(score), corr(score, amount) FROM orders
SELECT stddev(score) FROM orders WHERE order_id <= 240
SELECT avg(score), sum(score) FROM orders WHERE order_id > 1000
SELECT sum(score) OVER (ORDER BY order_id), order_id FROM orders
SELECT count(*) FROM orders WHERE created_at + INTERVAL '290000 years' > created_at
SELECT count(*) FROM orders WHERE created_at - INTERVAL '2300 years' < created_at
SELECT count(*) FROM orders WHERE date_diff('microsecond', ship_date, created_at) > 5
SELECT count(*) FROM orders WHERE date_diff('second', ship_date, TIMESTAMP '2024-01-01') > 5
SELECT count(*) FROM orders WHERE left(code, order_id * 9000000) = 'C'
SELECT count(*) FROM orders WHERE substring(code, order_id * 9000000, 5) = 'C'
SELECT count(*) FROM orders WHERE split_part(code, '_', order_id * 9000000) = 'C'
SELECT count(*) FROM orders WHERE strftime(created_at, '%Q') = 'C'
SELECT count(*) FROM orders WHERE regexp_like(code, '(')
SELECT count(*) FROM orders WHERE code ~ '^C' AND CAST(substring(code, 2) AS INTEGER) > 1
SELECT ntile(order_id) OVER (ORDER BY order_id) FROM orders
SELECT lag(order_id, order_id) OVER (ORDER BY order_id) FROM orders
SELECT nth_value(order_id, 1001) OVER (ORDER BY order_id) FROM orders
SELECT quantile_cont(score, 0.5), median(code_number), mode(size) FROM orders
SELECT product(order_id) FROM orders
SELECT skewness(score), kurtosis(score) FROM orders
SELECT arg_max(status, amount), arg_min(code, score) FROM orders
SELECT count(*) FROM orders WHERE code = order_id
SELECT count(*) FROM orders WHERE order_id = code
SELECT count(*) FROM orders WHERE code > order_id
SELECT count(*) FROM orders WHERE order_id IN (code, status)
SELECT count(*) FROM orders WHERE code IN (1, 2, 3)
SELECT count(*) FROM orders WHERE status BETWEEN order_id AND qty
SELECT count(*) FROM orders WHERE status IS DISTINCT FROM qty
SELECT count(*) FROM orders WHERE is_paid = status
SELECT count(*) FROM orders WHERE is_paid = qty
SELECT count(*) FROM orders WHERE created_at > status
SELECT count(*) FROM orders WHERE ship_date = code
SELECT count(*) FROM orders WHERE created_at = order_id
SELECT count(*) FROM orders WHERE coalesce(qty, code) = 3
SELECT count(*) FROM orders WHERE nullif(qty, code) = 3
SELECT count(*) FROM orders WHERE greatest(qty, code) = 3
SELECT CASE WHEN qty > 2 THEN qty ELSE code END FROM orders
SELECT CASE qty WHEN code THEN 1 WHEN status THEN 2 END FROM orders
SELECT count(*) FROM orders WHERE qty + code > 3
SELECT count(*) FROM orders WHERE -code > 3
SELECT sum(code) FROM orders
SELECT avg(status) FROM orders
SELECT abs(code) FROM orders
SELECT count(*) FROM orders WHERE code
SELECT count(*) FROM orders WHERE NOT status
SELECT count(*) FROM orders WHERE order_id LIKE '1%'
SELECT count(*) FROM orders WHERE created_at LIKE '2024%'
SELECT qty FROM orders UNION ALL SELECT code FROM orders
SELECT code FROM orders UNION SELECT qty FROM orders
SELECT code FROM orders EXCEPT SELECT order_id FROM orders
SELECT created_at FROM orders UNION ALL SELECT code FROM orders
SELECT count(*) FROM orders WHERE qty IN (SELECT code FROM orders)
SELECT count(*) FROM orders WHERE code IN (SELECT order_id FROM orders)
SELECT count(*) FROM orders o JOIN customers c ON o.code = c.customer_id
SELECT count(*) FROM orders o LEFT JOIN customers c ON c.customer_id = o.code AND c.credit > o.status
SELECT count(*) FROM orders o JOIN customers c USING (region) WHERE o.code = c.customer_id
SELECT count(*) FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.code = c.customer_id)
SELECT order_id FROM orders ORDER BY code + 0, order_id LIMIT 3
SELECT lag(qty, 1, code) OVER (ORDER BY order_id) FROM orders
SELECT sum(qty) OVER (PARTITION BY code = order_id ORDER BY order_id) FROM orders
SELECT date_trunc('month', code) FROM orders
SELECT EXTRACT(year FROM status) FROM orders
SELECT code - created_at FROM orders
SELECT created_at - ship_date, ship_date - DATE '2024-01-01', created_at + qty FROM orders
SELECT count(*) FROM orders WHERE ship_date + order_id > DATE '2024-01-01'
SELECT count(*) FROM orders WHERE ship_date - order_id * 1000000 > DATE '2024-01-01'
SELECT count(*) FROM orders WHERE created_at + INTERVAL '1 day' * order_id > DATE '2024-01-01'
SELECT count(*) FROM orders WHERE created_at + INTERVAL '1 year' * (order_id * 100) > DATE '2024-01-01'
SELECT order_id << 60 FROM orders WHERE order_id < 3
SELECT count(*) FROM orders WHERE order_id << 60 > 0
SELECT count(*) FROM orders WHERE order_id & 1 = 1
SELECT count(*) FROM orders WHERE ~order_id > 0
SELECT count(*) FROM orders WHERE order_id ^ 7 > 0
SELECT count(*) FROM orders WHERE amount::DECIMAL(38,30) > 0
SELECT count(*) FROM orders WHERE amount > 0.1234567890123456789012345678901234567
SELECT count(*) FROM orders WHERE amount IN (0.12345678901234567890123456789, 1)
SELECT count(*) FROM orders WHERE amount BETWEEN 1e-30 AND 99999999999999999999999999999999999999
SELECT count(*) FROM orders WHERE amount = 99999999999999999999999999999999999999
SELECT count(*) FROM orders WHERE order_id = 99999999999999999999999999999999999999
SELECT count(*) FROM orders WHERE qty / 3 * 3000000000 > 5
SELECT count(*) FROM orders WHERE amount / score > 5
SELECT count(*) FROM orders WHERE amount % score > 5
SELECT count(*) FROM orders WHERE mod(order_id, qty) = 0
SELECT concat(code, order_id, created_at, is_paid) FROM orders
SELECT count(*) FROM orders WHERE code || order_id = 'x'
SELECT count(*) FROM orders WHERE code COLLATE nocase = 'x'
SELECT count(*) FROM orders WHERE (code, order_id) = ('1', 1)
SELECT count(*) FROM orders WHERE (order_id, code) IN (SELECT order_id, qty FROM orders)
SELECT CAST(CAST(score AS VARCHAR) AS DECIMAL(5,2)), CAST(score AS DATE), CAST(is_paid AS DATE) FROM orders
SELECT code::INT, status::BOOLEAN, created_at::INT, amount::BOOLEAN FROM orders
SELECT count(*) FROM orders GROUP BY code::INT
SELECT arg_max(code::INT, order_id) FROM orders
SELECT max(code::INT) FILTER (WHERE order_id <= 240) FROM orders
SELECT 'NaN'::DOUBLE = 'NaN'::DOUBLE
SELECT 9223372036854775807 + 1
SELECT -9223372036854775808 / -1
SELECT 1e308 * 10
SELECT DATE '9999-12-31' + INTERVAL 100 YEAR
SELECT TIMESTAMP '294247-01-01' + INTERVAL 1 YEAR
SELECT sum(9223372036854775807) FROM orders
"""


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def refused() -> list[str]:
    """Statements that must be refused, among them a forbidden read in every place an expression can stand."""
    reads = [form.replace("{X}", read) for read in _FORBIDDEN_READS[:4] for form in _lines(_POSITIONS)]
    return _lines(_REFUSED) + reads


def probes() -> list[str]:
    """Statements whose outcome must not depend on hidden rows; also a permitted read in every position."""
    reads = (
        "SELECT max(amount) FROM orders",
        "SELECT count(*) FROM customers",
        "SELECT max(CAST(code AS INT)) FROM orders",
    )
    return _lines(_PROBES) + [form.replace("{X}", read) for read in reads for form in _lines(_POSITIONS)]


def heavy() -> list[str]:
    """Statements that cost far more than they are long."""
    return [
        "SELECT " + "(" * 2000 + "1" + ")" * 2000,
        "SELECT " + "NOT " * 5000 + "TRUE",
        "SELECT " + "-" * 1 + " -".join(["1"] * 4000),
        "SELECT * FROM (" * 300 + "SELECT * FROM orders" + ")" * 300,
        "SELECT count(*) FROM orders WHERE " + " OR ".join(f"order_id = {n}" for n in range(5000)),
        "SELECT count(*) FROM orders WHERE order_id IN (" + ",".join(map(str, range(20000))) + ")",
        "SELECT " + ", ".join(f"amount AS c{n}" for n in range(3000)) + " FROM orders",
        "SELECT count(*) FROM " + ", ".join(f"orders o{n}" for n in range(12)),
        "SELECT count(*) FROM " + ", ".join(f"orders o{n}" for n in range(5)) + " WHERE o0.score + o1.score > o4.score",
        "SELECT * FROM orders a, orders b, orders c, orders d",
        ("SELECT date_trunc_gapfill('second', created_at), count(*) FROM orders WHERE created_at > '0001-01-01' "
        "AND created_at < '9999-01-01' GROUP BY 1"),
        ("SELECT date_trunc_gapfill('day', created_at), order_id, code, count(*) FROM orders WHERE created_at > '1800-01-01' "
        "AND created_at < '2070-01-01' GROUP BY 1, 2, 3"),
        " UNION ALL ".join(["SELECT order_id FROM orders"] * 300),
        "WITH " + ", ".join(
            f"q{n} AS (SELECT * FROM {'orders' if n == 0 else f'q{n - 1} a, q{n - 1} b'})" for n in range(12)
        ) + " SELECT count(*) FROM q11",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
        "SELECT CASE " + " ".join(f"WHEN order_id = {n} THEN {n}" for n in range(3000)) + " END FROM orders",
        "SELECT '" + "a" * 1_000_000 + "'",
        "SELECT 1 " + "/*" * 20000 + "*/" * 20000,
        "SELECT count(DISTINCT a.code || b.code || c.code || d.code) FROM orders a, orders b, orders c, orders d",
        "SELECT string_agg(a.status, b.status ORDER BY a.order_id) FROM orders a, orders b, orders c, orders d",
        "SELECT regexp_matches('" + "a" * 5000 + "', '(a+)+$')",
        "SELECT " + "replace(" * 5 + "'aaaaaaaaaa'" + ", 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')" * 5,
        "SELECT 10 ** 10 ** 10 ** 10",
        "SELECT " + " || ".join(["status"] * 3000) + " FROM orders",
        "(" * 500 + "SELECT 1" + ")" * 500,
        "SELECT " + "CAST(" * 300 + "1" + " AS INTEGER)" * 300,
        "SELECT " + "coalesce(" * 400 + "1" + ")" * 400,
        "SELECT [" * 400 + "1" + "]" * 400,
        "SELECT * FROM orders " + " ".join(f"JOIN customers c{n} ON TRUE" for n in range(60)),
        "SELECT " + "x" * 100_000 + " FROM orders",
        "SELECT '" + "\\" * 10_000 + "' FROM orders LIMIT 1",
        "\ufeff" * 1000 + "SELECT 1",
        "SELECT 1" + "\n" * 100_000,
        "SELECT 1 -- " + "-" * 19_000,
    ]  # fmt: skip
