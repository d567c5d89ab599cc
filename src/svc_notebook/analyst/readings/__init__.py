"""What was read, told with every result, and asked again when somebody changed it."""
