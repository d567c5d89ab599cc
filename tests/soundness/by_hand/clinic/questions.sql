-- composite keys over a chasm and two hops
SELECT kind, MEASURE(count), MEASURE(beds), MEASURE(patients_count), MEASURE(patients_weight), MEASURE(visits_minutes), MEASURE(rooms_size) FROM (SELECT kind, count, beds, patients_count, patients_weight, visits_minutes, rooms_size FROM care) AS q GROUP BY 1;
WITH c AS (SELECT * FROM clinics), p AS (SELECT kind, p.* FROM c JOIN patients p ON p.country = c.country AND p.clinic_no = c.no)
SELECT c.kind, COUNT(*), SUM(beds), (SELECT COUNT(*) FROM p WHERE p.kind IS NOT DISTINCT FROM c.kind), (SELECT SUM(weight) FROM p WHERE p.kind IS NOT DISTINCT FROM c.kind),
  (SELECT SUM(minutes) FROM p JOIN visits v ON v.country = p.country AND v.clinic_no = p.clinic_no AND v.patient_nr = p.nr WHERE p.kind IS NOT DISTINCT FROM c.kind),
  (SELECT SUM(size) FROM rooms r JOIN c b ON b.country = r.country AND b.no = r.clinic_no WHERE b.kind IS NOT DISTINCT FROM c.kind) FROM c GROUP BY 1;

-- by a key at the far end: patients once per field of their doctors
SELECT doctors_field, MEASURE(patients_count), MEASURE(patients_avg_weight), MEASURE(beds), MEASURE(doctors_fee), MEASURE(visits_count) FROM (SELECT doctors_field, patients_count, patients_avg_weight, beds, doctors_fee, visits_count FROM care) AS q GROUP BY 1;
WITH j AS (SELECT d.field, d.id did, d.country dc, d.fee, p.country pc, p.clinic_no pn, p.nr, p.weight, c.country cc, c.no cn, c.beds, v.id vid FROM clinics c LEFT JOIN patients p ON p.country = c.country AND p.clinic_no = c.no LEFT JOIN visits v ON v.country = p.country AND v.clinic_no = p.clinic_no AND v.patient_nr = p.nr LEFT JOIN doctors d ON d.id = v.doctor AND d.country = v.country)
SELECT a.field, a.n, a.w, b.s, d.f, a.v FROM (SELECT field, COUNT(DISTINCT (pc, pn, nr)) FILTER (WHERE nr IS NOT NULL) n, COUNT(DISTINCT vid) v, (SELECT AVG(weight) FROM (SELECT DISTINCT field, pc, pn, nr, weight FROM j) x WHERE x.field IS NOT DISTINCT FROM j.field) w FROM j GROUP BY 1) a
  JOIN (SELECT field, SUM(beds) s FROM (SELECT DISTINCT field, cc, cn, beds FROM j) GROUP BY 1) b ON a.field IS NOT DISTINCT FROM b.field JOIN (SELECT field, SUM(fee) f FROM (SELECT DISTINCT field, did, dc, fee FROM j) GROUP BY 1) d ON a.field IS NOT DISTINCT FROM d.field;

-- the patients' own cube: those without a clinic are there
SELECT clinics.kind, MEASURE(patients.count), MEASURE(clinics.count), MEASURE(clinics.beds) FROM patients CROSS JOIN clinics GROUP BY 1;
SELECT kind, COUNT(*), COUNT(DISTINCT (c.country, c.no)) FILTER (WHERE c.no IS NOT NULL), (SELECT SUM(beds) FROM clinics x WHERE x.kind IS NOT DISTINCT FROM c.kind AND EXISTS (SELECT 1 FROM patients y WHERE y.country = x.country AND y.clinic_no = x.no)) FROM patients p LEFT JOIN clinics c ON c.country = p.country AND c.no = p.clinic_no GROUP BY 1;

-- a sub-query dimension over a composite key; one part of it is NULL
SELECT visit_count, COUNT(*), MEASURE(weight) FROM patients GROUP BY 1;
SELECT n, COUNT(*), SUM(weight) FROM (SELECT weight, CASE WHEN clinic_no IS NULL THEN NULL ELSE (SELECT COUNT(*) FROM visits v WHERE v.country = p.country AND v.clinic_no = p.clinic_no AND v.patient_nr = p.nr) END n FROM patients p) GROUP BY 1;

-- a sub-query over the cube above
SELECT clinic_beds, COUNT(*) FROM patients WHERE clinic_no IS NOT NULL GROUP BY 1;
SELECT beds, COUNT(*) FROM patients p LEFT JOIN clinics c ON c.country = p.country AND c.no = p.clinic_no WHERE p.clinic_no IS NOT NULL GROUP BY 1;

