import SceneModel
import Testing

struct HostNameTests {
  private static let longest = String(repeating: "é", count: 127) + "h"

  @Test(
    "the name of a host is a word of at most 255 bytes that is no option",
    arguments: [
      ("ann@laptop", nil), ("2001:db8::1", nil), ("b\u{fc}ro_2.example", nil), (longest, nil),
      ("", "1 to 255 bytes"), (longest + "h", "1 to 255 bytes"),
      ("-oProxyCommand", "without a leading hyphen"), ("a b", "letters, digits and ._-@:"),
      ("a/b", "letters, digits and ._-@:"),
    ])
  func names(name: String, problem: String?) {
    let found = HostName.problem(with: name)
    #expect(problem.map { found?.contains($0) == true } ?? (found == nil), "\(found ?? "valid")")
  }
}
