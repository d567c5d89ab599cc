"""The keys of one element (a cube, a measure, …), read against what such an element may hold."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Any

from ...records import dataclass
from ..model import Source
from .problems import Problems, did_you_mean, nearest
from .tree import Node

__all__ = ["Fields", "Schema", "snake_case"]


@dataclass(frozen=True)
class Schema:
    """What an element may hold.

    Attributes
    ----------
    kind
        The element in words: ``"measure"``.
    keys
        Keys that are read.
    ignored
        Keys without influence on an answer, with the reason: accepted, and told once.
    unsupported
        Keys with influence that are not supported, with what to write instead: an error.
    aliases
        Older spellings of keys.
    strict
        Whether every unknown key is an error (policies), or only a probable slip.
    """

    kind: str
    keys: Collection[str]
    ignored: Mapping[str, str] = field(default_factory=dict)
    unsupported: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    strict: bool = False


_TYPES = {
    **dict.fromkeys(("varchar", "text", "char", "str", "uuid", "enum"), "string"),
    **dict.fromkeys(("integer", "int", "bigint", "float", "double", "decimal", "numeric", "real"), "number"),
    **dict.fromkeys(("datetime", "timestamp", "timestamptz"), "time"),
    **dict.fromkeys(("average", "mean"), "avg"), "total": "sum", "distinct": "count_distinct",
    "bool": "boolean", "minimum": "min", "maximum": "max",
}  # fmt: skip


def snake_case(name: str) -> str:
    """``sqlTable`` → ``sql_table``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Fields:
    """Typed reading of one mapping; whatever does not fit is reported where it stands."""

    def __init__(self, node: Node, schema: Schema, problems: Problems, *, name: str = "") -> None:
        self.source = node.source
        self.schema = schema
        self.problems = problems
        self.called = f"{schema.kind} '{name}'" if name else f"a {schema.kind}"
        self._nodes: dict[str, Node] = {}
        self._places: dict[str, Source] = {}
        if not isinstance(node.value, dict):
            problems.error(f"{self.called} must be a mapping, not {node.kind}", node.source)
        for written, value in node.entries.items():
            self._file(written, value, node.key_sources.get(written, value.source))

    def _file(self, written: str, value: Node, place: Source) -> None:
        schema, problems = self.schema, self.problems
        key = snake_case(written)
        # Camel case and older spellings of the format are read as the present ones.
        key = schema.aliases.get(key, key)
        if key in schema.ignored:
            if value.value is None:
                return
            problems.without_effect(f"'{key}' of a {schema.kind}", f"is without effect: {schema.ignored[key]}", place)
        elif key in schema.unsupported:
            if value.value is None or value.value == [] or value.value == {}:
                return
            problems.error(f"'{written}' of {self.called} is not supported: {schema.unsupported[key]}", place)
        elif key not in schema.keys:
            known = [*schema.keys, *schema.aliases]
            near = nearest(key, known)
            message = f"'{written}' is not a key of a {schema.kind}" + did_you_mean(key, known)
            # A slip in a policy would leave open what it was to close; elsewhere a stranger's key does no harm.
            if near is not None or schema.strict:
                problems.error(message, place)
                self._take_as_meant(schema.aliases.get(near or "", near), value, place)
            else:
                problems.warning(f"{message}; it is ignored", place)
        elif key in self._nodes:
            problems.error(f"'{written}' says again what line {self._places[key].line} says: '{key}'", place)
        else:
            self._nodes[key], self._places[key] = value, place

    def _take_as_meant(self, key: str | None, value: Node, place: Source) -> None:
        """Read on as if it were spelt right, so that nothing is said to be missing that is there."""
        if key is not None and key in self.schema.keys:
            self._nodes.setdefault(key, value)
            self._places.setdefault(key, place)

    def __contains__(self, key: str) -> bool:
        return key in self._nodes

    def __getitem__(self, key: str) -> Node:
        return self._nodes[key]

    def get(self, key: str) -> Node | None:
        """The node of a key, unless it is absent or null."""
        node = self._nodes.get(key)
        return None if node is None or node.value is None else node

    def where(self, key: str) -> Source:
        """Where the value of a key stands, else where the element begins."""
        node = self._nodes.get(key)
        return node.source if node is not None else self.source

    def place(self, key: str) -> Source:
        """Where the key itself stands."""
        return self._places.get(key, self.source)

    def text(self, key: str) -> str | None:
        node = self.get(key)
        return None if node is None else self.text_of(node, f"'{key}' of {self.called}")

    def text_of(self, node: Node, what: str) -> str | None:
        """The text of a scalar node; numbers and booleans as they were written."""
        if isinstance(node.value, str):
            return node.value
        if isinstance(node.value, (dict, list)) or node.value is None:
            quoted = "; a value that begins with '{' must be quoted" if isinstance(node.value, dict) else ""
            self.problems.error(f"{what} must be a text, not {node.kind}{quoted}", node.source)
            return None
        return node.raw

    def flag(self, key: str, default: bool) -> bool:
        node = self.get(key)
        if node is None:
            return default
        # In quotes these are texts to YAML, and yes and no are booleans in YAML 1.1 alone.
        words = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
        value = words.get(node.value.strip().lower()) if isinstance(node.value, str) else node.value
        if isinstance(value, bool):
            return value
        hint = "; for visibility that depends on the user write an access_policy" if key == "public" else ""
        self.problems.error(f"'{key}' of {self.called} must be true or false, not {node.kind}{hint}", node.source)
        # What is said of visibility and not understood hides rather than shows.
        return False if key == "public" else default

    def choice(self, key: str, allowed: Collection[str], aliases: Mapping[str, str] | None = None) -> str | None:
        """One word out of ``allowed``, in snake or camel case."""
        text = self.text(key)
        if text is None:
            return None
        word = snake_case(text.strip())
        word = (aliases or {}).get(word, word)
        if word in allowed:
            return word
        near = f"; write '{_TYPES[word]}'" if _TYPES.get(word) in allowed else did_you_mean(word, allowed)
        if word == "many_to_many":
            near = (
                "; write a cube for the table in between, which joins both many_to_one, and here 'through: <its name>'"
            )
        self.problems.error(
            f"'{text}' is no {key} of a {self.schema.kind}{near or ' (' + ', '.join(allowed) + ')'}", self.where(key)
        )
        return None

    def mapping(self, key: str) -> Node | None:
        node = self.get(key)
        if node is None or isinstance(node.value, dict):
            return node
        self.problems.error(f"'{key}' of {self.called} must be a mapping, not {node.kind}", node.source)
        return None

    def sequence(self, key: str) -> list[Node]:
        node = self.get(key)
        if node is None or isinstance(node.value, list):
            return node.items if node is not None else []
        self.problems.error(f"'{key}' of {self.called} must be a list, not {node.kind}", node.source)
        return []

    def texts(self, key: str) -> list[tuple[str, Source]]:
        """A list of words with their places; one word counts as a list of one."""
        node = self.get(key)
        if node is None:
            return []
        items = node.items if isinstance(node.value, list) else [node]
        found = [(self.text_of(item, f"an entry of '{key}' of {self.called}"), item.source) for item in items]
        return [(text, source) for text, source in found if text is not None]

    def meta(self) -> Mapping[str, Any]:
        node = self.get("meta")
        if node is None:
            return {}
        if isinstance(node.value, dict):
            plain: dict[str, Any] = node.plain()
            given = node.value.get("value_synonyms")
            if given is not None and not _names_values(plain["value_synonyms"]):
                problem = f"'value_synonyms' of {self.called} should name values otherwise, as in {{BOS: [Boston]}}"
                self.problems.warning(problem, given.source)
            return plain
        self.problems.warning(f"'meta' of {self.called} should be a mapping; it is kept under 'value'", node.source)
        return {"value": node.plain()}


def _names_values(given: object) -> bool:
    """Whether each value has a name, or a list of names."""
    return isinstance(given, dict) and all(
        isinstance(names, str) or isinstance(names, list) and all(isinstance(name, str) for name in names)
        for names in given.values()
    )
