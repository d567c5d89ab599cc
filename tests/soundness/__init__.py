"""The two promises of the semantic layer, tested: right numbers, and non-interference."""
