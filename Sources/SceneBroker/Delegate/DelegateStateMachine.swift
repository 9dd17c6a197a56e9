import SceneModel

/// The callbacks to the application delegate, which gets one question at a time.
///
/// The machine decides which question may be next and what a reply means. It sends nothing: the
/// broker builds and numbers the question, and `sent` closes the step.
struct DelegateStateMachine {
  /// The connection of the delegate; nil without one.
  private(set) var connection: ConnectionIdentifier?
  /// Whether a delegate has launched since the broker started.
  private(set) var hasLaunched = false
  private var state = State.arrived
  /// The question without a reply.
  private(set) var question: Question?
  /// Reports whose questions timed out. The broker still accepts their replies.
  private var lateReports: [Int64: ReportIdentifier] = [:]
  /// The reports that this delegate got. Only the next delegate gets them again.
  private(set) var sentReports: Set<ReportIdentifier> = []

  private enum State: Equatable {
    /// `willFinishLaunching` is next. → launching
    case arrived
    /// `didFinishLaunching` is next. → launched
    case launching
    /// Any question is next. → terminating
    case launched
    /// `willTerminate` is pending. → terminated
    case terminating
    case terminated
  }

  struct Question: Equatable {
    let number: Int64
    let subject: Subject
  }

  enum Subject: Equatable {
    case willFinishLaunching
    /// The options are those of the waiting request that may create this session.
    case didFinishLaunching(carrying: SessionIdentifier?)
    case configuration(of: SessionIdentifier)
    case discards(ReportIdentifier)
    case willTerminate

    var kind: DelegateCallbackKind {
      switch self {
      case .willFinishLaunching: .willFinishLaunching
      case .didFinishLaunching: .didFinishLaunching
      case .configuration: .configurationForConnecting
      case .discards: .didDiscardSceneSessions
      case .willTerminate: .willTerminate
      }
    }

    var session: SessionIdentifier? {
      if case .configuration(let session) = self { session } else { nil }
    }
  }

  /// An action of the broker after a reply or after a timeout.
  enum Action: Equatable {
    /// Retry the requests that wait for the delegate. It declined the content of this session.
    case release(declined: SessionIdentifier?)
    case decide(SessionIdentifier)
    case acknowledge(ReportIdentifier)
    /// The delegate has terminated.
    case stop
  }

  // MARK: - The connection

  mutating func connected(_ connection: ConnectionIdentifier) {
    let hasLaunched = hasLaunched
    self = DelegateStateMachine()
    self.connection = connection
    self.hasLaunched = hasLaunched
  }

  /// The connection has closed. Returns the number of the question without a reply.
  mutating func disconnected() -> Int64? {
    let number = question?.number
    connection = nil
    question = nil
    return number
  }

  // MARK: - Questions

  /// The questions that may be next.
  enum Next: Equatable {
    case willFinishLaunching
    case didFinishLaunching
    /// A configuration, else a report.
    case any
  }

  /// Nil if no question may be sent now.
  func next(isListening: Bool) -> Next? {
    guard connection != nil, question == nil, isListening else { return nil }
    switch state {
    case .arrived: return .willFinishLaunching
    case .launching: return .didFinishLaunching
    case .launched: return .any
    case .terminating, .terminated: return nil
    }
  }

  mutating func sent(_ subject: Subject, _ number: Int64) {
    question = Question(number: number, subject: subject)
    if case .discards(let report) = subject { sentReports.insert(report) }
  }

  /// The delegate has replied. Returns nil if this is not the question without a reply.
  mutating func replied(
    to number: Int64, _ answer: CallbackAnswer
  ) -> (subject: Subject, action: Action?)? {
    guard let question, question.number == number else { return nil }
    self.question = nil
    return (question.subject, proceed(after: question.subject, answer))
  }

  /// The delegate has replied to a question that had timed out. Returns its report.
  mutating func repliedLate(to number: Int64) -> ReportIdentifier? {
    lateReports.removeValue(forKey: number)
  }

  /// The delegate has not replied in time, and the broker goes on without the reply.
  mutating func timedOut(_ number: Int64) -> Action? {
    guard let question, question.number == number else { return nil }
    abandonQuestion()
    if question.subject == .willFinishLaunching {
      // The launch takes as long as the delegate likes: requests do not wait for the rest of it.
      hasLaunched = true
      state = .launching
      return .release(declined: nil)
    }
    return proceed(after: question.subject, nil)
  }

  private mutating func proceed(after subject: Subject, _ answer: CallbackAnswer?) -> Action? {
    switch subject {
    case .willFinishLaunching:
      state = .launching
      return nil
    case .didFinishLaunching(let carried):
      state = .launched
      hasLaunched = true
      return .release(declined: answer == .launched(accepted: false) ? carried : nil)
    case .configuration(let session): return .decide(session)
    case .discards(let report): return answer?.isFailure == false ? .acknowledge(report) : nil
    case .willTerminate:
      state = .terminated
      return .stop
    }
  }

  private mutating func abandonQuestion() {
    if case .discards(let report)? = question?.subject, let number = question?.number {
      lateReports[number] = report
    }
    question = nil
  }

  // MARK: - The end

  enum Termination: Equatable {
    case notBegun
    /// `willTerminate` is pending.
    case pending
    /// Nothing is left to wait for.
    case done
  }

  var termination: Termination {
    guard connection != nil else { return .done }
    switch state {
    case .arrived, .launching, .launched: return .notBegun
    case .terminating: return .pending
    case .terminated: return .done
    }
  }

  /// The delegate gets no more questions but `willTerminate`. Returns the number of the question
  /// without a reply.
  mutating func beginTermination(sending isSent: Bool) -> Int64? {
    let number = question?.number
    abandonQuestion()
    state = isSent ? .terminating : .terminated
    return number
  }

  /// The time for `willTerminate` is over. Returns false if it is not pending.
  mutating func terminationTimedOut() -> Bool {
    guard connection != nil, state == .terminating else { return false }
    abandonQuestion()
    state = .terminated
    return true
  }

  // MARK: - Lookup

  func isConnected(on connection: ConnectionIdentifier) -> Bool { self.connection == connection }

  var isLaunching: Bool { connection != nil && (state == .arrived || state == .launching) }

  /// Whether the delegate takes questions about configurations.
  var takesQuestions: Bool { connection != nil && state == .launched }
}
