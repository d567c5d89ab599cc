"""Readings in chat: told with every result, asked again as they are, strictly checked under the asker's rights."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import httpx
import msgspec
import pytest

import svc_notebook as svc
from svc_notebook.analyst.base import Event, ToolFinished, Turn
from svc_notebook.analyst.offline.forms.wire.receiving import form_of
from svc_notebook.analyst.readings import edited, telling
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.client.errors import BadRequest, NotFound
from svc_notebook.lanes import FREE
from svc_notebook.protocol import errors
from svc_notebook.protocol.reading import Reading
from svc_notebook.protocol.tools import SQL_TOOL, SqlInput, dump
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.sight import Sight
from svc_notebook.service.turns import readings
from tests.loops import run

from .service_world import final_text, lines
from .test_real_layer import CHAT, DATA, EMEA, MODEL

REVENUE = {"member": "orders.revenue"}
REGION = {"member": "orders.region"}


@pytest.fixture(scope="module")
def client() -> Iterator[svc.Client]:
    with svc.embedded(MODEL, data=DATA) as opened:
        yield opened


@pytest.fixture(scope="module")
def http(client: svc.Client) -> Iterator[httpx.Client]:
    key = client.service.config.tenants[0].api_keys[0].secret()
    headers = {"Authorization": f"Api-Key {key}"}
    with httpx.Client(base_url="http://svc.local", transport=client.transport, headers=headers) as opened:
        yield opened


def reading(**clauses: Any) -> dict[str, Any]:
    return {"version": 1, "root": {"relation": "orders"}, "measures": [REVENUE], **clauses}


def sent(http: httpx.Client, given: Any, **settings: Any) -> httpx.Response:
    body = {"input": "as edited", "reading": given, "sessionSettings": {"externalId": "op", **settings}}
    return http.post(CHAT, json=body)


def test_a_result_is_told_with_its_reading(http: httpx.Client) -> None:
    frames = lines(http.post(CHAT, json={"input": "revenue by region", "sessionSettings": EMEA}).content)
    call = next(
        f["toolCall"] for f in frames if "SqlApi" in f.get("toolCall", {}).get("name", "") and "result" in f["toolCall"]
    )
    told = json.loads(call["input"])["reading"]
    assert told["version"] == 1
    assert told["root"]["relation"] == "orders"
    [group], [measure] = told["groups"], told["measures"]
    assert (group["member"], group["origin"], group["said"]) == ("orders.region", "said", [11, 17])
    assert (measure["member"], measure["origin"], measure["said"]) == ("orders.revenue", "said", [0, 7])


def test_a_reading_is_asked_as_it_is_under_the_askers_policy(http: httpx.Client) -> None:
    given = reading(groups=[REGION], where=[{**REGION, "operator": "in", "values": ["EMEA", "APAC"]}])
    body = {"input": "both regions", "reading": given, "sessionSettings": EMEA}
    frames = lines(http.post(CHAT, json=body).content)
    assert frames[-2]["id"] == "__state__"
    assert "APAC" not in final_text(frames).replace("is EMEA or APAC", "")
    call = next(f["toolCall"] for f in frames if "result" in f.get("toolCall", {}))
    assert json.loads(call["result"])["data"] == [["EMEA", 3.0]]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({**reading(), "version": 2}, "version 1"),
        ({"root": {"relation": "orders"}}, "version"),
        ({**reading(), "rows": 3}, "unknown field"),
        (reading(measures=[]), "shows something"),
        (reading(measures=[{}]), "measures[0] wants a member"),
        (reading(root={"relation": "order"}), "no cube or view 'order'"),
        (reading(root={}), "root wants either"),
        (reading(measures=[{"member": "orders.x"}]), "no member 'orders.x'"),
        (reading(measures=[{"member": "orders.region"}]), "measures are aggregates"),
        (reading(groups=[{**REGION, "grain": "month"}]), "is no time"),
        (reading(groups=[{**REGION, "part": "moon"}]), "'moon' is unknown"),
        (reading(groups=[{"expression": "region FROM orders"}]), "one expression of SQL"),
        (reading(groups=[{"expression": "region; DROP TABLE orders"}]), ""),
        (reading(groups=[{"expression": "(SELECT x FROM orders)"}]), "'x' is no member"),
        (reading(groups=[{"expression": "read_csv('/etc/passwd')"}]), "none a form knows"),
        (reading(where=[{**REGION, "operator": "~", "values": ["a"]}]), "'~' is unknown"),
        (reading(where=[{**REGION, "operator": "="}]), "'=' wants 1 value"),
        (reading(where=[{**REVENUE, "operator": ">", "values": [1]}]), "stand in having"),
        (reading(having=[{**REVENUE, "operator": ">", "values": ["much"]}]), "with a number"),
        (reading(where=[{**REGION, "operator": "in", "values": ["a"] * 1001}]), "1,000 values"),
        (reading(groups=[REGION] * 65), "64 clauses"),
        (reading(limit={"count": 0}), "limit.count"),
        (reading(root={"relation": "orders", "joins": [{"relation": "orders"}]}), "stands there twice"),
        ("revenue", "object"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused_in_words(http: httpx.Client, given: Any, told: str) -> None:
    answer = sent(http, given)
    assert answer.status_code == 400, answer.text
    assert told in answer.json()["message"]


def test_a_reading_needs_its_edit_in_words(http: httpx.Client) -> None:
    answer = http.post(CHAT, json={"reading": reading(), "sessionSettings": EMEA})
    assert answer.status_code == 400
    assert "input" in answer.json()["message"]


def test_a_refused_reading_leaves_no_thread_behind(http: httpx.Client, client: svc.Client) -> None:
    who = {"externalId": "leaves-nothing", "isEphemeral": False}
    body = {"input": "as edited", "reading": reading(measures=[{"member": "orders.x"}]), "sessionSettings": who}
    assert http.post(CHAT, json=body).status_code == 400
    with pytest.raises(NotFound, match="No such user"):
        client.chat(external_id="leaves-nothing").threads()


def test_hidden_and_absent_members_are_answered_alike() -> None:
    hidden = {**MODEL["cubes"][0]}
    hidden["access_policy"] = [
        {**hidden["access_policy"][0], "member_level": {"includes": "*", "excludes": ["revenue"]}}
    ]
    with svc.embedded({"cubes": [hidden]}, data=DATA) as client:
        chat = client.chat(external_id="ana", user_attributes={"region": ["EMEA"]})
        told = []
        for name in ("revenue", "nothing"):
            clauses = [{"member": f"orders.{name}"}, {"expression": f"MEASURE(orders.{name})"}]
            for clause in clauses:
                wanted = svc.Reading.from_dict(reading(measures=[clause]))
                with pytest.raises(BadRequest) as refused:
                    chat.ask(reading=wanted)
                told.append(str(refused.value).replace(name, "…"))
    assert told[:2] == told[2:]


def test_a_reading_can_be_changed_and_asked_again(client: svc.Client) -> None:
    chat = client.chat()
    first = chat.ask("revenue by region")
    assert first.reading is not None
    assert str(first.reading).startswith("measure revenue; by region")
    more = first.reading.with_(
        limit=1, sort=[{"member": "orders.revenue", "descending": True}], where=[{**REGION, "operator": "null"}]
    )
    answer = chat.ask(reading=more.changed("where", 0, operator="=", values=["APAC"]))
    assert answer.df is not None
    assert answer.df.to_numpy().tolist() == [["APAC", 4.0]]
    assert answer.question.startswith("The same with limit 1")
    assert answer.reading is not None
    assert answer.reading.limit == 1
    again = chat.ask(reading=answer.reading.without("where", 0).without("limit"))
    assert again.result is not None
    assert again.result.total_rows == 2
    assert again.reading is not None
    assert [c.origin for c in again.reading.groups] == ["kept"]
    anew = chat.ask("how many orders")  # begins anew
    assert anew.df is not None
    assert anew.df.to_numpy().tolist() == [[3]]


def test_what_was_kept_is_of_the_askers_own_turn(client: svc.Client) -> None:
    turns = []
    for _ in range(2):
        chat = client.chat()
        first = chat.ask("revenue by region")
        assert first.reading is not None
        again = chat.ask(reading=first.reading.with_(limit=1))
        assert again.reading is not None
        assert {c.origin for c in (*again.reading.groups, *again.reading.measures)} == {"kept"}
        turns.append({c.from_ for c in (*again.reading.groups, *again.reading.measures)})
    assert all(len(each) == 1 for each in turns) and not turns[0] & turns[1]


def test_a_reading_tells_what_it_does_not_have() -> None:
    one = svc.Reading.from_dict(reading())
    with pytest.raises(IndexError, match=r"where\[0\]"):
        one.without("where", 0)
    with pytest.raises(ValueError, match="no 'tables'"):
        one.with_(tables=3)
    with pytest.raises(ValueError, match="no 'colour'"):
        one.changed("measures", 0, colour="red")


def test_a_reading_is_read_once_for_its_check_and_its_answer(
    client: svc.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.chat(external_id="op").ask("revenue by region")
    read: list[Any] = []

    def counted(*given: Any) -> Any:
        read.append(given)
        return form_of(*given)

    monkeypatch.setattr(edited, "form_of", counted)
    again = client.chat(external_id="op").ask(reading=first.reading)
    assert again.result is not None
    assert first.result is not None
    assert again.result.load_all().equals(first.result.load_all())
    assert len(read) == 1


def test_a_checked_reading_is_checked_again_for_whoever_sees_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    cube = {**MODEL["cubes"][0]}
    cube["access_policy"] = [
        {"group": "*", "member_level": {"includes": "*", "excludes": ["revenue"]}},
        {"group": "managers", "member_level": {"includes": "*"}},
    ]
    checked: list[Any] = []
    monkeypatch.setattr(readings, "check_reading", lambda *given: checked.append(given) or edited.check_reading(*given))
    with svc.embedded({"cubes": [cube]}, data=DATA) as client:
        layer = client.service.layer
        opening: Any = SimpleNamespace(bind=lambda ctx: SimpleNamespace(sight=lambda: Sight(layer, ctx)))
        boss: Any = SimpleNamespace(context=SecurityContext(user="boss", groups=frozenset({"managers"})))
        other: Any = SimpleNamespace(context=SecurityContext(user="ana"))
        sent = readings.SentReading(msgspec.convert(reading(), Reading))
        sent.check(opening, boss)
        sent.check(opening, boss)
        assert len(checked) == 1
        with pytest.raises(errors.BadRequest):
            sent.check(opening, other)


def test_a_reading_that_was_checked_over_another_model_is_read_anew(client: svc.Client) -> None:
    layer, op = client.service.layer, SecurityContext.operator()
    sent = msgspec.convert(reading(groups=[REGION]), Reading)
    checked = edited.check_reading(sent, Sight(SemanticLayer(layer.model, layer.engine), op))
    turn = Turn("as edited", (), "UTC", datetime.now(UTC), {})

    async def asked(checked: Any) -> list[Any]:
        toolbox = Toolbox(layer, op)
        return [event async for event in edited.answer_reading(sent, turn, toolbox, toolbox.cancel, checked)]

    formed = edited.check_reading(sent, Sight(layer, op))
    known = 'SELECT "region", MEASURE("revenue") AS known FROM "orders" GROUP BY 1'
    checked.__dict__["sql"] = formed.__dict__["sql"] = known
    by_other, by_same = (run(asked(each)) for each in (checked, formed))
    assert "known" not in by_other[-1].memory["reading"]
    assert by_same[-1].memory["reading"] == known


class Counted:
    """A place that counts what goes to a thread that thinks."""

    waiting = False

    def __init__(self) -> None:
        self.thoughts = 0
        self.query = FREE.query

    async def think(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        self.thoughts += 1
        return await FREE.think(work, *args, **kwargs)

    prepare = think


@pytest.mark.parametrize(("width", "ways"), [(1, 1), (telling._SHORT, 2)])
def test_a_new_query_is_read_where_it_was_compiled_unless_it_is_long(client: svc.Client, width: int, ways: int) -> None:
    layer, turn = client.service.layer, Turn("list them", (), "UTC", datetime.now(UTC), {})
    request = SqlInput(sql_query=f"SELECT region FROM orders WHERE region <> '{'x' * width}' GROUP BY 1")

    async def asked() -> tuple[Any, int]:
        place = Counted()
        toolbox = Toolbox(layer, SecurityContext.operator(), place=place)

        async def answer() -> AsyncIterator[Event]:
            yield ToolFinished("call", SQL_TOOL, dump(request), dump(await toolbox.sql_api(request)))

        events = [event async for event in telling.told(answer(), turn, toolbox)]
        return json.loads(events[0].input)["reading"], place.thoughts  # type: ignore[attr-defined]

    read, thoughts = run(asked())
    assert [clause["member"] for clause in read["groups"]] == ["orders.region"]
    assert thoughts == ways
    again, thoughts = run(asked())
    assert (again, thoughts) == (read, 0)


def test_a_query_that_nobody_is_shown_is_not_read(client: svc.Client) -> None:
    read: list[str] = []
    toolbox = Toolbox(client.service.layer, SecurityContext.operator())
    toolbox.compiled = read.append
    run(toolbox.ask("SELECT MAX(region) AS last FROM orders"))
    assert not read
    run(toolbox.sql_api(SqlInput(sql_query="SELECT MIN(region) AS first FROM orders")))
    assert read == ["SELECT MIN(region) AS first FROM orders"]
