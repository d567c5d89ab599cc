"""Generated requests in which every field that a key or a token may send names something of somebody else's.

Whatever a sender writes carries their tag, whatever a site holds carries its mark: nobody reads a mark, and nobody finds
a tag in their threads, that is not their own.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote

import httpx
from sqlalchemy import select

from svc_notebook.service.deployments.sites import Site
from svc_notebook.service.store.schema import threads, turns, users

from .service_world import headers, lines
from .two_accounts import CERTIFIED, SITES, Accounts, accounts, mark, marks

__all__ = ["Holdings", "Sender", "found_by", "hold", "misplaced", "run_requests", "senders"]

_TAG = re.compile("≪[^≪≫]*≫")
USERS = ("ana", "ben")
_NAMES = ["ana", "ben", "ANA", "аna", "ana|1", "ana:1", "acme:1", "ana\u200b", "ivy@example.com", "", "%61na", "ana'--"]
_PLACES = ["1", "11", "2", "01", " 1", "1,11", "1;2", "٢", "1.0", "-1", "1 OR 1", "null", "11\u200b", "9" * 30]
_BRANCHES = ["dev", "dev", "dev", "main", "dev ", "DEV", "main/../dev", "", "HEAD", "0000"]
_ACCOUNTS = ["acme", "acme:1", "acme%3A1", "ACME", "acme%00", "acme:11", "acme%2F..%2Facme:1", "ac%6De", "acme:1%20"]
_QUERIES: list[dict[str, Any]] = [
    {"dimensions": ["orders.status"]}, {"dimensions": ["orders.status"], "ungrouped": True, "timezone": "Asia/Tokyo"},
    {"dimensions": ["orders.status"], "filters": [{"member": "orders.region", "operator": "equals", "values": ["EMEA"]}]},
    {"dimensions": ["dev.orders.status"]}, {"dimensions": ["orders.status"], "deploymentId": 11}, {"measures": ["acme:1.orders.count"]},
]  # fmt: skip
_BOARDS = ["board", "board of acme", "board of acme:1", "BOARD", "board%2Fx", ""]
_AGENTS = ["data-analyst", "only-first", "data-analyst%2Fx", "DATA-ANALYST", "only-first:1"]


@dataclass(frozen=True)
class Sender:
    """Somebody with a key or a token: the sites whose rows they may read, and whose threads they may touch."""

    name: str
    header: str
    account: str
    sites: frozenset[Site]
    user: str = ""  # a token's; a key speaks for whom it names
    branches: bool = False

    @property
    def readable(self) -> set[str]:
        found = {mark(site) for site in self.sites} | {f"<<{self.account}>>"}
        own = [site for site in self.sites if self.branches and site in (SITES[0], SITES[2])]
        return found | {mark(site, "dev") for site in own}


@dataclass
class Holdings:
    """What can be named: ids of threads, cursors, session ids, by the site they belong to."""

    threads: dict[str, Site] = field(default_factory=dict)
    cursors: list[str] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    unused: dict[str, Site] = field(default_factory=dict)


def senders(two: Accounts) -> list[Sender]:
    found = []
    for site in SITES:
        found.append(
            Sender(f"key of {site}", two.key(site), site.account, frozenset({site}), "", site.deployment in (11, 2))
        )
        found += [
            Sender(f"{user} at {site}", two.token(site, user), site.account, frozenset({site}), user) for user in USERS
        ]
    for account in ("acme", "acme:1"):
        own = frozenset(site for site in SITES if site.account == account)
        found.append(Sender(f"admin of {account}", f"Api-Key {account} admin", account, own, "", True))
        found.append(Sender(f"basic of {account}", f"Api-Key {account} basic", account, own))
    return found


def hold(two: Accounts) -> Holdings:
    """Give every site threads, cursors and sessions."""
    held = Holdings()
    for site in SITES:
        for user in USERS:
            for _ in range(2):
                body = {"input": f"orders {_tag(site.account, site.deployment, user)}"}
                answer = two.chat(site.account, body, two.token(site, user))
                held.threads[lines(answer.content)[0]["state"]["chatId"]] = site
            path = f"/api/v1/public/{site.account}/agents/data-analyst/chat/threads?first=1"
            page = two.http.get(path, headers={"Authorization": two.token(site, user)}).json()
            held.cursors.append(page["pageInfo"]["endCursor"])
        body = {"deploymentId": site.deployment, "externalId": "ana"}
        used = two.post("/api/v1/embed/generate-session", body, two.key(site)).json()["sessionId"]
        two.post("/api/v1/embed/session/token", {"sessionId": used}, None)
        held.sessions.append(used)
        unused = two.post("/api/v1/embed/generate-session", body, two.key(site)).json()["sessionId"]
        held.unused[unused] = site
    return held


def _tag(account: str, deployment: object, user: str) -> str:
    return f"≪{account}|{deployment}|{user}≫"


def tag_of(sender: Sender, user: str) -> str:
    """What a sender's words carry: a key of one site writes there alone, others anywhere in their account."""
    [*places] = {site.deployment for site in sender.sites}
    return _tag(sender.account, places[0] if len(places) == 1 else "*", sender.user or user)


