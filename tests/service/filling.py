"""A process whose disk is filled while it serves, and freed again; says as JSON what its callers saw."""

from __future__ import annotations

import json
import resource
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .service_world import World, embedded_world, final_text, lines


@contextmanager
def no_room(way: str, folder: Path) -> Iterator[None]:
    if way == "limit":
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        largest = max(file.stat().st_size for file in folder.iterdir())
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, hard))
        yield
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        return
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(1024)):
                pass
        except OSError:
            yield
    filler.unlink()


def seen(w: World, way: str, folder: Path) -> dict[str, Any]:
    w.session(externalId="ana", userAttributes=[{"name": "region", "value": ["EMEA"]}])
    chat_id = w.ask("orders", "ana")[0]["state"]["chatId"]
    ana = {"sessionSettings": {"externalId": "ana"}}
    with no_room(way, folder):
        for index in range(1000):  # what is left of the last page may still take some
            before = w.state()
            refused = w.creator(f"u{index}", groupDefinitions=[{"name": f"g{index}", "description": "long " * 500}])
            if refused.status_code != 200:
                break
        changed = w.state() != before
        chat = w.chat({"input": "orders", **ana}).status_code
        replay = final_text(lines(w.chat({"chatId": chat_id, **ana}).content))
        abort = w.abort(chat_id, "ana").status_code
    recovered = w.session(externalId="bob").status_code
    return {
        "refused": [refused.status_code, refused.json().get("message")], "changed": changed, "chat": chat,
        "replay": replay, "abort": abort, "recovered": recovered, "answer": final_text(w.ask("orders", "ana")),
    }  # fmt: skip


if __name__ == "__main__":
    place = Path(sys.argv[2])
    store = place / "state.sqlite"
    with embedded_world(str(store)) as world:
        outcome = seen(world, sys.argv[1], place)
    with sqlite3.connect(store) as connection:
        outcome["integrity"] = connection.execute("PRAGMA integrity_check").fetchone()[0]
    sys.stdout.write(json.dumps(outcome))
