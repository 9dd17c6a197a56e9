import Foundation
import Testing

@Suite("Source mutations")
struct SourceMutationTests {
  @Test("each text that Tests/mutate replaces occurs once, and there are at least 360 mutations")
  func texts() throws {
    let list = try Checkout.run("Tests/mutate", "--list").output
    #expect(list.split(separator: "\n").count >= 360)
    let check = try Checkout.run("Tests/mutate", "--check")
    #expect(check.status == 0, "\(check.output)")
  }
}
