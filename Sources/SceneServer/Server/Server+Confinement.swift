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
    guard Confinement.isSupported else {
      return log.warn(
        "--confine: this system has no Landlock (Linux 5.19 or later), so that the broker can "
          + "reach all files of its user; it starts no programs")
    }
    var confinement = Confinement()
    let socket = Directory.parent(of: Directory.absolute(socketPath))
    // A source of memory pressure gets its threshold from the broker.
    let sources = [PressureSource.systemPath, Environment[MemoryPressureVariable.watch]]
    confinement.writable =
      [stateDirectory, Directory.temporary] + ([socket] + sources).compactMap(\.self)
    let own = [program.flatMap { Directory.parent(of: $0) }, manifestSource?.directory]
    confinement.readable = Self.systemDirectories + own.compactMap(\.self)
    do throws(SystemError) {
      try confinement.begin()
    } catch {
      throw ProgramError(.inputOutput, "--confine: \(error)")
    }
  }
}
