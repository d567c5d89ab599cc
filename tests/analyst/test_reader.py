"""Questions become forms: linked, composed, ranked; combinations of two and three mechanisms over a world of our own."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from functools import cache

import duckdb
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from svc_notebook.analyst.offline.budget import Budget, ReadingTooLong
from svc_notebook.analyst.offline.forms import Form, Role, to_sql
from svc_notebook.analyst.offline.grammar import Candidate
from svc_notebook.analyst.offline.grammar.operators import OPERATORS
from svc_notebook.analyst.offline.grammar.rules import RULES
from svc_notebook.analyst.offline.lexicon import load_lexicon
from svc_notebook.analyst.offline.linking import link
from svc_notebook.analyst.offline.plans.forms_as_plans import plan_of
from svc_notebook.analyst.offline.plans.sql import write_sql
from svc_notebook.analyst.offline.ranking.apart import apart
from svc_notebook.analyst.offline.ranking.model import Ranking, evidence, load_ranking, probability
from svc_notebook.analyst.offline.ranking.outcome import FAILED, UNKNOWN, agreeing
from svc_notebook.analyst.offline.ranking.standing import Standing, is_grave, known_plan, standing, standings
from svc_notebook.analyst.offline.reader import choose, decide, forms_of
from svc_notebook.analyst.offline.reading.reading import read
from svc_notebook.analyst.offline.schema.knowledge import load_metadata
from svc_notebook.analyst.offline.schema.metadata import Metadata
from svc_notebook.analyst.toolbox import Toolbox
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.scaffold import scaffold_model

NOW = datetime.fromisoformat("2024-06-18")
NAMES = {
    "keepers": "wardens", "keeper": "warden", "animals": "beasts", "animal": "beast", "species": "breed",
    "weight": "heft", "enclosure": "paddock", "otter": "weasel", "badger": "marten", "riverside": "meadow",
}  # fmt: skip


def tables() -> dict[str, pa.Table]:
    keepers = [
        {"keeper_id": n + 1, "name": f"Mr {n}", "enclosure": ("riverside", "forest", "cave")[n % 3]} for n in range(9)
    ]
    kinds = ("otter", "badger", "lynx")
    animals = [
        {
            "animal_id": n + 1, "species": kinds[n % 3], "weight": 5 + (n * 7) % 40, "keeper_id": n % 6 + 1,
            "arrived": datetime.fromisoformat(f"2023-{1 + n % 12:02d}-{1 + n % 28:02d}"),
        }
        for n in range(60)
    ]  # fmt: skip
    return {"keepers": pa.Table.from_pylist(keepers), "animals": pa.Table.from_pylist(animals)}


def renamed(text: str) -> str:
    return re.sub(r"[a-z]+", lambda word: NAMES.get(word.group(), word.group()), text)


@cache
def zoo(other: bool = False) -> tuple[SemanticLayer, Metadata]:
    """A small zoo; ``other``: the same under other names, values and all."""
    data = tables()
    if other:
        data = {
            renamed(name): pa.Table.from_pylist(
                [
                    {
                        "_".join(map(renamed, key.split("_"))): renamed(value) if isinstance(value, str) else value
                        for key, value in row.items()
                    }
                    for row in table.to_pylist()
                ]
            )
            for name, table in data.items()
        }
    engine = DuckDBEngine.open(None, data=data)
    layer = SemanticLayer(load_model(scaffold_model(dict(data))), engine)
    return layer, load_metadata(Toolbox(layer, SecurityContext.operator()))


def candidates(question: str, other: bool = False) -> list[Candidate]:
    return forms_of(question, zoo(other)[1], NOW, None, 1, Budget())


def best(question: str, other: bool = False) -> Form:
    return candidates(question, other)[0].form


def rows(sql: str) -> list[tuple[object, ...]]:
    table = zoo()[0].query(SecurityContext.operator(), sql).table
    return sorted(zip(*(column.to_pylist() for column in table.columns), strict=True), key=repr)


ASKED = {
    "how many animals are there": "SELECT count(*) FROM animals",
    "average weight by species": "SELECT species, avg(weight) FROM animals GROUP BY 1",
    "how many otters arrived in March 2023":
        "SELECT count(*) FROM animals WHERE species = 'otter' AND arrived >= '2023-03-01' AND arrived < '2023-04-01'",
    "number of animals per month":
        "SELECT date_trunc('month', arrived), count(*) FROM animals GROUP BY 1",
    "median weight of badgers": "SELECT median(weight) FROM animals WHERE species = 'badger'",
    "species with more than 15 animals":
        "SELECT species FROM animals GROUP BY 1 HAVING count(*) > 15",
    "names of keepers without any animals":
        "SELECT name FROM keepers WHERE keeper_id NOT IN (SELECT keeper_id FROM animals)",
    "how many animals have a weight over 20 and are not otters":
        "SELECT count(*) FROM animals WHERE weight > 20 AND species <> 'otter'",
    "average weight of otters and badgers per month":
        "SELECT date_trunc('month', arrived), avg(weight) FROM animals WHERE species IN ('otter', 'badger') GROUP BY 1",
}  # fmt: skip


def shown(sql: str) -> list[tuple[object, ...]]:
    """Rows of plain SQL over the tables themselves."""
    with duckdb.connect() as connection:
        for name, table in tables().items():
            connection.register(name, table)
        return sorted(connection.execute(sql).fetchall(), key=repr)


@pytest.mark.parametrize("question", ASKED)
def test_a_question_becomes_the_form_it_asks_for(question: str) -> None:
    form = best(question)
    assert rows(to_sql(form)) == shown(ASKED[question]), to_sql(form)


@pytest.mark.parametrize("question", ASKED)
def test_a_form_and_its_plan_give_the_same_rows(question: str) -> None:
    form = best(question)
    plan = plan_of(form, zoo()[1])
    assert plan is not None
    assert rows(write_sql(plan, zoo()[1]).sql) == rows(to_sql(form))


def test_percentages_are_of_the_rows_the_question_speaks_of() -> None:
    form = best("what percentage of animals are otters")
    plan = plan_of(form, zoo()[1])
    assert plan is not None
    [[share]] = rows(write_sql(plan, zoo()[1]).sql)
    assert share == pytest.approx(100 / 3)


@pytest.mark.parametrize("question", ASKED)
def test_other_names_give_the_same_form(question: str) -> None:
    """Nothing hangs on what things are called: the model and the question renamed together read alike."""
    sql = to_sql(best(question)).lower()
    words = re.compile(r"[a-z]+")
    other = to_sql(
        best(renamed(question.lower().replace("otters", "otter").replace("badgers", "badger")), True)
    ).lower()
    assert words.sub(lambda w: NAMES.get(w.group(), w.group()), sql) == other


def test_the_same_question_gives_the_same_candidates() -> None:
    question = "average weight of otters per keeper in 2023"
    first, again = candidates(question), candidates(question)
    assert [(c.form, c.score) for c in first] == [(c.form, c.score) for c in again]
    assert len(first) <= 64 and first == sorted(first, key=lambda c: -c.score)


pieces = st.one_of(
    st.sampled_from(
        "how many animals keepers species weight otter by per more than 20 top 5 average % not or and , without 2023 month highest".split()
    ),
    st.text(max_size=8),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(st.lists(pieces, max_size=25).map(" ".join))
def test_any_text_is_read_within_the_budget(text: str) -> None:
    budget = Budget(400_000)
    try:
        found = forms_of(text, zoo()[1], NOW, None, 1, budget)
    except ReadingTooLong:
        return
    for candidate in found[:3]:
        to_sql(candidate.form)


def test_too_little_budget_is_told_and_not_overdrawn() -> None:
    with pytest.raises(ReadingTooLong):
        forms_of("average weight of otters per keeper in 2023", zoo()[1], NOW, None, 1, Budget(100))


def test_mentions_keep_what_words_may_mean() -> None:
    lattice = link("otters over 20 kg per keeper", zoo()[1], NOW)
    kinds = {mention.kind for starting in lattice.starting for mention in starting}
    assert {"value", "operator", "number", "name"} <= kinds
    assert all(len(m.names) <= 8 for starting in lattice.starting for m in starting)


def test_every_operator_of_the_lexicon_has_a_rule() -> None:
    named = {entry.operator for phrases in load_lexicon().phrases.values() for _, entry in phrases}
    assert named | {"unit"} == set(OPERATORS)  # units are numbers' own words
    assert set(RULES) == {"name", "value", "quoted", "number", "period", "grain", "operator"}


def test_weights_say_where_they_come_from_and_hold_no_words_of_data() -> None:
    ranking = load_ranking()
    assert ranking.origin["by"] == "scripts/train_reader.py" and ranking.origin["sets"]
    assert all(re.fullmatch(r"[a-z:\- ]+", name) for name in ranking.weights)


def _ranking(**weights: float) -> Ranking:
    sure = {"bias": 0.0, "share": 1.0, "unread:any": -9.0}
    return Ranking({}, weights, sure, {**sure, "gives:nothing": -9.0}, 0.3, 0.3, 0.3, {})


def _one_row(reading: Standing) -> tuple[int, str]:
    return (1, str(reading.by_rules))


READ = Candidate(Form(Role("animals")), (("subject", 1.0),), 3.0)


def test_a_form_is_taken_where_the_rules_leave_words_out_and_it_is_clearly_right() -> None:
    form = Standing(READ.form, (("subject", 1.0),))
    rules = Standing(None, (("rules:only", 1.0),), ("whatever",), by_rules=True)
    whole = replace(rules, unread=())
    for weights, first in (({"subject": 9.0}, form), ({"subject": 0.2}, rules), ({"rules:only": 2.0}, rules)):
        ranking = _ranking(**weights)
        order, sure = decide(standing([form, rules], ranking.standing), 5, ranking, _one_row)
        assert order[0].by_rules is first.by_rules and (sure > 0.5 or order[0].unread)
        assert decide(standing([form, whole], ranking.standing), 5, ranking, _one_row)[0][0].by_rules


def test_what_leaves_words_out_or_gives_nothing_is_unlikely() -> None:
    ranking = _ranking(subject=2.0)
    whole, part = Standing(READ.form, READ.features), Standing(READ.form, READ.features, ("whatever",))
    beside = Standing(Form(Role("keepers")), (("subject", 0.5),))
    assert ranking.answers(decide(standing([whole, beside], ranking.standing), 5, ranking, _one_row)[1], whole)
    assert not ranking.answers(decide(standing([part], ranking.standing), 5, ranking, _one_row)[1], part)
    near = Standing(Form(Role("keepers")), (("subject", 0.9),))
    assert not ranking.answers(decide(standing([whole, near], ranking.standing), 5, ranking, lambda _: None)[1], whole)
    assert decide([], 5, ranking, _one_row) == ([], 0.0)


def test_results_speak_for_a_reading_where_others_give_the_same() -> None:
    found = [Standing(Form(Role(name)), (), score=score) for name, score in (("a", 2.0), ("b", 2.0), ("c", 1.0))]
    same, other = agreeing(found, [(1, "x"), (1, "x"), (2, "y")]), agreeing(found, [(1, "x"), (2, "y"), (2, "y")])
    assert same["gives:share"] > 0 > other["gives:share"]
    assert agreeing(found, [None, (1, "x"), UNKNOWN])["gives:nothing"] == 1.0
    assert agreeing(found, [FAILED, (1, "x"), None]) == {"gives:failed": 1.0}
    ranking = replace(_ranking(), seen={"gives:one": 9.0})
    unknown, known = decide(found, 5, ranking, lambda _: UNKNOWN)[1], decide(found, 5, ranking, lambda _: (1, "x"))[1]
    assert unknown == probability(ranking.sure, evidence(found, 5)) < known  # what is not run tells nothing


def test_what_the_rules_refuse_and_a_form_reads_is_answered() -> None:
    """End to end: the noun of a row and a word of money that no column bears."""
    question = "names of keepers without any animals"
    metadata = zoo()[1]
    reading = read(question, metadata, NOW)
    choice = choose(question, metadata, NOW, None, 1, reading, Budget())
    assert choice.plan is not None
    assert rows(write_sql(choice.plan, metadata).sql) == shown(ASKED[question])


def test_a_number_that_is_left_over_forbids_an_answer() -> None:
    assert is_grave(Candidate(Form(Role("animals")), (("subject", 1.0), ("skip:number", 1.0)), 3.0))
    assert not is_grave(Candidate(Form(Role("animals")), (("subject", 1.0), ("skip:content", 1.0)), 3.0))


def test_the_reading_of_the_rules_stands_once_among_the_forms() -> None:
    """As a mark of the form that says the same, else as one more."""
    metadata = zoo()[1]
    for question, alone in (("how many animals are there", False), ("names of keepers without any animals", None)):
        reading, lattice = read(question, metadata, NOW), link(question, metadata, NOW)
        found = standings(forms_of(question, metadata, NOW, None, 1, Budget()), reading, lattice, metadata)
        assert sum(s.by_rules for s in found) == (0 if known_plan(reading) is None else 1)
        if alone is not None:
            assert any(name == "rules:only" for s in found for name, _ in s.features) is alone


def test_near_readings_are_those_whose_results_differ() -> None:
    found = [
        Standing(Form(Role(name)), (), score=score)
        for name, score in zip("abcdef", (3, 2.9, 2, 1, 0.5, -1), strict=True)
    ]
    results = {"a": (1, "[1]"), "b": (1, "[1]"), "c": (1, "[2]"), "d": None, "e": (1, "[3]"), "f": (1, "[4]")}

    def result_of(form: Form) -> tuple[int, str] | None:
        assert isinstance(form.root, Role)
        return results[form.root.relation]

    assert [form.root for form in apart(found, result_of, answered=True)] == [Role("a"), Role("c"), Role("e")]
    results["a"] = None
    assert apart(found, result_of, answered=True)[0].root == Role("a")  # what is answered stands, whatever it gives
    assert apart(found, result_of, answered=False)[0].root == Role("b")
