"""What was prepared of a model, shared by those who see the same of it.

Who sees the same is told by the statements that rows come from, and to compile these takes a while: an asker who is the
only one so far is compared with others once there are any.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ....records import dataclass
from ....semantic.catalog import Catalog
from ....semantic.errors import SemanticError
from ....semantic.results.cache import Cache
from ....semantic.value_sets import every_dimension
from .metadata import Metadata

if TYPE_CHECKING:
    from ....semantic.sight import Sight

__all__ = ["Shelf", "shelf_of"]

_ROOM = 134_217_728
# Weak: a model that is served no more takes with it what is known of it.
_kept: weakref.WeakKeyDictionary[Any, Shelf] = weakref.WeakKeyDictionary()
_lock = threading.Lock()
_COMPARED = "compared"  # no key: those are tuples


class _First(Struct, frozen=True):
    """What was prepared for the only asker so far, and the sight it was prepared of."""

    key: Hashable
    metadata: Metadata
    again: Callable[[], Sight | None]


def _weight(metadata: Metadata) -> int:
    """A value is entered whole, by its words and by its spellings."""
    values = sum(sum(map(len, map(str, each))) + 512 * len(each) for each in metadata.values.members.values())
    return 65_536 + values + 2_048 * len(metadata.members)


@dataclass
class Shelf:
    """What is known of one model by sight, which sight an asker has, and who is preparing which sight.

    An asker is a key: the version of the model, and everything of the asker that a policy can read.
    """

    # An eighth of the room: a key and a digest where metadata have values.
    _sights: Cache[bytes] = field(default_factory=lambda: Cache(_ROOM // 8))
    _known: Cache[Metadata] = field(default_factory=lambda: Cache(_ROOM, _weight))
    _building: dict[Hashable, threading.Lock] = field(default_factory=dict)
    _begun: Hashable = None  # for whom the first is prepared, until it is compared
    _first: _First | None = None

    def find(self, key: Hashable) -> Metadata | None:
        """What was prepared for an asker, or for whoever sees the same."""
        first = self._first
        if first is not None and first.key == key:
            return first.metadata
        seen = self._sights.find(key)
        return self._known.find(seen) if seen is not None else None

    def prepared(self, key: Hashable, here: Sight, catalog: Catalog, make: Callable[[], Metadata]) -> Metadata:
        """The same, prepared where it is not there; who asks while another prepares it waits."""
        with self._alone(key):
            found = self.find(key)
            if found is not None:
                return found
            if self._begins(key):
                return self._made_first(key, here, make)
            self._compare_first(key)
            seen = self._sights.find(key) or _digest(here, catalog)
            # Two locks: one for the asker's sight, one for what is seen, since different askers may see the same.
            with self._alone(seen):
                # By what can be seen, not by who asks: whoever waited finds it made.
                found = self._known.find(seen)
                metadata = make() if found is None else found
                self._sights.put(key, seen)
                return metadata if found is not None else self._known.put(seen, metadata)

    def _begins(self, key: Hashable) -> bool:
        """Whether nobody has asked before."""
        with _lock:
            if self._begun is None:
                self._begun = key
                return True
        return False

    def _made_first(self, key: Hashable, here: Sight, make: Callable[[], Metadata]) -> Metadata:
        try:
            metadata = make()
        except BaseException:
            self._begun = None
            raise
        self._first = _First(key, metadata, here.loosely())
        return metadata

    def _compare_first(self, key: Hashable) -> None:
        """Put what was prepared for the first asker where others who see the same find it."""
        begun = self._begun
        if begun in (None, _COMPARED, key):
            return
        with self._alone(begun):
            first = self._first
            if first is None:
                return
            sight = first.again()
            if sight is not None and (sight.catalog.version, sight.asker) == first.key:
                seen = _digest(sight, sight.catalog)
                self._known.put(seen, first.metadata)
                self._sights.put(first.key, seen)
            self._begun, self._first = _COMPARED, None

    @contextmanager
    def _alone(self, what: Hashable) -> Iterator[None]:
        """Who asks while another prepares the same waits for it instead of doing it again."""
        with _lock:
            building = self._building.setdefault(what, threading.Lock())
        with building:
            try:
                yield
            finally:
                with _lock:
                    self._building.pop(what, None)


def shelf_of(model: object) -> Shelf:
    """The shelf of what stands for a model."""
    with _lock:
        return _kept.setdefault(model, Shelf())


def _digest(here: Sight, catalog: Catalog) -> bytes:
    whole = repr((catalog.version, _sight_key(here, catalog)))
    # A digest: the statements themselves, kept once per asker, would weigh more than what they stand for.
    return blake2b(whole.encode("utf-8", "surrogatepass")).digest()


def _sight_key(here: Sight, catalog: Catalog) -> tuple[Any, ...]:
    """What a context can see: its members and the statement, filters bound, that its rows come from.

    Two askers for whom these are the same see the same values, whatever else is known of them.
    """
    seen: list[Any] = []
    for name, relation in sorted(catalog.relations.items()):
        members = tuple((m.name, m.masked) for m in relation.members.values())
        whole = every_dimension(relation)
        try:
            probe = here.compile(whole) if whole is not None else None
        except SemanticError:
            # What cannot be compiled cannot be compared with what others see: it is this asker's own.
            return ("asker", here.asker)
        seen.append((name, members, (probe.sql, repr(probe.params)) if probe is not None else None))
    return ("sight", *seen)
