"""A form beside another: both as one form over their rows, and such a form seen again as a comparison."""

from __future__ import annotations

from .form import Form

__all__ = ["beside", "compared"]


def beside(form: Form) -> Form:
    return form


def compared(form: Form) -> Form:
    return form
