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
    var directory: ActivityDirectory?
    /// What stood there when it was looked at last.
    var bytes = ContiguousArray<UInt8>()
    var flaw: String?
  }

  private let content = Monitor(Content())

  /// Nil before the first scene.
  var path: String? { content.withLock { $0.directory?.file } }

  /// Why what stood there last is no activity.
  var flaw: String? { content.withLock { $0.flaw } }

  /// Begins a run of the program; the path of its file.
  func begin(_ directory: ActivityDirectory) -> String {
    content.withLock { content in
      content = Content(directory: directory, bytes: (try? directory.read()) ?? [])
      return directory.file
    }
  }

  /// Ends a run. The directory stays if the broker lacks what is in it.
  func end() {
    content.withLock { content in
      if let directory = content.directory, directory.isKept { directory.remove() }
      content = Content()
    }
  }

  /// Removes the directory, whatever is in it.
  func remove() {
    content.withLock { $0.directory?.remove() }
  }

  /// The broker stored this activity.
  func noteKept(_ activity: Activity?, generation: Int64?) {
    content.withLock { $0.directory?.noteKept(activity, generation: generation) }
  }

  /// What the program has said since this was asked last; absent if that is nothing.
  func takeNews() -> Presence<Activity> {
    content.withLock { content in
      guard let directory = content.directory else { return .absent }
      do throws(SystemError) {
        let bytes = try directory.read()
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

  /// Bytes; more than any broker keeps by default.
  static let limit = 1 << 20

  static func activity(
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
}
