"""Checks of Tests/Faults: descriptors, memory, CPU time, clocks and the system around."""
import os, signal, subprocess, time

from . import clocks
from .clients import Client, Saver
from .groups import limited
from .trial import check


@check
def few_descriptors(trial):
    """more clients than a limit of 64 descriptors allows"""
    broker = trial.start(wrapper=["prlimit", "--nofile=64:64"])
    saver = Saver(trial.workload, "one", "two")
    trial.await_saves(10, [saver])
    crowd = [Saver(trial.workload, f"window {number}") for number in range(100)]
    trial.eventually(lambda: any(each.end for each in crowd), "a client is refused")
    trial.await_saves(1000, [saver])
    trial.expect(saver.is_alive(), f"the first client lost the broker: {saver.end}")
    for each in crowd:
        each.stop()
    trial.expect(trial.save_one("late") is None, "a client is refused, although there is room")
    saver.stop()
    trial.end(broker)
    trial.next_start()


@check
def no_descriptors(trial):
    """a start with each number of descriptors below 32"""
    trial.next_start()
    for limit in range(4, 32):
        broker = trial.run_scened(wrapper=["prlimit", f"--nofile={limit}:{limit}"])
        if broker.is_ready():
            trial.end(broker)
        else:
            trial.end(broker, 74)
            message = broker.last_error()
            trial.expect("Too many open files; raise" in message, f"the message is: {message}")
    trial.next_start()


@check
def memory_limit(trial):
    """the kernel kills the broker at the memory limit of its control group"""
    group = limited(trial, "memory", 48 << 20)
    broker = trial.start(wrapper=group)
    savers = [Saver(trial.workload, f"window {number}") for number in range(300)]
    status = broker.wait()
    trial.expect(status == -9, f"scened ends with {status}, and the kernel must kill it")
    for saver in savers:
        saver.join()
    trial.next_start()


@check
def cpu_quota(trial):
    """a CPU quota of 1 %"""
    group = limited(trial, "cpu", 1)
    broker = trial.start(wrapper=group)
    saver = Saver(trial.workload, "one", wait=60)
    trial.await_saves(50, [saver])
    trial.expect(saver.is_alive(), f"the client lost the broker: {saver.end}")
    saver.stop()
    trial.end(broker)
    trial.next_start(wrapper=group)


@check
def clock_jumps(trial):
    """jumps of the clock by seconds and by years, in both directions, and another uptime"""
    broker = trial.start()
    clock = clocks.Clock(broker.process)
    saver = Saver(trial.workload, "one", "two")
    control = Client(trial.workload.path, "control")
    for jump in (1, -1, 3600, -3600, 10 ** 9, -10 ** 9, 2 ** 31 - 1, -2 ** 31 + 1, 0):
        trial.round += 1
        clock.jump(jump)
        trial.await_saves(20, [saver])
        trial.expect(saver.is_alive(), f"after a jump by {jump} s, a client lost the broker")
        now = control.ask("application/status", {})["now"] / 1000
        trial.expect(abs(now - time.time() - jump) < 3600, f"after a jump by {jump} s it is {now}")
    saver.stop()
    trial.end(broker)
    for uptime in (10 ** 8, 0):
        trial.next_start(wrapper=["unshare", "--time", f"--monotonic={uptime}"])


@check
def stopped(trial):
    """the broker and its client are stopped during a callback, for longer than its budget"""
    broker = trial.start("--budget", "default=2s")
    scene = subprocess.Popen(
        [trial.programs + "/scene", "packing", "--json"], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, env={**os.environ, "SCENE_SOCKET": trial.workload.path})
    trial.callback(scene.kill)

    def await_state(state):
        done = trial.run("scenectl", "wait", "packing " + state, "--timeout", "10s")
        trial.expect(done.returncode == 0, f"the scene is not {state}: {done.stderr}")

    for order in ([broker.process, scene], [scene, broker.process]) * 2:
        trial.round += 1
        await_state("foregroundActive")
        scene.send_signal(signal.SIGSTOP)
        verb = subprocess.Popen(
            [trial.programs + "/scenectl", "-S", trial.workload.path, "background", "packing"])
        time.sleep(0.5)
        broker.process.send_signal(signal.SIGSTOP)
        time.sleep(3)
        for process in order:
            process.send_signal(signal.SIGCONT)
            time.sleep(0.1)
        trial.expect(verb.wait() == 0, "scenectl background fails")
        await_state("background")
        trial.run("scenectl", "activate", "packing")
    trial.expect(scene.poll() is None, f"scene ended with {scene.poll()}")
    scene.stdin.close()
    trial.end(broker)
    trial.next_start()


@check
def log_terminal(trial):
    """a log on a terminal that no program reads"""
    _, terminal = os.openpty()
    broker = trial.start("--log-level", "debug", errors=os.fdopen(terminal, "w"))
    savers = [Saver(trial.workload, f"{'window ' * 20} {number}") for number in range(4)]
    trial.await_saves(2000, savers)
    for saver in savers:
        trial.expect(saver.is_alive(), f"a client lost the broker: {saver.end}")
        saver.stop()
    trial.end(broker)
    trial.next_start()


@check
def no_proc(trial):
    """a system without /proc"""
    without = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
    broker = trial.start(wrapper=without)
    trial.save_one()
    for verb in (["status"], ["sessions"], ["title", "one", "A title"]):
        done = trial.run("scenectl", *verb, wrapper=without)
        trial.expect(done.returncode == 0, f"scenectl {verb[0]} fails: {done.stderr}")
    trial.end(broker)
    trial.next_start(wrapper=without)
