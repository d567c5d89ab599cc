"""Composition: mentions of a question are covered with clauses by few typed rules, within a budget."""

from __future__ import annotations

from .compose import Candidate, compose

__all__ = ["Candidate", "compose"]
