import SceneModel

/// A kind of request that a client sends on its own. The plan of a simulation can switch it off, or
/// make it more frequent.
enum Operation: CaseIterable {
  case activate, adopt, assertion, change, connect, destroy, directory, disconnect, environment
  case extend, look, observe, open, ping, post, pressure, program, reclaim, refresh, release
  case reload, restore, save, signal, terminate, transition, undiscard

  /// The operations of a kind of client, and their relative frequencies.
  static func all(of kind: ClientKind) -> [(weight: Int, Operation)] {
    switch kind {
    case .scene:
      [
        (16, .save), (8, .transition), (4, .observe), (4, .look), (2, .assertion), (2, .post),
        (2, .disconnect), (2, .change), (2, .extend), (2, .destroy), (2, .connect), (2, .program),
        (1, .activate), (1, .open), (1, .directory),
      ]
    case .control:
      [
        (10, .look), (8, .transition), (6, .activate), (4, .open), (4, .destroy), (4, .reclaim),
        (4, .save), (6, .ping), (4, .post), (4, .release), (4, .adopt), (2, .pressure),
        (2, .undiscard), (2, .refresh), (2, .observe), (1, .change), (1, .restore), (1, .signal),
        (1, .directory), (1, .environment), (1, .reload), (1, .terminate), (1, .disconnect),
      ]
    case .observer: [(1, .look)]
    case .applicationDelegate: [(6, .look), (2, .activate), (1, .open), (1, .destroy)]
    }
  }
}
