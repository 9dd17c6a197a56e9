import CScenePlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The steps of a child between `fork` and `exec`, for `posix_spawn`.
struct SpawnPlan: ~Copyable {
  // On Darwin these types are pointers to library memory.
  #if canImport(Darwin)
    typealias FileActions = posix_spawn_file_actions_t?
    typealias Attributes = posix_spawnattr_t?
  #else
    typealias FileActions = posix_spawn_file_actions_t
    typealias Attributes = posix_spawnattr_t
  #endif

  private let actions = Cell<FileActions>()
  private let attributes = Cell<Attributes>()
  /// Duplicates of the parent's descriptors, above all of the child's numbers. So no step
  /// overwrites the source of a later step.
  private var raised = RaisedDescriptors()

  init(
    descriptors: [Int32: Int32], workingDirectory: String?, group: Int32?
  ) throws(SystemError) {
    try checkCode(
      "posix_spawn_file_actions_init", nil, posix_spawn_file_actions_init(actions.pointer))
    try checkCode("posix_spawnattr_init", nil, posix_spawnattr_init(attributes.pointer))
    try setSignalsAndGroup(group)
    if let workingDirectory {
      try checkCode("chdir", workingDirectory, addChangeDirectory(workingDirectory))
    }
    try pass(descriptors)
  }

  deinit {
    posix_spawn_file_actions_destroy(actions.pointer)
    posix_spawnattr_destroy(attributes.pointer)
  }

  func withAttributes(
    _ body: (UnsafePointer<FileActions>, UnsafePointer<Attributes>) -> Int32
  ) -> Int32 {
    body(actions.pointer, attributes.pointer)
  }

  private mutating func pass(_ descriptors: [Int32: Int32]) throws(SystemError) {
    let named = descriptors.sorted { $0.key < $1.key }
    let end = max(3, (named.last?.key ?? 2) + 1)
    for (child, parent) in named {
      let source = try raised.raise(parent, from: end)
      try checkCode(
        "posix_spawn_file_actions_adddup2", nil,
        posix_spawn_file_actions_adddup2(actions.pointer, source, child))
    }
    #if canImport(Darwin)
      // POSIX_SPAWN_CLOEXEC_DEFAULT closes all other descriptors.
      for number: Int32 in 0..<3 where descriptors[number] == nil {
        if fcntl(number, F_GETFD) == -1 { continue }
        try checkCode(
          "posix_spawn_file_actions_addinherit_np", nil,
          posix_spawn_file_actions_addinherit_np(actions.pointer, number))
      }
    #else
      for number in 3..<end where descriptors[number] == nil {
        try checkCode(
          "posix_spawn_file_actions_addclose", nil,
          posix_spawn_file_actions_addclose(actions.pointer, number))
      }
      try checkCode(
        "posix_spawn_file_actions_addclosefrom_np", nil,
        platform_spawn_addclosefrom(actions.pointer, end))
    #endif
  }

  /// `exec` would keep the blocked mask and the ignored signals, which the program does not expect.
  private func setSignalsAndGroup(_ group: Int32?) throws(SystemError) {
    var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    var set = sigset_t()
    sigemptyset(&set)
    try checkCode(
      "posix_spawnattr_setsigmask", nil, posix_spawnattr_setsigmask(attributes.pointer, &set))
    sigfillset(&set)
    sigdelset(&set, SIGKILL)
    sigdelset(&set, SIGSTOP)
    try checkCode(
      "posix_spawnattr_setsigdefault", nil, posix_spawnattr_setsigdefault(attributes.pointer, &set))
    if let group {
      flags |= Int32(POSIX_SPAWN_SETPGROUP)
      try checkCode(
        "posix_spawnattr_setpgroup", nil, posix_spawnattr_setpgroup(attributes.pointer, group))
    }
    #if canImport(Darwin)
      flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #endif
    try checkCode(
      "posix_spawnattr_setflags", nil, posix_spawnattr_setflags(attributes.pointer, Int16(flags)))
  }

  private func addChangeDirectory(_ path: String) -> Int32 {
    #if canImport(Darwin)
      return posix_spawn_file_actions_addchdir_np(actions.pointer, path)
    #else
      return platform_spawn_addchdir(actions.pointer, path)
    #endif
  }
}

/// Duplicates that stay open until the child has started.
struct RaisedDescriptors: ~Copyable {
  private var numbers: [Int32] = []

  mutating func raise(_ number: Int32, from minimum: Int32) throws(SystemError) -> Int32 {
    let raised = try FileDescriptor.duplicating(number, from: minimum).release()
    numbers.append(raised)
    return raised
  }

  deinit {
    for number in numbers { FileDescriptor(adopting: number).close() }
  }
}

/// A C structure with a fixed address.
private struct Cell<Value>: ~Copyable {
  let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  deinit {
    pointer.deallocate()
  }
}
