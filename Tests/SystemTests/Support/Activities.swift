import SceneJSON
import SceneModel
import SceneTestSupport

extension Activity {
  /// An activity in the form in which a client writes it.
  static func test(_ text: String) -> Activity {
    guard let json = try? RawJSON(validating: Array(text.utf8), maximumDepth: 48) else {
      preconditionFailure("not JSON: \(text)")
    }
    return Activity(unchecked: json)
  }

  /// An activity that differs for each number.
  static func numbered(_ number: Int) -> Activity {
    .test(#"{"activityType":"com.example.count","userInfo":{"number":\#(number)}}"#)
  }

  /// An activity of about `bytes` bytes that differs for each number.
  static func filler(_ number: Int, bytes: Int) -> Activity {
    let text = String(repeating: "x", count: bytes)
    return .test(
      #"{"activityType":"com.example.filler","userInfo":{"number":\#(number),"text":"\#(text)"}}"#)
  }

  /// The number in `userInfo` with this name.
  func number(_ name: StaticString) throws -> Int64? {
    let document = JSONDocument()
    try document.read(json.bytes)
    return document.root["userInfo"]?[name]?.integer
  }
}

extension WireClient {
  @discardableResult
  func save(_ activity: Activity, in session: SessionIdentifier) throws -> SaveActivity.Reply {
    try request(SaveActivity(session: session, activity: activity))
  }
}
