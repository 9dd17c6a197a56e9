import SceneJSON
import SceneModel
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Every value that is written is read as the same value.
struct RoundTripTests {
  @Test("every request is read as it was written", arguments: Samples.requests)
  func requests(request: any RequestMessage) throws {
    let params = try document(request.params)
    #expect(try type(of: request).read(params.root).equals(request))
  }

  @Test("every record is read as it was written", arguments: Samples.records)
  func records(record: Record) throws {
    var writer = JSONWriter()
    record.writeBody(to: &writer)
    let body = try document(String(decoding: writer.bytes, as: UTF8.self))
    #expect(try Record(kind: record.kind, body: body.root) == record)
    #expect([.session(Samples.session), .topic("news"), .delegate].contains(record.subject))
  }

  @Test(
    "the requester of an entry is a separate member, whatever the detail is",
    arguments: [nil, "large", "by day; as scene 4 (by scenectl 7)"])
  func author(detail: String?) throws {
    var entry = Samples.entry
    (entry.by, entry.detail) = (ClientReference(name: "scenectl", pid: 7), detail)
    let back: TraceEntry = try read(from: text(entry))
    #expect(back == entry)
    #expect(back.by?.name == "scenectl" && back.by?.pid == 7 && back.detail == detail)
  }

  @Test("writing an entry does not change the content that its copies share")
  func sharedEntry() {
    let entries = [Samples.entry, Samples.entry]
    let texts = (0..<100).map { _ in entries.map { text($0) } }
    #expect(Set(texts.joined()).count == 1)
    #expect(entries == [Samples.entry, Samples.entry])
  }

  @Test("records are encoded in order, each with its length in the journal")
  func encodedRecords() {
    var encoded = EncodedRecords()
    for round in 1...2 {
      let byteCounts = Samples.records.map { encoded.append($0) }
      var expected: [Int] = []
      var index = 0
      let document = JSONDocument()
      encoded.forEach { kind, body in
        expected.append(5 + body.count)
        let record = try? Record(kind: kind.rawValue, body: body, in: document)
        #expect(record == Samples.records[index], "round \(round)")
        index += 1
      }
      #expect(byteCounts == expected)
      let count = encoded.count
      #expect(count == Samples.records.count)
      encoded.removeAll()
      let isEmpty = encoded.isEmpty
      #expect(isEmpty)
    }
  }

