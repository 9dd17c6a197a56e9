#if canImport(Darwin)
  import Darwin
#endif

extension ProcessIdentity {
  /// Whether a debugger is attached to the process; false if the system does not report it.
  package static func isTraced(_ pid: Int32) -> Bool {
    #if canImport(Darwin)
      var name: [Int32] = [CTL_KERN, KERN_PROC, KERN_PROC_PID, pid]
      var process = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.stride
      guard sysctl(&name, 4, &process, &size, nil, 0) == 0, size > 0 else { return false }
      return process.kp_proc.p_flag & P_TRACED != 0
    #else
      guard let status = try? File.read("/proc/\(pid)/status", limit: 64 << 10) else {
        return false
      }
      let prefix = "TracerPid:"
      let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix(prefix) }
      let tracer = line?.dropFirst(prefix.count).drop { $0 == "\t" || $0 == " " }
      return tracer.map { $0 != "0" } ?? false
    #endif
  }
}
