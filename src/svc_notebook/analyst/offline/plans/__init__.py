"""Plans of the rules: as a value, as SQL, in words, as a picture, and forms as plans."""
