"""Wormholes for computer players."""
