import SceneJSON
import SceneModel
import Testing

/// Records of the broker's own writer are read without a parser, with the same result.
@Suite("Record reader")
struct RecordBodyReaderTests {
  private let document = JSONDocument(hasUniqueNames: true)

  private func body(_ record: Record) -> ContiguousArray<UInt8> {
    var writer = JSONWriter()
    record.writeBody(to: &writer)
    return writer.bytes
  }

  /// The record, if the reader needs no parser.
  private func direct(_ kind: RecordKind, _ body: ContiguousArray<UInt8>) -> Record? {
    switch kind {
    case .session:
      RecordBodyReader.read(SessionAttributes.self, from: body.span, with: document).map(
        Record.session)
    case .activity:
      RecordBodyReader.read(Generation.self, from: body.span, with: document).map(Record.activity)
    case .held: RecordBodyReader.read(Hold.self, from: body.span, with: document).map(Record.held)
    default: nil
    }
  }

  private func trusted(_ kind: RecordKind, _ body: ContiguousArray<UInt8>) -> Record? {
    try? Record(trusting: kind.rawValue, body: body.span, in: document)
  }

  private func parsed(_ kind: RecordKind, _ body: ContiguousArray<UInt8>) -> Record? {
    try? Record(kind: kind.rawValue, body: body.span, in: document)
  }

  private static let ofSessions = Samples.records.filter {
    [.session, .activity, .held].contains($0.kind)
  }

  @Test("every record is read as it was written", arguments: Samples.records)
  func records(record: Record) {
    #expect(trusted(record.kind, body(record)) == record)
  }

  @Test("the records of sessions need no parser", arguments: ofSessions)
  func direct(record: Record) {
    #expect(direct(record.kind, body(record)) == record)
  }

  @Test("numbers and texts have all values")
  func values() {
    var attributes = Samples.attributes
    for number in [Int64.min, -1, 0, 999_999_999_999_999_999, .max] {
      attributes.created = number
      attributes.title = "é😀 \(number) \u{7F}\"\\\n"
      let record = Record.session(attributes)
      #expect(trusted(.session, body(record)) == record)
    }
  }

  @Test(
    "a text of another form is parsed",
    arguments: [
      #"{"session":"ID","hold":1,"order":2,"used":3,"pinned":4}"#,
      #"{ "session":"ID","hold":1,"order":2,"used":3}"#,
      #"{"session":"ID","hold":1,"order":2,"used":3} "#,
      #"{"hold":1,"session":"ID","order":2,"used":3}"#,
      #"{"session":"ID","hold":1,"order":2,"used":3,"later":[{}]}"#,
      #"{"session":"ID","hold":1,"holder":null,"order":2,"used":3}"#,
      #"{"session":"ID","hold":1,"end":{"reason":"shut\u0064own"},"order":2,"used":3}"#,
    ])
  func otherForms(text: String) throws {
    let bytes = ContiguousArray(
      text.replacing("ID", with: Samples.session.description).utf8)
    #expect((direct(.held, bytes) == nil) != text.contains("pinned"))
    let record = try #require(parsed(.held, bytes))
    #expect(trusted(.held, bytes) == record)
  }

  @Test(
    "a record with a value that is no JSON is not read",
    arguments: [
      #"{"a":[}}"#, #"{"a":{]}"#, "{\"a\":\"\u{1}\"}", "{\"a\":\u{1F}1}", "{\"a\":\"12345678\n\"}",
      #"{"a":"# + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "}",
    ])
  func invalidValues(object: String) throws {
    var attributes = Samples.attributes
    attributes.userInfo = OpaqueObject(
      unchecked: RawJSON(unchecked: ContiguousArray(object.utf8)))
    let bytes = body(.session(attributes))
    #expect(direct(.session, bytes) == nil)
    #expect(trusted(.session, bytes) == nil)
  }

  @Test("a long string ends at its quotation mark, and has no control characters")
  func longStrings() throws {
    let text = String(repeating: "x", count: 100)
    let ends: [(String, Bool)] =
      [("\"", true), ("\\\"\"", true)]
      + (0..<32).map { (String(UnicodeScalar(UInt8($0))) + "\"", false) }
    for count in 0...70 {
      for (end, isValid) in ends {
        var attributes = Samples.attributes
        let object = #"{"a":""# + text.prefix(count) + end + #","b":"\#(text)"}"#
        attributes.userInfo = OpaqueObject(
          unchecked: RawJSON(unchecked: ContiguousArray(object.utf8)))
        let record = direct(.session, body(.session(attributes)))
        let place: Comment = "\(count) \(end.debugDescription)"
        #expect(record == (isValid ? .session(attributes) : nil), place)
      }
    }
  }

  @Test("an integer with a leading zero is not read")
  func leadingZero() {
    let text = #"{"session":"\#(Samples.session)","hold":01,"order":2,"used":3}"#
    #expect(direct(.held, ContiguousArray(text.utf8)) == nil)
  }

  @Test(
    "of two texts that the parser accepts, a damaged one is never another record",
    arguments: ofSessions)
  func damage(record: Record) {
    let whole = body(record)
    for count in whole.indices {
      #expect(direct(record.kind, ContiguousArray(whole[..<count])) == nil)
    }
    for place in whole.indices {
      for byte in #""\},0 "#.utf8 {
        var damaged = whole
        damaged[place] = byte
        guard let expected = parsed(record.kind, damaged) else { continue }
        #expect(trusted(record.kind, damaged) == expected)
      }
    }
  }
}
