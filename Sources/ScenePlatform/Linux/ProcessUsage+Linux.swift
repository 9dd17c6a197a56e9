extension ProcessUsage {
  /// All processes; empty if the system does not report them.
  package static var all: [ProcessUsage] {
    let pageBytes = Int64(sysconf(Int32(_SC_PAGESIZE)))
    let nanosecondsPerTick = 1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK)))
    let names = (try? Directory.list("/proc")) ?? []
    return names.compactMap { Int32($0) }.compactMap { pid in
      (try? File.read("/proc/\(pid)/stat", limit: 4096)).flatMap { line in
        ProcessUsage(
          of: pid, parsing: line, nanosecondsPerTick: nanosecondsPerTick, pageBytes: pageBytes)
      }
    }
  }
}
