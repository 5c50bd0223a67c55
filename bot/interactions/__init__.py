"""Handle clicks and commands: call a service, then reply."""
