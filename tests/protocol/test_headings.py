"""What stands over numbers says what they are counted in, once."""

import pytest

from svc_notebook.protocol.headings import with_unit


@pytest.mark.parametrize(("title", "unit", "said"), [
    ("Average wait", "minutes", "Average wait (minutes)"),
    ("Average weight", "g", "Average weight (g)"),  # which has a g in it
    ("Average hours from order to delivery", "hours", "Average hours from order to delivery"),
    ("Total kwh", "kWh", "Total kWh"),
    ("Average km", "km", "Average km"),
    ("Average humidity percent", "%", "Average humidity percent"),
    ("Flights", None, "Flights"),
])  # fmt: skip
def test_a_unit_is_said_once_and_as_it_is_written(title: str, unit: str | None, said: str) -> None:
    assert with_unit(title, unit) == said
