/// A location in a test, for failures.
struct TestLocation: Sendable {
  let file: String
  let line: UInt

  init(_ file: StaticString, _ line: UInt) {
    self.file = "\(file)"
    self.line = line
  }
}
