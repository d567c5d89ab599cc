"""A compiled query for whoever else asks the same: what it holds of an asker is worked out anew for each.

Of the asker, a query depends on which policies match, and on the values that their filters compare with. Both are found
by the very functions that compiled it. Where the policies are the same and the filters come to the same SQL, so does
the query: then the values are bound in it, and its row filters are told in the new asker's words. In any doubt it is
compiled. Nothing of one asker's values is kept: not in the query, not in the words.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ...records import dataclass
from ..context import SecurityContext
from ..model import Cube, View
from ..policies.policy import matching
from .compiled import CompiledQuery
from .filtered import Differs, Filtered, Telling
from .join_tree.context import Compilation
from .policy.policy_words import applied

__all__ = ["SharedQuery"]


@dataclass(frozen=True, slots=True, eq=False)
class SharedQuery:
    """A compiled query without its asker, whose values have the placeholders ``names``."""

    query: CompiledQuery
    names: frozenset[str]
    access: Sequence[tuple[Cube | View, tuple[int, ...] | None]]
    filtered: Sequence[Filtered]
    telling: Sequence[Telling]

    @classmethod
    def of(cls, compilation: Compilation, query: CompiledQuery) -> SharedQuery | None:
        """What others may be given of a query; None where it is for its asker alone."""
        filtered, telling = tuple(compilation.filtered), tuple(compilation.telling)
        names = frozenset(name for each in filtered for name in each.names)
        # A placeholder that the query's own text uses as well cannot be given another value for another asker.
        if compilation.personal or compilation.asker.unrestricted or names & compilation.params.written:
            return None
        if not all(each.shareable for each in filtered):
            return None
        if any(len(each.filtered) != len(each.rule.alternatives) for each in telling):
            return None
        params = {name: value for name, value in query.params.items() if name not in names}
        bare = replace(query, params=params, row_filters=())
        return cls(bare, names & query.params.keys(), tuple(compilation.accessed()), filtered, telling)

    def for_asker(self, asker: SecurityContext) -> CompiledQuery | None:
        """The query as it is for another one; None where it has to be compiled."""
        if asker.unrestricted or any(matching(relation, asker) != matched for relation, matched in self.access):
            return None
        values: dict[str, str] = {}
        try:
            outcomes = {id(each): each.again(asker, values) for each in self.filtered}
        except Differs:
            return None
        told = dict.fromkeys(
            applied(t.rule, [outcomes[id(each)] for each in t.filtered], t.relation, t.shown, asker.groups)
            for t in self.telling
        )
        params = {**self.query.params, **{name: values[name] for name in self.names}}
        return replace(self.query, params=params, row_filters=tuple(told))
