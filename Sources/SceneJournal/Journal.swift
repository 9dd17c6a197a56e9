/// A journal as a whole, for those who do not write it.
package enum Journal {
  /// Whether a directory with these names in it has a journal, or what is left of one.
  package static func hasFiles(among names: [String]) -> Bool {
    names.contains { JournalFileName($0) != nil }
  }

  /// Shows all of a journal to `visitor`, in the order it is read, and never writes.
  ///
  /// What was shown before an error is thrown is what was read until then: all that lies before the
  /// damage. No broker may be running on the directory: its logs change under the reader.
  package static func read(
    _ storage: any Storage, visitor: inout some JournalVisitor,
    options: JournalOptions = JournalOptions()
  ) throws(JournalError) -> JournalReport {
    var files = JournalFiles()
    var flaw: JournalError?
    do throws(JournalError) { try files.find(in: storage) } catch { flaw = error }
    var reading: JournalReading?
    do throws(JournalError) {
      reading = try JournalReading(files, in: storage, windowByteCount: options.stepByteCount)
      while try reading?.step(&visitor, upTo: options.stepByteCount) == true {}
    } catch {
      // Where the last file that was found ends, only the one behind it could have told.
      let last = files.logs.last?.name ?? files.base?.name
      guard let flaw, reading?.report.files.last == last else { throw error }
      throw flaw
    }
    if let flaw { throw flaw }
    return reading?.report ?? JournalReport()
  }
}
