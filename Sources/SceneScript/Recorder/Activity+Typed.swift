import SceneJSON
import SceneModel

extension Activity {
  /// The userInfo on one line. Line breaks occur only between tokens, so spaces can replace them.
  var userInfo: String {
    root { $0["userInfo"]?.raw.description ?? "{}" }
      .split { $0.isNewline || $0 == "\t" }.joined(separator: " ")
  }

  var memberCount: Int { root { value in value.members.reduce(0) { count, _ in count + 1 } } }

  private func root<Result>(_ body: (JSONValue) -> Result) -> Result {
    let document = JSONDocument()
    // The JSON was parsed before, so this does not fail.
    try? document.read(json.bytes.span)
    return body(document.root)
  }
}
