#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The current activity of a process.
package struct ProcessActivity: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    /// A thread runs, is runnable, or waits for a disk.
    case running
    /// All threads sleep.
    case resting
    /// A signal or a debugger stopped the process.
    case stopped
  }

  package var state: State
  /// The number of context switches of all threads. Equal numbers mean that the process did not run
  /// between two reads.
  package var runs: UInt64

  package init(_ state: State, runs: UInt64) {
    self.state = state
    self.runs = runs
  }
}

#if canImport(Glibc)
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
#else
  extension ProcessActivity {
    /// Nil if the process does not exist, or if the system does not report it.
    package init?(of pid: Int32) {
      var task = proc_taskinfo()
      let size = Int32(MemoryLayout<proc_taskinfo>.size)
      guard proc_pidinfo(pid, PROC_PIDTASKINFO, 0, &task, size) == size else { return nil }
      var process = proc_bsdinfo()
      let processSize = Int32(MemoryLayout<proc_bsdinfo>.size)
      guard proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, &process, processSize) == processSize else {
        return nil
      }
      let runs = UInt64(truncatingIfNeeded: task.pti_csw)
      if process.pbi_status == UInt32(SSTOP) {
        self.init(.stopped, runs: runs)
      } else {
        self.init(task.pti_numrunning > 0 ? .running : .resting, runs: runs)
      }
    }
  }
#endif
