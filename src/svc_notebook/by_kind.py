"""A method that is another one for each class of its argument."""

from __future__ import annotations

from functools import singledispatchmethod
from typing import TYPE_CHECKING, Any

__all__ = ["by_kind"]

if TYPE_CHECKING:
    by_kind = singledispatchmethod
else:

    class by_kind(singledispatchmethod):  # noqa: N801 (a decorator)
        """``singledispatchmethod`` that dresses up no function at each call, which costs ten times what a call does."""

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return super().__get__(instance, owner)
            dispatch = self.dispatcher.dispatch
            return lambda of, *more: dispatch(of.__class__)(instance, of, *more)
