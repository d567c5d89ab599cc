"""What ``svc-notebook doctor`` looks at: each look is a generator of findings, each finding says how to mend it."""

from __future__ import annotations

from .finding import Finding

__all__ = ["Finding"]