@dataclass
class Asked:
    """A request, as it is sent."""

    method: str
    path: str
    body: Any
    user: str


def request_of(seed: int, sender: Sender, held: Holdings) -> Asked:
    """The request of a seed."""
    rng = random.Random(seed)
    user = rng.choice(_NAMES) if rng.random() < 0.3 else rng.choice(USERS)
    settings = _settings(rng, user)
    chat_id = _chat_id(rng, held, sender)
    account = rng.choice(_ACCOUNTS) if rng.random() < 0.2 else quote(sender.account, safe=":")
    agent = rng.choice(_AGENTS) if rng.random() < 0.2 else "data-analyst"
    chat = f"/api/v1/public/{account}/agents/{agent}/chat"
    tag = tag_of(sender, settings.get("externalId") or "ivy")
    outside = rng.random() < 0.7
    named = f"externalId={quote(user)}" if outside else f"internalId={quote(user)}"
    titled = tag_of(sender, user if outside else "ivy")
    place = f"?deploymentId={quote(rng.choice(_PLACES))}" if rng.random() < 0.6 else ""
    told = {} if sender.user and rng.random() < 0.6 else {"sessionSettings": settings}
    branch = (
        {"activeBranchName": rng.choice(_BRANCHES), "isDefaultBranch": rng.random() < 0.2} if rng.random() < 0.6 else {}
    )
    turn = rng.choice(["1", "2", "0", "-1"])
    thread = f"{chat}/threads/{quote(chat_id, safe='')}"
    cursor = rng.choice(
        [*held.cursors, *[c[:-2] + d[-2:] for c, d in zip(held.cursors, held.cursors[1:], strict=False)]]
    )
    kinds: list[tuple[str, str, Any]] = [
        ("POST", f"{chat}/stream-chat-state", {"input": f"orders {tag}", **told, **branch}),
        ("POST", f"{chat}/stream-chat-state", {"input": f"orders {tag}", "chatId": chat_id, **told, **branch}),
        ("POST", f"{chat}/stream-chat-state", {"chatId": chat_id, **told}),
        ("POST", f"{chat}/stream-chat-state", {"input": CERTIFIED, **told, **branch}),
        ("POST", f"{chat}/stream-chat-state", {"input": tag, "reading": _reading(rng, chat_id), "chatId": chat_id, **told}),
        ("POST", f"{chat}/abort", {"chatId": chat_id, **told}),
        ("GET", f"{chat}/threads?first=2&after={quote(cursor)}{'' if sender.user else '&' + named}", None),
        ("GET", f"{chat}/threads{'' if sender.user else '?' + named}", None),
        ("GET", f"{chat}/suggestions?{named}", None),
        ("PATCH", f"{thread}?{named}", {"title": f"mine {titled}"}),
        ("DELETE", f"{thread}?{named}", None),
        ("PUT", f"{thread}/turns/{turn}/feedback?{named}", {"verdict": "wrong", "why": titled}),
        ("POST", f"/svc-api/v1/sql{place}", {"query": "SELECT status FROM orders", **told}),
        ("POST", f"/svc-api/v1/sql{place}", {"query": "SELECT status FROM orders", **told}),
        ("POST", f"/svc-api/v1/sql/explain{place}", {"query": "SELECT status FROM orders", **told}),
        ("POST", f"/svc-api/v1/sql{place}", {"query": "SELECT status FROM orders", **told, **branch, **_elsewhere(rng)}),
        ("POST", f"/svc-api/v1/load{place}", {"query": rng.choice(_QUERIES), **told, **(branch if rng.random() < 0.3 else {})}),
        ("POST", f"/svc-api/v1/load{place}", {"query": rng.choice(_QUERIES), **told}),
        ("POST", f"/svc-api/v1/access{place}", {"relations": rng.choice([[], ["orders"], ["acme:1.orders"]]), **told}),
        ("GET", f"/embed/d/{quote(rng.choice(_PLACES))}/dashboard/{quote(rng.choice(_BOARDS), safe='%')}/tiles", None),
        ("GET", _page(rng, held), None),
        ("POST", "/api/v1/embed/session/revoke", {"sessionId": _variant(rng, rng.choice(held.sessions))}),
        ("GET", f"/api/v1/embed-tenants/{account}/{rng.choice(('groups', 'user-attributes'))}", None),
        ("GET", f"/svc-api/v1/meta{place}", None),
        ("POST", f"/svc-api/v1/meta{place}", {"searchQuery": "status", **told}),
        ("POST", "/api/v1/embed/session/token", {"sessionId": _variant(rng, rng.choice(held.sessions))}),
        ("POST", "/api/v1/embed/generate-session", {**settings, "deploymentId": _number(rng), "creatorMode": rng.random() < 0.3}),
    ]  # fmt: skip
    method, path, body = rng.choice(kinds)
    return Asked(method, path, body, sender.user or user)


