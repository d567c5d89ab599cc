"""Field names of a chart, repaired against the columns of the result.

A spec may say ``Orders.Count``, ``orders.count`` or ``count`` for the column ``count``; a column may be called
``orders.count`` or ``a b[0]``. Vega-Lite reads dots and brackets as paths and draws an empty chart without a word, so
names are matched first and escaped last. What is no column under any spelling may be a path into one: ``place.lat``,
``prices[0]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ... import patterns as re

__all__ = ["FieldNames", "escape_field", "unescape_field"]

_UNSAFE_KEYS = frozenset({"__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty"})
_STEP = re.compile(r"""\.?((?:[^.\[\]\\]|\\.)+)|\[(\d+)\]|\[(?:"([^"]+)"|'([^']+)')\]""")


def escape_field(name: str) -> str:
    r"""``a.b[0]`` as Vega-Lite wants it: ``a\.b\[0\]``."""
    return re.sub(r"([.\[\]\\'\"])", r"\\\1", name)


def unescape_field(name: str) -> str:
    """The plain name behind an escaped one (or one in path notation)."""
    return re.sub(r"\\(.)", r"\1", name)


def _folded(name: str) -> str:
    return re.sub(r"[\s_\-]+", "_", name.strip().lower())


def _path(name: str) -> list[str | int]:
    """The steps of ``a.b[0]['c']``; one step when it is no path."""
    steps: list[str | int] = []
    at = 0
    for found in _STEP.finditer(name):
        if found.start() != at:
            return [name]
        at = found.end()
        steps.append(int(found[2]) if found[2] else unescape_field(found[1] or found[3] or found[4]))
    return steps if steps and at == len(name) and isinstance(steps[0], str) else [name]


class FieldNames:
    """The names a chart may use: the columns, and whatever its own transforms add.

    Parameters
    ----------
    columns : iterable of str
        Column names of the result.

    Attributes
    ----------
    nested : set of str
        Keys of the columns that the chart reads into.
    """

    def __init__(self, columns: Iterable[str]) -> None:
        self.columns = list(columns)
        # A column of such a name would shadow what every JavaScript object has, and break the renderer.
        self.keys = {name: f"{name}_" if name in _UNSAFE_KEYS else name for name in self.columns}
        self.made: set[str] = set()
        self.nested: set[str] = set()
        self._known = set(self.keys.values())
        self._folded: dict[str, list[str]] = {}
        for name in self.columns:
            for form in {_folded(name), _folded(name.rsplit(".", 1)[-1])}:
                self._folded.setdefault(form, []).append(name)

    def add(self, name: str) -> None:
        """A transform makes this field."""
        self.made.add(name)

    def plain(self, wanted: str) -> str:
        """The data's own key for a field name in any of its spellings; unknown names come back as they are."""
        name = unescape_field(wanted)
        for form in (wanted, name):
            if form in self.made:
                return form
            if form in self.keys:
                return self.keys[form]
        for form in (_folded(name), _folded(name.rsplit(".", 1)[-1])):
            found = self._folded.get(form, [])
            # Only where it can mean one column.
            if len(found) == 1:
                return self.keys[found[0]]
        return name

    def resolved(self, path: Sequence[str | int]) -> list[str | int]:
        """The steps to a value: one, where the whole is a field; else a field and the way into it.

        Parameters
        ----------
        path : sequence
            What stands behind ``datum``, or the steps of a field's name.
        """
        words = [str(step) for step in path]
        exact = self._exact(".".join(words))
        if exact is None and len(path) > 1 and (first := self._exact(words[0])) is not None:
            self.nested.add(first)
            return [first, *path[1:]]
        return [exact if exact is not None else self.plain(".".join(words))]

    def _exact(self, name: str) -> str | None:
        return name if name in self.made else self.keys.get(name)

    def root(self, wanted: str) -> str:
        """The key of the column or made field that a name, or a path into it, begins with."""
        return str(self._steps(wanted)[0])

    def escaped(self, wanted: str) -> str:
        """The same, escaped for use in an encoding or a transform."""
        first, *rest = self._steps(wanted)
        return escape_field(str(first)) + "".join(
            f"[{step}]" if isinstance(step, int) else f".{escape_field(step)}" for step in rest
        )

    def knows(self, wanted: str) -> bool:
        """Whether the field is a column, made by a transform, or a path into one."""
        return (root := self.root(wanted)) in self.made or root in self._known

    def _steps(self, wanted: str) -> list[str | int]:
        for form in (wanted, unescape_field(wanted)):
            if (exact := self._exact(form)) is not None:
                return [exact]
        steps = self.resolved(_path(wanted))
        return steps if len(steps) > 1 else [self.plain(wanted)]
