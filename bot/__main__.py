"""The command `starpost`, as `python -m bot`."""

from bot.app.cli import entry

entry()
