"""The semantic layer's face: a model and an engine, asked in SQL by somebody."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow.types import is_nested

from svc_notebook.cancellation import CancellationToken

from .catalog import Catalog, Member, Relation
from .catalog_builder import Matched, catalog_of, matched_by
from .compiler import (
    AppliedFilter,
    CompiledQuery,
    ResultColumn,
    SharedQuery,
    compile_query,
    compile_to_share,
)  # fmt: skip
from .compiler.join_tree.probes import indexed
from .context import SecurityContext, frozen
from .diagnosis import misfit
from .engine import Engine
from .errors import InvalidQuery, ModelError, NotPlanned, QueryError, QueryTimeout, UnknownMember
from .learnt import Learnt
from .model import DataModel
from .policies.openness import shows_every_row
from .results.cache import Cache, weight
from .results.kept import KeptResults, is_steady
from .results.query_result import KeptKey, QueryResult
from .results.streamed import StreamedResult
from .rollups import BuiltRollup, build_rollups
from .search import SearchIndex
from .standing import Standing
from .surveys import Lie, Surveyed, asked_together, rows_of, surveyed, totals_in, totals_of, values_together
from .value_sets import (
    FEW,
    Counted,
    counts_of,
    every_dimension,
    first_rows,
    of_own_rows,
    sets_of,
    sets_of_rows,
    values_of,
    values_of_each,
)

if TYPE_CHECKING:
    from .policies.access_report import RelationAccess

__all__ = ["AppliedFilter", "CompiledQuery", "Limits", "QueryResult", "ResultColumn", "SemanticLayer"]


@dataclass(frozen=True, slots=True)
class Limits:
    """``timeout`` in seconds (None: the engine's own), ``max_rows`` of a result, ``memory`` in bytes to keep."""

    timeout: float | None = None
    max_rows: int = 1_000_000
    memory: int = 134_217_728


class _Model:
    """Lives as long as a layer, and leads nowhere."""


class SemanticLayer:
    """Answers SQL over one model on one engine, for any asker; safe to use from many threads; every call blocks.

    Parameters
    ----------
    standing
        How fresh the engine's data are.
    kept
        Where results are kept, by this layer and those that come after it; used where the engine's data do not change.
    place
        What is answered here, told apart from what else is answered from the same kept results.
    rollups
        Whether the model's rollups are built, which takes as long as a query over all rows of each.
    learnt
        What whoever sees every row sees of the values of this model over this engine's data.

    Attributes
    ----------
    rollups
        What became of each of them.

    Raises
    ------
    ModelError
        If the model names a schema or a database that the engine does not have.
    """

    def __init__(
        self,
        model: DataModel,
        engine: Engine,
        limits: Limits = Limits(),
        standing: Standing | None = None,
        *,
        kept: KeptResults | None = None,
        place: str = "",
        rollups: bool = True,
        learnt: Learnt | None = None,
    ) -> None:
        self.model = model
        self._learnt = learnt
        self._kept = kept if getattr(engine, "unchanging", False) else None
        self._data = object()  # stands for the data of this layer
        if self._kept is not None:
            # Not at the end of the interpreter, where what is kept goes in any case and locks may be held for ever.
            weakref.finalize(self, self._kept.moved_on, self._data).atexit = False
        self._place = (place, model.version)
        self.standing = standing or Standing()
        self.engine = engine
        self.limits = limits
        self.stands_for: object = _Model()
        self._index = indexed(model, engine)
        self.rollups: tuple[BuiltRollup, ...] = ()
        if misplaced := self._index.misplaced():
            raise ModelError(misplaced)
        if plan_for := getattr(engine, "plan_for", None):
            plan_for(shown=shows_every_row(model))
        if rollups:
            self.rollups = build_rollups(self._index)
            for held in self._index.rollups:  # with this layer, and the data it answers from
                weakref.finalize(self, engine.let_go, held.table.table).atexit = False  # type: ignore[attr-defined]
        self._plans: Cache[CompiledQuery] = Cache(limits.memory, _weight_of_plan)
        self._shared: Cache[tuple[SharedQuery, ...]] = Cache(limits.memory // 2, _weight_of_shared)
        self._given: Cache[CompiledQuery] = Cache(limits.memory // 64, _weight_of_plan)  # for as long as a turn takes
        self._making = threading.Lock()
        self._sights: Cache[bytes] = Cache(limits.memory // 8)
        self._catalogs: Cache[Catalog] = Cache(limits.memory, _weight_of_catalog)
        self._searches: Cache[SearchIndex] = Cache(limits.memory, lambda index: _weight_of_catalog(index.catalog))

    def catalog(self, ctx: SecurityContext) -> Catalog:
        """What this asker may see of the model."""
        return self.seen(ctx)[1]

    def seen(self, ctx: SecurityContext) -> tuple[bytes, Catalog]:
        """What stands for the asker's catalog, and the catalog: who has the same may see the same, whatever their rows.

        It is made from which policies match, which is found anew for whoever is not known yet; nothing else of the
        asker goes into it. Kept is one for all who see the same, found by what came out.
        """
        key = ctx.known
        digest = self._sights.find(key)
        found = self._catalogs.find(digest) if digest is not None else None
        if digest is None or found is None:
            with self._making:  # who asks meanwhile waits for it instead of making it too
                # Looked up again: whoever had the lock before may have made it.
                digest = self._sights.find(key)
                found = self._catalogs.find(digest) if digest is not None else None
                if digest is None or found is None:
                    digest, found = self._made(matched_by(self.model, ctx))
                    self._sights.put(key, digest)
        return digest, found

    def _made(self, matched: Matched) -> tuple[bytes, Catalog]:
        digest = self._sights.find(matched)
        found = self._catalogs.find(digest) if digest is not None else None
        if digest is None or found is None:
            made = catalog_of(self.model, matched)
            # By what came out: policies that differ may show the same, and then one catalog serves both.
            digest = self._sights.put(matched, blake2b(repr(made).encode("utf-8", "surrogatepass")).digest())
            found = self._catalogs.get(digest, lambda: made)
        return digest, found

    def access_report(self, ctx: SecurityContext, names: Sequence[str] = ()) -> list[RelationAccess]:
        """What this asker sees of the model, and why; for administrators, since it names what the asker may not know.

        Raises
        ------
        KeyError
            If a name is neither a cube nor a view.
        """
        from .policies.access_report import access_report

        return access_report(self, ctx, names)

    def search(self, ctx: SecurityContext, query: str, limit: int = 8) -> list[tuple[Relation, list[Member]]]:
        """The visible relations and members nearest to a question."""
        digest, catalog = self.seen(ctx)
        return self._searches.get(digest, lambda: SearchIndex(catalog)).search(query, limit)

    def compile(
        self, ctx: SecurityContext, sql: str, *, timezone: str = "UTC", parameters: Mapping[str, Any] | None = None
    ) -> CompiledQuery:
        """The SQL that :meth:`query` would run, with its parameters and the row filters applied.

        Raises
        ------
        QueryError
            If the query is refused; the message says why and what to write instead.
        """
        if not isinstance(sql, str):
            raise InvalidQuery(f"A query is text, not {type(sql).__name__}.")
        if not isinstance(timezone, str):
            raise InvalidQuery(f"A time zone is a name such as 'Europe/Berlin', not {type(timezone).__name__}.")
        if parameters:
            key = (ctx.known, sql, timezone, frozen(parameters))
            return self._plans.get(
                key, lambda: compile_query(self._index, ctx, sql, timezone=timezone, parameters=parameters)
            )
        known = self._known_plan(ctx, sql, timezone)
        return self._new_plan(ctx, sql, timezone) if known is None else known

    def _known_plan(self, ctx: SecurityContext, sql: str, timezone: str) -> CompiledQuery | None:
        """What was compiled before for this asker, or for another one of whom nothing is in it."""
        key = (ctx.known, sql, timezone, _NOTHING)
        found = self._plans.find(key) or self._given.find(key)
        if found is not None:
            return found
        for shared in self._shared.find((ctx.groups, sql, timezone)) or ():
            if (found := shared.for_asker(ctx)) is not None:
                return self._given.put(key, found)
        return None

    def _new_plan(self, ctx: SecurityContext, sql: str, timezone: str) -> CompiledQuery:
        found, shared = compile_to_share(self._index, ctx, sql, timezone=timezone)
        if shared is not None:
            # By groups: whoever is in the same gets the same query, as a rule, with values of their own in it, which
            # for_asker() puts there or says that it cannot.
            key = (ctx.groups, sql, timezone)
            self._shared.put(key, (shared, *(self._shared.find(key) or ()))[:_FORMS])
        kept = self._plans if shared is None else self._given
        return kept.put((ctx.known, sql, timezone, _NOTHING), found)

    def compiled(self, ctx: SecurityContext, sql: str, *, timezone: str = "UTC") -> bool:
        """Whether a query was compiled before, for this asker or for whom it is the same, and is kept."""
        return self._known_plan(ctx, sql, timezone) is not None

    def at_hand(self, ctx: SecurityContext, sql: str, *, timezone: str = "UTC", uuid: str = "") -> QueryResult | None:
        """The result that :meth:`query` would find kept, if that takes no time: nothing is compiled, run or read."""
        started = time.perf_counter()
        plan = self._known_plan(ctx, sql, timezone) if self._kept is not None else None
        if plan is None or self._kept is None:
            return None
        key = self._kept_key(ctx, plan, timezone)
        found = self._kept.at_hand((key,) if is_steady(plan.sql) else (), uuid, key.rest)
        if found is None:
            return None
        return replace(self._again(found, plan), sql=sql, elapsed=time.perf_counter() - started)

    def explain(self, ctx: SecurityContext, sql: str, *, timezone: str = "UTC") -> CompiledQuery:
        """Compile without running."""
        return self.compile(ctx, sql, timezone=timezone)

    def schema(self, ctx: SecurityContext, sql: str, *, timezone: str = "UTC") -> pa.Schema:
        """Names and types of the columns that :meth:`query` would return, found without reading a row."""
        plan = self.compile(ctx, sql, timezone=timezone)
        text = f"SELECT * FROM ({plan.sql}) AS q LIMIT 0"
        with self._explained(ctx, sql):
            schema = self.engine.execute(text, plan.params, timeout=self.limits.timeout).schema
        return pa.schema([field.with_name(c.name) for field, c in zip(schema, plan.columns, strict=True)])

    def query(
        self,
        ctx: SecurityContext,
        sql: str,
        *,
        timezone: str = "UTC",
        parameters: Mapping[str, Any] | None = None,
        cancel: CancellationToken | None = None,
        max_rows: int | None = None,
        uuid: str = "",
    ) -> QueryResult:
        """Run one query for one asker.

        Parameters
        ----------
        parameters
            Values for ``:name`` placeholders.
        max_rows
            Stop after this many rows.
        uuid
            Of the result that is meant, where it was :meth:`remember`-ed: its own rows, if the asker may have them.

        Raises
        ------
        QueryError
            If it is refused or fails.
        Cancelled
            If ``cancel`` was given.
        """
        started = time.perf_counter()
        plan = self.compile(ctx, sql, timezone=timezone, parameters=parameters)
        key = self._kept_key(ctx, plan, timezone) if max_rows is None and self._kept is not None else None
        if key is not None and (found := self._found(key, plan, uuid)) is not None:
            if cancel is not None:
                cancel.raise_if_cancelled()
            return replace(found, sql=sql, elapsed=time.perf_counter() - started)
        most = self.limits.max_rows if max_rows is None else min(max_rows, self.limits.max_rows)
        with self._explained(ctx, sql):
            table = self.engine.execute(
                plan.sql, plan.params, cancel=cancel, timeout=self.limits.timeout, max_rows=most + 1
            )
        elapsed = time.perf_counter() - started
        truncated = table.num_rows > most  # the row beyond is how that is known
        notes = (*plan.notes, *self.standing.notes, *(_cut_note(most) if truncated and max_rows is None else ()))
        result = QueryResult(
            table.slice(0, most), plan.columns, sql, plan.sql, plan.row_filters, notes, elapsed, self.standing.said,
            truncated, key=key, rollups=plan.rollups,
        )  # fmt: skip
        if key is not None and self._kept is not None:
            self._kept.put(key, result)
        return result

    def stream(
        self, ctx: SecurityContext, sql: str, *, timezone: str = "UTC", cancel: CancellationToken | None = None
    ) -> StreamedResult:
        """:meth:`query` without a limit of rows; they wait in a file.

        Raises
        ------
        QueryError
            If it is refused or fails.
        """
        plan = self.compile(ctx, sql, timezone=timezone)
        write = getattr(self.engine, "write", None)
        if write is None:
            raise InvalidQuery("This engine streams no results; ask for less, or in parts.")

        def fill(path: Path) -> None:
            with self._explained(ctx, sql):
                write(plan.sql, plan.params, path, cancel=cancel, timeout=self.limits.timeout)

        notes = (*plan.notes, *self.standing.notes)
        return StreamedResult(fill, plan.columns, plan.row_filters, notes, self.standing.said)

    def kept(self, ctx: SecurityContext, sql: str, uuid: str, *, timezone: str = "UTC") -> QueryResult | None:
        """The result of that ``uuid`` if it is kept and the asker may still have it; nothing is run for it.

        Raises
        ------
        QueryError
            If the query is refused by now.
        """
        plan = self.compile(ctx, sql, timezone=timezone)
        return self._found(self._kept_key(ctx, plan, timezone), plan, uuid) if self._kept is not None else None

    def remember(self, uuid: str, result: QueryResult) -> None:
        """Have a result be found by its ``uuid`` by :meth:`query`, also when the data have moved on."""
        if self._kept is not None and result.key is not None:
            self._kept.name(uuid, result.key)

    def _kept_key(self, ctx: SecurityContext, plan: CompiledQuery, timezone: str) -> KeptKey:
        """Rights count twice: as what is known of the asker, and as what the query became under them."""
        return KeptKey(self._data, (self._place, ctx.known, plan.sql, frozen(dict(plan.params)), timezone))

    def _found(self, key: KeptKey, plan: CompiledQuery, uuid: str) -> QueryResult | None:
        assert self._kept is not None
        found = self._kept.named(uuid, key.rest) if uuid else None
        if found is None and is_steady(plan.sql):
            found = self._kept.find(key)
        return None if found is None else self._again(found, plan)

    def _again(self, found: QueryResult, plan: CompiledQuery) -> QueryResult:
        """A kept result, told as of now."""
        cut = _cut_note(found.table.num_rows) if found.truncated else ()
        notes = (*plan.notes, *self.standing.notes, *cut)
        return replace(found, columns=plan.columns, notes=notes, row_filters=plan.row_filters, kept=True)

    @contextmanager
    def _explained(self, ctx: SecurityContext, sql: str) -> Iterator[None]:
        """Name the member that keeps a query from being planned."""
        try:
            yield
        except NotPlanned:
            plan = partial(self._planned, ctx)
            told = misfit(sql, self.catalog(ctx), self.model, plan, self._index.absent, places=ctx.unrestricted)
            if told is None:
                raise
            raise NotPlanned(told) from None

    def _planned(self, ctx: SecurityContext, sql: str) -> None:
        plan = self.compile(ctx, sql)
        self.engine.execute(f"SELECT * FROM ({plan.sql}) AS q LIMIT 0", plan.params, timeout=self.limits.timeout)

    def values(
        self, ctx: SecurityContext, member: str, *, limit: int = 1000, cancel: CancellationToken | None = None
    ) -> list[Any]:
        """The distinct values of a dimension (``view.member``) that this asker may see, most frequent first."""
        return self.counted_values(ctx, member, limit=limit, cancel=cancel).values

    def counted_values(
        self, ctx: SecurityContext, member: str, *, limit: int = 1000, cancel: CancellationToken | None = None
    ) -> Counted:
        """What :meth:`values` gives, with the number of rows where it read them all and gives every value."""
        relation, dot, name = member.partition(".")
        if not dot:
            raise UnknownMember(f"'{member}' is no member; write view.member.")
        most = max(0, int(limit))
        if (sampled := self.engine.sampled_rows) is not None:
            sql = values_of(relation, name, most, sampled)
            return Counted(self.query(ctx, sql, cancel=cancel).table.column(0).to_pylist())
        # For nobody who is under a policy: what these give is counted in their own rows.
        known = self._learnt.counted(member, most) if self._learnt is not None and ctx.unrestricted else None
        if known is not None:
            return known
        return Counted.of(self.query(ctx, counts_of(relation, name, most + 2), cancel=cancel).table, most)

    def lie_at_hand(self, ctx: SecurityContext, member: Member) -> Lie | None:
        """How a dimension lies, where that was counted for whoever sees every row before anybody asked."""
        return self._learnt.lie(member) if self._learnt is not None and ctx.unrestricted else None

    def value_sets(
        self, ctx: SecurityContext, relation: str, *, limit: int = 1000, cancel: CancellationToken | None = None
    ) -> Mapping[str, list[Any]]:
        """What :meth:`values` gives for each text dimension of a relation, by name, found by one statement.

        Those that need a statement of their own are left out.
        """
        seen = self.catalog(ctx).relations.get(relation)
        if self.surveys:
            met = self.surveyed(ctx, relation, limit=limit, cancel=cancel)
            return {n: each.values for n, each in met.items() if seen and seen.members[n].type == "string"}
        if seen is None or not of_own_rows(self.model.cubes.get(relation), seen, ctx):
            return {}
        plan = self.compile(ctx, every_dimension(seen) or "")
        names = [c.name for c in plan.columns if c.kind == "string" and not seen.members[c.name].masked]
        if not names:
            return {}
        most = max(0, int(limit))

        def rows(text: str, at_most: int) -> pa.Table:
            return self.engine.execute(text, plan.params, cancel=cancel, timeout=self.limits.timeout, max_rows=at_most)

        few = rows(first_rows(plan, names), FEW + 1)
        if few.num_rows <= FEW and (found := sets_of_rows(names, few, most)) is not None:
            return found
        return sets_of(names, rows(values_of_each(plan, names, most), most * len(names)))

    @property
    def surveys(self) -> bool:
        """Whether dimensions are best asked of together (:meth:`surveyed`), as where the data do not lie at hand."""
        return self.engine.sampled_rows is not None

    def surveyed(
        self, ctx: SecurityContext, relation: str, *, limit: int = 1000, cancel: CancellationToken | None = None
    ) -> Mapping[str, Surveyed]:
        """What rows drawn from all that this asker may see tell of a relation's dimensions, by name.

        Of a relation with more rows than are drawn, text dimensions alone; those that cannot be had are not there.
        """
        seen = self.catalog(ctx).relations.get(relation)
        if seen is None:
            return {}
        found: dict[str, Surveyed] = {}
        for members in asked_together(self.model, seen, ctx):
            try:
                found |= self._survey(ctx, members, limit, cancel)
            except QueryTimeout:
                continue
            except QueryError:  # one that fails does not keep the others from being known
                for member in members if len(members) > 1 else ():
                    with suppress(QueryError):
                        found |= self._survey(ctx, [member], limit, cancel)
        return found

    def profiled(self, ctx: SecurityContext, member: str, *, cancel: CancellationToken | None = None) -> Lie:
        """How a dimension (``view.member``) lies: distinct values are estimated, the rest is of all rows."""
        relation, _, name = member.partition(".")
        dimension = self.catalog(ctx).relations[relation].members[name]
        totals = totals_in(self.query(ctx, totals_of(dimension), cancel=cancel).table)
        rows = self._drawn(ctx, [dimension], totals.rows, cancel)
        return surveyed(rows.column(0), 0, of=totals.rows).beside(totals)

    def _survey(
        self, ctx: SecurityContext, members: Sequence[Member], limit: int, cancel: CancellationToken | None
    ) -> Mapping[str, Surveyed]:
        count = self.query(ctx, rows_of(members), cancel=cancel).table.column(0)[0].as_py()
        small = count <= (self.engine.sampled_rows or _DRAWN)
        kept = members if small else [member for member in members if member.type == "string"]
        table = self._drawn(ctx, kept, count, cancel) if kept else pa.table({})
        columns = zip(kept, table.columns, strict=True)
        return {m.name: surveyed(column, limit, of=count) for m, column in columns if not is_nested(column.type)}

    def _drawn(
        self, ctx: SecurityContext, members: Sequence[Member], rows: int, cancel: CancellationToken | None
    ) -> pa.Table:
        """Rows of dimensions, all or about as many as the engine is asked for, each as likely as any other."""
        most = self.engine.sampled_rows or _DRAWN
        plan = compile_query(self._index, ctx, values_together(members), drawn=True)
        # Drawn at random: the first rows of a table are often its oldest, or one customer's.
        text = plan.sql if rows <= most else self.engine.spread(plan.sql, most / rows)
        # About as many are drawn; twice as many never are.
        return self.engine.execute(
            text, plan.params, cancel=cancel, timeout=self.limits.timeout, max_rows=max(2 * most, 1)
        )

    def close(self) -> None:
        """Close the engine."""
        self.engine.close()


_DRAWN = 100_000
_NOTHING = frozen({})
_FORMS = 4
"""As how many different queries one text is kept for those of the same groups."""


def _cut_note(most: int) -> tuple[str, ...]:
    return (f"These are the first {most:,} rows: there are more, and one result holds no more of them.",)


def _weight_of_plan(plan: CompiledQuery) -> int:
    return 4_096 + 2 * len(plan.sql) + weight(plan.params)


def _weight_of_shared(queries: tuple[SharedQuery, ...]) -> int:
    return sum(8_192 + 4 * len(each.query.sql) for each in queries)


def _weight_of_catalog(catalog: Catalog) -> int:
    members = [member for relation in catalog.relations.values() for member in relation.members.values()]
    return sum(1_024 + len(member.title) + len(member.description or "") for member in members) + 4_096
