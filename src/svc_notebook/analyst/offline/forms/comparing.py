"""A form beside another: both as one form over their rows, and such a form seen again as a comparison."""

from __future__ import annotations

from .form import Form
from .writing.scope import CannotWrite

__all__ = ["beside", "compared"]


def beside(form: Form) -> Form:
    """A form with a comparison as one over the rows of both."""
    raise CannotWrite("A comparison with another time or form cannot be written yet.")


def compared(form: Form) -> Form:
    """A form over the rows of two that only differ in time as a comparison."""
    return form
