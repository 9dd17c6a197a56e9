extension OpenDescriptors {
  static func kinds(of pid: Int32) -> [(kind: String, name: String)]? {
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
}
