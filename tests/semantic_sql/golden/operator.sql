-- The operator: no policies. Each case is the query as asked, a semicolon, the SQL that runs, a semicolon.

SELECT status, MEASURE(total) FROM orders GROUP BY 1;
-- runs
SELECT q1.k0 AS "status", q1.a1 AS "total" FROM (SELECT r1."status" AS k0, SUM(r1."orders.total") AS a1 FROM (SELECT "orders".amount AS "orders.total", "orders".status AS "status" FROM "memory"."main"."orders" AS "orders") AS r1 GROUP BY 1) AS q1;

SELECT COUNT(*) FROM orders;
-- runs
SELECT q1.a1 AS "count" FROM (SELECT COUNT(*) AS a1 FROM (SELECT 1 AS one FROM "memory"."main"."orders" AS "orders") AS r1) AS q1;

SELECT status FROM orders WHERE status = 'paid' ORDER BY amount DESC LIMIT 3;
-- runs
SELECT r1."status" AS "status" FROM (SELECT "orders".amount AS "amount", "orders".status AS "status" FROM "memory"."main"."orders" AS "orders") AS r1 WHERE (r1."status" = $p1) ORDER BY r1."amount" DESC NULLS LAST LIMIT 3;

SELECT country, MEASURE(orders_total), MEASURE(tickets_count) FROM shop GROUP BY 1;
-- runs
SELECT q1.k0 AS "country", q1.a1 AS "orders_total", q1.a2 AS "tickets_count" FROM (SELECT k0, ANY_VALUE(a1) AS a1, ANY_VALUE(a2) AS a2 FROM (SELECT k0, a1, NULL AS a2 FROM (SELECT r1."country" AS k0, SUM(r1."customers.orders.total") AS a1 FROM (SELECT "customers".country AS "country", "orders".amount AS "customers.orders.total" FROM "memory"."main"."customers" AS "customers" LEFT JOIN "memory"."main"."orders" AS "orders" ON ("customers".id = "orders".customer_id)) AS r1 GROUP BY 1) AS part UNION ALL SELECT k0, NULL AS a1, a2 FROM (SELECT r1."country" AS k0, COUNT(r1."customers.tickets.count") AS a2 FROM (SELECT "customers".country AS "country", CASE WHEN ("tickets".id IS NOT NULL) THEN 1 END AS "customers.tickets.count" FROM "memory"."main"."customers" AS "customers" LEFT JOIN "memory"."main"."tickets" AS "tickets" ON ("customers".id = "tickets".customer_id)) AS r1 GROUP BY 1) AS part) AS parts GROUP BY k0) AS q1;

SELECT items_product, MEASURE(total) FROM sales GROUP BY 1;
-- runs
SELECT q1.k0 AS "items_product", q1.a1 AS "total" FROM (SELECT d.k0 AS k0, SUM(d.a1x0) AS a1 FROM (SELECT DISTINCT r1."items_product" AS k0, r1."orders.total" AS a1x0, r1."orders.key0" AS p0 FROM (SELECT "items".product AS "items_product", "orders".id AS "orders.key0", "orders".amount AS "orders.total" FROM "memory"."main"."orders" AS "orders" LEFT JOIN "memory"."main"."items" AS "items" ON ("orders".id = "items".order_id)) AS r1) AS d GROUP BY d.k0) AS q1;

SELECT date_trunc('month', placed_at) AS m, MEASURE(share) FROM orders GROUP BY 1, status;
-- runs
SELECT q1.k0 AS "m", (q1.a1 / NULLIF(q1.a3, 0)) AS "share" FROM (SELECT b.*, c.v AS a3 FROM (SELECT date_trunc('month', r1."placed_at") AS k0, r1."status" AS k1, SUM(r1."orders.total") AS a1 FROM (SELECT "orders".amount AS "orders.total", "orders".placed_at AS "placed_at", "orders".status AS "status" FROM "memory"."main"."orders" AS "orders") AS r1 GROUP BY 1, 2) AS b LEFT JOIN (SELECT q2.k0 AS k0, (q2.a2) AS v FROM (SELECT date_trunc('month', r1."placed_at") AS k0, SUM(r1."orders.total") AS a2 FROM (SELECT "orders".amount AS "orders.total", "orders".placed_at AS "placed_at" FROM "memory"."main"."orders" AS "orders") AS r1 GROUP BY 1) AS q2) AS c ON b.k0 IS NOT DISTINCT FROM c.k0) AS q1;

WITH q AS (SELECT status, MEASURE(total) AS x FROM orders GROUP BY 1) SELECT *, x / SUM(x) OVER () AS part FROM q ORDER BY 2;
-- runs
WITH "cte1" AS (SELECT q1.k0 AS "status", q1.a1 AS "x" FROM (SELECT r1."status" AS k0, SUM(r1."orders.total") AS a1 FROM (SELECT "orders".amount AS "orders.total", "orders".status AS "status" FROM "memory"."main"."orders" AS "orders") AS r1 GROUP BY 1) AS q1) SELECT t1."status" AS "status", t1."x" AS "x", (CAST(t1."x" AS DOUBLE) / NULLIF((SUM(t1."x") OVER ()), 0)) AS "part" FROM "cte1" AS t1 ORDER BY 2 NULLS LAST;

SELECT c.id, o.status FROM customers c JOIN orders o ON c.id = o.id WHERE o.amount * 2 > 30;
-- runs
SELECT r1."id" AS "id", r2."status" AS "status" FROM (SELECT "customers".id AS "id" FROM "memory"."main"."customers" AS "customers") AS r1 INNER JOIN (SELECT "orders".amount AS "amount", "orders".id AS "id", "orders".status AS "status" FROM "memory"."main"."orders" AS "orders") AS r2 ON (r1."id" = r2."id") WHERE ((r2."amount" * 2) > 30);
