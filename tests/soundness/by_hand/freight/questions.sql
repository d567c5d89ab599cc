-- one table in two roles
SELECT origins_country, targets_country, MEASURE(count), MEASURE(tons) FROM freight GROUP BY 1, 2;
SELECT o.country, t.country, COUNT(*), SUM(tons) FROM shipments s LEFT JOIN ports o ON o.id = from_port LEFT JOIN ports t ON t.id = to_port GROUP BY 1, 2;

-- measures of both roles at once: each port once in its role
SELECT carriers_name, MEASURE(origins_docks), MEASURE(targets_docks), MEASURE(origins_count), MEASURE(targets_count), MEASURE(carriers_ships) FROM freight GROUP BY 1;
WITH j AS (SELECT c.name, c.id cid, c.ships, o.id oid, o.docks od, t.id tid, t.docks td FROM shipments s LEFT JOIN carriers c ON c.id = carrier LEFT JOIN ports o ON o.id = from_port LEFT JOIN ports t ON t.id = to_port)
SELECT name, (SELECT SUM(od) FROM (SELECT DISTINCT name, oid, od FROM j) x WHERE x.name IS NOT DISTINCT FROM j.name), (SELECT SUM(td) FROM (SELECT DISTINCT name, tid, td FROM j) x WHERE x.name IS NOT DISTINCT FROM j.name), COUNT(DISTINCT oid), COUNT(DISTINCT tid), (SELECT SUM(ships) FROM (SELECT DISTINCT name, cid, ships FROM j) x WHERE x.name IS NOT DISTINCT FROM j.name) FROM j GROUP BY 1;

-- a diamond: the same countries reached by three ways
SELECT source_continent, goal_continent, MEASURE(source_people), MEASURE(goal_people), MEASURE(goal_count), MEASURE(count) FROM freight GROUP BY 1, 2;
WITH j AS (SELECT s.id, a.continent ac, a.code a, a.people ap, b.continent bc, b.code b, b.people bp FROM shipments s LEFT JOIN ports o ON o.id = from_port LEFT JOIN ports t ON t.id = to_port LEFT JOIN countries a ON a.code = o.country LEFT JOIN countries b ON b.code = t.country)
SELECT ac, bc, (SELECT SUM(ap) FROM (SELECT DISTINCT ac, bc, a, ap FROM j) x WHERE x.ac IS NOT DISTINCT FROM j.ac AND x.bc IS NOT DISTINCT FROM j.bc), (SELECT SUM(bp) FROM (SELECT DISTINCT ac, bc, b, bp FROM j) x WHERE x.ac IS NOT DISTINCT FROM j.ac AND x.bc IS NOT DISTINCT FROM j.bc), COUNT(DISTINCT b), COUNT(*) FROM j GROUP BY 1, 2;

-- the third way goes over the legs
SELECT by_continent, MEASURE(by_people), MEASURE(source_people), MEASURE(legs_km), MEASURE(tons), MEASURE(stops_docks) FROM freight GROUP BY 1;
WITH j AS (SELECT y.continent c, y.code yc, y.people yp, a.code ac, a.people ap, l.shipment_id ls, l.nr, l.km, s.id, s.tons, p.id pid, p.docks FROM shipments s LEFT JOIN ports o ON o.id = from_port LEFT JOIN countries a ON a.code = o.country LEFT JOIN legs l ON l.shipment_id = s.id LEFT JOIN ports p ON p.id = l.port LEFT JOIN countries y ON y.code = p.country)
SELECT c, (SELECT SUM(yp) FROM (SELECT DISTINCT c, yc, yp FROM j) x WHERE x.c IS NOT DISTINCT FROM j.c), (SELECT SUM(ap) FROM (SELECT DISTINCT c, ac, ap FROM j) x WHERE x.c IS NOT DISTINCT FROM j.c), SUM(km), (SELECT SUM(tons) FROM (SELECT DISTINCT c, id, tons FROM j) x WHERE x.c IS NOT DISTINCT FROM j.c), (SELECT SUM(docks) FROM (SELECT DISTINCT c, pid, docks FROM j) x WHERE x.c IS NOT DISTINCT FROM j.c) FROM j GROUP BY 1;

-- a dimension over both roles; unknown where either is missing
SELECT domestic, MEASURE(count), MEASURE(domestic_tons), MEASURE(late_share) FROM freight GROUP BY 1;
SELECT o.country = t.country, COUNT(*), SUM(tons) FILTER (WHERE o.country = t.country), 1.0 * COUNT(*) FILTER (WHERE date_diff('hour', left_at, came_at) > 72) / COUNT(*) FROM shipments s LEFT JOIN ports o ON o.id = from_port LEFT JOIN ports t ON t.id = to_port GROUP BY 1;

