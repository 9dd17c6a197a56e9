import Foundation
import SceneClient
import SceneFoundation
import Testing

/// userInfo is read and written as in UIKit.
struct UserInfoTests {
  private enum Mode: String, UserInfoValue { case draft, sent }

  @Test("a member is read with as?, also through an optional userInfo")
  func casts() throws {
    let activity = UserActivity(
      activityType: "com.example.note",
      userInfo: [
        "documentId": "packing", "line": 42, "ratio": 0.5, "done": true, "tags": ["a", "b"],
        "size": ["w": 3, "h": 4], "inner": ["x": 1, "y": "z"] as UserInfo, "points": [1, 2.5],
        "none": [String](),
      ])
    // As in UIKit: both spellings compile.
    #expect(activity.userInfo?["documentId"] as? String == "packing")
    #expect(activity.userInfo["documentId"] as? String == "packing")
    guard let userInfo = activity.userInfo, let line = userInfo["line"] as? Int else {
      throw SceneError(.invalidParams, "the line is missing")
    }
    #expect(line == 42)
    #expect(userInfo["ratio"] as? Double == 0.5)
    #expect(userInfo["done"] as? Bool == true)
    #expect(userInfo["tags"] as? [String] == ["a", "b"])
    #expect(userInfo["size"] as? [String: Int] == ["w": 3, "h": 4])
    #expect((userInfo["size"] as? [String: Any])?.count == 2)
    #expect((userInfo["inner"] as? UserInfo)?["y"] as? String == "z")
    #expect(userInfo["points"] as? [Double] == [1, 2.5])
    #expect(userInfo["none"] as? [Int] == [])
    #expect(userInfo["line"] as? String == nil)
    #expect(userInfo["nothing"] as? String == nil)
    let inferred: Int = userInfo["line"] ?? 0
    #expect(inferred == 42)
  }

  @Test(
    "a JSON value has one natural type, or none",
    arguments: [
      ("null", "nil"), ("true", "Bool"), (#""x""#, "String"), ("1", "Int"), ("1.0", "Double"),
      ("1e3", "Double"), ("18446744073709551615", "UInt64"), ("18446744073709551616", "Double"),
      ("[1,2]", "Array<Int>"), ("[1,2.5]", "Array<Double>"), (#"[1,"x"]"#, "nil"),
      ("[null]", "nil"), ("[[1],[2]]", "Array<Array<Int>>"),
      (#"{"a":1}"#, "Dictionary<String, Int>"),
      (#"{"a":1,"b":"x"}"#, "UserInfo"), (#"{"a":null}"#, "UserInfo"),
      (#"[{"a":1},{"a":"x"}]"#, "Array<UserInfo>"),
    ])
  func naturalTypes(text: String, type: String) throws {
    let value = try UserInfo(json: #"{"x":\#(text)}"#)["x"] as (any UserInfoValue)?
    #expect(value.map { "\(Swift.type(of: $0))" } ?? "nil" == type)
    // The natural type represents the value.
    if let value, !type.contains("Double") { #expect(value.jsonText == text) }
  }

  @Test("a dictionary can be assigned, and its entries can be added")
  func dictionaries() {
    let dictionary = ["type": "list"]
    var activity = UserActivity(activityType: "com.example.note")
    #expect(activity.userInfo == nil)
    activity.userInfo = dictionary
    #expect(activity.userInfo == ["type": "list"])
    activity.addUserInfoEntries(from: ["line": 42, "type": "note"])
    #expect(activity.userInfo?.json == #"{"type":"note","line":42}"#)
    activity.userInfo["line"] = 43
    #expect(activity.userInfo?["line"] == 43)
    activity.userInfo = nil
    #expect(activity.json == #"{"activityType":"com.example.note","userInfo":{}}"#)
    activity.userInfo["line"] = nil as Int?
    #expect(activity.userInfo == nil)
    activity.userInfo["line"] = 1
    #expect(activity.userInfo == ["line": 1])
    #expect(UserInfo(["b": 1, "a": "x"]).json == #"{"a":"x","b":1}"#)
  }

  @Test("a change keeps the bytes of the other members and of their names")
  func bytes() throws {
    var info = try UserInfo(json: #"{"\u00e9":1.0, "big":1e400,"x":1}"#)
    info["x"] = 2
    #expect(info.json == #"{"\u00e9":1.0,"big":1e400,"x":2}"#)
    #expect(info["é"] == 1.0)
  }

  @Test("Float and enumerations with raw values are values")
  func conformances() {
    let info: UserInfo = ["ratio": Float(0.1), "mode": Mode.sent, "small": UInt8(255)]
    #expect(info.json == #"{"ratio":0.1,"mode":"sent","small":255}"#)
    #expect(info["ratio"] == Float(0.1))
    #expect(info["mode"] == Mode.sent)
    #expect((["mode": "lost"] as UserInfo)["mode"] as Mode? == nil)
    #expect((["ratio": 1e300] as UserInfo)["ratio"] as Float? == nil)
    #expect((["small": 256] as UserInfo)["small"] as UInt8? == nil)
  }

  @Test("Foundation's types come back equal")
  func foundation() throws {
    let link = try #require(URL(string: "https://example.com/a?b=c"))
    for interval in [0, 0.25, -0.25, 1_600_000_000.123456, -62_135_596_800] {
      let date = Date(timeIntervalSince1970: interval)
      let info: UserInfo = ["date": date]
      #expect(info["date"] == date, "\(info)")
    }
    let now = Date()
    let info: UserInfo = ["date": now, "data": Data([0, 255]), "link": link]
    #expect(info["date"] == now)
    #expect(info["data"] == Data([0, 255]))
    #expect(info["link"] == link)
    #expect(info.json(of: "data") == #""AP8=""#)
    #expect((["date": Date(timeIntervalSince1970: -1.5)] as UserInfo).json == #"{"date":-1.5}"#)
    #expect((["date": Date.distantFuture] as UserInfo)["date"] == Date.distantFuture)
    #expect((["date": "today"] as UserInfo)["date"] as Date? == nil)
    let error: any Error = SceneError(.sessionNotFound, "there is no such session")
    #expect(error.localizedDescription == "there is no such session")
  }
}
