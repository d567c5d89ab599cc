-- sums of whole numbers do not overflow
SELECT MEASURE(sum_i), MEASURE(sum_h) FROM entries;
SELECT SUM(i), SUM(h) FROM entries;

-- in groups, beside a joined measure
SELECT code, MEASURE(entries_sum_i), MEASURE(entries_sum_h), MEASURE(limits) FROM ledger GROUP BY 1;
SELECT code, SUM(i), SUM(h), MAX(ceiling) FROM books LEFT JOIN entries ON book = code GROUP BY 1;

-- decimals are exact, in sums, differences and products
SELECT book, MEASURE(sum_d), MEASURE(sum_fine), MEASURE(plus), MEASURE(minus), MEASURE(balance) FROM entries GROUP BY 1;
SELECT book, SUM(d), SUM(fine), SUM(d) FILTER (WHERE d > 0), SUM(d) FILTER (WHERE d < 0), SUM(d) FILTER (WHERE d > 0) + SUM(d) FILTER (WHERE d < 0) FROM entries GROUP BY 1;

-- a quotient of decimals
SELECT book, MEASURE(of_all), MEASURE(avg_d) FROM entries WHERE id <> 7 GROUP BY 1;
SELECT book, CAST(SUM(d) FILTER (WHERE d > 0) AS DOUBLE) / CAST(NULLIF(SUM(d), 0) AS DOUBLE), AVG(d) FROM entries WHERE id <> 7 GROUP BY 1;

-- NaN and infinity where the data has them
SELECT book, MEASURE(min_f), MEASURE(max_f), MEASURE(values_f) FROM entries GROUP BY 1;
SELECT book, MIN(f), MAX(f), COUNT(DISTINCT f) FROM entries GROUP BY 1;

-- sums with NaN
SELECT MEASURE(sum_f), MEASURE(avg_f) FROM entries WHERE book IN ('A', 'B') AND id <> 5;
SELECT SUM(f), AVG(f) FROM entries WHERE book IN ('A', 'B') AND id <> 5;

-- one group for zero and minus zero, one for NULL
SELECT f, COUNT(*) FROM entries WHERE f = 0 OR f IS NULL GROUP BY 1;
SELECT f, COUNT(*) FROM entries WHERE f = 0 OR f IS NULL GROUP BY 1;

-- comparisons with infinity and NaN are the engine's own
SELECT COUNT(*) FROM entries WHERE f > 1e300;
SELECT COUNT(*) FROM entries WHERE f > 1e300;

-- whole numbers compare exactly beyond a double
SELECT COUNT(*) FROM entries WHERE i = 9223372036854775807;
SELECT COUNT(*) FROM entries WHERE i = 9223372036854775807;

-- and one less is none
SELECT COUNT(*) FROM entries WHERE i = 9223372036854775806;
SELECT 0;

-- decimals compare exactly
SELECT COUNT(*) FROM entries WHERE d = 99999999999999.9999;
SELECT COUNT(*) FROM entries WHERE d = 99999999999999.9999;

-- as groups
SELECT d, fine, COUNT(*) FROM entries GROUP BY 1, 2;
SELECT d, fine, COUNT(*) FROM entries GROUP BY 1, 2;

-- huge numbers as groups and rows
SELECT h, i, COUNT(*) FROM entries GROUP BY 1, 2;
SELECT h, i, COUNT(*) FROM entries GROUP BY 1, 2;

-- texts differ by case, accent and length; none is NULL
SELECT text, COUNT(*), MEASURE(with_text) FROM entries GROUP BY 1;
SELECT text, COUNT(*), COUNT(text) FROM entries GROUP BY 1;

-- sorted by bytes, NULL last, and cut @ordered
SELECT text FROM entries ORDER BY text LIMIT 20 OFFSET 1;
SELECT text FROM entries ORDER BY text NULLS LAST LIMIT 20 OFFSET 1;

-- downwards, NULL last too @ordered
SELECT DISTINCT text FROM entries ORDER BY 1 DESC;
SELECT DISTINCT text FROM entries ORDER BY 1 DESC NULLS LAST;

-- a distinct count is exact even where it is asked for roughly
SELECT MEASURE(roughly), MEASURE(values_d), COUNT(DISTINCT text) FROM entries;
SELECT COUNT(DISTINCT text), COUNT(DISTINCT d), COUNT(DISTINCT text) FROM entries;

-- booleans and texts over nothing are NULL
SELECT MEASURE(all_flags), MEASURE(longest), MEASURE(last_day), MEASURE(count), MEASURE(with_text) FROM entries WHERE id > 100;
SELECT CAST(NULL AS BOOLEAN), CAST(NULL AS VARCHAR), CAST(NULL AS DATE), 0, 0;

-- booleans in groups
SELECT flag, MEASURE(all_flags), COUNT(*) FROM entries GROUP BY 1;
SELECT flag, BOOL_AND(flag), COUNT(*) FROM entries GROUP BY 1;

-- IS NOT TRUE holds for NULL, = FALSE does not
SELECT (SELECT COUNT(*) FROM entries WHERE flag IS NOT TRUE), (SELECT COUNT(*) FROM entries WHERE NOT flag), (SELECT COUNT(*) FROM entries WHERE flag = FALSE);
SELECT 5, 2, 2;

-- NOT IN with NULL in the column
SELECT COUNT(*) FROM entries WHERE book NOT IN ('A', 'B');
SELECT COUNT(*) FROM entries WHERE book NOT IN ('A', 'B');

