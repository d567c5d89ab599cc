"""Two slices of rows set against each other: *do half board guests rate us better than room only ones*."""

from __future__ import annotations

from .compared import Beside, asks_of_amount, beside
from .numbers import number_said_so

__all__ = ["Beside", "asks_of_amount", "beside", "number_said_so"]
