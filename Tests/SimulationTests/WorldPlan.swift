import SceneJournal
import SceneModel

/// What a world is like: small everywhere, so that every limit is met and every file is full soon.
struct WorldPlan {
  let limits: Limits
  let manifest: Manifest
  let journal: JournalOptions
  /// Bytes that the disk has; a full disk is made by taking the rest away.
  let diskByteCount: Int
  /// How often a thing happens, among all things.
  let weights: Weights

  struct Weights {
    var deliver = 30
    var read = 30
    var act = 22
    var answer = 10
    var turn = 22
    var learn = 12
    var wait = 5
    var leap = 4
    var arrive = 3
    var close = 2
    var kill = 2
    var crash = 1
    var fault = 1
    var fill = 1
    var terminate = 1
  }

  init(_ dice: Dice) {
    limits = Self.limits(dice)
    manifest = Self.manifest(dice)
    journal = Self.journal(dice)
    diskByteCount = dice.pick([4 << 20, 16 << 20])
    weights = Self.weights(dice)
  }

  private static func limits(_ dice: Dice) -> Limits {
    var limits = Limits()
    limits.frameBytes = 32 << 10
    limits.activityBytes = 2 << 10
    limits.optionsBytes = 2 << 10
    limits.userInfoBytes = 1 << 10
    limits.snapshotBytes = 1 << 10
    limits.titleBytes = 100
    limits.scenesPerConnection = dice.pick([1, 3, 8])
    limits.sessions = dice.pick([4, 12])
    limits.storedBytes = dice.pick([12 << 10, 1 << 20])
    limits.requestsInFlight = dice.pick([4, 16])
    limits.deliveries = 3
    limits.slowReaderBytes = dice.pick([2 << 10, 64 << 10])
    limits.outboxBytes = dice.pick([40 << 10, 400 << 10])
    limits.traceEntries = 60
    limits.unsyncedBytes = dice.pick([4 << 10, 16 << 10])
    return limits
  }

  private static func manifest(_ dice: Dice) -> Manifest {
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

  private static func journal(_ dice: Dice) -> JournalOptions {
    var options = JournalOptions()
    options.durability = dice.once(in: 8) ? .os : .disk
    options.logByteCount = dice.pick([64 << 10, 128 << 10])
    options.zeroAheadByteCount = dice.pick([8 << 10, 32 << 10])
    options.batchByteLimit = dice.pick([4 << 10, 32 << 10])
    options.waitingByteCount = 32 << 10
    options.stepByteCount = 16 << 10
    options.baseBatchByteCount = 4 << 10
    options.compactionByteCount = dice.pick([32 << 10, 256 << 10])
    options.logLimit = dice.pick([2, 4])
    let salts = dice.word()
    options.makeSalt = SaltSource(seed: salts).next
    return options
  }

  private static func weights(_ dice: Dice) -> Weights {
    var weights = Weights()
    if dice.once(in: 3) { weights.turn = 5 }
    if dice.once(in: 3) { weights.crash = 0 }
    if dice.once(in: 3) { weights.crash = 4 }
    if dice.once(in: 2) { weights.fault = 0 }
    if dice.once(in: 2) { weights.fill = 0 }
    if dice.once(in: 3) { weights.leap = 0 }
    if dice.once(in: 2) { weights.terminate = 0 }
    if dice.once(in: 4) { weights.read = 6 }
    return weights
  }
}
