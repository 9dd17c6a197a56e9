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
  var path: String { directory + Self.name }
  private let content = Monitor(Content())
  /// Locked for as long as this process lives, and written when what stands in the file is kept.
  private let mark: FileDescriptor

  private static let prefix = "scene"
  private static let markName = "/kept"
  private static let name = "/activity.json"

  init() throws(SystemError) {
    let directory = try Directory.makeTemporary(prefix: Self.prefix)
    // It has its name once it is locked, so that nobody takes it for one that was left behind.
    let early = directory + Self.markName + ".new"
    mark = try File.open(early, [.read, .write, .create])
    _ = try mark.tryLock()
    try File.rename(early, to: directory + Self.markName)
    self.directory = directory
    Self.removeLeftBehind(beside: directory)
  }

  /// Removes what processes have left that were killed, unless something in it was not kept.
  private static func removeLeftBehind(beside directory: String) {
    guard let parent = Directory.parent(of: directory) else { return }
    for name in (try? Directory.list(parent)) ?? [] where name.hasPrefix(prefix + "-") {
      let path = "\(parent)/\(name)"
      guard let status = try? FileStatus(of: path, followLinks: false), status.kind == .directory,
        status.owner == User.current,
        let mark = try? File.open(path + markName, [.read, .noFollow]),
        (try? mark.tryLock()) == true, let kept = try? mark.status().modified
      else { continue }
      let written = try? FileStatus(of: path + Self.name, followLinks: false).modified
      if written ?? kept <= kept { try? Directory.removeTree(path) }
    }
  }

  /// The broker has kept this; if it is what stands there, nothing would be lost with the file.
  func noteKept(_ activity: Activity?) {
    content.withLock { _ in
      guard let bytes = try? read(), let said = try? Self.activity(in: bytes),
        said == activity.map({ .value($0) }) ?? .null
      else { return }
      writeMark()
    }
  }

  private func writeMark() {
    let line: ContiguousArray = [UInt8(ascii: "\n")]
    try? mark.write(line.span.bytes, at: 0)
  }

  /// It stays for whoever wants what is in it.
  func leave() { try? File.removeIfPresent(directory + Self.markName) }

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
      writeMark()
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
