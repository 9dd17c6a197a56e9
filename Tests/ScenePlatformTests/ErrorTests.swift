import ScenePlatform
import Testing

@Suite("Errors")
struct ErrorTests {
  @Test("an error reads as the call, the path and the reason")
  func description() {
    let error = #expect(throws: SystemError.self) { _ = try FileStatus(of: "/does/not/exist") }
    #expect(error?.description == "stat /does/not/exist: No such file or directory")
    #expect(error?.isNotFound == true)
    #expect(error == SystemError(call: "stat", path: "/does/not/exist", code: .notFound))
  }
}