def _settings(rng: random.Random, user: str) -> dict[str, Any]:
    settings: dict[str, Any] = {"externalId": user} if rng.random() < 0.85 else {"internalId": "ivy@example.com"}
    extras: list[tuple[str, Any]] = [
        ("groups", ["analysts"]), ("userAttributes", [{"name": "region", "value": ["EMEA"]}]),
        ("securityContext", {"deployment": 11, "account": "acme:1"}), ("roles", ["admin"]), ("timezone", "UTC"),
        ("isEphemeral", True), ("internalId", "ivy@example.com"), ("email", "ivy@example.com"),
    ]  # fmt: skip
    return settings | dict(rng.sample(extras, rng.choice([0, 0, 1, 2])))


def _elsewhere(rng: random.Random) -> dict[str, Any]:
    """Places that a body of the data API may not name."""
    return {"deploymentId": rng.choice([1, 2, 11, "11"])} if rng.random() < 0.3 else {}


def _page(rng: random.Random, held: Holdings) -> str:
    """A page behind an embed URL, with anybody's session."""
    page = rng.choice(["chat", "app", f"dashboard/{quote(rng.choice(_BOARDS), safe='%')}"])
    session = rng.choice([*held.unused, rng.choice(held.sessions), _variant(rng, rng.choice(list(held.unused)))])
    return f"/embed/d/{quote(rng.choice(_PLACES[:6]))}/{page}?session={quote(session)}"


def _chat_id(rng: random.Random, held: Holdings, sender: Sender) -> str:
    known = sorted(held.threads)
    own = [chat_id for chat_id in known if held.threads[chat_id] in sender.sites]
    chosen = rng.choice(own if rng.random() < 0.4 else known)
    return chosen if rng.random() < 0.8 else _variant(rng, chosen, rng.choice(known))


def _variant(rng: random.Random, text: str, other: str = "x") -> str:
    return rng.choice(
        [text.upper(), text[:-1], f"{text}:{other}", f"{text}/{other}", f" {text}", f"{text}\u200b", f"{text}%00", ""]
    )


def _reading(rng: random.Random, chat_id: str) -> dict[str, Any]:
    root = rng.choice(["orders", "acme:1.orders", "main.orders", "dev.orders"])
    return {
        "version": 1,
        "root": {"relation": root},
        "shows": [{"member": "status", "from": chat_id, "origin": "kept"}],
    }


def _number(rng: random.Random) -> Any:
    return rng.choice([1, 11, 2, 1.0, "1", True, -1, 10**20])


def send(two: Accounts, sender: Sender, asked: Asked) -> httpx.Response:
    url = httpx.URL("http://svc.local").copy_with(raw_path=asked.path.encode())
    request = two.http.build_request(asked.method, url, json=asked.body, headers=headers(sender.header))
    request.url = url  # as it is written, escapes and all
    return two.http.send(request)


