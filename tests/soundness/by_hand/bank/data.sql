CREATE TABLE customers AS SELECT i AS id, ['north', 'south', 'east', NULL][1 + i % 4] AS region, ['a', 'b'][1 + i % 2] AS segment FROM range(1, 13) AS t(i);
CREATE TABLE branches AS SELECT i AS id, ['Bern', 'Nice', NULL][1 + i % 3] AS town, i * 3 AS staff FROM range(1, 6) AS t(i);
CREATE TABLE accounts AS SELECT i AS id, CASE WHEN i % 11 = 0 THEN NULL WHEN i % 13 = 0 THEN 99 ELSE 1 + i % 12 END AS customer_id, 1 + i % 6 AS branch_id, ['current', 'savings', 'internal', NULL][1 + i % 4] AS kind, DATE '2023-12-20' + CAST(i * 5 AS INTEGER) AS opened, i * 100 AS overdraft FROM range(1, 31) AS t(i);
CREATE TABLE transactions AS SELECT i AS id, 1 + i * 7 % 32 AS account_id, TIMESTAMP '2024-01-03 10:00' + INTERVAL (i * 17) HOUR AS booked, ['in', 'out', NULL][1 + i % 3] AS way, CAST((i * 37 % 50 - 20) * 1.25 AS DECIMAL(12, 2)) AS amount, CASE WHEN i % 10 = 0 THEN NULL ELSE i % 4 = 0 END AS secret FROM range(1, 151) AS t(i);
CREATE TABLE cards AS SELECT i AS id, 1 + i * 3 % 25 AS account_id, ['x', 'y'][1 + i % 2] AS brand FROM range(1, 31) AS t(i);
CREATE TABLE balances AS SELECT a AS account_id, DATE '2024-03-27' + CAST(d AS INTEGER) AS day, CAST(a * 10 + d * (a % 5 - 2) AS DECIMAL(12, 2)) AS amount FROM range(1, 29) AS x(a), range(0, 7) AS y(d) WHERE (a + d) % 6 > 0;
CREATE VIEW account AS SELECT a.*, c.region, c.segment FROM accounts a JOIN customers c ON c.id = a.customer_id WHERE c.region IN ('north', 'east') AND a.kind <> 'internal';
CREATE VIEW move AS SELECT * FROM transactions WHERE secret = FALSE OR way = 'in';
