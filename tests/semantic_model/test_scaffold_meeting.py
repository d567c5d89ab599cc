"""Joins of a described table that is not there, made between the tables that refer to it."""

from __future__ import annotations

from svc_notebook.semantic.scaffold import scaffold_model


def test_tables_that_refer_to_a_table_that_is_not_there_join_where_one_has_it_as_its_key() -> None:
    described = {
        "tables": [
            {"name": "policy", "columns": [{"name": "policy_id", "type": "number"}], "primary_key": ["policy_id"]},
            {
                "name": "role",
                "columns": [{"name": "agreement_id", "type": "number"}, {"name": "party", "type": "string"}],
                "primary_key": ["agreement_id", "party"],
            },
        ],
        "joins": [
            {"from_table": t, "from_column": c, "to_table": "agreement", "to_column": "agreement_id"}
            for t, c in (("policy", "policy_id"), ("role", "agreement_id"))
        ],
    }
    cubes = {cube["name"]: cube for cube in scaffold_model(described)["cubes"]}
    assert [join["name"] for join in cubes["role"].get("joins", [])] == ["policy"]
    assert not cubes["policy"].get("joins")
