"""A question and its answer: how a turn opens, runs, is kept, read again and ended."""
