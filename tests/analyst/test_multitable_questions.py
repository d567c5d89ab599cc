"""Questions over several tables are answered as hand-written SQL over those tables answers them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from multitable_worlds import table_world

from svc_notebook.analyst.evaluation import Case, evaluate
from svc_notebook.analyst.offline import OfflineAnalyst

NOW = datetime(2025, 6, 18, tzinfo=UTC)
# Not answered as written down today: the construct is missing, another reading is as good, or several rows tie.
OPEN = {
    "The top 2 drivers by number of shipments for each depot",
    "What is the average delivery time in hours by depot?",
    "What percentage of enrollments were dropped?",
    "Top 5 students by average grade",
    "What is the failure rate by department?",
    "Students from Germany with a grade below 60",
    "Which professor teaches the most sections?",
    "For each department, the highest paid professor",
    "How many students enrolled each year?",
    "Which vehicles were never used for a shipment?",
    "Revenue per kilogram by client",
    "Shipments not yet delivered",
    "The heaviest shipment of each client",
    "Monthly total price of shipments in 2024 with running total",
    "How many clients have at least one open claim?",
    "First shipment date of each client",
    "Number of shipments with a claim and without a claim",
    "Difference between the highest and lowest price by status",
    "Which drugs were never prescribed?",
    "Average number of days between issue and payment of invoices",
    "What percentage of visits led to a prescription?",
    "Last visit date per patient",
    "How many patients had their first visit in each month of 2023?",
    "Invoices paid more than 30 days after they were issued",
    "What is the total cost of prescriptions (quantity times unit price) per drug class?",
    "Year over year change in number of visits",
    "How many days passed on average between dispatch and filing of the claim?",  # refused for “passed”
}


@pytest.mark.parametrize("field", ["university", "logistics", "clinic"])
def test_answers_over_several_tables_are_those_of_the_tables(field: str) -> None:
    world = table_world(field)
    cases = [Case(told["q"], rows=tuple(map(tuple, world.expected(told["sql"])))) for told in world.told["questions"]]
    report = evaluate(cases, OfflineAnalyst(), world.layer, now=NOW)
    wrong = {v.case.question: v.reason for v in report.verdicts if v.verdict in ("fail", "error")}
    assert {question: reason for question, reason in wrong.items() if question not in OPEN} == {}
    assert [v.case.question for v in report.verdicts if v.verdict == "error"] == []


def test_there_are_eighty_of_them() -> None:
    assert sum(len(table_world(field).told["questions"]) for field in ("university", "logistics", "clinic")) == 80


def sql_of(field: str, question: str) -> str:
    world = table_world(field)
    report = evaluate([Case(question, rows=((None,),))], OfflineAnalyst(), world.layer, now=NOW)
    return report.verdicts[0].sql


def rows_of(field: str, question: str, sql: str) -> str:
    world = table_world(field)
    case = Case(question, rows=tuple(map(tuple, world.expected(sql))))
    verdict = evaluate([case], OfflineAnalyst(), world.layer, now=NOW).verdicts[0]
    return f"{verdict.verdict} {verdict.reason}".strip()


@pytest.mark.parametrize(
    ("field", "question", "sql"),
    [
        (
            "university",
            "How many students have more than 5 enrollments?",
            "SELECT COUNT(*) FROM (SELECT student_id FROM enrollments GROUP BY 1 HAVING COUNT(*) > 5)",
        ),
        (
            "university",
            "ratio of students with a scholarship to professors",
            "SELECT COUNT(DISTINCT student_id) * 1.0 / (SELECT COUNT(*) FROM professors) FROM scholarships",
        ),
        (
            "logistics",
            "ratio of shipments to claims by client",
            (
                "SELECT c.client_name, COUNT(DISTINCT s.shipment_id) * 1.0 / COUNT(DISTINCT k.claim_id) FROM shipments s "
                "JOIN clients c USING (client_id) LEFT JOIN claims k USING (shipment_id) GROUP BY 1 "
                "HAVING COUNT(DISTINCT k.claim_id) > 0"
            ),
        ),
        (
            "clinic",
            "total invoice amount by drug class",
            (
                "SELECT drug_class, SUM(amount) FROM (SELECT DISTINCT g.drug_class, i.invoice_id, i.amount FROM invoices i "
                "JOIN visits USING (visit_id) JOIN prescriptions USING (visit_id) JOIN drugs g USING (drug_id)) GROUP BY 1"
            ),
        ),
    ],
)
def test_constructs_over_several_tables(field: str, question: str, sql: str) -> None:
    assert rows_of(field, question, sql) == "pass"


def test_rows_that_two_facts_share_are_counted_once() -> None:
    sql = sql_of("clinic", "total invoice amount by drug class")
    assert "DISTINCT" in sql and "MEASURE" not in sql


def test_a_denial_that_is_not_understood_is_not_answered() -> None:
    assert sql_of("clinic", "Which drugs were never sprongled?") == ""
