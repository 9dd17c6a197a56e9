#if canImport(Darwin)
  import Darwin
#endif

/// What another process has open.
package enum ProcessSockets {
  /// How many sockets; nil where the system does not tell.
  package static func count(of pid: Int32) -> Int? {
    #if canImport(Darwin)
      let size = Int32(MemoryLayout<proc_fdinfo>.stride)
      let byteCount = proc_pidinfo(pid, PROC_PIDLISTFDS, 0, nil, 0)
      guard byteCount > 0 else { return nil }
      var list = [proc_fdinfo](repeating: proc_fdinfo(), count: Int(byteCount / size) + 16)
      let filled = proc_pidinfo(pid, PROC_PIDLISTFDS, 0, &list, Int32(list.count) * size)
      guard filled > 0 else { return nil }
      return list[..<Int(filled / size)].count { $0.proc_fdtype == UInt32(PROX_FDTYPE_SOCKET) }
    #else
      let directory = "/proc/\(pid)/fd"
      guard let names = try? Directory.list(directory) else { return nil }
      return names.count { name in
        (try? File.destination(ofLink: "\(directory)/\(name)"))?.hasPrefix("socket:") == true
      }
    #endif
  }
}
