"""The shared parts of the checks of Tests/Faults."""
import contextlib, os, shutil, subprocess, tempfile, time

from .broker import END, Broker
from .clients import Client, Lost, Workload, reason

SAVES = 600  # the longest wait for saves, in seconds

ALL = {}  # the checks by their names


def register(function, name=None, rounds=1):
    function.name = name or function.__name__.replace("_", "-")
    function.rounds = rounds
    ALL[function.name] = function
    return function


def check(argument):
    """Registers a check. The argument of the decorator is the number of rounds; default: 1."""
    if callable(argument):
        return register(argument)
    return lambda function: register(function, rounds=argument)


class Trial(contextlib.ExitStack):
    """A directory with a broker, a workload and the problems that a check found."""

    def __init__(self, programs, rounds, seed):
        super().__init__()
        self.programs, self.rounds = programs, rounds
        self.round = 0
        self.problems = []
        self.details = ""
        self.place = tempfile.mkdtemp(prefix="fault-")
        self.callback(shutil.rmtree, self.place, ignore_errors=True)
        self.workload = Workload(self.place + "/sock", seed)
        self.random = self.workload.random

    def each_round(self):
        """Counts the rounds, up to the first problem."""
        while self.round < self.rounds and not self.problems:
            self.round += 1
            yield self.round

    def expect(self, holds, text):
        if not holds:
            self.problems.append(f"round {self.round}: {text}" if self.rounds > 1 else text)

    def run_scened(self, *options, wrapper=(), errors=None):
        broker = Broker(self.programs + "/scened", self.place, options, wrapper, errors)
        self.callback(broker.stop)
        return broker

    def start(self, *options, **rest):
        """Starts a broker that must become ready."""
        broker = self.run_scened(*options, **rest)
        if not broker.is_ready():
            raise Lost(f"scened does not start: status {broker.wait()}, {broker.last_error()}")
        return broker

    def interrupted_start(self, *options):
        """Starts a broker, and returns at any time of the start."""
        broker = self.run_scened(*options)
        time.sleep(self.random.random() / 50)
        return broker

    def refused(self, status, *words, wrapper=()):
        """A start that must end with a status, and with a message that has the words."""
        broker = self.run_scened(wrapper=wrapper)
        self.expect(not broker.is_ready(), "scened starts, and must refuse to start")
        self.end(broker, status)
        message = broker.last_error()
        for word in words:
            self.expect(word in message, f"not in the message: {word}: {message}")

    def end(self, broker, status=0):
        found = broker.end() if status == 0 else broker.wait()
        self.expect(found == status, f"scened ends with {found}, and must end with {status}")

    def next_start(self, *options, **rest):
        """A start after a fault works, has all acknowledged saves, and accepts a save."""
        broker = self.start(*options, **rest)
        problem = self.workload.lost()
        self.expect(not problem, problem)
        error = self.save_one()
        self.expect(not error, f"a save after the fault fails: {error}")
        self.end(broker)

    def save_one(self, name="one"):
        """Saves a number. Returns the error, or None."""
        client = Client(self.workload.path, "scene")
        session = self.workload.connect(client, name)
        if session:
            self.workload.save(client, session, max(self.workload.tried[session]) + 1)
        client.close()
        return reason(client.error)

    def await_saves(self, count, savers):
        """Waits until the broker has acknowledged more saves, or all savers have ended."""
        goal = self.workload.count + count
        end = time.monotonic() + SAVES
        while self.workload.count < goal and any(saver.is_alive() for saver in savers):
            if time.monotonic() > end:
                missing = goal - self.workload.count
                raise Lost(f"in {SAVES} s, {missing} of {count} saves are not acknowledged")
            time.sleep(0.001)

    def eventually(self, condition, text):
        end = time.monotonic() + END
        while not condition():
            if time.monotonic() > end:
                raise Lost(f"in {END} s not: {text}")
            time.sleep(0.05)

    def run(self, program, *arguments, wrapper=(), **environment):
        """Runs one of the programs to its end."""
        variables = {**os.environ, "SCENE_SOCKET": self.workload.path, **environment}
        return subprocess.run(
            [*wrapper, f"{self.programs}/{program}", *arguments], env=variables, text=True,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=END)
