extension ProcessActivity {
  /// Nil if the process does not exist, or if the system does not report it.
  package init?(of pid: Int32) {
    let directory = "/proc/\(pid)/task"
    guard let threads = try? Directory.list(directory), !threads.isEmpty else { return nil }
    self.init(.stopped, runs: 0)
    for thread in threads {
      // A thread that has just ended has run.
      guard let status = try? File.read("\(directory)/\(thread)/status", limit: 64 << 10),
        let thread = ThreadStatus(parsing: status)
      else {
        state = .running
        continue
      }
      runs &+= thread.switches
      switch thread.state {
      case UInt8(ascii: "T"), UInt8(ascii: "t"): break
      case UInt8(ascii: "S"), UInt8(ascii: "I"): if state == .stopped { state = .resting }
      default: state = .running
      }
    }
  }
}

/// The fields of `/proc/PID/task/TID/status` that this module uses.
private struct ThreadStatus {
  var state: UInt8 = 0
  var switches: UInt64 = 0

  init?(parsing status: ContiguousArray<UInt8>) {
    for line in status.split(separator: UInt8(ascii: "\n")) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == 0x09 || $0 == 0x20 }
      if line[..<colon].elementsEqual("State".utf8) {
        state = value.first ?? 0
      } else if line[..<colon].elementsEqual("voluntary_ctxt_switches".utf8)
        || line[..<colon].elementsEqual("nonvoluntary_ctxt_switches".utf8)
      {
        switches &+= UInt64(String(decoding: value, as: UTF8.self)) ?? 0
      }
    }
    if state == 0 { return nil }
  }
}
