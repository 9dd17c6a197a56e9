"""Control groups of both versions, for the scripts that try programs under faults."""
import os, subprocess

from .disks import Missing

ROOT = "/sys/fs/cgroup"
# The files of a controller in version 1 and in version 2, with their values.
LIMITS = {
    "memory": lambda bytes: (
        {"memory.limit_in_bytes": bytes}, {"memory.max": bytes, "memory.swap.max": 0}),
    "cpu": lambda percent: (
        {"cpu.cfs_period_us": 100_000, "cpu.cfs_quota_us": percent * 1000},
        {"cpu.max": f"{percent * 1000} 100000"}),
}


def write(path, value):
    with open(path, "w") as file:
        file.write(str(value))


def limited(trial, controller, value):
    """Returns a wrapper: a command that runs its arguments in a group with the limit."""
    is_new = os.path.exists(ROOT + "/cgroup.controllers")
    parent = ROOT if is_new else f"{ROOT}/{controller}"
    group = f"{parent}/faults-{os.getpid()}-{controller}"
    try:
        if is_new:
            write(parent + "/cgroup.subtree_control", "+" + controller)
        os.mkdir(group)
        # A group can go when its last process has ended.
        trial.callback(subprocess.run, ["rmdir", group])
        for name, limit in LIMITS[controller](value)[is_new].items():
            write(f"{group}/{name}", limit)
    except OSError as error:
        raise Missing(f"no control group with the controller {controller}: {error}") from error
    return ["sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', group]
