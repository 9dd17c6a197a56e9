import ScenePlatform
import SceneTestSupport
import Testing

@Suite("Files")
struct FileTests {
  @Test("bytes are written and read at any offset")
  func places() throws {
    try withDirectory { directory in
      let file = try File.open("\(directory)/file", [.read, .write, .create, .exclusive])
      try file.write(ContiguousArray("world".utf8).span.bytes, at: 6)
      try file.write(ContiguousArray("hello ".utf8).span.bytes, at: 0)
      #expect(String(decoding: try file.read(at: 0, count: 11), as: UTF8.self) == "hello world")
      #expect(String(decoding: try file.read(at: 6, count: 100), as: UTF8.self) == "world")
      #expect(try file.read(at: 11, count: 1) == [])
      #expect(try file.read(at: 0, count: 0) == [])
      try file.truncate(to: 5)
      #expect(try file.status().size == 5)
      try file.synchronizeData()
      try file.synchronize()
      try Directory.synchronize(directory)
    }
  }

  @Test("the names of ancestors are synced while this user owns them")
  func leadingNames() throws {
    try withDirectory { directory in
      try Directory.makeAll("\(directory)/a/b")
      try Directory.synchronizeNames(leadingTo: "\(directory)/a/b")
      try Directory.synchronizeNames(leadingTo: "relative")
      #expect(throws: SystemError.self) {
        try Directory.synchronizeNames(leadingTo: "\(directory)/missing/b")
      }
    }
  }

  @Test("open options restrict the kind of the file")
  func options() throws {
    try withDirectory { directory in
      let path = "\(directory)/file"
      #expect(throws: SystemError(call: "open", path: path, code: .notFound)) {
        _ = try File.open(path, .read)
      }
      try File.write("old".utf8, to: path)
      #expect(throws: SystemError(call: "open", path: path, code: .exists)) {
        _ = try File.open(path, [.write, .create, .exclusive])
      }
      try File.open(path, [.write, .append]).write(" and new")
      #expect(String(decoding: try File.read(path), as: UTF8.self) == "old and new")
      try File.link("\(directory)/link", to: "file")
      #expect(try File.destination(ofLink: "\(directory)/link") == "file")
      _ = try File.open("\(directory)/link", .read)
      #expect(throws: SystemError.self) {
        _ = try File.open("\(directory)/link", [.read, .noFollow])
      }
      #expect(throws: SystemError.self) { _ = try File.open(path, [.read, .directory]) }
      #expect(throws: SystemError(call: "write", code: .badDescriptor)) {
        try File.open(path, .read).write("x")
      }
    }
  }

  @Test("the status has kind, owner, mode and size of a link or of its target")
  func status() throws {
    try withDirectory { directory in
      let path = "\(directory)/file"
      let before = SystemClock.wall()
      try File.write("12345".utf8, to: path, mode: 0o640)
      try File.setMode(path, 0o640)
      try File.link("\(directory)/link", to: path)
      let status = try FileStatus(of: path)
      #expect(status.kind == .regular)
      #expect(status.owner == User.current)
      #expect(status.mode == 0o640)
      #expect(status.size == 5)
      // The file system's clock has a resolution of some milliseconds.
      #expect(status.modified > before - 1_000_000_000)
      #expect(try File.open(path, .read).status() == status)
      #expect(try FileStatus(of: "\(directory)/link") == status)
      let link = try FileStatus(of: "\(directory)/link", followLinks: false)
      #expect(link.kind == .symbolicLink)
      #expect(link.identity != status.identity)
      #expect(try FileStatus(of: directory).kind == .directory)
      #expect(try FileStatus(of: "/dev/null").kind == .device)
    }
  }

  @Test("a rename replaces a file and keeps the identity")
  func rename() throws {
    try withDirectory { directory in
      try File.write("new".utf8, to: "\(directory)/new")
      try File.write("old".utf8, to: "\(directory)/name")
      let identity = try FileStatus(of: "\(directory)/new").identity
      try File.rename("\(directory)/new", to: "\(directory)/name")
      #expect(try FileStatus(of: "\(directory)/name").identity == identity)
      #expect(try Directory.list(directory) == ["name"])
      try File.remove("\(directory)/name")
      #expect(throws: SystemError.self) { try File.remove("\(directory)/name") }
      try File.removeIfPresent("\(directory)/name")
    }
  }

  @Test("reserved space reads as zeros and is allocated")
  func reserve() throws {
    try withDirectory { directory in
      let file = try File.open("\(directory)/file", [.read, .write, .create])
      try file.write("start")
      try file.reserve(1 << 20)
      #expect(try file.status().size == 1 << 20)
      #expect(try file.read(at: 0, count: 7) == ContiguousArray("start\0\0".utf8))
      #expect(try file.availableSpace() > 0)
      #expect(throws: SystemError.self) { try file.reserve(.max) }
    }
  }

  @Test("a lock excludes other locks until its file is closed")
  func lock() throws {
    try withDirectory { directory in
      let path = "\(directory)/lock"
      let second = try File.open(path, [.write, .create])
      do {
        let first = try File.open(path, .write)
        #expect(try first.tryLock())
        #expect(try first.tryLock())
        #expect(try !second.tryLock())
      }
      #expect(try second.tryLock())
    }
  }

  @Test("a full disk has its own error", .enabled(if: File.exists("/dev/full")))
  func full() throws {
    let file = try File.open("/dev/full", .write)
    let error = #expect(throws: SystemError.self) { try file.write("x") }
    #expect(error?.isFull == true)
  }
}

