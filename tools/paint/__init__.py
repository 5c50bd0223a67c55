"""Paint what boards are made of: grounds and sprites, kept as data in render/ (`make paint`)."""
