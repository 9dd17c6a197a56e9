/// What the application decides by itself about its scenes.
package struct Policies: Equatable, Sendable {
  package var foreground: ForegroundPolicy
  package var reclaim: ReclaimPolicy

  package init(foreground: ForegroundPolicy = .split, reclaim: ReclaimPolicy = ReclaimPolicy()) {
    self.foreground = foreground
    self.reclaim = reclaim
  }
}

/// How many scenes may be in the foreground. Whose time there was longest ago goes first.
package enum ForegroundPolicy: Equatable, Sendable {
  /// Any number, as in a split view.
  case split
  case atMost(Int)

  /// One: the activated scene sends the others to the background.
  package static let exclusive = ForegroundPolicy.atMost(1)
}

/// Which scenes in the background the broker disconnects by itself.
package struct ReclaimPolicy: Equatable, Sendable {
  /// How many may stay: the scenes that entered the background last; nil for all.
  package var count: Int?
  /// How long one may stay; nil for ever.
  package var age: Interval?

  package init(count: Int? = nil, age: Interval? = nil) {
    self.count = count
    self.age = age
  }
}

/// What a topic's events go through.
package struct TopicDeclaration: Equatable, Sendable {
  /// Whether an event is on the disk before any client is told of it.
  package var isDurable: Bool
  /// How many events stay for observers that come later.
  package var keep: Int

  package init(isDurable: Bool = false, keep: Int = Self.standardKeep) {
    self.isDurable = isDurable
    self.keep = keep
  }

  package static let standardKeep = 1000
  /// What may be asked for.
  package static let keepRange: ClosedRange<Int64> = 1...1_000_000
}

/// What part an application delegate in a process of its own plays.
package enum DelegateParticipation: String, CaseIterable, Sendable {
  /// The manifest decides. The broker neither asks a connected delegate nor reports discards to it.
  case builtIn
  /// The broker asks a connected delegate. Discards wait for a delegate after the first one connected.
  case optional
  /// Scenes wait for a delegate at the start.
  case required

  package static let standard = DelegateParticipation.optional
}

/// What starts a client for a session that needs one.
package struct LaunchCommand: Equatable, Sendable {
  /// The program and its arguments, as they are: no shell takes part.
  package var words: [String]
  /// Which of the broker's environment variables it is given; one that ends with `*` stands for all
  /// that begin like that.
  package var environment: [String]

  /// With variables beside those that every program is given.
  package init(words: [String], environment: [String] = []) {
    self.words = words
    let standard = Self.standardEnvironment
    self.environment = standard + environment.filter { !standard.contains($0) }
  }

  /// What a program needs to find its files, its language and its terminal.
  package static let standardEnvironment = [
    "HOME", "LANG", "LC_*", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
    "XDG_RUNTIME_DIR",
  ]

  /// The program without its directory, for people.
  package var programName: String {
    let name = words[0].split(separator: "/").last.map(String.init) ?? words[0]
    return name.clipped(to: 100)
  }

  /// Whether it is given a variable of the broker's. What the broker itself says begins with
  /// `SCENE_`.
  package func inherits(_ variable: String) -> Bool {
    !variable.hasPrefix("SCENE_")
      && environment.contains { name in
        name.hasSuffix("*") ? variable.hasPrefix(name.dropLast()) : variable == name
      }
  }
}
