"""The short notation of the paraphrase files, and a plan written in it."""

from __future__ import annotations

from typing import Any

from svc_notebook.analyst.offline.plans.plan import Condition, Dimension, Measure, Plan


def member(path: str, model: str) -> str:
    return path if model == "hospital" else path.split(".", 1)[1]


def measure(one: Measure, plan: Plan, model: str) -> str:
    if one.aggregate == "share_true":
        return f"share:{member(one.conditions[0].member, model)}"
    if one.member is None:
        return "count" if model != "hospital" else f"count:{one.entity or plan.scope[0]}"
    name = member(one.member, model)
    if one.aggregate == "measure":
        relation, _, short = one.member.partition(".")
        return f"count:{relation}" if model == "hospital" and short == "count" else name
    if one.aggregate == "count_values":
        return f"count:{one.member.split('.')[0]}" if model == "hospital" else "count"
    return f"{one.aggregate}:{name}"


def dimension(one: Dimension, model: str) -> str:
    return member(one.member, model) + (f":{one.grain}" if one.grain else "")


def condition(one: Condition) -> Any:
    if one.part is not None:
        return f"{one.part} " + " ".join(str(v) for v in sorted(one.values))
    if one.operator == "period":
        return f"{one.values[0] or ''}/{one.values[1] or ''}"
    if one.operator in ("in", "="):
        return sorted(map(str, one.values))
    if one.operator in ("not in", "!="):
        return "not " + " ".join(map(str, one.values))
    if one.operator in ("true", "false"):
        return one.operator
    return f"{one.operator} " + " ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in one.values)


def difference(expected: dict[str, Any], plan: Plan, model: str) -> str:
    """What of ``expected`` the plan does not say; empty when it says all of it and groups, measures and filters nothing else."""
    shape = expected.get("shape", "aggregate")
    if plan.shape != shape:
        return f"shape {plan.shape}"
    got = {
        "m": sorted(
            measure(m, plan, model) for i, m in enumerate(plan.measures) if i not in plan.hidden or "having" in expected
        ),
        "by": sorted(dimension(d, model) for d in plan.dimensions),
        "where": {member(c.member, model): condition(c) for c in plan.conditions},
        "cols": sorted(member(c, model) for c in plan.columns),
    }
    wanted = {
        "m": sorted(expected.get("m", [])), "by": sorted(expected.get("by", [])),
        "where": {k: sorted(map(str, v)) if isinstance(v, list) else v for k, v in expected.get("where", {}).items()},
        "cols": sorted(expected.get("cols", [])),
    }  # fmt: skip
    for key, value in wanted.items():
        if got[key] != value:
            return f"{key} {got[key]}"
    return _ranking(expected, plan) or _rest(expected, plan)


def _ranking(expected: dict[str, Any], plan: Plan) -> str:
    if expected.get("per") and plan.limit_per is None:
        return "no limit per group"
    wanted = expected.get("top") or expected.get("bottom")
    if wanted and (plan.limit != wanted or not plan.order or plan.order[0].descending != ("top" in expected)):
        return f"limit {plan.limit} order {plan.order}"
    if not wanted and not expected.get("per") and plan.limit is not None:
        return f"limit {plan.limit}"
    if "order" in expected and (
        not plan.order or plan.order[0].by != "measure" or plan.order[0].descending != (expected["order"] == "desc")
    ):
        return f"order {plan.order}"
    return ""


def _rest(expected: dict[str, Any], plan: Plan) -> str:
    kinds = [c.kind for c in plan.calculations]
    if kinds != ([expected["calc"]] if "calc" in expected else []):
        return f"calculations {kinds}"
    if "mark" in expected and plan.chart.mark != expected["mark"]:
        return f"mark {plan.chart.mark}"
    if "having" in expected:
        said = [f"{h.operator} {h.values[0]:g}" for h in plan.having]
        return "" if said == [expected["having"]] else f"having {said}"
    return f"having {plan.having}" if plan.having else ""
