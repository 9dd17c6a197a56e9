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
