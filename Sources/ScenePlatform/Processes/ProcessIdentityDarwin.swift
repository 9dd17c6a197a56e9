#if canImport(Darwin)
  import Darwin

  extension ProcessIdentity {
    /// The process that has this ID now; nil if there is none.
    package static func of(_ pid: Int32) -> ProcessIdentity? {
      information(pid).map { ProcessIdentity(pid: pid, startTime: $0.startTime) }
    }

    package var liveness: Liveness {
      guard let now = ProcessIdentity.information(pid), now.startTime == startTime else {
        return .gone
      }
      return now.isExiting ? .ending : .running
    }

    /// Whether the process is exiting or gone.
    package static func isEnding(_ pid: Int32) -> Bool {
      information(pid)?.isExiting ?? true
    }

    /// The current parent of a process; nil if the process does not exist.
    package static func parent(of pid: Int32) -> Int32? { information(pid)?.parent }

    private static func information(
      _ pid: Int32
    ) -> (startTime: UInt64, isExiting: Bool, parent: Int32)? {
      var name: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PID, pid]
      var process = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.stride
      guard sysctl(&name, 4, &process, &size, nil, 0) == 0, size > 0 else { return nil }
      let start = process.kp_proc.p_un.__p_starttime
      let microseconds = UInt64(start.tv_sec) * 1_000_000 + UInt64(start.tv_usec)
      let exitingFlag: Int32 = 0x2000
      let isExiting =
        process.kp_proc.p_flag & exitingFlag != 0 || Int32(process.kp_proc.p_stat) == SZOMB
      return (microseconds, isExiting, process.kp_eproc.e_ppid)
    }
  }
#endif
