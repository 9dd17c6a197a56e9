import Testing

@testable import ScenePlatform

@Suite("Watching a directory")
struct DirectoryWatchTests {
  /// Whether the watch tells of what the body does.
  private func tells(
    _ watch: DirectoryWatch, of body: () throws -> Void
  ) throws -> Bool {
    let poller = try Poller(capacity: 1)
    try poller.add(watch.number, token: 7, interest: .readable)
    try body()
    defer { watch.drain() }
    return try !events(of: poller).isEmpty
  }

  @Test("tells of a file that is written, in place and by renaming")
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

  @Test("a directory that is not there cannot be watched")
  func missing() {
    #expect(throws: SystemError.self) { _ = try DirectoryWatch("/nowhere") }
  }
}
