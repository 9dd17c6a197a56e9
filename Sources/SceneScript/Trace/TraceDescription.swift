import SceneCommandLine
package import SceneModel

extension TraceEntry {
  /// The event in one line, escaped, such as "target set to background by scenectl 4712".
  package var sentence: String { PlainText.escaped(words) }

  private var words: String {
    let callback = callback ?? "a callback"
    let who = client.map(\.label) ?? "a client"
    return switch event {
    case .joined: told("\(who) joined")
    case .left: told("\(who) left")
    case .connected: told("connected to \(who)")
    case .disconnected: told("disconnected", self.callback.map { "in \($0)" })
    case .aimed: told("target set to \(state?.rawValue ?? "a state")")
    case .callback: told("→ \(callback)")
    case .acknowledged: told("← \(callback)")
    case .failed: told("← \(callback) failed", detailBehind: ": ")
    case .overran: told("\(callback) exceeded its budget")
    case .unresponsive: told("\(who) does not respond", detailBehind: ": ")
    case .responded: told("\(who) responds again")
    case .storage: told("storage", detailBehind: ": ")
    case .launched: told("broker launched \(who)", detailBehind: ", ")
    case .exited: told(who, detailBehind: " ")
    case .launchFailed: told("launch failed", detailBehind: ": ")
    case .released, .adopted: told(event.rawValue, detailBehind: " ")
    case .reported where by == nil: detail ?? event.rawValue
    case .reported, .reclaimed: told(event.rawValue, detailBehind: ": ")
    case .warned: told("memory warning to all clients", detailBehind: ": ")
    case .terminated: told("broker ends \(who)", detailBehind: ": ")
    case .saved: told("saved generation \(generation ?? 0)")
    case .posted: told("\(who) posted \(eventWords)")
    case .delivered:
      told(observers.map { "\($0) observers receive \(eventWords)" } ?? "receives \(eventWords)")
    case .observed: told("observes \(topic ?? "a topic")")
    case .ceased: told("stops observing \(topic ?? "a topic")")
    default: told(event.rawValue, self.callback)
    }
  }

  private var eventWords: String {
    [topic ?? "an event", kind].compactMap { $0 }.joined(separator: " ")
  }

  /// Adds the reason, the requester and the details.
  private func told(
    _ beginning: String, _ more: String? = nil, detailBehind mark: String = "; "
  ) -> String {
    var words = [beginning]
    // The detail of a report and of a session in the trash says more.
    let isInDetail = detail != nil && (event == .discarded || event == .reported)
    if let reason, !isInDetail { words.append("(\(reason))") }
    if let more { words.append(more) }
    if let by {
      let isRequest = [.launched, .launchFailed].contains(event)
      words.append(isRequest ? "(requested by \(by.label))" : "by \(by.label)")
    }
    let kept = withheld.map { ", withholding generation \(generation ?? 0) (\($0))" } ?? ""
    return words.joined(separator: " ") + kept + optionWords + (detail.map { mark + $0 } ?? "")
  }

  /// For example ", with url https://example.com, shortcutItem new".
  private var optionWords: String {
    guard !options.isEmpty else { return "" }
    var words = options.map { option in
      option.value.map { "\(option.kind) \($0)" } ?? option.kind.rawValue
    }
    if moreOptions > 0 { words.append("\(moreOptions) more") }
    return ", with " + words.joined(separator: ", ")
  }

  /// Whether the sentence names the process.
  var sentenceNamesProcess: Bool {
    [
      .joined, .left, .connected, .posted, .launched, .exited, .terminated, .unresponsive,
      .responded,
    ].contains(event)
  }
}

extension [TraceEntry] {
  /// Gives a client the name of its program also in the entries before the start of the program.
  /// The entries before its first scene get its start time.
  /// `current` is a client as it is now. A launch keeps the name of the process that the broker
  /// started.
  package mutating func namePrograms(_ current: ClientReference? = nil) {
    var clients: [Int64: ClientReference] = [:]
    if let current { clients[current.pid] = current }
    func name(_ client: inout ClientReference?) {
      guard var named = client else { return }
      if let later = clients[named.pid], later.canBe(named) {
        named.startTime = named.startTime ?? later.startTime
        if named.program == nil, let program = later.program {
          (named.name, named.program) = (later.name, program)
        }
      }
      clients[named.pid] = named
      client = named
    }
    for index in indices.reversed() where self[index].event != .launched {
      // An earlier process can have had the same number.
      if self[index].event == .left, let pid = self[index].client?.pid { clients[pid] = nil }
      name(&self[index].client)
      name(&self[index].by)
    }
  }
}
