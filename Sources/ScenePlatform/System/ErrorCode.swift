/// Why a system call failed: the value of `errno`.
package struct ErrorCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The error of the last failed call of this thread.
  package static var last: ErrorCode { ErrorCode(rawValue: errno) }

  package static var notFound: ErrorCode { ErrorCode(rawValue: ENOENT) }
  package static var exists: ErrorCode { ErrorCode(rawValue: EEXIST) }
  package static var permissionDenied: ErrorCode { ErrorCode(rawValue: EACCES) }
  package static var notPermitted: ErrorCode { ErrorCode(rawValue: EPERM) }
  package static var connectionRefused: ErrorCode { ErrorCode(rawValue: ECONNREFUSED) }
  package static var connectionReset: ErrorCode { ErrorCode(rawValue: ECONNRESET) }
  package static var brokenPipe: ErrorCode { ErrorCode(rawValue: EPIPE) }
  package static var notASocket: ErrorCode { ErrorCode(rawValue: ENOTSOCK) }
  package static var addressInUse: ErrorCode { ErrorCode(rawValue: EADDRINUSE) }
  package static var nameTooLong: ErrorCode { ErrorCode(rawValue: ENAMETOOLONG) }
  package static var noSpace: ErrorCode { ErrorCode(rawValue: ENOSPC) }
  package static var quotaExceeded: ErrorCode { ErrorCode(rawValue: EDQUOT) }
  package static var inputOutput: ErrorCode { ErrorCode(rawValue: EIO) }
  package static var interrupted: ErrorCode { ErrorCode(rawValue: EINTR) }
  package static var tryAgain: ErrorCode { ErrorCode(rawValue: EAGAIN) }
  package static var noSuchProcess: ErrorCode { ErrorCode(rawValue: ESRCH) }
  package static var noChild: ErrorCode { ErrorCode(rawValue: ECHILD) }
  package static var notADirectory: ErrorCode { ErrorCode(rawValue: ENOTDIR) }
  package static var isADirectory: ErrorCode { ErrorCode(rawValue: EISDIR) }
  package static var tooManyLinks: ErrorCode { ErrorCode(rawValue: ELOOP) }
  package static var badDescriptor: ErrorCode { ErrorCode(rawValue: EBADF) }
  package static var invalidArgument: ErrorCode { ErrorCode(rawValue: EINVAL) }
  package static var noSuchAddress: ErrorCode { ErrorCode(rawValue: ENXIO) }
  package static var noBuffers: ErrorCode { ErrorCode(rawValue: ENOBUFS) }
  package static var noMemory: ErrorCode { ErrorCode(rawValue: ENOMEM) }
  package static var fileTooLarge: ErrorCode { ErrorCode(rawValue: EFBIG) }
  package static var notSupported: ErrorCode { ErrorCode(rawValue: EOPNOTSUPP) }
  package static var readOnly: ErrorCode { ErrorCode(rawValue: EROFS) }

  package static var tooManyFiles: ErrorCode { ErrorCode(rawValue: EMFILE) }

  /// The path, or a directory of the path, does not exist.
  package var isNotFound: Bool { self == .notFound || self == .notADirectory }
  /// The disk is full, or the user's quota is used up.
  package var isFull: Bool { self == .noSpace || self == .quotaExceeded }
  /// A nonblocking call would have to wait.
  package var isWouldBlock: Bool { rawValue == EAGAIN || rawValue == EWOULDBLOCK }
  /// The user lacks the permission.
  package var isDenied: Bool {
    self == .permissionDenied || self == .notPermitted || self == .readOnly
  }
  /// The kernel lacks memory for this call at the moment; a later call may succeed.
  package var isOutOfMemory: Bool { rawValue == ENOBUFS || rawValue == ENOMEM }
  /// The process or the system has no descriptor left, or no memory for one.
  package var isOutOfDescriptors: Bool {
    [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(rawValue)
  }
  /// The listening socket itself is broken. All other errors of `accept` concern one connection, or
  /// a temporary lack of memory.
  package var isOfListener: Bool {
    [EBADF, ENOTSOCK, EINVAL, EOPNOTSUPP, EFAULT].contains(rawValue)
  }
  /// The peer has closed the connection.
  package var isDisconnected: Bool {
    self == .brokenPipe || self == .connectionReset || rawValue == ENOTCONN
  }
  /// The file system or the kernel does not support the call.
  package var isUnsupported: Bool {
    rawValue == EOPNOTSUPP || rawValue == ENOTSUP || rawValue == ENOSYS
  }
}

extension ErrorCode: CustomStringConvertible {
  /// The system's message for this code, such as "No such file or directory". A limit that the user
  /// can raise has the remedy.
  package var description: String {
    self == .tooManyFiles
      ? "\(systemText); raise the limit (ulimit -n, or LimitNOFILE= of the unit)" : systemText
  }

  private var systemText: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, strerror_r(rawValue, start, buffer.count) == 0 else {
        return "error \(rawValue)"
      }
      return String(cString: start)
    }
  }
}