def wrong_in(sender: Sender, asked: Asked, answer: httpx.Response, held: Holdings) -> Iterator[str]:
    """What an answer holds that is not the sender's."""
    text = answer.text
    if answer.status_code >= 500 and answer.status_code != 503:  # a loaded service may turn requests away
        yield f"status {answer.status_code}"
    if asked.path.startswith("/embed/d/") and "?session=" in asked.path:
        yield from _wrong_page(asked, answer, held)
        return
    if answer.status_code == 200 and _refused_always(sender, asked):
        yield "what is for others is answered"
    if others := marks(text) - sender.readable:
        yield f"rows or words of {others}"
    if sender.user and "APAC" in text:
        yield "rows that the token's user may not see"
    sent = f"{asked.path} {asked.body}"
    for chat_id, site in held.threads.items():
        if site not in sender.sites and chat_id in text and chat_id not in sent:
            yield f"a thread of {site}"
    yield from (f"words of {found}" for found in set(_TAG.findall(text)) if not _may_read(sender, found))


def _refused_always(sender: Sender, asked: Asked) -> bool:
    """Whether a request can never be answered: a place in the data API's body, what keys alone may ask, a branch."""
    body = asked.body or {}
    branch = "activeBranchName" in body and not (body["activeBranchName"] == "main" and body["isDefaultBranch"])
    if asked.path.startswith("/svc-api/"):
        keys_only = "/explain" in asked.path or "/access" in asked.path
        return "activeBranchName" in body or "deploymentId" in body or bool(sender.user and keys_only)
    return branch and "/stream-chat-state" in asked.path and not sender.branches


def _wrong_page(asked: Asked, answer: httpx.Response, held: Holdings) -> Iterator[str]:
    """A page shows what its session is for, whoever looks: the session alone says who that is."""
    session = unquote(asked.path.partition("?session=")[2])
    site = held.unused.get(session)
    if answer.status_code != 200:
        if marks(answer.text):
            yield f"a refusal with {marks(answer.text)}"
        return
    if site is None or asked.path.split("/")[3] != str(site.deployment):
        yield "a page for a session of another place"
    elif others := marks(answer.text) - {f"<<{site.account}>>"}:
        yield f"a page with {others}"


def _may_read(sender: Sender, tag: str) -> bool:
    account, place, user = tag.strip("≪≫").split("|", 2)
    numbers = {str(site.deployment) for site in sender.sites} | {"*"}
    return account == sender.account and place in numbers and sender.user in {"", user}


def found_by(two: Accounts, held: Holdings, who: list[Sender], seed: int) -> tuple[int, list[str]]:
    """The status of a seed's answer, and what is wrong in it."""
    sender = who[seed % len(who)]
    asked = request_of(seed, sender, held)
    answer = send(two, sender, asked)
    told = f"seed {seed}, {sender.name}: {asked.method} {asked.path} {asked.body} -> {answer.status_code}"
    return answer.status_code, [f"{told}: {problem}" for problem in wrong_in(sender, asked, answer, held)]


def run_requests(seeds: range, workers: int) -> tuple[Counter[int], list[str]]:
    """The statuses of many requests, ``workers`` at once, and all that is wrong."""
    with accounts() as two:
        held, who = hold(two), senders(two)
        with ThreadPoolExecutor(workers) as pool:
            found = list(pool.map(lambda seed: found_by(two, held, who, seed), seeds))
        wrong = [problem for _, problems in found for problem in problems] + misplaced(two)
    return Counter(status for status, _ in found), wrong


def misplaced(two: Accounts) -> list[str]:
    """Words that stand in a thread of another site, or of another user, than who wrote them."""
    with two.service.store.engine.connect() as connection:
        rows = connection.execute(
            select(threads.c.title, threads.c.deployment, users.c.name, turns.c.question)
            .join(users, users.c.id == threads.c.user_id).join(turns, turns.c.thread_id == threads.c.id)
        ).fetchall()  # fmt: skip
    return [
        f"{tag} in a thread of {row.name} at {row.deployment}"
        for row in rows
        for tag in _TAG.findall(f"{row.title} {row.question}")
        if not _belongs(tag, row)
    ]


def _belongs(tag: str, row: Any) -> bool:
    _, place, user = tag.strip("≪≫").split("|", 2)
    return place in {str(row.deployment), "*"} and row.name == user
