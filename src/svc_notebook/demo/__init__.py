"""The demo: a year of flights from the New York airports, with its model, policies and users."""
