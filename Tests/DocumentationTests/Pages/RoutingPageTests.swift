import SceneModel
import SceneTestSupport
import Testing

/// The page about routing shows valid predicates and has every operator.
struct RoutingPageTests {
  @Test("F59: every predicate on the page is valid")
  func predicates() throws {
    let page = try Page.manual("Routing")
    let whole = ["self", "TRUEPREDICATE", "FALSEPREDICATE"]
    let shown = codeSpans(in: page.text).filter { span in
      whole.contains { span == $0 || span.hasPrefix("\($0) ") } && span != "self"
    }
    #expect(shown.count >= 8)
    for predicate in shown { #expect(throws: Never.self) { try ActivationPredicate(predicate) } }
  }

  @Test("F59: every operator is on the page")
  func operators() throws {
    let text = try Page.manual("Routing").text
    for name in [
      "==", "!=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "IN {", "nil", "NOT ",
      "[c]", "[d]", "%@",
    ] {
      #expect(text.contains(name), "\(name)")
    }
    #expect(text.contains("at most \(ActivationPredicate.maximumDepth) parentheses"))
  }
}
