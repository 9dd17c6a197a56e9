import SceneBroker
import SceneJSON
import SceneModel
import SceneTestSupport
import Testing

/// The reference has the content of the catalogue, all of it and nothing else, in its order.
struct ReferenceTests {
  private let page: Page

  init() throws { page = try Page.manual("Messages") }

  @Test("the table has the methods of the catalogue, with their parameters and results")
  func methods() throws {
    let rows = try page.table("Methods")
    #expect(rows.map(\.[0].name) == RequestMethod.all.map(\.description))
    for (row, method) in zip(rows, RequestMethod.all) {
      #expect(row.count == 5, "\(method)")
      #expect(row[1].text == method.permission.words, "\(method)")
      #expect(row[2].code == Description.parameters(of: method.message), "\(method)")
      #expect(try row[3].code == Description.results(of: method.message), "\(method)")
    }
  }

  @Test("the table has every callback with the state that it leads to")
  func callbacks() throws {
    let rows = try page.table("Callbacks")
    #expect(rows.map(\.[0].name) == CallbackKind.ofScenes.map { "\($0.method)" })
    for (row, kind) in zip(rows, CallbackKind.ofScenes) {
      #expect(row[1].code == Description.members(of: kind), "\(kind)")
      #expect(row[2].text == kind.arrival?.rawValue ?? "–", "\(kind)")
    }
  }

  @Test("the table has every callback of the application delegate, with the members of the answers")
  func delegateCallbacks() throws {
    let rows = try page.table("The application delegate")
    #expect(rows.map(\.[0].name) == CallbackKind.ofDelegate.map { "\($0.method)" })
    for (row, kind) in zip(rows, CallbackKind.ofDelegate) {
      #expect(row[1].code == Description.members(of: kind), "\(kind)")
      #expect(row[2].code == Description.answer(to: kind), "\(kind)")
    }
  }

  @Test("the table has every notification")
  func notifications() throws {
    let rows = try page.table("Notifications")
    #expect(rows.map(\.[0].name) == BrokerNotification.methods.map(\.description))
  }

  @Test("the table has every error, with its code and whether to try again")
  func errors() throws {
    let rows = try page.table("Errors")
    #expect(rows.map(\.[0].text) == ErrorReason.all.map { "\($0.code)" })
    #expect(rows.map(\.[1].name) == ErrorReason.all.map(\.name))
    #expect(rows.map(\.[2].text) == ErrorReason.all.map(\.retry.rawValue))
  }

  @Test("the sources use each error, unless the page calls it not given yet")
  func errorsGiven() throws {
    var sources = ""
    for module in ["SceneBroker", "SceneServer", "SceneWire"] {
      for file in try SourceTree.files(under: "Sources/\(module)", suffix: ".swift") {
        sources += try SourceTree.text(file)
      }
    }
    for row in try page.table("Errors") {
      let isGiven = sources.contains(".\(row[1].name),")
      #expect(isGiven != row[3].text.hasPrefix("Not given yet:"), "\(row[1].name)")
    }
  }

  @Test("each error has a code in Swift, but for the three that the library never shows")
  func errorCodes() throws {
    let source = try SourceTree.text("Sources/SceneClient/Application/SceneError.swift")
    let missing = ErrorReason.all.filter { !source.contains(" case \($0.name)\n") }
    #expect(missing == [.notInitialized, .alreadyInitialized, .staleFence])
  }

