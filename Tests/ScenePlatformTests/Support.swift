import ScenePlatform

/// Makes a directory for `body`, and removes it afterwards.
func withDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
  let path = try Directory.makeTemporary(prefix: "platform-test")
  defer { try? Directory.removeTree(path) }
  return try body(path)
}

/// The ready events of a poller. Waits without limit by default.
func events(of poller: Poller, nanoseconds: Int64? = nil) throws -> [PollEvent] {
  var events = ContiguousArray<PollEvent>()
  try poller.wait(nanoseconds: nanoseconds, into: &events)
  return events.sorted { $0.token < $1.token }
}

extension FileDescriptor {
  /// Receives the available text.
  func receiveText(limit: Int = 4096) -> String? {
    var buffer = [UInt8](repeating: 0, count: limit)
    let outcome = buffer.withUnsafeMutableBytes { receive(into: $0) }
    guard case .bytes(let count) = outcome else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// The outcome of a receive call.
  func receiveOutcome() -> ReceiveOutcome {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { receive(into: $0) }
  }

  /// The outcome of a read call.
  func readOutcome() -> ReceiveOutcome {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { readAvailable(into: $0) }
  }

  /// Sends a text.
  func sendText(_ text: String) -> SendOutcome {
    send(ContiguousArray(text.utf8).span.bytes)
  }
}

/// Runs a shell script. Returns its output and its end.
func shell(
  _ script: String, environment: [String: String]? = nil, descriptors: [Int32: Int32] = [:],
  workingDirectory: String? = nil, group: Int32? = nil
) throws -> (output: String, end: ProcessEnd) {
  var pipe = try FileDescriptor.pipe()
  let reading = pipe.takeFirst()
  let writing = pipe.takeSecond()
  var all = descriptors
  all[1] = writing.number
  let child = try ChildProcess.spawn(
    "/bin/sh", ["-c", script], environment: environment, descriptors: all,
    workingDirectory: workingDirectory, group: group)
  writing.close()
  let output = String(decoding: try reading.readToEnd(), as: UTF8.self)
  return (output, try child.reap())
}
