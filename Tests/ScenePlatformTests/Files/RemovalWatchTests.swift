#if os(Linux)
  import Testing

  @testable import ScenePlatform

  @Suite("Removal watch")
  struct RemovalWatchTests {
    private let poller: Poller
    private let watch: RemovalWatch

    init() throws {
      poller = try Poller()
      watch = RemovalWatch(poller, token: 7)
    }

    /// Seconds until the next attempt, rounded up.
    private var delay: Int64? {
      watch.nextAttempt.map { ($0 - SystemClock.monotonic() + 999_999_999) / 1_000_000_000 }
    }

    /// Removes a file of the directory that the watch follows, and waits for the report.
    private func remove(_ name: String, in directory: String) throws {
      try File.write("".utf8, to: "\(directory)/\(name)")
      watch.follow(directory)
      #expect(watch.nextAttempt == nil)
      try File.remove("\(directory)/\(name)")
      #expect(try events(of: poller).map(\.token) == [7])
    }

    @Test("a removal causes an attempt after a second, and a failed attempt another")
    func removal() throws {
      try withDirectory { directory in
        try remove("socket", in: directory)
        watch.check(isInPlace: false)
        #expect(delay == 1)
        #expect(try events(of: poller, nanoseconds: 0).isEmpty)
        watch.scheduleRetry()
        #expect(delay == 60)
        watch.markInPlace()
        #expect(watch.nextAttempt == nil)
      }
    }

    @Test("a removal of another file causes no attempt")
    func other() throws {
      try withDirectory { directory in
        try remove("other", in: directory)
        watch.check(isInPlace: true)
        #expect(watch.nextAttempt == nil)
      }
    }

    @Test("attempts follow each other each minute where the system reports no removals")
    func absent() {
      watch.follow("/nowhere/at/all")
      #expect(delay == 60)
      watch.end()
      #expect(watch.nextAttempt == nil)
    }

    @Test("an ended watch reports nothing")
    func end() throws {
      try withDirectory { directory in
        try File.write("".utf8, to: "\(directory)/socket")
        watch.follow(directory)
        watch.end()
        try File.remove("\(directory)/socket")
        #expect(try events(of: poller, nanoseconds: 0).isEmpty)
      }
    }
  }
#endif
