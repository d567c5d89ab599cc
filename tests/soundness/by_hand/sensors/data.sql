CREATE TABLE sites AS SELECT i AS id, ['roof', 'hall', NULL][1 + i % 3] AS place, 50.0 + i AS lat, CASE WHEN i = 4 THEN NULL ELSE 8.5 - i END AS lon FROM range(1, 6) AS t(i);
CREATE TABLE devices AS SELECT i AS id, CASE WHEN i = 9 THEN NULL ELSE 1 + i % 4 END AS site_id, ['x', 'y'][1 + i % 2] AS model, i * 5 AS watts, DATE '2024-02-29' - CAST(i * 366 AS INTEGER) AS installed FROM range(1, 11) AS t(i);
CREATE TABLE readings AS SELECT i AS id, 1 + i % 9 AS device_id, t AS taken, timezone('UTC', t) AS taken_tz, CASE WHEN i % 12 = 0 THEN NULL ELSE (i * 31 % 100) / 4 END AS value
  FROM (SELECT i, TIMESTAMP '2024-03-29 22:10:00' + INTERVAL (i * 47) MINUTE AS t FROM range(0, 120) AS r(i)) UNION ALL
  SELECT 1000 + i, 1 + i % 9, t, timezone('UTC', t), i FROM (SELECT i, TIMESTAMP '2024-10-26 20:10:00' + INTERVAL (i * 23) MINUTE AS t FROM range(0, 60) AS r(i)) UNION ALL
  SELECT 2000, 1, TIMESTAMP '2024-02-29 23:59:59.999999', TIMESTAMPTZ '2024-02-29 23:59:59.999999+00', 7 UNION ALL SELECT 2001, 2, TIMESTAMP '2024-12-30 00:00:00', TIMESTAMPTZ '2024-12-30 00:00:00+00', 8 UNION ALL SELECT 2002, 3, NULL, NULL, 9;
CREATE TABLE alarms AS SELECT i AS id, 1 + i % 5 AS device_id, i % 4 AS level FROM range(1, 16) AS t(i);
