/// The policies of an application.
package struct Policies: Equatable, Sendable {
  package var foreground: ForegroundPolicy
  package var reclaim: ReclaimPolicy

  package init(foreground: ForegroundPolicy = .split, reclaim: ReclaimPolicy = ReclaimPolicy()) {
    self.foreground = foreground
    self.reclaim = reclaim
  }
}

/// The number of scenes in the foreground. The least recently activated scene leaves first.
package enum ForegroundPolicy: Equatable, Sendable {
  /// Any number, as in a split view.
  case split
  case atMost(Int)

  /// One scene. An activation moves the others to the background.
  package static let exclusive = ForegroundPolicy.atMost(1)
}

/// The scenes in the background that the broker reclaims by itself.
package struct ReclaimPolicy: Equatable, Sendable {
  /// The number of scenes that stay: those that entered the background last; nil for all.
  package var count: Int?
  /// The time that a scene stays; nil for any time.
  package var age: Interval?

  package init(count: Int? = nil, age: Interval? = nil) {
    self.count = count
    self.age = age
  }
}

/// The policy of a topic.
package struct TopicDeclaration: Equatable, Sendable {
  /// Whether the disk has an event before observers get it.
  package var isDurable: Bool
  /// The number of stored events, for later observers.
  package var keep: Int

  package init(isDurable: Bool = false, keep: Int = Self.standardKeep) {
    self.isDurable = isDurable
    self.keep = keep
  }

  package static let standardKeep = 1000
  /// The range of `keep`.
  package static let keepRange: ClosedRange<Int64> = 1...1_000_000
}

/// The role of an application delegate in its own process.
package enum DelegateParticipation: String, CaseIterable, Sendable {
  /// The manifest decides. The broker neither asks a connected delegate nor reports discards to it.
  case builtIn
  /// The broker asks a connected delegate. Discards wait for a delegate after the first one
  /// connected.
  case optional
  /// Scenes wait for a delegate at the start.
  case required

  package static let standard = DelegateParticipation.optional
}

/// The program that the broker starts for a session without a client.
package struct LaunchCommand: Equatable, Sendable {
  /// The program and its arguments, without a shell.
  package var words: [String]
  /// The environment variables that the program inherits from the broker. A name that ends with `*`
  /// is a prefix.
  package var environment: [String]

  /// With more variables than every program inherits.
  package init(words: [String], environment: [String] = []) {
    self.words = words
    let standard = Self.standardEnvironment
    self.environment = standard + environment.filter { !standard.contains($0) }
  }

  /// The variables for a program's files, language and terminal.
  package static let standardEnvironment = [
    "HOME", "LANG", "LC_*", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
    "XDG_RUNTIME_DIR",
  ]

  /// The name of the program without its directory, for people.
  package var programName: String {
    let name = words[0].split(separator: "/").last.map(String.init) ?? words[0]
    return name.clipped(to: 100)
  }

  /// Whether the program inherits the variable. The broker sets the variables that begin with
  /// `SCENE_`.
  package func inherits(_ variable: String) -> Bool {
    !variable.hasPrefix("SCENE_")
      && environment.contains { name in
        name.hasSuffix("*") ? variable.hasPrefix(name.dropLast()) : variable == name
      }
  }
}
