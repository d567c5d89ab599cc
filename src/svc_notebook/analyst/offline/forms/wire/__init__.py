"""Forms as readings on the wire: told to whoever looks at them, and read from whoever changed them."""
