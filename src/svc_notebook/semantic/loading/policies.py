"""``access_policy``: read strictly. What is not understood is an error; nothing here is ever skipped or guessed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from ...records import dataclass
from ..model import MemberLevel, Policy, RowLevel, Source
from ..policies.attributes import ExpressionError
from ..policies.expressions import parse_condition
from . import schemas
from .conditions import OPERATORS, ConditionReader
from .fields import Fields
from .names import member_name
from .problems import did_you_mean
from .tree import Node

__all__ = ["OPERATORS", "PolicyReader"]


@dataclass
class PolicyReader(ConditionReader):
    """Reads the policies of one cube or view.

    ``known_below`` says whether a view's cubes know a name that the view itself may not show.
    """

    known_below: Callable[[str], bool] = lambda name: False

    def read(self, node: Node | None) -> tuple[Policy, ...] | None:
        """The policies, or None where there is no ``access_policy``."""
        if node is None:
            return None
        if not isinstance(node.value, list):
            self.problems.error(
                f"'access_policy' of '{self.relation}' must be a list of policies, not {node.kind}", node.source
            )
            return ()
        if not node.items:
            self.problems.error(
                f"'access_policy' of '{self.relation}' is empty: it would deny everybody; remove it or add a policy",
                node.source,
            )
        return tuple(self._policy(item) for item in node.items)

    def _policy(self, node: Node) -> Policy:
        fields = Fields(node, schemas.POLICY, self.problems)
        groups = tuple(text for text, _ in fields.texts("groups"))
        if not groups:
            self.problems.error(
                f"a policy of '{self.relation}' needs 'group' (a name, or \"*\" for everybody)", node.source
            )
        return Policy(
            # Everybody, and therefore the others too.
            groups=("*",) if "*" in groups else groups,
            conditions=tuple(self._conditions(fields)),
            member_level=self._member_level(fields, "member_level"),
            member_masking=self._masking(fields),
            row_level=self._row_level(fields),
            source=node.source,
        )

    def _conditions(self, fields: Fields) -> list[str]:
        found: list[str] = []
        items = fields.sequence("conditions")
        if "conditions" in fields and not items:
            self.problems.error(
                f"'conditions' of a policy of '{self.relation}' is empty; remove it or write - if: …",
                fields.place("conditions"),
            )
        for item in items:
            given = item.entries.get("if")
            if given is None or len(item.entries) != 1:
                self.problems.error("a condition is written as '- if: \"{ userAttributes.is_manager }\"'", item.source)
                continue
            if isinstance(given.value, dict):
                self.problems.error(
                    'put the condition into quotes, as in if: "{ userAttributes.is_manager }"', given.source
                )
                continue
            try:
                parse_condition(given.value)
            except ExpressionError as error:
                self.problems.error(str(error), given.source)
                continue
            found.append(given.raw)
        return found

    def _member_level(self, fields: Fields, key: str) -> MemberLevel | None:
        node = fields.get(key)
        if node is None:
            if key in fields:
                self.problems.error(f"'{key}' is empty; write includes or excludes", fields.place(key))
            return None
        inner = Fields(node, schemas.MEMBER_LEVEL, self.problems, name=self.relation)
        if "includes" not in inner and "excludes" not in inner:
            self.problems.error(f"'{key}' needs includes or excludes: \"*\" or a list of members", node.source)
        return MemberLevel(self._members(inner, "includes", "*"), self._members(inner, "excludes", ()))

    def _members(
        self, fields: Fields, key: str, absent: Literal["*"] | tuple[str, ...]
    ) -> Literal["*"] | tuple[str, ...]:
        if key not in fields:
            return absent
        named = fields.texts(key)
        names: list[str] = []
        for text, source in named:
            if text.strip() == "*":
                return "*"
            name = member_name(text, self.relation)
            if name in self.members:
                names.append(name)
            # ___link_ is in names that other tools give to members of links.
            elif "___link_" in name or (key == "excludes" and self.known_below(name)):
                self.problems.warning(f"'{self.relation}' does not show '{text}'", source)
            else:
                self._stranger(text, name, source)
        return tuple(names)

    def _stranger(self, text: str, name: str, source: Source) -> None:
        """A name of no member: an error if one could be meant, else a remainder that neither grants nor hides."""
        longer = next((member for member in self.members if f"_{name}_" in f"_{member}_"), None)
        near = did_you_mean(name, self.members) or (f"; did you mean '{longer}'?" if longer is not None else "")
        if near:
            self.problems.error(f"'{text}' is no member of '{self.relation}'{near}", source)
        else:
            self.problems.warning(f"'{text}' is no member of '{self.relation}', so naming it changes nothing", source)

    def _masking(self, fields: Fields) -> MemberLevel | None:
        if "member_masking" in fields and "member_level" not in fields:
            self.problems.error(
                "'member_masking' needs 'member_level' beside it: it masks what member_level leaves out",
                fields.place("member_masking"),
            )
        return self._member_level(fields, "member_masking")

    # --- rows -------------------------------------------------------------------------------------------------------

    def _row_level(self, fields: Fields) -> RowLevel | None:
        node = fields.get("row_level")
        if node is None:
            if "row_level" in fields:
                self.problems.error(
                    "'row_level' is empty; write filters, or allow_all: true", fields.place("row_level")
                )
            return None
        inner = Fields(node, schemas.ROW_LEVEL, self.problems, name=self.relation)
        allow_all = inner.flag("allow_all", False)
        filters = self.filters(inner.sequence("filters"))
        if allow_all and "filters" in inner:
            self.problems.error(
                "'allow_all: true' and 'filters' contradict each other; keep one", inner.place("allow_all")
            )
        # No filters would be all rows: what that means must be said.
        if not allow_all and not inner.sequence("filters") and isinstance(node.value, dict):
            self.problems.error("'row_level' has no filters; if all rows are meant, write allow_all: true", node.source)
        return RowLevel(filters, allow_all)
