"""Lookups and lists as people ask for them: what tells of a row beside its key, superlatives, verbs, whether there is any.

Each question is asked of a domain of ``benchmarks/strangers`` and has the SQL over its files that answers it; ``None``: it
cannot be answered, and nothing may be.
"""

from __future__ import annotations

import pytest

from benchmarks.strangers import asked, clock_of, opened, read_domain

_KEYS = {
    "garage": {
        "show me the jobs from last week":
            "SELECT job_no, in_dt, inv_amt FROM job WHERE in_dt >= '2025-06-09' AND in_dt < '2025-06-16' ORDER BY in_dt, job_no",
        "list the jobs in may 2025":
            "SELECT job_no, in_dt, inv_amt FROM job WHERE in_dt >= '2025-05-01' AND in_dt < '2025-06-01' ORDER BY in_dt, job_no",
        "which jobs are unpaid": "SELECT job_no, in_dt, inv_amt FROM job WHERE pd_dt IS NULL ORDER BY in_dt, job_no",
        "which invoices are unpaid":
            "SELECT job_no, in_dt, inv_amt FROM job WHERE pd_dt IS NULL AND inv_amt IS NOT NULL ORDER BY in_dt, job_no",
    },
    "bakery": {
        "show me the orders from last week":
            "SELECT order_id, customer_name, ordered_at FROM orders WHERE ordered_at >= '2025-03-10' AND ordered_at < '2025-03-17'"
            " ORDER BY ordered_at",
    },
    "helpdesk": {
        "show me the tickets from last week":
            "SELECT ticketId, subject, openedAt FROM tickets WHERE openedAt >= '2026-02-02' AND openedAt < '2026-02-09'"
            " ORDER BY openedAt",
        "tickets without an agent": "SELECT ticketId, subject, openedAt FROM tickets WHERE assignedTo IS NULL ORDER BY openedAt",
    },
    "hotel": {
        "show me the bookings from last week":
            'SELECT "Booking No", "Booked On", "Gross Amount" FROM bookings WHERE "Booked On" >= \'2025-06-02\''
            ' AND "Booked On" < \'2025-06-09\' ORDER BY 2, 1',
    },
    "vet": {
        "show me the appointments from last week":
            "SELECT appointment_id, scheduled_at FROM appointments WHERE scheduled_at >= '2025-06-09'"
            " AND scheduled_at < '2025-06-16' ORDER BY 2",
    },
    "estate": {
        "show the viewings last month":
            "SELECT VIEWING_NO, VIEWED_AT FROM VIEWINGS WHERE VIEWED_AT >= '2025-08-01' AND VIEWED_AT < '2025-09-01' ORDER BY 2, 1",
    },
    "quakes": {
        "show me the quakes from last month":
            "SELECT \"Event ID\", \"Date\" FROM quakes WHERE \"Date\" >= '2024-10-01' AND \"Date\" < '2024-11-01' ORDER BY 2, 1",
    },
}  # fmt: skip
_SUPERLATIVES = {
    "estate": {
        "dearest home": "SELECT REF, ASKING_GBP FROM LISTINGS ORDER BY 2 DESC LIMIT 1",
        "priciest listing for sale": "SELECT REF, ASKING_GBP FROM LISTINGS WHERE STATUS = 'for sale' ORDER BY 2 DESC LIMIT 1",
        "dearest home on the market in each area":
            "SELECT AREA, REF, ASKING_GBP FROM LISTINGS WHERE STATUS = 'for sale'"
            " QUALIFY rank() OVER (PARTITION BY AREA ORDER BY ASKING_GBP DESC) = 1",
        "how many homes are still on the market": "SELECT count(*) FROM LISTINGS WHERE STATUS = 'for sale'",
    },
    "vet": {
        "most expensive appointment in each month":
            "SELECT date_trunc('month', scheduled_at), appointment_id, amount_charged FROM appointments"
            " QUALIFY rank() OVER (PARTITION BY 1 ORDER BY amount_charged DESC NULLS LAST) = 1".replace(
                "PARTITION BY 1", "PARTITION BY date_trunc('month', scheduled_at)"),
    },
    "hotel": {
        "most expensive booking per room type":
            'SELECT "Room Type", "Booking No", "Net Amount" FROM bookings'
            ' QUALIFY rank() OVER (PARTITION BY "Room Type" ORDER BY "Net Amount" DESC NULLS LAST) = 1',
        "dearest extra": 'SELECT "Extra No", Price FROM extras ORDER BY 2 DESC LIMIT 1',
    },
    "bakery": {
        "dearest product in each category":
            "SELECT category, product_name, list_price FROM products"
            " QUALIFY rank() OVER (PARTITION BY category ORDER BY list_price DESC) = 1",
    },
    "garage": {"which mechanic is slowest": None, "top 3 mechanics with the most jobs":
               "SELECT done_by, count(*) FROM job WHERE done_by IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 3"},
    "bikes": {"most common issue": "SELECT issue, count(*) FROM rides WHERE issue IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 1"},
}  # fmt: skip
_ANYBODY = {
    "garage": {
        "did anyone leave this year": "SELECT fname, lname FROM mech WHERE left_dt >= '2025-01-01'",
        "does Sonia still work here": "SELECT left_dt FROM mech WHERE fname = 'Sonia'",
        "is Lee still with us": "SELECT left_dt FROM mech WHERE fname = 'Lee'",
        "who is still here": "SELECT fname, lname FROM mech WHERE left_dt IS NULL",
    },
    "physio": {
        "does Owen still work with us": "SELECT end_dt FROM thr WHERE thr_nm = 'Owen Brady'",
        "has Sinead left us": "SELECT end_dt FROM thr WHERE thr_nm = 'Sinead Lynch'",
        "who left this year": "SELECT thr_nm FROM thr WHERE end_dt >= '2025-01-01'",
        "which therapists left this year": "SELECT thr_nm FROM thr WHERE end_dt >= '2025-01-01'",
        "did anyone leave this year": "SELECT thr_nm FROM thr WHERE end_dt >= '2025-01-01'",
        "therapists no longer with us": "SELECT thr_nm FROM thr WHERE end_dt IS NOT NULL",
        "who is still with us": "SELECT thr_nm FROM thr WHERE end_dt IS NULL",
    },
    "driving": {
        "is Petra Voss still working for us": "SELECT left_dt FROM ins WHERE nm = 'Petra Voss'",
        "which pupils failed the practical 3 times or more?":
            "SELECT nm, count(*) FROM tst JOIN pup USING (pup_no) WHERE kind = 'practical' AND res = 'fail'"
            " GROUP BY pup_no, nm HAVING count(*) >= 3",
    },
    "vet": {
        "is there anyone who registered in may":
            "SELECT full_name FROM owners WHERE registered_on >= '2025-05-01' AND registered_on < '2025-06-01'",
    },
}  # fmt: skip
_VERBS = {
    "physio": {
        "who registered but never came even once":
            "SELECT pat_no, fname, lname FROM pat WHERE pat_no NOT IN (SELECT pat_no FROM appt WHERE stat = 'done')",
        "patients without a completed appointment": None,
        "appointments with status done": None,
    },
    "vet": {
        "who registered but never came":
            "SELECT full_name FROM owners WHERE owner_id NOT IN (SELECT owner_id FROM patients JOIN appointments USING (patient_id)"
            " WHERE status = 'completed')",
        "patients without a completed appointment":
            "SELECT patient_name, patient_id FROM patients WHERE patient_id NOT IN"
            " (SELECT patient_id FROM appointments WHERE status = 'completed')",
    },
    "driving": {
        "how many pupils does Petra Voss look after":
            "SELECT count(*) FROM pup JOIN ins USING (ins_no) WHERE ins.nm = 'Petra Voss'",
        "pupils who signed up but never came":
            "SELECT nm FROM pup WHERE pup_no NOT IN (SELECT pup_no FROM les WHERE stat = 'done')",
    },
    "helpdesk": {
        "tickets nobody has picked up": "SELECT ticketId FROM tickets WHERE assignedTo IS NULL",
        "which tickets has nobody picked up yet": "SELECT ticketId FROM tickets WHERE assignedTo IS NULL",
    },
    "stables": {
        "horses nobody rode this month":
            "SELECT name FROM horse WHERE horse_id NOT IN (SELECT horse_id FROM lesson WHERE dt >= '2025-09-01' AND dt < '2025-10-01')",
    },
}  # fmt: skip
_ALL = [
    (name, question, sql) for questions in (_KEYS, _SUPERLATIVES, _ANYBODY, _VERBS)
    for name, said in questions.items() for question, sql in said.items()
]  # fmt: skip


@pytest.mark.parametrize("name", sorted({name for name, *_ in _ALL}))
def test_a_lookup_is_answered_with_its_rows_or_not_at_all(name: str) -> None:
    wrong = {}
    with opened(name) as layer:
        for question, sql in ((question, sql) for home, question, sql in _ALL if home == name):
            said = {
                "ask": question,
                **({"sql": sql, "ordered": name in _KEYS and question in _KEYS[name]} if sql else {"none": True}),
            }
            found = asked(name, layer, said, clock_of(read_domain(name)))
            if found.verdict != ("right" if sql else "kept quiet"):
                wrong[question] = (found.verdict, found.sql, found.text[:200])
    assert wrong == {}
