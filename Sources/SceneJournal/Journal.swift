/// Operations on a whole journal without a writer.
package enum Journal {
  /// Whether these file names belong to a journal, or to the rest of one.
  package static func hasFiles(among names: [String]) -> Bool {
    names.contains { JournalFileName($0) != nil }
  }

  /// Throws if a newer version wrote a file of the journal. A broker may run on the directory, so a
  /// file can be incomplete or removed.
  package static func checkFormat(_ storage: any Storage) throws(JournalError) {
    do throws(JournalError) {
      _ = try JournalFiles(in: storage)
    } catch {
      if case .newerFormat = error { throw error }
    }
  }

  /// Reads a whole journal, and passes it to `visitor` in order. Never writes.
  ///
  /// Before an error, the visitor has received everything before the damage. No broker may run on
  /// the directory, because it changes the logs.
  package static func read(
    _ storage: any Storage, visitor: inout some JournalVisitor,
    options: JournalOptions = JournalOptions()
  ) throws(JournalError) -> JournalReport {
    let source = JournalSource(storage, options)
    var files = JournalFiles()
    var flaw: JournalError?
    do throws(JournalError) { try files.find(in: storage) } catch { flaw = error }
    var reading: JournalReading?
    do throws(JournalError) {
      reading = try JournalReading(files, in: source)
      while try reading?.step(&visitor) == true {}
    } catch {
      // Only the next file states the end of the last found file.
      let last = files.logs.last?.name ?? files.checkpoint?.name
      guard let flaw, reading?.report.files.last == last else { throw error }
      throw flaw
    }
    if let flaw { throw flaw }
    return reading?.report ?? JournalReport()
  }
}
