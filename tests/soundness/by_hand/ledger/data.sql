CREATE TABLE books AS FROM (VALUES ('A', 'ann', 10), ('B', NULL, 20), ('C', 'ann', NULL), ('', 'empty', 40), ('é', 'Ann', 50)) AS t(code, owner, ceiling);
CREATE TABLE entries (id INTEGER, book VARCHAR, f DOUBLE, i BIGINT, h HUGEINT, d DECIMAL(18, 4), fine DECIMAL(38, 10), text VARCHAR, flag BOOLEAN, day DATE);
INSERT INTO entries VALUES
  (1, 'A', 0.1, 9223372036854775807, 170141183460469231731687303715884105, 0.1000, 0.0000000001, 'a', TRUE, '2024-02-29'),
  (2, 'A', 0.2, 9223372036854775807, 1, 0.2000, 1234567890123456789012345678.0000000001, 'a', TRUE, '2023-12-31'),
  (3, 'A', -0.3, -5, NULL, -0.3000, NULL, 'A', NULL, '2024-12-30'),
  (4, 'B', 'NaN', 0, -7, 99999999999999.9999, 0.5, '', FALSE, '0001-01-01'),
  (5, 'B', 1e308, NULL, 0, 0.0001, 0.25, ' ', TRUE, '9999-12-31'),
  (6, 'C', 'Infinity', 1, 2, NULL, NULL, NULL, NULL, NULL),
  (7, 'C', '-Infinity', -1, 2, -99999999999999.9999, -1, 'é', FALSE, '2021-01-03'),
  (8, NULL, 0.0, 3, 3, 3.0000, 3, 'e' || chr(769), TRUE, '2021-01-04'),
  (9, 'nowhere', -0.0, 3, 3, 3.0000, 3, '10', TRUE, '2020-12-28'),
  (10, '', 5e-324, 3, 3, 3.0000, 3, '9', TRUE, '2020-12-27'),
  (11, 'é', 1.5, 2, 3, 2.5000, 3, 'it''s', NULL, '2024-03-31');
