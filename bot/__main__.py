"""The command `starpost`, as `python -m bot`."""

from bot.cli import entry

entry()
