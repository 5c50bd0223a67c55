"""Clicks and commands: from the interaction to a service to the reply."""
