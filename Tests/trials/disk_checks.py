"""Checks of Tests/Faults: full, failing and frozen disks."""
import os, re, time

from . import disks
from .clients import Client, Saver, reason
from .trial import check


def ext4(trial, mebibytes=64, options=()):
    """Puts the state on a file system of its own."""
    return trial.enter_context(disks.LoopDisk(
        "ext4", trial.place + "/disk", trial.place + "/state", mebibytes, options))


def refuse_until_space(trial, fill, free):
    """On a full disk the broker refuses saves, serves, and starts again."""
    broker = trial.start()
    saver = Saver(trial.workload, "one", "two")
    trial.await_saves(20, [saver])
    fill()
    trial.eventually(lambda: saver.error or saver.end, "a save is refused")
    saver.stop()
    trial.expect(not saver.end, f"the client lost the broker: {saver.end}")
    trial.expect(reason(saver.error) == "storageFull", f"the error is {saver.error}")
    status = trial.run("scenectl", "status").stdout
    trial.expect("storage full" in status, f"scenectl status prints: {status}")
    for _ in range(3):
        broker.stop()
        broker = trial.start()
        problem = trial.workload.lost()
        trial.expect(not problem, problem)
    free()
    trial.eventually(lambda: not trial.save_one(), "the broker accepts saves again")
    trial.end(broker)
    trial.next_start()


@check
def full_disk_bytes(trial):
    """a disk without a free byte"""
    filler = ext4(trial).path + "/filler"
    refuse_until_space(trial, lambda: disks.fill(filler), lambda: os.remove(filler))


@check
def full_disk_inodes(trial):
    """a disk without a free inode"""
    disk = ext4(trial, 128, ["-N", "64"])
    files = []

    def fill():
        try:
            while True:
                path = f"{disk.path}/file-{len(files)}"
                open(path, "x").close()
                files.append(path)
        except OSError:
            pass

    refuse_until_space(trial, fill, lambda: [os.remove(file) for file in files])


@check
def no_room(trial):
    """a first start without room for the journal"""
    trial.enter_context(disks.MemoryDisk(trial.place + "/state", 8))
    trial.refused(75, "free disk space")
    disks.run("mount", "-o", "remount,size=64m", trial.place + "/state")
    trial.next_start()


def fail_disk(trial, disk, fail, repair):
    """Lets the device below the file system fail while the broker saves."""
    for _ in trial.each_round():
        broker = trial.start()
        problem = trial.workload.lost()
        trial.expect(not problem, problem)
        saver = Saver(trial.workload, "one", "two")
        trial.await_saves(20, [saver])
        fail()
        status = broker.wait()
        saver.join()
        trial.expect(status == 74, f"scened ends with {status}, and must end with 74")
        message = broker.last_error()
        trial.expect(re.search("(Input/output error|No space left on device); check", message),
                     "the message is: " + message)
        disk.unmount()
        repair()
        disk.mount()
    trial.next_start()


@check(10)
def failing_device(trial):
    """a device that fails below the file system"""
    memory = trial.enter_context(disks.MemoryDisk(trial.place + "/memory", 1024))
    host = trial.enter_context(disks.LoopDisk("xfs", memory.path + "/host", trial.place + "/host"))
    disk = trial.enter_context(
        disks.LoopDisk("ext4", host.path + "/disk", trial.place + "/state"))

    def repair():
        host.unmount()
        host.mount()

    fail_disk(trial, disk, host.shut_down, repair)


@check(10)
def overcommitted_device(trial):
    """a device that promises more room than it has, as a thin volume does"""
    memory = trial.enter_context(disks.MemoryDisk(trial.place + "/memory", 96))
    disk = trial.enter_context(
        disks.LoopDisk("ext4", memory.path + "/disk", trial.place + "/state", 512))
    filler = memory.path + "/filler"
    fail_disk(trial, disk, lambda: disks.fill(filler), lambda: os.remove(filler))


@check
def frozen_disk(trial):
    """a frozen file system: the broker answers, and acknowledges no save"""
    disk = ext4(trial)
    broker = trial.start()
    saver = Saver(trial.workload, "one", wait=60)
    trial.await_saves(20, [saver])
    disk.freeze()
    count = trial.workload.count
    control = Client(trial.workload.path, "control")
    trial.expect(control.ask("broker/ping", {}) == {}, "the broker does not answer")
    time.sleep(0.5)
    # One save can be acknowledged by a sync that ended before.
    trial.expect(trial.workload.count <= count + 1, "a save is acknowledged on a frozen disk")
    disk.thaw()
    trial.await_saves(20, [saver])
    trial.expect(saver.is_alive(), f"the client lost the broker: {saver.end}")
    saver.stop()
    disk.freeze()
    late = Saver(trial.workload, "two")
    broker.process.terminate()
    disk.thaw()
    trial.end(broker)
    late.join()
    disk.freeze()
    broker = trial.run_scened()
    time.sleep(0.2)
    disk.thaw()
    trial.expect(broker.is_ready(), "scened does not start after the disk is thawed")
    trial.end(broker)
    trial.next_start()
