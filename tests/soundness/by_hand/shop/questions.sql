-- a fan-out of two branches and a measure of the root, by a dimension of the parent
SELECT customers_city, MEASURE(count), MEASURE(shipping_total), MEASURE(line_items_sales), MEASURE(refunds_refunded) FROM sales GROUP BY 1;
SELECT g.city, g.n, g.s, i.s, r.s FROM (SELECT c.city, COUNT(*) n, SUM(shipping) s FROM orders o LEFT JOIN customers c ON c.id = o.customer_id GROUP BY 1) g
  LEFT JOIN (SELECT c.city, SUM(quantity * price) s FROM line_items l JOIN orders o ON o.id = l.order_id LEFT JOIN customers c ON c.id = o.customer_id GROUP BY 1) i ON i.city IS NOT DISTINCT FROM g.city
  LEFT JOIN (SELECT c.city, SUM(amount) s FROM refunds f JOIN orders o ON o.id = f.order_id LEFT JOIN customers c ON c.id = o.customer_id GROUP BY 1) r ON r.city IS NOT DISTINCT FROM g.city;

-- two hops down: categories of the items; orders once per category, customers once per category
SELECT products_category, MEASURE(count), MEASURE(customers_count), MEASURE(customers_credit_total), MEASURE(line_items_units) FROM sales GROUP BY 1;
WITH j AS (SELECT o.id oid, c.id cid, c.credit, l.id lid, l.quantity, p.category FROM orders o LEFT JOIN customers c ON c.id = o.customer_id LEFT JOIN line_items l ON l.order_id = o.id LEFT JOIN products p ON p.id = l.product_id)
SELECT a.category, a.n, a.m, b.s, d.u FROM (SELECT category, COUNT(DISTINCT oid) n, COUNT(DISTINCT cid) m FROM j GROUP BY 1) a
  JOIN (SELECT category, SUM(credit) s FROM (SELECT DISTINCT category, cid, credit FROM j) GROUP BY 1) b ON a.category IS NOT DISTINCT FROM b.category
  JOIN (SELECT category, SUM(quantity) u FROM (SELECT DISTINCT category, lid, quantity FROM j) GROUP BY 1) d ON a.category IS NOT DISTINCT FROM d.category;

-- over the bridge, many to many: a product of two tags counts under both
SELECT tags_label, MEASURE(products_count), MEASURE(products_cost_total), MEASURE(line_items_sales), MEASURE(product_tags_count) FROM sales GROUP BY 1;
WITH j AS (SELECT p.id pid, p.cost, l.id lid, l.quantity * l.price s, t.label, x.product_id || '-' || x.tag_id xid FROM orders o LEFT JOIN line_items l ON l.order_id = o.id LEFT JOIN products p ON p.id = l.product_id LEFT JOIN product_tags x ON x.product_id = p.id LEFT JOIN tags t ON t.id = x.tag_id)
SELECT a.label, a.n, b.c, d.s, a.x FROM (SELECT label, COUNT(DISTINCT pid) n, COUNT(DISTINCT xid) x FROM j GROUP BY 1) a
  JOIN (SELECT label, SUM(cost) c FROM (SELECT DISTINCT label, pid, cost FROM j) GROUP BY 1) b ON a.label IS NOT DISTINCT FROM b.label
  JOIN (SELECT label, SUM(s) s FROM (SELECT DISTINCT label, lid, s FROM j) GROUP BY 1) d ON a.label IS NOT DISTINCT FROM d.label;

-- the key of the bridge is CONCAT, which is not NULL over a missing row: products without a tag have no rows there
SELECT products_title, MEASURE(product_tags_count) FROM sales GROUP BY 1;
SELECT title, COUNT(DISTINCT x) FROM (SELECT p.title, t.product_id || '-' || t.tag_id x FROM orders o LEFT JOIN line_items l ON l.order_id = o.id LEFT JOIN products p ON p.id = l.product_id LEFT JOIN product_tags t ON t.product_id = p.id) GROUP BY 1;

