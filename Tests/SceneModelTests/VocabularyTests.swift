import SceneJSON
import SceneModel
import Testing

/// Names and numbers that other programs rely on.
struct VocabularyTests {
  @Test("the errors have the codes of the protocol, and each name and code is unique")
  func errors() {
    let table = [
      "parseError -32700 never", "invalidRequest -32600 never", "methodNotFound -32601 never",
      "invalidParams -32602 never", "multipleScenesNotSupported 0 never", "requestDenied 1 never",
      "notInitialized 1000 never", "alreadyInitialized 1001 never",
      "unsupportedProtocol 1002 never", "notPermitted 1003 never", "sessionNotFound 1004 never",
      "sessionInUse 1005 never", "sessionNotHeld 1006 never", "nameInUse 1007 never",
      "noHost 1008 later", "noConfiguration 1009 never", "wrongRole 1010 never",
      "delegateInUse 1011 never", "tooLarge 1012 never", "tooMany 1013 later",
      "storageFull 1014 later", "shuttingDown 1015 later", "launchFailed 1016 later",
      "invalidPredicate 1017 never", "staleFence 1018 never", "sessionAway 1019 never",
      "unresponsive 1020 later",
    ]
    #expect(ErrorReason.all.map { "\($0.name) \($0.code) \($0.retry)" } == table)
    #expect(Set(ErrorReason.all.map(\.name)).count == table.count)
    #expect(Set(ErrorReason.all.map(\.code)).count == table.count)
    for reason in ErrorReason.all { #expect(ErrorReason.named(reason.name) == reason) }
    #expect(ErrorReason.named("whim") == nil)
  }

  @Test("a retry decides the outcome of an unknown error and of a plain failure")
  func outcomes() {
    #expect(ErrorOutcome(reason: "sessionNotFound", retry: .later) == .noSession)
    #expect(ErrorOutcome(reason: "requestDenied", retry: .later) == .tryAgain)
    #expect(ErrorOutcome(reason: "whim", retry: .later) == .tryAgain)
    #expect(ErrorOutcome(reason: "whim", retry: .never) == .no)
  }

  @Test("the states are in the order of the life cycle, with UIKit's numbers")
  func states() {
    #expect(ActivationState.allCases == ActivationState.allCases.sorted())
    #expect(ActivationState.allCases.map(\.uiKitValue) == [-1, 2, 1, 0])
    for state in ActivationState.allCases {
      #expect(text(state) == "\"\(state.rawValue)\"")
    }
  }

  @Test("the phase follows the highest state, and is background without scenes")
  func phases() {
    let phases = ActivationState.allCases.map { ApplicationPhase(highest: $0) }
    #expect(phases == [.background, .background, .inactive, .active])
  }

  @Test("an open set of names keeps unknown names")
  func openNames() throws {
    #expect(try read(Role.self, from: #""carPlay""#) == Role(rawValue: "carPlay"))
    #expect(try read(ConnectReason.self, from: #""url""#).description == "url")
    #expect(text(DisconnectReason(rawValue: "a\"b")) == #""a\"b""#)
  }

  @Test(
    "both sides use the newest version that both support",
    arguments: [
      (1, 1, Int64?(1)), (0, 9, 1), (2, 3, nil), (-5, 0, nil), (5, 1, nil),
      (.min, .max, 1),
    ])
  func versions(min: Int64, max: Int64, expected: Int64?) {
    var range = ProtocolRange()
    (range.min, range.max) = (min, max)
    #expect(ProtocolRange.spoken.newest(with: range) == expected)
  }

  @Test("every limit can be set by its name, and an unknown name is refused")
  func limits() {
    var limits = Limits()
    for (number, limit) in limits.named.enumerated() {
      let isSet = limits.set(limit.name, to: number + 5)
      #expect(isSet)
    }
    #expect(limits.named.map(\.value) == limits.named.indices.map { $0 + 5 })
    let before = limits
    for name in ["patience", ""] {
      let isSet = limits.set(name, to: 1)
      #expect(!isSet)
    }
    #expect(limits == before)
    #expect(Limits().named.count == 30)
  }

  @Test(
    "a time is a number of seconds up to a year",
    arguments: [
      (0.0, Int64?(0)), (0.25, 250_000_000), (31_536_000, 31_536_000_000_000_000), (-0.1, nil),
      (31_536_001, nil), (.infinity, nil), (.nan, nil),
    ])
  func intervals(seconds: Double, nanoseconds: Int64?) {
    #expect(Interval(seconds: seconds)?.nanoseconds == nanoseconds)
  }

  @Test("a manifest finds configurations by role and name; the first is the default")
  func manifest() {
    let manifest = Manifest(
      roles: [
        RoleConfigurations(
          role: .windowApplication,
          configurations: [SceneConfiguration(name: "A"), SceneConfiguration(name: "B")]),
        RoleConfigurations(
          role: .windowExternalDisplay, configurations: [SceneConfiguration(name: "C")]),
      ])
    #expect(!manifest.supportsMultipleScenes)
    #expect(manifest.configurations(for: .windowApplication).map(\.name) == ["A", "B"])
    #expect(manifest.configuration(named: "B", for: .windowApplication)?.name == "B")
    #expect(manifest.configuration(named: "C", for: .windowApplication) == nil)
    #expect(manifest.role(ofConfigurationNamed: "C") == .windowExternalDisplay)
    #expect(manifest.role(ofConfigurationNamed: "D") == nil)
    #expect(manifest.configurations(for: Role(rawValue: "x")).isEmpty)
    #expect(Manifest.builtIn.supportsMultipleScenes)
    #expect(
      Manifest.builtIn.configurations(for: .windowApplication).map(\.name)
        == ["Default Configuration"])
  }
}
