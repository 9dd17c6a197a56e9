import SceneManifest
import SceneModel
import SceneTestSupport
import Testing

/// All problems of manifests and their messages.
struct GoldenManifestTests {
  private func problems(_ text: String) -> [String] {
    problems(ContiguousArray(text.utf8))
  }

  private func problems(
    _ bytes: ContiguousArray<UInt8>, defining defined: [String: String] = [:]
  ) -> [String] {
    do throws(ManifestError) {
      _ = try ManifestFile.read(
        bytes, named: "app",
        variables: ManifestVariables(defined: defined, application: "notes"))
      return []
    } catch {
      return error.description.split(separator: "\n").map(String.init)
    }
  }

  /// The same without lines and columns, for other tests.
  private func unplaced(_ text: String) -> [String] {
    problems(text).map { $0.replacing(#/line \d+, column \d+: /#, with: "") }
  }

  @Test(
    "a manifest whose printed form is too long for a message is rejected",
    arguments: [("x", 100, false), ("x", 150, true), ("\u{1}", 21, false), ("\u{1}", 24, true)])
  func tooLong(character: String, count: Int, isTooLong: Bool) {
    let words = Array(repeating: #""$(X)""#, count: count).joined(separator: ",")
    let found = problems(
      ContiguousArray(
        #"{"configurations": {"windowApplication": [{"name": "A", "launch": [\#(words)]}]}}"#.utf8),
      defining: ["X": String(repeating: character, count: 60_000)])
    let problem =
      "app: the manifest has more than 8000000 bytes with all defaults and the values of "
      + "variables; shorten the values, or divide the application"
    #expect(found == (isTooLong ? [problem] : []))
  }

  @Test("F8: an error lists all problems, each with its file, line, column and path")
  func golden() throws {
    try GoldenFile.expectAnswers("messages/manifests.txt") { problems($0).joined(separator: "\n") }
  }

  @Test("a text has a maximum length")
  func longTexts() {
    func name(_ count: Int) -> String {
      #"{"configurations": {"r": [{"name": "\#(String(repeating: "a", count: count))"}]}}"#
    }
    #expect(unplaced(name(256)) == [])
    #expect(
      unplaced(name(257)) == [
        "app: configurations.r[0].name: has 257 bytes; the limit is 256"
      ])
  }

  @Test("the name of a role contains no zero byte, as each name of a configuration")
  func zeroByte() {
    let found = problems(#"{"configurations": {"a\u0000b": [{}]}}"#)
    #expect(found.count == 1 && found[0].hasSuffix("a role must not contain a zero byte"))
  }

  @Test("a manifest names at most 64 variables of a login")
  func loginVariables() {
    let list = (0..<65).map { "\"A\($0)\"" }.joined(separator: ",")
    #expect(
      unplaced(#"{"updateEnvironment": [\#(list)]}"#)
        == ["app: updateEnvironment: has 65 names; the limit is 64"])
  }
}

/// Hostile property lists.
struct HostilePropertyListTests {
  private func problem(_ bytes: ContiguousArray<UInt8>) -> String? {
    do throws(ManifestError) {
      _ = try ManifestFile.read(
        bytes, named: "app", variables: ManifestVariables(application: "notes"))
      return nil
    } catch {
      return error.flaws.first?.problem
    }
  }

  /// A binary property list of these values. The first one is the outermost.
  private func binary(_ values: [[UInt8]]) -> ContiguousArray<UInt8> {
    var bytes = ContiguousArray("bplist00".utf8)
    var offsets: [Int] = []
    for value in values {
      offsets.append(bytes.count)
      bytes += value
    }
    let table = bytes.count
    func append(_ number: Int, _ size: Int) {
      for shift in (0..<size).reversed() { bytes.append(UInt8(number >> (8 * shift) & 0xFF)) }
    }
    for offset in offsets { append(offset, 4) }
    append(0, 6)
    append(4, 1)
    append(2, 1)
    append(values.count, 8)
    append(0, 8)
    append(table, 8)
    return bytes
  }

  /// An array of other values.
  private func array(_ values: Int...) -> [UInt8] {
    [0xA0 | UInt8(values.count)] + values.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  @Test("a property list with a cycle is rejected")
  func cycle() {
    #expect(problem(binary([array(0)]))?.contains("levels deep, or contain themselves") == true)
  }

  @Test("a deep property list is rejected", arguments: [63, 64, 60_000])
  func deep(count: Int) {
    let values = (0..<count).map { array($0 + 1) } + [[0x08]]
    let isTooDeep = problem(binary(values))?.contains("more than 64 levels deep") == true
    #expect(isTooDeep == (count > 63))
    let open = String(repeating: "<array>", count: count)
    let close = String(repeating: "</array>", count: count)
    let text = problem(ContiguousArray("<plist>\(open)\(close)</plist>".utf8))
    #expect((text?.contains("more than 64 levels deep") == true) == (count > 63))
  }

  @Test("a property list with exponential references is rejected")
  func laughter() {
    let values = (0..<12).map { index in
      array(index + 1, index + 1, index + 1, index + 1, index + 1, index + 1, index + 1)
    }
    #expect(problem(binary(values + [[0x08]]))?.contains("more than 100000 values") == true)
  }

  @Test(
    "a property list of bytes that are not UTF-8 is rejected", arguments: ["integer", "string"])
  func foreignBytes(element: String) {
    let text = ContiguousArray(repeating: UInt8(0xFF), count: 15)
    let list = "<plist>é\n<\(element)>".utf8 + text + "</\(element)></plist>".utf8
    #expect(
      problem(ContiguousArray(list))
        == "line 2, column \(element.count + 3): invalid property list: the text is not UTF-8")
  }

  @Test("a changed byte of a property list causes no crash")
  func garbled() throws {
    let whole = binary([[0xD1, 0, 1, 0, 2], [0x51, 0x61], array(3, 4), [0x09], [0x10, 0x05]])
    #expect(problem(whole) == nil)
    for index in whole.indices {
      for value: UInt8 in [0, 1, 0x0F, 0x5F, 0xA1, 0xDF, 0xFF] {
        var bytes = whole
        bytes[index] = value
        _ = problem(bytes)
      }
      _ = problem(ContiguousArray(whole[..<index]))
    }
  }
}
