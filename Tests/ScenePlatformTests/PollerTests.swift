import Testing

@testable import ScenePlatform

@Suite("The poller")
struct PollerTests {
  /// Two connected sockets; a poller watches the first one with token 1.
  private final class Fixture {
    let poller: Poller
    let watched: FileDescriptor
    var other: FileDescriptor?

    init(interest: PollInterest) throws {
      var pair = try UnixSocket.pair()
      watched = pair.takeFirst()
      other = pair.takeSecond()
      poller = try Poller()
      try poller.add(watched.number, token: 1, interest: interest)
    }

    func closeOther() {
      other.take()?.close()
    }

    func sendFromOther(_ text: String) -> SendOutcome? {
      other?.sendText(text)
    }
  }

  @Test("a poller does not report an idle descriptor")
  func quiet() throws {
    let fixture = try Fixture(interest: .readable)
    #expect(try events(of: fixture.poller, nanoseconds: 0) == [])
    #expect(try events(of: fixture.poller, nanoseconds: 1) == [])
  }

  @Test("a poller reports bytes until they are read")
  func readable() throws {
    let fixture = try Fixture(interest: .readable)
    #expect(fixture.sendFromOther("hello") == .bytes(5))
    let expected = PollEvent(token: 1, readable: true, writable: false, hungUp: false)
    #expect(try events(of: fixture.poller) == [expected])
    #expect(try events(of: fixture.poller) == [expected])
    #expect(fixture.watched.receiveText() == "hello")
    #expect(try events(of: fixture.poller, nanoseconds: 0) == [])
  }

  @Test("a poller reports free space while it is requested")
  func writable() throws {
    let fixture = try Fixture(interest: [.readable, .writable])
    let expected = PollEvent(token: 1, readable: false, writable: true, hungUp: false)
    #expect(try events(of: fixture.poller) == [expected])
    try fixture.poller.modify(fixture.watched.number, token: 1, interest: .readable)
    #expect(try events(of: fixture.poller, nanoseconds: 0) == [])
  }