-- the same without the view, from the cube above
SELECT products.title, MEASURE(product_tags.count), MEASURE(tags.weight) FROM products CROSS JOIN product_tags CROSS JOIN tags GROUP BY 1;
SELECT p.title, COUNT(t.product_id), SUM(g.weight) FROM products p LEFT JOIN product_tags t ON t.product_id = p.id LEFT JOIN tags g ON g.id = t.tag_id GROUP BY 1;

-- tags once each, though many products lead to them
SELECT MEASURE(tags_count), MEASURE(tags_weight), MEASURE(product_tags_count) FROM sales;
WITH j AS (SELECT t.id, t.weight, x.product_id || '-' || x.tag_id xid FROM orders o JOIN line_items l ON l.order_id = o.id JOIN products p ON p.id = l.product_id JOIN product_tags x ON x.product_id = p.id JOIN tags t ON t.id = x.tag_id)
SELECT COUNT(DISTINCT id), (SELECT SUM(weight) FROM tags WHERE id IN (SELECT id FROM j)), COUNT(DISTINCT xid) FROM j;

-- minimum, maximum, average and distinct count across a fan-out
SELECT line_items_quantity, MEASURE(avg_shipping), MEASURE(min_shipping), MEASURE(max_shipping), MEASURE(customers_seen), MEASURE(customers_avg_credit) FROM sales GROUP BY 1;
WITH j AS (SELECT DISTINCT quantity, o.id, shipping, customer_id, c.id cid, credit FROM orders o LEFT JOIN line_items l ON l.order_id = o.id LEFT JOIN customers c ON c.id = o.customer_id)
SELECT a.*, b.c FROM (SELECT quantity, AVG(shipping), MIN(shipping), MAX(shipping), COUNT(DISTINCT customer_id) FROM j GROUP BY 1) a JOIN (SELECT quantity, AVG(credit) c FROM (SELECT DISTINCT quantity, cid, credit FROM j) GROUP BY 1) b ON a.quantity IS NOT DISTINCT FROM b.quantity;

-- a measure filtered by a cube above it
SELECT status, MEASURE(vip_orders), MEASURE(done), MEASURE(done_share) FROM sales GROUP BY 1;
SELECT status, COUNT(*) FILTER (WHERE vip), COUNT(*) FILTER (WHERE status = 'done'), 1.0 * COUNT(*) FILTER (WHERE status = 'done') / COUNT(*) FROM orders o LEFT JOIN customers c ON c.id = o.customer_id GROUP BY 1;

-- a measure filtered by a cube below it: an order counts once if any of its items passes
SELECT status, MEASURE(big_shipping), MEASURE(shipping_total) FROM orders GROUP BY 1;
SELECT status, SUM(shipping) FILTER (WHERE id IN (SELECT order_id FROM line_items WHERE quantity >= 5)), SUM(shipping) FROM orders GROUP BY 1;

-- a filter below, a measure above, no groups
SELECT MEASURE(shipping_total), MEASURE(count) FROM sales WHERE products_category = 'tea';
SELECT SUM(shipping), COUNT(*) FROM orders WHERE id IN (SELECT order_id FROM line_items l JOIN products p ON p.id = l.product_id WHERE category = 'tea');

-- filters on both branches of a chasm hold for one joined row
SELECT MEASURE(count), MEASURE(line_items_units), MEASURE(refunds_refunded) FROM sales WHERE line_items_quantity > 3 AND refunds_reason = 'late';
WITH j AS (SELECT o.id, l.id lid, l.quantity, r.id rid, r.amount FROM orders o JOIN line_items l ON l.order_id = o.id JOIN refunds r ON r.order_id = o.id WHERE l.quantity > 3 AND r.reason = 'late')
SELECT COUNT(DISTINCT id), (SELECT SUM(quantity) FROM line_items WHERE id IN (SELECT lid FROM j)), (SELECT SUM(amount) FROM refunds WHERE id IN (SELECT rid FROM j)) FROM j;

