-- days of Berlin, over the night the clocks go forward @zone=Europe/Berlin
SELECT date_trunc('day', taken), COUNT(*), MEASURE(mean) FROM readings WHERE taken >= '2024-03-30' AND taken < '2024-04-02' GROUP BY 1;
SELECT date_trunc('day', t), COUNT(*), AVG(value) FROM (SELECT timezone('Europe/Berlin', timezone('UTC', taken)) t, value FROM readings) WHERE t >= '2024-03-30' AND t < '2024-04-02' GROUP BY 1;

-- hours of Berlin in that night: there is no hour of two @zone=Europe/Berlin
SELECT date_trunc('hour', taken), COUNT(*) FROM readings WHERE taken >= '2024-03-31' AND taken < '2024-03-31 06:00' GROUP BY 1;
SELECT date_trunc('hour', t), COUNT(*) FROM (SELECT timezone('Europe/Berlin', timezone('UTC', taken)) t FROM readings) WHERE t >= '2024-03-31' AND t < '2024-03-31 06:00' GROUP BY 1;

-- hours of the night the clocks go back: the hour of two is there twice and is one @zone=Europe/Berlin
SELECT date_trunc('hour', taken), COUNT(*) FROM readings WHERE taken >= '2024-10-27' AND taken < '2024-10-27 06:00' GROUP BY 1;
SELECT date_trunc('hour', t), COUNT(*) FROM (SELECT timezone('Europe/Berlin', timezone('UTC', taken)) t FROM readings) WHERE t >= '2024-10-27' AND t < '2024-10-27 06:00' GROUP BY 1;

-- a column with a time zone means the same moments @zone=America/New_York
SELECT date_trunc('day', taken_tz), COUNT(*), MEASURE(last_tz) FROM readings GROUP BY 1;
SELECT date_trunc('day', t), COUNT(*), MAX(t) FROM (SELECT timezone('America/New_York', taken_tz) t FROM readings) GROUP BY 1;

-- UTC where nothing is said
SELECT date_trunc('month', taken), date_trunc('month', taken_tz), COUNT(*) FROM readings GROUP BY 1, 2;
SELECT date_trunc('month', taken), date_trunc('month', taken), COUNT(*) FROM readings GROUP BY 1, 2;

-- dates have no zone and do not move @zone=Pacific/Auckland
SELECT installed, COUNT(*) FROM devices WHERE installed < '2024-01-01' GROUP BY 1;
SELECT installed, COUNT(*) FROM devices WHERE installed < '2024-01-01' GROUP BY 1;

-- ISO weeks at the year's end, leap days @zone=UTC
SELECT date_trunc('week', taken), EXTRACT(week FROM taken), EXTRACT(isodow FROM taken), EXTRACT(doy FROM taken), COUNT(*) FROM readings WHERE id >= 2000 GROUP BY 1, 2, 3, 4;
SELECT date_trunc('week', taken), EXTRACT(week FROM taken), EXTRACT(isodow FROM taken), EXTRACT(doy FROM taken), COUNT(*) FROM readings WHERE id >= 2000 GROUP BY ALL;

-- no hour is missing from a series of days across the change of the clocks @zone=Europe/Berlin
SELECT date_trunc_gapfill('day', taken), COUNT(*) FROM readings WHERE taken >= '2024-10-25' AND taken < '2024-10-30' GROUP BY 1;
WITH r AS (SELECT timezone('Europe/Berlin', timezone('UTC', taken)) t FROM readings) SELECT d, (SELECT COUNT(*) FROM r WHERE t >= d AND t < d + INTERVAL 1 DAY) FROM (SELECT UNNEST(generate_series(TIMESTAMP '2024-10-25', TIMESTAMP '2024-10-29', INTERVAL 1 DAY)) d);

-- a window of a day for each day, in another zone @zone=Asia/Kolkata
SELECT date_trunc('day', taken), MEASURE(count_day) FROM readings WHERE taken >= '2024-03-28' AND taken < '2024-04-05' GROUP BY 1;
WITH r AS (SELECT timezone('Asia/Kolkata', timezone('UTC', taken)) t FROM readings) SELECT d, (SELECT NULLIF(COUNT(*), 0) FROM r WHERE t >= d AND t < d + INTERVAL 1 DAY) FROM (SELECT UNNEST(generate_series(TIMESTAMP '2024-03-28', TIMESTAMP '2024-04-04', INTERVAL 1 DAY)) d);

