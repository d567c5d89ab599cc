-- a trailing week for each day, gaps within included; over an empty window all is NULL, counts too
SELECT date_trunc('day', happened), MEASURE(count_7), MEASURE(size_7), MEASURE(users_30), MEASURE(mean_7), MEASURE(biggest_7) FROM events WHERE happened >= '2024-01-20' AND happened < '2024-02-20' GROUP BY 1;
WITH s AS (SELECT UNNEST(generate_series(TIMESTAMP '2024-01-20', TIMESTAMP '2024-02-19', INTERVAL 1 DAY)) d)
SELECT d, (SELECT NULLIF(COUNT(*), 0) FROM events WHERE happened >= d - INTERVAL 6 DAY AND happened < d + INTERVAL 1 DAY), (SELECT SUM(size) FROM events WHERE happened >= d - INTERVAL 6 DAY AND happened < d + INTERVAL 1 DAY), (SELECT NULLIF(COUNT(DISTINCT account_id), 0) FROM events WHERE happened >= d - INTERVAL 29 DAY AND happened < d + INTERVAL 1 DAY),
  (SELECT AVG(size) FROM events WHERE happened >= d - INTERVAL 6 DAY AND happened < d + INTERVAL 1 DAY), (SELECT MAX(size) FROM events WHERE happened >= d - INTERVAL 6 DAY AND happened < d + INTERVAL 1 DAY) FROM s;

