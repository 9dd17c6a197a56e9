/// The processes that started with a given variable and value in their environment. Empty if the
/// system does not report environments.
package struct MarkedProcesses: Sendable {
  private let assignment: [UInt8]

  package init(_ name: String, _ value: String) { assignment = Array("\(name)=\(value)".utf8) }

  /// The running processes of this user, sorted by process ID.
  package var all: [ProcessIdentity] {
    Self.running { entries in
      entries.contains { $0.elementsEqual(assignment) } ? () : nil
    }.map(\.process)
  }

  /// The running processes of this user that started with all of these variables, sorted by process
  /// ID.
  package static func having(
    _ names: String...
  ) -> [(process: ProcessIdentity, values: [String: String])] {
    running { entries in
      var values: [String: String] = [:]
      for entry in entries {
        for name in names where values[name] == nil && entry.starts(with: "\(name)=".utf8) {
          values[name] = String(decoding: entry.dropFirst(name.utf8.count + 1), as: UTF8.self)
        }
      }
      return values.count == names.count ? values : nil
    }.map { (process: $0, values: $1) }
  }
}
