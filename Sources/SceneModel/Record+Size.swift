/// How much of the journal a record takes, known before it is written there.
extension Record {
  /// The bytes it takes in the journal at most: what surrounds its texts is counted as long as it
  /// ever gets.
  package var byteCountAtMost: Int {
    switch self {
    case .session(let attributes): attributes.recordByteCountAtMost
    case .activity(let generation):
      Generation.recordOverhead + (generation.activity?.byteCount ?? 0)
    case .held(let hold):
      Hold.recordByteCount + (hold.end?.signal == nil ? 0 : SentSignal.recordByteCount)
    case .discard(let discard):
      discard.report == nil ? Discard.recordByteCount : Discard.reportedByteCount
    case .topic(let attributes): TopicAttributes.recordOverhead + attributes.name.byteCountInJSON
    case .event(let event):
      TopicEvent.recordOverhead + event.payload.byteCount + event.topic.byteCountInJSON
        + (event.kind?.byteCountInJSON ?? 0)
    case .topicEnd(let end): TopicEnd.recordOverhead + end.name.byteCountInJSON
    case .discardReported: DiscardReported.recordByteCount
    case .delegateKnown: 16
    }
  }
}

extension SessionAttributes {
  /// The names of its members, and the numbers.
  fileprivate static let recordOverhead = 470

  fileprivate var recordByteCountAtMost: Int {
    let texts =
      [
        name, title, subtitle, snapshot, maker, role.rawValue, configuration.name,
        configuration.delegateClass, configuration.sceneClass, configuration.storyboard,
      ]
      + activationConditions.texts
    return texts.reduce(Self.recordOverhead + userInfo.byteCount) { count, text in
      count + (text?.byteCountInJSON ?? 0)
    }
  }
}

extension Generation {
  static let recordOverhead = 160
}

extension Hold {
  static let recordByteCount = 480
}

extension SentSignal {
  /// The sender's name is clipped, and each of its bytes may take six.
  static let recordByteCount = 360
}

extension Discard {
  static let recordByteCount = 64
  /// The same where a report tells of it.
  static let reportedByteCount = 128
  /// How many one request may lead to.
  package static let mostOfOneRequest = 4096
  /// How many older reports are dropped at most for one session that is discarded.
  package static let mostDropsOfOne = 2
  /// An identifier in a list of them.
  static let requestByteCount = 39
}

extension TopicAttributes {
  /// The origin as well: it is an instance's.
  static let recordOverhead = 200
}

extension TopicEvent {
  static let recordOverhead = 160
}

extension TopicEnd {
  static let recordOverhead = 32
}

extension DiscardReported {
  static let recordByteCount = 96
}

extension StoredSession {
  /// The bytes it takes at most where it is told whole, with its activity.
  package var toldByteCountAtMost: Int {
    attributes.recordByteCountAtMost + (activity?.byteCount ?? 0)
  }
}

extension String {
  /// Its bytes as JSON has them, without the quotation marks.
  fileprivate var byteCountInJSON: Int {
    utf8.reduce(0) { count, byte in
      switch byte {
      case ..<0x20, 0x7F: count + 6
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): count + 2
      default: count + 1
      }
    }
  }
}
