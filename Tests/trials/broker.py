"""A running scened."""
import os, signal, subprocess, threading

READY, END = 60, 60  # the longest waits, in seconds


class Broker:
    """A running scened. A wrapper is a command that runs its arguments in the same process."""

    def __init__(self, program, place, options=(), wrapper=(), errors=None):
        self.place = place
        words = [*wrapper, program, "-S", place + "/sock", "--state", place + "/state"]
        ready, inherited = os.pipe()
        # If the script is killed, scened ends too.
        leash, lifetime = os.pipe()
        words += ["--ready-fd", str(inherited), "--leash-fd", str(leash), *options]
        with errors or open(place + "/errors", "w") as file:
            self.process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=file,
                pass_fds=[inherited, leash])
        os.close(inherited)
        os.close(leash)
        self.ready, self.pipes = ready, [ready, lifetime]
        self.is_hung = False

    def is_ready(self):
        """Waits until scened is ready or has ended."""
        timer = threading.Timer(READY, self.kill)
        timer.start()
        is_ready = os.read(self.ready, 1) == b"\n"
        timer.cancel()
        return is_ready

    def kill(self):
        """Ends a scened that hangs at its start."""
        self.is_hung = True
        self.process.kill()

    def end(self):
        """Returns the exit status; None if scened hung."""
        self.process.terminate()
        return self.wait()

    def wait(self):
        """As `end`, for a scened that ends by itself."""
        try:
            status = self.process.wait(END)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            status = None
        self.close()
        return None if self.is_hung else status

    def stop(self):
        """Kills a scened that still runs, as kill -9 does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
        self.close()

    def close(self):
        """Closes the pipes of a scened that has ended."""
        for pipe in self.pipes:
            os.close(pipe)
        self.pipes = []

    def message(self):
        # With another file for the errors, there is none at this path.
        with open(self.place + "/errors", "a+") as errors:
            errors.seek(0)
            return errors.read().strip() or "no message"

    def last_error(self):
        return self.message().splitlines()[-1]
