"""Files that only the bot's user can access, even if root creates them for it.

The owner of a folder can put symbolic links into it. So root creates and changes files there as the
folder's owner: a link leads root to nothing that the owner could not reach, and new files belong
to the owner, who must be able to write to them.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FILE_MODE = 0o600
"""Permissions of new files, which contain seeds and hands."""

OTHERS_BITS = 0o007
"""Permission bits of other users of the machine."""

MAX_LINKS = 40
"""Maximum number of symbolic links to follow in a row."""


class LinkError(OSError):
    """A symbolic link is not allowed here."""


@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """Act as the owner of a folder in the block, if running as root."""
    owner = folder.stat()
    if os.geteuid() != 0 or owner.st_uid == 0:
        yield
        return
    group, groups = os.getegid(), os.getgroups()
    os.setgroups([])
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


def create(path: Path) -> None:
    """Create an empty file.

    Raises:
        FileExistsError: the name exists, perhaps as a link.
    """
    with as_owner(path.parent):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, FILE_MODE))


def append_to(path: Path) -> int:
    """Open a file for appending; create it if needed.

    Raises:
        OSError: it cannot be opened, or it is a link.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    with as_owner(path.parent):
        return os.open(path, flags, FILE_MODE)


def close_to_others(*paths: Path) -> None:
    """Remove other users' permissions from files."""
    for path in paths:
        with suppress(OSError):  # another user's file
            mode = path.lstat().st_mode
            if mode & OTHERS_BITS and not path.is_symlink():
                with as_owner(path.parent):
                    path.chmod(FILE_MODE)


def resolve(path: Path) -> Path:
    """Return a path with links to the file resolved, so that the file has one name.

    Raises:
        LinkError: running as root, and a link on the way is not root's.
    """
    for _ in range(MAX_LINKS):
        _refuse_planted(path)
        if not path.is_symlink():
            return path
        path = path.parent / path.readlink()
    raise LinkError(errno.ELOOP, f"{path}: too many symbolic links")


def _refuse_planted(path: Path) -> None:
    if os.geteuid() != 0:
        return
    whole = path.absolute()
    for part in (whole, *whole.parents):
        if part.is_symlink() and part.lstat().st_uid != 0:
            raise LinkError(errno.ELOOP, f"{part} is a symbolic link that is not root's")
