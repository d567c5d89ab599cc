-- the operator sees all: a balance is summed over accounts, not over days
SELECT balances_day, MEASURE(balances_amount), MEASURE(balances_mean), MEASURE(count) FROM money GROUP BY 1;
SELECT day, SUM(b.amount), SUM(b.amount), COUNT(DISTINCT a.id) FROM accounts a LEFT JOIN balances b ON b.account_id = a.id GROUP BY 1;

-- the mean over days, and the balance at the end
SELECT kind, MEASURE(balances_mean), MEASURE(balances_at_end), MEASURE(overdraft) FROM money GROUP BY 1;
SELECT kind, SUM(b.amount) / COUNT(DISTINCT day), SUM(b.amount) FILTER (WHERE day = '2024-03-31'), (SELECT SUM(overdraft) FROM accounts x WHERE x.kind IS NOT DISTINCT FROM a.kind) FROM accounts a LEFT JOIN balances b ON b.account_id = a.id GROUP BY 1;

-- the balance at the end of each customer
SELECT wealth, MEASURE(count) FROM customers GROUP BY 1;
SELECT w, COUNT(*) FROM (SELECT (SELECT SUM(amount) FILTER (WHERE day = '2024-03-31') FROM balances b JOIN accounts a ON a.id = b.account_id WHERE customer_id = c.id) w FROM customers c) GROUP BY 1;

-- a user's rows: the view's filter and those of the customers it leads to @user={"regions":["north","east"],"way":"in"}
SELECT kind, MEASURE(count), MEASURE(overdraft), MEASURE(customers_count) FROM money GROUP BY 1;
SELECT kind, COUNT(*), SUM(overdraft), COUNT(DISTINCT customer_id) FROM account GROUP BY 1;

-- hidden transactions do not exist, their accounts do @user={"regions":["north","east"],"way":"in"}
SELECT id, MEASURE(transactions_count), MEASURE(transactions_volume), MEASURE(transactions_largest), MEASURE(cards_count) FROM money GROUP BY 1;
SELECT a.id, (SELECT COUNT(*) FROM move WHERE account_id = a.id), (SELECT SUM(amount) FROM move WHERE account_id = a.id), (SELECT MAX(amount) FROM move WHERE account_id = a.id), (SELECT COUNT(*) FROM cards WHERE account_id = a.id) FROM account a;

-- a quotient over two branches @user={"regions":["north","east"],"way":"in"}
SELECT branches_town, MEASURE(per_card), MEASURE(branches_staff), MEASURE(branches_count) FROM money GROUP BY 1;
WITH j AS (SELECT town, a.id, b.id bid, staff FROM account a LEFT JOIN branches b ON b.id = a.branch_id)
SELECT town, CAST((SELECT SUM(amount) FROM move m JOIN j x ON x.id = m.account_id WHERE x.town IS NOT DISTINCT FROM j.town) AS DOUBLE) / NULLIF((SELECT COUNT(*) FROM cards m JOIN j x ON x.id = m.account_id WHERE x.town IS NOT DISTINCT FROM j.town), 0), (SELECT SUM(staff) FROM (SELECT DISTINCT town, bid, staff FROM j) x WHERE x.town IS NOT DISTINCT FROM j.town), COUNT(DISTINCT bid) FROM j GROUP BY 1;

-- transactions' own groups; accounts without one stand under NULL @user={"regions":["north","east"],"way":"in"}
SELECT transactions_way, MEASURE(count), MEASURE(transactions_count), MEASURE(overdraft), MEASURE(transactions_share) FROM money GROUP BY 1;
WITH j AS (SELECT way, a.id, overdraft, m.id mid, amount FROM account a LEFT JOIN move m ON m.account_id = a.id)
SELECT way, COUNT(DISTINCT id), COUNT(mid), (SELECT SUM(overdraft) FROM (SELECT DISTINCT way, id, overdraft FROM j) x WHERE x.way IS NOT DISTINCT FROM j.way), CAST(SUM(amount) AS DOUBLE) / (SELECT SUM(amount) FROM j) FROM j GROUP BY 1;

-- a running total, a shift, over what is permitted @user={"regions":["north","east"],"way":"in"}
SELECT date_trunc('month', transactions_booked), MEASURE(transactions_running), MEASURE(transactions_before), MEASURE(transactions_volume) FROM money WHERE transactions_booked >= '2024-02-01' AND transactions_booked < '2024-05-01' GROUP BY 1;
WITH m AS (SELECT * FROM move WHERE account_id IN (SELECT id FROM account)), s AS (SELECT UNNEST([TIMESTAMP '2024-02-01', TIMESTAMP '2024-03-01', TIMESTAMP '2024-04-01']) t)
SELECT t, (SELECT SUM(amount) FROM m WHERE booked < t + INTERVAL 1 MONTH), (SELECT SUM(amount) FROM m WHERE booked >= t - INTERVAL 1 MONTH AND booked < t), (SELECT SUM(amount) FROM m WHERE booked >= t AND booked < t + INTERVAL 1 MONTH) FROM s;

