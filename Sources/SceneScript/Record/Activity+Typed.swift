import JSON
import SceneModel

extension Activity {
  /// The userInfo on one line. Between the tokens of JSON any blank is as good as another, and
  /// within them there is no break.
  var userInfo: String {
    root { $0["userInfo"]?.raw.description ?? "{}" }
      .split { $0.isNewline || $0 == "\t" }.joined(separator: " ")
  }

  var memberCount: Int { root { value in value.members.reduce(0) { count, _ in count + 1 } } }

  private func root<Result>(_ body: (JSONValue) -> Result) -> Result {
    let document = JSONDocument()
    // It was read before, when it came in.
    try? document.read(json.bytes.span)
    return body(document.root)
  }
}
