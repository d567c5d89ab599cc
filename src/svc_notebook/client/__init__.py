"""The client: one set of pure builders and folds, driven by a sync and an async face."""
