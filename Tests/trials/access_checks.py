"""Checks of Tests/Faults: other users and hostile directories."""
import os, re, shutil, subprocess, tempfile

from . import disks
from .trial import check

OTHER = 54321  # a user that need not exist


@check
def other_user(trial):
    """another user with the paths of the broker, also where no directory protects its socket"""
    home = tempfile.mkdtemp(prefix="fault-home-")
    trial.callback(shutil.rmtree, home)
    os.chown(home, OTHER, OTHER)
    for name in ("scened", "scene", "scenectl"):
        shutil.copy(f"{trial.programs}/{name}", home)
    trial.programs = home
    become = ["setpriv", f"--reuid={OTHER}", f"--regid={OTHER}", "--clear-groups"]
    broker = trial.start()
    trial.save_one()

    def refused(status, words, *command, **environment):
        done = trial.run(*command, wrapper=become, SCENE_CONFIG="", **environment)
        trial.expect(done.returncode == status, f"{command[0]} ends with {done.returncode}")
        trial.expect(words in done.stderr, f"the message of {command[0]} is: {done.stderr}")

    clients = ["scenectl", "status"], ["scene", "packing"]
    for client in clients:
        refused(77, "belongs to user 0, not to user", *client)
    refused(77, "choose another path with --state", "scened", "-S", home + "/sock",
            "--state", trial.place + "/state")
    refused(77, "choose another path with -S", "scened", "-S", trial.place + "/sock",
            "--state", home + "/state")
    # The modes of the state alone must protect it.
    os.chmod(trial.place, 0o755)
    for name in os.listdir(trial.place + "/state"):
        done = subprocess.run([*become, "cat", f"{trial.place}/state/{name}"], capture_output=True)
        trial.expect(done.returncode != 0, f"another user reads {name}")
    os.chmod(trial.place, 0o700)
    # The socket alone, with any mode, in a directory of the other user.
    os.chmod(trial.place + "/sock", 0o666)
    public = home + "/public"
    open(public, "w").close()
    disks.run("mount", "--bind", trial.place + "/sock", public)
    trial.callback(subprocess.run, ["umount", public])
    for client in clients:
        refused(77, "this broker belongs to user 0", *client, SCENE_SOCKET=public)
    trial.end(broker)
    trial.next_start()


# The shell commands that place something hostile at the path $0. $1 is a file of another user.
HOSTILE = {
    "a symbolic link": 'ln -s "$1" "$0"',
    "a dangling link": 'ln -s /no/such/file "$0"',
    "a hard link": 'ln "$1" "$0"',
    "a FIFO": 'mkfifo -m 600 "$0"',
    "a device": 'mknod -m 600 "$0" c 1 5',
    "a directory": 'mkdir -m 700 "$0"',
    "an empty file": 'install -m 600 /dev/null "$0"',
    "a file of another user": 'cp -rp "$0.away" "$0" && chown 54321 "$0"',
    "a file that all can write": 'cp -rp "$0.away" "$0" && chmod 777 "$0"',
}


def start_beside(trial, path, what):
    """With an obstacle at a path, scened loses nothing, or names the path and a remedy."""
    broker = trial.run_scened()
    if broker.is_ready():
        problem = trial.workload.lost()
        trial.expect(not problem, f"{what}: {problem}")
        return trial.end(broker)
    client = trial.run("scenectl", "status")
    trial.expect(client.returncode == 69, f"{what}: scenectl ends with {client.returncode}")
    status, message = broker.wait(), broker.message()
    trial.expect(status in (65, 78), f"{what}: scened ends with {status}")
    trial.expect(path in message and re.search("; |Restore|Otherwise", message),
                 f"{what}: the message is: {message}")


@check
def hostile_directories(trial):
    """links, FIFOs, devices, directories and foreign files at each path of the broker"""
    broker = trial.start()
    for _ in range(3):
        trial.save_one()
    trial.end(broker)
    precious = trial.place + "/precious"
    with open(precious, "w") as file:
        file.write("text")
    names = ["state", "sock", "sock.lock"] + [
        "state/" + name for name in os.listdir(trial.place + "/state")]
    for name in names:
        path = f"{trial.place}/{name}"
        for what, command in HOSTILE.items():
            # An empty directory is a new state.
            if (name, what) == ("state", "a directory"):
                continue
            # A broker that has ended leaves no socket to copy.
            if name == "sock" and ".away" in command:
                continue
            trial.round += 1
            if os.path.lexists(path):
                os.rename(path, path + ".away")
            place = subprocess.run(["sh", "-c", command, path, precious], capture_output=True)
            if place.returncode:
                raise disks.Missing(f"{what} at {name}: {place.stderr.decode().strip()}")
            start_beside(trial, path, f"{what} at {name}")
            with open(precious) as file:
                trial.expect(file.read() == "text", f"{what} at {name}: its target changed")
            subprocess.run(["rm", "-rf", path])
            if os.path.lexists(path + ".away"):
                os.rename(path + ".away", path)
    trial.next_start()
