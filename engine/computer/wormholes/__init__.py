"""What computer players know of Wormholes."""
