/// What the disk can take, as far as the journal has said.
struct DiskState {
  private(set) var room: RecordRoom = .ok
  /// What stands in the way, in the system's words.
  private(set) var problem: String?
  /// What observers were last told that there is room for.
  private var told = RecordRoom.ok

  var isFull: Bool { room == .full || room == .exhausted }

  mutating func take(_ room: RecordRoom, _ problem: String?) {
    (self.room, self.problem) = (room, problem)
  }

  /// Whether observers have not been told yet that there is room for this.
  mutating func isNews(_ room: RecordRoom) -> Bool {
    defer { told = room }
    return room != told
  }
}
