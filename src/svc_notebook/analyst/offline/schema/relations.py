"""The relations this asker sees: how they join, what names, keys and amounts their rows have."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from functools import cached_property

from ....records import dataclass
from ....semantic.catalog import Member
from ..plans.plan import Measure
from ..words.text import name_parts, stem
from .joins import JoinGraph
from .members import Members

__all__ = ["REACHED", "Relations"]

_AMOUNTS = frozenset({"amount", "value", "total", "price", "cost", "quantity"})
_CURRENCIES = frozenset({"usd", "eur", "gbp", "chf", "euro", "euros", "dollar", "dollars"})
# Ways in both directions multiply rows: beyond a few tables nobody would have asked for that.
_FARTHEST = 9  # relations in one query whose joins are walked in both directions
_FEW = 5  # rows that share a name which tells kinds, on average
_TWO = 2
_TEXTS = 3  # of a relation that are looked at for a name
_HALVES = frozenset({"first", "last", "given", "family", "forename", "surname"})
REACHED = frozenset(
    "address street phone telephone mobile cell fax email mail url website link iban account postcode zip".split()
)
"""Where a row is reached, which names it to nobody."""
_LABEL_WORDS = ("name", "title", "label", "fullname")


@dataclass
class Relations(Members):
    """Members with the relations that hold them."""

    _bridges: dict[tuple[str, ...], tuple[str, ...] | None] = field(default_factory=dict)
    _dated: dict[tuple[str, ...], tuple[str, ...] | None] = field(default_factory=dict)

    @cached_property
    def edges(self) -> dict[str, tuple[str, ...]]:
        relations = self.catalog.relations
        return {name: tuple(j for j in relation.joins if j in relations) for name, relation in relations.items()}

    @cached_property
    def _reach(self) -> dict[str, dict[str, tuple[str, ...]]]:
        reach: dict[str, dict[str, tuple[str, ...]]] = {}
        for root in self.edges:
            paths: dict[str, tuple[str, ...]] = {root: ()}
            queue = deque([root])
            while queue:
                here = queue.popleft()
                # Breadth first, so that the first way found is the shortest.
                for there in self.edges[here]:
                    if there not in paths:
                        paths[there] = (*paths[here], there)
                        queue.append(there)
            reach[root] = paths
        return reach

    def reached_from(self, relation: str) -> int:
        """How many relations the rows of one lead to."""
        return len(self._reach[relation])

    def leads_to(self, relation: str, other: str) -> bool:
        """Whether a row of one belongs to one of the other, or is one."""
        return other in self._reach.get(relation, ())

    def join_keys(self, source: str, target: str) -> tuple[str, str] | None:
        """Visible members a join of one column each compares: ``(source.fk, target.key)``."""
        pairs = self.joins.between(source, target) if target in self.edges[source] else ()
        return pairs[0] if len(pairs) == 1 else None

    @cached_property
    def joins(self) -> JoinGraph:
        """The joins that compare members, walkable in both directions."""
        return JoinGraph(self.catalog, self.members, self._is_empty)

    def _is_empty(self, path: str) -> bool:
        profile = self.profile(path)
        return profile.rows > 0 and profile.missing == profile.rows

    def scope(self, relations: Iterable[str], prefer: Sequence[str] = ()) -> tuple[str, ...] | None:
        """The cubes of a query that needs ``relations``: the root that reaches all of them with the fewest joins,
        then those.
        """
        needed = list(dict.fromkeys(relations))
        if len(needed) == 1:
            return (needed[0],)
        best: tuple[tuple[float, ...], tuple[str, ...]] | None = None
        for order, (root, paths) in enumerate(self._reach.items()):
            if any(name not in paths for name in needed):
                continue
            joined = list(dict.fromkeys(step for name in needed for step in paths[name]))
            # Fewest tables, then the relation that is preferred, then one that was asked for, then the order of the
            # model.
            key = (len({root, *joined}), 0 if root in prefer else 1, 0 if root in needed else 1, order)
            if best is None or key < best[0]:
                best = (key, (root, *(name for name in joined if name != root)))
        if best is not None:
            return best[1]
        # Only where no relation reaches all of them: joins walked backwards count rows more than once.
        known = tuple(needed)
        if known not in self._bridges:
            tree = self.joins.tree(needed)
            self._bridges[known] = tree if tree is not None and len(tree) <= _FARTHEST else None
        return self._bridges[known]

    def dated(self, scope: Sequence[str]) -> tuple[str, ...] | None:
        """A scope whose rows have no time with the nearest relation that says when they happened, right behind them:
        lines have the date of their order, also where the book that they are of was published once. None where the rows
        have a time, or none is near.
        """
        known = tuple(scope)
        if known not in self._dated:
            self._dated[known] = None if self.times(known[:1]) else self._nearest_time(known)
        return self._dated[known]

    def _nearest_time(self, scope: tuple[str, ...]) -> tuple[str, ...] | None:
        near = self._reach.get(scope[0], {})
        found = []
        for name, way in near.items():
            wider = self.scope((*scope, name), scope[:1]) if name != scope[0] and self.times([name]) else None
            if wider is not None and wider[0] == scope[0] and not self.is_bridged(wider):
                declared = (self.relation(name).meta or {}).get("time") is not None
                found.append(
                    (len(way), not declared, not self._heads(name, scope[0]), self._fewness(name), name, wider)
                )
        if not found:
            return None
        *_, name, wider = min(found)
        first = [step for step in near[name] if step in wider]
        return (scope[0], *first, *(step for step in wider[1:] if step not in first))

    def _heads(self, relation: str, rows: str) -> bool:
        """Whether rows are called after what they are parts of: ``order_lines`` of ``orders``."""
        of, said = (set(map(stem, self.words_of(name))) for name in (relation, rows))
        return of < said

    def _fewness(self, relation: str) -> int:
        """What happened has more rows than what it happened to."""
        return -self.profile(self.times([relation])[0]).rows

    def is_bridged(self, scope: Sequence[str]) -> bool:
        """Whether no relation of a scope reaches all others: then its joins are walked in both directions."""
        return any(relation not in self._reach[scope[0]] for relation in scope)

    def facts_of(self, relation: str) -> str | None:
        """The relation whose rows point at ``relation``'s and so say how often it occurs: with a time rather than
        without, the nearest.
        """
        found = []
        for order, (name, paths) in enumerate(self._reach.items()):
            if name != relation and relation in paths and not self.is_marker(name):
                # With a time rather than without, near, pointing at much, then in the order of the model.
                found.append((not self.times([name]), len(paths[relation]), -len(self.edges[name]), order, name))
        return min(found)[-1] if found else None

    def main_facts(self) -> str | None:
        """The relation of events a model is about: the only one, or the only one with a time that points at others and
        that none points at.
        """
        names = list(self.catalog.relations)
        if len(names) > 1:
            # Nothing points at what happened; what is pointed at is what it happened to.
            pointed = {other for others in self.edges.values() for other in others}
            names = [n for n in names if self.edges.get(n) and n not in pointed and self.times([n])]
        return names[0] if len(names) == 1 else None

    def only_events(self) -> str | None:
        """The only relation; of a model of views, which point at nothing, the one of events with far more members than
        any other.
        """
        names = list(self.catalog.relations)
        if len(names) < _TWO or any(self.relation(name).kind != "view" for name in names):
            return names[0] if len(names) == 1 else None
        sizes = sorted(((len(self.relation(name).members), name) for name in names), reverse=True)
        (most, name), (next_most, _) = sizes[:2]
        return name if self.times([name]) and 2 * most > 3 * next_most else None

    def is_island(self, relation: str) -> bool:
        """A cube that joins nothing in a model whose other cubes do."""
        joined = {name for name, others in self.edges.items() if others} | {
            other for others in self.edges.values() for other in others
        }
        # In a model without joins every table is one.
        return len(joined) > 2 and relation not in joined and self.relation(relation).kind == "cube"

    def is_marker(self, relation: str) -> bool:
        """A relation of nothing but keys: that it has a row is all it says (a payment among amounts)."""
        dimensions = [
            m.path for m in self.relation(relation).members.values() if m.kind == "dimension" and m.path in self.members
        ]
        links = len(dimensions) == 2 and all(self.members[path].primary_key for path in dimensions)
        return (
            0 < len(dimensions) <= 2
            and not (links and len(self.edges.get(relation, ())) > 1)  # rows that link two others mark neither
            and all(self.is_key(path) for path in dimensions)
            and bool(self.edges.get(relation))
        )

    def amount_of(self, relation: str) -> str | None:
        """The number that says how much a row of ``relation`` is: its amount, or that of the rows it marks."""
        places = [relation, *self.edges.get(relation, ())] if self.is_marker(relation) else [relation]
        for place in places:
            numbers = [
                m.path
                for m in self.relation(place).members.values()
                if m.path in self.members and self.is_number(m.path) and not self.is_key(m.path)
            ]
            named = [path for path in numbers if _noun_of(self.parts(path)) in _AMOUNTS]
            if len(named) == 1:
                return named[0]
        return None

    def headline_of(self, relation: str) -> str | None:
        """The measure that speaks for the rows of a relation."""
        path = f"{relation}.{(self.relation(relation).meta or {}).get('headline')}"
        return path if path in self.members and self.members[path].kind == "measure" else None

    def headline_number(self, relation: str) -> str | None:
        """The number of a row that the measure which speaks for them adds up."""
        path = (self.headline_of(relation) or "").replace(".total_", ".", 1)
        return path if path in self.members and self.is_number(path) else None

    def is_nameless(self, relation: str) -> bool:
        """Whether nothing tells one row of a relation from another: neither a label nor a key."""
        return self.label_of(relation) is None and self.key_of(relation) is None

    def label_of(self, relation: str) -> str | None:
        """The member that names a row of ``relation``: what the model says does, its name or title, else its key."""
        said = f"{relation}.{(self.relation(relation).meta or {}).get('label')}"
        if said in self.members:
            return said
        dimensions = [m for m in self.relation(relation).members.values() if m.kind == "dimension" and not m.masked]
        own = {stem(p) for p in name_parts(relation)}
        halves = {p for m in dimensions if m.type == "string" for p in self.parts(m.path)} & _HALVES
        ranked = []
        named = any(m.primary_key and m.type == "string" for m in dimensions)
        for place, member in enumerate(dimensions):
            parts = self.parts(member.path)
            if parts == ("title",) and len(halves) > 1:
                continue  # what somebody does, whose name are two others
            rest = [p for p in parts if stem(p) not in own]
            if len(own) > 1 and self._tells_kinds(relation, member.path):
                continue  # the vet of a visit
            if member.type == "string" and parts and parts[-1] in _LABEL_WORDS and len(rest) <= 1:
                # Within a rank the likelier word first, then the earlier column.
                ranked.append((0, _LABEL_WORDS.index(parts[-1]), place, member.path))
            elif member.type == "string" and not rest:
                ranked.append((1, 0, place, member.path))
            elif (
                member.type == "string" and parts[-1:] == ("number",) and len(rest) <= 2 < len(parts) + len(own)
                and not (named and self.profile(member.path).missing)
                and not self._refers(member.path)  # the job that an invoice is for
            ):  # fmt: skip # what some rows lack tells them less well apart than a code that each has
                ranked.append((1, 1, place, member.path))
            elif member.primary_key:
                ranked.append((3, 0, place, member.path))
        if ranked and min(ranked)[0] == 3 and (told := self._tells_apart(relation, dimensions)) is not None:
            return told
        return min(ranked)[3] if ranked else None

    def relation_referred(self, path: str) -> str:
        """The relation whose rows a column refers to; its own, where it refers to none."""
        own = path.split(".", 1)[0]
        known = ((other, self.join_keys(own, other)) for other in self.edges.get(own, ()))
        return next((other for other, keys in known if keys is not None and keys[0] == path), own)

    def _refers(self, path: str) -> bool:
        """Whether a column says which row of another relation a row is for, and each row is for one of its own."""
        relation = path.split(".", 1)[0]
        keys = [self.join_keys(relation, other) for other in self.edges.get(relation, ())]
        referring = any(pair is not None and pair[0] == path for pair in keys)
        return referring and not self.members[path].primary_key and self.profile(path).unique

    def _tells_kinds(self, relation: str, path: str) -> bool:
        """Whether a text has some word of a relation's name but not its last, and few rows have one of their own."""
        if self.members[path].type != "string" or self.members[path].primary_key:
            return False
        words, said = self.words_of(relation), {stem(part) for part in self.parts(path)}
        if stem(words[-1]) in said or not said & set(map(stem, words[:-1])):
            return False
        profile = self.profile(path)
        return _FEW * profile.distinct < profile.rows - profile.missing

    def _tells_apart(self, relation: str, dimensions: Sequence[Member]) -> str | None:
        """The first text that is another one in each row, of rows that others refer to."""
        if not any(relation in others for others in self.edges.values()):
            return None
        # Who is referred to by nobody needs no name to be told apart by.
        texts = [m.path for m in dimensions if m.type == "string" and not self.is_key(m.path) and not m.primary_key]
        texts = [path for path in texts if not REACHED & set(self.parts(path))]
        if any(_HALVES & set(self.parts(path)) for path in texts):
            return None  # names of people are two texts
        return next((path for path in texts[:_TEXTS] if self.profile(path).unique), None)

    def has_namesakes(self, label: str) -> bool:
        """Whether several rows are called alike, where most have a name of their own: else it tells kinds."""
        names = self.profile(label)
        # More than two rows a name on average is a kind of rows, and no name.
        return names.distinct < names.rows - names.missing <= 2 * names.distinct

    def named_by(self, key: str) -> str | None:
        """The member that names what a key stands for: that of the relation it refers to, or of its own."""
        own = key.split(".", 1)[0]
        known = ((other, self.join_keys(own, other)) for other in self.edges.get(own, ()))
        referred = [other for other, keys in known if keys is not None and keys[0] == key]
        if len(referred) > 1 or not referred and not self.members[key].primary_key:
            return None
        label = self.label_of(referred[0] if referred else own)
        named = label is not None and not self.is_key(label) and self.profile(label).unique
        return label if named else None  # of two with one name, each is one

    def key_of(self, relation: str) -> str | None:
        """The single primary key of ``relation``."""
        keys = [m.path for m in self.relation(relation).members.values() if m.primary_key]
        return keys[0] if len(keys) == 1 else None

    def keys_of(self, relation: str) -> list[str]:
        """All members of the primary key of ``relation``."""
        members = self.relation(relation).members.values()
        return [m.path for m in members if m.primary_key and m.kind == "dimension" and m.path in self.members]

    def may_be_missing(self, path: str) -> bool:
        """Whether a column has no value in some rows, as far as the data were looked at."""
        return path in self.members and bool(self.profile(path).missing)

    def plain(self, measure: Measure) -> Measure:
        """A measure of the model as an aggregate over its dimension, where its name and kind say which."""
        if measure.aggregate != "measure" or measure.member is None:
            return measure
        known = self.members[measure.member]
        if not known.whole:
            return measure
        if known.agg_type == "count":
            return replace(measure, member=None, aggregate="count", entity=known.relation)
        # The model's measures are called by their aggregate first (avg_delay).
        base = known.path.split(".", 1)[1].partition("_")[2]
        column = f"{known.relation}.{base}"
        if column in self.members and known.agg_type in ("sum", "avg", "min", "max", "median", "count_distinct"):
            return replace(measure, member=column, aggregate=known.agg_type)  # type: ignore[arg-type]  # one of those just named
        return measure

    def times(self, relations: Iterable[str]) -> list[str]:
        """Time dimensions of the relations in order of declaration, of each that which the model says counts first."""
        found = []
        for name in relations:
            relation = self.relation(name)
            own = [m for m in relation.members.values() if m.type == "time" and m.kind == "dimension" and not m.masked]
            said = (relation.meta or {}).get("time")
            found += [m.path for m in sorted(own, key=lambda m: m.name != said)]
        return found


def _noun_of(parts: Sequence[str]) -> str:
    """What a name says something is, behind which its currency may stand (``amount_usd``)."""
    return next((part for part in reversed(parts) if part not in _CURRENCIES), "")
