import Testing

@testable import ScenePlatform

@Suite("The source of memory pressure")
struct PressureSourceTests {
  /// Whether a poller reports the source now.
  private func isReported(_ source: PressureSource) throws -> Bool {
    let poller = try Poller()
    try poller.add(source.number, token: 1, interest: source.interest)
    return try !events(of: poller, nanoseconds: 0).isEmpty
  }

  @Test("a FIFO reports bytes until they are drained, and survives its writers")
  func fifo() throws {
    try withDirectory { directory in
      let path = directory + "/fifo"
      try File.makeFIFO(path)
      let source = try PressureSource(watching: path, writing: [1, 2])
      #expect(source.name == "systemd")
      #expect(try !isReported(source))
      for _ in 1...2 {
        try File.open(path, [.write, .nonblocking]).write("x")
        #expect(try isReported(source))
        #expect(source.drain())
        #expect(try !isReported(source))
      }
    }
  }

  @Test("a socket gets the bytes, reports, and ends with its peer")
  func socket() throws {
    try withDirectory { directory in
      let path = directory + "/socket"
      let listener = try UnixSocket.listen(at: path)
      let source = try PressureSource(watching: path, writing: ContiguousArray("some 1".utf8))
      var peer = try UnixSocket.accept(from: listener)
      #expect(peer?.receiveText() == "some 1")
      #expect(try !isReported(source))
      #expect(peer?.sendText("x") == .bytes(1))
      #expect(try isReported(source))
      #expect(source.drain())
      peer.take()?.close()
      #expect(!source.drain())
    }
  }

  @Test("a poller refuses a file that reports nothing, and a device is no source")
  func unusable() throws {
    try withDirectory { directory in
      let path = directory + "/file"
      try File.write("some avg10=1.00 avg60=0.00\n".utf8, to: path)
      let source = try PressureSource(watching: path, writing: [])
      let error = #expect(throws: SystemError.self) { try source.add(to: Poller(), token: 1) }
      #expect(error?.note?.hasSuffix("found a regular file") == true, "\(error?.note ?? "")")
      #expect(PressureSource.average(in: path) == "some avg10=1.00")
      #expect(throws: SystemError.self) { try PressureSource(watching: "/dev/null", writing: []) }
      #expect(throws: SystemError.self) { try PressureSource(watching: path + "x", writing: []) }
    }
  }

  #if os(Linux)
    /// Why the kernel takes no trigger; nil if it takes one.
    private static let obstacle: String? = {
      do throws(SystemError) {
        _ = try PressureSource.system()
        return nil
      } catch {
        return "this kernel takes no trigger for memory pressure: \(error)"
      }
    }()

    @Test(
      "the kernel takes the trigger, and does not report without pressure",
      .enabled(if: obstacle == nil, Comment(rawValue: obstacle ?? "")))
    func kernel() throws {
      let source = try PressureSource.system()
      #expect(source.interest == .priority)
      #expect(source.drain())
      let average = try #require(PressureSource.average(in: PressureSource.systemPath))
      #expect(average.hasPrefix("some avg10="))
      let poller = try Poller()
      try poller.add(source.number, token: 1, interest: source.interest)
      // A machine under pressure reports; another one does not.
      for event in try events(of: poller, nanoseconds: 0) { #expect(event.readable) }
      #expect(try events(of: poller, nanoseconds: 0) == [])
    }
  #endif
}
