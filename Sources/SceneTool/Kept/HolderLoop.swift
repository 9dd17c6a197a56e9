import SceneCommandLine
import SceneModel
import ScenePlatform

/// The thread of a ``Holder``.
final class HolderLoop {
  private let holder: Holder
  private let options: String
  private let poller: Poller
  private let terminal = FileDescriptor(adopting: Holder.Number.terminal)
  private let place: HolderPlace
  private let buffer = InputBuffer(byteCount: ViewerFrame.contentLimit)
  private var history = OutputHistory()
  private var viewers: [UInt64: HeldViewer] = [:]
  private var lastToken: UInt64 = 4
  /// The viewer that attached last or whose user typed last. It decides the size.
  private var leader: UInt64?
  private var windows = Holder.Windows()
  private var record: HolderRecord
  /// The keys that the terminal has not taken.
  private var input: [UInt8] = []
  /// When the terminal gets its size, so that the program draws its screen.
  private var sizeTime: Int64?
  private var status: UInt8?
  private var awaitsViewers = true
  /// Ends the wait for viewers after the end of the program.
  private var signals: SignalSource?

  private enum Token {
    static let wakeup: UInt64 = 0
    static let listener: UInt64 = 1
    static let terminal: UInt64 = 2
    static let signals: UInt64 = 3
    static let place: UInt64 = 4
  }

  private static let viewerLimit = 8
  private static let inputLimit = 64 << 10
  /// Nanoseconds in which a viewer must read a part of its output.
  private static let readTime: Int64 = 5_000_000_000
  private static let lastReads = 64
  /// Nanoseconds between two sizes: the kernel would merge their signals.
  private static let sizeDelay: Int64 = 50_000_000

  init(_ holder: Holder, _ wakeup: Int32, options: String) throws(SystemError) {
    self.holder = holder
    self.options = options
    record = holder.takeRequests().record
    poller = try Poller(capacity: 16)
    place = HolderPlace(
      FileDescriptor(adopting: Holder.Number.listener),
      FileDescriptor(adopting: Holder.Number.lock), poller, token: Token.place)
    try poller.add(wakeup, token: Token.wakeup, interest: .readable)
    try poller.add(terminal.number, token: Token.terminal, interest: .readable)
    try? poller.add(place.listener.number, token: Token.listener, interest: .readable)
    place.write(record)
  }

  /// Listens again if the files of this holder are missing.
  private func bindAgain() {
    // Viewers of the removed socket.
    accept()
    try? poller.remove(place.listener.number)
    place.bindAgain(record)
    try? poller.add(place.listener.number, token: Token.listener, interest: .readable)
  }

  func run() {
    var events: ContiguousArray<PollEvent> = []
    while status == nil || awaitsViewers && !viewers.isEmpty {
      guard (try? poller.wait(nanoseconds: timeLeft, into: &events)) != nil else { break }
      for event in events {
        switch event.token {
        case Token.wakeup: break
        case Token.signals: awaitsViewers = false
        case Token.listener: accept()
        case Token.place: place.check()
        case Token.terminal:
          if event.writable { writeInput() }
          if event.readable { readTerminal() }
        default: if let viewer = viewers[event.token] { handle(event, viewer) }
        }
      }
      takeRequests()
      checkTimes()
      removeFinished()
      try? updateInterests()
    }
  }

  // MARK: - Times

  private var isBlocked: Bool { viewers.values.contains(where: \.isBlocking) }

  private var timeLeft: Int64? {
    var times = viewers.values.filter(\.isBlocking).map { $0.progress + Self.readTime }
    times += [sizeTime, place.nextBind].compactMap(\.self)
    return times.min().map { max(0, $0 - SystemClock.monotonic()) }
  }

  private func checkTimes() {
    let now = SystemClock.monotonic()
    for viewer in viewers.values where viewer.isBlocking && now - viewer.progress >= Self.readTime {
      viewer.fallBehind()
    }
    if let time = sizeTime, now >= time {
      sizeTime = nil
      applySize()
    }
    if status == nil, let time = place.nextBind, now >= time { bindAgain() }
  }

  private func updateInterests() throws(SystemError) {
    if status == nil {
      let wanted = PollInterest(readable: !isBlocked, writable: !input.isEmpty)
      try poller.modify(terminal.number, token: Token.terminal, interest: wanted)
    }
    for (token, viewer) in viewers {
      let wanted = PollInterest(
        readable: input.count < Self.inputLimit, writable: viewer.awaitsSpace)
      try poller.modify(viewer.socket.number, token: token, interest: wanted)
    }
  }

  // MARK: - Requests

  private func takeRequests() {
    let requests = holder.takeRequests()
    if requests.record != record {
      record = requests.record
      place.write(record)
    }
    if requests.checksPlace, status == nil { place.check() }
    for cause in requests.detachments {
      for (token, viewer) in viewers where viewer.isAttached {
        if cause == .stopped, token != leader { continue }
        viewer.close(with: .detach(cause))
      }
      if cause == .stopped { history.removeStopKey() }
      noteWindows(cause == .stopped ? .stopped : .background)
    }
    if requests.raises, let leader { viewers[leader]?.send(.raise) }
    if let end = requests.end, status == nil {
      awaitsViewers = requests.endAwaitsViewers
      finish(end)
    }
  }

