"""Pure values and functions: no SQLAlchemy, no Discord, and no other room but the engine."""
