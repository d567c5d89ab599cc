"""Prepared statements give what SQLAlchemy gives, and fail as it does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Executable, bindparam, insert, null, select, union_all
from sqlalchemy.exc import IntegrityError

from svc_notebook.service.config import GroupSeed, InternalUser, TenantConfig
from svc_notebook.service.store import Store, open_store
from svc_notebook.service.store.accounts import seed
from svc_notebook.service.store.errors import StoreFailed
from svc_notebook.service.store.prepared import Prepared
from svc_notebook.service.store.schema import catalog, threads, users
from svc_notebook.service.store.statements.upsert import insert_of
from svc_notebook.service.store.upsert import upserting
from svc_notebook.service.web.rules import check_typed

from .listening import statements

OF_KIND = select(users).where(users.c.kind == bindparam("of"), users.c.id > 0).order_by(users.c.id)
NAMED = select(catalog).where(catalog.c.kind == "group", catalog.c.name.in_(bindparam("names", expanding=True)))
BOTH = union_all(
    select(users.c.name, null().label("description")).where(users.c.kind == bindparam("of")),
    select(catalog.c.name, catalog.c.description).where(catalog.c.name != bindparam("of")),
)
NAMES = [f"g{number}" for number in range(70)]


def prepared(statement: Executable) -> Prepared:
    made = Prepared("")
    made.statement = statement
    return made


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    made = open_store("memory")
    people = [
        InternalUser("ana", "ana@example.com", unrestricted=True),
        InternalUser("bob", "bob@example.com", unrestricted=False),
    ]
    tenant = TenantConfig(groups=[GroupSeed(name) for name in NAMES], internal_users=people)
    made.write(seed, tenant, {}, check_typed)
    yield made
    made.close()


@pytest.mark.parametrize(("statement", "values"), [(OF_KIND, {"of": "internal"}), (BOTH, {"of": "internal"})])
def test_rows_are_those_of_sqlalchemy(store: Store, statement: Executable, values: dict[str, object]) -> None:
    ours = prepared(statement)

    def compared(connection: Connection) -> None:
        wanted = connection.execute(statement, values).all()
        found = ours.all(connection, values)
        assert [tuple(row) for row in found] == [tuple(row) for row in wanted]
        assert [[type(cell) for cell in row] for row in found] == [[type(cell) for cell in row] for row in wanted]
        assert [row.name for row in found] == [row.name for row in wanted]
        assert ours.first(connection, values) == tuple(wanted[0])
        assert ours.scalars(connection, values) == [row[0] for row in wanted]

    store.read(compared)


def test_truth_is_truth(store: Store) -> None:
    rows = store.read(prepared(OF_KIND).all, {"of": "internal"})
    assert {row.name: row.unrestricted for row in rows} == {"ana": True, "bob": False}
    assert rows[0].unrestricted is True


def test_nothing_is_none(store: Store) -> None:
    assert store.read(prepared(OF_KIND).first, {"of": "nobody"}) is None
    assert store.read(prepared(OF_KIND).scalar, {"of": "nobody"}) is None
    assert store.read(prepared(OF_KIND).all, {"of": "nobody"}) == []


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(st.sampled_from([*NAMES, "", "none", "'"]), max_size=70))
def test_lists_of_any_length(store: Store, names: list[str]) -> None:
    found = store.read(prepared(NAMED).all, {"names": names})
    assert {row.name for row in found} == set(names) & set(NAMES)
    assert len(found) == len(set(names) & set(NAMES))


def test_the_same_text_serves_other_values(store: Store) -> None:
    ours = prepared(NAMED)
    for names in (["g1", "g2"], ["g3", "g4"], ["g5"], []):
        assert {row.name for row in store.read(ours.all, {"names": names})} == set(names)


def test_what_fails_is_told_as_sqlalchemy_tells_it(store: Store) -> None:
    thread = {
        "id": "t", "tenant_id": 0, "user_id": 0, "agent": "", "branch": "", "title": "", "created_at": 0.0,
        "updated_at": 0.0,
    }  # fmt: skip
    with pytest.raises(StoreFailed) as failed:
        store.write(prepared(insert(threads)).run, thread)
    cause = failed.value.__cause__
    assert isinstance(cause, IntegrityError)
    assert "FOREIGN KEY" in str(cause.orig)
    assert store.read(prepared(select(threads)).all, {}) == [], "and nothing of it is kept"


def test_changes_are_counted_and_given_back(store: Store) -> None:
    def changed(connection: Connection) -> None:
        row = {"id": 7, "tenant_id": 1, "scope": 0, "kind": "group", "name": "new", "description": "a"}
        added = prepared(insert_of("sqlite", catalog).on_conflict_do_nothing().returning(*catalog.c))
        again = upserting(connection, "catalog", "description")
        made = added.first(connection, {**row, "id": 700})
        assert made is not None
        assert (made.id, made.name, made.member_count) == (700, "new", 0)
        assert added.first(connection, {**row, "id": 700}) is None
        again.run_each(connection, [{**row, "id": 700, "description": "b"}, {**row, "id": 701, "name": "newer"}])
        kept = prepared(NAMED).all(connection, {"names": ["new", "newer"]})
        assert {each.name: each.description for each in kept} == {"new": "b", "newer": "a"}
        raise KeyError

    with pytest.raises(KeyError):
        store.write(changed)
    assert store.read(prepared(NAMED).all, {"names": ["new"]}) == []


def test_listening_hears_prepared_statements(store: Store) -> None:
    said = statements(store)
    store.read(prepared(OF_KIND).all, {"of": "internal"})
    assert len([each for each in said if each.startswith("SELECT users.id")]) == 1
