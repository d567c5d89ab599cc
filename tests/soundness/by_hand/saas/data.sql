CREATE TABLE accounts AS SELECT i AS id, ['free', 'pro', NULL, 'team'][1 + i % 4] AS plan, ['DE', 'FR', 'US'][1 + i % 3] AS country FROM range(1, 16) AS t(i);
CREATE TABLE events AS SELECT i AS id, CASE WHEN i % 29 = 0 THEN NULL ELSE 1 + i * 5 % 12 END AS account_id,
  CASE WHEN i % 8 = 0 THEN NULL ELSE ['click', 'view', 'buy'][1 + i % 3] END AS kind,
  CASE WHEN i % 37 = 0 THEN NULL ELSE TIMESTAMP '2023-11-20 20:30:00' + INTERVAL (i * 1999 + (i // 40) * 20000) MINUTE END AS happened,
  CASE WHEN i % 10 = 0 THEN NULL ELSE 1 + i % 17 END AS size FROM range(1, 161) AS t(i)
  UNION ALL SELECT * FROM (VALUES (161, 3, 'buy', TIMESTAMP '2024-02-05', 5), (162, 4, 'view', TIMESTAMP '2024-03-01', 7), (163, 5, 'click', TIMESTAMP '2024-01-31', 9)) AS edges;
CREATE TABLE subscriptions AS SELECT i AS id, 1 + i % 13 AS account_id, DATE '2024-01-15' + CAST(i * 17 % 100 AS INTEGER) AS started,
  CASE WHEN i % 2 = 0 THEN DATE '2024-05-01' END AS ended, i % 5 * 10 AS fee FROM range(1, 21) AS t(i);
CREATE TABLE invoices AS SELECT i AS id, 1 + i * 3 % 14 AS account_id, ['paid', 'open', 'void'][1 + i % 3] AS state,
  DATE '2024-01-31' + CAST(i * 9 AS INTEGER) AS issued, CAST(i * 1.1 AS DECIMAL(10, 2)) AS amount FROM range(1, 31) AS t(i);
