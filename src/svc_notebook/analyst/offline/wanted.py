"""What an answer shows and what only restricts it: clauses that speak of rows, sentences that name the columns."""

from __future__ import annotations

from .conditions import Conditions
from .draft import Mention
from .plan import Condition, Exists

__all__ = ["Wanted"]


class Wanted(Conditions):
    """Names that are no columns of the answer: said in a clause, or before the sentence that lists the columns."""

    def restricting(self) -> None:
        """Take the names out that only restrict; one whose values may be missing says that it is known."""
        draft = self.draft
        kept = [m for m in draft.mentions if not self.only_restricts(m)]
        shown = kept or self.measures or self.dimensions
        if not shown or len(kept) == len(draft.mentions):
            return
        members = {m.member for m in kept} | {d.member for d in self.dimensions}
        for mention in draft.mentions:
            if mention in kept or mention.member in members:
                continue
            spoken = any(c.member == mention.member for _, c, _ in self.conditions)
            if not spoken and mention.clause and self.meta.profile(mention.member).missing:
                self.conditions.append(("and", Condition(mention.member, "not null"), mention.place))
        draft.mentions = kept

    def only_restricts(self, mention: Mention) -> bool:
        """Whether a name is said in a clause about the rows, or before the sentence that names the columns."""
        if mention.role or mention.axis:
            return False
        top = self.draft.top
        if top is not None and 0 <= mention.place - top[2] <= 2:
            return False
        returned = self.draft.returned
        return mention.clause or returned is not None and mention.place < returned and self.lists_after(returned)

    def lists_after(self, place: int) -> bool:
        """Whether columns or measures are named after a place."""
        return any(m.place > place for m in self.draft.mentions)

    def present(self, scope: tuple[str, ...]) -> list[Exists]:
        """Relations that were only named in a clause (``customers that have orders``): a row there must exist."""
        known = {e.relation for e in self.exists}
        found = []
        for relation in dict.fromkeys(r for r, place in self.draft.entities if place in self.draft.clauses):
            if relation in scope or relation in known or self.meta.relation(relation).kind == "view":
                continue
            if any(self.meta.joins.way(own, relation) for own in scope):
                found.append(Exists(relation))
        return found
