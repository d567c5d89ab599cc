"""Dataclasses whose methods are made when they are first needed, or shared.

The standard library writes and compiles up to six functions for each class, which was a tenth of the time to the first
answer. Here ``__init__`` is written when the first object is made, and all others are closures; all else (fields,
``replace``, ``asdict``, ``match``, slots) is the standard library's.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

_NOT_GIVEN: Any = object()

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, eq=True, slots=False):
        """``dataclasses.dataclass``, with its options that are used here."""
        if cls is None:
            return lambda made: dataclass(made, frozen=frozen, eq=eq, slots=slots)
        if any(dataclasses.is_dataclass(base) for base in cls.__bases__):  # whose fields and rules would be mixed
            return dataclasses.dataclass(cls, frozen=frozen, eq=eq, slots=slots)
        return _made(cls, frozen=frozen, eq=eq, slots=slots)


def _made(cls: Any, *, frozen: bool, eq: bool, slots: bool) -> Any:
    own, said = frozenset(cls.__dict__), cls.__doc__
    # Where there is none, one would be put together from a signature.
    cls.__doc__ = said or cls.__name__
    with _plain_annotations(cls) as told:
        made = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots)
    for each in fields(made):
        each.type = told[each.name]
    made.__annotations__ = told
    made.__doc__ = said
    written = _written(made, frozen=frozen, eq=eq, slots=slots)
    for name, method in written.items():
        if name not in own or (name == "__hash__" and cls.__hash__ is None and "__eq__" in own):
            setattr(made, name, method)
    made.__signature__ = _Signature()
    params = made.__dataclass_params__
    params.init = params.repr = True
    params.eq, params.frozen = eq, frozen
    return made


@contextmanager
def _plain_annotations(cls: Any) -> Iterator[dict[str, Any]]:
    """The annotations of a class, each of them ``object`` meanwhile where none says what a field is: the standard
    library searches every one that is a text for ``ClassVar`` and its like.
    """
    told = inspect.get_annotations(cls)
    if not any(special in said for said in map(str, told.values()) for special in ("ClassVar", "InitVar", "KW_ONLY")):
        cls.__annotations__ = dict.fromkeys(told, object)
    try:
        yield told
    finally:
        cls.__annotations__ = told


def _written(cls: Any, *, frozen: bool, eq: bool, slots: bool) -> dict[str, Any]:
    """The methods that a class gets where it has none of its own."""
    own = fields(cls)
    found: dict[str, Any] = {"__init__": _late_init(cls, frozen, slots), "__repr__": _repr(own)}
    if eq:
        found["__eq__"] = _eq(tuple(each.name for each in own if each.compare))
        hashed = (each.name for each in own if (each.compare if each.hash is None else each.hash))
        found["__hash__"] = _hash(tuple(hashed)) if frozen else None
    if frozen:
        found |= _frozen(cls, frozenset(each.name for each in own))
    if frozen and slots:  # which pickling would set one by one
        found |= {"__getstate__": _state, "__setstate__": _set_state}
    return found


def _late_init(cls: Any, frozen: bool, slots: bool) -> Callable[..., None]:
    def write() -> Callable[..., None]:
        made = _init(cls, frozen, slots)
        if cls.__dict__["__init__"] is __init__:
            cls.__init__ = made
        return made

    def __init__(self: Any, /, *args: Any, **named: Any) -> None:  # noqa: N807
        write()(self, *args, **named)

    __init__.__dict__["write"] = write
    return __init__


class _Signature:
    """What a class is called with, for whoever asks before its first object is made."""

    def __get__(self, one: object, owner: Any) -> inspect.Signature:
        if one is not None:  # an object that can be called has a signature of its own
            raise AttributeError("__signature__")
        init = owner.__init__
        found = inspect.signature(init.write() if hasattr(init, "write") else init)
        return found.replace(parameters=list(found.parameters.values())[1:])


def _init(cls: Any, frozen: bool, slots: bool) -> Callable[..., None]:
    known: dict[str, Any] = {"_put": object.__setattr__, "_NOT_GIVEN": _NOT_GIVEN}
    own = fields(cls)
    asked = [each for each in own if each.init]
    args = [*(_arg(each, known) for each in asked if not each.kw_only)]
    if named := [_arg(each, known) for each in asked if each.kw_only]:
        args += ["*", *named]
    lines = [line for each in own if (line := _line(each, known, frozen, slots))]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    body = "\n ".join(lines or ["pass"])
    exec(f"def __init__({', '.join(['self', *args])}):\n {body}", known)  # noqa: S102 (as the standard library does)
    made: Callable[..., None] = known["__init__"]
    made.__qualname__, made.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    made.__annotations__ = {each.name: each.type for each in asked} | {"return": None}
    return made


def _arg(each: Field[Any], known: dict[str, Any]) -> str:
    if each.default is not MISSING:
        known[f"_default_{each.name}"] = each.default
        return f"{each.name}=_default_{each.name}"
    return each.name if each.default_factory is MISSING else f"{each.name}=_NOT_GIVEN"


def _line(each: Field[Any], known: dict[str, Any], frozen: bool, slots: bool) -> str:
    """What sets a field, or nothing where it stays as the class has it."""
    name, value = each.name, each.name
    if each.default_factory is not MISSING:
        known[f"_make_{name}"] = each.default_factory
        value = f"_make_{name}() if {name} is _NOT_GIVEN else {name}" if each.init else f"_make_{name}()"
    elif not each.init:
        if each.default is MISSING or not slots:
            return ""
        known[f"_default_{name}"] = each.default
        value = f"_default_{name}"
    return f"_put(self, {name!r}, {value})" if frozen else f"self.{name} = {value}"


def _values(names: tuple[str, ...]) -> Callable[[Any], Any]:
    if not names:
        return lambda _one: ()
    found = attrgetter(*names)
    return found if len(names) > 1 else lambda one: (found(one),)


def _eq(names: tuple[str, ...]) -> Callable[[Any, Any], Any]:
    values = _values(names)

    def __eq__(self: Any, other: Any) -> Any:  # noqa: N807
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(names: tuple[str, ...]) -> Callable[[Any], int]:
    values = _values(names)

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(values(self))

    return __hash__


def _repr(own: tuple[Field[Any], ...]) -> Callable[[Any], str]:
    names = [each.name for each in own if each.repr]

    @recursive_repr()
    def __repr__(self: Any) -> str:  # noqa: N807
        said = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({said})"

    return __repr__


def _frozen(cls: Any, names: frozenset[str]) -> dict[str, Any]:
    def __setattr__(self: Any, name: str, value: Any) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": __setattr__, "__delattr__": __delattr__}


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
