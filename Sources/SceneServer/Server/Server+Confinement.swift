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
    let socket = Directory.parent(of: Directory.absolute(socketPath))
    let own = [stateDirectory, socket, manifestSource?.directory].compactMap(\.self)
    if let home = User.home, let broad = own.first(where: { home.isInside(Directory.absolute($0)) })
    {
      throw ProgramError(
        .badConfiguration,
        "--confine: \(broad) contains your home directory; move the socket, the state and the "
          + "manifest into other directories")
    }
    var confinement = Confinement()
    // A source of memory pressure gets its threshold from the broker.
    let sources = [PressureSource.systemPath, Environment[MemoryPressureVariable.watch]]
    confinement.writable =
      [stateDirectory, Directory.temporary] + ([socket] + sources).compactMap(\.self)
    let programs = program.flatMap { Directory.parent(of: $0) }
    confinement.readable =
      Self.systemDirectories + [programs, manifestSource?.directory].compactMap(\.self)
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
}

extension String {
  /// Whether this path is the directory, or a file in it or below it.
  fileprivate func isInside(_ directory: String) -> Bool {
    self == directory || directory == "/" || hasPrefix(directory + "/")
  }
}
