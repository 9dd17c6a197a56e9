/// A process. The start time distinguishes it from a later process with the same number.
package struct ClientProcess: Hashable, Sendable {
  package var pid: Int64
  /// The start time in the kernel's units; 0 if it is unknown.
  package var startTime: UInt64

  package init(pid: Int64, startTime: UInt64) {
    self.pid = pid
    self.startTime = startTime
  }
}

extension ClientProcess: JSONStructure {
  package init() { self.init(pid: 0, startTime: 0) }

  package mutating func visitMembers<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("pid", &pid)
    try visitor.required("started", &startTime)
  }
}
