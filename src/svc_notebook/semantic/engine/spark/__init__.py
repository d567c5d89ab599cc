"""Apache Spark as the place where the data lie: asked through Spark Connect, never written to."""

from .engine import SparkEngine

__all__ = ["SparkEngine"]
