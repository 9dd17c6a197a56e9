import SceneModel
import Testing

@testable import SceneBroker

struct LimitCheckTests {
  private var limits: Limits {
    var limits = Limits()
    limits.titleBytes = 5
    limits.snapshotBytes = 3
    return limits
  }

  private func reason(_ check: () throws(BrokerError) -> Void) -> ErrorReason? {
    do throws(BrokerError) {
      try check()
      return nil
    } catch {
      return error.reason
    }
  }

  @Test("a text of the limit is allowed, and one byte more is too large")
  func texts() {
    #expect(reason { () throws(BrokerError) in try limits.check(text: "12345", "title") } == nil)
    #expect(
      reason { () throws(BrokerError) in try limits.check(text: "123456", "title") } == .tooLarge)
    #expect(reason { () throws(BrokerError) in try limits.check(text: nil, "title") } == nil)
    #expect(
      reason { () throws(BrokerError) in try limits.check(target: "123456") } == .tooLarge)
    #expect(reason { () throws(BrokerError) in try limits.check(snapshot: "123") } == nil)
    #expect(reason { () throws(BrokerError) in try limits.check(snapshot: "1234") } == .tooLarge)
  }

  @Test("a name is checked for its length and its characters")
  func names() {
    #expect(reason { () throws(BrokerError) in try limits.check(name: nil) } == nil)
    #expect(reason { () throws(BrokerError) in try limits.check(name: "a b") } == nil)
    #expect(reason { () throws(BrokerError) in try limits.check(name: "a\u{1}") } == .invalidParams)
    #expect(reason { () throws(BrokerError) in try limits.check(name: "123456") } == .tooLarge)
  }

  @Test("a program needs a name, words without NUL and an absolute directory, and has a limit")
  func programs() {
    let long = String(repeating: "x", count: 16 << 10)
    let cases: [(SessionProgram, ErrorReason?)] = [
      (SessionProgram(arguments: ["a", ""], directory: "/", resume: ["b"]), nil),
      (SessionProgram(arguments: [], directory: "/"), .invalidParams),
      (SessionProgram(arguments: [""], directory: "/"), .invalidParams),
      (SessionProgram(arguments: ["a"], directory: "/", resume: []), .invalidParams),
      (SessionProgram(arguments: ["a\0"], directory: "/"), .invalidParams),
      (SessionProgram(arguments: ["a"], directory: "a"), .invalidParams),
      (SessionProgram(arguments: ["a"], directory: "/", environment: ["A=", "B=c=d"]), nil),
      (SessionProgram(arguments: ["a"], directory: "/", environment: ["A"]), .invalidParams),
      (SessionProgram(arguments: ["a"], directory: "/", environment: ["=a"]), .invalidParams),
      (
        SessionProgram(
          arguments: ["a"], directory: "/",
          environment: ["A=" + String(repeating: "b", count: 4095)]), .invalidParams
      ),
      (SessionProgram(arguments: ["a"], directory: "/", retry: 0), nil),
      (SessionProgram(arguments: ["a"], directory: "/", retry: 3600), nil),
      (SessionProgram(arguments: ["a"], directory: "/", retry: 3601), .invalidParams),
      (SessionProgram(arguments: ["a"], directory: "/", retry: -1), .invalidParams),
      (SessionProgram(arguments: ["a", long], directory: "/"), .tooLarge),
    ]
    for (program, expected) in cases {
      #expect(
        reason { () throws(BrokerError) in try Limits().check(program) } == expected,
        "\(program.arguments.first ?? "")")
    }
  }

  @Test("conditions change one by one; null and a whole null restore the standard")
  func conditions() throws {
    var conditions = ActivationConditions()
    try conditions.apply(
      .value(
        ActivationConditionTexts(canActivate: .value("self == 'a'"), prefersToActivate: .absent)),
      Limits())
    #expect(conditions.canActivate(for: "a") && !conditions.canActivate(for: "b"))
    let before = conditions
    try conditions.apply(.absent, Limits())
    #expect(conditions == before)
    try conditions.apply(
      .value(ActivationConditionTexts(canActivate: .null, prefersToActivate: .absent)), Limits())
    #expect(conditions == .standard)
    conditions = before
    try conditions.apply(.null, Limits())
    #expect(conditions == .standard)
    var short = Limits()
    short.predicateBytes = 3
    let error = #expect(throws: BrokerError.self) {
      try conditions.apply(
        .value(
          ActivationConditionTexts(canActivate: .value("self == 'a'"), prefersToActivate: .absent)),
        short)
    }
    #expect(error?.reason == .tooLarge && conditions == .standard)
  }
}
