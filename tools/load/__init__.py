"""The load test: thousands of matches in progress on one process, and their costs."""
