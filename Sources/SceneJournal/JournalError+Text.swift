import ScenePlatform

// Messages for users: the problem, its place and the remedy.

extension JournalError: CustomStringConvertible {
  /// The problem, without the directory.
  package var description: String { explanation(inside: "") }

  /// The problem of the journal in a directory, and its place.
  package func explanation(in directory: String) -> String {
    explanation(inside: directory.withoutTrailingSlashes + "/")
  }

  private func explanation(inside prefix: String) -> String {
    switch self {
    case .storage(let error): error.description(inside: prefix)
    case .noRoom(let room): room.description
    case .damaged(let damage): "\(prefix)\(damage)"
    case .gone(let witness):
      "every file of the journal is missing: \(prefix)\(witness) records an earlier journal"
    case .foreign(let file):
      "\(prefix)\(file) is not a journal file, or its first bytes are damaged; the file was not "
        + "changed"
    case .newerFormat(let file, let version):
      "\(prefix)\(file) has format \(version), and this version reads only format "
        + "\(JournalFormat.version); the file was not changed"
    }
  }

  /// The explanation and the remedy. A command to copy has its own line. `way` names the option
  /// that sets the directory.
  package func message(in directory: String, chosenBy way: String = "--state") -> String {
    explanation(in: directory) + advice(in: directory.withoutTrailingSlashes, way)
  }

  private func advice(in directory: String, _ way: String) -> String {
    let salvage =
      "scenectl journal salvage \(directory.shellPath) "
      + "--into \("\(directory)-salvaged".shellPath)"
    return switch self {
    case .storage(let error) where error.call == .keepLock:
      "; if you moved the directory, move it back; then start scened again, and leave that file in "
        + "place while it runs"
    case .storage(let error) where error.call == .syncData && error.reason == .notFound:
      "; if you have the file, move it back; then start scened again, and leave the files in place "
        + "while it runs"
    case .storage(let error) where error.reason == .denied:
      "; make this user the owner of the files, or choose another directory with \(way)"
    case .storage(let error) where error.reason == .notAFile:
      "\nRestore the file. Without a copy, save the readable part with: \(salvage)"
    case .storage(let error) where error.reason == .code(ErrorCode.tooManyFiles.rawValue): ""
    case .storage: "; check the disk, then start scened again"
    case .noRoom: "; free disk space, or choose another directory with \(way)"
    case .damaged(let damage):
      "\nThe journal was not changed. "
        + (damage.nextLog.map { "If \($0) is missing, move it back. Otherwise save" } ?? "Save")
        + " the readable part with: \(salvage)"
    case .gone(let witness):
      "\nRestore the files of the journal. To start without them: rm \("\(directory)/\(witness)".shellPath)"
    case .foreign:
      "\nIf another program owns the file, move it away. Otherwise save the readable part with: "
        + salvage
    case .newerFormat: "\nUse the version that wrote the file, or a newer version"
    }
  }
}

extension SpaceShortage: CustomStringConvertible {
  /// For example "the disk is full: the journal in /x needs 16 MiB, and 3 MiB are free (No space
  /// left on device)". Quotas and file size limits have other texts.
  package var description: String {
    let what = freeByteCount ?? 0 < neededByteCount ? "the disk is full" : "no room"
    let free = freeByteCount.map { ", and \(byteText(max(0, $0))) are free" } ?? ""
    return "\(what): the journal in \(place) needs \(byteText(neededByteCount))\(free) (\(reason))"
  }
}

extension JournalDamage: CustomStringConvertible {
  /// The log whose absence can be the cause: without it, the log before it does not end.
  fileprivate var nextLog: String? {
    guard case .tooShort = cause, case .log(let number) = JournalFileName(file) else { return nil }
    return JournalFileName.log(number + 1).text
  }

  package var description: String {
    if case .missingFile = cause { return "\(file) \(cause)" }
    return "\(file) is damaged at offset \(offset): \(cause)"
  }
}

extension JournalDamage.Cause: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missingFile(let other):
      "is missing; \(other) needs it, or a checkpoint that contains it"
    case .tooShort(let byteCount, let expected):
      "the file has \(byteCount) bytes instead of \(expected)"
    case .header:
      "the header does not match its checksum"
    case .number(let number):
      "the header belongs to file number \(number)"
    case .batchBeforeValid(let offset):
      "the data does not match its checksum, and a valid batch follows at offset \(offset)"
    case .batchBeforeEnd(let end):
      "the data does not match its checksum, although everything before offset \(end) was synced"
    case .sequence(let expected, let found):
      "found batch \(found) instead of batch \(expected); the file may be an old copy"
    case .doesNotContinue(let file):
      "the file does not continue \(file); one of the two is an old copy or part of another journal"
    case .recordLayout:
      "the records do not fill their batch"
    case .trailer:
      "the trailer does not match the data before it"
    case .content(let reason):
      reason
    }
  }
}

extension StorageFailure: CustomStringConvertible {
  /// For example "cannot write log-3: Input/output error".
  package var description: String { "cannot \(call.rawValue) \(file): \(message)" }

  /// The description with a path prefix. Errors of the directory or of a lock already contain the
  /// path.
  fileprivate func description(inside prefix: String) -> String {
    var error = self
    if ![.list, .syncDirectory, .keepLock].contains(call) { error.file = prefix + file }
    return error.description
  }
}

/// A number of bytes for messages, in the largest fitting unit.
package func byteText(_ count: Int) -> String {
  let unit = byteUnit(of: count)
  return "\(number(count, in: unit)) \(byteUnits[unit])"
}

/// A part of a number of bytes, for example "0.2 of 1.5 GiB".
package func byteText(_ part: Int, of count: Int) -> String {
  let unit = byteUnit(of: count)
  return "\(number(part, in: unit)) of \(number(count, in: unit)) \(byteUnits[unit])"
}

private let byteUnits = ["bytes", "KiB", "MiB", "GiB", "TiB"]

private func byteUnit(of count: Int) -> Int {
  byteUnits.indices.last { count >> (10 * $0) > 0 } ?? 0
}

/// The number in a unit, with one decimal below 100 unless the decimal is 0.
private func number(_ count: Int, in unit: Int) -> String {
  let tenths = unit == 0 ? count * 10 : (count >> (10 * (unit - 1))) * 10 / 1024
  return tenths % 10 == 0 || tenths >= 1000 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
}
