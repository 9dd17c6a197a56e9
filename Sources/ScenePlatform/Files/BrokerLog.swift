/// The log of a broker that a client started, beside its socket.
///
/// The log of the broker before it stays, because it states why that broker ended. Two files of
/// limited size are in use: a long log becomes the previous one.
package struct BrokerLog: Sendable {
  package let path: String
  /// The log before this one.
  package var previous: String { path + ".old" }

  /// The size in bytes from which on the broker begins another file.
  package static let limit: Int64 = 1 << 20

  package init(besideSocket socket: String) { path = socket + ".log" }

  /// Begins an empty log. Throws at once if the path is no regular file.
  package func begin() throws(SystemError) -> FileDescriptor {
    if let status = try? FileStatus(of: path, followLinks: false) {
      guard status.kind == .regular else {
        throw SystemError(
          call: "open", path: path, code: .exists,
          note: "found \(status.kind.name), not a regular file; move it away")
      }
      if status.size > 0 { try File.rename(path, to: previous) }
    }
    return try File.open(path, [.write, .create, .append, .noFollow, .nonblocking])
  }

  /// Whether standard error of this process is this log, and has reached the limit.
  package var isFull: Bool {
    guard let own = try? FileStatus(of: StandardStream.error), own.size >= Self.limit,
      let status = try? FileStatus(of: path, followLinks: false)
    else { return false }
    return own.identity == status.identity
  }

  /// Makes a new log standard output and standard error of this process.
  package func beginAgain() throws(SystemError) {
    let file = try begin()
    for stream in [StandardStream.output, .error] { try stream.replace(by: file) }
  }
}
