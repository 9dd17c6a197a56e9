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
      case UInt8(ascii: "D"): (state, waitsForDisk) = (.running, true)
      case UInt8(ascii: "T"), UInt8(ascii: "t"): break
      case UInt8(ascii: "S"), UInt8(ascii: "I"): if state == .stopped { state = .resting }
      default: state = .running
      }
    }
  }
}

/// The fields of `/proc/PID/task/TID/status` that this module uses.
private struct ThreadStatus {
  let state: UInt8
  let switches: UInt64

  init?(parsing status: ContiguousArray<UInt8>) {
    guard let state = statusValue("State", in: status)?.utf8.first else { return nil }
    self.state = state
    switches = ["voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"].reduce(0) { sum, name in
      sum &+ (statusValue(name, in: status).flatMap { UInt64($0) } ?? 0)
    }
  }
}
