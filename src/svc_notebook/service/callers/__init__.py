"""Who calls, on whose behalf, under which rights, and what that caller may reach."""
