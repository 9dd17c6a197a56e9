/// The open descriptors of another process, by kind.
package struct OpenDescriptors: Equatable, Sendable {
  /// The names by kind, such as "socket", "file" or "eventfd". Files and directories have their
  /// paths; other names are empty.
  private var names: [String: [String]] = [:]

  package init(_ kinds: [(kind: String, name: String)] = []) {
    for (kind, name) in kinds { names[kind, default: []].append(name) }
  }

  /// Lists the descriptors of a process; nil if the system does not report them.
  package init?(of pid: Int32) {
    guard let kinds = Self.kinds(of: pid) else { return nil }
    self.init(kinds)
  }

  /// Replaces the count of one kind.
  package mutating func set(_ kind: String, to count: Int) {
    names[kind] = Array(repeating: "", count: count)
  }

  /// The kinds with more descriptors than in `before`, such as "2 sockets" or "1 file: /x/y".
  package func excess(over before: OpenDescriptors) -> [String] {
    names.sorted { $0.key < $1.key }.compactMap { kind, names in
      let old = before.names[kind] ?? []
      let count = names.count - old.count
      guard count > 0 else { return nil }
      var new = names
      for name in old { new.firstIndex(of: name).map { _ = new.remove(at: $0) } }
      let places = new.filter { !$0.isEmpty }.sorted()
      let what = count == 1 ? "1 \(kind)" : "\(count) \(Self.plural(kind))"
      return places.isEmpty ? what : "\(what): \(places.joined(separator: ", "))"
    }
  }

  private static func plural(_ kind: String) -> String {
    kind.hasSuffix("y") ? "\(kind.dropLast())ies" : "\(kind)s"
  }
}
