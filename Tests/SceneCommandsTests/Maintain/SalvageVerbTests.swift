import SceneCommandLine
import SceneControlTestSupport
import SceneJSON
import SceneModel
import ScenePlatform
import SceneTestSupport
import Testing

@testable import SceneCommands

@Suite("Salvaging a damaged journal")
struct SalvageVerbTests {
  private func session(_ number: Int, name: String? = nil) -> Record {
    .session(
      SessionAttributes(
        identifier: identifier(number), name: name, configuration: SceneConfiguration()))
  }

  private func activity(_ number: Int, _ generation: Int64) throws -> Record {
    let json = try RawJSON(
      validating: Array(#"{"activityType":"note","userInfo":{}}"#.utf8), maximumDepth: 8)
    return .activity(
      Generation(
        session: identifier(number), number: generation, activity: Activity(unchecked: json),
        saved: 1))
  }

  /// Three sessions; the second batch has the newest activity of the first and makes the second.
  private func damaged() throws -> StateDirectory {
    let directory = try StateDirectory(
      [session(1, name: "packing"), try activity(1, 1)],
      [try activity(1, 2), session(2, name: "writing")],
      [session(3), try activity(2, 1)])
    try directory.flip(byte: 8192 + 24, of: "log-1")
    return directory
  }

  @Test("says what was kept and what was lost, and what to do next")
  func forPeople() throws {
    let directory = try damaged()
    let bytes = try File.read(directory.path + "/log-1")
    let target = directory.path + "-salvaged"
    defer { try? Directory.removeTree(target) }
    let outcome = try Outcome.of(["journal", "salvage", directory.path, "--into", target])
    #expect(outcome.errors == "")
    #expect(
      outcome.output == """
        Saved 3 sessions and 2 activities from \(directory.path) into \(target)
        Lost:
          log-1:8192-12288: the data does not match its checksum (2 records)
        These sessions lost their properties; their activities are in sessions called recovered-…:
          \(identifier(2)) writing
        These sessions lost their newest activity:
          \(identifier(1)) packing
        Start a broker with the salvaged state: scened --state \(target)
        Or replace the damaged state: mv \(directory.path) \(directory.path)-damaged \
        && mv \(target) \(directory.path)

        """)
    #expect(outcome.code == .success)
    #expect(try directory.names() == ["log-1"])
    #expect(try File.read(directory.path + "/log-1") == bytes)
    #expect(try FileStatus(of: target).mode & 0o777 == 0o700)
    let verified = try Outcome.of(["journal", "verify", target])
    #expect(verified.output.contains("5 records, 3 sessions; no damage"))
    let again = try Outcome.of(["journal", "salvage", directory.path, "--into", target])
    #expect(again.code == .usage)
  }

  @Test("of a log that has lost its header all is kept, and nothing is said to be lost")
  func header() throws {
    let directory = try StateDirectory([session(1, name: "packing")])
    let target = directory.path + "-salvaged"
    defer { try? Directory.removeTree(target) }
    try directory.flip(byte: 27, of: "log-1")
    let verified = try Outcome.of(["journal", "verify", directory.path])
    #expect(verified.errors.contains("at offset 0: the header does not match its checksum\n"))
    let outcome = try Outcome.of(["journal", "salvage", directory.path, "--into", target])
    #expect(outcome.code == .success)
    #expect(
      outcome.output.hasPrefix(
        """
        Saved 1 session and 0 activities from \(directory.path) into \(target)
        Damaged, but no record was lost:
          log-1:0-72: the header does not match its checksum; the copy of the header is intact
        Start a broker with the salvaged state: 
        """), "\(outcome.output)")
  }

