extension ProcessIdentity {
  /// Whether a debugger is attached to the process; false if the system does not report it.
  package static func isTraced(_ pid: Int32) -> Bool {
    guard let status = try? File.read("/proc/\(pid)/status", limit: 64 << 10) else {
      return false
    }
    let prefix = "TracerPid:"
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(prefix) }
    let tracer = line?.dropFirst(prefix.count).drop { $0 == "\t" || $0 == " " }
    return tracer.map { $0 != "0" } ?? false
  }
}
