"""A model of 2,000 members and 100,000 indexed values is read in well under half a second."""

from __future__ import annotations

import statistics
import time
from datetime import datetime

from svc_notebook.analyst.offline.reading.reading import read
from svc_notebook.analyst.offline.schema.metadata import Metadata
from svc_notebook.analyst.offline.schema.profiles import Profile
from svc_notebook.analyst.offline.schema.values import ValueIndex
from svc_notebook.semantic.catalog import Catalog, Member, Relation

WORDS = (
    "red blue green north south fast slow big small old new open closed high low first last inner outer main".split()
)
NOUNS = "order customer product invoice payment shipment region store supplier ticket".split()
QUESTIONS = [
    "number of order 3 by red north of customer 7",
    "average amount red 5 by blue south 12",
    "top 5 green fast 2 by number of order 4",
    "how many order 9 with value 77 x5 in 2023",
    "qwerty by zxcvb",
]


def large() -> Metadata:
    relations, index = {}, ValueIndex()
    for number in range(100):
        name = f"{NOUNS[number % 10]}_{number}"
        members = {}
        for place in range(20):
            short = f"{WORDS[place]}_{WORDS[(place * 7 + number) % 20]}_{number % 13}"
            kind = "string" if place < 10 else "number" if place < 19 else "time"
            members[short] = Member(name, short, "dimension", kind, short.replace("_", " ").title())
        relations[name] = Relation(name, "view", name.replace("_", " ").title(), members)
        for member in list(members.values())[:10]:
            index.add(member.path, [f"value {n} x{number}" for n in range(100)], complete=True)
    return Metadata(Catalog(relations, "large"), index, lambda member: Profile(1000, 500, 0, 0, 1000))


def test_a_large_model_is_read_quickly() -> None:
    metadata = large()
    assert len(metadata.members) == 2000 and sum(map(len, metadata.values.members.values())) == 100_000
    read("warm up", metadata, datetime.fromisoformat("2024-11-20"))
    seconds = []
    for question in QUESTIONS:
        started = time.process_time()
        read(question, metadata, datetime.fromisoformat("2024-11-20"))
        seconds.append(time.process_time() - started)
    assert statistics.median(seconds) < 0.5
