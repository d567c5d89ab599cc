"""``svc-notebook eval``: verdicts by execution."""

from __future__ import annotations

from pathlib import Path

import pytest
import worlds

from svc_notebook.analyst.evaluation import Case, compare_rows, evaluate, read_cases
from svc_notebook.analyst.offline import OfflineAnalyst


def verdict(case: Case) -> tuple[str, str]:
    report = evaluate([case], OfflineAnalyst(), worlds.shop().layer)
    return report.verdicts[0].verdict, report.verdicts[0].reason


def test_the_right_rows_pass() -> None:
    assert verdict(Case("revenue by country", sql="SELECT country, MEASURE(revenue) FROM orders GROUP BY 1")) == (
        "pass",
        "",
    )


def test_other_rows_fail_with_a_reason() -> None:
    assert verdict(Case("revenue by country", sql="SELECT city, MEASURE(revenue) FROM orders GROUP BY 1")) == (
        "fail",
        "4 rows instead of 8",
    )


def test_a_question_that_is_not_answered_fails() -> None:
    kind, reason = verdict(Case("florbs by zork", rows=((1,),)))
    assert kind == "fail" and reason.startswith("not answered")


def test_expected_sql_that_does_not_run_is_an_error() -> None:
    kind, reason = verdict(Case("revenue", sql="SELECT nothing FROM orders"))
    assert kind == "error" and "expected SQL" in reason


def test_a_conversation_is_judged_by_its_last_answer() -> None:
    case = Case(
        "only Germany",
        turns=("number of orders", "only Germany"),
        sql="SELECT MEASURE(count) FROM orders WHERE country = 'Germany'",
    )
    assert verdict(case)[0] == "pass"


def test_order_counts_only_when_asked() -> None:
    rows, other = [[1, "a"], [2, "b"]], [[2, "b"], [1, "a"]]
    assert compare_rows(rows, other)
    assert not compare_rows(rows, other, ordered=True)


def test_extra_columns_and_last_digits_do_not_matter() -> None:
    assert compare_rows([["a", 1.000001, "x"]], [[1.0, "a"]])
    assert not compare_rows([["a", 1.01]], [["a", 1.0]])


def test_cases_are_read_and_wrong_ones_named(tmp_path: Path) -> None:
    file = tmp_path / "cases.yml"
    file.write_text(
        "- question: revenue\n  sql: SELECT 1\n- question: and by country\n  follows: true\n  rows: [[1]]\n"
    )
    cases = read_cases(file)
    assert cases[1].turns == ("revenue", "and by country")
    file.write_text("- question: revenue\n")
    with pytest.raises(ValueError, match=r"case 1 .revenue.: say what is expected"):
        read_cases(file)
