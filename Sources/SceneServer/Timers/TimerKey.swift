import SceneBroker
import SceneModel

/// Identifies a timer of the event loop. The key determines the clock of the timer.
enum TimerKey: Hashable {
  case broker(BrokerTimer)
  /// A new client must send `initialize` before this timer expires.
  case handshake(ConnectionIdentifier)
  /// A client must complete a frame before this timer expires.
  case frame(ConnectionIdentifier)
  /// A client must read output before this timer expires.
  case slowReader(ConnectionIdentifier)
  /// The loop sends again after the kernel had no memory.
  case resend(ConnectionIdentifier)
  /// The loop closes a connection although the client has not read all output.
  case linger(ConnectionIdentifier)
  /// The loop returns unused memory to the system.
  case returnMemory

  /// The loop looks up several timers for each connection. It makes the numbers of connections,
  /// so a client cannot choose them to collide.
  func _rawHashValue(seed: Int) -> Int {
    switch self {
    case .broker(let timer): timer._rawHashValue(seed: seed)
    case .handshake(let connection): (connection.number << 3).mixed(with: seed)
    case .frame(let connection): (connection.number << 3 | 1).mixed(with: seed)
    case .slowReader(let connection): (connection.number << 3 | 2).mixed(with: seed)
    case .resend(let connection): (connection.number << 3 | 3).mixed(with: seed)
    case .linger(let connection): (connection.number << 3 | 4).mixed(with: seed)
    case .returnMemory: UInt64(5).mixed(with: seed)
    }
  }

  enum Clock: Hashable {
    /// The monotonic clock of the machine.
    case machine
    /// The clock of the application, which may be virtual.
    case application
  }

  /// Timers that depend on processes use the machine's clock, such as the liveness poll, the
  /// resumption after an upgrade and the shutdown: a virtual clock may stand still.
  var clock: Clock {
    switch self {
    case .broker(.callback), .broker(.reservations), .broker(.reclaim), .broker(.assertion),
      .broker(.launch), .broker(.relaunch), .broker(.restart), .broker(.trash),
      .broker(.pressurePause), .broker(.ping):
      .application
    case .broker(.livenessPoll), .broker(.livenessQuery), .broker(.shutdown), .broker(.exit),
      .broker(.resumption):
      .machine
    case .handshake, .frame, .slowReader, .resend, .linger, .returnMemory: .machine
    }
  }
}
