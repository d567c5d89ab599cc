"""Reads of what is not there for the asker: tables, members, functions, names that look like others."""

READS = r"""
SELECT * FROM orders POSITIONAL JOIN customers
SELECT * FROM orders ASOF JOIN customers ON TRUE
SELECT pg_typeof(amount) FROM orders
SELECT current_role
SELECT to_regclass('raw.customers')
SELECT * FROM pragma_storage_info('raw.customers')
SELECT * FROM customers SEMI JOIN orders ON email = status
SELECT c.name FROM orders o SEMI JOIN customers c ON o.order_id = c.customer_id
SELECT o.order_id FROM orders o ANTI JOIN customers c ON o.order_id = c.customer_id WHERE c.name = 'x'
SELECT name FROM customers WHERE (name, email) IN (('a', 'b'))
SELECT name FROM customers WHERE name = ANY (SELECT email FROM customers)
SELECT GROUPING(email) FROM customers GROUP BY ROLLUP (name)
SELECT * EXCLUDE (email) FROM customers
SELECT * REPLACE (name AS email) FROM customers
SELECT status = ANY (ARRAY[email, 'a']) FROM customers
SELECT * FROM raw.secrets
SELECT * FROM "raw"."secrets"
SELECT * FROM RAW.SECRETS
SELECT * FROM "raw.secrets"
SELECT * FROM 'raw.secrets'
SELECT * FROM "full".raw.secrets
SELECT * FROM data.raw.secrets
SELECT * FROM main.orders
SELECT * FROM temp.orders
SELECT * FROM system.main.duckdb_tables
SELECT * FROM sqlite_master
SELECT * FROM pg_catalog.pg_tables
SELECT * FROM information_schema.tables
SELECT * FROM duckdb_settings()
SELECT * FROM pragma_table_info('orders')
SELECT * FROM pragma_storage_info('raw.orders')
SELECT * FROM query('SELECT 1')
SELECT * FROM query_table('orders')
SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))
SELECT json_serialize_plan('SELECT 1')
SELECT * FROM read_csv_auto('/etc/passwd')
SELECT * FROM '/etc/passwd'
SELECT * FROM "file.parquet"
SELECT * FROM glob('/*')
SELECT * FROM range(10)
SELECT * FROM generate_series(1, 1000000000)
SELECT * FROM generate_series(0, 9223372036854775807)
SELECT * FROM generate_series(DATE '0001-01-01', DATE '9999-12-31', INTERVAL '1 second')
SELECT * FROM generate_series(1, 2, 0)
SELECT * FROM unnest(range(10))
SELECT unnest(range(1000000000))
SELECT regexp_replace(status, '', repeat('a', 1000)) FROM orders
SELECT range(1000000000)
SELECT repeat('a', 1000000000)
SELECT lpad('a', 1000000000, 'b')
SELECT rpad('a', 1000000000, 'b')
SELECT list_transform(range(100000000), x -> x)
SELECT sleep_ms(10000)
SELECT error('x')
SELECT getenv('HOME')
SELECT getvariable('x')
SELECT current_setting('memory_limit')
SELECT set_config('x', 'y')
SELECT version()
SELECT current_user
SELECT session_user
SELECT user
SELECT current_database()
SELECT current_schema
SELECT current_catalog
SELECT current_query()
SELECT txid_current()
SELECT pg_typeof(1)
SELECT nextval('s')
SELECT currval('s')
SELECT write_log('x')
SELECT parse_path('/etc/passwd')
SELECT hash(orders) FROM orders
SELECT rowid FROM orders
SELECT orders.rowid FROM orders
SELECT file_row_number FROM orders
SELECT __internal_column FROM orders
SELECT #1 FROM orders
SELECT $1
SELECT ?
SELECT $name
SELECT :name
SELECT @x
SELECT COLUMNS('.*') FROM orders
SELECT COLUMNS(*) FROM customers WHERE email IS NOT NULL
SELECT * EXCLUDE (name) FROM customers WHERE email LIKE 'C%'
SELECT email FROM customers
SELECT "email" FROM customers
SELECT "EMAIL" FROM customers
SELECT c.email FROM customers c
SELECT customers.email FROM customers
SELECT name FROM customers GROUP BY name, email
SELECT name FROM customers ORDER BY email
SELECT name FROM customers WHERE email > 'C'
SELECT MEASURE(mails) FROM customers
SELECT count(*) FILTER (WHERE email > 'A') FROM customers
SELECT sum(credit) OVER (PARTITION BY email) FROM customers
SELECT c.name FROM customers c JOIN orders o ON c.email = o.internal_note
SELECT c.name FROM customers c JOIN customers d USING (email)
SELECT customers_email FROM sales
SELECT internal_note FROM sales
SELECT internal_note FROM orders
SELECT x.a FROM (SELECT email AS a FROM customers) x
WITH q AS (SELECT internal_note FROM orders) SELECT 1 FROM q
SELECT 1 FROM orders o WHERE EXISTS (SELECT 1 FROM customers c WHERE o.internal_note = c.name)
"""
