"""What decides rights, and the tests that hold it."""

from __future__ import annotations

__all__ = ["GUARDS"]

GUARDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "semantic/policies/policy.py": (("tests/semantic_model/test_access_rules.py",), ()),
    "service/callers/auth.py": (("tests/service/test_doors.py",), ()),
    "service/callers/secrets.py": (("tests/service/test_doors.py",), ()),
    "service/deployments/sites.py": (("tests/service/test_doors.py", "tests/service/test_sites.py"), ()),
    "service/store/sessions.py": (("tests/service/test_doors.py",), ()),
    "service/runtime.py": (("tests/service/test_sites.py",), ("agent", "site")),
    "service/callers/scope.py": (("tests/service/test_scope.py",), ()),
    "service/callers/places.py": (("tests/service/test_turn_opening.py", "tests/service/test_scope.py"), ()),
    "lanes/quiet.py": (("tests/lanes/test_lane.py",), ()),
    "lanes/turns.py": (("tests/lanes/test_turns.py", "tests/lanes/test_lane.py"), ()),
    "lanes/place.py": (
        ("tests/lanes/test_turns.py", "tests/lanes/test_lane.py", "tests/service/test_scope.py"),
        ("Lanes", "Place", "fetch"),
    ),
    "service/turns/asking.py": (("tests/service/test_asking.py",), ()),
    "service/storedesk.py": (("tests/service/test_storedesk.py", "tests/service/test_outages.py"), ()),
    "service/errands.py": (("tests/service/test_storedesk.py", "tests/service/test_outages.py"), ()),
    "service/turns/turn_opening.py": (("tests/service/test_turn_opening.py",), ("foresee", "_followed")),
    "lanes/admission.py": (("tests/lanes/test_lane.py", "tests/service/test_overload.py"), ()),
    "service/endpoints/exchange.py": (("tests/service/test_sites.py", "tests/conformance/test_around.py"), ()),
    "service/callers/identity.py": (("tests/service/test_identity.py", "tests/service/test_turn_opening.py"), ()),
    "semantic/policies/filter_values.py": (("tests/semantic_model/test_filters_written.py",), ()),
    "semantic/policies/row_filters.py": (("tests/semantic_model/test_filters_written.py",), ()),
    "service/endpoints/data_api.py": (
        ("tests/service/test_data_asking.py",),
        ("asking", "_only_names", "row_filters", "explain_sql", "data_body", "opened"),
    ),
    "semantic/compiler/policy/row_policy.py": (
        (
            "tests/semantic_sql/test_policy_places.py",
            "tests/semantic_sql/test_policies_below.py",
        ),
        (),
    ),
    "semantic/compiler/join_tree/asked.py": (
        (
            "tests/semantic_sql/test_policy_places.py",
            "tests/semantic_sql/test_policies_below.py",
        ),
        (),
    ),
    "semantic/compiler/policy/masks.py": (
        (
            "tests/semantic_sql/test_mask_places.py",
            "tests/semantic_model/test_asker_values.py",
            "tests/semantic_model/test_masks_by_group.py",
        ),
        (),
    ),
    "semantic/compiler/policy/proof.py": (("tests/soundness/test_plan_proof.py",), ()),
    "semantic/compiler/query/failing.py": (("tests/soundness/test_plan_proof.py",), ()),
    "semantic/compiler/query/stopping.py": (("tests/semantic_sql/test_stopping.py",), ()),
    "semantic/dialects/duckdb/barrier.py": (("tests/semantic_sql/test_stopping.py",), ()),
    "service/turns/threads.py": (
        ("tests/service/test_branch_rights.py", "tests/service/test_sites.py"),
        ("own_thread", "known_thread", "room_of"),
    ),
    "service/endpoints/chat.py": (("tests/service/test_branch_rights.py",), ("_branch",)),
}
"""Module → the tests that hold it, quickest first, and the functions that count (none named: all)."""
