"""Features, each a package: its commands, views and services. Some of them can be left out."""
