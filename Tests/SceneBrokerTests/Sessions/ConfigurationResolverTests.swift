import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

struct ConfigurationResolverTests {
  private let resolver = ConfigurationResolver(manifest: .hosting("Note", "Tool"), limits: Limits())

  private func session(
    _ wanted: String? = nil, role: Role = .windowApplication
  ) -> PendingSession {
    PendingSession(
      identifier: SessionIdentifier(high: 0, low: 1), name: "packing", role: role,
      wantedConfiguration: wanted, userInfo: object(#"{"a":1}"#), title: nil,
      purpose: .connect(nil, .none),
      requester: Requester(connection: ConnectionIdentifier(1), request: nil))
  }

  @Test("the requested configuration is used, else the default of the role, with a remark")
  func manifest() throws {
    #expect(try resolver.resolve(session("Tool")).configuration.name == "Tool")
    let standard = try resolver.resolve(session())
    #expect(standard.configuration.name == "Note" && standard.missing == nil)
    let missing = try resolver.resolve(session("Lost"))
    #expect(missing.configuration.name == "Note" && missing.missing == "Lost")
    let remark = resolver.remark(
      on: ConfiguredSession(pending: session("Lost"), resolved: missing))
    #expect(
      remark == "there is no configuration Lost; the broker uses Note; the configurations are "
        + "Note, Tool")
    #expect(
      resolver.remark(on: ConfiguredSession(pending: session(), resolved: standard)) == nil)
  }

  @Test("a role without configurations is refused, and so is a configuration of another role")
  func roles() {
    let refusal = #expect(throws: BrokerError.self) {
      try resolver.resolve(session(role: .windowExternalDisplay))
    }
    #expect(refusal?.reason == .noConfiguration)
    var manifest = Manifest.hosting("Note")
    manifest.roles.append(
      RoleConfigurations(
        role: .windowExternalDisplay, configurations: [SceneConfiguration(name: "Screen")]))
    let external = ConfigurationResolver(manifest: manifest, limits: Limits())
    let other = #expect(throws: BrokerError.self) { try external.resolve(session("Screen")) }
    #expect(other?.reason == .wrongRole)
  }

  @Test("the delegate's answer wins over the manifest and the request")
  func answer() throws {
    let named = try resolver.resolve(
      session("Note"), .init(configuration: .named("Tool"), userInfo: object(#"{"b":2}"#)))
    #expect(named.configuration.name == "Tool" && !named.isDescribed)
    #expect(named.userInfo == object(#"{"b":2}"#))
    var description = ConfigurationDescription()
    description.delegateClass = "Special"
    let described = try resolver.resolve(
      session("Tool"), .init(configuration: .described(description)))
    #expect(described.configuration.name == "Note" && described.isDescribed)
    #expect(described.configuration.delegateClass == "Special")
    #expect(described.userInfo == object(#"{"a":1}"#))
    let none = try resolver.resolve(session("Tool"), .init(configuration: nil))
    #expect(none.configuration.name == "Tool")
  }

  @Test("an error of an answer names the application delegate")
  func answerOfOtherRole() {
    var description = ConfigurationDescription()
    description.role = .windowExternalDisplay
    let error = #expect(throws: BrokerError.self) {
      try resolver.resolve(session(), .init(configuration: .described(description)))
    }
    #expect(error?.message.hasPrefix("the application delegate's answer: ") == true)
  }

  @Test("an answer with a name that is empty or a text that is too long is ignored")
  func problems() {
    #expect(resolver.problem(with: .init(configuration: .named("Lost"))) == nil)
    var description = ConfigurationDescription()
    description.name = ""
    let empty = resolver.problem(with: .init(configuration: .described(description)))
    #expect(empty?.reason == .invalidParams)
    description.name = String(repeating: "x", count: SceneConfiguration.textByteLimit + 1)
    let long = resolver.problem(with: .init(configuration: .described(description)))
    #expect(long?.reason == .tooLarge)
  }

  @Test("the question shows the session with the manifest's configuration")
  func question() {
    let question = resolver.question(about: session("Tool"))
    #expect(question.sceneSession.configuration.name == "Tool")
    let lost = ConfigurationResolver(manifest: .hosting(), limits: Limits())
    #expect(lost.question(about: session("Lost")).sceneSession.configuration.name == "Lost")
  }
}
