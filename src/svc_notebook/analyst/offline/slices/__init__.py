"""Two slices of rows set against each other: *do half board guests rate us better than room only ones*."""

from __future__ import annotations

from .compared import Beside, asks_of_amount, beside

__all__ = ["Beside", "asks_of_amount", "beside"]
