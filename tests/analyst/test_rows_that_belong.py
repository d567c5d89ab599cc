"""Turns about those that were shown: rows of another table that belong to them, what is told of each, what they come to."""

from __future__ import annotations

import pytest
from tuition import lessons, rows, talk


def test_rows_of_another_table_are_those_that_belong_to_whom_was_shown() -> None:
    known = lessons()
    french = known[known.subject == "french"]
    assert rows("who teaches french", "how many lessons did they give") == [(len(french),)]
    counted = french.groupby("tutor_name").pupil_id.nunique()
    assert rows("who teaches french", "how many pupils do they have") == sorted(counted.items())


def test_what_belongs_to_them_goes_on() -> None:
    known = lessons()
    wanted = known[known.subject == "french"].groupby("city").size()
    assert rows("who teaches french", "how many lessons did they give", "by city") == sorted(wanted.items())


@pytest.mark.parametrize("words", ["how many lessons did they have", "how many lessons do they have"])
def test_rows_of_those_who_were_counted_are_not_those_who_were(words: str) -> None:
    known = lessons()
    assert rows("pupils in grade 12", words) == [(int((known.grade == 12).sum()),)]


def test_which_rows_belong_to_them() -> None:
    known = lessons()
    wanted = known[known.subject == "french"].pupil_name.unique()
    assert rows("who teaches french", "which pupils do they have") == sorted((name,) for name in wanted)


@pytest.mark.parametrize("words", ["show their emails", "what are their names and emails", "list their emails"])
def test_what_is_told_of_each_of_those_who_were_counted(words: str) -> None:
    known = lessons().drop_duplicates("pupil_id")
    wanted = known[known.grade == 12][["pupil_name", "email"]]
    assert rows("pupils in grade 12", words) == sorted(wanted.itertuples(index=False, name=None), key=repr)


def test_their_average_is_of_them_all() -> None:
    known = lessons().drop_duplicates("pupil_id")
    park = known[known.school == "Park School"]
    found = rows("pupils of Park School", "show their emails", "and their average grade")
    assert found is not None and found[0][0] == pytest.approx(park.grade.mean())


def test_who_they_are() -> None:
    asked = talk("pupils in grade 12", "who are they")
    assert asked.table is not None and asked.table.num_rows == lessons().query("grade == 12").pupil_id.nunique()


def test_whose_column_it_is_groups_by_nothing_more() -> None:
    wanted = sorted(lessons().groupby("school").size().items())
    assert rows("lessons by subject", "now per pupil school") == wanted
    assert rows("lessons by subject", "by school of the pupil") == wanted


def test_only_the_ones_of_a_value_are_no_column() -> None:
    known = lessons()
    wanted = known[known.outcome == "held"].groupby(["subject", "outcome"]).size()
    found = rows("lessons by subject and outcome", "no, just the held ones")
    assert found == sorted((*key, count) for key, count in wanted.items())


def test_a_number_with_those_that_are_shown_and_without() -> None:
    fees = lessons().groupby("subject").fee.sum()
    both = rows("lessons by subject", "with the fees")
    assert both is not None and {row[0]: row[2] for row in both} == fees.to_dict()
    assert rows("lessons by subject", "with the fees", "without the lessons") == sorted(fees.items())


def test_how_much_rows_that_were_counted_come_to() -> None:
    known = lessons()
    assert rows("missed lessons", "how much is that") == [(known[known.outcome == "missed"].fee.sum(),)]


def test_the_others_stay_told_apart() -> None:
    top = lessons().groupby("tutor_name").fee.sum().nlargest(2).index
    rest = lessons()[~lessons().tutor_name.isin(top)].groupby(["tutor_name", "year"]).fee.sum()
    found = rows("total fee by tutor", "the strongest two", "split that by year", "what about the others")
    assert found is not None and sorted(row[-1] for row in found) == sorted(rest)


def test_shares_are_numbers_again() -> None:
    assert rows("lessons by subject", "in per cent", "what can I ask", "just numbers again") == rows(
        "lessons by subject"
    )
