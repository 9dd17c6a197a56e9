import SceneModel
import ScenePlatform
import SceneScript

/// What a person would do to the application, and what could happen to the broker.
extension TestBroker {
  /// Does what the words say to `scenectl`, such as `scenectl("discard", "packing")`.
  ///
  /// - Returns: What it printed.
  /// - Throws: ``TestFailure`` with what it complained of; the reason is called as its exit code.
  @discardableResult
  public func scenectl(
    _ words: String..., file: StaticString = #filePath, line: UInt = #line
  ) throws(TestFailure) -> String {
    try hand(words, TestPlace(file, line))
  }

  @discardableResult
  private func hand(_ words: [String], _ place: TestPlace) throws(TestFailure) -> String {
    try act(place) { (stage) throws(StepFailure) in try stage.act(words) }
    return output
  }

  /// Brings sessions to the foreground.
  public func activate(
    _ sessions: String..., file: StaticString = #filePath, line: UInt = #line
  ) throws(TestFailure) {
    try hand(["activate"] + sessions, TestPlace(file, line))
  }

  /// Sends scenes to the background.
  public func background(
    _ sessions: String..., file: StaticString = #filePath, line: UInt = #line
  ) throws(TestFailure) {
    try hand(["background"] + sessions, TestPlace(file, line))
  }

  /// Takes the scenes of sessions, which must be in the background, as a system that needs their
  /// memory; without any, all that are there.
  public func reclaim(
    _ sessions: String..., file: StaticString = #filePath, line: UInt = #line
  ) throws(TestFailure) {
    try hand(["reclaim"] + sessions, TestPlace(file, line))
  }

  /// Discards sessions for good.
  public func discard(
    _ sessions: String..., file: StaticString = #filePath, line: UInt = #line
  ) throws(TestFailure) {
    try hand(["discard"] + sessions, TestPlace(file, line))
  }

  /// Lets a virtual clock go on.
  public func advance(
    by duration: Duration, file: StaticString = #filePath, line: UInt = #line
  ) throws(TestFailure) {
    let milliseconds = duration.nanoseconds / 1_000_000
    try hand(["advance", "\(milliseconds)ms"], TestPlace(file, line))
  }

  /// Returns when nothing is under way any more, and everybody has heard what there was to hear.
  ///
  /// Everything else that acts does so by itself. This is for what the test has done to its own
  /// scenes.
  public func settle(
    file: StaticString = #filePath, line: UInt = #line
  ) throws(TestFailure) {
    try act(TestPlace(file, line)) { _ in }
  }

  // MARK: - Its own life

  /// Kills it, as `kill -9` does. What it has kept is there for the next; clients live on, and
  /// wait.
  public func kill(file: StaticString = #filePath, line: UInt = #line) throws(TestFailure) {
    try act(TestPlace(file, line)) { (stage) throws(StepFailure) in try stage.killBroker(.kill) }
  }

  /// Ends it in order.
  public func stop(file: StaticString = #filePath, line: UInt = #line) throws(TestFailure) {
    try act(TestPlace(file, line)) { (stage) throws(StepFailure) in try stage.stopBroker() }
  }

  /// Starts it again after it was killed or stopped; with nil, with the same options as before. It
  /// returns when those who waited for it have come back.
  public func start(
    options: [String]? = nil, file: StaticString = #filePath, line: UInt = #line
  ) throws(TestFailure) {
    try act(TestPlace(file, line)) { (stage) throws(StepFailure) in
      try stage.startBroker(options ?? stage.brokerOptions)
    }
  }
}
