import ScenePlatform
import SceneTestSupport

/// A real file system in a file, which can fail on command. Only a user who can mount can
/// create one.
final class LoopDisk {
  private let path: String
  private let image: String
  private var isMounted = false
  /// Removed after the disk.
  private let workplace: Workplace

  /// Creates the file system, and mounts it at the state directory of the workplace.
  init(_ workplace: Workplace, mebibytes: Int = 96) throws {
    self.workplace = workplace
    path = workplace.state
    image = workplace.file("disk")
    try Directory.make(path)
    try File.open(image, [.write, .create]).truncate(to: Int64(mebibytes) << 20)
    try Self.run("mkfs.ext4", ["-q", "-F", image])
    try mount()
    try File.setMode(path, 0o700)
  }

  deinit {
    try? thaw()
    if isMounted { try? Self.run("umount", ["-l", path]) }
  }

  private func mount() throws {
    try Self.run("mount", ["-o", "loop", image, path])
    isMounted = true
  }

  /// From now on nothing can be changed.
  func makeReadOnly() throws { try Self.run("mount", ["-o", "remount,ro", path]) }

  /// From now on every write and every sync returns an error, as after the loss of the device.
  func fail() throws {
    let shutDown =
      "import fcntl,os,sys; fcntl.ioctl(os.open(sys.argv[1],0),0x8004587d,b'\\2\\0\\0\\0')"
    try Self.run("env", ["python3", "-c", shutDown, path])
  }

  /// From now on every write waits.
  func freeze() throws { try Self.run("fsfreeze", ["-f", path]) }
  func thaw() throws { try Self.run("fsfreeze", ["-u", path]) }

  /// The device is available again, with the synced data.
  func repair() throws {
    try Self.run("umount", [path])
    isMounted = false
    try mount()
  }

  static let canFail: Bool = {
    guard User.current == 0, let workplace = try? Workplace(),
      let disk = try? LoopDisk(workplace, mebibytes: 16)
    else { return false }
    return (try? disk.fail()) != nil
  }()

  private static func run(_ command: String, _ arguments: [String]) throws {
    let outcome = try RunningProgram.run("/usr/bin/env", [command] + arguments)
    guard outcome.code == 0 else { throw Unmet("\(command): \(outcome.errors)") }
  }
}