  @Test("there is a sample of every record, and the numbers of records never change")
  func recordKinds() {
    #expect(Set(Samples.records.map(\.kind)) == Set(RecordKind.allCases))
    let numbers = RecordKind.allCases.map { "\($0.name) \($0.rawValue)" }
    #expect(
      numbers == [
        "session 1", "activity 2", "held 3", "discard 4", "discardReported 5", "topic 6",
        "event 7", "topicEnd 8", "delegateKnown 9",
      ])
  }

  @Test("every callback is read as it was written", arguments: Samples.callbacks)
  func callbacks(callback: Callback) throws {
    var writer = JSONWriter()
    callback.message.write(to: &writer)
    let params = try document(String(decoding: writer.bytes, as: UTF8.self))
    #expect(try Callback(kind: callback.kind, params: params.root) == callback)
  }

  @Test("there is a sample of every callback, with the name of its kind")
  func callbackKinds() {
    #expect(Set(Samples.callbacks.map(\.kind)) == Set(CallbackKind.allCases))
    for kind in CallbackKind.allCases {
      let folder = kind.isOfDelegate ? "application" : "scene"
      #expect(kind.method.description == "\(folder)/\(kind.rawValue)")
    }
  }

  @Test(
    "the choice of the application delegate is a name or an object",
    arguments: [
      ConfigurationForConnecting.Answer(),
      .init(configuration: .named("Note"), userInfo: Samples.object),
      .init(
        configuration: .described(
          ConfigurationDescription(
            name: "Note", role: .windowApplication, delegateClass: "a", sceneClass: "b",
            storyboard: "c", kind: .settings))),
      .init(configuration: .described(ConfigurationDescription(name: nil, storyboard: "c"))),
    ])
  func choices(answer: ConfigurationForConnecting.Answer) throws {
    let back: ConfigurationForConnecting.Answer = try read(from: text(answer))
    #expect(back == answer)
  }

  @Test("F100: an answer with unknown members and an unknown kind keeps its other members")
  func unknownInAnswer() throws {
    let text =
      #"{"configuration":{"storyboard":"Main","kind":"panel","new":[1]},"later":{},"userInfo":{}}"#
    let answer: ConfigurationForConnecting.Answer = try read(from: text)
    guard case .described(let description)? = answer.configuration else {
      Issue.record("no description")
      return
    }
    #expect(description.name == nil && description.storyboard == "Main")
    #expect(description.kind?.isKnown == false && description.kind?.kind == .group)
    #expect(answer.userInfo == .empty)
    let stored: SceneConfiguration = try read(from: #"{"name":"Note","kind":"panel"}"#)
    #expect(stored == SceneConfiguration(name: "Note"))
  }

  @Test("a report's identifier is read as it was written, and other texts are refused")
  func reportIdentifiers() {
    let report = ReportIdentifier(request: Samples.session, part: 12)
    #expect(ReportIdentifier(report.description) == report)
    for text in ["", "\(Samples.session)", "\(Samples.session).0", "\(Samples.session).x", ".1"] {
      #expect(ReportIdentifier(text) == nil)
    }
  }

  @Test("every notification is read as it was written", arguments: Samples.notifications)
  func notifications(notification: BrokerNotification) throws {
    var writer = JSONWriter()
    notification.message.params.write(to: &writer)
    let params = try document(String(decoding: writer.bytes, as: UTF8.self))
    let method = try document(text(notification.method.description))
    #expect(
      try BrokerNotification(method: method.root, params: params.root) == notification)
    #expect(
      BrokerNotification.methods.contains { $0.description == notification.method.description })
  }

  @Test("an unknown notification is ignored")
  func unknownNotification() throws {
    let (method, params) = (try document(#""session/moved""#), try document("{}"))
    #expect(try BrokerNotification(method: method.root, params: params.root) == nil)
  }

  @Test("every reply is read as it was written")
  func replies() throws {
    for (reply, method) in Samples.replies {
      var writer = JSONWriter()
      reply.content.write(to: &writer)
      let written = try document(String(decoding: writer.bytes, as: UTF8.self))
      #expect(try method.readReply(written.root) == reply)
    }
  }

  @Test("the reply to one request is no reply to another")
  func otherReply() throws {
    let saved = try document(#"{"generation":4}"#)
    #expect(throws: MemberError.self) { try SceneConnect.readReply(saved.root) }
    let text = try document(#""done""#)
    #expect(throws: MemberError.self) { try Ping.readReply(text.root) }
  }

  @Test("the answer with an activity distinguishes a value, null and an absent member")
  func answers() throws {
    let answers: [(String, Patch<Activity>)] = [
      ("{}", .absent), (#"{"activity":null}"#, .null),
      (
        #"{"activity":{"activityType":"a","userInfo":{}}}"#,
        .value(try activity(#"{"activityType":"a","userInfo":{}}"#))
      ),
    ]
    for (written, activity) in answers {
      let answer = try read(StateRestorationAnswer.self, from: written)
      #expect(answer.activity == activity)
      #expect(text(answer) == written)
    }
  }

  @Test("an activity is eligible for handoff unless isEligibleForHandoff is false")
  func eligible() throws {
    #expect(try activity(#"{"activityType":"a","userInfo":{}}"#).isEligibleForHandoff)
    let member = #","isEligibleForHandoff":"#
    for (value, isEligible) in [("true", true), ("false", false)] {
      let activity = try activity(#"{"activityType":"a","userInfo":{}\#(member)\#(value)}"#)
      #expect(activity.isEligibleForHandoff == isEligible)
    }
  }

  @Test("values are written in the forms that the protocol shows")
  func shownForms() {
    #expect(
      text(
        SceneConnect.Reply(
          session: Samples.session, isNew: true, reason: .launch, hold: 1))
        == #"{"session":"5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F","isNew":true,"#
        + #""reason":"launch","hold":1}"#
    )
    var record = SceneSessionRecord()
    record.name = "packing"
    record.configuration.name = "Default Configuration"
    #expect(
      text(record)
        == #"{"persistentIdentifier":"00000000-0000-0000-0000-000000000000","name":"packing","#
        + #""role":"windowApplication","configuration":{"name":"Default Configuration"},"#
        + #""userInfo":{},"stateRestorationActivity":null,"title":null}"#)
    #expect(text(SaveActivity.Reply(generation: 1)) == #"{"generation":1}"#)
    var writer = JSONWriter()
    BrokerError(.sessionNotFound, "no session 77AA here").write(to: &writer)
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"code":1004,"message":"no session 77AA here","#
        + #""data":{"reason":"sessionNotFound","retry":"never"}}"#)
  }

  @Test("the variables of a login are strings and null")
  func environment() throws {
    let written = #"{"A":null,"DISPLAY":":1"}"#
    let environment: LoginEnvironment = try read(from: written)
    #expect(environment == LoginEnvironment(["DISPLAY": ":1", "A": nil]))
    #expect(text(environment) == written)
    #expect(try problem(LoginEnvironment.self, #"{"A":1}"#) == "A: expected a string or null")
    #expect(try problem(LoginEnvironment.self, #"{"A":"","A":""}"#) == "A: given twice")
  }

  @Test("unknown members are ignored")
  func unknownMembers() throws {
    #expect(try read(SessionShow.self, from: #"{"name":"a","new":{"b":[1]}}"#).name == "a")
  }
}

#if canImport(Glibc)
  extension RoundTripTests {
    @Test("writing a value in place stores nothing in the value")
    func readOnly() async {
      await #expect(processExitsWith: .success) {
        let structures = Self.structures
        guard structures.count > 100 else { exit(1) }
        for structure in structures where !Self.isWrittenInPlace(structure) { exit(1) }
      }
    }

    @Test("a structure that visits a computed property ends the test of all structures")
    func stored() async {
      await #expect(processExitsWith: .failure) {
        // A sanitizer would report this expected crash.
        signal(SIGSEGV, SIG_DFL)
        _ = Self.isWrittenInPlace(ComputedMember())
        exit(0)
      }
    }

    private struct ComputedMember: JSONStructure {
      private var stored = 0
      private var computed: Int {
        get { stored }
        set { stored = newValue }
      }

      init() {}

      mutating func visitMembers<V: MemberVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.required("computed", &computed)
      }
    }

    /// Writes a copy in memory that cannot be written to. A store ends the process.
    private static func isWrittenInPlace<Structure: JSONStructure>(
      _ structure: Structure
    ) -> Bool {
      let length = max(MemoryLayout<Structure>.stride, 1)
      let page = unsafe mmap(
        nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      guard let page = unsafe page, unsafe page != MAP_FAILED else { return false }
      let copy = unsafe page.bindMemory(to: Structure.self, capacity: 1)
      unsafe copy.initialize(to: structure)
      guard unsafe mprotect(page, length, PROT_READ) == 0 else { return false }
      var writer = JSONWriter()
      unsafe copy.pointee.writeInPlace(to: &writer)
      return String(decoding: writer.bytes, as: UTF8.self) == text(structure)
    }

    /// Every structure in the samples of messages, of records and of the trace.
    private static var structures: [any JSONStructure] {
      var found: [any JSONStructure] = []
      for sample in Samples.requests { collect(sample, &found) }
      for (reply, _) in Samples.replies { collect(reply.content, &found) }
      for sample in Samples.records { collect(sample, &found) }
      for sample in Samples.callbacks { collect(sample, &found) }
      for sample in Samples.notifications { collect(sample, &found) }
      return found
    }

    private static func collect(_ value: Any, _ found: inout [any JSONStructure]) {
      if let structure = value as? any JSONStructure { found.append(structure) }
      for child in Mirror(reflecting: value).children { collect(child.value, &found) }
    }
  }
#endif