-- OR across branches
SELECT MEASURE(count), MEASURE(line_items_count), MEASURE(refunds_count) FROM sales WHERE line_items_quantity = 6 OR refunds_reason = 'late';
WITH j AS (SELECT o.id, l.id lid, r.id rid FROM orders o LEFT JOIN line_items l ON l.order_id = o.id LEFT JOIN refunds r ON r.order_id = o.id WHERE l.quantity = 6 OR r.reason = 'late')
SELECT COUNT(DISTINCT id), COUNT(DISTINCT lid), COUNT(DISTINCT rid) FROM j;

-- orders without refunds
SELECT MEASURE(count), MEASURE(refunds_count), MEASURE(refunds_refunded) FROM sales WHERE refunds_id IS NULL;
SELECT COUNT(*), 0, CAST(NULL AS DECIMAL) FROM orders WHERE id NOT IN (SELECT order_id FROM refunds);

-- calculated over two cubes; NULL where either part is, unless the measure says otherwise
SELECT stores_region, MEASURE(net), MEASURE(net_strict), MEASURE(items_per_order) FROM sales GROUP BY 1;
SELECT region, SUM(s) - COALESCE(SUM(r), 0), SUM(s) - SUM(r), 1.0 * SUM(n) / COUNT(*) FROM (SELECT s.region, (SELECT SUM(quantity * price) FROM line_items WHERE order_id = o.id) s, (SELECT COUNT(*) FROM line_items WHERE order_id = o.id) n, (SELECT SUM(amount) FROM refunds WHERE order_id = o.id) r FROM orders o LEFT JOIN stores s ON s.id = o.store_id) GROUP BY 1;

-- by a key without refunds: strict is NULL, COALESCE is not
SELECT id, MEASURE(net), MEASURE(net_strict) FROM sales WHERE id <= 12 GROUP BY 1;
SELECT id, s - COALESCE(r, 0), s - r FROM (SELECT id, (SELECT SUM(quantity * price) FROM line_items WHERE order_id = o.id) s, (SELECT SUM(amount) FROM refunds WHERE order_id = o.id) r FROM orders o WHERE id <= 12);

-- cost of items: an expression over the row above, items without product give nothing
SELECT products_category, MEASURE(line_items_cost), MEASURE(line_items_margin) FROM sales GROUP BY 1;
SELECT category, SUM(quantity * cost), SUM(quantity * price) - SUM(quantity * cost) FROM orders o LEFT JOIN line_items l ON l.order_id = o.id LEFT JOIN products p ON p.id = l.product_id GROUP BY 1;

-- one to one: no fan-out, missing partners count nothing
SELECT invoices_paid, MEASURE(count), MEASURE(invoices_count), MEASURE(invoices_due) FROM sales GROUP BY 1;
SELECT paid, COUNT(*), COUNT(i.order_id), SUM(due) FROM orders o LEFT JOIN invoices i ON i.order_id = o.id GROUP BY 1;

-- sub-query dimensions as group keys; a customer without orders has 0
SELECT order_count, MEASURE(count), MEASURE(credit_total) FROM customers GROUP BY 1;
SELECT n, COUNT(*), SUM(credit) FROM (SELECT c.credit, (SELECT COUNT(*) FROM orders WHERE customer_id = c.id) n FROM customers c) GROUP BY 1;

-- measures over sub-query dimensions, across a fan-out
SELECT orders_status, MEASURE(avg_order_count), MEASURE(max_spent), MEASURE(count) FROM people GROUP BY 1;
WITH c AS (SELECT id, (SELECT COUNT(*) FROM orders WHERE customer_id = c.id) n, (SELECT SUM(quantity * price) FROM line_items l JOIN orders o ON o.id = l.order_id WHERE customer_id = c.id) s FROM customers c)
SELECT status, AVG(n), MAX(s), COUNT(*) FROM (SELECT DISTINCT o.status, c.* FROM c LEFT JOIN orders o ON o.customer_id = c.id) GROUP BY 1;

