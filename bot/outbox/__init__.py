"""Delivery of queued messages to Discord."""
