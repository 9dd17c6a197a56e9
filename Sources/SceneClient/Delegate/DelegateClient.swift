import JSON
package import SceneModel
package import ScenePlatform
import SceneTransport
import SceneWire
import Synchronization

/// Who does what the application delegate is asked.
package protocol DelegateHandler: AnyObject {
  /// One at a time, in their order, on the thread that runs. Nil to answer later, by the number.
  func handle(_ number: Int64, _ callback: DelegateCallback) -> DelegateAnswer?
  /// In the same order.
  func hear(_ notification: BrokerNotification)
  /// The broker has answered a ping, and said everything else before.
  func hearPong()
  /// How it is with the broker: `connected`, or `waiting` when it is gone.
  func hear(_ phase: LinkPhase)
}

/// What the application delegate answers.
package enum DelegateAnswer: Sendable {
  case done
  case launched(accepted: Bool)
  case configuration(ConfigurationForConnecting.Answer)
  /// What somebody else has written; whether it can be read is for the broker to say.
  case carried(CarriedObject)
  case failed(message: String)
}

/// The application delegate's side of the conversation, on one thread: what is asked is answered
/// before the next thing is read. When the broker goes, it is waited for, and the launch is repeated.
package final class DelegateClient: Sendable {
  private let settings: ClientSettings
  private let wakeup: Wakeup
  private let isStopped = Mutex(false)
  /// Behind a lock, because an answer may be given on another thread.
  private let link = Mutex<DelegateLink?>(nil)

  package init(_ settings: ClientSettings) throws(SystemError) {
    self.settings = settings
    wakeup = try Wakeup()
  }

  /// Leaves the broker; `run` then returns.
  package func stop() {
    isStopped.withLock { $0 = true }
    wakeup.signal()
  }

  private var mustStop: Bool { isStopped.withLock { $0 } }

  /// Answers what was not answered at once. It is lost with its connection, as the question is.
  package func answer(_ number: Int64, _ answer: DelegateAnswer) {
    link.withLock { $0?.answer(number, answer) }
  }

  /// Asks the broker for a sign; false if it is not there.
  package func ping() -> Bool {
    link.withLock { link in
      guard let link else { return false }
      link.ping()
      return true
    }
  }

  /// Serves until the application ends or it is stopped.
  ///
  /// - Throws: ``SceneError/Code/brokerUnavailable`` if nobody listens at the start and that is not
  ///   waited for; what the broker says if it will not have this delegate.
  package func run(_ handler: any DelegateHandler) throws(SceneError) {
    var random = SplitMix(seed: settings.seed)
    var backoff = Backoff()
    var waits = settings.waitsForBroker
    while !mustStop {
      do throws(SceneError) {
        let reader = try open()
        defer { link.withLock { $0 = nil } }
        let visit = try serve(reader, handler)
        if visit == .isOver { return }
        (waits, backoff) = (true, Backoff())
      } catch {
        guard waits, error.retry != .never else { throw error }
      }
      if !mustStop { try pause(backoff.next(&random)) }
    }
  }

  private func open() throws(SceneError) -> DelegateReader {
    do throws(SystemError) {
      let socket = FrameSocket(try settings.open())
      socket.onFrame = settings.onFrame
      let reader = try DelegateReader(socket, wakeup)
      let greeting = Initialize(
        client: ClientName(name: settings.name, version: settings.version),
        as: .applicationDelegate)
      let opened = DelegateLink(socket)
      opened.introduce(greeting)
      link.withLock { $0 = opened }
      return reader
    } catch {
      throw SceneError(error)
    }
  }

  private enum Visit {
    case wasWelcome, isOver
  }

  /// Until the connection ends, or this is stopped.
  ///
  /// - Throws: also when it ends before this is welcome.
  private func serve(
    _ reader: DelegateReader, _ handler: any DelegateHandler
  ) throws(SceneError) -> Visit {
    var isWelcome = false
    var isEnding = false
    while !mustStop, let heard = try reader.next() {
      switch heard {
      case .welcomed(let application):
        try check(application)
        isWelcome = true
        handler.hear(.connected)
      case .asked(let number, let callback):
        isEnding = isEnding || callback == .willTerminate
        if let answer = handler.handle(number, callback) { self.answer(number, answer) }
      case .unknown(let identifier, let method):
        link.withLock { $0?.refuse(identifier, method) }
      case .told(let notification): handler.hear(notification)
      case .pong: handler.hearPong()
      }
    }
    if isEnding || mustStop { return .isOver }
    guard isWelcome else {
      throw SceneError(
        .brokerUnavailable, "the broker ended the connection before it answered", retry: .later)
    }
    handler.hear(.waiting)
    return .wasWelcome
  }

  /// A socket that is named by its path can be anybody's.
  private func check(_ name: String) throws(SceneError) {
    guard let wanted = settings.application, wanted != name else { return }
    throw SceneError(
      .wrongApplication, "the broker serves the application \(name), not \(wanted)")
  }

  private func pause(_ time: Interval) throws(SceneError) {
    do throws(SystemError) {
      let poller = try Poller(capacity: 1)
      try poller.add(wakeup.number, token: 0, interest: .readable)
      var events: ContiguousArray<PollEvent> = []
      try poller.wait(nanoseconds: time.nanoseconds, into: &events)
    } catch {
      throw SceneError(error)
    }
  }
}
