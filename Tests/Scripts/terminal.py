#!/usr/bin/env python3
"""Runs a program on a terminal of its own, as a user does.

Usage: terminal.py [--size COLUMNSxROWS] [--only N] [--job PLACE] PROGRAM [ARGUMENT…]

--only N makes the terminal only the descriptor N of the program. --job makes the program a job of
a shell, in the foreground or in the background. Otherwise it leads the session of the terminal.

Each line of standard input is a step:

  await TEXT         wait until the terminal shows the text behind the last awaited one
  keys TEXT          type
  until CONDITION<TAB>LINE
                     type the line until the condition holds, because a program can discard what
                     the user types before its prompt; `shown TEXT` or `file PATH TEXT`
  size COLUMNS ROWS  change the window
  signal NAME        send a signal to the program
  foreground         move the job to the foreground
  stopped            wait until the program has stopped itself
  run COMMAND        run a command that must succeed
  end                wait until the program ends, and print its status
  restored           fail unless the terminal is as before the program
  shown              print what the terminal has shown since the last time
  lines              print the final content of the screen, without erased prompts
  pid                print the process ID of the program
  say TEXT           print the text
"""
import fcntl, os, pty, select, signal, struct, subprocess, sys, termios, time

words, options = sys.argv[1:], {}
while words[0].startswith("--"):
    options[words[0]] = words[1]
    words = words[2:]
terminal, end = pty.openpty()


def resize(columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


if "--size" in options:
    resize(*map(int, options["--size"].split("x")))
mode = termios.tcgetattr(terminal)
place = options.get("--job")
if place:
    # The leader of a process group cannot make a session.
    helper = os.fork()
    if helper:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(helper, 0)[1]))
    os.setsid()
    fcntl.ioctl(end, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
pid = os.fork()
if pid == 0:
    if place:
        os.setpgid(0, 0)
        if place == "foreground":
            os.tcsetpgrp(end, os.getpgrp())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    else:
        os.setsid()
        fcntl.ioctl(end, termios.TIOCSCTTY, 0)
    for number in [int(options["--only"])] if "--only" in options else range(3):
        os.dup2(end, number)
    os.execvp(words[0], words)
if not place:
    os.close(end)
shown = b""
awaited = printed = 0
status = None
# Whether all processes with the terminal have ended.
is_closed = False


def read(timeout):
    """Whether the terminal has shown something."""
    global shown, is_closed
    if not select.select([terminal], [], [], timeout)[0]:
        return False
    try:
        shown += os.read(terminal, 65536)
        return True
    except OSError:
        is_closed = True
        time.sleep(min(timeout, 0.02))
        return False


def holds(condition):
    verb, _, rest = condition.partition(" ")
    if verb == "shown":
        return rest.encode() in shown
    path, _, text = rest.partition(" ")
    try:
        return text in open(path, errors="replace").read()
    except FileNotFoundError:
        return False


def wait(what, is_over, repeat=lambda: None):
    deadline = time.monotonic() + 60
    while not is_over():
        repeat()
        if read(0.05):
            continue
        if is_closed:
            deadline = min(deadline, time.monotonic() + 1)
        if time.monotonic() > deadline:
            sys.exit(f"{what} does not come; the terminal shows:\n{shown!r}")


def has_ended():
    global status
    if status is None:
        ended, number = os.waitpid(pid, os.WNOHANG)
        if ended:
            status = os.waitstatus_to_exitcode(number)
    return status is not None and (place or is_closed)


def retype(line, times):
    if line and (not times or time.monotonic() > times[-1] + 3):
        times.append(time.monotonic())
        # Ctrl-U removes the rest of a line that arrived in part.
        os.write(terminal, b"\x15" + line.encode() + b"\n")


for step in sys.stdin:
    verb, _, text = step.rstrip("\n").partition(" ")
    if verb in ("await", "keys"):
        data = text.encode().decode("unicode_escape").encode("latin-1")
    if verb == "await":
        wait(repr(data), lambda: data in shown[awaited:])
        awaited = shown.index(data, awaited) + len(data)
    elif verb == "keys":
        os.write(terminal, data)
    elif verb == "until":
        condition, line = text.split("\t")
        times = []
        wait(condition, lambda: holds(condition), lambda: retype(line, times))
    elif verb == "size":
        resize(*map(int, text.split()))
    elif verb == "signal":
        os.kill(pid, getattr(signal, text))
    elif verb == "foreground":
        os.tcsetpgrp(end, pid)
    elif verb == "stopped":
        assert os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1])
    elif verb == "run":
        subprocess.run(text, shell=True, check=True, stdout=subprocess.DEVNULL)
    elif verb == "end":
        wait("the end", has_ended)
        while read(0):
            pass
        print("status", status, flush=True)
    elif verb == "restored":
        # The main screen, the cursor and the wrapping of lines.
        tail = [shown.rfind(b"\x1b[?" + name) for name in (b"1049l", b"25h", b"7h")]
        heads = [shown.rfind(b"\x1b[?" + name) for name in (b"1049h", b"25l", b"7l")]
        assert termios.tcgetattr(terminal) == mode and all(off > on for off, on in zip(tail, heads))
    elif verb == "shown":
        print(shown[printed:].decode().replace("\r\n", "\n"), flush=True)
        printed = len(shown)
    elif verb == "lines":
        for line in shown.decode().split("\n"):
            print(line.rstrip("\r").split("\x1b[J")[-1], flush=True)
    elif verb == "pid":
        print(pid, flush=True)
    else:
        assert verb == "say", step
        print(text, flush=True)
