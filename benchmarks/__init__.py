"""Measured against floors in the same run: ``make bench``, or ``python -m benchmarks --only transport``."""
