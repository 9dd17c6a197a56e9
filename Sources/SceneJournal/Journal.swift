/// A journal as a whole, for those who do not write it.
package enum Journal {
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
    var reading = try JournalReading(files, in: storage, windowByteCount: options.stepByteCount)
    while try reading.step(&visitor, upTo: options.stepByteCount) {}
    if let flaw { throw flaw }
    return reading.report
  }
}
