import SceneModel
import ScenePlatform

/// The memory and the CPU time of clients, from samples of all processes.
///
/// A client stands for its process and all descendants, because `scene` runs a program.
struct TopUsage {
  struct Value: Equatable {
    var residentBytes: Int64
    /// CPU time for each 100 units of time; nil before the second sample.
    var percent: Double?
  }

  /// The values of the clients by process ID.
  private var values: [Int64: Value] = [:]
  private var cpuTimes: [ProcessIdentity: Int64] = [:]
  private var time: Int64 = 0

  /// Replaces the values. `time` is a time of `SystemClock.monotonic()`.
  mutating func take(_ sample: [ProcessUsage], at time: Int64, of clients: [ClientReference]) {
    let children = Dictionary(grouping: sample, by: \.parent)
    let processes = Dictionary(sample.map { ($0.process.pid, $0) }) { first, _ in first }
    let interval = time - self.time
    values = [:]
    for client in clients {
      guard let pid = Int32(exactly: client.pid), let root = processes[pid],
        client.startTime.map({ $0 == root.process.startTime }) ?? true
      else { continue }
      let isKnown = cpuTimes[root.process] != nil && interval > 0
      var bytes: Int64 = 0
      var cpuTime: Int64 = 0
      var rest = [root]
      while let process = rest.popLast() {
        bytes += process.residentBytes
        // A descendant without a previous sample has started since.
        cpuTime += max(0, process.cpuTime - (cpuTimes[process.process] ?? 0))
        rest += children[process.process.pid] ?? []
      }
      values[client.pid] = Value(
        residentBytes: bytes, percent: isKnown ? 100 * Double(cpuTime) / Double(interval) : nil)
    }
    cpuTimes = Dictionary(sample.map { ($0.process, $0.cpuTime) }) { first, _ in first }
    self.time = time
  }

  /// Nil if the process is unknown, such as a process of another machine or container.
  func value(of client: ClientReference) -> Value? { values[client.pid] }

  // MARK: - Text

  /// For example `640K`, `12M` or `1.2G`.
  static func text(ofBytes bytes: Int64) -> String {
    let units = ["K", "M", "G", "T"]
    var value = Double(bytes) / 1024
    var unit = 0
    while value >= 1000, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    return (value < 9.95 && unit > 1 ? tenths(value) : "\(Int(value.rounded()))") + units[unit]
  }

  /// For example `0.3%` or `250%`.
  static func text(ofPercent percent: Double) -> String {
    (percent < 9.95 ? tenths(percent) : "\(Int(percent.rounded()))") + "%"
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
