"""The databases whose SQL a model is written in: said for the whole, a data source or a cube, or recognised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from ...records import dataclass
from ..model import Source
from .fields import Fields
from .problems import Problems, did_you_mean
from .recognition import Mark, marks
from .translation import DIALECTS, DialectError, translated
from .tree import Node

__all__ = ["Dialects"]

_ALIASES = {"postgresql": "postgres", "mssql": "tsql", "sqlserver": "tsql", "sparksql": "spark"}
_NOT_SQL = ("pre_aggregations", "refresh_key", "meta", "access_policy", "title", "description")


@dataclass
class Dialects:
    """Which dialect each relation's SQL is in; ``argument`` is what the caller said about the whole model."""

    problems: Problems
    argument: str | None
    whole: Source
    _by_source: dict[str, str] = field(default_factory=dict)
    _by_cube: dict[str, str] = field(default_factory=dict)
    _default: str | None = None

    def __post_init__(self) -> None:
        self.argument = self._known(self.argument, self.whole)

    def said(self, root: Fields) -> None:
        """``dialect:`` beside ``cubes:``, one word or a mapping by data source."""
        node = root.get("dialect")
        if node is None:
            return
        if isinstance(node.value, dict):
            for name, item in node.value.items():
                word = self._known(root.text_of(item, f"the dialect of data source '{name}'"), item.source)
                if word is not None:
                    self._by_source.setdefault(name, word)
            return
        self._default = self._default or self._known(root.text("dialect"), node.source)

    def settle(self, cubes: Mapping[str, Node]) -> None:
        """Decide for every cube."""
        open_ones: dict[str, list[str]] = {}
        for name, node in cubes.items():
            own = node.entries.get("dialect")
            source = node.entries.get("data_source")
            of_source = source.raw if source is not None and source.raw else "default"
            word = self._known(own.raw, own.source) if own is not None and own.raw else None
            word = word or self._by_source.get(of_source) or self.argument or self._default
            if word is not None:
                self._by_cube[name] = word
            else:
                open_ones.setdefault(of_source, []).append(name)
        for of_source, names in open_ones.items():
            texts = [item for name in names for item in _texts(cubes[name])]
            self._by_cube |= dict.fromkeys(names, self._recognised(of_source, texts))

    def of(self, relation: str) -> str:
        """The dialect of a cube's SQL, or of a view's own: that of all cubes, if they agree."""
        if relation in self._by_cube:
            return self._by_cube[relation]
        every = set(self._by_cube.values())
        # A view's own members calculate over cubes of any dialect.
        return self.argument or self._default or (every.pop() if len(every) == 1 else "duckdb")

    @property
    def mark(self) -> str:
        """What tells this reading of a model from another one, for its version."""
        every = sorted({*self._by_cube.values(), *([self._default] if self._default else [])} - {"duckdb"})
        return "".join(f"-{word}" for word in every)

    def _known(self, text: str | None, source: Source) -> str | None:
        word = text.strip().lower() if text is not None else None
        word = _ALIASES.get(word, word) if word is not None else None
        if word is None or word in DIALECTS:
            return word
        self.problems.error(f"'{text}' is no dialect{did_you_mean(word, DIALECTS)} ({', '.join(DIALECTS)})", source)
        return None

    # --- recognising --------------------------------------------------------------------------------------------------

    def _recognised(self, of_source: str, texts: list[Node]) -> str:
        found = [(mark, node) for node in texts for mark in marks(node.raw)]
        deciding = [(mark, node) for mark, node in found if mark.decides]
        if not deciding:
            return "duckdb"
        possible = [word for word in DIALECTS if all(word in mark.dialects for mark, _ in found)]
        # Of several that fit, any will do if all of them say the same in DuckDB's words.
        if possible and _agree(possible, [node.raw for node in texts]):
            self._tell(possible[0], deciding[0], of_source)
            return possible[0]
        self._ask(possible, deciding, of_source)
        return "duckdb"

    def _tell(self, word: str, seen: tuple[Mark, Node], of_source: str) -> None:
        mark, node = seen
        whose = "" if of_source == "default" else f" of data source '{of_source}'"
        self.problems.info(
            f"the SQL{whose} is read as {word}'s, because of {mark.text} here; to have it otherwise, say 'dialect:' "
            "beside 'cubes:' or in a cube",
            node.source,
        )

    def _ask(self, possible: list[str], deciding: list[tuple[Mark, Node]], of_source: str) -> None:
        mark, node = deciding[0]
        whose = "" if of_source == "default" else f" of data source '{of_source}'"
        if possible:
            what = f"{mark.text} is not DuckDB's; it could be {_or(possible)}"
        else:
            other, place = next(
                (m, n) for m, n in deciding if not set(m.dialects) & set(mark.dialects) or m is not mark
            )
            what = (
                f"{mark.text} is {_or(mark.dialects)}, and {other.text} in line {place.source.line} "
                f"{_or(other.dialects)}"
            )
        self.problems.warning(
            f"the SQL{whose} is written for another database: {what}; say which, as "
            f"'dialect: {(possible or mark.dialects)[0]}' beside 'cubes:' or in the cube, "
            "or queries with it are refused",
            node.source,
            at=mark.text,
        )


def _or(words: Iterable[str]) -> str:
    return " or ".join(words)


def _texts(node: Node) -> Iterator[Node]:
    """Every piece of SQL of a cube."""
    waiting: list[tuple[str, Node]] = [("", node)]
    while waiting:
        key, item = waiting.pop()
        if isinstance(item.value, dict):
            # Reversed: what comes first in the file is to be taken off the stack first, and told.
            waiting += [(k, v) for k, v in reversed(item.value.items()) if k not in _NOT_SQL]
        elif isinstance(item.value, list):
            waiting += [(key, v) for v in reversed(item.value)]
        elif key in ("sql", "sql_table", "sqlTable") and item.raw:
            yield item


def _agree(possible: list[str], texts: list[str]) -> bool:
    """Whether it makes no difference which of the dialects is meant."""
    if len(possible) == 1:
        return True
    for text in texts:
        try:
            if len({translated(text, word) for word in possible}) > 1:
                return False
        except DialectError:
            return False
    return True
