#!/usr/bin/env python3
"""A scene in Python. After kill -9, the next run continues at the saved line."""
import json, os, socket, struct, sys

runtime = os.environ.get("XDG_RUNTIME_DIR")
place = runtime + "/scened/default.sock" if runtime else "~/.local/state/scened/default/sock"
path = os.environ.get("SCENE_SOCKET") or os.path.expanduser(place)
broker = socket.socket(socket.AF_UNIX)
if broker.connect_ex(path):
    sys.exit(print("no broker listens at", path, file=sys.stderr) or 69)
option = (socket.SOL_SOCKET, socket.SO_PEERCRED) if sys.platform == "linux" else (0, 1)  # LOCAL_PEERCRED
user = struct.unpack("3i", broker.getsockopt(*option, 12))[1]
if user not in (0, os.geteuid()):
    other = f"the broker at {path} runs as user {user}, and this process as user {os.geteuid()}"
    sys.exit(print(other, file=sys.stderr) or 77)

def send(**message):
    text = json.dumps({"jsonrpc": "2.0", **message}).encode()
    broker.sendall(struct.pack(">I", len(text)) + text)

note = {"activityType": "com.example.note", "userInfo": {"line": 0}}
names = "willConnect willEnterForeground didBecomeActive willResignActive didEnterBackground didDisconnect ping"
answers = {"scene/" + name: {} for name in names.split()} | {"scene/stateRestorationActivity": {"activity": note}}
launch = None if sys.argv[1:] else os.environ.get("SCENE_LAUNCH")
process, _, reopened = os.environ.get("SCENE_REOPEN", "").partition(":")
scene = {"session": reopened} if process == str(os.getpid()) else dict(zip(["name"], sys.argv[1:]))
scene["program"] = {"arguments": sys.argv, "directory": os.getcwd(), "connects": True}
hello = {"protocol": {"min": 1, "max": 1}, "client": {"name": "scene.py"}, "launch": launch}
send(id="hello", method="initialize", params=hello)
if not launch:
    send(id="scene", method="scene/connect", params=scene)
while header := broker.recv(4, socket.MSG_WAITALL):
    message = json.loads(broker.recv(*struct.unpack(">I", header), socket.MSG_WAITALL))
    method, params = message.get("method"), message.get("params")
    if "error" in message:
        sys.exit(repr(message["error"]["message"])[1:-1])
    if message.get("id") == "save":
        print("at line", note["userInfo"]["line"], "- saved", flush=True)
    if method == "scene/willConnect":
        before = params["sceneSession"]["stateRestorationActivity"] or note
        note["userInfo"]["line"] = before["userInfo"].get("line", 0)
    if method == "scene/didBecomeActive":
        note["userInfo"]["line"] += 1
        send(id="save", method="session/saveActivity", params={"session": params["session"], "activity": note})
        # Each string of JSON is a text of a predicate.
        prefers = {"prefersToActivate": "self == " + json.dumps("note/" + "".join(sys.argv[1:]))}
        send(id="prefer", method="scene/update", params={"session": params["session"], "activationConditions": prefers})
    if method in answers:
        send(id=message["id"], result=answers[method])
    elif method and "id" in message:
        send(id=message["id"], error={"code": -32601, "message": "this client has no method " + method})
    if method == "scene/didDisconnect":
        sys.exit()
sys.exit("the connection to the broker ended")
