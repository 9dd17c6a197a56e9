// A scene in Rust. After kill -9, the next run continues at the saved line.
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::env;

/// The JSON text of a member of an object. The standard library has no JSON reader.
fn member<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    let (mut depth, mut quoted, mut escaped, mut start, mut key) = (0, false, false, 1, "");
    for (place, byte) in json.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b':' if depth == 1 => (key, start) = (json[start..place].trim().trim_matches('"'), place + 1),
            b',' | b'}' if depth == 1 && key == name => return Some(json[start..place].trim()),
            b',' if depth == 1 => start = place + 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn send(mut broker: &UnixStream, members: String) {
    let text = format!(r#"{{"jsonrpc":"2.0",{members}}}"#);
    let _ = broker.write_all(&[&(text.len() as u32).to_be_bytes(), text.as_bytes()].concat());
}

fn receive(mut broker: &UnixStream) -> Option<String> {
    let mut length = [0; 4];
    broker.read_exact(&mut length).ok()?;
    let mut text = vec![0; u32::from_be_bytes(length) as usize];
    broker.read_exact(&mut text).ok()?;
    String::from_utf8(text).ok()
}

fn main() -> Result<(), String> {
    let variable = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let runtime = || variable("XDG_RUNTIME_DIR").map(|place| place + "/scened/default.sock");
    let home = || variable("HOME").unwrap_or_default() + "/.local/state/scened/default/sock";
    let path = variable("SCENE_SOCKET").or_else(runtime).unwrap_or_else(home);
    let broker = &UnixStream::connect(&path).map_err(|_| format!("no broker listens at {path}"))?;
    let hello = r#""protocol":{"min":1,"max":1},"client":{"name":"scene.rs"}"#;
    let name = env::args().nth(1).map_or("null".into(), |name| format!("{name:?}"));
    send(broker, format!(r#""id":"hello","method":"initialize","params":{{{hello}}}"#));
    send(broker, format!(r#""id":"scene","method":"scene/connect","params":{{"name":{name}}}"#));
    let note = |line: i64| format!(r#"{{"activityType":"com.example.note","userInfo":{{"line":{line}}}}}"#);
    let mut line = 0;
    while let Some(message) = receive(broker) {
        let (id, params) = (member(&message, "id"), member(&message, "params").unwrap_or("{}"));
        let method = member(&message, "method").map(|text| text.trim_matches('"').trim_start_matches("scene/"));
        let mut answer = r#""result":{}"#.to_string();
        match method {
            Some("willConnect") => {
                let path = ["sceneSession", "stateRestorationActivity", "userInfo", "line"];
                let saved = path.iter().try_fold(params, |json, name| member(json, name));
                line = saved.and_then(|text| text.parse().ok()).unwrap_or(0);
            }
            Some("didBecomeActive") => {
                line += 1;
                let session = member(params, "session").unwrap_or("null");
                let save = format!(r#""session":{session},"activity":{}"#, note(line));
                send(broker, format!(r#""id":"save","method":"session/saveActivity","params":{{{save}}}"#));
            }
            Some("stateRestorationActivity") => answer = format!(r#""result":{{"activity":{}}}"#, note(line)),
            Some("willEnterForeground" | "willResignActive" | "didEnterBackground" | "didDisconnect" | "ping") => {}
            Some(name) => answer = format!(r#""error":{{"code":-32601,"message":"no method {name}"}}"#),
            None if id == Some(r#""save""#) => println!("at line {line} - saved"),
            None => member(&message, "error").map_or(Ok(()), |error| Err(error.to_string()))?,
        }
        if let (Some(name), Some(id)) = (method, id) {
            send(broker, format!(r#""id":{id},{answer}"#));
            if name == "didDisconnect" { return Ok(()) }
        }
    }
    Err("the connection to the broker ended".into())
}
