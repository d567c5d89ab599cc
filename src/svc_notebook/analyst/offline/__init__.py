"""The default analyst: deterministic, no key, no network, on any data model.

A question goes metadata → segments → resolution → plan → SQL → chart → words; every stage is a module of its own, and
the
plan between them can be looked at (:mod:`.plan`).
"""

from .agent import OfflineAnalyst, PlanDraft

__all__ = ["OfflineAnalyst", "PlanDraft"]
