/// One problem of a manifest.
package struct ManifestDiagnostic: Error, Equatable {
  /// The path of the value, such as `configurations.windowApplication[0].name`; empty for the whole
  /// file.
  package var path: String
  /// The problem and its remedy, as a clause.
  package var problem: String
  /// The offset of the value in a text file.
  var offset: Int?
  /// The line and the column of that byte.
  package internal(set) var place: TextLocation?

  package init(_ path: String, _ problem: String, at offset: Int? = nil) {
    self.path = path
    self.problem = problem
    self.offset = offset
  }

  /// Whether the value is of a member that UIKit defines.
  var isAboutUIKit: Bool {
    let member = path.split(separator: ".").last ?? ""
    return member.hasPrefix("UI") || member.hasPrefix("CF")
  }

  /// The same diagnostic with a consequence.
  func with(_ consequence: String) -> ManifestDiagnostic {
    var flaw = self
    flaw.problem += consequence
    return flaw
  }

  /// The printed manifest is too long for a message.
  static let tooLong = ManifestDiagnostic(
    "",
    "the manifest has more than \(ManifestFile.printedByteLimit) bytes with all defaults and the "
      + "values of variables; shorten the values, or divide the application")

  /// The same diagnostic with its line and column.
  func located(in text: ContiguousArray<UInt8>) -> ManifestDiagnostic {
    var flaw = self
    flaw.place = offset.map { TextLocation(of: $0, in: text) }
    return flaw
  }

  /// The known parts of line, column, path and problem.
  package var line: String {
    ([place?.description, path.isEmpty ? nil : path].compactMap(\.self) + [problem])
      .joined(separator: ": ")
  }
}