-- lanes
SELECT lane, MEASURE(count), MEASURE(avg_hours) FROM freight GROUP BY 1 HAVING MEASURE(count) > 1;
SELECT o.code || '>' || t.code, COUNT(*), AVG(date_diff('hour', left_at, came_at)) FROM shipments s LEFT JOIN ports o ON o.id = from_port LEFT JOIN ports t ON t.id = to_port GROUP BY 1 HAVING COUNT(*) > 1;

-- a product of a row and the sum below it
SELECT carriers_name, MEASURE(ton_km), MEASURE(tons_per_box), MEASURE(boxes_volume) FROM freight GROUP BY 1;
SELECT name, SUM(tons * (SELECT SUM(km) FROM legs WHERE shipment_id = s.id)), CAST(SUM(tons) AS DOUBLE) / NULLIF(SUM((SELECT COUNT(*) FROM boxes WHERE shipment_id = s.id)), 0), SUM((SELECT SUM(volume) FROM boxes WHERE shipment_id = s.id)) FROM shipments s LEFT JOIN carriers c ON c.id = carrier GROUP BY 1;

-- by kinds of boxes, legs once per shipment and kind
SELECT boxes_kind, MEASURE(legs_km), MEASURE(legs_longest), MEASURE(tons), MEASURE(count), MEASURE(ton_km) FROM freight GROUP BY 1;
WITH k AS (SELECT DISTINCT b.kind, s.id, s.tons FROM shipments s LEFT JOIN boxes b ON b.shipment_id = s.id)
SELECT kind, SUM((SELECT SUM(km) FROM legs WHERE shipment_id = k.id)), MAX((SELECT MAX(km) FROM legs WHERE shipment_id = k.id)), SUM(tons), COUNT(*), SUM(tons * (SELECT SUM(km) FROM legs WHERE shipment_id = k.id)) FROM k GROUP BY 1;

-- cubes joined by name, in both roles
SELECT origins.code, MEASURE(shipments.tons) FROM shipments CROSS JOIN origins CROSS JOIN targets WHERE targets.country = 'JP' GROUP BY 1;
SELECT o.code, SUM(tons) FROM shipments s LEFT JOIN ports o ON o.id = from_port LEFT JOIN ports t ON t.id = to_port WHERE t.country = 'JP' GROUP BY 1;

-- a filter on a leg, boxes counted: shipments with such a leg
SELECT MEASURE(boxes_count), MEASURE(boxes_volume), MEASURE(count), MEASURE(legs_count) FROM freight WHERE legs_nr = 2 AND stops_country = 'DE';
WITH l AS (SELECT shipment_id FROM legs JOIN ports p ON p.id = port WHERE nr = 2 AND country = 'DE') SELECT COUNT(*), SUM(volume), (SELECT COUNT(DISTINCT shipment_id) FROM l), (SELECT COUNT(*) FROM l) FROM boxes WHERE shipment_id IN (SELECT shipment_id FROM l);

-- hours by day of the week
SELECT EXTRACT(dow FROM left_at), MEASURE(avg_hours), MEASURE(late_count) FROM shipments GROUP BY 1;
SELECT EXTRACT(dow FROM left_at), AVG(date_diff('hour', left_at, came_at)), COUNT(*) FILTER (WHERE date_diff('hour', left_at, came_at) > 72) FROM shipments GROUP BY 1;

-- the late ones by month of departure and of arrival, two times of one row
SELECT date_trunc('month', left_at), date_trunc('month', came_at), COUNT(*) FROM shipments WHERE late GROUP BY 1, 2;
SELECT date_trunc('month', left_at), date_trunc('month', came_at), COUNT(*) FROM shipments WHERE date_diff('hour', left_at, came_at) > 72 GROUP BY 1, 2;

-- EXCEPT over measures of two roles
SELECT origins_code FROM freight GROUP BY 1 HAVING MEASURE(tons) > 5 EXCEPT SELECT targets_code FROM freight GROUP BY 1 HAVING MEASURE(tons) > 10;
SELECT o.code FROM shipments s LEFT JOIN ports o ON o.id = from_port GROUP BY 1 HAVING SUM(tons) > 5 EXCEPT SELECT t.code FROM shipments s LEFT JOIN ports t ON t.id = to_port GROUP BY 1 HAVING SUM(tons) > 10;

-- the first of each lane @ordered
SELECT DISTINCT ON (carriers_name) carriers_name, id FROM freight ORDER BY carriers_name, left_at DESC;
SELECT name, id FROM (SELECT name, s.id, ROW_NUMBER() OVER (PARTITION BY name ORDER BY left_at DESC) r FROM shipments s LEFT JOIN carriers c ON c.id = carrier) WHERE r = 1 ORDER BY 1 NULLS LAST;
