"""Messages for players, built from the data that services have read."""
