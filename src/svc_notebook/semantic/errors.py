"""What can go wrong below the service; every message is safe to show to the asker.

::

    SemanticError
    ├── ModelError            the model files: .problems, each with file, line, column, near miss
    └── QueryError            the query as asked
        ├── SqlSyntaxError    the text is not SQL we read
        ├── UnknownMember     relation or member unknown to this asker (same words whether hidden or absent)
        ├── NotAllowed        a function, clause or statement outside the allowlist; says what to write instead
        ├── InvalidQuery      understood but wrong (aggregation of the wrong kind, ambiguous join, types)
        ├── TooComplex        over a cap of size, depth or nodes
        ├── NotComputed       a value of the asker's own rows makes it fail
        ├── QueryTimeout      over the time limit
        ├── OutOfMemory       over the memory limit
        └── EngineFailure     the engine failed; its own text is logged, never shown
            ├── NotPlanned    it did not even begin: the model's SQL does not fit the database
            └── UnknownPlace  the model names a schema or database that is not there; told as the model is opened
"""

from __future__ import annotations

from ..records import dataclass

__all__ = [
    "EngineFailure", "InvalidQuery", "ModelError", "ModelProblem", "NotAllowed", "NotComputed", "NotPlanned",
    "OutOfMemory", "QueryError", "QueryTimeout", "SemanticError", "SqlSyntaxError", "TooComplex", "UnknownMember",
    "UnknownPlace",
]  # fmt: skip


class SemanticError(Exception):
    """Root of the semantic layer's errors."""


@dataclass(frozen=True, slots=True)
class ModelProblem:
    """One finding in the model files; ``severity``: ``"error"``, ``"warning"``, or ``"info"`` (asks nothing)."""

    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    severity: str = "error"

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"{where}{self.severity}: {self.message}"


class ModelError(SemanticError):
    def __init__(self, problems: list[ModelProblem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class QueryError(SemanticError):
    """A query that is refused or failed; ``suggestions`` are nearest names the asker may see."""

    def __init__(self, message: str, *, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.suggestions = suggestions


class SqlSyntaxError(QueryError): ...


class UnknownMember(QueryError): ...


class NotAllowed(QueryError): ...


class InvalidQuery(QueryError): ...


class TooComplex(QueryError): ...


class QueryTimeout(QueryError): ...


class NotComputed(QueryError): ...


class OutOfMemory(QueryError): ...


class EngineFailure(QueryError): ...


class NotPlanned(EngineFailure): ...


class UnknownPlace(EngineFailure): ...
