"""Statements that are no queries, sources that are no relations, and texts that are not what they look like."""

STATEMENTS = r"""
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
