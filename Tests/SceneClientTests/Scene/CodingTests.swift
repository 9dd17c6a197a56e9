import Foundation
import SceneClient
import SceneFoundation
import Testing

/// Codable values in userInfo.
struct CodingTests {
  private struct Note: Codable, Equatable {
    struct Line: Codable, Equatable {
      var text: String
      var isDone: Bool?
    }

    var title = "Packing"
    var lines = [Line(text: "socks", isDone: true), Line(text: "tickets")]
    var sizes = ["b": 2, "a": 1]
    var due = Date(timeIntervalSince1970: 1.5)
    var link = URL(string: "https://example.com")
    var state = State.open(by: "Ann", at: 3)
    var big = UInt64.max
    var ratio: Float = 0.1
  }

  private enum State: Codable, Equatable {
    case open(by: String, at: Int)
    case closed
  }

  @Test("a URL of content is a URL of Foundation, also if it has characters that a URL cannot have")
  func urls() throws {
    func read(_ text: String) throws -> URL {
      let context = try OpenURLContext(url: text)
      return context.url
    }
    #expect(try read("note://shelf/a%20b?c#d").path() == "/a%20b")
    #expect(try read("note:packing").scheme == "note")
    for odd in ["note:a b", "note://[", "note:%%%", "note:é\u{1}|", "n:", "n+x-1:\"<>"] {
      #expect(try read(odd).scheme == String(odd.prefix { $0 != ":" }), "\(odd)")
    }
    var activity = UserActivity(activityType: UserActivity.browsingWeb)
    activity.webpageURL = URL(string: "https://example.com/é")
    let page: URL? = activity.webpageURL
    #expect(page == URL(string: "https://example.com/%C3%A9"))
    let text: String? = activity.webpageURL
    #expect(text == "https://example.com/%C3%A9")
    activity.webpageURL = nil as URL?
    #expect(activity == UserActivity(activityType: UserActivity.browsingWeb))
  }

  private class Base: Codable {
    var base = 1
  }

  private final class Derived: Base {
    private enum Keys: CodingKey { case own, list }

    var own: [Int?] = [1, nil]

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Keys.self)
      var list = try values.nestedUnkeyedContainer(forKey: .list)
      own = []
      while !list.isAtEnd { own.append(try list.decodeNil() ? nil : list.decode(Int.self)) }
      try super.init(from: values.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Keys.self)
      var list = values.nestedUnkeyedContainer(forKey: .list)
      try super.encode(to: values.superEncoder())
      // A nested container is filled after another member.
      for value in own {
        if let value { try list.encode(value) } else { try list.encodeNil() }
      }
    }
  }

  @Test("a structure comes back equal, with JSON that scripts can read")
  func structures() throws {
    let note = Note()
    let info = try UserInfo(encoding: note)
    #expect(
      info.json
        == #"{"title":"Packing","lines":[{"text":"socks","isDone":true},{"text":"tickets"}],"#
        + #""sizes":{"a":1,"b":2},"due":1.5,"link":"https://example.com","#
        + #""state":{"open":{"by":"Ann","at":3}},"big":18446744073709551615,"ratio":0.1}"#)
    #expect(try info.decode(Note.self) == note)
    // The members are those of a userInfo that was written by hand.
    #expect(info["title"] as? String == "Packing")
    // Members that the type does not have are ignored, and stay.
    var more = info
    more["more"] = 1.5
    #expect(try more.decode(Note.self) == note)
    #expect(more["more"] as? Double == 1.5)
  }

  @Test("containers can be filled in any order, and a class has its superclass")
  func classes() throws {
    let info = try UserInfo(encoding: Derived())
    #expect(info.json == #"{"list":[1,null],"super":{"base":1}}"#)
    let derived = try info.decode(Derived.self)
    #expect(derived.own == [1, nil] && derived.base == 1)
  }

  @Test("equal sets and dictionaries have one text, and come back equal")
  func unordered() throws {
    struct Place: Codable, Hashable { var line: Int }
    struct Marks: Codable, Equatable {
      var lines: Set<Int>
      var notes: [Place: [String: Int]]
      var nested: Set<Set<Place>>
    }
    func marks(_ numbers: some Sequence<Int>) -> Marks {
      var marks = Marks(lines: [], notes: [:], nested: [[], [Place(line: 1), Place(line: 2)]])
      for number in numbers {
        marks.lines.insert(number)
        marks.notes[Place(line: number)] = ["b": number, "a": 1]
      }
      return marks
    }
    let info = try UserInfo(encoding: marks(1...3))
    #expect(
      info.json
        == #"{"lines":[1,2,3],"notes":[{"line":1},{"a":1,"b":1},{"line":2},{"a":1,"b":2},"#
        + #"{"line":3},{"a":1,"b":3}],"nested":[[],[{"line":1},{"line":2}]]}"#)
    let other = try UserInfo(encoding: marks((1...100).reversed()))
    #expect(try other.json == UserInfo(encoding: marks(1...100)).json)
    #expect(try info.decode(Marks.self) == marks(1...3))
  }

  @Test(
    "an error of a decoder has the path and the reason",
    arguments: [
      (
        #"{"lines":[{"text":"a"},{"text":1}]}"#,
        "lines[1].text: expected String, found the number 1"
      ),
      (#"{"lines":[{}]}"#, "lines[0].text: missing"), (#"{}"#, "lines: missing"),
      (#"{"lines":{}}"#, "lines: expected Array<Any>, found an object"),
      (#"{"lines":[1]}"#, "lines[0]: expected UserInfo, found the number 1"),
    ])
  func refused(text: String, reason: String) throws {
    struct Lines: Codable { var lines: [Note.Line] }
    let info = try UserInfo(json: text)
    let error = #expect(throws: SceneError.self) { try info.decode(Lines.self) }
    #expect(error?.code == .invalidParams)
    #expect(error?.message == "cannot decode Lines: \(reason)")
  }

  @Test("a value that JSON cannot represent, or that is no object, is refused")
  func notEncodable() {
    struct Ratio: Encodable { var values = [1, Double.nan] }
    let notANumber = #expect(throws: SceneError.self) { try UserInfo(encoding: Ratio()) }
    #expect(notANumber?.message == "cannot encode Ratio: values[1]: JSON has no number for nan")
    let noObject = #expect(throws: SceneError.self) { try UserInfo(encoding: [1]) }
    #expect(noObject?.message == "cannot encode Array<Int> as userInfo: [1] is not an object")
  }
}
