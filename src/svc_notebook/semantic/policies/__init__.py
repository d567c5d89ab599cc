"""Access policies and row filters, resolved for one asker."""
