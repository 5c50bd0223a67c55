"""The rules of the games at hand: texts to browse and search, and guided first matches."""
