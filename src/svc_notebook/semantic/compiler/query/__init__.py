"""SELECT, its clauses and what stands in FROM: a query of the asker's, read and bound."""
