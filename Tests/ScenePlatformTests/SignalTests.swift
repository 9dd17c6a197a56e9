import Testing

@testable import ScenePlatform

@Suite("Signals")
struct SignalTests {
  @Test(
    "every usual spelling of a signal's name is known",
    arguments: [
      ("KILL", Signal.kill), ("SIGKILL", .kill), ("kill", .kill), ("sigTerm", .terminate),
      ("9", .kill), ("WINCH", .windowChange), ("CONT", .continue), ("34", Signal(rawValue: 34)),
    ])
  func names(name: String, signal: Signal) {
    #expect(Signal(name: name) == signal)
  }

  @Test(
    "an unknown name is no signal", arguments: ["", "SIG", "KIL", "0", "-9", "65", "99999999999"])
  func unknown(name: String) {
    #expect(Signal(name: name) == nil)
  }

  @Test("every name maps to its signal")
  func roundTrip() {
    for number in 1..<Signal.end {
      let signal = Signal(rawValue: number)
      #expect(Signal(name: signal.name) == signal)
    }
    #expect(Signal.kill.name == "KILL")
    #expect(Signal.kill.description == "SIGKILL")
    #expect(Signal(rawValue: 40).description == "signal 40")
  }

  /// The observations of a separate thread, whose signals do not affect other threads.
  private struct Sighting: Sendable {
    var before: Signal?
    var tokens: [UInt64] = []
    var signals: Set<Signal> = []
    var eventsAfter: Int?
    var childEnd: ProcessEnd?
  }

  @Test("signals arrive through a descriptor and do not end the process")
  func source() throws {
    let result = ConditionMutex<Result<Sighting, any Error>?>(nil)
    let thread = try Thread("signals") {
      let sighting = Result { try SignalTests.sendAndReceive() }
      result.withLock { $0 = sighting }
    }
    thread.join()
    let sighting = try #require(try result.withLock { $0 }?.get())
    #expect(sighting.before == nil)
    #expect(sighting.tokens == [3, 3])
    #expect(sighting.signals == [.user1, .terminate])
    #expect(sighting.eventsAfter == 0)
    // Children do not inherit blocked signals.
    #expect(sighting.childEnd == .signalled(.terminate))
  }

  private static func sendAndReceive() throws -> Sighting {
    var sighting = Sighting()
    let poller = try Poller()
    let source = try SignalSource([.user1, .terminate])
    try poller.add(source.number, token: 3, interest: .readable)
    sighting.before = try source.next()
    Signal.terminate.sendToThisThread()
    sighting.tokens += try events(of: poller).map { $0.token }
    Signal.user1.sendToThisThread()
    Signal.user1.sendToThisThread()
    sighting.tokens += try events(of: poller).map { $0.token }
    while let signal = try source.next() { sighting.signals.insert(signal) }
    sighting.eventsAfter = try events(of: poller, nanoseconds: 0).count
    sighting.childEnd = try shell("kill -TERM $$").end
    return sighting
  }
}
