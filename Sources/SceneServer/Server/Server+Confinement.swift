import SceneCommandLine
import ScenePlatform

/// `scened --confine`.
extension ServerConfiguration {
  /// The directories with the system's programs, libraries and settings, and what the kernel says
  /// about processes.
  private static let systemDirectories = [
    "/bin", "/etc", "/lib", "/lib64", "/opt", "/proc", "/sbin", "/sys/fs/cgroup", "/usr",
  ]

  /// Restricts the process to its files. Call it when the directories of the broker exist, and
  /// before another thread starts. `program` is the file of an upgrade.
  func confine(program: String?, log: Log) throws(ProgramError) {
    // A source of memory pressure gets its threshold from the broker.
    let sources = [PressureSource.systemPath, Environment[MemoryPressureVariable.watch]]
    let files = sources.compactMap(\.self).filter { (try? FileStatus(of: $0))?.kind != .directory }
    // Links can lead to other directories.
    let manifest = manifestSource.flatMap { $0.directory == nil ? nil : $0.name }
    let resolved = [program, manifest].compactMap { $0.flatMap(File.resolved) }
    let read =
      ([program] + resolved).compactMap { $0.flatMap(Directory.parent(of:)) }
      + [manifestSource?.directory].compactMap(\.self)
    let written = [stateDirectory, socketDirectory].compactMap(\.self)
    let homes = Self.homeAndAncestors
    let isBroad = { (path: String) in
      (try? FileStatus(of: path)).map { homes.contains($0.identity) } ?? false
    }
    if let broad = (written + read).first(where: isBroad) {
      throw ProgramError(
        .badConfiguration,
        "--confine: \(broad) contains your home directory; move the socket, the state, the "
          + "manifest and the program into other directories")
    }
    var confinement = Confinement()
    confinement.writable = written + files
    confinement.readable = Self.systemDirectories.filter { !isBroad($0) } + read
    let isConfined: Bool
    do throws(SystemError) {
      isConfined = try confinement.begin()
    } catch {
      throw ProgramError(.inputOutput, "--confine: \(error)")
    }
    if !isConfined {
      log.warn(
        "--confine: this system has no Landlock (Linux 5.19 or later), so that the broker can "
          + "reach all files of its user; it starts no programs")
    }
  }

  /// Their identities: a directory has many paths.
  private static var homeAndAncestors: Set<FileIdentity> {
    var found: Set<FileIdentity> = []
    guard var path = User.home else { return found }
    while (try? FileStatus(of: path)) == nil, let parent = Directory.parent(of: path) {
      path = parent
    }
    while let identity = (try? FileStatus(of: path))?.identity, found.insert(identity).inserted {
      path += "/.."
    }
    return found
  }
}
