"""SQL over the model to SQL over the database: parse, bind every name to the model, generate anew."""

from .compile import AppliedFilter, CompiledQuery, ResultColumn, SharedQuery, compile_query, compile_to_share

__all__ = ["AppliedFilter", "CompiledQuery", "ResultColumn", "SharedQuery", "compile_query", "compile_to_share"]
