"""Metadata search: recall@8 and time per query by kind of question, over catalogues of 20, 1,000 and 10,000 members.

Run ``python benchmarks/search.py [sizes…]``. The catalogue, the questions and their slips come from one seed.
"""

from __future__ import annotations

import random
import re
import statistics
import sys
import time
from collections.abc import Callable

from svc_notebook.semantic.catalog import Catalog, Member, Relation
from svc_notebook.semantic.naming import title_of
from svc_notebook.semantic.search import SearchIndex

ENTITIES = re.findall(
    r"\w+",
    "order customer product supplier invoice payment shipment warehouse employee department contract campaign "
    "session visit account ticket return refund subscription vendor store region territory driver vehicle route "
    "patient doctor claim policy premium loan deposit branch portfolio trade position student course teacher exam "
    "flight airport airline booking hotel room ",
)
QUALITIES = re.findall(
    r"\w+",
    "gross net average total first last planned actual delayed cancelled completed pending open closed active "
    "inactive monthly yearly daily weekly maximum minimum median adjusted estimated forecast internal external "
    "primary secondary original current ",
)
ATTRIBUTES = re.findall(
    r"\w+",
    "amount revenue cost price margin quantity weight volume count rate share duration distance score rating status "
    "category type name code city country segment channel currency language priority reason source balance discount "
    "tax fee date ",
)
SYNONYMS = re.findall(
    r"\w+",
    "turnover proceeds takings expenditure charge spend profit spread headcount tally ratio proportion elapsed "
    "mileage mark stars condition group kind label abbreviation town nation cohort medium tongue urgency cause "
    "origin saldo rebate levy commission day ",
)


def catalogue(size: int, rng: random.Random) -> tuple[Catalog, list[tuple[str, str]]]:
    """A catalogue of ``size`` members, and the synonym that each carries."""
    triples = [(e, q, a) for e in ENTITIES for q in QUALITIES for a in ATTRIBUTES]
    rng.shuffle(triples)
    relations: dict[str, dict[str, Member]] = {}
    known: list[tuple[str, str]] = []
    for i, (entity, quality, attribute) in enumerate(triples[:size]):
        relation = f"{entity}s"
        name = f"{quality}_{entity}_{attribute}"
        synonym = f"{SYNONYMS[ATTRIBUTES.index(attribute) % len(SYNONYMS)]} {quality[:3]}{i:04d}"
        member = Member(
            relation, name, "measure", "number", title_of(name), f"The {quality} {attribute}.", synonyms=(synonym,)
        )
        relations.setdefault(relation, {})[name] = member
        known.append((member.path, synonym))
    return Catalog({n: Relation(n, "view", title_of(n), m) for n, m in relations.items()}), known


def slip(word: str, rng: random.Random) -> str:
    """One slip of the finger: a letter lost, doubled, swapped with its neighbour or replaced."""
    at = rng.randrange(1, len(word) - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1 :]
    if kind == 1:
        return word[:at] + word[at] + word[at:]
    if kind == 2:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + rng.choice("abcdefghijklmnopqrstuvwxyz") + word[at + 1 :]


def questions(known: list[tuple[str, str]], rng: random.Random) -> dict[str, Callable[[tuple[str, str]], str]]:
    def words(path: str) -> list[str]:
        return path.split(".")[1].split("_")

    def slipped(entry: tuple[str, str]) -> str:
        parts = words(entry[0])
        at = rng.randrange(len(parts))
        return " ".join(slip(word, rng) if i == at and len(word) > 3 else word for i, word in enumerate(parts))

    return {
        "exact": lambda entry: " ".join(words(entry[0])),
        "plural": lambda entry: " ".join([*words(entry[0])[:-1], plural(words(entry[0])[-1])]),
        "synonym": lambda entry: entry[1],
        "typo": slipped,
        "title": lambda entry: title_of(entry[0].split(".")[1]),
        "question": lambda entry: f"What is the {' '.join(words(entry[0]))} per month for each of our regions?",
        "reordered": lambda entry: " ".join(reversed(words(entry[0]))),
    }


def plural(word: str) -> str:
    return word[:-1] + "ies" if word.endswith("y") else word + ("es" if word.endswith(("s", "x", "h")) else "s")


def main(sizes: list[int]) -> None:
    for size in sizes:
        rng = random.Random(7)
        catalog, known = catalogue(size, rng)
        started = time.perf_counter()
        index = SearchIndex(catalog)
        built = time.perf_counter() - started
        print(f"\n{size} members: built in {built * 1000:.0f} ms")
        for kind, ask in questions(known, rng).items():
            asked = [(entry[0], ask(entry)) for entry in rng.sample(known, min(200, len(known)))]
            found, times = 0, []
            for path, query in asked:
                started = time.perf_counter()
                hits = index.rank(query, 8)
                times.append(time.perf_counter() - started)
                found += any(hit.member is not None and hit.member.path == path for hit in hits)
            median, slowest = statistics.median(times) * 1000, max(times) * 1000
            print(f"  {kind:10} recall@8 {found / len(asked):.2f}   median {median:.3f} ms   max {slowest:.2f} ms")


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [20, 1_000, 10_000])
