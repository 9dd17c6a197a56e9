/// A checkpoint or a log.
package struct JournalFile: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// The state through the log `lastLog`, up to its seal.
    case checkpoint(lastLog: UInt64)
    /// The batches of a log; `sealedEnd` is nil for the last log.
    case log(durability: Durability, sealedEnd: Int?)
  }

  package var name: String
  package var number: UInt64
  package var byteCount: Int
  package var kind: Kind
}
