"""What masked members show: on which rows, and which value, which may be the asker's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .... import patterns as re
from ...dialects import duckdb as say
from ...dialects.nodes import joined_by, word
from ...model import ViewMember
from ...policies.attributes import AMONG, ATTRIBUTE_SCOPES, AttributeReference, attribute_value, parse_value
from ...policies.filter_values import usable
from ...policies.policy import Access, RowRule
from ...references import Reference, find_references, substitute
from ..join_tree.entries import Entry
from ..join_tree.rows import Mask

if TYPE_CHECKING:
    from ...model import View
    from ...policies.row_filters import FilterOutcome
    from ..join_tree.asked import Asked
    from ..join_tree.context import Compilation
    from ..join_tree.steps import Path
    from ..join_tree.tree import Tree

__all__ = ["Masks"]

_AMONG = re.compile(rf"\b{AMONG}\(", re.IGNORECASE)


class Masks:
    """The masks of one tree; :class:`.row_policy.RowPolicy` says which rows a rule grants."""

    compilation: Compilation
    asked: Asked

    @property
    def tree(self) -> Tree:
        return self.asked.tree

    @property
    def view(self) -> View | None:
        return self.asked.view

    def _alternative(self, rule: RowRule, number: int, path: Path, paths: set[Path]) -> FilterOutcome:
        raise NotImplementedError

    def mask(self, relation: str, name: str, path: Path, mask: str | None, kind: str) -> Mask | None:
        """What this asker is shown instead of a dimension's value; None where it is the value."""
        rule = self._mask_rule(relation, name)
        if rule is None:
            return None
        hidden = self.mask_sql(path, mask, kind)
        paths: set[Path] = set()
        outcomes = [self._alternative(rule, i, path, paths) for i in range(len(rule.alternatives))]
        # What would need another join to be decided is hidden.
        if not outcomes or not paths <= {self.tree.root, path}:
            return Mask(hidden)
        return Mask(hidden, joined_by(" OR ", [o.sql for o in outcomes]))

    def _mask_rule(self, relation: str, name: str) -> RowRule | None:
        access: Access = self.compilation.access(relation)
        if access.grants is None and self.view is not None and relation == self.view.name:
            return self._cube_mask(relation, name)
        if access.members.get(name) == "full" and (access.grants is None or all(name in g.full for g in access.grants)):
            return None
        return access.unmasked(name, self.asked.used.get(relation, ()))

    def _cube_mask(self, view: str, name: str) -> RowRule | None:
        """A view without a policy of its own shows no more than its cubes: what one masks on some rows, it masks."""
        member = self.tree.index.view_member(view, name)
        if not isinstance(member, ViewMember):
            return None
        rule = self.compilation.access(member.cube).unmasked(member.member, (member.member,))
        return None if rule is None else RowRule(member.cube, False)

    def is_masked(self, relation: str, name: str) -> bool:
        """Whether a measure is masked (wholly: a measure that is open on some rows only is masked on all)."""
        return self._mask_rule(relation, name) is not None

    def masks(self, entry: Entry) -> bool:
        """Whether a member is masked on any rows."""
        return self._mask_rule(entry.relation, entry.name) is not None

    def is_masked_by_row(self, relation: str, name: str) -> bool:
        """Whether a dimension is masked on some rows and open on others, as their values say."""
        rule = self._mask_rule(relation, name)
        return rule is not None and bool(rule.alternatives)

    def measure_mask(self, mask: str | None) -> str:
        """The mask of a measure: a value, which may be the asker's."""
        text = self._filled_in(mask)
        return word("NULL" if text is None or find_references(text) else f"({text})")

    def _filled_in(self, mask: str | None) -> str | None:
        """A mask with the asker's attributes bound in it; None if there is none, or one of them is missing."""
        values: list[Any] = []

        def bound(reference: Reference) -> str:
            if reference.path[0] not in ATTRIBUTE_SCOPES:
                return str(reference)
            attribute = parse_value(str(reference))
            assert isinstance(attribute, AttributeReference)
            if attribute.scope == "groups":
                return say.text_list(self.compilation.params.add(tuple(sorted(self.compilation.ctx.groups))))
            values.append(attribute_value(attribute, self.compilation.ctx))
            # Whatever stands here is not used: a mask with a value that does not fit is none.
            return self.compilation.params.add(values[-1]) if _fits(values[-1]) else "NULL"

        text = _AMONG.sub(say.AMONG, substitute(mask, bound)) if mask is not None else None
        return text if all(map(_fits, values)) else None

    def mask_sql(self, path: Path, mask: str | None, kind: str) -> str:
        mask = self._filled_in(mask)
        if mask is None:
            return say.typed_null(kind)
        placed = self.tree.place(path, mask).sql
        return say.safe_cast(placed, say.TYPE_OF[kind]) if kind in say.TYPE_OF else placed


def _fits(value: Any) -> bool:
    """Whether a value of the asker can stand in a mask: one text, number or boolean."""
    return isinstance(value, (str, int, float)) and usable(value)
