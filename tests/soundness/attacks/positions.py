"""Every place in a statement where an expression, or a query in parentheses, can stand."""

POSITIONS = """
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
SELECT DISTINCT ON (({X})) order_id FROM orders ORDER BY order_id
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
SELECT * FROM generate_series(1, ({X})) g
SELECT * FROM generate_series(({X}), 3) g
SELECT * FROM generate_series(1, 3, ({X})) g
SELECT generate_series(1, ({X}))
SELECT * FROM unnest(ARRAY[({X})]) u
SELECT unnest(ARRAY[1, ({X})])
SELECT * FROM orders o LEFT JOIN LATERAL (SELECT 1 AS z WHERE ({X}) > o.amount) l ON TRUE
SELECT * FROM orders o CROSS JOIN LATERAL ({X}) l
SELECT MEASURE(count) FILTER (WHERE amount < ({X})) FROM orders
SELECT (amount, 1) > (({X}), 2) FROM orders
SELECT amount = ANY (ARRAY[({X})]) FROM orders
SELECT amount BETWEEN SYMMETRIC ({X}) AND 5 FROM orders
SELECT status SIMILAR TO ({X})::VARCHAR FROM orders
SELECT regexp_replace(status, 'a', ({X})::VARCHAR) FROM orders
SELECT to_char(created_at, ({X})::VARCHAR) FROM orders
SELECT lpad(status, ({X})) FROM orders
SELECT translate(status, 'a', ({X})::VARCHAR) FROM orders
SELECT width_bucket(amount, 0, ({X}), 2) FROM orders
SELECT make_date(({X}), 1, 1)
SELECT decode(({X}), 1, 2)
SELECT dateadd('day', ({X}), created_at) FROM orders
SELECT time_bucket(({X}), created_at) FROM orders
"""
