"""SQL read into forms: what ``to_sql`` wrote, certified queries, a language model's, golds in other dialects."""