-- a quotient of windows
SELECT date_trunc('week', happened), MEASURE(ratio_7) FROM events WHERE happened >= '2024-01-01' AND happened < '2024-02-05' GROUP BY 1;
SELECT w, 1.0 * (SELECT SUM(size) FROM events WHERE happened >= w AND happened < w + INTERVAL 7 DAY) / NULLIF((SELECT COUNT(*) FROM events WHERE happened >= w AND happened < w + INTERVAL 7 DAY), 0) FROM (SELECT UNNEST(generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-29', INTERVAL 7 DAY)) w);

-- a filtered window, by kind; periods without rows of a kind in their window are absent
SELECT date_trunc('month', happened), country, MEASURE(clicks_7), MEASURE(size_ytd), MEASURE(size_qtd) FROM usage WHERE happened >= '2023-12-01' AND happened < '2024-06-01' GROUP BY 1, 2 HAVING MEASURE(size_ytd) IS NOT NULL;
WITH e AS (SELECT e.*, country FROM events e LEFT JOIN accounts a ON a.id = account_id), g AS (SELECT m, country FROM (SELECT UNNEST(generate_series(TIMESTAMP '2023-12-01', TIMESTAMP '2024-05-01', INTERVAL 1 MONTH)) m), (SELECT DISTINCT country FROM e))
SELECT * FROM (SELECT m, country, (SELECT SUM(size) FROM e WHERE kind = 'click' AND e.country IS NOT DISTINCT FROM g.country AND happened >= m + INTERVAL 1 MONTH - INTERVAL 7 DAY AND happened < m + INTERVAL 1 MONTH) c,
  (SELECT SUM(size) FROM e WHERE e.country IS NOT DISTINCT FROM g.country AND happened >= date_trunc('year', m) AND happened < m + INTERVAL 1 MONTH) y, (SELECT SUM(size) FROM e WHERE e.country IS NOT DISTINCT FROM g.country AND happened >= date_trunc('quarter', m) AND happened < m + INTERVAL 1 MONTH) q FROM g) WHERE y IS NOT NULL;

-- a window on both sides; a window that is counted from the beginning of its period
SELECT date_trunc('day', happened), MEASURE(around), MEASURE(size_month) FROM events WHERE happened >= '2024-03-01' AND happened < '2024-03-11' GROUP BY 1;
SELECT d, (SELECT NULLIF(COUNT(*), 0) FROM events WHERE happened >= d AND happened < d + INTERVAL 2 DAY), (SELECT SUM(size) FROM events WHERE happened >= d - INTERVAL 1 MONTH AND happened < d) FROM (SELECT UNNEST(generate_series(TIMESTAMP '2024-03-01', TIMESTAMP '2024-03-10', INTERVAL 1 DAY)) d);

-- windows beside an ordinary measure: the ordinary one is 0 or NULL where its own period has nothing
SELECT date_trunc('day', happened), MEASURE(count_7), MEASURE(count), MEASURE(size) FROM events WHERE happened >= '2024-02-01' AND happened < '2024-02-11' GROUP BY 1;
SELECT d, (SELECT NULLIF(COUNT(*), 0) FROM events WHERE happened >= d - INTERVAL 6 DAY AND happened < d + INTERVAL 1 DAY), (SELECT COUNT(*) FROM events WHERE happened >= d AND happened < d + INTERVAL 1 DAY), (SELECT SUM(size) FROM events WHERE happened >= d AND happened < d + INTERVAL 1 DAY) FROM (SELECT UNNEST(generate_series(TIMESTAMP '2024-02-01', TIMESTAMP '2024-02-10', INTERVAL 1 DAY)) d);

-- running totals of another cube, each account once
SELECT date_trunc('month', subscriptions_started), MEASURE(subscriptions_running), MEASURE(subscriptions_fee_so_far), MEASURE(subscriptions_count) FROM business WHERE subscriptions_started >= '2024-01-01' AND subscriptions_started < '2024-06-01' GROUP BY 1;
SELECT m, (SELECT COUNT(*) FROM subscriptions WHERE started < m + INTERVAL 1 MONTH), (SELECT SUM(fee) FROM subscriptions WHERE started < m + INTERVAL 1 MONTH), (SELECT COUNT(*) FROM subscriptions WHERE started >= m AND started < m + INTERVAL 1 MONTH) FROM (SELECT UNNEST(generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-05-01', INTERVAL 1 MONTH)) m);

-- the running total beside events, which repeat the subscriptions
SELECT events_kind, date_trunc('quarter', subscriptions_started), MEASURE(subscriptions_fee_so_far) FROM business WHERE subscriptions_started >= '2024-01-01' AND subscriptions_started < '2024-07-01' GROUP BY 1, 2;
WITH d AS (SELECT DISTINCT kind, s.id, fee, started FROM accounts a JOIN subscriptions s ON s.account_id = a.id LEFT JOIN events e ON e.account_id = a.id), q AS (SELECT UNNEST([TIMESTAMP '2024-01-01', TIMESTAMP '2024-04-01']) q)
SELECT kind, q, SUM(fee) FROM q JOIN d ON started < q + INTERVAL 3 MONTH GROUP BY ALL;

-- a month before, by month; February is compared with January's whole month
SELECT date_trunc('month', happened), MEASURE(size), MEASURE(size_before), MEASURE(growth) FROM events WHERE happened >= '2024-01-01' AND happened < '2024-05-01' GROUP BY 1;
SELECT m, (SELECT SUM(size) FROM events WHERE happened >= m AND happened < m + INTERVAL 1 MONTH) s, (SELECT SUM(size) FROM events WHERE happened >= m - INTERVAL 1 MONTH AND happened < m) p, 1.0 * (SELECT SUM(size) FROM events WHERE happened >= m AND happened < m + INTERVAL 1 MONTH) / NULLIF((SELECT SUM(size) FROM events WHERE happened >= m - INTERVAL 1 MONTH AND happened < m), 0) - 1 FROM (SELECT UNNEST(generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-04-01', INTERVAL 1 MONTH)) m);

-- a month before and a month after, by kind and month
SELECT kind, date_trunc('month', happened), MEASURE(size_before), MEASURE(size_next) FROM events WHERE happened >= '2024-02-01' AND happened < '2024-04-01' GROUP BY 1, 2;
WITH g AS (SELECT k, m FROM (SELECT DISTINCT kind k FROM events), (SELECT UNNEST([TIMESTAMP '2024-02-01', TIMESTAMP '2024-03-01']) m)), e AS (SELECT kind, size, date_trunc('month', happened) t FROM events)
SELECT k, m, (SELECT SUM(size) FROM e WHERE kind IS NOT DISTINCT FROM k AND t = m - INTERVAL 1 MONTH), (SELECT SUM(size) FROM e WHERE kind IS NOT DISTINCT FROM k AND t = m + INTERVAL 1 MONTH) FROM g;

-- the last day of a month is not lost: every day of the month before is in the month
SELECT date_trunc('month', issued), SUM(issued_before) FROM (SELECT at AS issued, amount_before AS issued_before FROM invoices) AS q GROUP BY 1 HAVING SUM(issued_before) IS NOT NULL;
SELECT date_trunc('month', issued) + INTERVAL 1 MONTH, SUM(amount) FROM invoices GROUP BY 1;

-- a shift by a year without a time among the groups: the filter moves
SELECT MEASURE(size), MEASURE(size_last_year) FROM events WHERE happened >= '2024-11-01' AND happened < '2025-01-01';
SELECT (SELECT SUM(size) FROM events WHERE happened >= '2024-11-01' AND happened < '2025-01-01'), (SELECT SUM(size) FROM events WHERE happened >= '2023-11-01' AND happened < '2024-01-01');

-- shares of the whole and of the kind, under filters
SELECT kind, country, MEASURE(size), MEASURE(share), MEASURE(share_of_kind), MEASURE(total) FROM usage WHERE plan IS NOT NULL GROUP BY 1, 2;
WITH e AS (SELECT kind, country, size FROM events e LEFT JOIN accounts a ON a.id = account_id WHERE plan IS NOT NULL)
SELECT kind, country, SUM(size), 1.0 * SUM(size) / SUM(SUM(size)) OVER (), 1.0 * SUM(size) / SUM(SUM(size)) OVER (PARTITION BY kind), SUM(SUM(size)) OVER () FROM e GROUP BY 1, 2;

-- ranks over all and within a kind, ties alike
SELECT kind, country, MEASURE(place), MEASURE(place_in_kind) FROM usage GROUP BY 1, 2;
SELECT kind, country, RANK() OVER (ORDER BY SUM(size) DESC NULLS LAST), RANK() OVER (PARTITION BY kind ORDER BY SUM(size) NULLS LAST) FROM events e LEFT JOIN accounts a ON a.id = account_id GROUP BY 1, 2;

-- HAVING does not change shares and ranks
SELECT kind, MEASURE(share), MEASURE(place) FROM events GROUP BY 1 HAVING MEASURE(size) > 200;
SELECT a, b, c FROM (SELECT kind, 1.0 * SUM(size) / SUM(SUM(size)) OVER (), RANK() OVER (ORDER BY SUM(size) DESC), SUM(size) FROM events GROUP BY 1) AS t(a, b, c, d) WHERE d > 200;

-- means of sums per account, per kind and over all
SELECT kind, MEASURE(mean_of_accounts), MEASURE(most_of_accounts), MEASURE(active_accounts), MEASURE(mean_of_totals) FROM events GROUP BY 1;
SELECT kind, AVG(s), MAX(s), COUNT(s), AVG(s) * 2 FROM (SELECT kind, account_id, SUM(size) s FROM events GROUP BY 1, 2) GROUP BY 1;

-- without groups
SELECT MEASURE(mean_of_accounts), MEASURE(most_of_accounts), MEASURE(size), MEASURE(share), MEASURE(place) FROM events;
SELECT AVG(s), MAX(s), SUM(s), 1.0, 1 FROM (SELECT account_id, SUM(size) s FROM events GROUP BY 1);

-- a mean of sums, by a coarser time
SELECT date_trunc('quarter', happened), MEASURE(mean_of_accounts) FROM events WHERE happened IS NOT NULL GROUP BY 1;
SELECT q, AVG(s) FROM (SELECT date_trunc('quarter', happened) q, account_id, SUM(size) s FROM events WHERE happened IS NOT NULL GROUP BY 1, 2) GROUP BY 1;

-- half years, fiscal years from April, weeks from Sunday
SELECT date_trunc('half', happened), COUNT(*) FROM events GROUP BY 1;
SELECT CASE WHEN month(happened) < 7 THEN date_trunc('year', happened) ELSE date_trunc('year', happened) + INTERVAL 6 MONTH END, COUNT(*) FROM events GROUP BY 1;

-- a fiscal year
SELECT date_trunc('fiscal_year', happened), COUNT(*), MEASURE(users) FROM events GROUP BY 1;
SELECT date_trunc('year', happened - INTERVAL 3 MONTH) + INTERVAL 3 MONTH, COUNT(*), COUNT(DISTINCT account_id) FROM events GROUP BY 1;

-- weeks that begin on Sunday, across the new year
SELECT date_trunc('sunday_week', happened), COUNT(*) FROM events WHERE happened >= '2023-12-10' AND happened < '2024-01-20' GROUP BY 1;
SELECT date_trunc('week', happened + INTERVAL 1 DAY) - INTERVAL 1 DAY, COUNT(*) FROM events WHERE happened >= '2023-12-10' AND happened < '2024-01-20' GROUP BY 1;

-- from pay day to pay day: the last of the month, the 29th in a leap year's February
SELECT date_trunc('payday', happened), COUNT(*) FROM events WHERE happened IS NOT NULL GROUP BY 1;
WITH p AS (SELECT DATE '2023-01-31' + INTERVAL (n) MONTH a, DATE '2023-01-31' + INTERVAL (n + 1) MONTH b FROM range(0, 40) AS t(n)) SELECT a, COUNT(*) FROM events JOIN p ON happened >= a AND happened < b GROUP BY 1;

-- a running week over those periods, without a gap
SELECT date_trunc('payday', happened), MEASURE(size_7) FROM events WHERE happened >= '2024-01-31' AND happened < '2024-06-30' GROUP BY 1;
WITH p AS (SELECT DATE '2023-01-31' + INTERVAL (n) MONTH a, DATE '2023-01-31' + INTERVAL (n + 1) MONTH b FROM range(12, 17) AS t(n)) SELECT a, (SELECT SUM(size) FROM events WHERE happened >= b - INTERVAL 7 DAY AND happened < b) FROM p;

-- eight-hour shifts from two o'clock, ten-day periods
SELECT date_trunc('shift', happened), date_trunc('ten_days', happened), COUNT(*) FROM events WHERE happened >= '2024-01-01' AND happened < '2024-02-01' GROUP BY 1, 2;
SELECT time_bucket(INTERVAL 8 HOUR, happened, TIMESTAMP '2024-01-01 02:00'), time_bucket(INTERVAL 10 DAY, happened, TIMESTAMP '2024-01-01'), COUNT(*) FROM events WHERE happened >= '2024-01-01' AND happened < '2024-02-01' GROUP BY 1, 2;

-- a series without gaps by a custom period, counts 0
SELECT date_trunc_gapfill('ten_days', happened), COUNT(*), MEASURE(size), MEASURE(users) FROM events WHERE happened >= '2024-01-01' AND happened < '2024-07-01' AND kind = 'buy' GROUP BY 1;
WITH p AS (SELECT UNNEST(generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-06-30', INTERVAL 10 DAY)) a) SELECT a, COUNT(id), SUM(size), COUNT(DISTINCT account_id) FROM p LEFT JOIN events ON happened >= a AND happened < a + INTERVAL 10 DAY AND happened < '2024-07-01' AND kind = 'buy' GROUP BY 1;

-- a chasm of three branches, and a quotient over two of them
SELECT plan, MEASURE(count), MEASURE(subscriptions_fee), MEASURE(events_size), MEASURE(invoices_paid), MEASURE(paid_per_event) FROM business GROUP BY 1;
SELECT plan, COUNT(*), SUM((SELECT SUM(fee) FROM subscriptions WHERE account_id = a.id)), SUM((SELECT SUM(size) FROM events WHERE account_id = a.id)), SUM((SELECT SUM(amount) FROM invoices WHERE account_id = a.id AND state = 'paid')), SUM((SELECT SUM(amount) FROM invoices WHERE account_id = a.id AND state = 'paid')) / NULLIF(SUM((SELECT COUNT(*) FROM events WHERE account_id = a.id)), 0) FROM accounts a GROUP BY 1;

-- two times of one view: a shift moves only the one it names
SELECT date_trunc('month', invoices_at), MEASURE(invoices_amount), MEASURE(invoices_amount_before) FROM business WHERE invoices_at >= '2024-03-01' AND invoices_at < '2024-06-01' AND events_happened >= '2024-01-01' AND events_happened < '2024-03-01' GROUP BY 1;
WITH v AS (SELECT date_trunc('month', issued) m, SUM(amount) s FROM invoices WHERE account_id IN (SELECT account_id FROM events WHERE happened >= '2024-01-01' AND happened < '2024-03-01') GROUP BY 1), g AS (SELECT UNNEST([TIMESTAMP '2024-03-01', TIMESTAMP '2024-04-01', TIMESTAMP '2024-05-01']) m)
SELECT g.m, a.s, b.s FROM g LEFT JOIN v a ON a.m = g.m LEFT JOIN v b ON b.m = g.m - INTERVAL 1 MONTH;

-- measures of several levels in one query: window, share, rank, plain
SELECT date_trunc('month', happened), kind, MEASURE(count), MEASURE(share), MEASURE(share_of_kind), MEASURE(place) FROM events WHERE happened >= '2024-01-01' AND happened < '2024-04-01' GROUP BY 1, 2;
SELECT date_trunc('month', happened), kind, COUNT(*), 1.0 * SUM(size) / SUM(SUM(size)) OVER (), 1.0 * SUM(size) / SUM(SUM(size)) OVER (PARTITION BY kind), RANK() OVER (ORDER BY SUM(size) DESC NULLS LAST) FROM events WHERE happened >= '2024-01-01' AND happened < '2024-04-01' GROUP BY 1, 2;

-- a count of a period that only its shifted neighbour has is 0
SELECT date_trunc('month', happened), kind, MEASURE(count), MEASURE(size_before) FROM events WHERE happened >= '2024-01-01' AND happened < '2024-12-01' AND account_id = 3 GROUP BY 1, 2;
WITH e AS (SELECT date_trunc('month', happened) m, kind, size FROM events WHERE account_id = 3 AND happened >= '2023-12-01' AND happened < '2024-12-01'), g AS (SELECT m, kind FROM e UNION SELECT m + INTERVAL 1 MONTH, kind FROM e)
SELECT m, kind, (SELECT COUNT(*) FROM e WHERE e.m = g.m AND e.kind IS NOT DISTINCT FROM g.kind), (SELECT SUM(size) FROM e WHERE e.m = g.m - INTERVAL 1 MONTH AND e.kind IS NOT DISTINCT FROM g.kind) FROM g WHERE m >= '2024-01-01' AND m < '2024-12-01';

-- who has nothing to be ranked by comes last, upwards and downwards
SELECT id, kind, MEASURE(place), MEASURE(place_in_kind) FROM events WHERE id BETWEEN 5 AND 45 GROUP BY 1, 2;
SELECT id, kind, RANK() OVER (ORDER BY size DESC NULLS LAST), RANK() OVER (PARTITION BY kind ORDER BY size NULLS LAST) FROM events WHERE id BETWEEN 5 AND 45;
