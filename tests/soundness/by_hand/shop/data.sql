CREATE TABLE customers AS SELECT i AS id, 'name ' || (i % 9) AS name,
  CASE WHEN i % 7 = 0 THEN NULL ELSE ['Rome', 'Oslo', 'Lima', 'rome'][1 + i % 4] END AS city,
  CASE WHEN i % 5 = 0 THEN NULL ELSE i % 3 = 0 END AS vip,
  CASE WHEN i % 4 = 0 THEN NULL ELSE (i * 37 % 11) * 50 END AS credit,
  DATE '2023-12-25' + CAST(i * 11 % 60 AS INTEGER) AS signed_up FROM range(1, 31) AS t(i);
CREATE TABLE stores AS SELECT i AS id, ['Rome', 'Oslo', 'Lima', 'Pune'][1 + i % 4] AS city,
  CASE WHEN i = 6 THEN NULL ELSE ['south', 'north'][1 + i % 2] END AS region, i * 100 AS area FROM range(1, 8) AS t(i);
CREATE TABLE orders AS SELECT i AS id,
  CASE WHEN i % 13 = 0 THEN NULL WHEN i % 17 = 0 THEN 999 ELSE 1 + i * 7 % 24 END AS customer_id,
  CASE WHEN i % 11 = 0 THEN NULL ELSE 1 + i % 6 END AS store_id,
  ['new', 'paid', 'done', 'done', NULL][1 + i * 3 % 5] AS status,
  CASE WHEN i % 6 = 0 THEN 'C' || i % 4 END AS coupon,
  CASE WHEN i % 9 = 0 THEN NULL ELSE CAST(i % 8 + 0.99 AS DECIMAL(10, 2)) END AS shipping,
  TIMESTAMP '2023-12-28 22:15:00' + INTERVAL (i * 1231) MINUTE AS placed_at FROM range(1, 121) AS t(i);
CREATE TABLE line_items AS SELECT i AS id, CASE WHEN i % 31 = 0 THEN NULL ELSE 1 + i * 13 % 110 END AS order_id,
  CASE WHEN i % 19 = 0 THEN NULL WHEN i % 41 = 0 THEN -1 ELSE 1 + i % 10 END AS product_id,
  CASE WHEN i % 23 = 0 THEN NULL ELSE 1 + i % 6 END AS quantity, CAST(5 + i % 12 * 1.25 AS DECIMAL(10, 2)) AS price
  FROM range(1, 301) AS t(i);
CREATE TABLE refunds AS SELECT i AS id, 1 + i * 29 % 80 AS order_id, ['late', 'broken', NULL][1 + i % 3] AS reason,
  CAST(i % 7 * 3.5 AS DECIMAL(10, 2)) AS amount, TIMESTAMP '2024-01-10' + INTERVAL (i * 50) HOUR AS refunded_at
  FROM range(1, 41) AS t(i);
CREATE TABLE invoices AS SELECT i AS order_id, i % 4 <> 0 AS paid, i * 2 AS due FROM range(1, 100) AS t(i);
CREATE TABLE products AS SELECT i AS id, 'p' || i AS title, ['tea', 'cup', NULL][1 + i % 3] AS category,
  CAST(i * 0.75 AS DECIMAL(10, 2)) AS cost FROM range(1, 13) AS t(i);
CREATE TABLE tags AS SELECT i AS id, ['hot', 'new', 'eco', 'old'][i] AS label, i * 10 AS weight FROM range(1, 5) AS t(i);
CREATE TABLE product_tags AS SELECT p AS product_id, g AS tag_id FROM range(1, 13) AS a(p), range(1, 5) AS b(g)
  WHERE p * g % 3 = 1 OR p % 5 = g;
