-- the table joined with itself: managers as a cube that extends the employees
SELECT managers_name, MEASURE(count), MEASURE(avg_pay), MEASURE(managers_pay), MEASURE(managers_count) FROM people GROUP BY 1;
SELECT m.name, COUNT(*), AVG(e.pay), MAX(m.pay), COUNT(DISTINCT m.id) FROM employees e LEFT JOIN employees m ON m.id = e.manager_id GROUP BY 1;

-- managers once each, though many report to them
SELECT departments_title, MEASURE(managers_pay), MEASURE(managers_count), MEASURE(heads), MEASURE(pay_of_managers) FROM people GROUP BY 1;
SELECT title, (SELECT SUM(pay) FROM employees WHERE id IN (SELECT manager_id FROM employees x LEFT JOIN departments y ON y.id = x.department_id WHERE y.title IS NOT DISTINCT FROM d.title)), COUNT(DISTINCT m.id), COUNT(DISTINCT e.manager_id), SUM(m.pay) FROM employees e LEFT JOIN employees m ON m.id = e.manager_id LEFT JOIN departments d ON d.id = e.department_id GROUP BY 1;

-- whoever reports, downwards: the boss once, the reports summed
SELECT name, MEASURE(pay), MEASURE(reports_pay), MEASURE(reports_count) FROM people GROUP BY 1;
SELECT e.name, MAX(e.pay), SUM(r.pay), COUNT(r.id) FROM employees e LEFT JOIN employees r ON r.manager_id = e.id GROUP BY 1;

-- upwards and downwards at once
SELECT managers_name, MEASURE(pay), MEASURE(reports_pay), MEASURE(reports_count), MEASURE(salaries_amount) FROM people GROUP BY 1;
WITH j AS (SELECT m.name, e.id, e.pay FROM employees e LEFT JOIN employees m ON m.id = e.manager_id)
SELECT name, SUM(pay), (SELECT SUM(r.pay) FROM employees r JOIN j k ON r.manager_id = k.id WHERE k.name IS NOT DISTINCT FROM j.name), (SELECT COUNT(*) FROM employees r JOIN j k ON r.manager_id = k.id WHERE k.name IS NOT DISTINCT FROM j.name), (SELECT SUM(amount) FROM salaries s JOIN j k ON s.employee_id = k.id WHERE k.name IS NOT DISTINCT FROM j.name) FROM j GROUP BY 1;

-- compared with one's manager
SELECT above_manager, COUNT(*) FROM employees GROUP BY 1;
SELECT e.pay > m.pay, COUNT(*) FROM employees e LEFT JOIN employees m ON m.id = e.manager_id GROUP BY 1;

-- a sub-query over the same table
SELECT id, report_pay FROM employees;
SELECT id, (SELECT SUM(pay) FROM employees r WHERE r.manager_id = e.id) FROM employees e;

-- a measure of a cube above that divides by its own rows: budgets once, heads of this group
SELECT departments_title, MEASURE(departments_budget), MEASURE(departments_budget_per_head), MEASURE(sites_rent) FROM people GROUP BY 1;
SELECT title, (SELECT SUM(budget) FROM departments x WHERE x.title = d.title AND x.id IN (SELECT department_id FROM employees)), CAST((SELECT SUM(budget) FROM departments x WHERE x.title = d.title AND x.id IN (SELECT department_id FROM employees)) AS DOUBLE) / COUNT(*), (SELECT SUM(rent) FROM sites WHERE id IN (SELECT site_id FROM departments x WHERE x.title = d.title AND x.id IN (SELECT department_id FROM employees))) FROM employees e LEFT JOIN departments d ON d.id = e.department_id GROUP BY 1;

-- three to-one hops: sites once each
SELECT tenure, MEASURE(sites_rent), MEASURE(sites_count), MEASURE(departments_count) FROM people GROUP BY 1;
WITH j AS (SELECT CASE WHEN hired < '2015-01-01' THEN 'old' ELSE 'new' END t, d.id did, s.id sid, rent FROM employees e LEFT JOIN departments d ON d.id = department_id LEFT JOIN sites s ON s.id = d.site_id)
SELECT t, (SELECT SUM(rent) FROM (SELECT DISTINCT t, sid, rent FROM j) x WHERE x.t = j.t), COUNT(DISTINCT sid), COUNT(DISTINCT did) FROM j GROUP BY 1;

