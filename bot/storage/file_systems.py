"""File systems on which a database of SQLite is not safe."""

from __future__ import annotations

from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")

UNSAFE = frozenset(
    "9p afs beegfs ceph cifs davfs fakeowner fuse.davfs fuse.gcsfuse fuse.glusterfs fuse.grpcfuse"
    " fuse.mergerfs fuse.osxfs fuse.rclone fuse.s3fs fuse.shfs fuse.sshfs fuse.vmhgfs-fuse"
    " glusterfs grpcfuse lustre ncpfs nfs nfs4 smb3 smbfs vboxsf vmhgfs virtiofs".split()
)
"""File systems of networks, of folders shared with a virtual machine (Docker Desktop, VirtualBox,
VMware), and of joined disks (Unraid, mergerfs): SQLite's locks and shared memory cannot be relied
on there."""


def file_system_of(folder: Path) -> str:
    """Return the type of the file system that a folder is on; empty if it is unknown."""
    if not MOUNTS.exists():
        return ""
    kinds: dict[Path, str] = {}
    for line in MOUNTS.read_text(encoding="utf-8").splitlines():
        mounted, _, rest = line.partition(" - ")
        point = mounted.split(" ")[4].replace("\\040", " ")
        kinds[Path(point)] = rest.split(" ")[0]  # a later one covers an earlier one
    real = folder.resolve()
    return next((kinds[path] for path in (real, *real.parents) if path in kinds), "")


def unsafe_text(folder: Path) -> str:
    """Return a sentence about an unsafe file system of a folder; empty if it is safe."""
    kind = file_system_of(folder)
    if kind not in UNSAFE:
        return ""
    return f"{folder} is on a network or shared file system ({kind}), where SQLite is not safe."