  @Test("the table has every limit with its default")
  func limits() throws {
    let rows = try page.table("Limits")
    #expect(rows.map(\.[0].name) == Limits().named.map(\.name))
    #expect(rows.map(\.[1].text) == Limits().named.map { "\($0.value)" })
    #expect(
      rows.map(\.[2].text)
        == Limits().named.map { "\($0.bounds.lowerBound) … \($0.bounds.upperBound)" })
  }

  /// The type that each row of the table of objects describes.
  private static let objects: [(name: String, members: [String])] = [
    ("protocol", Description.members(of: ProtocolRange.self)),
    ("client", Description.members(of: ClientName.self)),
    ("broker", Description.members(of: BrokerIdentity.self)),
    ("application", Description.members(of: ApplicationSummary.self)),
    ("limits", Description.members(of: PublishedLimits.self)),
    ("resume", Description.members(of: Resume.self)),
    ("options of a connect", Description.members(of: ConnectionOptions.self)),
    ("options of an activation", Description.members(of: ActivationOptions.self)),
    ("sceneSession", Description.members(of: SceneSessionRecord.self)),
    ("activationConditions", Description.members(of: ActivationConditions.self)),
    ("configuration", Description.members(of: SceneConfiguration.self)),
    ("summary", Description.members(of: SessionSummary.self)),
    ("placement of `scene`", Description.members(of: ScenePlacement.self)),
    ("pane of tmux", Description.members(of: TmuxPlace.self)),
    ("program", Description.members(of: SessionProgram.self)),
    ("candidate", Description.members(of: RouteCandidate.self)),
    ("away", Description.members(of: SessionAway.self)),
    ("process of the program", Description.members(of: ProgramProcess.self)),
    ("terminal of a program", Description.members(of: KeptTerminal.self)),
    ("client of a session", Description.members(of: ClientReference.self)),
    ("disconnect", Description.members(of: DisconnectOutcome.self)),
    ("last end", Description.members(of: LastEnd.Content.self)),
    ("restart", Description.members(of: SessionRestart.self)),
    ("signal", Description.members(of: SentSignal.self)),
    ("exit", Description.members(of: ClientExit.self)),
    ("withheld", Description.members(of: Withholding.self)),
    ("generation", Description.members(of: Generation.self)),
    ("trace entry", Description.members(of: TraceEntry.self)),
    ("option of a trace entry", Description.members(of: TracedOption.self)),
  ]

  @Test("the table has the members of every object")
  func objects() throws {
    let rows = try page.table("Objects")
    #expect(rows.map(\.[0].text) == Self.objects.map(\.name))
    for (row, object) in zip(rows, Self.objects) {
      #expect(row[2].code == object.members, "\(object.name)")
    }
  }

  @Test(
    "the page lists every name of an open set",
    arguments: [
      ("Reasons to be connected:", "ConnectReason", "Protocol/OpenName.swift"),
      ("Reasons to be disconnected:", "DisconnectReason", "Protocol/OpenName.swift"),
      ("Events of the trace:", "TraceEvent", "Trace/TraceEntry.swift"),
    ])
  func openSets(_ begin: String, _ type: String, _ file: String) throws {
    let source = try SourceTree.text("Sources/SceneModel/\(file)")
    let declared = source.matches(of: /static let \w+ = (\w+)\(rawValue: "(\w+)"\)/)
      .filter { $0.1 == type }.map { String($0.2) }
    let start = try #require(page.lines.firstIndex { $0.hasPrefix("- \(begin)") })
    let item = page.lines[start...].prefix { $0 == page.lines[start] || $0.hasPrefix("  ") }
    let text = item.joined(separator: " ")
    let list = text.prefix { $0 != "." }
    #expect(!declared.isEmpty)
    #expect(codeSpans(in: String(list)) == declared)
  }

  @Test("the page states which ends lead to recover and which to restore")
  func nextReasons() throws {
    let text = page.text
    let after = try #require(
      text.firstMatch(of: /`shutdown`\. After (.+?) the next connect is `recover`/))
    let withoutAWord = Set(codeSpans(in: String(after.1)))
    let source = try SourceTree.text("Sources/SceneModel/Protocol/OpenName.swift")
    for match in source.matches(of: /static let \w+ = DisconnectReason\(rawValue: "(\w+)"\)/) {
      let reason = DisconnectReason(rawValue: String(match.1))
      #expect(
        (reason.nextConnectReason == .recover) == withoutAWord.contains(reason.rawValue),
        "\(reason)")
    }
  }

  @Test("broker/describe returns the content of the catalogue")
  func describe() throws {
    let daemon = try Daemon(Workplace())
    let client = try daemon.connect()
    try client.initialize()
    let described = try client.request(Describe())
    let document = JSONDocument()
    try document.read(described.json.bytes)
    let methods = try #require(document.root["methods"])
    #expect(
      methods.members.compactMap { name, _ in name.string }
        == (try page.table("Methods")).map(\.[0].name))
    let limits = try #require(document.root["limits"])
    for row in try page.table("Limits") {
      let name = row[0].name
      let value = try #require(limits.member(named: name)?.integer, "\(name)")
      if name == "connections" {
        // A running broker has its own number instead of 0.
        #expect(value > 0)
      } else {
        #expect(row[1].text == String(value), "\(name)")
      }
    }
  }
}
