extension ChildProcess {
  /// The output of a short program without input; nil if it fails, or does not end in time.
  package static func output(of words: [String], within nanoseconds: Int64) -> String? {
    guard let name = words.first, let null = try? File.open("/dev/null", [.read, .write]),
      var pipe = try? FileDescriptor.pipe()
    else { return nil }
    let reader = pipe.takeFirst()
    let child: ChildProcess
    do {
      let writer = pipe.takeSecond()
      let spawned = try? spawn(
        name, Array(words.dropFirst()),
        descriptors: [0: null.number, 1: writer.number, 2: null.number], group: 0)
      guard let spawned else { return nil }
      child = spawned
    }
    let bytes = reader.readToEnd(until: SystemClock.monotonic() + nanoseconds)
    if bytes == nil { try? child.send(.kill) }
    guard let end = try? child.reap(), end.isSuccess, let bytes else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The end of a short program. At the deadline the program is killed, and the result is nil.
  package func reap(until deadline: Int64) -> ProcessEnd? {
    while true {
      if let end = reapIfEnded() { return end }
      guard SystemClock.monotonic() < deadline else { break }
      SystemClock.wait(until: SystemClock.monotonic() + 1_000_000)
    }
    try? send(.kill)
    _ = try? reap()
    return nil
  }
}

extension FileDescriptor {
  private static let shortOutput = 1 << 16

  /// The bytes before the end of a pipe; nil without an end by this time.
  fileprivate borrowing func readToEnd(until deadline: Int64) -> ContiguousArray<UInt8>? {
    var bytes: ContiguousArray<UInt8> = []
    while bytes.count < Self.shortOutput {
      let left = deadline - SystemClock.monotonic()
      guard left > 0, (try? waitReadable(nanoseconds: left)) == true else { return nil }
      let outcome = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { room in
        let outcome = readAvailable(into: room)
        if case .bytes(let count) = outcome { bytes.append(contentsOf: room[..<count]) }
        return outcome
      }
      switch outcome {
      case .bytes, .wouldBlock: continue
      case .end: return bytes
      case .failed: return nil
      }
    }
    return nil
  }
}
