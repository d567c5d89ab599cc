"""A question read, from words to a form: the reader, and what it may not be taken for."""
