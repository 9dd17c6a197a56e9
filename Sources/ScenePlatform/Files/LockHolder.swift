/// The broker that holds a lock file. Line 1 of the file has the process ID and line 2 the socket.
/// Beside a socket, line 3 has the state directory. The next holder reads the other lines.
package struct LockHolder: Equatable, Sendable {
  package var pid: Int32
  package var socket: String
  /// The state directory; empty for a broker without one; nil if the file has no such line.
  package var state: String?

  package static let textByteLimit = 1 << 13
  private static let stateMark = "state "

  package init(pid: Int32, socket: String, state: String? = nil) {
    self.pid = pid
    self.socket = socket
    self.state = state
  }

  /// The lock file of a socket.
  package static func file(besideSocket path: String) -> String { path + ".lock" }

  /// The lock file in a state directory.
  package static func file(inState directory: String) -> String { "\(directory)/\(stateFile)" }
  package static let stateFile = "lock"

  /// The lines of the file.
  package var text: String {
    "\(pid)\n\(socket)\n" + (state.map { "\(Self.stateMark)\($0)\n" } ?? "")
  }

  /// Reads the last holder of a lock file; nil if the file has no holder.
  package init?(recordedIn path: String) {
    guard let bytes = try? File.readRegular(path, limit: Self.textByteLimit) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.count >= 2, let pid = Int32(lines[0]) else { return nil }
    self.init(pid: pid, socket: String(lines[1]))
    if lines.count > 2, lines[2].hasPrefix(Self.stateMark) {
      state = String(lines[2].dropFirst(Self.stateMark.count))
    }
  }

  /// Reads the current holder; nil if that process has ended. Then another program, such as
  /// `scenectl journal`, may have the lock.
  package init?(readFrom path: String) {
    self.init(recordedIn: path)
    guard isAlive else { return nil }
  }

  /// Whether the recorded process still runs. After a reboot another process may have its ID, so
  /// the process must also hold a lock.
  package var isAlive: Bool { ProcessIdentity.of(pid) != nil && File.hasLocks(of: pid) != false }

  /// Whether a signal stopped the process, so that it does not react to SIGTERM.
  package var isStopped: Bool { ProcessActivity(of: pid)?.state == .stopped }

  /// The shell command that ends the process.
  package var endCommand: String {
    isStopped ? "kill -CONT \(pid) && kill \(pid)" : "kill \(pid)"
  }

  /// Why clients cannot connect, and what to do; nil if they can.
  package var adviceOnAbsence: String? {
    if isStopped {
      return "Process \(pid) is stopped, as by Ctrl-Z. To continue it: kill -CONT \(pid)\n"
        + "To end it: \(endCommand)"
    }
    if File.exists(socket) { return nil }
    return "The socket \(socket) of process \(pid) is missing, so no client can connect. "
      + "To make it listen there again: kill -HUP \(pid)"
  }

  /// Why a broker cannot start at a socket, and what to do; nil if it can. A process that uses the
  /// socket must end first.
  package static func obstacle(atSocket path: String) -> String? {
    if (try? FileStatus(of: path, followLinks: false))?.kind == .symbolicLink {
      return "A broker cannot start there: \(path) is a symbolic link. Name its target with -S, or "
        + "remove the link"
    }
    guard let holder = LockHolder(readFrom: file(besideSocket: path)),
      holder.socket == Directory.absolute(path), let advice = holder.adviceOnAbsence
    else { return nil }
    return "scened (process \(holder.pid)) uses that socket\n\(advice)"
  }

  /// The advice for a broker that does not answer within a time in nanoseconds. A running broker
  /// gets one second before a client advises to end it.
  package func adviceOnSilence(after time: Int64) -> String? {
    if isStopped {
      return "Process \(pid) is stopped, as by Ctrl-Z, and does not react to: kill \(pid)\n"
        + "To continue it: kill -CONT \(pid)"
    }
    guard time >= 1_000_000_000 else { return nil }
    if ProcessActivity(of: pid)?.waitsForDisk == true {
      return "Process \(pid) waits for its disk, and goes on when the disk answers. "
        + "Check the disk of its state directory\(state.map { ": \($0)" } ?? "")"
    }
    return
      "To end the broker: kill \(pid)\nIf that does not help: kill -KILL \(pid) (saved state is kept)"
  }
}
