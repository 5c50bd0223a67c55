"""Upgrade from earlier versions while matches are in progress, and go back."""
