"""The service: sessions, tenants, threads, streaming chat and the data API as an ASGI application."""
