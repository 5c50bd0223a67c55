"""The process: command line, settings, client, background jobs, health."""
