"""Messages as they stand: frames folded by id, growing text kept in pieces until somebody asks for it.

Joining a growing answer at every delta would cost the square of its length.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, structs

from ...protocol.chat import Message

__all__ = ["Folded"]


class _Growing:
    """One message: what its last frame carried, and the pieces of its two texts."""

    __slots__ = ("content", "message", "thinking")

    def __init__(self, first: Message) -> None:
        self.message = first
        self.content = [first.content] if isinstance(first.content, str) else None
        self.thinking = [first.thinking] if isinstance(first.thinking, str) else None

    def fold(self, frame: Message) -> None:
        changes = {name: value for name in frame.__struct_fields__ if (value := getattr(frame, name)) is not UNSET}
        delta = changes.pop("is_delta", False)
        for name in ("content", "thinking"):
            if name in changes:
                text = changes.pop(name)
                pieces = getattr(self, name) if delta else None
                setattr(self, name, [text] if pieces is None else pieces)
                if pieces is not None:
                    pieces.append(text)
        self.message = structs.replace(self.message, **changes)

    def whole(self) -> Message:
        texts = {}
        for name in ("content", "thinking"):
            pieces = getattr(self, name)
            if pieces is not None:
                # Joined once and kept so: adding text to text for every token is quadratic in the answer.
                pieces[:] = ["".join(pieces)]
                texts[name] = pieces[0]
        return structs.replace(self.message, is_delta=False, **texts)


class Folded:
    """The messages of a turn, by id, in the order they first appeared in."""

    def __init__(self) -> None:
        self._messages: dict[str, _Growing] = {}

    def fold(self, frame: Message) -> None:
        """Bring the message with the frame's id up to date."""
        assert isinstance(frame.id, str)
        message = self._messages.get(frame.id)
        if message is None:
            self._messages[frame.id] = _Growing(frame)
        else:
            message.fold(frame)

    def __getitem__(self, message_id: str) -> Message:
        return self._messages[message_id].whole()

    def __iter__(self) -> Iterator[str]:
        return iter(self._messages)

    def changed(self, after: int) -> list[Message]:
        """Every message with a frame after ``sort`` ``after``, whole, ordered by ``sort``."""
        found = [item.whole() for item in self._messages.values() if sort_of(item.message) > after]
        return sorted(found, key=sort_of)


def sort_of(message: Message) -> int:
    """The message's ``sort``; 0 for one without."""
    return int(message.sort) if isinstance(message.sort, int | float) else 0
