"""A view as picture, alt text and text board."""
