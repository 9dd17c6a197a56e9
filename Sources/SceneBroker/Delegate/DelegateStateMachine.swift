import SceneModel

/// The callbacks to the application delegate, which gets one question at a time.
///
/// The machine decides which question may be next and what a reply means. It sends nothing: the
/// broker builds and numbers the question, and `sent` closes the step.
///
/// - The pending question is one that the state allows.
struct DelegateStateMachine {
  /// Nil without a delegate.
  private var delegate: Delegate?
  /// Whether a delegate has launched since the broker started.
  private(set) var hasLaunched = false

  private struct Delegate {
    let connection: ConnectionIdentifier
    var state = State.arrived
    /// The question without a reply.
    var question: Question?
    /// Reports whose questions timed out. The broker still accepts their replies.
    var lateReports: [Int64: ReportIdentifier] = [:]
    /// The reports that this delegate got. Only the next delegate gets them again.
    var sentReports: Set<ReportIdentifier> = []

    mutating func abandonQuestion() {
      if let question, case .discards(let report) = question.subject {
        lateReports[question.number] = report
      }
      question = nil
    }
  }

  private enum State: Equatable {
    /// `willFinishLaunching` is next. → launching
    case arrived
    /// `didFinishLaunching` is next. → launched
    case launching
    /// Any question is next. → terminating
    case launched
    /// `willTerminate` is next, then pending. → terminated
    case terminating
    case terminated

    func allows(_ subject: Subject) -> Bool {
      switch (self, subject) {
      case (.arrived, .willFinishLaunching), (.launching, .didFinishLaunching),
        (.launched, .configuration), (.launched, .discards), (.terminating, .willTerminate):
        true
      case (.arrived, _), (.launching, _), (.launched, _), (.terminating, _), (.terminated, _):
        false
      }
    }
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

    var kind: CallbackKind {
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
    delegate = Delegate(connection: connection)
  }

  /// The connection has closed. Returns the number of the question without a reply.
  mutating func disconnected() -> Int64? {
    defer { delegate = nil }
    return question?.number
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
    guard let delegate, delegate.question == nil, isListening else { return nil }
    switch delegate.state {
    case .arrived: return .willFinishLaunching
    case .launching: return .didFinishLaunching
    case .launched: return .any
    case .terminating, .terminated: return nil
    }
  }

  mutating func sent(_ subject: Subject, _ number: Int64) {
    assert(
      delegate?.question == nil && delegate?.state.allows(subject) == true,
      "the question is not next")
    delegate?.question = Question(number: number, subject: subject)
    if case .discards(let report) = subject { delegate?.sentReports.insert(report) }
  }

  /// The delegate has replied. Returns nil if this is not the question without a reply.
  mutating func replied(
    to number: Int64, _ answer: CallbackAnswer
  ) -> (subject: Subject, action: Action?)? {
    guard let question, question.number == number else { return nil }
    delegate?.question = nil
    return (question.subject, proceed(after: question.subject, answer))
  }

  /// The delegate has replied to a question that had timed out. Returns its report.
  mutating func repliedLate(to number: Int64) -> ReportIdentifier? {
    delegate?.lateReports.removeValue(forKey: number)
  }

  /// The delegate has not replied in time, and the broker goes on without the reply.
  mutating func timedOut(_ number: Int64) -> Action? {
    guard let question, question.number == number else { return nil }
    delegate?.abandonQuestion()
    if question.subject == .willFinishLaunching {
      // The launch takes as long as the delegate likes: requests do not wait for the rest of it.
      hasLaunched = true
      delegate?.state = .launching
      return .release(declined: nil)
    }
    return proceed(after: question.subject, nil)
  }

  private mutating func proceed(after subject: Subject, _ answer: CallbackAnswer?) -> Action? {
    switch subject {
    case .willFinishLaunching:
      delegate?.state = .launching
      return nil
    case .didFinishLaunching(let carried):
      delegate?.state = .launched
      hasLaunched = true
      return .release(declined: answer == .launched(accepted: false) ? carried : nil)
    case .configuration(let session): return .decide(session)
    case .discards(let report): return answer?.isFailure == false ? .acknowledge(report) : nil
    case .willTerminate:
      delegate?.state = .terminated
      return .stop
    }
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
    switch delegate?.state {
    case .arrived, .launching, .launched: .notBegun
    case .terminating: .pending
    case .terminated, nil: .done
    }
  }

  /// The delegate gets no more questions but `willTerminate`. Returns the number of the question
  /// without a reply.
  mutating func beginTermination(sending isSent: Bool) -> Int64? {
    let number = question?.number
    delegate?.abandonQuestion()
    delegate?.state = isSent ? .terminating : .terminated
    return number
  }

  /// The time for `willTerminate` is over. Returns false if it is not pending.
  mutating func terminationTimedOut() -> Bool {
    guard delegate?.state == .terminating else { return false }
    delegate?.abandonQuestion()
    delegate?.state = .terminated
    return true
  }

  // MARK: - Lookup

  /// The connection of the delegate; nil without one.
  // Inlined, this read of an optional crashes the optimizer of Swift 6.3.1.
  @inline(never)
  var connection: ConnectionIdentifier? { delegate?.connection }

  /// The question without a reply.
  var question: Question? { delegate?.question }

  /// The reports that this delegate got.
  var sentReports: Set<ReportIdentifier> { delegate?.sentReports ?? [] }

  var isLaunching: Bool { delegate?.state == .arrived || delegate?.state == .launching }

  /// Whether the delegate takes questions about configurations.
  var takesQuestions: Bool { delegate?.state == .launched }

  /// Every invariant of this part that does not hold, as a sentence.
  var flaws: [String] {
    guard let delegate else { return [] }
    var flaws: [String] = []
    if let question = delegate.question, !delegate.state.allows(question.subject) {
      flaws.append("the delegate is \(delegate.state), and runs \(question.subject.kind)")
    }
    if delegate.state == .terminating, delegate.question == nil {
      flaws.append("the delegate is terminating, but no question is pending")
    }
    if delegate.state == .launched, !hasLaunched {
      flaws.append("the delegate has launched, and none has launched since the start")
    }
    if !delegate.sentReports.isSuperset(of: delegate.lateReports.values) {
      flaws.append("the broker awaits a reply about a report that the delegate did not get")
    }
    return flaws
  }
}
