#!/usr/bin/env python3
"""A scene in Python. Run it, kill it with -9, run it again: it goes on where it was."""
import json, os, socket, struct, sys

home = os.path.expanduser("~/.local/state/scened/default/sock")
runtime = os.environ.get("XDG_RUNTIME_DIR")
path = os.environ.get("SCENE_SOCKET") or (runtime and runtime + "/scened/default.sock") or home
broker = socket.socket(socket.AF_UNIX)
broker.connect(path)

def send(**message):
    text = json.dumps({"jsonrpc": "2.0", **message}).encode()
    broker.sendall(struct.pack(">I", len(text)) + text)

def receive(stream=broker.makefile("rb")):
    header = stream.read(4) or sys.exit("the broker is gone")
    return json.loads(stream.read(*struct.unpack(">I", header)))

def activity():
    return {"activityType": "com.example.note", "userInfo": {"line": line}}

callbacks = ["scene/" + name for name in """willConnect willEnterForeground didBecomeActive willResignActive
    didEnterBackground stateRestorationActivity didDisconnect""".split()]
send(id=1, method="initialize", params={"protocol": {"min": 1, "max": 1}, "client": {"name": "scene.py"}})
send(id=2, method="scene/connect", params={"name": sys.argv[1]} if sys.argv[1:] else {})
while message := receive():
    method, params, result = message.get("method"), message.get("params"), {}
    if method == "scene/willConnect":
        before = params["sceneSession"]["stateRestorationActivity"]
        line = before["userInfo"].get("line", 0) if before else 0
    elif method == "scene/didBecomeActive":
        line += 1
        send(id=3, method="session/saveActivity", params={"session": params["session"], "activity": activity()})
    elif method == "scene/stateRestorationActivity":
        result = {"activity": activity()}
    elif message.get("id") == 3:
        print("at line", line, "- saved", flush=True)
    if method in callbacks:
        send(id=message["id"], result=result)
    elif method and "id" in message:
        send(id=message["id"], error={"code": -32601, "message": "unknown here"})
    if method == "scene/didDisconnect":
        sys.exit()
    if "error" in message:
        sys.exit(message["error"]["message"].split(";")[0])