  /// Ends all viewers. A stopped one can take its rest of the output later.
  private func finish(_ status: UInt8) {
    self.status = status
    accept()
    // The kernel has all output of the programs that have ended. Others can print without end.
    for _ in 0..<Self.lastReads where !readTerminal() { break }
    for viewer in viewers.values where !viewer.isClosing {
      if viewer.resume() {
        redraw(viewer, after: Terminal.restoredScreen)
      } else if !viewer.isAttached {
        redraw(viewer)
      }
      viewer.close(with: .end(status: status, text: ""))
    }
    place.remove()
    try? poller.remove(place.listener.number)
    try? poller.remove(terminal.number)
    signals = try? SignalSource.ofEnding()
    // The ones that have ended the program.
    while let signals, (try? signals.next()) ?? nil != nil {}
    if let signals {
      try? poller.add(signals.number, token: Token.signals, interest: .readable)
    }
  }

  // MARK: - Terminal

  /// Returns whether there was output.
  @discardableResult
  private func readTerminal() -> Bool {
    var count = 0
    while count < buffer.bytes.count {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[count...])
      guard case .bytes(let more) = terminal.readAvailable(into: room) else { break }
      count += more
    }
    guard count > 0 else { return false }
    let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
    history.take(bytes)
    let frame = ViewerFrame.output(Array(bytes)).bytes
    for viewer in viewers.values where viewer.isAttached { viewer.send(frame) }
    return true
  }

  private func writeInput() {
    guard !input.isEmpty else { return }
    switch input.withUnsafeBytes({ terminal.writeAvailable($0) }) {
    case .bytes(let count): input.removeFirst(count)
    case .wouldBlock: break
    case .failed: input = []
    }
  }

  private func applySize() {
    guard sizeTime == nil, let size = leader.flatMap({ viewers[$0]?.size }) else { return }
    Terminal.setSize(size, of: terminal.number)
  }

  // MARK: - Viewers

  private func accept() {
    while let accepted = try? UnixSocket.accept(from: place.listener) {
      let viewer = HeldViewer(accepted)
      let count = viewers.values.count { !$0.isClosing }
      lastToken += 1
      let added: Void? = try? poller.add(
        viewer.socket.number, token: lastToken, interest: .readable)
      guard added != nil else { continue }
      viewers[lastToken] = viewer
      if count < Self.viewerLimit {
        viewer.send(.greeting(record.greeting))
      } else {
        let name = record.name?.shellWord ?? record.session.map { "\($0)" } ?? "NAME"
        viewer.close(
          with: .end(
            status: UInt8(ExitCode.tryAgain.rawValue),
            text: "\(Self.viewerLimit) windows show the program, which is the limit; close one of "
              + "them, or all with: scenectl\(options) background \(name)"))
      }
    }
  }

  private func handle(_ event: PollEvent, _ viewer: HeldViewer) {
    if event.writable {
      viewer.flush()
      if viewer.awaitsOutput, viewer.resume() { redraw(viewer, after: Terminal.restoredScreen) }
    }
    guard event.readable || event.hungUp else { return }
    for frame in viewer.receive(buffer) {
      switch frame {
      case .hello(_, let size) where viewer.size == nil: attach(viewer, event.token, size)
      case .input(let bytes) where viewer.isAttached:
        setLeader(event.token)
        input += bytes
        writeInput()
      case .size(let size) where viewer.isAttached:
        viewer.size = size
        if leader == event.token { applySize() }
      default: break
      }
    }
  }

  private func attach(_ viewer: HeldViewer, _ token: UInt64, _ size: Terminal.Size) {
    viewer.size = size
    leader = token
    windows.total += 1
    redraw(viewer)
    noteWindows(nil)
  }

  private func setLeader(_ token: UInt64) {
    guard leader != token else { return }
    leader = token
    applySize()
  }

  /// Shows the screen in a window without it. On the alternate screen, two changes of the size make
  /// the program draw it.
  private func redraw(_ viewer: HeldViewer, after shown: String = "") {
    var rest = (Array(shown.utf8) + history.replay)[...]
    while !rest.isEmpty {
      viewer.send(.output(Array(rest.prefix(ViewerFrame.contentLimit))))
      rest = rest.dropFirst(ViewerFrame.contentLimit)
    }
    applySize()
    guard history.modes.isAlternate, var size = Terminal.size(of: terminal.number) else { return }
    size.rows += size.rows > 1 ? -1 : 1
    Terminal.setSize(size, of: terminal.number)
    sizeTime = SystemClock.monotonic() + Self.sizeDelay
  }

  private func removeFinished() {
    for (token, viewer) in viewers where viewer.isFinished {
      try? poller.remove(viewer.socket.number)
      viewers[token] = nil
    }
    if leader.map({ viewers[$0] == nil }) ?? true {
      leader = viewers.filter { $0.value.isAttached }.keys.max()
      applySize()
    }
    noteWindows(.hangup)
  }

  /// Reports a change of the viewers. If none is left, the last one left because of `cause`.
  private func noteWindows(_ cause: TerminalDetachment?) {
    let count = viewers.values.count(where: \.isAttached)
    guard count != windows.attached else { return }
    windows.attached = count
    windows.detached = count == 0 ? cause : nil
    holder.note(windows)
  }
}
