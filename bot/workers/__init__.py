"""Processes that work for the bot: computers choose in them, and boards are drawn in them."""
