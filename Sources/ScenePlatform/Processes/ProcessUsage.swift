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

  /// The memory of a process and its descendants; nil if the system does not report it.
  package static func residentBytes(
    ofTree pid: Int32, listsChildren: Bool = ProcessIdentity.listsChildren
  ) -> Int64? {
    guard let process = of(pid) else { return nil }
    let children = listsChildren ? nil : Dictionary(grouping: all, by: \.parent)
    var (bytes, rest) = (Int64(0), [process])
    while let process = rest.popLast() {
      bytes += process.residentBytes
      let pid = process.process.pid
      rest +=
        children.map { $0[pid] ?? [] }
        ?? ProcessIdentity.childNumbers(of: pid).compactMap(of)
    }
    return bytes
  }
}
