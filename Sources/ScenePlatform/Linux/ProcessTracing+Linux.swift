extension ProcessIdentity {
  /// Whether a debugger is attached to the process; false if the system does not report it.
  package static func isTraced(_ pid: Int32) -> Bool {
    guard let status = try? File.read("/proc/\(pid)/status", limit: 64 << 10) else {
      return false
    }
    return statusValue("TracerPid", in: status) ?? "0" != "0"
  }
}
