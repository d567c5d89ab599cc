"""Choosing among readings: learned weights over features that hold no words, and how sure the choice is."""

from __future__ import annotations

from .model import Ranking, load_ranking

__all__ = ["Ranking", "load_ranking"]
