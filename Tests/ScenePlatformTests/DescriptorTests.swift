import ScenePlatform
import SceneTestSupport
import Testing

@Suite("File descriptors")
struct DescriptorTests {
  @Test("the owner closes its descriptor once")
  func closes() throws {
    var pipe = try FileDescriptor.pipe()
    let reading = pipe.takeFirst()
    do {
      let writing = pipe.takeSecond()
      try writing.write("x")
    }
    #expect(try reading.readToEnd() == [UInt8(ascii: "x")])
  }

  @Test("a released descriptor stays open")
  func releases() throws {
    var pipe = try FileDescriptor.pipe()
    let reading = pipe.takeFirst()
    let number = pipe.takeSecond().release()
    try reading.setNonblocking()
    #expect(reading.readOutcome() == .wouldBlock)
    FileDescriptor(adopting: number).close()
    // A child that another test has just forked also has the descriptor until its program starts.
    #expect(try reading.waitReadable())
    #expect(try reading.readToEnd() == [])
  }

  @Test("a duplicate has a number from the minimum on and stays open")
  func duplicates() throws {
    var pipe = try FileDescriptor.pipe()
    let reading = pipe.takeFirst()
    let writing = pipe.takeSecond()
    let second = try writing.duplicate(from: 100)
    #expect(second.number >= 100)
    writing.close()
    try second.write("still here")
    second.close()
    #expect(String(decoding: try reading.readToEnd(), as: UTF8.self) == "still here")
  }

  @Test("writing waits for the reader, even on a nonblocking descriptor")
  func writesAll() throws {
    var pair = try UnixSocket.pair()
    let left = pair.takeFirst()
    let right = pair.takeSecond()
    try left.setNonblocking()
    let bytes = ContiguousArray<UInt8>(repeating: 7, count: 4 << 20)
    let received = ConditionMutex(0)
    let number = right.number
    let thread = try Thread("reader") {
      let right = FileDescriptor(adopting: number)
      let count = (try? right.readToEnd().count) ?? -1
      received.withLock { $0 = count }
    }
    _ = right.release()
    try left.write(bytes.span.bytes)
    left.close()
    thread.join()
    #expect(received.withLock { $0 } == bytes.count)
  }

  @Test("reading to the end stops at the limit")
  func limit() throws {
    try withDirectory { directory in
      let path = "\(directory)/file"
      try File.write("12345".utf8, to: path)
      #expect(try File.read(path, limit: 5).count == 5)
      let error = #expect(throws: SystemError.self) { try File.read(path, limit: 4) }
      #expect(error?.code == .fileTooLarge)
      #expect(error?.path == path)
    }
  }
}

@Suite("Errors")
struct ErrorTests {
  @Test("an error reads as the call, the path and the reason")
  func description() {
    let error = #expect(throws: SystemError.self) { _ = try FileStatus(of: "/does/not/exist") }
    #expect(error?.description == "stat /does/not/exist: No such file or directory")
    #expect(error == SystemError(call: "stat", path: "/does/not/exist", code: .notFound))
    #expect(
      SystemError(call: "bind", code: .nameTooLong, note: "why").description
        == "bind: File name too long (why)")
  }

  @Test("error codes are grouped by their handling")
  func groups() {
    #expect(ErrorCode.notFound.isNotFound && ErrorCode.notADirectory.isNotFound)
    #expect(ErrorCode.noSpace.isFull && ErrorCode.quotaExceeded.isFull)
    #expect(ErrorCode.tryAgain.isWouldBlock && !ErrorCode.inputOutput.isWouldBlock)
    #expect(ErrorCode.permissionDenied.isDenied && ErrorCode.notPermitted.isDenied)
    #expect(ErrorCode.brokenPipe.isDisconnected && ErrorCode.connectionReset.isDisconnected)
    #expect(ErrorCode.notSupported.isUnsupported && !ErrorCode.noSpace.isUnsupported)
  }

  @Test("an unknown code shows its number")
  func unknown() {
    #expect(ErrorCode(rawValue: 9999).description.contains("9999"))
  }

  @Test("open descriptors are reported by kind, and compared with an earlier list")
  func kinds() throws {
    let before = try #require(OpenDescriptors(of: ProcessIdentity.currentPID))
    #expect(before.excess(over: before) == [])
    let open = OpenDescriptors([("socket", ""), ("file", "/a"), ("file", "/b"), ("directory", "/")])
    #expect(
      open.excess(over: OpenDescriptors()) == ["1 directory: /", "2 files: /a, /b", "1 socket"])
    // A replaced file is no excess.
    let other = OpenDescriptors([("file", "/b"), ("file", "/c"), ("pipe", "")])
    #expect(open.excess(over: other) == ["1 directory: /", "1 socket"])
    #expect(other.excess(over: open) == ["1 pipe"])
    var counted = OpenDescriptors()
    counted.set("socket", to: 1)
    #expect(open.excess(over: counted) == ["1 directory: /", "2 files: /a, /b"])
  }
}
