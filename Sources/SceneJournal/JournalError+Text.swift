import ScenePlatform

// What a person is told: what happened, where, and what to do.

extension JournalError: CustomStringConvertible {
  /// What happened, for those who know the directory.
  package var description: String { explanation(inside: "") }

  /// What happened to the journal in the directory of that path, and where.
  package func explanation(in directory: String) -> String {
    explanation(inside: directory.withoutTrailingSlashes + "/")
  }

  private func explanation(inside prefix: String) -> String {
    switch self {
    case .storage(let error): error.description(inside: prefix)
    case .noRoom(let room): "no room for the journal: \(room)"
    case .damaged(let damage): "\(prefix)\(damage)"
    case .gone(let witness):
      "every file of the journal is missing: \(prefix)\(witness) tells that there was one"
    case .foreign(let file):
      "\(prefix)\(file) is not a journal file of this program, or its first bytes are destroyed; "
        + "it was left untouched"
    case .newerFormat(let file, let version):
      "\(prefix)\(file) has format \(version), and this program knows only "
        + "\(JournalFormat.version); it was left untouched"
    case .cannotWait(let reason): "the journal's thread cannot wait for records: \(reason)"
    }
  }

  /// The explanation, and what can be done about it. A command to copy has a line of its own.
  /// `way` names what says where the directory is.
  package func message(in directory: String, chosenBy way: String = "--state") -> String {
    explanation(in: directory) + advice(in: directory.withoutTrailingSlashes, way)
  }

  private func advice(in directory: String, _ way: String) -> String {
    let salvage =
      "scenectl journal salvage \(directory.shellPath) "
      + "--into \("\(directory)-salvaged".shellPath)"
    return switch self {
    case .storage(let error) where error.call == .keepLock:
      "; leave that file in place while scened runs, then start again"
    case .storage(let error) where error.reason == .denied:
      "; make the files this user's again, or choose another directory with \(way)"
    case .storage(let error) where error.reason == .notAFile:
      "\nPut the file back in its place. If there is none, keep what can be read with: \(salvage)"
    case .storage: "; see to the disk, then start again"
    case .noRoom: "; make room there, or choose another directory with \(way)"
    case .damaged: "\nNothing was changed. Keep what can be read with: \(salvage)"
    case .gone(let witness):
      "\nPut its files back. To begin without them: rm \("\(directory)/\(witness)".shellPath)"
    case .foreign:
      "\nIf it is somebody else's, move it away; if not, keep what can be read with: \(salvage)"
    case .newerFormat: "\nUse the version of this program that wrote it, or a newer one"
    case .cannotWait: "; start again"
    }
  }
}

extension MissingRoom: CustomStringConvertible {
  /// For example "a log of 16 MiB does not fit into /x, where 3 MiB are free (No space left on device)".
  package var description: String {
    let free = freeByteCount.map { ", where \(byteText(max(0, $0))) are free" } ?? ""
    return "a log of \(byteText(neededByteCount)) does not fit into \(place)\(free) (\(reason))"
  }
}

extension JournalDamage: CustomStringConvertible {
  package var description: String {
    if case .missingFile = cause { return "\(file) \(cause)" }
    return "\(file) is damaged at offset \(offset): \(cause)"
  }
}

extension JournalDamage.Cause: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missingFile(let other):
      "is missing; \(other) needs it, or a base that contains it"
    case .tooShort(let byteCount, let expected):
      "it ends after \(byteCount) bytes of \(expected)"
    case .header:
      "its header does not match its checksum"
    case .number(let number):
      "its header is that of the file with the number \(number)"
    case .batchBeforeValid(let offset):
      "what was written there does not match its checksum, and it is no write that was cut short: "
        + "a valid one follows at offset \(offset)"
    case .batchBeforeEnd(let end):
      "what was written there does not match its checksum, though all before offset \(end) was "
        + "safely on the disk"
    case .sequence(let expected, let found):
      "batch \(found) is where batch \(expected) belongs, as if an old copy had taken its place"
    case .doesNotContinue(let file):
      "it does not continue \(file): one of them is an old copy, or another journal's"
    case .recordLayout:
      "the records there do not fill what was written around them"
    case .trailer:
      "its last bytes do not say what was read before them"
    case .content(let error):
      error.reason
    }
  }
}

extension StorageError: CustomStringConvertible {
  /// For example "cannot write log-3: Input/output error".
  package var description: String { "cannot \(call.rawValue) \(file): \(message)" }

  /// The same with the whole path; what is about the directory or a lock has it already.
  fileprivate func description(inside prefix: String) -> String {
    var error = self
    if ![.list, .syncDirectory, .keepLock].contains(call) { error.file = prefix + file }
    return error.description
  }
}

/// A number of bytes as people say it: in whole MiB where it is that long.
package func byteText(_ count: Int) -> String {
  let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
  var value = count
  var tenths = 0
  var unit = 0
  while value >= 1024, unit < units.count - 1 {
    tenths = value % 1024 * 10 / 1024
    value /= 1024
    unit += 1
  }
  return tenths == 0 || value >= 100
    ? "\(value) \(units[unit])" : "\(value).\(tenths) \(units[unit])"
}
