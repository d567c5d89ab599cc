"""What goes out and comes in: requests as data, replies and streams read. One module of it speaks to httpx."""
