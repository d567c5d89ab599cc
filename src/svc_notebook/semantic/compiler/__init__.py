"""SQL over the model to SQL over the database: parse, bind every name to the model, generate anew."""

from .compile import AppliedFilter, CompiledQuery, ResultColumn, compile_query

__all__ = ["AppliedFilter", "CompiledQuery", "ResultColumn", "compile_query"]