  @Test("an interest that is the same takes no system call, until the poller gets a new number")
  func same() throws {
    let fixture = try Fixture(interest: .readable)
    let (poller, number) = (fixture.poller, fixture.watched.number)
    #expect(fixture.sendFromOther("x") == .bytes(1))
    try poller.remove(number)
    // The poller does not have the descriptor.
    try poller.modify(number, token: 1, interest: .readable)
    #expect(throws: SystemError.self) {
      try poller.modify(number, token: 1, interest: .writable)
    }
    try poller.add(number, token: 2, interest: [])
    try poller.modify(number, token: 2, interest: .readable)
    #expect(try events(of: poller).map(\.token) == [2])
  }

  @Test("a poller refuses the number of no descriptor")
  func invalid() throws {
    let poller = try Poller()
    #expect(throws: SystemError.self) { try poller.add(-1, token: 1, interest: .readable) }
    #expect(throws: SystemError.self) { try poller.modify(-1, token: 1, interest: .readable) }
  }

  @Test("a poller reports a closed peer with unread bytes")
  func hungUp() throws {
    let fixture = try Fixture(interest: .readable)
    #expect(fixture.sendFromOther("last words") == .bytes(10))
    fixture.closeOther()
    let expected = PollEvent(
      token: 1, readable: true, writable: false, hungUp: true, isGone: true)
    #expect(try events(of: fixture.poller) == [expected])
    #expect(fixture.watched.receiveText() == "last words")
    #expect(fixture.watched.receiveOutcome() == .end)
  }

  @Test("a poller reports a peer that has finished sending")
  func halfClosed() throws {
    let fixture = try Fixture(interest: .readable)
    try fixture.other?.endSending()
    var expected = PollEvent(token: 1, readable: true, writable: false, hungUp: true)
    #if canImport(Darwin)
      expected.isGone = true
    #endif
    #expect(try events(of: fixture.poller) == [expected])
    #expect(fixture.watched.sendText("to you") == .bytes(6))
    #expect(fixture.other?.receiveText() == "to you")
  }

  @Test("a poller forgets removed descriptors and keeps tokens of 64 bits")
  func removes() throws {
    let fixture = try Fixture(interest: .readable)
    #expect(fixture.sendFromOther("x") == .bytes(1))
    try fixture.poller.remove(fixture.watched.number)
    try fixture.poller.add(fixture.watched.number, token: .max, interest: .readable)
    #expect(try events(of: fixture.poller).map { $0.token } == [.max])
    try fixture.poller.remove(fixture.watched.number)
    #expect(try events(of: fixture.poller, nanoseconds: 0) == [])
    #expect(throws: SystemError.self) { try fixture.poller.remove(fixture.watched.number) }
  }

  @Test("regular files are always ready")
  func files() throws {
    try withDirectory { directory in
      try File.write("x".utf8, to: "\(directory)/file")
      let file = try File.open("\(directory)/file", .read)
      let poller = try Poller()
      try poller.add(file.number, token: 5, interest: .readable)
      let expected = PollEvent(token: 5, readable: true, writable: false, hungUp: false)
      #expect(try events(of: poller) == [expected])
      #expect(try events(of: poller) == [expected])
      try poller.modify(file.number, token: 5, interest: [])
      #expect(try events(of: poller, nanoseconds: 0) == [])
      try poller.modify(file.number, token: 5, interest: .readable)
      #expect(try events(of: poller) == [expected])
      try poller.remove(file.number)
      #expect(try events(of: poller, nanoseconds: 0) == [])
    }
  }

  @Test("a poller reports surplus events in the next waits")
  func surplus() throws {
    let poller = try Poller(capacity: 2)
    let wakeups = try (0..<5).map { _ in try Wakeup() }
    for (index, wakeup) in wakeups.enumerated() {
      try poller.add(wakeup.number, token: UInt64(index), interest: .readable)
      wakeup.signal()
    }
    var seen: Set<UInt64> = []
    while seen.count < wakeups.count {
      let reported = try events(of: poller)
      #expect((1...2).contains(reported.count))
      // Two events can be all of them; the poller knows only that its buffer was full.
      #expect(poller.isComplete == (reported.count < 2))
      for event in reported {
        seen.insert(event.token)
        wakeups[Int(event.token)].drain()
      }
    }
    #expect(try events(of: poller, nanoseconds: 0) == [])
  }

  @Test("a wakeup from another thread lasts until the drain")
  func wakeup() throws {
    let poller = try Poller()
    let wakeup = try Wakeup()
    try poller.add(wakeup.number, token: 9, interest: .readable)
    let thread = try Thread("waker") {
      for _ in 0..<1000 { wakeup.signal() }
    }
    #expect(try events(of: poller).map { $0.token } == [9])
    thread.join()
    #expect(try events(of: poller).map { $0.token } == [9])
    wakeup.drain()
    #expect(try events(of: poller, nanoseconds: 0) == [])
    wakeup.drain()
    wakeup.signal()
    #expect(try events(of: poller).map { $0.token } == [9])
  }

  @Test("a program can wait for a single descriptor without a poller")
  func single() throws {
    var pair = try UnixSocket.pair()
    let left = pair.takeFirst()
    let right = pair.takeSecond()
    #expect(try left.waitWritable())
    #expect(try !left.waitReadable(nanoseconds: 0))
    #expect(try !left.waitReadable(nanoseconds: 1))
    #expect(right.sendText("x") == .bytes(1))
    #expect(try left.waitReadable(nanoseconds: .max))
    #expect(try left.waitReadable())
  }

  @Test(
    "a wait is rounded up, never down",
    arguments: [
      (nil, -1), (0, 0), (-5, 0), (1, 1), (999_999, 1), (1_000_000, 1), (1_000_001, 2),
      (.max, .max),
    ] as [(Int64?, Int32)])
  func rounding(nanoseconds: Int64?, expected: Int32) {
    #expect(milliseconds(nanoseconds) == expected)
  }
}
