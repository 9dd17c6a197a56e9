/// A source of reports that memory is short. Its descriptor is ready after a report, until
/// ``drain()``.
package final class PressureSource {
  /// The name of the reporter for users, such as "systemd" or "kernel".
  package let name: String
  /// The interest for a poller.
  package let interest: PollInterest
  /// The file with the kernel's figures of the memory that the source watches.
  package let figuresPath: String
  private let descriptor: FileDescriptor
  /// Keeps the object alive that reports from a thread of this process.
  private let reporter: AnyObject?

  package var number: Int32 { descriptor.number }

  init(
    _ name: String, _ descriptor: consuming FileDescriptor, _ interest: PollInterest,
    figures: String = PressureSource.systemPath, reporter: AnyObject? = nil
  ) {
    self.name = name
    self.descriptor = descriptor
    self.interest = interest
    figuresPath = figures
    self.reporter = reporter
  }

  /// Opens the FIFO, the socket or the kernel's file that the service manager names. A socket and a
  /// file get `bytes` first. A FIFO gets none, because this process would read them as a report.
  package convenience init(
    watching path: String, writing bytes: ContiguousArray<UInt8>
  ) throws(SystemError) {
    let kind = try FileStatus(of: path).kind
    switch kind {
    case .socket:
      let socket = try UnixSocket.connect(to: path, within: 1_000_000_000)
      try socket.write(bytes.span.bytes)
      try socket.setNonblocking()
      self.init("systemd", socket, .readable)
    case .pipe:
      // This process also has the writing end. Without a writer, the poller reports the end of the
      // FIFO in each iteration.
      self.init("systemd", try File.open(path, [.read, .write, .nonblocking]), .readable)
    case .regular: try self.init("systemd", kernelFile: path, bytes)
    default: throw Self.isUnfit(path, kind)
    }
  }

  private static func isUnfit(_ path: String, _ kind: FileStatus.Kind) -> SystemError {
    SystemError(
      call: "open", path: path, code: .invalidArgument,
      note: "expected a FIFO, a socket or a file with the kernel's pressure figures, found "
        + kind.name)
  }

  /// Adds the source to a poller, which refuses a file that reports nothing.
  package func add(to poller: Poller, token: UInt64) throws(SystemError) {
    do throws(SystemError) {
      try poller.add(number, token: token, interest: interest)
    } catch {
      throw error.code == .notPermitted ? Self.isUnfit(figuresPath, .regular) : error
    }
  }

  /// Opens a file of the kernel with pressure figures, and writes `bytes`, the trigger.
  convenience init(
    _ name: String, kernelFile path: String, _ bytes: ContiguousArray<UInt8>
  ) throws(SystemError) {
    let options: OpenOptions = bytes.isEmpty ? [] : .write
    let file = try File.open(path, options.union([.read, .nonblocking]))
    do throws(SystemError) {
      try file.write(bytes.span.bytes)
    } catch {
      throw error.about(path)
    }
    self.init(name, file, .priority, figures: path)
  }

  /// Whether `path` names the FIFO or the file that this source reads. The connection to a socket
  /// ends with that socket.
  package func reads(_ path: String) -> Bool {
    guard let status = try? FileStatus(of: path) else { return false }
    return status.kind == .socket || status.identity == (try? descriptor.status().identity)
  }

  /// Reads the reports so far. Returns false if the source has ended.
  package func drain() -> Bool {
    // The kernel clears the report of its file when the poller returns it.
    guard interest == .readable else { return true }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      // The limit is the size of a FIFO, 64 KiB. Without it, a fast writer blocks this process.
      for _ in 0..<16 {
        switch descriptor.readAvailable(into: buffer) {
        case .bytes: continue
        case .wouldBlock: return true
        case .end, .failed: return false
        }
      }
      return true
    }
  }

  /// The first figure in a file of the kernel, such as "some avg10=12.40"; nil without a figure.
  package static func average(in path: String) -> String? {
    guard let bytes = try? File.readRegular(path, limit: 4096) else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").prefix(2)
    return words.first == "some" ? words.joined(separator: " ") : nil
  }
}
