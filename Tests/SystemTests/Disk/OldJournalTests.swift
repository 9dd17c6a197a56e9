import ScenePlatform
import SceneTestSupport
import Testing

/// A journal that an older program has written opens.
///
/// `Tests/Golden/journals` has a state directory of each older program, named after its date. They
/// stay as they are. The zeros at the end of the newest log are left out.
struct OldJournalTests {
  private let workplace: Workplace

  init() throws { workplace = try Workplace() }

  private func copy(_ program: String) throws {
    let source = try Repository.file("Tests/Golden/journals/\(program)")
    try Directory.make(workplace.state)
    let names = try Directory.list(source).filter { $0 != "dump.txt" }
    let newest = names.compactMap { name in name.hasPrefix("log-") ? Int(name.dropFirst(4)) : nil }
      .max()
    for name in names {
      let bytes = try File.read("\(source)/\(name)", limit: 1 << 24)
      try File.write(bytes, to: "\(workplace.state)/\(name)", mode: 0o600)
    }
    let log = "\(workplace.state)/log-\(newest ?? 0)"
    try File.open(log, [.write]).truncate(to: 16 << 20)
  }

  @Test("every record of the program of 2026-11-23 is read, and the broker goes on with them")
  func first() throws {
    try copy("2026-11-23")
    let dump = try RunningProgram.run(
      "scenectl", ["journal", "dump", "--state", workplace.state])
    try GoldenFile.expect(dump.output, equals: "journals/2026-11-23/dump.txt")
    for _ in 1...2 {
      let daemon = try Daemon(workplace)
      #expect(
        try daemon.scenectl("sessions", "--names").split(separator: "\n").sorted()
          == ["boarding passes", "open", "packing"])
      let packing = try daemon.scenectl("--json", "show", "packing")
      #expect(packing.contains(#""userInfo":{"color": "red"}"#))
      #expect(packing.contains(#""userInfo": {"line": 3}"#))
      #expect(try daemon.scenectl("topics").contains("log"))
      #expect(try daemon.stop().isSuccess)
    }
  }
}
