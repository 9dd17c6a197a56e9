import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The owner of an open file, socket or pipe: it is closed once, when the owner ends.
///
/// Every descriptor made by this module is closed on exec.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The kernel's number; borrowed, never to be closed by others.
  package let number: Int32

  /// Takes a number over that nobody else will close.
  package init(adopting number: Int32) {
    self.number = number
  }

  deinit {
    closeIgnoringErrors(number)
  }

  /// Closes now rather than at the end of the owner's life.
  package consuming func close() {
    closeIgnoringErrors(number)
    discard self
  }

  /// Gives ownership up: whoever takes the number closes it.
  package consuming func release() -> Int32 {
    let number = self.number
    discard self
    return number
  }
}

/// An interrupted close has closed on Linux, and closing again could hit somebody else's file.
private func closeIgnoringErrors(_ number: Int32) {
  #if canImport(Darwin)
    _ = Darwin.close(number)
  #else
    _ = Glibc.close(number)
  #endif
}

extension FileDescriptor {
  /// A descriptor of our own for a number that belongs to somebody else: the lowest free one from
  /// `minimum` on.
  package static func duplicating(
    _ number: Int32, from minimum: Int32 = 3
  ) throws(SystemError) -> FileDescriptor {
    FileDescriptor(adopting: try check("dup") { fcntl(number, F_DUPFD_CLOEXEC, minimum) })
  }

  /// Whether anything is open under this number.
  package static func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) != -1 }

  /// Whether a program started by this one without further ado would see this descriptor.
  package func setCloseOnExec(_ closes: Bool = true) throws(SystemError) {
    let number = self.number
    let flags = try check("fcntl") { fcntl(number, F_GETFD) }
    let wanted = closes ? flags | FD_CLOEXEC : flags & ~FD_CLOEXEC
    if wanted != flags { try check("fcntl") { fcntl(number, F_SETFD, wanted) } }
  }

  /// Whether calls return "would block" rather than wait.
  ///
  /// This belongs to the open file, not to the descriptor: duplicates and other processes that
  /// share it see it too, so a terminal must stay as it is.
  package func setNonblocking(_ nonblocking: Bool = true) throws(SystemError) {
    let number = self.number
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
  /// Two descriptors that were born together; take each once.
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

/// Makes a pipe whose ends no child inherits.
private func closingOnExec(_ numbers: UnsafeMutablePointer<Int32>?) -> Int32 {
  #if canImport(Darwin)
    guard let numbers, Darwin.pipe(numbers) == 0 else { return -1 }
    _ = fcntl(numbers[0], F_SETFD, FD_CLOEXEC)
    _ = fcntl(numbers[1], F_SETFD, FD_CLOEXEC)
    return 0
  #else
    return platform_pipe2(numbers, O_CLOEXEC)
  #endif
}
