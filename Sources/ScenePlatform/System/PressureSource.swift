/// Reports that memory is short. Its descriptor is ready from a report until ``drain()``.
package final class PressureSource {
  /// For people: the program or kernel that reports.
  package let name: String
  /// The interest for a poller.
  package let interest: PollInterest
  private let descriptor: FileDescriptor
  /// Keeps the reporter of this process alive.
  private let reporter: AnyObject?

  package var number: Int32 { descriptor.number }

  init(
    _ name: String, _ descriptor: consuming FileDescriptor, _ interest: PollInterest,
    reporter: AnyObject? = nil
  ) {
    self.name = name
    self.descriptor = descriptor
    self.interest = interest
    self.reporter = reporter
  }

  /// A source of the service manager: a FIFO, a socket, or a file of the kernel. The last two get
  /// `bytes` first; a FIFO would return them.
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
      // Without a writer, a FIFO is at its end, and a poller reports that again and again.
      self.init("systemd", try File.open(path, [.read, .write, .nonblocking]), .readable)
    case .regular: try self.init("systemd", kernelFile: path, bytes)
    default:
      throw SystemError(
        call: "open", path: path, code: .invalidArgument,
        note: "expected a FIFO, a socket or a file of the kernel, found \(kind.name)")
    }
  }

  /// A file of the kernel with pressure figures. `bytes` describe the trigger.
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
    self.init(name, file, .priority)
  }

  /// Takes the reports up to now. Returns false if no more can come.
  package func drain() -> Bool {
    // The poller takes the report of a file of the kernel.
    guard interest == .readable else { return true }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      // A FIFO holds 64 KiB. A process that writes without pause does not keep this one here.
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

  /// The first figure of a file of the kernel, such as "some avg10=12.40"; nil for another file.
  package static func average(in path: String) -> String? {
    guard let bytes = try? File.readRegular(path, limit: 4096) else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").prefix(2)
    return words.first == "some" ? words.joined(separator: " ") : nil
  }
}
