import CommandLine
import SceneModel

/// What can be asked for, in the order of the help page.
enum Verb: String, CaseIterable {
  // Inspect
  case status, sessions, show, switcher, history, why, route, timeline, topics, observe
  // Act as the user
  case new, activate, background, interrupt, resume, reclaim, close, discard
  case open, `continue`, notify, shortcut, refresh, post, save, restore, rename, title, data, kill
  case memoryWarning = "memory-warning"
  case timeChange = "time-change"
  case shutdown
  // Script
  case wait, `is`, trace, record, settle, advance, fault, delegate, test, conform
  // Maintain
  case manifest, journal, call, completion, manual
}

extension Verb {
  enum Group: String, CaseIterable {
    case inspect = "Inspect"
    case act = "Act as the user"
    case script = "Script"
    case maintain = "Maintain"
  }

  var group: Group {
    switch self {
    case .status, .sessions, .show, .switcher, .history, .why, .route, .timeline, .topics,
      .observe:
      .inspect
    case .new, .activate, .background, .interrupt, .resume, .reclaim, .close, .discard, .open,
      .continue, .notify, .shortcut, .refresh, .post, .save, .restore, .rename, .title, .data,
      .kill, .memoryWarning, .timeChange, .shutdown:
      .act
    case .wait, .is, .trace, .record, .settle, .advance, .fault, .delegate, .test, .conform:
      .script
    case .manifest, .journal, .call, .completion, .manual: .maintain
    }
  }

  /// Its part of the command table.
  var command: Command {
    switch self {
    case .status: .status
    case .sessions: .sessions.aliased("ls", "list", "ps")
    case .show: .show
    case .switcher: .switcher
    case .history: .history
    case .why: .why
    case .route: .route
    case .timeline: .timeline
    case .new: .new
    case .activate: .activate
    case .background: .background
    case .interrupt: .interrupt
    case .resume: .resume
    case .reclaim: .reclaim
    case .close: .close
    case .discard: .discard
    case .open: .open
    case .continue: .continueActivity
    case .notify: .notify
    case .shortcut: .shortcut
    case .refresh: .refresh
    case .post: .post
    case .topics: .topics
    case .observe: .observe
    case .save: .save
    case .restore: .restore
    case .rename: .rename
    case .title: .title
    case .data: .data
    case .kill: .kill
    case .memoryWarning: .memoryWarning
    case .timeChange: .timeChange
    case .shutdown: .shutdown
    case .wait: .wait
    case .is: .is
    case .trace: .trace
    case .record: .record
    case .settle: .settle
    case .advance: .advance
    case .fault: .fault
    case .delegate: .delegate
    case .test: .test.withoutInheritedOptions
    case .conform: .conform.withoutInheritedOptions
    case .manifest: .manifest
    case .journal: .journal
    case .call: .call
    case .completion: .completion.withoutInheritedOptions
    case .manual: .manual.withoutInheritedOptions
    }
  }
}

extension Errand {
  /// Does what the command line asks for.
  func run() throws(ProgramError) -> ExitCode {
    guard let verb = invocation.verbs.first.flatMap(Verb.init(rawValue:)) else {
      preconditionFailure("the table has no verb but those of the list")
    }
    return switch verb {
    case .status: try status()
    case .sessions: try sessions()
    case .show: try show()
    case .switcher: try switcher()
    case .history: try history()
    case .why: try why()
    case .route: try route()
    case .timeline: try timeline()
    case .new: try new()
    case .activate: try activate()
    case .background: try move(to: .background)
    case .interrupt: try move(to: .foregroundInactive)
    case .resume: try move(to: .foregroundActive)
    case .close: try move(to: .unattached)
    case .reclaim: try reclaim()
    case .discard: try discard()
    case .open: try open()
    case .continue: try continueActivity()
    case .notify: try notify()
    case .shortcut: try shortcut()
    case .refresh: try refresh()
    case .post: try post()
    case .topics: try topics()
    case .observe: try observe()
    case .save: try save()
    case .restore: try restore()
    case .rename: try rename()
    case .title: try title()
    case .data: try data()
    case .kill: try kill()
    case .memoryWarning: try tell(MemoryWarning())
    case .timeChange: try tell(SignificantTimeChange())
    case .shutdown: try shutdown()
    case .wait: try wait()
    case .is: try check()
    case .trace: try trace()
    case .record: try record()
    case .settle: try settle()
    case .advance: try advance()
    case .fault: try fault()
    case .delegate: try delegate()
    case .test: try test()
    case .conform: try conform()
    case .manifest: try manifest()
    case .journal: try journal()
    case .call: try call()
    case .completion: try completion()
    case .manual: try manual()
    }
  }
}

extension Verb {
  /// Whether the verb handles Ctrl-C itself.
  var heedsInterrupts: Bool { [.record, .test, .conform].contains(self) }
}
