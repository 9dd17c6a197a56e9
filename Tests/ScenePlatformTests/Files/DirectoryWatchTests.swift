import Testing

@testable import ScenePlatform

@Suite("Directory watch")
struct DirectoryWatchTests {
  /// Whether the watch reports a change by `body`.
  private func tells(
    _ watch: DirectoryWatch, of body: () throws -> Void
  ) throws -> Bool {
    let poller = try Poller(capacity: 1)
    try poller.add(watch.number, token: 7, interest: .readable)
    try body()
    defer { watch.drain() }
    return try !events(of: poller).isEmpty
  }

  @Test("a watch reports writes and renames")
  func tells() throws {
    try withDirectory { directory in
      let watch = try DirectoryWatch(directory)
      let path = "\(directory)/file"
      #expect(try tells(watch) { try File.write("1".utf8, to: path) })
      #expect(try tells(watch) { try File.write("2".utf8, to: path) })
      let other = directory + "-other"
      try File.write("3".utf8, to: other)
      #expect(try tells(watch) { try File.rename(other, to: path) })
      let file = try File.open(path, [.write, .append])
      #expect(try tells(watch) { try file.write("4") })
    }
  }

  @Test("a watch without inotify reports at each interval")
  func polls() throws {
    let watch = try DirectoryWatch()
    for _ in 0..<2 { #expect(try tells(watch) {}) }
  }
}
