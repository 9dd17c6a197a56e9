import Foundation
import SceneClient
import SceneFoundation
import Testing

/// userInfo is read and written as in UIKit.
struct UserInfoTests {
  private enum Mode: String, UserInfoValue, Codable { case draft, sent }

  @Test("a member is read with as?, also through an optional userInfo")
  func casts() throws {
    let activity = UserActivity(
      activityType: "com.example.note",
      userInfo: [
        "documentId": "packing", "line": 42, "ratio": 0.5, "done": true, "tags": ["a", "b"],
        "size": ["w": 3, "h": 4], "inner": ["x": 1, "y": "z"] as UserInfo, "points": [1, 2.5],
        "none": [String](),
      ])
    #expect(activity.userInfo?["documentId"] as? String == "packing")
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
    let value = try UserInfo(json: #"{"x":\#(text)}"#)["x"]
    #expect(value.map { "\(Swift.type(of: $0))" } ?? "nil" == type)
    // The natural type represents the value.
    if let value, !type.contains("Double") { #expect(value.jsonText == text) }
  }

  @Test("a dictionary can be a userInfo, and its entries can be added")
  func dictionaries() {
    var activity = UserActivity(activityType: "com.example.note")
    #expect(activity.userInfo == nil)
    activity.userInfo = UserInfo(["type": "list"])
    #expect(activity.userInfo == ["type": "list"])
    activity.addUserInfoEntries(from: ["line": 42, "type": "note"])
    #expect(activity.userInfo?.json == #"{"type":"note","line":42}"#)
    activity.userInfo?["line"] = 43
    #expect(activity.userInfo?["line"] as? Int == 43)
    activity.userInfo = nil
    #expect(activity.json == #"{"activityType":"com.example.note","userInfo":{}}"#)
    var info: UserInfo = ["line": 1, "type": "note"]
    info["line"] = nil as Int?
    #expect(info == ["type": "note"])
    #expect(UserInfo(["b": 1, "a": "x"]).json == #"{"a":"x","b":1}"#)
  }

  @Test("a change keeps the bytes of the other members and of their names")
  func bytes() throws {
    var info = try UserInfo(json: #"{"\u00e9":1.0, "big":1e400,"x":1}"#)
    info["x"] = 2
    #expect(info.json == #"{"\u00e9":1.0,"big":1e400,"x":2}"#)
    #expect(info["é"] as? Double == 1.0)
  }

  @Test("objects are equal if their members have equal values")
  func equality() throws {
    let info: UserInfo = ["a": 1, "b": ["x", "é"]]
    let same = try UserInfo(json: #"{ "b": ["x", "\u00e9"], "a": 1 }"#)
    #expect(info == same && Set([info, same]).count == 1)
    #expect(info != ["a": 1] && info != ["a": 2, "b": ["x", "é"]])
    let activity = UserActivity(activityType: "note", userInfo: info)
    #expect(activity == UserActivity(activityType: "note", userInfo: same))
  }

  @Test("Float and enumerations with raw values are values")
  func conformances() {
    let info: UserInfo = ["ratio": Float(0.1), "mode": Mode.sent, "small": UInt8(255)]
    #expect(info.json == #"{"ratio":0.1,"mode":"sent","small":255}"#)
    #expect(Float(jsonText: "0.1") == 0.1 && Float(jsonText: "1e300") == nil)
    #expect(Mode(jsonText: #""sent""#) == .sent && Mode(jsonText: #""lost""#) == nil)
    #expect(UInt8(jsonText: "255") == 255 && UInt8(jsonText: "256") == nil)
  }

  private struct Values: Codable {
    var date: Date
    var data: Data
    var link: URL
  }

  @Test("Foundation's types come back equal")
  func foundation() throws {
    let link = try #require(URL(string: "https://example.com/a?b=c"))
    for interval in [0, 0.25, -0.25, 1_600_000_000.123456, -62_135_596_800] {
      let date = Date(timeIntervalSince1970: interval)
      #expect(Date(jsonText: date.jsonText) == date, "\(date.jsonText)")
    }
    let now = Date()
    let info: UserInfo = ["date": now, "data": Data([0, 255]), "link": link]
    let values = try info.decode(Values.self)
    #expect(values.date == now && values.data == Data([0, 255]) && values.link == link)
    #expect(info["data"] as? String == "AP8=")
    #expect((["date": Date(timeIntervalSince1970: -1.5)] as UserInfo).json == #"{"date":-1.5}"#)
    #expect(Date(jsonText: Date.distantFuture.jsonText) == .distantFuture)
    #expect(Date(jsonText: #""today""#) == nil)
    let error: any Error = SceneError(.sessionNotFound, "there is no such session")
    #expect(error.localizedDescription == "there is no such session")
  }
}
