/// A process, told apart from a later one that was given the same number.
package struct ClientProcess: Hashable, Sendable {
  package var pid: Int64
  /// When it started, in the kernel's own units; 0 where that is not known.
  package var startTime: UInt64

  package init(pid: Int64, startTime: UInt64) {
    self.pid = pid
    self.startTime = startTime
  }
}

extension ClientProcess: JSONStructure {
  package init() { self.init(pid: 0, startTime: 0) }

  package mutating func members<Visitor: MemberVisitor>(
    _ visitor: inout Visitor
  ) throws(Visitor.Failure) {
    try visitor.required("pid", &pid)
    try visitor.required("started", &startTime)
  }
}