-- the sub-query of a dimension follows the policies of what it reads @user={"regions":["north","east"],"way":"in"}
SELECT moves, MEASURE(count), MEASURE(avg_moves) FROM customers GROUP BY 1;
SELECT n, COUNT(*), n FROM (SELECT (SELECT COUNT(*) FROM move m JOIN accounts a ON a.id = m.account_id WHERE customer_id = c.id) n FROM customers c WHERE region IN ('north', 'east')) GROUP BY 1;

-- a cube asked directly follows its own policy and those it reaches @user={"regions":["north","east"],"way":"in"}
SELECT accounts.kind, MEASURE(transactions.count), MEASURE(transactions.volume) FROM transactions CROSS JOIN accounts GROUP BY 1;
SELECT kind, COUNT(*), SUM(amount) FROM move m LEFT JOIN accounts a ON a.id = m.account_id GROUP BY 1;

-- and no others @user={"regions":["north","east"],"way":"in"}
SELECT kind, MEASURE(count) FROM accounts GROUP BY 1;
SELECT kind, COUNT(*) FROM accounts GROUP BY 1;

-- whose account is no account of a permitted customer is not there @user={"regions":["north","east"],"way":"in"}
SELECT MEASURE(transactions.count), MEASURE(accounts.count) FROM transactions CROSS JOIN accounts CROSS JOIN customers;
SELECT COUNT(*), COUNT(DISTINCT account_id) FROM move WHERE account_id IN (SELECT a.id FROM accounts a JOIN customers c ON c.id = customer_id WHERE region IN ('north', 'east'));

-- from the customers down @user={"regions":["north","east"],"way":"in"}
SELECT customers.segment, MEASURE(customers.count), MEASURE(accounts.count), MEASURE(transactions.volume) FROM customers CROSS JOIN accounts CROSS JOIN transactions GROUP BY 1;
SELECT segment, COUNT(*), SUM((SELECT COUNT(*) FROM accounts WHERE customer_id = c.id)), SUM((SELECT SUM(amount) FROM move m JOIN accounts a ON a.id = account_id WHERE customer_id = c.id)) FROM customers c WHERE region IN ('north', 'east') GROUP BY 1;

-- an attribute that is missing closes its own alternative only @user={"regions":["south"]}
SELECT way, COUNT(*), MEASURE(volume) FROM transactions GROUP BY 1;
SELECT way, COUNT(*), SUM(amount) FROM transactions WHERE secret = FALSE GROUP BY 1;

-- nothing at all: zero, not nothing @user={"way":"in"}
SELECT MEASURE(count), MEASURE(overdraft), MEASURE(transactions_count), MEASURE(cards_count), MEASURE(customers_count) FROM money;
SELECT 0, CAST(NULL AS INTEGER), 0, 0, 0;

-- a series without gaps over permitted rows; the bounds are the query's @user={"regions":["north","east"],"way":"in"}
SELECT date_trunc_gapfill('week', transactions_booked), MEASURE(transactions_count), MEASURE(transactions_volume) FROM money WHERE transactions_booked >= '2024-01-01' AND transactions_booked < '2024-03-04' AND transactions_way = 'out' GROUP BY 1;
SELECT w, COUNT(m.id), SUM(amount) FROM (SELECT UNNEST(generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-02-26', INTERVAL 7 DAY)) w) LEFT JOIN (SELECT * FROM move WHERE way = 'out' AND account_id IN (SELECT id FROM account)) m ON booked >= w AND booked < w + INTERVAL 7 DAY GROUP BY 1;

-- rows @user={"regions":["east"],"way":"out"}
SELECT id, transactions_id, customers_region FROM money;
SELECT a.id, m.id, c.region FROM accounts a JOIN customers c ON c.id = customer_id LEFT JOIN (SELECT * FROM transactions WHERE secret = FALSE OR way = 'out') m ON m.account_id = a.id WHERE region = 'east' AND kind <> 'internal';

-- a plain join of rows by a condition: each side under its own policy @user={"regions":["east"],"way":"out"}
SELECT c.segment, COUNT(*) FROM customers AS c JOIN accounts AS a ON a.id = c.id GROUP BY 1;
SELECT c.segment, COUNT(*) FROM customers c JOIN accounts a ON a.id = c.id WHERE region = 'east' GROUP BY 1;

-- EXISTS and IN see permitted rows alone @user={"regions":["east"],"way":"out"}
SELECT COUNT(*) FROM accounts AS a WHERE EXISTS (SELECT 1 FROM transactions AS t WHERE t.id = a.id) AND a.id IN (SELECT id FROM customers);
SELECT COUNT(*) FROM accounts a WHERE a.id IN (SELECT id FROM transactions WHERE secret = FALSE OR way = 'out') AND a.id IN (SELECT id FROM customers WHERE region = 'east');

-- a window over a measure, permitted rows alone @user={"regions":["north","east"],"way":"in"}
SELECT customers_region, MEASURE(transactions_volume), SUM(MEASURE(transactions_volume)) OVER (), RANK() OVER (ORDER BY MEASURE(count) DESC) FROM money GROUP BY 1;
SELECT region, v, SUM(v) OVER (), RANK() OVER (ORDER BY n DESC) FROM (SELECT region, COUNT(*) n, SUM((SELECT SUM(amount) FROM move WHERE account_id = a.id)) v FROM account a GROUP BY 1);