-- a sub-query dimension does not follow the query's filters
SELECT order_count, MEASURE(count) FROM people WHERE orders_status = 'done' GROUP BY 1;
SELECT n, COUNT(*) FROM (SELECT (SELECT COUNT(*) FROM orders WHERE customer_id = c.id) n FROM customers c WHERE id IN (SELECT customer_id FROM orders WHERE status = 'done')) GROUP BY 1;

-- a CASE over a sub-query
SELECT rank_of_spending, COUNT(*) FROM customers GROUP BY 1;
SELECT CASE WHEN s >= 3000 THEN 'big' WHEN s > 0 THEN 'small' ELSE 'none' END, COUNT(*) FROM (SELECT (SELECT SUM(quantity * price) FROM line_items l JOIN orders o ON o.id = l.order_id WHERE customer_id = c.id) s FROM customers c) GROUP BY 1;

-- average of a sub-query dimension of the root
SELECT status, MEASURE(avg_items) FROM orders GROUP BY 1;
SELECT status, AVG(n) FROM (SELECT status, (SELECT COUNT(*) FROM line_items WHERE order_id = o.id) n FROM orders o) GROUP BY 1;

-- what a measure makes of NULL: a customer that the join did not find is no customer
SELECT status, MEASURE(customers_credit_filled), MEASURE(customers_count) FROM sales GROUP BY 1;
SELECT status, SUM(COALESCE(credit, 1000)), COUNT(*) FROM (SELECT DISTINCT status, c.* FROM orders o JOIN customers c ON c.id = o.customer_id) GROUP BY 1;

-- the same in a calculated measure with an aggregate of its own
SELECT status, MEASURE(customers_credit_raw) FROM sales GROUP BY 1;
SELECT status, SUM(COALESCE(credit, 1000)) FROM (SELECT DISTINCT status, c.* FROM orders o JOIN customers c ON c.id = o.customer_id) GROUP BY 1;

-- COUNT(*) inside a calculated measure counts the rows of its own cube
SELECT status, MEASURE(customers_credit_mean_raw) FROM sales GROUP BY 1;
SELECT status, SUM(credit) / COUNT(*) FROM (SELECT DISTINCT status, c.* FROM orders o JOIN customers c ON c.id = o.customer_id) GROUP BY 1;

-- and where the customers are the root
SELECT city, MEASURE(credit_mean_raw), MEASURE(credit_raw) FROM customers GROUP BY 1;
SELECT city, SUM(credit) / COUNT(*), SUM(COALESCE(credit, 1000)) FROM customers GROUP BY 1;

-- text, boolean and time measures
SELECT city, MEASURE(last_name), MEASURE(any_vip), MEASURE(first_sign_up) FROM customers GROUP BY 1;
SELECT city, MAX(name), BOOL_OR(vip), MIN(signed_up) FROM customers GROUP BY 1;

-- the same across a join
SELECT stores_region, MEASURE(customers_last_name), MEASURE(customers_any_vip), MEASURE(customers_first_sign_up), MEASURE(label), MEASURE(many) FROM sales GROUP BY 1;
SELECT region, MAX(name), BOOL_OR(vip), MIN(signed_up), CASE WHEN COUNT(*) > 10 THEN 'many' ELSE 'few' END, COUNT(*) > 10 FROM orders o LEFT JOIN customers c ON c.id = o.customer_id LEFT JOIN stores s ON s.id = o.store_id GROUP BY 1;

-- segments, alone, together, negated, and through a join
SELECT status, COUNT(*) FROM orders WHERE open_orders AND with_coupon GROUP BY 1;
SELECT status, COUNT(*) FROM orders WHERE status IN ('new', 'paid') AND coupon IS NOT NULL GROUP BY 1;

-- a row on which a segment is unknown is not in it
SELECT COUNT(*) FROM orders WHERE NOT open_orders;
SELECT COUNT(*) FROM orders WHERE NOT COALESCE(status IN ('new', 'paid'), FALSE);

-- a segment over the joined cube
SELECT of_vips, MEASURE(count) FROM orders GROUP BY 1;
SELECT COALESCE(vip, FALSE), COUNT(*) FROM orders o LEFT JOIN customers c ON c.id = o.customer_id GROUP BY 1;

