"""Whose turn it is: work that waits, by account and by user, taken round by round."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

__all__ = ["Asker", "Queue", "Tally"]

T = TypeVar("T")


class Asker(NamedTuple):
    """On whose behalf something runs."""

    account: Hashable
    user: Hashable = ""


class Tally:
    """How much is held, by account and by user; who holds nothing is not remembered."""

    def __init__(self) -> None:
        self.accounts: Counter[Hashable] = Counter()
        self.users: Counter[Asker] = Counter()

    def add(self, asker: Asker) -> None:
        self.accounts[asker.account] += 1
        self.users[asker] += 1

    def remove(self, asker: Asker) -> None:
        self.accounts[asker.account] -= 1
        if not self.accounts[asker.account]:
            # A Counter keeps what it has counted down to nothing: one entry for each user that ever asked.
            del self.accounts[asker.account]
        self.users[asker] -= 1
        if not self.users[asker]:
            del self.users[asker]


class Queue(Generic[T]):
    """Items that wait; accounts take turns, and the users of an account do.

    Parameters
    ----------
    user_share, account_share
        How many items of one user and of one account may have left the queue without being :meth:`done`. What is
        beyond that waits, also while nobody else does: who comes next finds a place.
    """

    def __init__(self, user_share: int, account_share: int) -> None:
        self._user_share = user_share
        self._account_share = account_share
        self._waiting: OrderedDict[Hashable, OrderedDict[Hashable, deque[T]]] = OrderedDict()
        self._taken = Tally()

    def __len__(self) -> int:
        return sum(len(items) for users in self._waiting.values() for items in users.values())

    def put(self, asker: Asker, item: T) -> None:
        self._waiting.setdefault(asker.account, OrderedDict()).setdefault(asker.user, deque()).append(item)

    def take(self) -> tuple[Asker, T] | None:
        """The next item of whoever's turn it is; None where nothing waits that may run."""
        # In the order in which they were last served: _take moves both to the end, and that is all there is to
        # fairness.
        for account, users in self._waiting.items():
            if self._taken.accounts[account] >= self._account_share:
                continue
            for user in users:
                asker = Asker(account, user)
                if self._taken.users[asker] < self._user_share:
                    return asker, self._take(asker)
        return None

    def drop(self, asker: Asker, item: T) -> None:
        """Take an item out that nobody wants any more; nothing happens if it has left."""
        users = self._waiting.get(asker.account)
        if users is not None and item in users.get(asker.user, ()):
            users[asker.user].remove(item)
            self._forget_empty(asker)

    def drained(self) -> list[T]:
        """Everything that waits, taken out; nobody has to say that it is done."""
        items = [item for users in self._waiting.values() for own in users.values() for item in own]
        self._waiting.clear()
        return items

    def done(self, asker: Asker) -> None:
        """An item of ``asker`` that was taken has given its place back."""
        self._taken.remove(asker)

    def _take(self, asker: Asker) -> T:
        users = self._waiting[asker.account]
        item = users[asker.user].popleft()
        users.move_to_end(asker.user)
        self._waiting.move_to_end(asker.account)
        self._taken.add(asker)
        self._forget_empty(asker)
        return item

    def _forget_empty(self, asker: Asker) -> None:
        users = self._waiting[asker.account]
        if not users[asker.user]:
            del users[asker.user]
        if not users:
            del self._waiting[asker.account]
