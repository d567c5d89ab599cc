"""Probes by values: what overflows, does not cast, or fails to compare on hidden rows only."""

VALUES = """
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
SELECT count(*) FROM orders WHERE code->>'a' IS NULL
SELECT count(*) FROM orders WHERE (code->'a'->0) = '1' OR code #>> '{a,0}' = '1'
SELECT count(*) FROM orders WHERE json_array_length(code) > 0 OR json_extract_string(code, '$.a[0]') = '1'
SELECT max(code->>'a') OVER (ORDER BY order_id) FROM orders
SELECT count(*) FROM orders WHERE 'x' = ANY (code)
SELECT cardinality(code) FROM orders
SELECT count(*) FROM orders WHERE code::numeric > 5
SELECT sum(qty * qty * qty * qty * qty * qty * qty) FROM orders
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount), median(amount) FROM orders
SELECT count(*) FROM orders WHERE EXTRACT(SECOND FROM created_at) > 5
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
