"""Optional features, each a package: its commands, views and services."""
