#if canImport(Darwin)
  import Darwin
#endif

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

  #if canImport(Darwin)
    private static func kinds(of pid: Int32) -> [(kind: String, name: String)]? {
      let size = Int32(MemoryLayout<proc_fdinfo>.stride)
      let byteCount = proc_pidinfo(pid, PROC_PIDLISTFDS, 0, nil, 0)
      guard byteCount > 0 else { return nil }
      var list = [proc_fdinfo](repeating: proc_fdinfo(), count: Int(byteCount / size) + 16)
      let filled = proc_pidinfo(pid, PROC_PIDLISTFDS, 0, &list, Int32(list.count) * size)
      guard filled > 0 else { return nil }
      return list[..<Int(filled / size)].map { descriptor in
        switch Int32(bitPattern: descriptor.proc_fdtype) {
        case PROX_FDTYPE_SOCKET: ("socket", "")
        case PROX_FDTYPE_PIPE: ("pipe", "")
        case PROX_FDTYPE_KQUEUE: ("kqueue", "")
        case PROX_FDTYPE_VNODE: ("file", "")
        default: ("descriptor", "")
        }
      }
    }
  #else
    private static func kinds(of pid: Int32) -> [(kind: String, name: String)]? {
      let directory = "/proc/\(pid)/fd"
      guard let numbers = try? Directory.list(directory) else { return nil }
      return numbers.compactMap { number in
        let link = "\(directory)/\(number)"
        // The descriptor may be closed meanwhile.
        guard let name = try? File.destination(ofLink: link) else { return nil }
        if name.hasPrefix("/") { return (kind(ofFile: link), name) }
        // Examples: socket:[4711], anon_inode:[eventfd], anon_inode:inotify.
        let isAnonymous = name.hasPrefix("anon_inode:")
        let end = isAnonymous ? name.dropFirst("anon_inode:".count) : name.prefix { $0 != ":" }
        return (String(end.filter { $0 != "[" && $0 != "]" }), "")
      }
    }

    private static func kind(ofFile link: String) -> String {
      switch try? FileStatus(of: link).kind {
      case .directory: "directory"
      case .pipe: "pipe"
      case .socket: "socket"
      case .device: "device"
      case .regular, .symbolicLink, .other, nil: "file"
      }
    }
  #endif
}
