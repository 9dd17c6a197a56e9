import SceneModel
import Testing

struct TypedActivityTests {
  private static let whole = #" {"activityType":"a","userInfo":{"n":1},"title":"x"}"#

  @Test(
    "a typed activity is a type, a type with an object, or a whole activity; null is no activity",
    arguments: [
      ("null", nil), (" null ", nil), ("null {}", #"{"activityType":"null","userInfo":{}}"#),
      ("a", #"{"activityType":"a","userInfo":{}}"#),
      (#"a {"n":1}"#, #"{"activityType":"a","userInfo":{"n":1}}"#), (whole, whole),
    ])
  func typed(text: String, json: String?) throws {
    let activity = try TypedActivity(text).activity
    #expect(activity.map { "\($0.json)" } == json?.drop(while: \.isWhitespace).description)
  }

  @Test(
    "text that is no activity is refused",
    arguments: [
      ("", "expected the activity's type"), (#"{"n":1}"#, "type before its JSON, found {"),
      ("a [", "userInfo"), (#"{"activityType":"","userInfo":{}}"#, "must not be empty"),
    ])
  func refused(text: String, problem: String) {
    let error = #expect(throws: MemberError.self) { try TypedActivity(text) }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "none")")
  }
}
