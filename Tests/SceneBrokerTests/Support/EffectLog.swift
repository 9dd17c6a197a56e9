import SceneJSON
import SceneModel
import ScenePlatform
import Testing

@testable import SceneBroker

/// Writes the effects of each random walk to a file, so that two versions can be compared.
///
/// `SCENE_EFFECTS=DIRECTORY swift test --filter RandomWalkTests` writes the files. A change of the
/// structure leaves them as they are.
final class EffectLog {
  private let path: String?
  private var lines: [String] = []

  init(seed: UInt64) { path = Environment["SCENE_EFFECTS"].map { "\($0)/walk-\(seed).txt" } }

  func add(_ effects: borrowing Effects) {
    guard path != nil else { return }
    lines += effects.records.decoded.map { "record \($0)" }
    lines += effects.everyMessage.map {
      "message \($0.connection.number) after \($0.after) \(line(of: $0.message))"
    }
    lines += effects.trace.map { "trace \($0.number) \(text($0))" }
    lines += effects.timers.map { "timer \($0)" }
    lines += effects.livenessQueries.map {
      "query \($0.identifier.number) \($0.processes.map(\.pid))"
    }
    lines += effects.commands.map { "\($0)" }
    if effects.isStopping { lines.append("stop") }
    lines.append("")
  }

  func write() throws {
    guard let path else { return }
    try File.write(Array(lines.joined(separator: "\n").utf8), to: path)
  }
}

extension Effects {
  /// The messages and the deliveries in their order, with one message for each observer.
  var everyMessage: [Outbound] {
    var all: [Outbound] = []
    var begin = 0
    for delivery in deliveries {
      all += messages[begin..<delivery.precedingMessageCount]
      begin = delivery.precedingMessageCount
      var event = EventPosted(delivery.event, at: delivery.position)
      event.gap = delivery.hasGap
      for observer in delivery.observers {
        event.session = observer.session
        all.append(
          Outbound(
            connection: observer.connection, message: .notification(.posted(event)), after: 0))
      }
    }
    return all + messages[begin...]
  }
}

extension EncodedRecords {
  var decoded: [Record] {
    var records: [Record] = []
    let document = JSONDocument()
    forEach { kind, body in
      do throws(MemberError) {
        records.append(try Record(kind: kind.rawValue, body: body, in: document))
      } catch {
        Issue.record(error)
      }
    }
    return records
  }
}
