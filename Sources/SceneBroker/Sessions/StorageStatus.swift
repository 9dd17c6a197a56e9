import SceneModel

/// The space that the journal has reported.
struct StorageStatus {
  private(set) var room: StorageCapacity = .ok
  /// The cause of a shortage, in the system's words.
  private(set) var problem: String?
  /// The room that observers know.
  private var lastPublished = StorageCapacity.ok

  var isFull: Bool { room == .full || room == .exhausted }

  mutating func update(_ room: StorageCapacity, _ problem: String?) {
    (self.room, self.problem) = (room, problem)
  }

  /// Returns whether observers do not know this room.
  mutating func mustPublish(_ room: StorageCapacity) -> Bool {
    defer { lastPublished = room }
    return room != lastPublished
  }

  /// The error for a request that needs space.
  var error: BrokerError {
    let rest =
      room == .exhausted
      ? "the broker uses its reserved space only for scenes that end"
      : "the broker uses its reserved space only to move, close and discard scenes"
    return BrokerError(
      .storageFull, "\(problem ?? "the disk is full"); \(rest); free some space and try again")
  }
}