-- HAVING on a measure that is not selected; of another cube
SELECT customers_city, MEASURE(count) FROM sales GROUP BY 1 HAVING MEASURE(refunds_refunded) > 50;
SELECT city, COUNT(DISTINCT o.id) FROM orders o LEFT JOIN customers c ON c.id = o.customer_id LEFT JOIN refunds r ON r.order_id = o.id GROUP BY 1 HAVING SUM(r.amount) > 50;

-- ORDER BY a measure that is not selected, LIMIT and OFFSET @ordered
SELECT orders.id FROM orders CROSS JOIN line_items GROUP BY 1 ORDER BY MEASURE(line_items.sales) DESC, 1 LIMIT 5 OFFSET 2;
SELECT o.id FROM orders o LEFT JOIN line_items l ON l.order_id = o.id GROUP BY 1 ORDER BY SUM(quantity * price) DESC NULLS LAST, 1 LIMIT 5 OFFSET 2;

-- in a view @ordered
SELECT id FROM sales GROUP BY 1 ORDER BY MEASURE(line_items_sales) DESC, id LIMIT 5 OFFSET 2;
SELECT o.id FROM orders o LEFT JOIN line_items l ON l.order_id = o.id GROUP BY 1 ORDER BY SUM(quantity * price) DESC NULLS LAST, 1 LIMIT 5 OFFSET 2;

-- nothing passes: counts are 0, sums NULL, one row without groups
SELECT MEASURE(count), MEASURE(shipping_total), MEASURE(line_items_count), MEASURE(line_items_sales), MEASURE(customers_count), MEASURE(cities), MEASURE(net), MEASURE(done_share) FROM (SELECT count, shipping_total, line_items_count, line_items_sales, customers_count, customers_cities AS cities, net, done_share FROM sales WHERE id < 0) AS q;
SELECT 0, CAST(NULL AS DECIMAL), 0, CAST(NULL AS DECIMAL), 0, 0, CAST(NULL AS DECIMAL), CAST(NULL AS DOUBLE);

-- nothing passes: no groups, no rows
SELECT status, MEASURE(count), MEASURE(line_items_count) FROM sales WHERE id < 0 GROUP BY 1;
SELECT 'x', 1, 1 WHERE FALSE;

-- a view's dimension of a joined cube without measures: the rows are the root's
SELECT customers_city FROM sales GROUP BY 1;
SELECT DISTINCT city FROM orders o LEFT JOIN customers c ON c.id = o.customer_id;

-- rows, not grouped: one for each row of the root, NULL where nothing was joined
SELECT id, customers_name, stores_city FROM sales WHERE id BETWEEN 10 AND 30;
SELECT o.id, c.name, s.city FROM orders o LEFT JOIN customers c ON c.id = o.customer_id LEFT JOIN stores s ON s.id = o.store_id WHERE o.id BETWEEN 10 AND 30;

-- rows with a to-many cube: one for each pair
SELECT id, line_items_quantity FROM sales WHERE id BETWEEN 1 AND 20;
SELECT o.id, l.quantity FROM orders o LEFT JOIN line_items l ON l.order_id = o.id WHERE o.id BETWEEN 1 AND 20;

-- DISTINCT
SELECT DISTINCT status, customers_city FROM sales;
SELECT DISTINCT status, city FROM orders o LEFT JOIN customers c ON c.id = o.customer_id;

-- a CTE whose measures are evaluated at the outer grouping
WITH q AS (SELECT * FROM sales WHERE id > 20) SELECT status, COUNT(*) FROM q GROUP BY 1;
SELECT status, COUNT(*) FROM orders WHERE id > 20 GROUP BY 1;

-- two levels: averages of sums
WITH q AS (SELECT customers_id AS c, MEASURE(line_items_sales) AS s FROM sales GROUP BY 1) SELECT AVG(s), MAX(s), COUNT(*), COUNT(s) FROM q;
SELECT AVG(s), MAX(s), COUNT(*), COUNT(s) FROM (SELECT c.id, SUM(quantity * price) s FROM orders o LEFT JOIN line_items l ON l.order_id = o.id LEFT JOIN customers c ON c.id = o.customer_id GROUP BY 1);

