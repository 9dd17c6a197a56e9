import SceneJSON
import SceneModel
import Testing

@testable import SceneBroker

/// The application delegate configures new sessions.
struct ConfigurationTests {
  private static func fixture(
    _ participation: DelegateParticipation = .optional
  ) -> BrokerFixture {
    var manifest = Manifest.hosting("Note", "Tool")
    manifest.roles.append(.screen)
    manifest.applicationDelegate = participation
    return BrokerFixture(manifest)
  }

  private let fixture: BrokerFixture
  private let scene: Client
  private let delegate: Client

  init() {
    fixture = Self.fixture()
    (scene, delegate) = (fixture.client(), fixture.delegate())
  }

  private let first = SessionIdentifier(high: 0, low: 1)

  private static func describing(
    _ name: String, role: Role? = nil, sceneClass: String? = nil
  ) -> CallbackAnswer {
    .configuration(
      ConfigurationForConnecting.Answer(
        configuration: .described(
          ConfigurationDescription(name: name, role: role, sceneClass: sceneClass))))
  }

  @Test("the delegate configures each new session once, and its answer wins over the request")
  func wins() {
    scene.forget()
    scene.ask(SceneConnect(name: "packing", configuration: "Note"))
    #expect(scene.heard.isEmpty)
    #expect(delegate.heard == ["configurationForConnecting S1 packing Note"])
    delegate.choose("Tool", userInfo: object(#"{"a":1}"#))
    #expect(scene.heard == ["2 S1 new launch 1", "willConnect S1 new launch 1"])
    #expect(fixture.stored(first)?.attributes.configuration.name == "Tool")
    #expect(fixture.stored(first)?.attributes.userInfo == object(#"{"a":1}"#))
    scene.ask(SceneDisconnect(session: first))
    delegate.forget()
    #expect(scene.hears(SceneConnect(name: "packing")).first == "4 S1 restore 2")
    #expect(delegate.heard == ["connected S1 restore"])
  }

  @Test("the delegate gets no question if the manifest decides, or if it requests the session")
  func notAsked() {
    let fixture = Self.fixture(.builtIn)
    let (scene, delegate) = (fixture.client(), fixture.delegate())
    scene.become("packing")
    #expect(delegate.heard == ["connected S1 new launch"])
    let other = Self.fixture()
    _ = other.client("host", hosts: ["Note"])
    let asking = other.delegate()
    asking.ask(RequestActivation(name: "packing", configuration: "Note"))
    #expect(asking.questions.isEmpty)
    #expect(other.stored(first)?.attributes.configuration.name == "Note")
  }

  @Test("the question has the connection options, so that the delegate can choose")
  func options() {
    let fixture = Self.fixture()
    let (control, delegate) = (fixture.control(), fixture.delegate())
    let (note, tool) = (fixture.client("n", hosts: ["Note"]), fixture.client("t", hosts: ["Tool"]))
    control.ask(ApplicationOpen(.shortcut(shortcut("tool"))))
    #expect(delegate.heard == ["configurationForConnecting S1 Note shortcut tool"])
    delegate.choose("Tool")
    #expect(note.heard.isEmpty)
    #expect(tool.heard == ["willConnect S1 new shortcut 1 shortcut tool"])
    control.ask(ApplicationOpen(.notification(notification(#"{"userInfo":{}}"#))))
    _ = control.hears(RequestActivation(userActivity: SceneBrokerTests.note(3)))
    #expect(
      delegate.heard.last == #"configurationForConnecting S2 Note for note{"n":3}"#
        || delegate.heard.isEmpty)
  }

  @Test(
    "after an unusable answer the session has the manifest's configuration",
    arguments: [
      .failed(message: "no"), .done, .configuration(ConfigurationForConnecting.Answer()),
      describing(""), describing(String(repeating: "x", count: 257)),
      .configuration(
        ConfigurationForConnecting.Answer(
          configuration: .named("Tool"),
          userInfo: object(#"{"a":"\#(String(repeating: "x", count: 70_000))"}"#))),
    ] as [CallbackAnswer])
  func fallsBack(answer: CallbackAnswer) {
    scene.ask(SceneConnect(name: "packing"))
    delegate.answer(answer)
    #expect(fixture.stored(first)?.attributes.configuration.name == "Note")
    #expect(fixture.stored(first)?.attributes.userInfo == .empty)
  }

  @Test("F12: without a name the role's default configuration is used, with the answer's members")
  func unnamed() {
    func made(
      _ manifest: Manifest?, _ description: ConfigurationDescription
    ) -> SceneConfiguration? {
      let fixture = manifest.map { BrokerFixture($0) } ?? Self.fixture()
      let (scene, delegate) = (fixture.client(), fixture.delegate())
      scene.ask(SceneConnect(name: "packing", configuration: "Tool"))
      delegate.answer(
        .configuration(ConfigurationForConnecting.Answer(configuration: .described(description))))
      return fixture.stored(first)?.attributes.configuration
    }
    #expect(
      made(nil, ConfigurationDescription(name: nil, storyboard: "Other"))
        == SceneConfiguration(name: "Note", delegateClass: "Note", storyboard: "Other"))
    // Xcode's generated manifest has no configurations.
    #expect(
      made(Manifest(roles: []), ConfigurationDescription(name: nil, sceneClass: "Canvas"))
        == SceneConfiguration(name: "Default Configuration", sceneClass: "Canvas"))
  }

  @Test("F100: an unknown kind in an answer counts as group, and the trace says so")
  func unknownKind() {
    scene.ask(SceneConnect(name: "packing"))
    var description = ConfigurationDescription(name: "Tool", storyboard: "Other")
    description.kind = ConfigurationKindName(rawValue: "panel")
    delegate.answer(
      .configuration(ConfigurationForConnecting.Answer(configuration: .described(description))))
    #expect(
      fixture.stored(first)?.attributes.configuration
        == SceneConfiguration(name: "Tool", delegateClass: "Tool", storyboard: "Other"))
    #expect(
      fixture.broker.traceBuffer.chain(of: first).contains {
        $0.event == .created && $0.detail?.contains("chose the unknown kind \"panel\"") == true
      })
  }

  @Test("an unknown name in an answer gives the role's default, and the client gets that name")
  func unknownName() {
    scene.ask(SceneConnect(name: "packing"))
    delegate.choose("Other")
    #expect(scene.heard.last == "willConnect S1 new launch 1 without Other")
  }

  @Test(
    "an answer with a configuration of another role is an error, and creates no session",
    arguments: [
      .configuration(.init(configuration: .named("Screen"))),
      describing("Own", role: .windowExternalDisplay),
    ] as [CallbackAnswer])
  func wrongRole(answer: CallbackAnswer) {
    scene.ask(SceneConnect(name: "packing"))
    delegate.answer(answer)
    #expect(scene.lastError?.reason == .wrongRole)
    #expect(scene.lastError?.message.hasPrefix("the application delegate's answer: ") == true)
    #expect(fixture.broker.stored.sessions.isEmpty)
    // The name is free again.
    scene.ask(SceneConnect(name: "packing"))
    delegate.answer()
    #expect(fixture.stored(SessionIdentifier(high: 0, low: 2)) != nil)
  }

  @Test("a described configuration stays after a restart with another manifest")
  func described() {
    scene.ask(SceneConnect(name: "packing"))
    delegate.answer(Self.describing("Own", sceneClass: "Canvas"))
    let made = SceneConfiguration(name: "Own", sceneClass: "Canvas")
    #expect(fixture.stored(first)?.attributes.configuration == made)
    let next = fixture.crashed(manifest: .hosting("Note"))
    let again = next.client()
    again.ask(SceneConnect(name: "packing"))
    #expect(again.heard.last == "willConnect S1 recover 2")
    // With a name of the manifest, the description changes only some members.
    let other = Self.fixture()
    let (host, app) = (other.client("notes", hosts: ["Tool"]), other.delegate())
    other.control().ask(RequestActivation(name: "packing"))
    app.answer(Self.describing("Tool", sceneClass: "Canvas"))
    #expect(host.heard == ["willConnect S1 new activation 1"])
    #expect(
      other.stored(first)?.attributes.configuration
        == SceneConfiguration(name: "Tool", delegateClass: "Tool", sceneClass: "Canvas"))
  }

  @Test("the delegate can describe a configuration for a role without one in the manifest")
  func noConfiguration() {
    let carPlay = Role(rawValue: "carPlay")
    scene.ask(SceneConnect(name: "a", role: carPlay))
    delegate.answer(Self.describing("Own"))
    #expect(fixture.stored(first)?.attributes.role == carPlay)
    scene.ask(SceneConnect(name: "b", role: carPlay))
    delegate.answer()
    #expect(scene.lastError?.reason == .noConfiguration)
    #expect(fixture.broker.stored.sessions.count == 1)
  }

  @Test("a request that fails in any case is refused without a question")
  func notWorthAsking() {
    scene.ask(SceneConnect(name: "a", configuration: "Screen"))
    #expect(scene.lastError?.reason == .wrongRole)
    fixture.handle(.storage(.full))
    scene.ask(SceneConnect(name: "a"))
    #expect(scene.lastError?.reason == .storageFull)
    #expect(delegate.questions.isEmpty)
  }

  // MARK: - While a question is out

  @Test("a pending question reserves the name, and there is one question at a time")
  func nameTaken() {
    let fixture = Self.fixture()
    let (scene, other, delegate) = (fixture.client(), fixture.client(), fixture.delegate())
    scene.ask(SceneConnect(name: "packing"))
    #expect(other.hears(SceneConnect(name: "packing")) == ["2 sessionInUse now"])
    other.ask(SceneConnect(name: "route"))
    #expect(delegate.heard == ["configurationForConnecting S1 packing Note"])
    delegate.answer()
    #expect(delegate.heard.last == "configurationForConnecting S2 route Note")
    // Who waits for quiet waits for the answer, but for the delegate itself and those excepted.
    let control = fixture.control()
    scene.acknowledgeAll()
    #expect(control.hears(Settle()).isEmpty)
    #expect(
      control.hears(Settle(except: [delegate.process.pid])) == ["3 {}"])
    delegate.answer()
    other.acknowledgeAll()
    #expect(control.heard.contains("2 {}"))
  }

  @Test("a closed connection cancels its pending connect, not its pending activation")
  func askerGoes() {
    let fixture = Self.fixture()
    let (scene, control, delegate) = (fixture.client(), fixture.control(), fixture.delegate())
    let host = fixture.client("h", hosts: ["*"])
    scene.ask(SceneConnect(name: "packing"))
    control.ask(RequestActivation(name: "route"))
    scene.close()
    control.close()
    delegate.answer()
    #expect(delegate.heard.last == "configurationForConnecting S2 route Note")
    delegate.answer()
    #expect(host.heard == ["willConnect S2 new activation 1"])
    #expect(fixture.broker.stored.sessions.count == 1)
  }

  @Test(
    "after the end or an overrun of the delegate the manifest decides for all pending sessions",
    arguments: [true, false])
  func delegateGoes(hangs: Bool) {
    scene.ask(SceneConnect(name: "packing"))
    scene.ask(SceneConnect(name: "route"))
    let question = delegate.questions.first?.number
    if hangs { fixture.pass(.seconds(5)) } else { delegate.close() }
    #expect(fixture.broker.stored.sessions.count == 2)
    guard hangs, let question else { return }
    #expect(delegate.heard.contains("overran configurationForConnecting \(question)"))
    // The delegate gets no question until it sends something.
    scene.ask(SceneConnect(name: "budget"))
    #expect(fixture.broker.stored.sessions.count == 3)
    delegate.answer()
    scene.ask(SceneConnect(name: "tickets"))
    #expect(delegate.questions.count == 1)
  }

  @Test("a delegate that sends nothing more gets no question, only notifications")
  func saysNoMore() {
    scene.ask(SceneConnect(name: "packing"))
    #expect(delegate.heard.last == "configurationForConnecting S1 packing Note")
    fixture.handle(.finished(delegate.connection))
    #expect(fixture.stored(first)?.attributes.configuration.name == "Note")
    scene.acknowledgeAll()
    let next = fixture.delegate()
    scene.ask(SceneConnect(name: "route"))
    next.choose("Tool")
    delegate.close()
    scene.ask(SceneConnect(name: "budget"))
    #expect(next.heard.last == "configurationForConnecting S3 budget Note")
  }

  @Test("the budget does not apply to a delegate under a debugger")
  func debugged() {
    fixture.halts[delegate.process] = .debugged
    scene.ask(SceneConnect(name: "packing"))
    fixture.pass(.seconds(60))
    #expect(fixture.broker.stored.sessions.isEmpty)
    delegate.choose("Tool")
    #expect(fixture.stored(first)?.attributes.configuration.name == "Tool")
  }

  @Test("the broker repeats all checks of a new session after the answer")
  func changesMeanwhile() {
    func refusal(_ change: (BrokerFixture, Client) -> Void) -> ErrorReason? {
      let fixture = Self.fixture()
      let (scene, delegate) = (fixture.client(), fixture.delegate())
      scene.ask(SceneConnect(name: "packing"))
      change(fixture, scene)
      delegate.choose("Tool")
      #expect(fixture.stored(first) == nil)
      return scene.lastError?.reason
    }
    #expect(refusal { fixture, _ in fixture.handle(.storage(.full)) } == .storageFull)
    #expect(refusal { fixture, _ in fixture.terminate() } == .shuttingDown)
    var manifest = Manifest.hosting("Note", "Tool")
    manifest.applicationDelegate = .optional
    manifest.supportsMultipleScenes = false
    #expect(
      refusal { fixture, _ in
        let other = fixture.client("b", hosts: ["Note"])
        _ = other
        fixture.handle(.manifestRead(.manifest(Manifest(roles: []))))
      } == .noConfiguration)
  }

  @Test("the kind window allows one session, even if two questions were pending")
  func windowTwice() {
    var manifest = Manifest.hosting("Note")
    manifest.roles[0].configurations.append(SceneConfiguration(name: "Only", kind: .window))
    manifest.applicationDelegate = .optional
    let fixture = BrokerFixture(manifest)
    let (scene, other, delegate) = (fixture.client(), fixture.client(), fixture.delegate())
    scene.ask(SceneConnect(name: "a"))
    other.ask(SceneConnect(name: "b"))
    delegate.choose("Only")
    delegate.choose("Only")
    #expect(other.lastError?.reason == .multipleScenesNotSupported)
  }

  @Test("the only session of the configuration that the delegate chooses gets the content")
  func contentForOnlySession() {
    var manifest = Manifest.hosting("Note")
    manifest.roles[0].configurations.append(SceneConfiguration(name: "Only", kind: .window))
    manifest.applicationDelegate = .optional
    let fixture = BrokerFixture(manifest)
    let (scene, control) = (fixture.client(), fixture.control())
    scene.become(SceneConnect(configuration: "Only"))
    scene.ask(
      SceneUpdate(
        session: first,
        activationConditions: .value(
          ActivationConditionTexts(canActivate: .value("FALSEPREDICATE")))))
    let delegate = fixture.delegate()
    var message = ApplicationOpen(.urls([url("note:a")]))
    message.targetContentIdentifier = "a"
    #expect(control.hears(message) == [])
    delegate.choose("Only")
    scene.acknowledgeAll()
    #expect(control.heard == ["2 activated S1"])
    #expect(scene.heard.contains("openURLContexts S1 note:a"))
  }

  @Test("a reload to a manifest that decides itself configures pending sessions at once")
  func noLongerAsked() {
    scene.ask(SceneConnect(name: "packing"))
    var manifest = Manifest.hosting("Note", "Tool")
    manifest.applicationDelegate = .builtIn
    fixture.handle(.manifestRead(.manifest(manifest)))
    #expect(fixture.stored(first)?.attributes.configuration.name == "Note")
    delegate.choose("Tool")
    #expect(fixture.stored(first)?.attributes.configuration.name == "Note")
  }

  @Test(
    "if a new manifest allows one of two pending sessions, the first one is created")
  func onlyOne() {
    var single = Manifest.hosting("Note", "Tool")
    single.supportsMultipleScenes = false
    var window = Manifest.hosting("Note", "Tool")
    window.roles[0].configurations[0].kind = .window
    for var manifest in [single, window] {
      let fixture = Self.fixture()
      let (one, other) = (fixture.client(), fixture.client("other"))
      let delegate = fixture.delegate()
      one.forget()
      other.forget()
      one.ask(SceneConnect(name: "packing", configuration: "Note"))
      other.ask(SceneConnect(name: "list", configuration: "Note"))
      manifest.applicationDelegate = .optional
      fixture.handle(.manifestRead(.manifest(manifest)))
      delegate.answer()
      #expect(one.heard.first == "2 S1 new launch 1")
      delegate.answer()
      #expect(other.heard == ["2 multipleScenesNotSupported"])
      #expect(fixture.broker.stored.sessions.count == 1)
    }
  }
}