-- NOT IN with NULL in the list: nothing is known to be absent from it
SELECT COUNT(*) FROM entries WHERE text NOT IN (SELECT owner FROM books);
SELECT COUNT(*) FROM entries WHERE text NOT IN (SELECT owner FROM books);

-- an empty text is a key like any other; a NULL key joins nothing
SELECT owner, MEASURE(entries_count), MEASURE(count) FROM ledger GROUP BY 1;
SELECT owner, COUNT(e.id), COUNT(DISTINCT code) FROM books LEFT JOIN entries e ON book = code GROUP BY 1;

-- rows whose partner is missing stay, from the other side
SELECT owner, MEASURE(entries.count), MEASURE(books.count), MEASURE(books.limits) FROM entries CROSS JOIN books GROUP BY 1;
SELECT owner, COUNT(*), COUNT(DISTINCT code), (SELECT SUM(ceiling) FROM books b WHERE b.owner IS NOT DISTINCT FROM o.owner AND code IN (SELECT book FROM entries)) FROM entries LEFT JOIN books o ON book = code GROUP BY 1;

-- years at the edges
SELECT date_trunc('year', day), COUNT(*) FROM entries GROUP BY 1;
SELECT date_trunc('year', day), COUNT(*) FROM entries GROUP BY 1;

-- ISO weeks around the new year
SELECT date_trunc('week', day), COUNT(*) FROM entries WHERE day BETWEEN '2020-12-01' AND '2021-02-01' GROUP BY 1;
SELECT date_trunc('week', day), COUNT(*) FROM entries WHERE day BETWEEN '2020-12-01' AND '2021-02-01' GROUP BY 1;

-- a CASE of the model
SELECT kind, MEASURE(count), MEASURE(sum_d) FROM entries GROUP BY 1;
SELECT CASE WHEN i < 0 THEN 'minus' WHEN i > 0 THEN 'plus' ELSE 'zero or none' END, COUNT(*), SUM(d) FROM entries GROUP BY 1;

-- duplicates stay in UNION ALL and go in UNION
SELECT text FROM entries WHERE id < 4 UNION SELECT text FROM entries WHERE id < 4;
SELECT text FROM entries WHERE id < 4 UNION SELECT text FROM entries WHERE id < 4;

-- EXCEPT and INTERSECT take NULL for equal
SELECT text FROM entries EXCEPT SELECT text FROM entries WHERE id IN (1, 6);
SELECT text FROM entries EXCEPT SELECT text FROM entries WHERE id IN (1, 6);

-- rounding
SELECT id, ROUND(d, 2), FLOOR(d), CEIL(d), ROUND(d), ABS(d) FROM entries WHERE id NOT IN (4, 7);
SELECT id, ROUND(d, 2), FLOOR(d), CEIL(d), ROUND(d), ABS(d) FROM entries WHERE id NOT IN (4, 7);

-- remainders and signs
SELECT id, i % 2, MOD(i, 3), SIGN(d), -i FROM entries WHERE id > 2;
SELECT id, i % 2, i % 3, SIGN(d), -i FROM entries WHERE id > 2;

-- division by zero is NULL, of decimals and of whole numbers
SELECT id, d / 0, i / 2, d / 2 FROM entries WHERE id IN (1, 8, 11);
SELECT id, CAST(NULL AS DOUBLE), i / 2, CAST(d AS DOUBLE) / 2 FROM entries WHERE id IN (1, 8, 11);

-- sums of doubles that nearly cancel
SELECT MEASURE(sum_f) FROM entries WHERE id <= 3;
SELECT SUM(f) FROM entries WHERE id <= 3;

-- aggregates of the asker's own over decimals
SELECT SUM(d), AVG(d), MIN(d), MAX(d), SUM(d * 2), SUM(d) / COUNT(d), SUM(DISTINCT d) FROM entries WHERE id NOT IN (4, 7);
SELECT SUM(d), AVG(d), MIN(d), MAX(d), SUM(d * 2), CAST(SUM(d) AS DOUBLE) / COUNT(d), SUM(DISTINCT d) FROM entries WHERE id NOT IN (4, 7);

-- standard deviation, variance, correlation of few rows
SELECT book, STDDEV(i), VARIANCE(d), CORR(f, d), COUNT(*) FROM entries WHERE id IN (3, 8, 9, 10, 11) GROUP BY 1;
SELECT book, STDDEV(i), VARIANCE(d), CORR(f, d), COUNT(*) FROM entries WHERE id IN (3, 8, 9, 10, 11) GROUP BY 1;

-- a FILTER over nothing
SELECT book, COUNT(*) FILTER (WHERE d > 1000), SUM(d) FILTER (WHERE d > 1000) FROM entries GROUP BY 1;
SELECT book, COUNT(*) FILTER (WHERE d > 1000), SUM(d) FILTER (WHERE d > 1000) FROM entries GROUP BY 1;

-- texts joined
SELECT book, STRING_AGG(text, '|' ORDER BY id DESC), STRING_AGG(DISTINCT text, ',') FROM entries GROUP BY 1;
SELECT book, STRING_AGG(text, '|' ORDER BY id DESC), STRING_AGG(DISTINCT text, ',' ORDER BY text) FROM entries GROUP BY 1;

-- one row for each key with a window
SELECT id, SUM(d) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), LAG(text) OVER (ORDER BY id), ROW_NUMBER() OVER (PARTITION BY book ORDER BY id) FROM entries;
SELECT id, SUM(d) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), LAG(text) OVER (ORDER BY id), ROW_NUMBER() OVER (PARTITION BY book ORDER BY id) FROM entries;
