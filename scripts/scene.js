#!/usr/bin/env node
// A scene in JavaScript. After kill -9, the next run continues at the saved line.
const net = require("node:net");
const os = require("node:os");

const runtime = process.env.XDG_RUNTIME_DIR;
const place = runtime ? `${runtime}/scened/default.sock` : `${os.homedir()}/.local/state/scened/default/sock`;
const path = process.env.SCENE_SOCKET || place;
const [name] = process.argv.slice(2);
const note = { activityType: "com.example.note", userInfo: { line: 0 } };
const broker = net.connect(path);

function exit(message, code = 1) {
  console.error(message);
  process.exit(code);
}

function send(message) {
  const text = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  broker.write(Buffer.concat([length, text]));
}

const nothing = () => ({});
const answers = {
  "scene/willConnect": ({ sceneSession }) => {
    note.userInfo.line = sceneSession.stateRestorationActivity?.userInfo.line ?? 0;
    return {};
  },
  "scene/willEnterForeground": nothing,
  "scene/didBecomeActive": ({ session }) => {
    note.userInfo.line += 1;
    send({ id: "save", method: "session/saveActivity", params: { session, activity: note } });
    return {};
  },
  "scene/willResignActive": nothing,
  "scene/didEnterBackground": nothing,
  "scene/stateRestorationActivity": () => ({ activity: note }),
  "scene/didDisconnect": nothing,
  "scene/ping": nothing,
};

function receive({ id, method, params, error }) {
  if (error) exit(error.message);
  if (id === "save") console.log("at line", note.userInfo.line, "- saved");
  if (method in answers) {
    send({ id, result: answers[method](params) });
  } else if (method && id !== undefined) {
    send({ id, error: { code: -32601, message: `this client has no method ${method}` } });
  }
  if (method === "scene/didDisconnect") broker.end(() => process.exit());
}

let input = Buffer.alloc(0);
broker.on("data", (bytes) => {
  input = Buffer.concat([input, bytes]);
  while (input.length >= 4 && input.length >= 4 + input.readUInt32BE()) {
    const end = 4 + input.readUInt32BE();
    receive(JSON.parse(input.subarray(4, end)));
    input = input.subarray(end);
  }
});
broker.on("error", () => exit(`no broker listens at ${path}`, 69));
broker.on("close", () => exit("the connection to the broker ended"));

const hello = { protocol: { min: 1, max: 1 }, client: { name: "scene.js" } };
send({ id: "hello", method: "initialize", params: hello });
send({ id: "scene", method: "scene/connect", params: { name } });
