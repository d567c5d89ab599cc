"""What the store says in SQL, in SQLAlchemy's words: a module for each of the store's that says it.

They are named by :class:`..prepared.Prepared` and loaded when the first is needed that has no text yet: SQLAlchemy and
the tables take a tenth of what a service takes to start, and a store in memory starts and answers without.
"""