-- measures filtered and averaged by a sub-query, by clinic, beside rooms
SELECT rooms_label, MEASURE(patients_regulars), MEASURE(patients_visits_per_patient) FROM care GROUP BY 1;
WITH n AS (SELECT p.*, (SELECT COUNT(*) FROM visits v WHERE v.country = p.country AND v.clinic_no = p.clinic_no AND v.patient_nr = p.nr) n FROM patients p)
SELECT label, COUNT(*) FILTER (WHERE n >= 3), AVG(n) FROM (SELECT DISTINCT label, n.country, n.clinic_no, nr, n FROM clinics c LEFT JOIN rooms r ON r.country = c.country AND r.clinic_no = c.no LEFT JOIN n ON n.country = c.country AND n.clinic_no = c.no) GROUP BY 1;

-- a measure over the one-to-one partner of its row
SELECT reason, MEASURE(paid), MEASURE(count), MEASURE(minutes), MEASURE(doctors_seen) FROM visits GROUP BY 1;
SELECT reason, SUM(amount) FILTER (WHERE paid), COUNT(*), SUM(minutes), COUNT(DISTINCT d.id) FROM visits v LEFT JOIN bills b ON b.country = v.country AND b.visit_id = v.id AND amount IS NOT NULL LEFT JOIN doctors d ON d.id = doctor AND d.country = v.country GROUP BY 1;

-- the partner's key is made of text: missing bills are none
SELECT visits_reason, MEASURE(bills_count), MEASURE(bills_amount) FROM care GROUP BY 1;
SELECT reason, COUNT(amount), SUM(amount) FROM clinics c LEFT JOIN patients p ON p.country = c.country AND p.clinic_no = c.no LEFT JOIN visits v ON v.country = p.country AND v.clinic_no = p.clinic_no AND v.patient_nr = p.nr LEFT JOIN bills b ON b.country = v.country AND b.visit_id = v.id GROUP BY 1;

-- not paid is not the same as no bill
SELECT bills_paid, MEASURE(visits_count), MEASURE(bills_count) FROM care WHERE visits_id IS NOT NULL GROUP BY 1;
SELECT CASE WHEN amount IS NOT NULL THEN paid END, COUNT(*), COUNT(amount) FROM clinics c JOIN patients p ON p.country = c.country AND p.clinic_no = c.no JOIN visits v ON v.country = p.country AND v.clinic_no = p.clinic_no AND v.patient_nr = p.nr LEFT JOIN bills b ON b.country = v.country AND b.visit_id = v.id GROUP BY 1;

-- decades of birth
SELECT date_trunc('year', born) AS y, MEASURE(count), MEASURE(avg_weight) FROM patients WHERE blood <> 'A' GROUP BY 1;
SELECT date_trunc('year', born), COUNT(*), AVG(weight) FROM patients WHERE blood <> 'A' GROUP BY 1;

-- IN over two columns
SELECT COUNT(*) FROM patients WHERE (country, clinic_no) IN (('AT', 1), ('D', 2));
SELECT COUNT(*) FROM patients WHERE (country = 'AT' AND clinic_no = 1) OR (country = 'D' AND clinic_no = 2);

-- the distinct pairs
SELECT COUNT(DISTINCT (country, clinic_no)), COUNT(DISTINCT country) FROM patients WHERE clinic_no IS NOT NULL;
SELECT COUNT(*), COUNT(DISTINCT country) FROM (SELECT DISTINCT country, clinic_no FROM patients WHERE clinic_no IS NOT NULL);

-- nobody: a semi- and an anti-join
SELECT COUNT(*) FROM patients AS p WHERE NOT EXISTS (SELECT 1 FROM visits AS v WHERE v.country = p.country AND v.id = p.nr);
SELECT COUNT(*) FROM patients AS p WHERE NOT EXISTS (SELECT 1 FROM visits AS v WHERE v.country = p.country AND v.id = p.nr);

-- grouping sets over two cubes, the grand total among them
SELECT kind, patients_blood, MEASURE(patients_count), MEASURE(beds) FROM care GROUP BY GROUPING SETS ((kind), (patients_blood), ());
WITH j AS (SELECT kind, blood, c.country, c.no, beds, p.country || p.clinic_no || '/' || p.nr AS k FROM clinics c LEFT JOIN patients p ON p.country = c.country AND p.clinic_no = c.no)
SELECT kind, NULL, COUNT(DISTINCT k), (SELECT SUM(beds) FROM clinics x WHERE x.kind IS NOT DISTINCT FROM j.kind) FROM j GROUP BY 1 UNION ALL SELECT NULL, blood, COUNT(DISTINCT k), (SELECT SUM(beds) FROM (SELECT DISTINCT blood, country, no, beds FROM j) x WHERE x.blood IS NOT DISTINCT FROM j.blood) FROM j GROUP BY 2 UNION ALL SELECT NULL, NULL, COUNT(DISTINCT k), (SELECT SUM(beds) FROM clinics) FROM j;
