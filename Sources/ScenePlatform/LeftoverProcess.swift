#if canImport(Glibc)
  import Glibc
#endif

/// A process that has a descriptor of ours open under a number that it was given it as.
package struct LeftoverProcess: Equatable, Sendable {
  package let pid: Int32
  /// Its command line, as one could type it.
  package let command: String
  /// What its descriptor leads to.
  private let destination: String
  private let number: Int32

  /// Those that there are; nobody where the system does not tell, as on macOS.
  package static func all(
    holding descriptor: borrowing FileDescriptor, as number: Int32
  ) -> [LeftoverProcess] {
    #if canImport(Glibc)
      let own = getpid()
      let link = "/proc/self/fd/\(descriptor.number)"
      guard let wanted = try? File.destination(ofLink: link),
        let names = try? Directory.list("/proc")
      else { return [] }
      return names.compactMap { Int32($0) }.sorted().compactMap { pid in
        guard pid != own, destination(in: pid, number) == wanted else { return nil }
        return LeftoverProcess(
          pid: pid, command: command(of: pid), destination: wanted, number: number)
      }
    #else
      return []
    #endif
  }

  /// Kills it, if it is still there.
  package func end() {
    guard Self.destination(in: pid, number) == destination else { return }
    try? Signal.kill.send(to: pid)
  }

  private static func destination(in pid: Int32, _ number: Int32) -> String? {
    try? File.destination(ofLink: "/proc/\(pid)/fd/\(number)")
  }

  private static func command(of pid: Int32) -> String {
    let bytes = (try? File.read("/proc/\(pid)/cmdline", limit: 1 << 20)) ?? []
    let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self).shellWord }
    return words.isEmpty ? "a program without a name" : words.joined(separator: " ")
  }
}
