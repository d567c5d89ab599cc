"""Probes by rows: counts, joins, subqueries, names, set operations, policies walked around."""

ROWS = """
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
"""
