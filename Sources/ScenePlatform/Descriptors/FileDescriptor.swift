/// The owner of an open file, socket or pipe. The descriptor is closed when the owner is destroyed.
///
/// All descriptors that this module makes are close-on-exec.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The descriptor's number. Only the owner closes it.
  package let number: Int32

  /// Takes ownership of an open descriptor.
  package init(adopting number: Int32) {
    self.number = number
  }

  // Errors are ignored: Linux closes the descriptor even if a signal interrupts the call. A second
  // close could close an unrelated file.
  deinit {
    _ = ScenePlatform.close(number)
  }

  /// Closes the descriptor now.
  package consuming func close() {
    _ = ScenePlatform.close(number)
    discard self
  }

  /// Gives up ownership. The caller closes the descriptor.
  package consuming func release() -> Int32 {
    let number = self.number
    discard self
    return number
  }
}

extension FileDescriptor {
  /// Duplicates a descriptor. The result is the lowest free number ≥ `minimum`.
  package static func duplicating(
    _ number: Int32, from minimum: Int32 = 3
  ) throws(SystemError) -> FileDescriptor {
    FileDescriptor(adopting: try check("dup") { fcntl(number, F_DUPFD_CLOEXEC, minimum) })
  }

  /// Whether the number is an open descriptor.
  package static func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) != -1 }

  /// Sets whether `exec` closes the descriptor.
  package func setCloseOnExec(_ closes: Bool = true) throws(SystemError) {
    try Self.setCloseOnExec(closes, of: number)
  }

  package static func setCloseOnExec(_ closes: Bool, of number: Int32) throws(SystemError) {
    let flags = try check("fcntl") { fcntl(number, F_GETFD) }
    let wanted = closes ? flags | FD_CLOEXEC : flags & ~FD_CLOEXEC
    if wanted != flags { try check("fcntl") { fcntl(number, F_SETFD, wanted) } }
  }

  /// Sets whether calls return "would block" instead of waiting.
  ///
  /// The flag belongs to the open file, so duplicates and other processes share it. Do not set it
  /// on a terminal.
  package func setNonblocking(_ nonblocking: Bool = true) throws(SystemError) {
    let flags = try check("fcntl") { fcntl(number, F_GETFL) }
    let wanted = nonblocking ? flags | O_NONBLOCK : flags & ~O_NONBLOCK
    if wanted != flags { try check("fcntl") { fcntl(number, F_SETFL, wanted) } }
  }

  /// A pipe: what is written to `writing` is read from `reading`.
  package static func pipe() throws(SystemError) -> Pair {
    var numbers: (Int32, Int32) = (-1, -1)
    try withUnsafeMutableBytes(of: &numbers) { (bytes) throws(SystemError) in
      let start = bytes.baseAddress?.assumingMemoryBound(to: Int32.self)
      try check("pipe") { closingOnExec(start) }
    }
    return Pair(FileDescriptor(adopting: numbers.0), FileDescriptor(adopting: numbers.1))
  }
}

extension FileDescriptor {
  /// The two ends of a pipe or socket pair. Take each end once.
  package struct Pair: ~Copyable {
    private var first: FileDescriptor?
    private var second: FileDescriptor?

    init(_ first: consuming FileDescriptor, _ second: consuming FileDescriptor) {
      self.first = consume first
      self.second = consume second
    }

    /// The reading end of a pipe, or one end of a connection.
    package mutating func takeFirst() -> FileDescriptor {
      guard let taken = first.take() else { preconditionFailure("the first was taken before") }
      return taken
    }

    /// The writing end of a pipe, or the other end of a connection.
    package mutating func takeSecond() -> FileDescriptor {
      guard let taken = second.take() else { preconditionFailure("the second was taken before") }
      return taken
    }
  }
}
