"""What people hand over as their data, whatever it is, as tables by name."""
