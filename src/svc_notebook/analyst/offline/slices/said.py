"""A question that sets two slices against each other, taken apart."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Said"]


class Said(NamedTuple):
    """A question taken apart.

    Attributes
    ----------
    comparative
        The word that says more or less; empty where the number alone is named.
    about
        Words of what is compared: a number, a state of rows, the rows themselves.
    verb
        The verb that says by what rows are compared.
    one, other
        The words of both slices; no words of the other: all rows that are not of the first.
    asks
        ``whether``, ``why`` or ``""`` for the numbers alone.
    """

    comparative: str
    about: str
    verb: str
    one: str
    other: str
    asks: str = ""
    rated: bool = False  # as a share of rows, and not by how many there are
    of_two: bool = False  # two are named, and which of them or by how much is asked: one number of both is no answer
