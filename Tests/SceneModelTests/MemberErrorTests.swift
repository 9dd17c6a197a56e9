import SceneJSON
import SceneModel
import Testing

/// The errors for parameters that cannot be read: they name the member and the fault.
struct MemberErrorTests {
  private static let id = "5B1A0C7E-3B7C-4C3F-9D5E-0A1B2C3D4E5F"

  static let cases: [(any RequestMessage.Type, String, String)] = [
    (Initialize.self, "{}", "protocol: missing; expected an object"),
    (
      Initialize.self, #"{"protocol":{"min":1},"client":{"name":"a"}}"#,
      "protocol.max: missing; expected an integer"
    ),
    (
      Initialize.self, #"{"protocol":{"min":1,"max":1.5},"client":{"name":"a"}}"#,
      "protocol.max: expected an integer, found a number"
    ),
    (
      Initialize.self, #"{"protocol":{"min":1,"max":1},"client":{}}"#,
      "client.name: missing; expected a string"
    ),
    (
      Initialize.self, #"{"protocol":{"min":1,"max":1},"client":{"name":"a"},"as":"king"}"#,
      "as: expected scene, control, observer or applicationDelegate, found \"king\""
    ),
    (
      Initialize.self, #"{"protocol":{"min":1,"max":1},"client":{"name":"a"},"hosts":["*",1]}"#,
      "hosts[1]: expected a string, found a number"
    ),
    (
      SceneConnect.self, #"{"session":"5b1a"}"#,
      "session: expected a session identifier (a UUID), found \"5b1a\""
    ),
    (
      SceneConnect.self, #"{"session":7}"#,
      "session: expected a session identifier (a UUID), found a number"
    ),
    (
      SceneConnect.self, "{\"session\":\"\(String(repeating: "é", count: 50_000))\"}",
      "session: \(identifier), found \"\(String(repeating: "é", count: 20))…\""
    ),
    (SceneConnect.self, #"{"name":["a"]}"#, "name: expected a string, found an array"),
    (SceneConnect.self, #"{"new":"yes"}"#, "new: expected a boolean, found a string"),
    (SceneConnect.self, #"{"resume":{"hold":1}}"#, "resume.state: missing; expected \(state)"),
    (
      SceneConnect.self, #"{"resume":{"state":"asleep","hold":1}}"#,
      "resume.state: expected \(state), found \"asleep\""
    ),
    (SceneConnect.self, #"{"userInfo":[]}"#, "userInfo: expected an object, found an array"),
    (
      SceneConnect.self, #"{"options":{"userActivities":[{}]}}"#,
      "options.userActivities[0].activityType: missing; expected a string"
    ),
    (
      SceneConnect.self, #"{"options":{"urlContexts":[{"url":"a:b"},{"options":{}}]}}"#,
      "options.urlContexts[1].url: missing; expected a string"
    ),
    (
      ApplicationOpen.self, #"{"urlContexts":[{"url":""}]}"#,
      "urlContexts[0].url: must not be empty; \(scheme)"
    ),
    (
      ApplicationOpen.self, #"{"urlContexts":[{"url":"foo"}]}"#,
      "urlContexts[0].url: missing scheme; \(scheme)"
    ),
    (
      ApplicationOpen.self, #"{"urlContexts":[{"url":"1:a"}]}"#,
      "urlContexts[0].url: missing scheme; \(scheme)"
    ),
    (
      ApplicationOpen.self, #"{"urlContexts":[{"url":"a b:c"}]}"#,
      "urlContexts[0].url: missing scheme; \(scheme)"
    ),
    (
      ApplicationOpen.self,
      #"{"urlContexts":[{"url":"a+b-c.d:","options":{"openInPlace":"yes"}}]}"#,
      "urlContexts[0].options.openInPlace: expected a boolean, found a string"
    ),
    (
      ApplicationOpen.self,
      #"{"urlContexts":[{"url":"A2:b","options":{"annotation":1,"annotation":2}}]}"#,
      "urlContexts[0].options.annotation: given twice"
    ),
    (
      ApplicationOpen.self, #"{"shortcutItem":{}}"#, "shortcutItem.type: missing; expected a string"
    ),
    (
      ApplicationOpen.self, #"{"shortcutItem":{"type":"a","targetContentIdentifier":7}}"#,
      "shortcutItem.targetContentIdentifier: expected a string, found a number"
    ),
    (
      ApplicationOpen.self, #"{"notificationResponse":{"userInfo":[]}}"#,
      "notificationResponse.userInfo: expected an object, found an array"
    ),
    (
      ApplicationOpen.self, #"{"notificationResponse":{"more":\#(nested(48))}}"#,
      "notificationResponse: nested 49 levels deep; the limit is 48"
    ),
    (
      SceneUpdate.self, #"{"session":"\#(id)","activationConditions":{"canActivate":true}}"#,
      "activationConditions.canActivate: expected a string, found a boolean"
    ),
    (SceneConnect.self, #"{"name":"a","name":"b"}"#, "name: given twice"),
    (SceneConnect.self, #"{"name":"a","n\u0061me":"b"}"#, "name: given twice"),
    (
      SceneConnect.self, #"{"resume":{"state":"background","hold":1,"hold":2}}"#,
      "resume.hold: given twice"
    ),
    (
      SaveActivity.self, #"{"session":"\#(id)"}"#,
      "activity: missing; expected an activity (an object) or null"
    ),
    (
      SaveActivity.self, #"{"session":"\#(id)","activity":{"userInfo":{}}}"#,
      "activity.activityType: missing; expected a string"
    ),
    (
      SaveActivity.self, #"{"session":"\#(id)","activity":{"activityType":"","userInfo":{}}}"#,
      "activity.activityType: must not be empty; use a name such as com.example.note"
    ),
    (
      SaveActivity.self, #"{"session":"\#(id)","activity":{"activityType":1,"userInfo":{}}}"#,
      "activity.activityType: expected a string, found a number"
    ),
    (
      SaveActivity.self, #"{"session":"\#(id)","activity":{"activityType":"a"}}"#,
      "activity.userInfo: missing; expected an object (empty is fine)"
    ),
    (
      SaveActivity.self, #"{"session":"\#(id)","activity":{"activityType":"a","userInfo":1}}"#,
      "activity.userInfo: expected an object, found a number"
    ),
    (
      SaveActivity.self,
      #"{"session":"\#(id)","activity":{"activityType":"a","activityType":"b","userInfo":{}}}"#,
      "activity.activityType: given twice"
    ),
    (SetName.self, #"{"session":"\#(id)"}"#, "name: missing; expected a string or null"),
    (
      SceneExtend.self, #"{"session":"\#(id)","seconds":"1"}"#,
      "seconds: expected a number, found a string"
    ),
    (SceneTransition.self, #"{"session":"\#(id)","to":null}"#, "to: expected \(state), found null"),
    (RequestDestruction.self, #"{"sessions":["x"]}"#, "sessions[0]: \(identifier), found \"x\""),
    (SessionList.self, #"{"limit":1e2}"#, "limit: expected an integer, found a number"),
  ]

  private static let state =
    "a state (unattached, background, foregroundInactive or foregroundActive)"
  private static let identifier = "expected a session identifier (a UUID)"

  private static let scheme =
    "a URL begins with a scheme and a colon, such as note:packing or file:///tmp/packing.txt"

  @Test(
    "the error has the path of the member, the expected value and the value found",
    arguments: cases)
  func names(method: any RequestMessage.Type, params: String, expected: String) throws {
    let document = try document(params)
    do throws(MemberError) {
      _ = try method.read(document.root)
      Issue.record("\(params) was taken")
    } catch {
      #expect(error.description == expected)
    }
  }

  @Test("null means the same as an absent member that is optional")
  func null() throws {
    #expect(
      try read(SceneConnect.self, from: #"{"session":null,"name":null,"new":null,"options":null}"#)
        == SceneConnect())
  }

  @Test("a stored object can be nested 48 deep", arguments: [48, 49])
  func depth(depth: Int) throws {
    let problem = try problem(OpaqueObject.self, nested(depth))
    #expect((problem == nil) == (depth == 48))
    if let problem {
      #expect(problem == "nested 49 levels deep; the limit is 48")
    }
  }

  @Test("a whole activity can be nested 48 deep", arguments: [48, 49])
  func activityDepth(depth: Int) throws {
    let text = #"{"activityType":"a","userInfo":\#(nested(depth - 1))}"#
    #expect((try problem(Activity.self, text) == nil) == (depth == 48))
  }

  @Test("a stored object keeps its bytes, and also its duplicate names")
  func carried() throws {
    let odd = #"{ "a":1.0,"a" : 9007199254740993 , "\u0061":"\ud83d\ude00" }"#
    #expect(try object(odd).json.description == odd)
    #expect(text(try object(odd)) == odd)
  }
}
