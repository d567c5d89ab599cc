"""The transactional state store."""
