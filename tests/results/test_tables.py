"""Tables: formats, nulls, what is cut said in words, the same text everywhere."""

from __future__ import annotations

import pytest

from svc_notebook.protocol.tools import Column
from svc_notebook.results.tables import html_table, table_payload, text_table
from svc_notebook.results.values import shown

COLUMNS = [
    Column("carrier", "String", title="Carrier"),
    Column("revenue", "Decimal(38,2)", format="currency", currency="EUR"),
]
ROWS = [["DL", "1234567.5"], [None, None], ["<b>x</b>", "-3"]]


@pytest.mark.parametrize(
    ("value", "column", "text"),
    [
        (1234567, Column("n", "Int64"), "1,234,567"),
        ("9007199254740993", Column("n", "Int64"), "9,007,199,254,740,993"),
        ("12345678901234567890.12", Column("n", "Decimal(38,2)"), "12,345,678,901,234,567,890.12"),
        (0.1234, Column("n", "Double", format="percent"), "12.3%"),
        (0.5, Column("n", "Double", format="percent_0"), "50%"),
        (12, Column("n", "Int64", format="currency"), "$12.00"),
        (-12.5, Column("n", "Double", format="currency", currency="SEK"), "-12.50 SEK"),
        (2013, Column("n", "Int64", format="id"), "2013"),
        (0.000123456, Column("n", "Double"), "0.000123"),
        ("2024-01-01T00:00:00", Column("t", "Timestamp"), "2024-01-01"),
        ("2013-02-01T00:00:00.000", Column("t", "Timestamp", format="month"), "Feb 2013"),
        ("2013-02-01", Column("t", "Date", format="month"), "Feb 2013"),
        ("2013-10-01T00:00:00", Column("t", "Timestamp", format="quarter"), "Q4 2013"),
        ("2013-01-01T00:00:00", Column("t", "Timestamp", format="year"), "2013"),
        ("2013-02-03T00:00:00", Column("t", "Timestamp", format="month"), "2013-02-03"),
        ("2013-02-01T04:30:00", Column("t", "Timestamp", format="month"), "2013-02-01 04:30:00"),
        ("2013-04-01T00:00:00", Column("t", "Timestamp", format="year"), "2013-04-01"),
        ("2024-01-01T10:30:00", Column("t", "Timestamp"), "2024-01-01 10:30:00"),
        (None, Column("t", "String"), "null"),
        (True, Column("t", "Boolean"), "true"),
        ("007", Column("t", "String"), "007"),
    ],
)
def test_a_value_is_shown_by_its_columns_format(value: object, column: Column, text: str) -> None:
    assert shown(value, column) == text


def test_html_is_accessible_and_inert() -> None:
    html = html_table(COLUMNS, ROWS, total_rows=300, title="Revenue")
    assert '<caption class="svc-partial">Revenue · first 3 of 300 rows</caption>' in html
    assert html.count('scope="col"') == 2
    assert '<td style="text-align:right">€1,234,567.50</td>' in html
    assert "<em>null</em>" in html
    assert "&lt;b&gt;x&lt;/b&gt;" in html


def test_amounts_of_named_groups_are_bars_in_the_saved_table_too() -> None:
    columns = [Column("carrier", "String"), Column("flights", "Int64"), Column("year", "Int64")]
    rows = [["DL", 50, 2011], ["UA", 200, 2012], ["B6", None, 2013], ["EV", 0, 2014], ["AA", 400, 2015]]
    html = html_table(columns, rows, limit=4)
    drawn = [cell.split("%")[0] for cell in html.split(",transparent 0)")[:-1]]
    assert [float(each.rpartition(" ")[2]) for each in drawn] == [12.5, 50.0], (
        "of the largest that is here, shown or not"
    )
    assert ">50</td>" in html and ">2,012</td>" in html, "each number is there to be read"
    assert "gradient" not in html_table(columns, [[None, -1, 2], [None, 3, 4], [None, 5, 6]]), "none below nothing"
    assert "gradient" not in html_table(columns[1:], [row[1:] for row in rows]), "nothing names the groups"


def test_plain_text_lines_up_and_says_what_is_cut() -> None:
    assert text_table(COLUMNS, ROWS, total_rows=300) == "Carrier         revenue\n--------  -------------\nDL        €1,234,567.50\nnull               null\n<b>x</b>         -€3.00\n(first 3 of 300 rows)"  # fmt: skip


def test_an_empty_result_says_so() -> None:
    assert "no rows" in text_table(COLUMNS, [])
    assert "no rows" in html_table(COLUMNS, [])


def test_the_widgets_table_sorts_by_numbers_not_by_text() -> None:
    payload = table_payload(COLUMNS, ROWS, total_rows=3)
    assert payload["keys"] == [None, [1234567.5, None, -3.0]]
    assert payload["rows"][1] == [None, None]
    assert payload["said"] == "all 3 rows"


def test_weekdays_and_months_are_shown_by_name() -> None:
    weekday = Column("d", "Int64", format="weekday")
    assert [shown(value, weekday) for value in (1, 7, 8, None)] == ["Monday", "Sunday", "8", "null"]
    assert shown("12", Column("m", "Int64", format="month")) == "December"


def test_heads_say_what_their_numbers_are_counted_in() -> None:
    columns = [Column("ward", "string"), Column("wait", "double", title="Average wait", unit="minutes")]
    rows = [["Eyes", 12.5]]
    assert ">Average wait (minutes)</th>" in html_table(columns, rows)
    assert "Average wait (minutes)" in text_table(columns, rows)
    assert table_payload(columns, rows, total_rows=1)["columns"][1]["title"] == "Average wait (minutes)"


def test_names_of_weekdays_stand_as_names_do() -> None:
    columns = [Column("d", "int64", title="Weekday", format="weekday"), Column("n", "int64", title="Visits")]
    payload = table_payload(columns, [[1, 4], [2, 7]], total_rows=2)
    assert [column["number"] for column in payload["columns"]] == [False, True]
    assert payload["keys"][0] == [1.0, 2.0], "sorted as the week goes all the same"
    assert '<td style="text-align:left">Monday</td>' in html_table(columns, [[1, 4], [2, 7]])
