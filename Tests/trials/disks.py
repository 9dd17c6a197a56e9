"""File systems in files, for the scripts that try programs under faults. Needs root."""
import contextlib, fcntl, os, shutil, struct, subprocess

# The numbers of ioctl. GOING_DOWN with 2 does not write the log of the file system.
FICLONE, FREEZE, THAW, GOING_DOWN = 0x40049409, 0xC0045877, 0xC0045878, 0x8004587D

# The command that makes a file system, its package, and the smallest size in MiB.
KINDS = {
    "ext4": (["mkfs.ext4", "-q", "-F"], "e2fsprogs", 64),
    "btrfs": (["mkfs.btrfs", "-q"], "btrfs-progs", 256),
    "xfs": (["mkfs.xfs", "-q"], "xfsprogs", 320),
}


class Missing(Exception):
    """This machine lacks a mechanism. The text names it."""


def run(*words):
    """Runs a command that must succeed."""
    if not shutil.which(words[0]):
        package = next((kind[1] for kind in KINDS.values() if kind[0][0] == words[0]), "util-linux")
        raise Missing(f"{words[0]} is missing; install the package {package}")
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"{' '.join(words)}: {done.stderr.strip()}")


class MemoryDisk(contextlib.ExitStack):
    """A tmpfs."""

    def __init__(self, path, mebibytes):
        super().__init__()
        self.path = path
        os.makedirs(path, exist_ok=True)
        run("mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=0700", "faults", path)
        self.callback(subprocess.run, ["umount", "-l", path])


class LoopDisk(contextlib.ExitStack):
    """A file system in the file `image`, mounted at `path`."""

    def __init__(self, kind, image, path, mebibytes=None, options=(), mount=""):
        super().__init__()
        make, _, smallest = KINDS[kind]
        self.image, self.path, self.options = image, path, mount
        with open(image, "w") as file:
            file.truncate((mebibytes or smallest) << 20)
        run(*make, *options, image)
        os.makedirs(path, exist_ok=True)
        self.mount()
        os.chmod(path, 0o700)
        self.callback(self.leave)

    def mount(self):
        run("mount", "-o", ",".join(filter(None, ["loop", self.options])), self.image, self.path)

    def unmount(self):
        run("umount", self.path)

    def leave(self):
        """Unmounts also a file system that is frozen, or whose device fails."""
        with contextlib.suppress(OSError):
            self.thaw()
        subprocess.run(["umount", "-l", self.path], stderr=subprocess.DEVNULL)

    def freeze(self):
        """From now on, each write to the file system waits."""
        self.control(FREEZE)

    def thaw(self):
        self.control(THAW)

    def shut_down(self):
        """From now on, each write of the file system fails, and each write to it."""
        self.control(GOING_DOWN, 2)

    def control(self, request, value=0):
        directory = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.ioctl(directory, request, struct.pack("I", value))
        finally:
            os.close(directory)


class LossyDisk(LoopDisk):
    """A file system whose power can fail. `host` is a directory on a file system with reflinks."""

    def __init__(self, kind, host, path, mount=""):
        super().__init__(kind, host + "/disk", path, mount=mount)
        self.copy = host + "/copy"

    def lose_power(self):
        """Copies the device as the power failure leaves it, without the page cache above it."""
        with open(self.image) as image, open(self.copy, "w") as copy:
            fcntl.ioctl(copy, FICLONE, image.fileno())

    def restore_power(self):
        """Mounts the copy instead of the device. No file may be open."""
        self.unmount()
        os.rename(self.copy, self.image)
        self.mount()


def reflinks(stack):
    """A directory on a file system with reflinks, which ends with the stack."""
    memory = stack.enter_context(MemoryDisk(stack.place + "/memory", 2048))
    host = stack.place + "/host"
    stack.enter_context(LoopDisk("xfs", memory.path + "/host", host, 1800))
    return host


def fill(path):
    """Uses every free byte of a file system for a file."""
    for size in ("1M", "4k"):
        subprocess.run(["dd", "if=/dev/zero", "of=" + path, "bs=" + size, "oflag=append",
                        "conv=notrunc"], stderr=subprocess.DEVNULL)