-- window functions over measures; percent of the total
SELECT status, MEASURE(count), 100.0 * MEASURE(count) / SUM(MEASURE(count)) OVER (), RANK() OVER (ORDER BY MEASURE(count) DESC), SUM(MEASURE(line_items_units)) OVER (ORDER BY status) FROM sales GROUP BY 1;
SELECT status, n, 100.0 * n / SUM(n) OVER (), RANK() OVER (ORDER BY n DESC), SUM(u) OVER (ORDER BY status NULLS LAST) FROM (SELECT status, COUNT(DISTINCT o.id) n, SUM(quantity) u FROM orders o LEFT JOIN line_items l ON l.order_id = o.id GROUP BY 1);

-- UNION of two relations
SELECT city, MEASURE(count) AS n FROM customers GROUP BY 1 UNION ALL SELECT city, MEASURE(count) FROM stores GROUP BY 1;
SELECT city, COUNT(*) FROM customers GROUP BY 1 UNION ALL SELECT city, COUNT(*) FROM stores GROUP BY 1;

-- plain aggregates over dimensions: over the view's own rows, or the to-many cube's
SELECT AVG(shipping), SUM(line_items_quantity), MEDIAN(line_items_price), COUNT(*), COUNT(DISTINCT customers_city), SUM(customers_credit) FROM sales;
SELECT AVG(shipping), (SELECT SUM(quantity) FROM line_items JOIN orders o ON o.id = order_id), (SELECT MEDIAN(price) FROM line_items JOIN orders o ON o.id = order_id), COUNT(*), COUNT(DISTINCT city), SUM(credit) FROM orders o LEFT JOIN customers c ON c.id = o.customer_id;

-- a plain aggregate over an expression of two cubes
SELECT status, SUM(line_items_quantity * shipping) FROM sales GROUP BY 1;
SELECT status, SUM(quantity * shipping) FROM orders o LEFT JOIN line_items l ON l.order_id = o.id GROUP BY 1;

-- a dimension that compares two joined cubes
SELECT same_city, COUNT(*) FROM orders GROUP BY 1;
SELECT c.city = s.city, COUNT(*) FROM orders o LEFT JOIN customers c ON c.id = o.customer_id LEFT JOIN stores s ON s.id = o.store_id GROUP BY 1;

-- the same model from the customers: three hops down
SELECT city, MEASURE(count), MEASURE(orders_count), MEASURE(orders_line_items_units), MEASURE(orders_per_customer) FROM (SELECT city, count, orders_count, line_items_units AS orders_line_items_units, orders_per_customer FROM people) AS p GROUP BY 1;
SELECT a.city, a.n, b.n, b.u, 1.0 * b.n / a.n FROM (SELECT city, COUNT(*) n FROM customers GROUP BY 1) a JOIN (SELECT city, COUNT(DISTINCT o.id) n, SUM(quantity) u FROM customers c LEFT JOIN orders o ON o.customer_id = c.id LEFT JOIN line_items l ON l.order_id = o.id GROUP BY 1) b ON a.city IS NOT DISTINCT FROM b.city;

-- stores seen from customers, over a to-many step and up again: each store once
SELECT vip, MEASURE(stores_count), MEASURE(stores_area) FROM people GROUP BY 1;
SELECT vip, COUNT(id), SUM(area) FROM (SELECT DISTINCT vip, s.id, s.area FROM customers c LEFT JOIN orders o ON o.customer_id = c.id LEFT JOIN stores s ON s.id = o.store_id) GROUP BY 1;

-- COUNT(*) over cubes joined by name counts the joined rows
SELECT COUNT(*) FROM orders CROSS JOIN line_items;
SELECT COUNT(*) FROM orders o LEFT JOIN line_items l ON l.order_id = o.id;

