"""Discord, storage, delivery, command line: the only room with I/O."""
