"""The offline analyst: reading, plan, SQL, chart and words without a language model."""
