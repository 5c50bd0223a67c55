"""Messages as players see them, made from what a service has read."""
