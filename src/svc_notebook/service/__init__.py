"""The service: sessions, tenants, threads, streaming chat and the data API as an ASGI application."""

import logging

# Without logging set up, no line of a log stands beside what an error or a result says itself.
logging.getLogger("svc_notebook").addHandler(logging.NullHandler())