-- from the department: each with its heads, also the empty one
SELECT title, headcount, MEASURE(budget), MEASURE(budget_per_head) FROM departments GROUP BY 1, 2;
SELECT title, n, SUM(budget), SUM(budget) / NULLIF(SUM(n), 0) FROM (SELECT title, budget, (SELECT COUNT(*) FROM employees WHERE department_id = d.id) n FROM departments d) GROUP BY 1, 2;

-- a segment with a query of its own
SELECT grade, COUNT(*) FROM employees WHERE bosses GROUP BY 1;
SELECT grade, COUNT(*) FROM employees WHERE id IN (SELECT manager_id FROM employees) GROUP BY 1;

-- shares and a measure under filters of its own; counts of none are 0
SELECT departments_title, MEASURE(share), MEASURE(senior_pay), MEASURE(seniors), MEASURE(count) FROM people GROUP BY 1;
SELECT title, 1.0 * SUM(pay) / SUM(SUM(pay)) OVER (), SUM(pay) FILTER (WHERE grade >= 4), COUNT(*) FILTER (WHERE grade >= 4), COUNT(*) FROM employees e LEFT JOIN departments d ON d.id = department_id GROUP BY 1;

-- a group in which nobody passes the measure's own filter
SELECT grade, MEASURE(seniors), MEASURE(senior_pay) FROM employees GROUP BY 1;
SELECT grade, COUNT(*) FILTER (WHERE grade >= 4), SUM(pay) FILTER (WHERE grade >= 4) FROM employees GROUP BY 1;

-- filters of the query set aside by the measure
SELECT departments_title, MEASURE(pay), MEASURE(pay_any_grade) FROM people WHERE grade < 3 GROUP BY 1;
SELECT title, SUM(pay) FILTER (WHERE grade < 3), SUM(pay) FROM employees e LEFT JOIN departments d ON d.id = department_id GROUP BY 1 HAVING COUNT(*) FILTER (WHERE grade < 3) > 0;

-- a view of several roots: the first that reaches what is asked
SELECT town, MEASURE(rent) FROM firm GROUP BY 1;
SELECT town, SUM(rent) FROM sites GROUP BY 1;

-- its second root
SELECT title, MEASURE(budget) FROM firm GROUP BY 1;
SELECT title, SUM(budget) FROM departments GROUP BY 1;

-- over two of them: each measure over its own root's rows, put together by the key
SELECT town, MEASURE(budget), MEASURE(rent) FROM firm GROUP BY 1;
SELECT COALESCE(d.town, r.town), d.b, r.r FROM (SELECT town, SUM(budget) b FROM departments d LEFT JOIN sites s ON s.id = d.site_id GROUP BY 1) d FULL JOIN (SELECT town, SUM(rent) r FROM sites GROUP BY 1) r ON r.town IS NOT DISTINCT FROM d.town;

-- a condition on one of them holds for that one
SELECT title, MEASURE(employees_count), MEASURE(employees_pay), MEASURE(budget) FROM firm WHERE employees_name <> 'e2' GROUP BY 1;
SELECT COALESCE(a.title, d.title), COALESCE(n, 0), p, b FROM (SELECT title, COUNT(*) n, SUM(pay) p FROM employees e LEFT JOIN departments d ON d.id = e.department_id WHERE e.name <> 'e2' GROUP BY 1) a FULL JOIN (SELECT title, SUM(budget) b FROM departments GROUP BY 1) d ON d.title IS NOT DISTINCT FROM a.title;

-- the latest salary, and its average over the manager's people
WITH q AS (SELECT id, managers_name AS boss, MEASURE(salaries_latest) AS s FROM people GROUP BY 1, 2) SELECT boss, AVG(s), COUNT(s) FROM q GROUP BY 1;
SELECT m.name, AVG(s), COUNT(s) FROM (SELECT e.*, (SELECT amount FROM salaries WHERE employee_id = e.id ORDER BY since DESC LIMIT 1) s FROM employees e) e LEFT JOIN employees m ON m.id = e.manager_id GROUP BY 1;

-- a window over a measure, and QUALIFY on it @ordered
SELECT departments_title AS t, name, MEASURE(pay) AS p FROM people GROUP BY 1, 2 QUALIFY ROW_NUMBER() OVER (PARTITION BY departments_title ORDER BY MEASURE(pay) DESC, name) = 1 ORDER BY 1;
SELECT title, name, pay FROM (SELECT title, name, pay, ROW_NUMBER() OVER (PARTITION BY title ORDER BY pay DESC NULLS LAST, name) r FROM employees e LEFT JOIN departments d ON d.id = department_id) WHERE r = 1 ORDER BY 1 NULLS LAST;
