import SceneJournal
import SceneModel
import SceneTestSupport

/// The settings of a simulation. Sizes are small, so that the simulation soon reaches every limit
/// and fills every file.
struct WorldPlan {
  let limits: Limits
  var manifest: Manifest
  var journal: JournalOptions
  /// The size of the disk. A step can reduce it to fill the disk.
  let diskByteCount: Int
  /// The relative frequency of each step.
  var weights: Weights
  /// The factors of the frequencies of operations; 1 for others. Half of the simulations have a mix
  /// of their own, in which many operations are off or frequent.
  let mix: [Operation: Int]
  /// One client in so many ends when it gets a scene; 0 for none.
  let earlyEnds: Int

  struct Weights {
    var deliver = 60
    var read = 60
    var act = 70
    var answer = 20
    var turn = 40
    var learn = 25
    var wait = 8
    var leap = 3
    var arrive = 3
    var close = 1
    var kill = 1
    var crash = 1
    var fault = 1
    var fill = 1
    var terminate = 1
    var press = 4
  }

  init(_ dice: Dice) {
    limits = Self.limits(dice)
    manifest = Self.manifest(dice).declaring(dice)
    journal = Self.journal(dice, limits)
    diskByteCount = dice.pick([4 << 20, 16 << 20])
    let isMixed = dice.once(in: 2)
    weights = Self.weights(dice, isMixed: isMixed)
    mix = isMixed ? Self.mix(dice) : [:]
    earlyEnds = dice.pick([0, 8, 2])
    manifest.budgets.ping = Self.pingTime
    let unresponsive = dice.pick([
      nil, UnresponsivePolicy(after: .seconds(1)),
      UnresponsivePolicy(after: .seconds(1), then: .disconnect),
    ])
    for role in manifest.roles.indices {
      manifest.roles[role].policies["Default Configuration", default: .init()].unresponsive =
        unresponsive
    }
    manifest.policies.trash = dice.pick([nil, .seconds(0), .seconds(2), .seconds(60)])
  }

  /// The time for the answer to each ping.
  static let pingTime = Interval.seconds(2)

  private static func limits(_ dice: Dice) -> Limits {
    var limits = Limits()
    limits.frameBytes = 32 << 10
    limits.activityBytes = 2 << 10
    limits.optionsBytes = 2 << 10
    limits.userInfoBytes = 1 << 10
    limits.snapshotBytes = 1 << 10
    limits.titleBytes = 100
    limits.scenesPerConnection = dice.pick([2, 4, 8])
    limits.sessions = dice.pick([4, 20])
    limits.storedBytes = dice.pick([16 << 10, 1 << 20, 1 << 20])
    limits.requestsInFlight = dice.pick([4, 16])
    limits.deliveries = 3
    limits.eventBytes = 1 << 10
    limits.topics = 2
    limits.topicBytes = dice.pick([1 << 10, 8 << 10])
    limits.observations = 4
    limits.slowReaderBytes = dice.pick([2 << 10, 64 << 10])
    limits.outboxBytes = dice.pick([40 << 10, 400 << 10])
    limits.traceEntries = 60
    limits.unsyncedBytes = dice.pick([2 << 10, 8 << 10])
    return limits
  }

  private static func manifest(_ dice: Dice) -> Manifest {
    var manifest = scenes(dice)
    manifest.applicationDelegate = dice.pick([(2, .builtIn), (2, .optional), (1, .required)])
    if dice.once(in: 2) {
      var command = LaunchCommand(words: ["notes"])
      if dice.once(in: 2) { command.restart = .onCrash }
      manifest.roles[0].launches["Default Configuration"] = command
    }
    return manifest
  }

  private static func scenes(_ dice: Dice) -> Manifest {
    let usual = SceneConfiguration(name: "Default Configuration", delegateClass: "Document")
    let display = RoleConfigurations(
      role: .windowExternalDisplay, configurations: [SceneConfiguration(name: "Display")])
    return dice.pick([
      (3, .builtIn),
      (
        3,
        Manifest(
          supportsMultipleScenes: true,
          roles: [
            RoleConfigurations(
              role: .windowApplication,
              configurations: [
                usual, SceneConfiguration(name: "Inspector", kind: .window),
                SceneConfiguration(name: "Settings", delegateClass: "Document", kind: .settings),
              ]), display,
          ])
      ),
      (
        1,
        Manifest(
          supportsMultipleScenes: false,
          roles: [RoleConfigurations(role: .windowApplication, configurations: [usual])])
      ),
    ])
  }

  private static func journal(_ dice: Dice, _ limits: Limits) -> JournalOptions {
    var options = JournalOptions()
    options.durability = dice.once(in: 8) ? .os : .disk
    options.logByteCount = dice.pick([64 << 10, 128 << 10])
    options.zeroAheadByteCount = dice.pick([8 << 10, 32 << 10])
    options.batchByteLimit = dice.pick([12 << 10, 32 << 10])
    options.waitingByteCount = limits.waitingRecordBytes
    options.stepByteCount = 16 << 10
    options.checkpointBatchByteCount = 4 << 10
    options.compactionByteCount = dice.pick([32 << 10, 256 << 10])
    options.logLimit = dice.pick([2, 4])
    let salts = dice.word()
    options.makeSalt = SaltSource(seed: salts).next
    // Without a ballast, the daemon does not start on a full disk.
    options.ballastByteCount = salts.isMultiple(of: 3) ? 0 : 32 << 10
    return options
  }

  private static let factors = [0, 1, 1, 5]

  private static func mix(_ dice: Dice) -> [Operation: Int] {
    var mix: [Operation: Int] = [:]
    for operation in Operation.allCases { mix[operation] = dice.pick(factors) }
    return mix
  }

  /// The manifest that a daemon reads again.
  func changedManifest(_ dice: Dice) -> Manifest {
    var manifest = manifest
    manifest.policies.trash = dice.pick([nil, .seconds(0), .seconds(2)])
    if dice.once(in: 2) { manifest.roles[0].launches = [:] }
    if manifest.roles[0].configurations.count > 1, dice.once(in: 3) {
      manifest.roles[0].configurations.removeLast()
    }
    return manifest
  }

  private static func weights(_ dice: Dice, isMixed: Bool) -> Weights {
    var weights = Weights()
    if dice.once(in: 3) { weights.turn = 6 }
    if dice.once(in: 3) { weights.crash = 0 }
    if dice.once(in: 3) { weights.crash = 4 }
    if dice.once(in: 2) { weights.fault = 0 }
    if dice.once(in: 2) { weights.fill = 0 }
    if dice.once(in: 3) { weights.leap = 0 }
    if dice.once(in: 2) { weights.terminate = 0 }
    if dice.once(in: 5) { weights.read = 8 }
    if dice.once(in: 4) { (weights.close, weights.kill) = (4, 4) }
    guard isMixed else { return weights }
    let mixed = [
      \Weights.answer, \.wait, \.leap, \.arrive, \.close, \.kill, \.crash, \.terminate, \.press,
    ]
    for weight in mixed { weights[keyPath: weight] *= dice.pick(factors) }
    return weights
  }
}

extension Manifest {
  /// Adds a durable topic and a topic in memory, which both keep few events.
  fileprivate func declaring(_ dice: Dice) -> Manifest {
    var manifest = self
    manifest.topics["log"] = TopicDeclaration(isDurable: true, keep: dice.number(1...4))
    manifest.topics["news"] = TopicDeclaration(keep: dice.number(1...4))
    return manifest
  }
}
