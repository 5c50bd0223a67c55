"""Computer players. A choice follows from what a seat may know, never from the true position."""
