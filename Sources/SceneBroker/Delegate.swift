package import SceneModel

/// The application delegate, while it is connected: where the conversation with it is. It is asked one
/// thing at a time.
struct Delegate {
  let connection: ConnectionIdentifier
  var stage = Stage.arrived
  /// What waits for its answer.
  private(set) var running: Question?
  /// Reports that it did not answer in time; an answer still counts.
  private(set) var late: [Int64: ReportIdentifier] = [:]
  /// What it was told in this launch: nothing of it is told again before the next.
  private(set) var told: Set<ReportIdentifier> = []

  enum Stage: Equatable {
    /// Next comes `willFinishLaunching`.
    case arrived
    /// Next comes `didFinishLaunching`.
    case launching
    /// It is asked and told whatever there is.
    case launched
    /// It is told that the application ends, as the last thing.
    case terminating
    /// Nothing more is expected of it.
    case terminated
  }

  struct Question {
    let number: Int64
    let subject: Subject
  }

  enum Subject: Equatable {
    case willFinishLaunching
    /// With the options of the waiting request that was to make this session, or was made under its
    /// identifier.
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

    /// The session it is about, if it is about one.
    var session: SessionIdentifier? {
      if case .configuration(let session) = self { session } else { nil }
    }
  }

  init(connection: ConnectionIdentifier) { self.connection = connection }

  var isLaunching: Bool { stage == .arrived || stage == .launching }

  mutating func begin(_ subject: Subject, _ number: Int64) {
    running = Question(number: number, subject: subject)
    if case .discards(let report) = subject { told.insert(report) }
  }

  /// The question that has this number, which is over; nil if another one runs.
  mutating func end(_ number: Int64) -> Subject? {
    guard let question = running, question.number == number else { return nil }
    running = nil
    return question.subject
  }

  /// The question that runs was not answered in time.
  mutating func giveUp() -> Subject? {
    guard let question = running else { return nil }
    if case .discards(let report) = question.subject { late[question.number] = report }
    running = nil
    return question.subject
  }

  /// The report whose answer comes late.
  mutating func endLate(_ number: Int64) -> ReportIdentifier? {
    late.removeValue(forKey: number)
  }
}

/// What a callback's number stands for.
package enum CalledKind: Equatable, Sendable {
  case scene(CallbackKind)
  case delegate(DelegateCallbackKind)
}
