#!/usr/bin/env python3
"""A scene with the fault that the argument names, and without an argument no fault."""
import json, os, signal, socket, struct, sys

fault = sys.argv[1] if sys.argv[1:] else ""
broker = socket.socket(socket.AF_UNIX)
broker.connect(os.environ["SCENE_SOCKET"])
callbacks = ["willConnect", "willEnterForeground", "didBecomeActive", "willResignActive",
             "didEnterBackground", "stateRestorationActivity", "didDisconnect"]
activity = {"activityType": "com.example.bad", "userInfo": {"line": 1}}

def send(**message):
    if fault == "no-id" and "result" in message:
        del message["id"]
    version = {} if fault == "no-version" and "result" in message else {"jsonrpc": "2.0"}
    text = json.dumps({**version, **message}).encode()
    broker.sendall(struct.pack(">I", len(text)) + text)

def read(count):
    return broker.recv(count, 0 if fault == "reads-once" else socket.MSG_WAITALL)

def receive():
    header = read(4)
    if header:
        return json.loads(read(*struct.unpack(">I", header)))
    if fault == "dies-with-broker":
        os.kill(os.getpid(), signal.SIGABRT)
    if fault == "waits-for-ever":
        signal.pause()
    sys.exit(1)

if fault != "asks-first":
    send(id=1, method="initialize", params={"protocol": {"min": 1, "max": 1}, "client": {"name": "bad"}})
send(id="x" * 65 if fault == "odd-request-id" else 2, method="scene/connect", params={"new": True} if fault == "always-new" else {})
while True:
    message = receive()
    method, number, params = message.get("method"), message.get("id"), message.get("params", {})
    if method is None:
        continue
    if number is None:
        if fault == "answers-notifications" and method == "scene/fromTheFuture":
            send(id=1, result={})
        continue
    name, result = method.split("/")[1], {}
    if name == "willConnect" and fault == "refuses-again" and not params["isNew"]:
        os._exit(3)
    if name == "didEnterBackground" and fault == "hangs":
        continue
    if name == "willResignActive" and fault == "text-id":
        number = str(number)
    if name == "didBecomeActive" and fault == "torn-frame":
        broker.sendall(struct.pack(">I", 100) + b'{"jsonrpc"')
        sys.exit(0)
    if fault == "strict" and "fromTheFuture" in params or fault == "strict-frame" and "fromTheFuture" in message:
        os._exit(3)
    if name == "stateRestorationActivity":
        if fault == "forgets" and not was_new:
            activity = None
        result = {"activity": "line 1" if fault == "odd-activity" else activity}
    if name == "willConnect":
        was_new = params["isNew"]
    if name in callbacks or fault == "says-yes":
        send(id=number, result=result)
    else:
        send(id=number, error={"code": -32601, "message": "unknown here"})
    if name == "didEnterBackground" and fault == "answers-twice":
        send(id=number, result=result)
    if name == "didDisconnect":
        sys.exit(0)