@Suite("Directories")
struct DirectoryTests {
  @Test("directories are made with their missing ancestors and listed by name")
  func make() throws {
    try withDirectory { directory in
      try Directory.makeAll("\(directory)/a/b//c/")
      try Directory.makeAll("\(directory)/a/b/c")
      #expect(try FileStatus(of: "\(directory)/a/b").mode == 0o700)
      try File.write("".utf8, to: "\(directory)/a/z")
      try File.write("".utf8, to: "\(directory)/a/.hidden")
      #expect(try Directory.list("\(directory)/a") == [".hidden", "b", "z"])
      #expect(throws: SystemError.self) { try Directory.makeAll("\(directory)/a/z") }
      #expect(throws: SystemError.self) { try Directory.makeAll("\(directory)/a/z/y") }
      #expect(throws: SystemError(call: "mkdir", path: directory, code: .exists)) {
        try Directory.make(directory)
      }
      #expect(throws: SystemError(call: "opendir", path: "\(directory)/x", code: .notFound)) {
        try Directory.list("\(directory)/x")
      }
    }
  }

  @Test(
    "a path has a parent, except for the root and a bare name",
    arguments: [
      ("/a/b", "/a"), ("/a/b/", "/a"), ("/a//b", "/a"), ("/a", "/"), ("a/b", "a"), ("//a", "/"),
      ("/", nil), ("a", nil), ("", nil), ("a/", nil), ("//", nil),
    ] as [(String, String?)])
  func parent(path: String, parent: String?) {
    #expect(Directory.parent(of: path) == parent)
  }

  @Test("a temporary directory is new, and only this user can access it")
  func temporary() throws {
    try withDirectory { directory in
      let first = try Directory.makeTemporary(prefix: "x", in: directory)
      let second = try Directory.makeTemporary(prefix: "x", in: directory)
      #expect(first != second)
      #expect(first.hasPrefix("\(directory)/x-"))
      #expect(try FileStatus(of: first).mode == 0o700)
      #expect(throws: SystemError.self) {
        try Directory.makeTemporary(in: "\(directory)/missing")
      }
    }
  }

  @Test("a tree is removed without the targets of its links")
  func removeTree() throws {
    try withDirectory { directory in
      try Directory.makeAll("\(directory)/tree/deep/deeper")
      try Directory.make("\(directory)/kept")
      try File.write("x".utf8, to: "\(directory)/kept/file")
      try File.write("x".utf8, to: "\(directory)/tree/deep/file")
      try File.link("\(directory)/tree/deep/out", to: "\(directory)/kept")
      try File.link("\(directory)/link", to: "\(directory)/kept")
      try Directory.removeTree("\(directory)/tree")
      try Directory.removeTree("\(directory)/link")
      #expect(try Directory.list(directory) == ["kept"])
      #expect(try Directory.list("\(directory)/kept") == ["file"])
      #expect(throws: SystemError.self) { try Directory.removeTree("\(directory)/tree") }
    }
  }
}

