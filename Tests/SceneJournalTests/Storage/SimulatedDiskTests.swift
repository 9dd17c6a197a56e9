import SceneJournal
import SceneTestSupport
import Testing

/// The simulated disk loses what a real one can lose.
struct SimulatedDiskTests {
  @Test("a later sync does not write what a failed sync of a growing file has lost")
  func failedSync() throws {
    let written = ContiguousArray<UInt8>(repeating: 7, count: 2048)
    let survivors = try (0..<UInt64(32)).count { seed in
      let disk = SimulatedDisk(seed: seed)
      let file = try disk.create("log", reserving: 0)
      try disk.syncDirectory()
      try file.write(written.span, at: 0)
      disk.calls = 0
      disk.fault = .once(.inputOutputError, at: 1, only: .syncData)
      #expect(throws: JournalError.self) { try file.syncData(named: "log") }
      try file.syncData(named: "log")
      disk.cutPower()
      return disk.bytes(of: "log") == written
    }
    #expect(survivors < 32)
  }
}
