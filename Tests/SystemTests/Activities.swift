import JSON
import SceneModel

extension Activity {
  /// An activity as a client would write it.
  static func test(_ text: String) -> Activity {
    guard let json = try? RawJSON(validating: Array(text.utf8), maximumDepth: 48) else {
      preconditionFailure("not JSON: \(text)")
    }
    return Activity(unchecked: json)
  }

  /// Each number makes another.
  static func numbered(_ number: Int) -> Activity {
    .test(#"{"activityType":"com.example.count","userInfo":{"number":\#(number)}}"#)
  }

  /// An activity of about this many bytes; each number makes another.
  static func filler(_ number: Int, bytes: Int) -> Activity {
    let text = String(repeating: "x", count: bytes)
    return .test(
      #"{"activityType":"com.example.filler","userInfo":{"number":\#(number),"text":"\#(text)"}}"#)
  }

  /// A number that its userInfo has under this name.
  func number(_ name: StaticString) throws -> Int64? {
    let document = JSONDocument()
    try document.read(json.bytes)
    return document.root["userInfo"]?[name]?.integer
  }
}