@Suite("Private directories")
struct PrivateDirectoryTests {
  @Test("private directories are made with their ancestors")
  func good() throws {
    try withDirectory { directory in
      let path = "\(directory)/a/b"
      let made = try PrivateDirectory.make(path)
      #expect(try made.status().identity == FileStatus(of: path).identity)
      #expect(try FileStatus(of: path).mode == 0o700)
      let again = try PrivateDirectory.make(path + "/")
      #expect(try again.status().identity == made.status().identity)
      try File.setMode(path, 0o500)
      _ = try PrivateDirectory.open(path)
    }
  }

  @Test("a directory with access for others is rejected", arguments: 0..<(6 as UInt32))
  func modes(bit: UInt32) throws {
    try withDirectory { directory in
      let mode: UInt32 = 0o700 | 1 << bit
      try File.setMode(directory, mode)
      #expect(throws: PrivateDirectoryError(directory, .open(mode: mode))) {
        _ = try PrivateDirectory.open(directory)
      }
    }
  }

  @Test("the error names the command that helps")
  func advice() {
    let open = { (path: String, mode: UInt32) in
      PrivateDirectoryError(path, .open(mode: mode)).description
    }
    #expect(
      open("/x", 0o755)
        == "other users can access the directory /x (mode 0755); run: mkdir -m 700 /x/scened")
    #expect(open("/", 0o755).hasSuffix("mkdir -m 700 /scened"))
    #expect(open("/tmp/scened", 0o1777).hasSuffix("mkdir -m 700 /tmp/scened/scened"))
    for path in ["/run/user/7/scened", "/a b/scened/default"] {
      #expect(open(path, 0o755).hasSuffix("(mode 0755); run: chmod 700 \(path.shellWord)"))
    }
    #expect(
      PrivateDirectoryError("-x", .closed(mode: 0)).description
        == "the directory -x is closed to its owner (mode 0000); run: chmod 700 ./-x")
    #expect(PrivateDirectoryError("/x", .foreign(owner: 12345)).description.contains("12345"))
  }

  @Test("the error for a closed directory names the command that helps")
  func closed() throws {
    // Root can access every directory.
    guard User.current != 0 else { return }
    try withDirectory { directory in
      try File.setMode(directory, 0o200)
      defer { try? File.setMode(directory, 0o700) }
      #expect(throws: PrivateDirectoryError(directory, .closed(mode: 0o200))) {
        _ = try PrivateDirectory.open(directory)
      }
    }
  }

  @Test("a link is rejected, with and without a trailing slash", arguments: ["", "/", "//"])
  func links(end: String) throws {
    try withDirectory { directory in
      let link = "\(directory)/link"
      try Directory.make("\(directory)/real")
      try File.link(link, to: "real")
      let expected = PrivateDirectoryError(link, .symbolicLink)
      #expect(throws: expected) { _ = try PrivateDirectory.open(link + end) }
      #expect(throws: expected) { _ = try PrivateDirectory.make(link + end) }
    }
  }

  @Test("a directory of another user is rejected")
  func foreign() throws {
    try withDirectory { directory in
      // Only root can change an owner; other users test with the root directory.
      let isRoot = User.current == 0
      let path = isRoot ? "\(directory)/theirs" : "/"
      if isRoot {
        try Directory.make(path)
        #expect(try shell("chown 12345 '\(path)'").end.isSuccess)
      }
      let owner: UInt32 = isRoot ? 12345 : 0
      #expect(throws: PrivateDirectoryError(path, .foreign(owner: owner))) {
        _ = try PrivateDirectory.open(path)
      }
      let complaint = "\(path) belongs to user \(owner), not to user \(User.current)"
      #expect(FileStatus.foreignOwner(near: path) == complaint)
      #expect(FileStatus.foreignOwner(near: "\(directory)/none") == nil)
      if isRoot { #expect(FileStatus.foreignOwner(near: path + "/none/sock") == complaint) }
    }
  }

  /// A directory two levels above the private one, and whether that is safe there.
  struct Ancestor: CustomTestStringConvertible {
    let command: String
    let flaw: UnsafeAncestor?

    var testDescription: String { command }

    /// Only root can change the owner of a directory.
    static let all =
      [
        Ancestor(command: "chmod 755 above", flaw: nil),
        Ancestor(command: "chmod 1777 above", flaw: nil),
        Ancestor(command: "chmod 757 above", flaw: .writable(mode: 0o757)),
      ]
      + (User.current != 0
        ? []
        : [
          Ancestor(command: "chown 12345 above", flaw: .foreign(owner: 12345)),
          // Another user is a member of that group.
          Ancestor(command: "chgrp 12345 above; chmod 775 above", flaw: .writable(mode: 0o775)),
        ])
  }

  @Test("a directory that another user can replace is rejected", arguments: Ancestor.all)
  func ancestors(ancestor: Ancestor) throws {
    try withDirectory { directory in
      let path = "\(directory)/above/own/private"
      _ = try PrivateDirectory.make(path)
      try File.link("\(directory)/link", to: "above/own")
      #expect(try shell("cd '\(directory)'; \(ancestor.command)").end.isSuccess)
      for path in [path, "\(directory)/link/private", "\(path)/deeper/still"] {
        let error = ancestor.flaw.map {
          PrivateDirectoryError("\(directory)/above", .ancestor(of: path, $0))
        }
        do {
          _ = try PrivateDirectory.make(path)
          #expect(error == nil, "\(path)")
        } catch let thrown as PrivateDirectoryError {
          #expect(thrown == error, "\(path)")
        }
      }
    }
  }

  @Test("a link of another user in a sticky directory is refused", .enabled(if: User.current == 0))
  func foreignLink() throws {
    try withDirectory { directory in
      try File.setMode(directory, 0o1777)
      _ = try PrivateDirectory.make("\(directory)/own/private")
      try File.link("\(directory)/link", to: "own")
      #expect(try shell("chown -h 12345 '\(directory)/link'").end.isSuccess)
      let path = "\(directory)/link/private"
      let error = PrivateDirectoryError(
        "\(directory)/link", .ancestor(of: path, .foreign(owner: 12345)))
      #expect(throws: error) { _ = try PrivateDirectory.open(path) }
    }
  }

  @Test("a missing path or a file is rejected")
  func others() throws {
    try withDirectory { directory in
      let path = "\(directory)/file"
      let missing = SystemError(call: "stat", path: path, code: .notFound)
      #expect(throws: PrivateDirectoryError(path, .system(missing))) {
        _ = try PrivateDirectory.open(path)
      }
      try File.write("".utf8, to: path)
      for below in ["", "/a", "/a/b"] {
        for making in [PrivateDirectory.Making.none, .last, .all] {
          #expect(throws: PrivateDirectoryError(path, .notADirectory)) {
            _ = try PrivateDirectory.make(path + below, making)
          }
        }
      }
      #expect(throws: PrivateDirectoryError(path, .notADirectory)) {
        _ = try PrivateDirectory.open(path)
      }
    }
  }

  @Test("the working directory keeps the symbolic links of a path to it, and of no other path")
  func namedDirectory() throws {
    try withDirectory { directory in
      let current = try Directory.current()
      let link = directory + "/link"
      try File.link(link, to: current)
      #expect(try Directory.currentAsNamed(by: link) == link)
      for other in [directory, "\(link)/.", "\(link)/none", ".", "", nil] {
        #expect(try Directory.currentAsNamed(by: other) == current)
      }
    }
  }
}
