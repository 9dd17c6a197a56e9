import SceneCommandLine
import SceneJSON
import SceneModel
import ScenePlatform

/// The file to which a program writes the activity of its scene.
///
/// A program may write the file in pieces or rename a new file. Incomplete content is ignored, and
/// the previous activity stays valid.
final class ActivityFile: Sendable {
  private struct Content {
    var directory: ActivityDirectory?
    /// The content at the last check.
    var bytes = ContiguousArray<UInt8>()
    var flaw: String?
  }

  private let content = ConditionMutex(Content())

  /// The directory of the current run; nil before the first scene.
  var directory: ActivityDirectory? { content.withLock { $0.directory } }

  var path: String? { directory?.file }

  /// Why the last content is no activity; nil if it is one.
  var flaw: String? { content.withLock { $0.flaw } }

  /// Begins a run of the program. Returns the path of its file.
  func begin(_ directory: ActivityDirectory) -> String {
    content.withLock { content in
      content = Content(directory: directory, bytes: (try? directory.read()) ?? [])
      return directory.file
    }
  }

  /// Ends a run. The directory stays if the broker lacks its activity.
  func end() {
    content.withLock { content in
      if let directory = content.directory, directory.isKept { directory.remove() }
      content = Content()
    }
  }

  /// The activity that the program has written since the last call; absent if there is none.
  func takeChange() -> Patch<Activity> {
    content.withLock { content in
      guard let directory = content.directory else { return .absent }
      do throws(SystemError) {
        let bytes = try directory.read()
        guard bytes != content.bytes else { return .absent }
        content.bytes = bytes
      } catch {
        // A removed file means no change.
        if !error.isNotFound { content.flaw = "the file cannot be read: \(error.code)" }
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

  /// The maximum length in bytes, more than the broker's default limit.
  static let limit = 1 << 20

  static func activity(
    in bytes: ContiguousArray<UInt8>
  ) throws(MemberError) -> Patch<Activity> {
    let document = JSONDocument()
    do throws(JSONError) {
      try document.read(bytes.span)
    } catch {
      throw MemberError(
        problem: bytes.isEmpty ? "the file is empty" : "the file is not JSON: \(error)")
    }
    return document.root.isNull ? .null : .value(try Activity(readingGiven: document.root))
  }
}
