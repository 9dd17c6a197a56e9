#if canImport(Darwin)
  import Dispatch

  extension PressureSource {
    /// The path of Linux, which does not exist here.
    package static let systemPath = "/proc/pressure/memory"

    /// The source of the system. A thread of Dispatch writes each report into a pipe.
    package static func system() throws(SystemError) -> PressureSource {
      var pipe = try FileDescriptor.pipe()
      let reading = pipe.takeFirst()
      let writing = try PressurePipe(pipe.takeSecond())
      try reading.setNonblocking()
      let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical])
      source.setEventHandler { writing.report() }
      source.activate()
      return PressureSource("kernel", reading, .readable, reporter: source)
    }
  }

  private final class PressurePipe: Sendable {
    private let end: FileDescriptor

    init(_ end: consuming FileDescriptor) throws(SystemError) {
      try end.setNonblocking()
      self.end = end
    }

    /// A write to a full pipe fails; the reader then has a report already.
    func report() {
      withUnsafeBytes(of: UInt8(0)) { _ = end.writeAvailable($0) }
    }
  }
#endif
