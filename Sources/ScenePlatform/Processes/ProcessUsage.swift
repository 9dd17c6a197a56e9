/// The memory and the CPU time of a process.
package struct ProcessUsage: Equatable, Sendable {
  package var process: ProcessIdentity
  package var parent: Int32
  /// The CPU time of all its threads since its start, in nanoseconds.
  package var cpuTime: Int64
  package var residentBytes: Int64

  package init(process: ProcessIdentity, parent: Int32, cpuTime: Int64, residentBytes: Int64) {
    self.process = process
    self.parent = parent
    self.cpuTime = cpuTime
    self.residentBytes = residentBytes
  }
}

extension ProcessUsage {
  /// Parses the line of `/proc/PID/stat`; nil if the format is unexpected.
  package init?(
    of pid: Int32, parsing line: some BidirectionalCollection<UInt8>, nanosecondsPerTick: Int64,
    pageBytes: Int64
  ) {
    // The name in parentheses can contain any byte.
    guard let name = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = line[line.index(after: name)...].split(separator: UInt8(ascii: " "))
    /// The numbers of proc(5); the third field is the first behind the name.
    func field(_ number: Int) -> Int64? {
      guard number - 3 < fields.count else { return nil }
      return Int64(String(decoding: fields[number - 3], as: UTF8.self))
    }
    guard let parent = field(4), let user = field(14), let system = field(15),
      let start = field(22), let pages = field(24)
    else { return nil }
    self.init(
      process: ProcessIdentity(pid: pid, startTime: UInt64(clamping: start)),
      parent: Int32(clamping: parent), cpuTime: (user &+ system) &* nanosecondsPerTick,
      residentBytes: pages &* pageBytes)
  }
}
