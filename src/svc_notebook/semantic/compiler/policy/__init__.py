"""Which rows an asker may see, what is masked, where a barrier stands, and the proof of all that."""
