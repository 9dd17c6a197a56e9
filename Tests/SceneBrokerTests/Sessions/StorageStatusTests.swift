import SceneModel
import Testing

@testable import SceneBroker

struct StorageStatusTests {
  private var status = StorageStatus()

  private mutating func mustPublish(_ room: StorageCapacity) -> Bool { status.mustPublish(room) }

  @Test("the error names the cause, and what the reserved space is for")
  mutating func error() {
    status.update(.full, nil)
    #expect(status.error.message.hasPrefix("the disk is full; "))
    #expect(status.error.message.contains("only to move, close and discard scenes"))
    status.update(.exhausted, "no room on /")
    #expect(status.error.message.hasPrefix("no room on /; "))
    #expect(status.error.message.contains("only for scenes that end"))
    #expect(status.error.reason == .storageFull)
  }

  @Test("a disk is full if only reserved space is left")
  mutating func isFull() {
    for room in StorageCapacity.allCases {
      status.update(room, nil)
      #expect(status.isFull == (room == .full || room == .exhausted), "\(room)")
    }
  }

  @Test("observers get a room that differs from the published one, not from the reported one")
  mutating func publish() {
    status.update(.full, nil)
    #expect(!mustPublish(.ok))
    #expect(mustPublish(.behind))
    #expect(!mustPublish(.behind))
  }
}
