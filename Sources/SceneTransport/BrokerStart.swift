import ScenePlatform

/// Starts a broker in the background for a client, if none listens.
package struct BrokerStart: Sendable {
  /// The absolute path of the socket.
  private let socket: String
  private let application: String?

  package init(at socket: String, application: String?) {
    self.socket = Directory.absolute(socket)
    self.application = application
  }

  /// The environment variable with the effect of `--start`.
  package static let variable = "SCENE_AUTOSTART"

  /// Whether the variable asks for a start.
  package static func isWanted(by value: String?) -> Bool {
    guard let value else { return false }
    return !["", "0", "no", "false"].contains(value)
  }

  package static let advice =
    "To start one whenever it is needed, use --start, or set \(variable)=1"

  /// Returns when a broker listens. Of several processes that call this at once, one starts it: the
  /// others wait for a lock, and connect again.
  package func run() throws(BrokerStartError) {
    guard isAbsent else { return }
    let lock = try takeLock()
    var failure: BrokerStartError?
    do throws(BrokerStartError) {
      if isAbsent { try start() }
    } catch {
      failure = error
    }
    lock.close()
    if let failure { throw failure }
  }

  /// Whether no process listens. A client reports any other error by itself.
  private var isAbsent: Bool {
    do throws(SystemError) {
      let connection = try UnixSocket.connect(to: socket)
      connection.close()
      return false
    } catch {
      return error.isNotFound || error.code == .connectionRefused
    }
  }

  private func takeLock() throws(BrokerStartError) -> FileDescriptor {
    do {
      if let directory = Directory.parent(of: socket) { _ = try PrivateDirectory.make(directory) }
      let file = try File.open(
        socket + ".start", [.read, .write, .create, .noFollow, .nonblocking])
      try file.lock()
      return file
    } catch {
      throw BrokerStartError("cannot start a broker: \(error)")
    }
  }

  private func start() throws(BrokerStartError) {
    if askHolder() { return }
    let log = BrokerLog(besideSocket: socket)
    let end: ProcessEnd
    do throws(SystemError) {
      guard let failed = try launch(loggingTo: log) else { return }
      end = failed
    } catch {
      throw BrokerStartError("cannot start scened: \(error)")
    }
    // Another broker may have started meanwhile.
    guard isAbsent else { return }
    throw BrokerStartError(
      Self.reason(in: log.path)
        ?? "scened ended with status \(end.shellCode); its log is \(log.path)")
  }

  /// The last error of a log, with the advice below it.
  private static func reason(in path: String) -> String? {
    guard let bytes = try? File.read(path, limit: Int(BrokerLog.limit)) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let mark = "scened: error: "
    guard let place = lines.lastIndex(where: { $0.hasPrefix(mark) }) else { return nil }
    return "cannot start scened: "
      + ([lines[place].dropFirst(mark.count)] + lines[(place + 1)...]).joined(separator: "\n")
  }

  /// Asks a running broker, whose socket was removed, to listen again. Returns whether it listens.
  private func askHolder() -> Bool {
    guard let name = try? ApplicationName(application),
      let state = try? RuntimePaths(application: name).stateDirectory(),
      let holder = LockHolder(readFrom: LockHolder.file(inState: state)), holder.socket == socket,
      (try? Signal.hangup.send(to: holder.pid)) != nil
    else { return false }
    let deadline = SystemClock.monotonic() + 2_000_000_000
    while isAbsent {
      guard SystemClock.monotonic() < deadline else { return false }
      // No event announces the socket.
      SystemClock.wait(until: SystemClock.monotonic() + 20_000_000)
    }
    return true
  }

  /// Starts the broker, and waits until it is ready. Returns the end of a broker that failed.
  private func launch(loggingTo log: BrokerLog) throws(SystemError) -> ProcessEnd? {
    var ready = try FileDescriptor.pipe()
    let reading = ready.takeFirst()
    let writing = ready.takeSecond()
    let null = try File.open("/dev/null", .read)
    let output = try log.begin()
    let names = application.map { ["-a", $0] } ?? []
    // In its own process group, so that it outlives the job and the terminal of this process.
    let child = try ChildProcess.spawn(
      Executable.installed("scened"), names + ["-S", socket, "--ready-fd", "3"],
      descriptors: [0: null.number, 1: output.number, 2: output.number, 3: writing.number],
      workingDirectory: "/", group: 0)
    writing.close()
    let isReady = try reading.readToEnd(limit: 1).isEmpty == false
    return isReady ? nil : try child.reap()
  }
}

/// Why no broker could be started: what failed, and why.
package struct BrokerStartError: Error, Equatable, Sendable {
  package let message: String

  init(_ message: String) { self.message = message }
}
