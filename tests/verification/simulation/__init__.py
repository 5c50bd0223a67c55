"""The whole bot in one event loop, with virtual time and one seed for everything."""
