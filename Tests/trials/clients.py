"""A client of the broker, and workloads that remember what the broker acknowledged."""
import itertools, json, random, socket, struct, threading

ANSWER = 5  # the longest wait for an answer, in seconds


class Lost(Exception):
    """The connection to the broker ended, or the broker did not answer."""


class Client:
    def __init__(self, path, kind, wait=ANSWER):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(wait)
        self.count = 0
        self.error = None  # of the last request
        try:
            self.socket.connect(path)
        except OSError as error:
            raise Lost(f"cannot connect: {error}") from error
        hello = {"protocol": {"min": 1, "max": 1}, "client": {"name": "trial"}, "as": kind}
        self.ask("initialize", hello)

    def close(self):
        self.socket.close()

    def send(self, **message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.socket.sendall(struct.pack(">I", len(text)) + text)

    def receive(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise Lost("the connection ended")
            data += part
        return data

    def ask(self, method, params):
        """Returns the result, or None for an error. Answers the callbacks meanwhile."""
        self.count += 1
        self.error = None
        try:
            self.send(id=self.count, method=method, params=params)
            while True:
                message = json.loads(self.receive(*struct.unpack(">I", self.receive(4))))
                if message.get("method") and "id" in message:
                    self.send(id=message["id"], result={})
                elif message.get("id") == self.count:
                    self.error = message.get("error")
                    return message.get("result")
        except OSError as error:
            raise Lost(f"{method} has no answer: {error}") from error


def reason(error):
    """The name of an error of a request; None for no error."""
    return error and error.get("data", {}).get("reason", error["message"])


def stored_number(client, session):
    """The number that a session has saved, 0 for none; None if the session is missing."""
    shown = client.ask("session/show", {"session": session})
    if not shown:
        return None
    activity = shown["sceneSession"]["stateRestorationActivity"]
    return activity["userInfo"]["number"] if activity else 0


class Workload:
    """Saves numbers in sessions, and remembers which are acknowledged."""

    def __init__(self, path, seed=None):
        self.path = path
        self.random = random.Random(seed)  # for the script's main thread
        self.saved = {}  # the acknowledged number of each session
        self.tried = {}  # the numbers of each session whose saves were sent
        self.order = []  # the session and the number of each save that was sent
        self.count = 0  # of the acknowledged saves

    def connect(self, client, name):
        """Returns the session, or None for an error."""
        result = client.ask("scene/connect", {"name": name})
        if result and result["session"] not in self.saved:
            self.saved[result["session"]] = 0
            self.tried[result["session"]] = {0}
            self.order.append((result["session"], 0))
        return result and result["session"]

    def save(self, client, session, number, text=""):
        """Returns whether the broker acknowledged the save."""
        self.tried[session].add(number)
        self.order.append((session, number))
        info = {"number": number, "text": text}
        activity = {"activityType": "com.example.note", "userInfo": info}
        result = client.ask("session/saveActivity", {"session": session, "activity": activity})
        if result:
            self.saved[session] = number
            self.count += 1
        return bool(result)

    def lost(self, saved=None):
        """Compares the acknowledged saves with those of a running broker. Returns a problem."""
        client = Client(self.path, "control")
        if saved is None:
            saved = dict(self.saved)
        for session, number in saved.items():
            found = stored_number(client, session)
            if found is None:
                return f"session {session} is missing"
            if found < number or found not in self.tried[session]:
                return f"session {session} has the number {found}, and {number} was acknowledged"
        client.close()

    def mixed(self):
        """Checks that the broker has the saves of one client up to a moment. Returns a problem, and
        continues with the saves that the broker has."""
        client = Client(self.path, "control")
        found = {session: stored_number(client, session) for session in self.saved}
        client.close()
        moments = [index for index, save in enumerate(self.order) if found[save[0]] == save[1]]
        end = max(moments, default=0)
        early = [save for index, save in enumerate(self.order[:end]) if index not in moments and (
            found[save[0]] is None or save[1] > found[save[0]])]
        self.saved = {session: number for session, number in found.items() if number is not None}
        self.tried = {session: {number} for session, number in self.saved.items()}
        self.order = list(self.saved.items())
        if early:
            return f"the save {early[0]} is missing, and a later save is there"


class Saver(threading.Thread):
    """A client that saves increasing numbers in its sessions in turn, until the broker is lost."""

    def __init__(self, workload, *names, wait=ANSWER):
        super().__init__(daemon=True)
        self.workload, self.names, self.wait = workload, names, wait
        self.random = random.Random(workload.random.random())
        self.is_stopped = False
        self.end = None  # the error that ended the connection
        self.error = None  # of the last refused request
        self.start()

    def run(self):
        try:
            client = Client(self.workload.path, "scene", self.wait)
            sessions = {}
            for name in itertools.cycle(self.names):
                if self.is_stopped:
                    break
                if not sessions.get(name):
                    sessions[name] = self.workload.connect(client, name)
                if sessions[name]:
                    number = max(self.workload.tried[sessions[name]]) + 1
                    text = "x" * self.random.choice([10, 1000, 20_000, 200_000])
                    self.workload.save(client, sessions[name], number, text)
                self.error = client.error or self.error
        except Lost as error:
            self.end = error

    def stop(self):
        self.is_stopped = True
        self.join()
