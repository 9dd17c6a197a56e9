@testable import SceneModel

extension StoredState {
  /// Visits the records of a new base, as compaction does.
  func forEachRecord(_ body: (Record) -> Void) {
    var cursor = Cursor(self)
    while !cursor.isAtEnd { cursor.takeNext(of: self, body) }
  }
}