-- aggregates that are no sums, over a chasm below two hops: each reading once
SELECT place, MEASURE(devices_count), MEASURE(devices_watts), MEASURE(readings_mean), MEASURE(readings_middle), MEASURE(readings_latest), MEASURE(readings_p90), MEASURE(alarms_count), MEASURE(alarms_worst) FROM (SELECT place, devices_count, devices_watts, readings_mean, readings_middle, readings_latest, readings_p90, alarms_count, alarms_worst FROM net) AS q GROUP BY 1;
SELECT a.place, a.n, a.w, b.m, b.d, b.l, b.p, c.n, c.x FROM (SELECT place, COUNT(d.id) n, SUM(watts) w FROM sites s LEFT JOIN devices d ON d.site_id = s.id GROUP BY 1) a
  JOIN (SELECT place, AVG(value) m, MEDIAN(value) d, ARG_MAX(value, taken) l, QUANTILE_CONT(value, 0.9) p FROM sites s LEFT JOIN devices d ON d.site_id = s.id LEFT JOIN readings r ON r.device_id = d.id GROUP BY 1) b ON a.place IS NOT DISTINCT FROM b.place
  JOIN (SELECT place, COUNT(x.id) n, MAX(level) x FROM sites s LEFT JOIN devices d ON d.site_id = s.id LEFT JOIN alarms x ON x.device_id = d.id GROUP BY 1) c ON a.place IS NOT DISTINCT FROM c.place;

-- the median by a key of the other branch
SELECT alarms_level, MEASURE(readings_middle), MEASURE(readings_count), MEASURE(devices_watts) FROM net GROUP BY 1;
WITH j AS (SELECT level, d.id did, watts, r.id rid, value FROM sites s LEFT JOIN devices d ON d.site_id = s.id LEFT JOIN alarms a ON a.device_id = d.id LEFT JOIN readings r ON r.device_id = d.id)
SELECT a.*, b.w FROM (SELECT level, MEDIAN(value), COUNT(rid) FROM (SELECT DISTINCT level, rid, value FROM j) GROUP BY 1) a JOIN (SELECT level, SUM(watts) w FROM (SELECT DISTINCT level, did, watts FROM j) GROUP BY 1) b ON a.level IS NOT DISTINCT FROM b.level;

-- a place on earth, NULL where half of it is
SELECT where_is, MEASURE(count) FROM sites GROUP BY 1;
SELECT lat || ',' || lon, COUNT(*) FROM sites GROUP BY 1;

-- a site without devices
SELECT id, MEASURE(devices_count), MEASURE(readings_count), MEASURE(readings_mean), MEASURE(devices_watts) FROM net GROUP BY 1;
SELECT s.id, COUNT(DISTINCT d.id), COUNT(r.id), AVG(value), (SELECT SUM(watts) FROM devices WHERE site_id = s.id) FROM sites s LEFT JOIN devices d ON d.site_id = s.id LEFT JOIN readings r ON r.device_id = d.id GROUP BY 1;

-- differences of times
SELECT date_diff('day', MEASURE(first), MEASURE(last_tz)), MEASURE(first) FROM readings;
SELECT date_diff('day', MIN(taken), MAX(taken)), MIN(taken) FROM readings;

-- the whole hours of a day
SELECT EXTRACT(hour FROM taken) AS h, COUNT(*) FROM readings WHERE taken IS NOT NULL GROUP BY 1 HAVING COUNT(*) > 8;
SELECT hour(taken), COUNT(*) FROM readings WHERE taken IS NOT NULL GROUP BY 1 HAVING COUNT(*) > 8;

-- an interval after a moment; months end where they end
SELECT id, installed + INTERVAL '1 month', taken FROM (SELECT devices.id AS id, installed, CAST('2024-02-29' AS DATE) AS taken FROM devices) AS q WHERE id < 4;
SELECT id, installed + INTERVAL 1 MONTH, DATE '2024-02-29' FROM devices WHERE id < 4;

-- BETWEEN holds both ends
SELECT COUNT(*) FROM readings WHERE taken BETWEEN '2024-02-29' AND '2024-12-30';
SELECT COUNT(*) FROM readings WHERE taken >= '2024-02-29' AND taken <= '2024-12-30';

-- moments that measures give are those of the query's zone, as a dimension's are @zone=Asia/Kolkata
SELECT MEASURE(first), MEASURE(first_again), MEASURE(last_tz), MAX(taken), MIN(taken_tz), MEASURE(last_day), MEASURE(span) FROM readings;
SELECT MIN(timezone('Asia/Kolkata', taken_tz)), MIN(timezone('Asia/Kolkata', taken_tz)), MAX(timezone('Asia/Kolkata', taken_tz)), MAX(timezone('Asia/Kolkata', taken_tz)), MIN(timezone('Asia/Kolkata', taken_tz)), MAX(CAST(taken AS DATE)), date_diff('hour', MIN(taken), MAX(taken)) FROM readings;

-- the same compared, and as rows @zone=Asia/Kolkata
SELECT device, t FROM (SELECT devices.id AS device, MEASURE(readings.first) AS t FROM devices CROSS JOIN readings GROUP BY 1 HAVING MEASURE(readings.first) >= '2024-03-30') AS q;
SELECT device_id, t FROM (SELECT device_id, MIN(timezone('Asia/Kolkata', taken_tz)) t FROM readings GROUP BY 1) WHERE t >= '2024-03-30';
