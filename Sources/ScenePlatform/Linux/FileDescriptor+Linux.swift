import CScenePlatform

/// Makes a pipe whose ends no child inherits.
func closingOnExec(_ numbers: UnsafeMutablePointer<Int32>?) -> Int32 {
  platform_pipe2(numbers, O_CLOEXEC)
}

/// The identity and the size of a file, without its times; nil where a container forbids `statx`.
func systemIdentity(_ directory: Int32, _ name: String) -> (identity: FileIdentity, size: Int64)? {
  var found = platform_identity()
  guard platform_identity(directory, name, &found) == 0 else { return nil }
  return (FileIdentity(device: found.device, inode: found.inode), Int64(found.size))
}
