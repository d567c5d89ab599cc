"""The wire: typed models of every request, response and frame. A JSON key is spelled here and nowhere else."""
