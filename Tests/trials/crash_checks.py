"""Checks of Tests/Faults: the end of processes, and of power."""
import time

from . import disks
from .clients import Saver
from .trial import check, register


@check(200)
def kills(trial):
    """kill -9 of the broker while four clients save, and at its start, with both durabilities"""
    broker = trial.start()
    for _ in trial.each_round():
        savers = [Saver(trial.workload, f"window {number}") for number in range(4)]
        trial.await_saves(trial.random.randrange(40), savers)
        time.sleep(trial.random.random() / 100)
        broker.stop()
        for saver in savers:
            saver.join()
        options = ["--durability", trial.random.choice(["disk", "os"])]
        for _ in range(trial.random.randrange(3)):
            trial.interrupted_start(*options).stop()
        broker = trial.start(*options)
        problem = trial.workload.lost()
        trial.expect(not problem, problem)
    trial.end(broker)


# The file system, its options and the durability. With os, the saves up to a moment must be there.
# The moment is not before the last sync of the file system.
POWER = [
    ("ext4", "", "disk"), ("ext4", "", "os"), ("ext4", "data=journal", "disk"),
    ("btrfs", "", "disk"), ("btrfs", "", "os"), ("xfs", "", "disk"), ("xfs", "", "os"),
]


def power(trial, kind, mount, durability):
    host = disks.reflinks(trial)
    disk = trial.enter_context(disks.LossyDisk(kind, host, trial.place + "/state", mount))
    options = ["--durability", durability]
    broker = trial.start(*options)
    for _ in trial.each_round():
        saver = Saver(trial.workload, "one", "two", "three")
        trial.await_saves(trial.random.randrange(40), [saver])
        saved = {}
        if trial.random.random() < 0.5:
            saved = dict(trial.workload.saved)
            disks.run("sync", "-f", trial.place + "/state")
            trial.await_saves(trial.random.randrange(10), [saver])
        if durability == "disk":
            saved = dict(trial.workload.saved)
        disk.lose_power()
        broker.stop()
        saver.join()
        disk.restore_power()
        for _ in range(trial.random.randrange(2)):
            early = trial.interrupted_start(*options)
            disk.lose_power()
            early.stop()
            disk.restore_power()
        broker = trial.start(*options)
        lost = trial.workload.lost(saved)
        trial.expect(not lost, lost)
        mixed = trial.workload.mixed()
        trial.expect(not mixed, mixed)
    trial.end(broker)


def register_power():
    for kind, mount, durability in POWER:
        def check(trial, kind=kind, mount=mount, durability=durability):
            power(trial, kind, mount, durability)
        words = ["power losses of", kind, *filter(None, [mount]), "with --durability", durability]
        check.__doc__ = " ".join(words)
        register(check, "-".join(["power", kind, *mount.split("=")[1:], durability]), 100)


register_power()
