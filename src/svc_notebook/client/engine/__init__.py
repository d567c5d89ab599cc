"""Where the client works: its loop on a thread of its own, and a service in the same process reached from there."""