-- GROUP BY a column that an output name hides
SELECT UPPER(status) AS status, COUNT(*) AS n FROM orders GROUP BY status;
SELECT UPPER(status), COUNT(*) FROM orders GROUP BY orders.status;

-- grouped by an expression, filtered by HAVING over the alias
SELECT COALESCE(customers_city, '?') AS c, COUNT(*) AS n FROM sales GROUP BY 1 HAVING n > 10;
SELECT COALESCE(city, '?'), COUNT(*) FROM orders o LEFT JOIN customers c ON c.id = o.customer_id GROUP BY 1 HAVING COUNT(*) > 10;

-- text is compared and sorted by its bytes @ordered
SELECT city, COUNT(*) FROM customers GROUP BY 1 ORDER BY 1;
SELECT city, COUNT(*) FROM customers GROUP BY 1 ORDER BY 1 NULLS LAST;

-- ROLLUP with measures of two cubes
SELECT status, stores_region, MEASURE(count), MEASURE(line_items_units), GROUPING(status, stores_region) FROM sales GROUP BY ROLLUP (1, 2);
SELECT status, region, COUNT(DISTINCT o.id), SUM(quantity), GROUPING(status, region) FROM orders o LEFT JOIN line_items l ON l.order_id = o.id LEFT JOIN stores s ON s.id = o.store_id GROUP BY ROLLUP (1, 2);

-- a correlated subquery over another relation
SELECT s.id, (SELECT MEASURE(o.count) FROM orders AS o WHERE o.shipping > s.id) AS n FROM stores AS s;
SELECT s.id, (SELECT COUNT(*) FROM orders o WHERE o.shipping > s.id) FROM stores s;

-- a semi-join by measures
SELECT COUNT(*) FROM orders WHERE id IN (SELECT id FROM sales GROUP BY 1 HAVING MEASURE(line_items_count) > 3);
SELECT COUNT(*) FROM orders WHERE id IN (SELECT order_id FROM line_items GROUP BY 1 HAVING COUNT(*) > 3);

-- a measure above filtered through the subquery
SELECT MEASURE(customers_credit_total) FROM sales WHERE line_items_id IN (SELECT id FROM line_items WHERE price > 15);
SELECT SUM(credit) FROM customers WHERE id IN (SELECT customer_id FROM orders o JOIN line_items l ON l.order_id = o.id WHERE price > 15);

-- truncated time and a to-many measure
SELECT date_trunc('week', placed_at), MEASURE(count), MEASURE(line_items_sales) FROM sales GROUP BY 1;
SELECT date_trunc('week', placed_at), COUNT(DISTINCT o.id), SUM(quantity * price) FROM orders o LEFT JOIN line_items l ON l.order_id = o.id GROUP BY 1;

-- the last order of a customer as a time dimension by month
SELECT date_trunc('month', last_order), COUNT(*) FROM customers GROUP BY 1;
SELECT date_trunc('month', t), COUNT(*) FROM (SELECT (SELECT MAX(placed_at) FROM orders WHERE customer_id = c.id) t FROM customers c) GROUP BY 1;

-- decimals stay exact
SELECT MEASURE(shipping_total), MEASURE(line_items_sales), MEASURE(shipping_total) * 3, MEASURE(shipping_total) / 3 FROM sales;
SELECT SUM(shipping), (SELECT SUM(quantity * price) FROM line_items JOIN orders o ON o.id = order_id), SUM(shipping) * 3, CAST(SUM(shipping) AS DOUBLE) / 3 FROM orders;

-- whole numbers divide truly
SELECT COUNT(*) / 7, 5 / 2, -5 / 2, COUNT(*) % 7 FROM orders;
SELECT COUNT(*) / 7.0, 2.5, -2.5, COUNT(*) % 7 FROM orders;

-- a measure whose value reads rows below: once for each of them, also where they are alike
SELECT status, MEASURE(freight), MEASURE(count), MEASURE(shipping_total) FROM orders GROUP BY 1;
SELECT status, (SELECT SUM(shipping * quantity) FROM orders i JOIN line_items l ON l.order_id = i.id WHERE i.status IS NOT DISTINCT FROM o.status), COUNT(*), SUM(shipping) FROM orders o GROUP BY 1;

