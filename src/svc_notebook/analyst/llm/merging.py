"""Server-sent events of language models: texts that follow each other in what has come become one event.

What a reply says, in what order, how it ends and what it used is the same; there are fewer events of it. Anything but
plain pieces of text, of thinking or (of Anthropic) of a call's arguments passes byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any

import msgspec

from ... import patterns as re
from ...records import dataclass

__all__ = ["EventMerger"]

_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_EVENT = re.compile(rb"((?:event:[^\r\n]*\r?\n)?data: ?)([^\r\n]*)")
_LONGEST = 1 << 20
_TEXTS = ("content", "reasoning_content", "reasoning")
_PARTS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}
_PADDING = "obfuscation"  # of OpenAI's: as many random letters as hide how long a text is
_PLAIN = str | int | float | bool | None
_decode, _encode = msgspec.json.Decoder().decode, msgspec.json.Encoder().encode


class EventMerger:
    """Takes bytes as they come, and gives whole events."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> bytes:
        """Every event that is whole by now; what has begun is kept for the next call."""
        whole = self._rest + data
        ends = [found.span() for found in _END.finditer(whole)]
        last = ends[-1][1] if ends else 0
        self._rest = whole[last:]
        if len(self._rest) > _LONGEST:  # whatever this is, it is not for us to hold
            last, self._rest = len(whole), b""
        starts = [0, *(end for _, end in ends)]
        blocks = [(whole[start:stop], whole[stop:end]) for start, (stop, end) in zip(starts, ends, strict=False)]
        return b"".join(_merged(blocks)) + whole[starts[-1] : last]

    def rest(self) -> bytes:
        """What has begun and was never ended."""
        rest, self._rest = self._rest, b""
        return rest


def _merged(blocks: list[tuple[bytes, bytes]]) -> Iterator[bytes]:
    open_: _Growing | None = None
    for block, end in blocks:
        new = _growing(block, end)
        if open_ is not None and new is not None and open_.goes_on(new):
            open_.texts.append(new.texts[0])
            continue
        if open_ is not None:
            yield open_.written()
        open_ = new
        if new is None:
            yield block + end
    if open_ is not None:
        yield open_.written()


@dataclass(slots=True)
class _Growing:
    """An event that adds a text to a reply: everything else of it, and the object that holds the text."""

    raw: bytes
    head: bytes
    end: bytes
    said: dict[str, Any]
    holder: dict[str, Any]
    name: str
    texts: list[str] = field(default_factory=list)

    def goes_on(self, other: _Growing) -> bool:
        """Whether the other adds to the same text."""
        return (self.head, self.name, self.said) == (other.head, other.name, other.said)

    def written(self) -> bytes:
        if len(self.texts) == 1:
            return self.raw
        self.holder[self.name] = "".join(self.texts)
        return self.head + _encode(self.said) + self.end


def _growing(block: bytes, end: bytes) -> _Growing | None:
    """The event as one that adds a text; None where it is anything else."""
    found = _EVENT.fullmatch(block)
    if found is None:
        return None
    try:
        said = _decode(found[2])
    except (msgspec.DecodeError, UnicodeError):  # [DONE], half a surrogate pair
        return None
    place = _place(said) if isinstance(said, dict) else None
    if place is None:
        return None
    holder, name = place
    text, holder[name] = holder[name], None
    said.pop(_PADDING, None)
    return _Growing(block + end, found[1], end, said, holder, name, [text])


def _place(said: dict[str, Any]) -> tuple[dict[str, Any], str] | None:
    """The object and the name under which an event holds nothing but a text."""
    if "choices" in said:
        return _of_choice(said)
    delta = said.get("delta")
    if said.get("type") != "content_block_delta" or said.keys() != {"type", "index", "delta"}:
        return None
    if not isinstance(delta, dict) or (name := _PARTS.get(str(delta.get("type")))) is None:
        return None
    text = delta.get(name)
    return (delta, name) if text and isinstance(text, str) and len(delta) == 2 else None


def _of_choice(said: dict[str, Any]) -> tuple[dict[str, Any], str] | None:
    choices = said["choices"]
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choice := choices[0], dict):
        return None
    delta = choice.get("delta")
    if not isinstance(delta, dict) or any(choice[name] is not None for name in choice.keys() - {"index", "delta"}):
        return None
    if not all(isinstance(said[name], _PLAIN) for name in said.keys() - {"choices"}):
        return None
    named = [name for name, value in delta.items() if value and name != "role"]
    if len(named) != 1 or named[0] not in _TEXTS or not isinstance(delta[named[0]], str):
        return None
    return delta, named[0]
