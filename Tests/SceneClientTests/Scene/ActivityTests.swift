import SceneClient
import Testing

/// Activities and userInfo keep their text.
struct ActivityTests {
  private static let text =
    #"{"future":[1.0],"activityType":"com.example.note","userInfo":{"big": 9007199254740993,"#
    + #" "pi":3.14159265358979323846,"s":"\u00e9\/"},"title":"A"}"#

  @Test("an activity that is not changed keeps every byte")
  func carried() throws {
    let activity = try UserActivity(json: " \(Self.text)\n")
    #expect(activity.json == Self.text)
    #expect(activity.userInfo?["big"] as? Int == 9_007_199_254_740_993)
  }

  @Test("a change of one member leaves the bytes of the others")
  func changed() throws {
    var activity = try UserActivity(json: Self.text)
    activity.title = "B"
    activity.targetContentIdentifier = "note-7"
    #expect(
      activity.json
        == Self.text.dropLast().replacing(#""title":"A""#, with: #""title":"B""#)
        + #","targetContentIdentifier":"note-7"}"#)
    activity.userInfo?["big"] = 1
    #expect(
      activity.userInfo?.json
        == #"{"big":1,"pi":3.14159265358979323846,"s":"\u00e9\/"}"#)
    activity.title = nil
    #expect(!activity.json.contains("title"))
  }

  @Test("an activity is eligible for handoff unless its member says otherwise")
  func handoff() throws {
    var activity = try UserActivity(json: Self.text)
    #expect(activity.isEligibleForHandoff)
    activity.isEligibleForHandoff = false
    #expect(activity.json == Self.text.dropLast() + #","isEligibleForHandoff":false}"#)
    #expect(try !UserActivity(json: activity.json).isEligibleForHandoff)
    activity.isEligibleForHandoff = true
    #expect(activity.json == Self.text)
  }

  @Test(
    "a number is read only as a type that can represent it",
    arguments: [
      ("9007199254740993", true), ("-9223372036854775808", true),
      ("9223372036854775808", false), ("1.0", false), ("1e3", false), ("true", false),
      (#""1""#, false),
    ])
  func integers(text: String, isRead: Bool) {
    #expect(Int(jsonText: text)?.description == (isRead ? text : nil))
  }

  @Test("a number that JSON does not have is written as null")
  func notFinite() {
    #expect((["x": Double.nan] as UserInfo).json == #"{"x":null}"#)
  }

  @Test(
    "an invalid activity is refused with a reason",
    arguments: [
      ("{", "unexpected end of the JSON"), ("[]", "expected an activity"),
      (#"{"userInfo":{}}"#, "activityType"), (#"{"activityType":"x"}"#, "userInfo"),
      (#"{"activityType":"x","userInfo":[]}"#, "userInfo"),
      (#"{"activityType":"","userInfo":{}}"#, "empty"),
      (#"{"activityType":"x","activityType":"y","userInfo":{}}"#, "twice"),
    ])
  func refused(text: String, reason: String) {
    let error = #expect(throws: SceneError.self) { try UserActivity(json: text) }
    #expect(error?.code == .invalidParams)
    #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
  }

  @Test("the page of an activity has http or https")
  func webpage() throws {
    var activity = UserActivity(activityType: UserActivity.browsingWeb)
    for page in ["https://example.com", "HTTP://example.com/a", nil] {
      activity.webpageURL = page
      #expect(try activity.checked.webpageURL == page)
    }
    activity.webpageURL = "note:packing"
    let error = #expect(throws: SceneError.self) { try activity.checked }
    #expect(
      error?.message
        == "invalid webpageURL \"note:packing\": a web page has http or https; put another URL into "
        + "userInfo")
  }

  @Test("userInfo that is no object is refused")
  func noObject() {
    #expect(throws: SceneError.self) { try UserInfo(json: "[]") }
    #expect(throws: SceneError.self) { try UserInfo(json: "") }
    #expect(UserInfo(jsonText: "1") == nil)
  }

  @Test("the last of two members with one name counts, at the position of the first")
  func twice() {
    let info: UserInfo = ["a": 1, "b": 2, "a": 3]
    #expect(info.json == #"{"a":3,"b":2}"#)
  }
}