-- the same beside another branch
SELECT refunds_reason, MEASURE(freight) FROM sales GROUP BY 1;
SELECT reason, SUM(shipping * quantity) FROM (SELECT DISTINCT reason, l.id, shipping, quantity FROM orders o LEFT JOIN line_items l ON l.order_id = o.id LEFT JOIN refunds r ON r.order_id = o.id) GROUP BY 1;

-- two measures filtered by items, and one that is not, by a dimension of the items
SELECT line_items_quantity, MEASURE(big_shipping), MEASURE(dear_orders), MEASURE(shipping_total), MEASURE(count) FROM sales GROUP BY 1;
SELECT quantity, SUM(shipping) FILTER (WHERE quantity >= 5), COUNT(*) FILTER (WHERE p > 15), SUM(shipping), COUNT(*) FROM (SELECT quantity, o.id, shipping, MAX(price) p FROM orders o LEFT JOIN line_items l ON l.order_id = o.id GROUP BY ALL) GROUP BY 1;

-- aggregates written out beside a measure of a cube below
SELECT stores_region, MEASURE(mixed) FROM sales GROUP BY 1;
SELECT region, CAST(SUM(shipping) AS DOUBLE) / (COALESCE(SUM(u)) + COUNT(*) FILTER (WHERE id > 20)) FROM (SELECT s.region, o.id, shipping, (SELECT SUM(quantity) FROM line_items WHERE order_id = o.id) u FROM orders o LEFT JOIN stores s ON s.id = o.store_id) GROUP BY 1;

-- a measure under one more condition, on rows below, beside the same without it
SELECT status, MEASURE(shipping_total) FILTER (WHERE line_items_quantity >= 5), MEASURE(shipping_total), MEASURE(count) FILTER (WHERE refunds_reason = 'late'), MEASURE(count) FROM sales GROUP BY 1;
SELECT status, SUM(shipping) FILTER (WHERE id IN (SELECT order_id FROM line_items WHERE quantity >= 5)), SUM(shipping), COUNT(*) FILTER (WHERE id IN (SELECT order_id FROM refunds WHERE reason = 'late')), COUNT(*) FROM orders GROUP BY 1;

-- a calculated measure under one more condition
SELECT stores_region, MEASURE(done_share) FILTER (WHERE customers_vip), MEASURE(net) FILTER (WHERE id > 40), MEASURE(line_items_units) FILTER (WHERE products_category = 'tea'), MEASURE(customers_credit_total) FILTER (WHERE status = 'done') FROM sales GROUP BY 1;
WITH o AS (SELECT o.*, s.region, c.vip, c.credit, (SELECT SUM(quantity * price) FROM line_items WHERE order_id = o.id) s, (SELECT SUM(amount) FROM refunds WHERE order_id = o.id) r, (SELECT SUM(quantity) FROM line_items l JOIN products p ON p.id = product_id WHERE order_id = o.id AND category = 'tea') t FROM orders o LEFT JOIN stores s ON s.id = o.store_id LEFT JOIN customers c ON c.id = o.customer_id)
SELECT region, 1.0 * COUNT(*) FILTER (WHERE vip AND status = 'done') / NULLIF(COUNT(*) FILTER (WHERE vip), 0), SUM(s) FILTER (WHERE id > 40) - COALESCE(SUM(r) FILTER (WHERE id > 40), 0), SUM(t), (SELECT SUM(credit) FROM customers WHERE id IN (SELECT customer_id FROM o x WHERE x.region IS NOT DISTINCT FROM o.region AND status = 'done')) FROM o GROUP BY 1;

-- of nothing
SELECT MEASURE(count) FILTER (WHERE FALSE), MEASURE(shipping_total) FILTER (WHERE id < 0), MEASURE(line_items_count) FILTER (WHERE id < 0) FROM sales;
SELECT 0, CAST(NULL AS DECIMAL), 0;
