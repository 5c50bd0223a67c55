"""The rules of the games: texts to browse and search, and lessons."""
