#if canImport(Darwin)
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

    /// Nil: the system does not report it.
    package var failureBeforeReaping: ProcessEnd? { nil }

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

  extension ProcessUsage {
    /// Empty: the system does not report them.
    package static var all: [ProcessUsage] { [] }

    /// Nil: the system does not report it.
    static func of(_ pid: Int32) -> ProcessUsage? { nil }
  }

  func openProcess(_ number: Int32) -> FileDescriptor? { nil }

  func signalProcess(_ process: Int32, _ signal: Int32) -> Int32 { -1 }

  extension ProcessIdentity {
    /// Whether a debugger is attached to the process; false if the system does not report it.
    package static func isTraced(_ pid: Int32) -> Bool {
      var name: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PID, pid]
      var process = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.stride
      guard sysctl(&name, 4, &process, &size, nil, 0) == 0, size > 0 else { return false }
      return process.kp_proc.p_flag & P_TRACED != 0
    }
  }

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

  extension ProcessGroup {
    /// The running members, sorted by process ID.
    package var members: [Int32] {
      var name: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PGRP, number]
      let stride = MemoryLayout<kinfo_proc>.stride
      var size = 0
      guard sysctl(&name, 4, nil, &size, nil, 0) == 0 else { return [] }
      var list = [kinfo_proc](repeating: kinfo_proc(), count: size / stride + 16)
      size = list.count * stride
      guard sysctl(&name, 4, &list, &size, nil, 0) == 0 else { return [] }
      return list[..<(size / stride)].map(\.kp_proc.p_pid).sorted().filter(contains)
    }

    /// Whether a process is a running member.
    package func contains(_ process: Int32) -> Bool {
      getpgid(process) == number && !ProcessIdentity.isEnding(process)
    }
  }

  extension MarkedProcesses {
    static func running<Mark>(
      _ mark: ([ContiguousArray<UInt8>.SubSequence]) -> Mark?
    ) -> [(process: ProcessIdentity, mark: Mark)] {
      []
    }
  }

  extension ProcessIdentity {
    /// The file at an absolute path as the process sees it, for example in a container. Nil if
    /// there is none, or if the system does not report it.
    package func file(at path: String) -> FileIdentity? {
      nil
    }
  }

  extension OpenDescriptors {
    static func kinds(of pid: Int32) -> [(kind: String, name: String)]? {
      let size = Int32(MemoryLayout<proc_fdinfo>.stride)
      let byteCount = proc_pidinfo(pid, PROC_PIDLISTFDS, 0, nil, 0)
      guard byteCount > 0 else { return nil }
      var list = [proc_fdinfo](repeating: proc_fdinfo(), count: Int(byteCount / size) + 16)
      let filled = proc_pidinfo(pid, PROC_PIDLISTFDS, 0, &list, Int32(list.count) * size)
      guard filled > 0 else { return nil }
      return list[..<Int(filled / size)].map { descriptor in
        switch Int32(bitPattern: descriptor.proc_fdtype) {
        case PROX_FDTYPE_SOCKET: ("socket", "")
        case PROX_FDTYPE_PIPE: ("pipe", "")
        case PROX_FDTYPE_KQUEUE: ("kqueue", "")
        case PROX_FDTYPE_VNODE: ("file", "")
        default: ("descriptor", "")
        }
      }
    }
  }
#endif
