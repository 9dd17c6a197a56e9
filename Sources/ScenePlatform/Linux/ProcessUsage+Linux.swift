extension ProcessUsage {
  /// The usage of one process; nil if it does not exist.
  static func of(_ pid: Int32) -> ProcessUsage? {
    let pageBytes = Int64(sysconf(Int32(_SC_PAGESIZE)))
    let nanosecondsPerTick = 1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK)))
    return ProcessIdentity.record(of: pid).map { record in
      ProcessUsage(
        process: ProcessIdentity(pid: pid, startTime: record.startTime), parent: record.parent,
        cpuTime: Int64(clamping: record.cpuTicks) &* nanosecondsPerTick,
        residentBytes: Int64(clamping: record.residentPages) &* pageBytes)
    }
  }

  /// All processes; empty if the system does not report them.
  package static var all: [ProcessUsage] {
    ((try? Directory.list("/proc")) ?? []).compactMap { Int32($0).flatMap(of) }
  }
}