  @Test("the broker to be started then listens where the one before did")
  func sameSocket() throws {
    let directory = try damaged()
    func next(_ socket: String, _ words: [String] = []) throws -> String? {
      let holder = LockHolder(pid: Int32.max, socket: socket)
      try File.write(holder.text.utf8, to: directory.path + "/lock", mode: 0o600)
      let target = directory.path + "-salvaged"
      defer { try? Directory.removeTree(target) }
      let outcome = try Outcome.of(
        words + ["journal", "salvage", directory.path, "--into", target],
        environment: ["SCENE_SOCKET": "/own"])
      return outcome.output.split(separator: "\n").first { $0.hasPrefix("Start a broker") }
        .map { String($0.dropLast(" --state \(target)".count)) }
    }
    let plain = "Start a broker with the salvaged state: scened"
    #expect(try next("/own") == plain)
    #expect(try next("/nowhere/at/all") == plain)
    #expect(try next(directory.path + "/a b") == plain + " -S '\(directory.path)/a b'")
    #expect(try next("/own", ["-a", "notes", "-S", "/x"]) == plain + " -a notes -S /x")
  }

  @Test("prints one object for scripts")
  func forScripts() throws {
    let directory = try damaged()
    let target = directory.path + "-salvaged"
    defer { try? Directory.removeTree(target) }
    let outcome = try Outcome.of(
      ["--json", "journal", "salvage", "--state", directory.path, "--into", target])
    #expect(
      outcome.output == """
        {"from":"\(directory.path)","into":"\(target)","damaged":true,"sessions":3,\
        "activities":2,"events":0,"records":4,"droppedRecords":0,"losses":[{"file":"log-1",\
        "from":8192,"to":12288,"reason":"the data does not match its checksum","records":2}],\
        "lostSessions":[],\
        "recoveredSessions":[{"session":"\(identifier(2))","name":"writing"}],\
        "outdatedSessions":[{"session":"\(identifier(1))","name":"packing"}],\
        "unnamedSessions":[],"returnedSessions":[],"outdatedTopics":[]}

        """)
  }

  @Test("copies a journal that is well")
  func healthy() throws {
    let directory = try StateDirectory([session(1), try activity(1, 1)], [session(2)])
    let target = directory.path + "-salvaged"
    defer { try? Directory.removeTree(target) }
    let outcome = try Outcome.of(["journal", "salvage", directory.path, "--into", target])
    #expect(outcome.code == .success)
    #expect(
      outcome.output == """
        Found no damage; copied 2 sessions and 1 activity from \(directory.path) into \(target)
        The state needs no salvage; the broker can start with it as it is

        """)
    #expect(!outcome.output.contains("ost"))
  }

  @Test("makes nothing where nothing can be saved")
  func nothing() throws {
    let discard = Record.discard(Discard(session: identifier(1)))
    let directory = try StateDirectory([session(1)], [discard])
    try directory.flip(byte: 4200, of: "log-1")
    let target = directory.path + "-salvaged"
    let outcome = try Outcome.of(["journal", "salvage", directory.path, "--into", target])
    #expect(outcome.code == .badData)
    #expect(outcome.errors.hasPrefix("scenectl: cannot salvage any record of \(directory.path)\n"))
    #expect(!File.exists(target))
    let json = try Outcome.of(["journal", "salvage", directory.path, "--into", target, "--json"])
    #expect(json.code == .badData)
    #expect(json.output.contains(#""into":null,"damaged":true,"sessions":0"#))
    let empty = try StateDirectory()
    #expect(
      try Outcome.of(["journal", "salvage", empty.path, "--into", target]).code == .noSession)
    #expect(!File.exists(target))
  }

  @Test("refuses a place where it would do harm, and a journal that is in use")
  func refused() throws {
    let directory = try damaged()
    let inside = directory.path + "/inside"
    for words in [[], ["--into", inside], ["--into", directory.path]] {
      let outcome = try Outcome.of(["journal", "salvage", directory.path] + words)
      #expect(outcome.code == .usage)
    }
    let lock = try File.open(directory.path + "/lock", [.read, .write, .create])
    #expect(try lock.tryLock())
    let target = directory.path + "-salvaged"
    let outcome = try Outcome.of(["journal", "salvage", directory.path, "--into", target])
    #expect(outcome.code == .tryAgain)
    #expect(outcome.errors.contains("scenectl shutdown"))
    #expect(!File.exists(target))
    #expect(try directory.names() == ["lock", "log-1"])
  }
}
