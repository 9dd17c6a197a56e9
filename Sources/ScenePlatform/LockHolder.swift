/// Who has a lock of a broker's, as the lock's file says: its process on the first line, its socket
/// on the second; beside a socket, on the third, where it keeps its state. Other lines that follow
/// are noted for whoever has it next.
package struct LockHolder: Equatable, Sendable {
  package var pid: Int32
  package var socket: String
  /// Where the file says it: the directory, or nothing for one that keeps none.
  package var state: String?

  package static let textByteLimit = 1 << 13
  private static let stateMark = "state "

  package init(pid: Int32, socket: String, state: String? = nil) {
    self.pid = pid
    self.socket = socket
    self.state = state
  }

  /// The file beside a socket.
  package static func file(besideSocket path: String) -> String { path + ".lock" }

  /// The lines as they stand in the file.
  package var text: String {
    "\(pid)\n\(socket)\n" + (state.map { "\(Self.stateMark)\($0)\n" } ?? "")
  }

  /// Who has it, or had it last; nil where the file says nothing.
  package init?(recordedIn path: String) {
    // A pipe of that name must not be waited for.
    guard let file = try? File.open(path, [.read, .nonblocking]),
      (try? file.status().kind) == .regular,
      let bytes = try? file.readToEnd(limit: Self.textByteLimit)
    else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.count >= 2, let pid = Int32(lines[0]) else { return nil }
    self.init(pid: pid, socket: String(lines[1]))
    if lines.count > 2, lines[2].hasPrefix(Self.stateMark) {
      state = String(lines[2].dropFirst(Self.stateMark.count))
    }
  }

  /// Nil also where it speaks of a process that has ended: then another has the lock, such as
  /// `scenectl journal`.
  package init?(readFrom path: String) {
    self.init(recordedIn: path)
    guard isAlive else { return nil }
  }

  /// Whether the process runs, and is the one that is meant: its number may be somebody else's by
  /// now, as after the system was started again.
  package var isAlive: Bool { ProcessIdentity.of(pid) != nil && File.hasLocks(of: pid) != false }

  /// Whether it was stopped by a signal, and so does not even hear that it is to end.
  package var isStopped: Bool { ProcessActivity(of: pid)?.state == .stopped }

  /// How its process is ended from a shell.
  package var endCommand: String {
    isStopped ? "kill -CONT \(pid) && kill \(pid)" : "kill \(pid)"
  }

  /// Why nobody can ask it, and what to do; nil if it can be asked.
  package var adviceOnAbsence: String? {
    if isStopped {
      return "It is stopped, as by Ctrl-Z. It goes on with: kill -CONT \(pid)\n"
        + "End it with: \(endCommand)"
    }
    if File.exists(socket) { return nil }
    return "Its socket \(socket) is gone, so nobody can reach it. End it with: \(endCommand)"
  }

  /// Who has the place of a socket at which nobody can be asked, and what to do: until that process
  /// has ended, none can be started there. Nil if one can.
  package static func obstacle(atSocket path: String) -> String? {
    guard let holder = LockHolder(readFrom: file(besideSocket: path)),
      holder.socket == Directory.absolute(path), let advice = holder.adviceOnAbsence
    else { return nil }
    return "A scened (process \(holder.pid)) has that place\n\(advice)"
  }

  /// What can be done about one that does not answer.
  package var adviceOnSilence: String {
    if isStopped {
      return "It is stopped, as by Ctrl-Z, and does not even hear that it is to end (kill \(pid))\n"
        + "It goes on with: kill -CONT \(pid)"
    }
    return "To end it: kill \(pid)\nIf that does not help: kill -KILL \(pid) (what was saved stays)"
  }
}
