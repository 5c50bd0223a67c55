"""Tiny models of the bot's core, and the state machines that compare them with it."""
