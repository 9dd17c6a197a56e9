import CommandLine
import JSON
import SceneModel
import ScenePlatform

/// The file in which a program says what its scene is at.
///
/// Programs write files in pieces, or beside and renamed, as they like. What stands there is
/// looked at as it is: where that is no activity, as half of one, what was said before counts.
final class ActivityFile: Sendable {
  private struct Content {
    /// What stood there when it was looked at last.
    var bytes = ContiguousArray<UInt8>()
    var flaw: String?
  }

  /// Of its own, so that it can be watched.
  let directory: String
  var path: String { directory + "/activity.json" }
  private let content = Monitor(Content())

  init() throws(SystemError) {
    directory = try Directory.makeTemporary(prefix: "scene")
  }

  /// Why what stood there last is no activity.
  var flaw: String? { content.withLock { $0.flaw } }

  /// Lets it begin with an activity; with nil there is no file.
  func begin(with activity: Activity?) throws(SystemError) {
    try File.removeIfPresent(path)
    var bytes = ContiguousArray<UInt8>()
    if let activity {
      bytes = ContiguousArray(activity.json.bytes)
      bytes.append(UInt8(ascii: "\n"))
      try File.write(bytes, to: path)
    }
    content.withLock { [bytes] in $0 = Content(bytes: bytes) }
  }

  /// What the program has said since this was asked last; absent if that is nothing.
  func takeNews() -> Presence<Activity> {
    content.withLock { content in
      do throws(SystemError) {
        let bytes = try read()
        guard bytes != content.bytes else { return .absent }
        content.bytes = bytes
      } catch {
        // That it was removed says nothing.
        if !error.isNotFound { content.flaw = "it cannot be read: \(error.code)" }
        return .absent
      }
      do throws(MemberError) {
        let said = try Self.activity(in: content.bytes)
        content.flaw = nil
        return said
      } catch {
        content.flaw = error.description
        return .absent
      }
    }
  }

  private func read() throws(SystemError) -> ContiguousArray<UInt8> {
    // Whatever else may lie there is not waited for.
    let file = try File.open(path, [.read, .nonblocking])
    return try file.readToEnd(limit: Self.limit)
  }

  /// Bytes; more than any broker keeps by default.
  private static let limit = 1 << 20

  private static func activity(
    in bytes: ContiguousArray<UInt8>
  ) throws(MemberError) -> Presence<Activity> {
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(bytes.span)
    } catch {
      throw MemberError(problem: bytes.isEmpty ? "it is empty" : "it is not JSON: \(error)")
    }
    return document.root.isNull ? .null : .value(try Activity(readingGiven: document.root))
  }

  /// Leaves nothing of it.
  func remove() { try? Directory.removeTree(directory) }
}
