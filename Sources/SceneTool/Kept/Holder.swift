import SceneModel
import ScenePlatform
import Synchronization

/// Holds the terminal of a scene whose window can close: a thread of the process that runs the
/// scene. It reads the output of the terminal, and serves the viewers that show it.
///
/// A ``KeptWindow`` starts the process. The terminal is its standard input and output, so the scene
/// runs in it as in any other terminal.
final class Holder: Sendable {
  /// The windows of the terminal.
  struct Windows: Equatable, Sendable {
    /// The number of viewers.
    var attached = 0
    /// Why the last viewer left; nil before the first one, and while there are viewers.
    var detached: TerminalDetachment?
    /// The number of viewers that have attached so far.
    var total = 0
  }

  /// The requests of other threads.
  struct Requests: Sendable {
    var record: HolderRecord
    var detachments: [ViewerFrame.Detachment] = []
    var raises = false
    var checksPlace = false
    /// The exit status of this process.
    var end: UInt8?
    /// Whether the end waits for viewers that have not read all.
    var endAwaitsViewers = true
  }

  private let requests: Mutex<Requests>
  private let wakeup: Wakeup
  private let windowsState = ConditionMutex(Windows())
  private let onChange = ConditionMutex<(@Sendable (Windows) -> Void)?>(nil)
  private let isOver = ConditionMutex(false)

  /// The holder of this process; nil in any other process.
  static let current = ConditionMutex<Holder?>(nil)

  /// The name by which a process is started as a holder.
  static let processName = "scene-holder"

  /// The descriptors of a holder's process.
  enum Number {
    /// The end of the terminal that shows the output.
    static let terminal: Int32 = 3
    static let listener: Int32 = 4
    static let lock: Int32 = 5
  }

  /// Makes this process the holder. `options` select the broker in suggested command lines.
  init(_ record: HolderRecord, options: String) throws(SystemError) {
    for number in [Number.terminal, Number.listener, Number.lock]
    where !FileDescriptor.isOpen(number) {
      throw SystemError(call: "fcntl", code: .invalidArgument, note: "started by no window")
    }
    try PseudoTerminal.control(StandardStream.input.number)
    requests = Mutex(Requests(record: record))
    wakeup = try Wakeup()
    let loop = { @Sendable [self] in
      if let loop = try? HolderLoop(self, wakeup.number, options: options) { loop.run() }
      isOver.withLock { $0 = true }
    }
    _ = try Thread("holder", body: loop)
    Holder.current.withLock { $0 = self }
  }

  var windows: Windows { windowsState.withLock { $0 } }

  /// Calls `body` on the thread of the holder after each change.
  func follow(_ body: @escaping @Sendable (Windows) -> Void) {
    onChange.withLock { onChange in
      onChange = body
      body(windows)
    }
  }

  var sessionName: String? { requests.withLock(\.record.name) }

  func update(_ change: (inout HolderRecord) -> Void) {
    requests.withLock { change(&$0.record) }
    wakeup.signal()
  }

  /// Ends the viewers: all of them for the background, else the one whose user typed last.
  func detach(by cause: ViewerFrame.Detachment) {
    requests.withLock { $0.detachments.append(cause) }
    wakeup.signal()
  }

  /// Shows the window whose user typed last.
  func raise() {
    requests.withLock { $0.raises = true }
    wakeup.signal()
  }

  /// Looks whether the socket was removed.
  func checkPlace() {
    requests.withLock { $0.checksPlace = true }
    wakeup.signal()
  }

  /// Shows the rest of the output and ends all viewers with a status. A signal ends the wait for a
  /// viewer that does not read.
  func end(_ status: Int32, awaitingViewers: Bool) {
    StandardStream.finishOutput()
    requests.withLock { requests in
      requests.end = UInt8(truncatingIfNeeded: status)
      requests.endAwaitsViewers = awaitingViewers
    }
    wakeup.signal()
    isOver.wait { $0 ? () : nil }
  }

  // MARK: - For the thread

  func takeRequests() -> Requests {
    wakeup.drain()
    return requests.withLock { requests in
      defer {
        (requests.detachments, requests.raises, requests.checksPlace) = ([], false, false)
      }
      return requests
    }
  }

  func note(_ windows: Windows) {
    windowsState.withLock { $0 = windows }
    onChange.withLock { $0?(windows) }
  }
}
