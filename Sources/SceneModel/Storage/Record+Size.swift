/// The size of a record, before it is in the journal.
extension Record {
  /// The most bytes of the record in the journal: members have their greatest length, texts their
  /// exact one.
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
  /// The names of the members, and the numbers.
  fileprivate static let recordOverhead = 527

  fileprivate var recordByteCountAtMost: Int {
    let texts =
      [
        name, title, subtitle, snapshot, maker, role.rawValue, configuration.name,
        configuration.delegateClass, configuration.sceneClass, configuration.storyboard,
      ]
      + activationConditions.texts
    let objects =
      userInfo.byteCount + (program?.jsonByteCount ?? 0) + (placement?.byteCount ?? 0)
    return texts.reduce(Self.recordOverhead + objects) { count, text in
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
  /// The sender's name is clipped. Each byte of it can need six.
  static let recordByteCount = 360
}

extension Discard {
  static let recordByteCount = 64
  /// The size of a discard with a report.
  static let reportedByteCount = 128
  /// The most discards of one request.
  package static let mostOfOneRequest = 4096
  /// The most older reports that one discard can drop.
  package static let mostDropsOfOne = 2
  /// The size of an identifier in a list.
  static let requestByteCount = 39
}

extension TopicAttributes {
  /// Includes the origin, which has the length of an instance.
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
  /// The most bytes of the session in a message, with its activity.
  package var reportByteCountAtMost: Int {
    attributes.recordByteCountAtMost + (activity?.byteCount ?? 0)
  }
}

extension String {
  /// The bytes of the text in JSON, without the quotation marks.
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
