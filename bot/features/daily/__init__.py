"""The position of the day: posted in a channel, answered in private, and solved."""
