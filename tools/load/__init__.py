"""The load test: thousands of running matches on one process, and what they cost."""
