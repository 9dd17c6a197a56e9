/// Where something stands in a script.
package struct ScriptPlace: Hashable, Sendable, CustomStringConvertible {
  package var file: String
  /// From 1.
  package var line: Int
  /// In Unicode scalars, from 1.
  package var column: Int

  package init(_ file: String, line: Int, column: Int = 1) {
    self.file = file
    self.line = line
    self.column = column
  }

  package var description: String { "\(file):\(line):\(column)" }
}

/// Something that a script cannot mean; found before anything of it is done.
package struct ScriptFlaw: Error, Equatable, Sendable, CustomStringConvertible {
  package var place: ScriptPlace
  package var message: String

  package init(_ place: ScriptPlace, _ message: String) {
    self.place = place
    self.message = message
  }

  package var description: String { "\(place): \(message)" }
}

/// All that is wrong with a script, in the order of its lines.
package struct ScriptFlaws: Error, Equatable, Sendable, CustomStringConvertible {
  package var flaws: [ScriptFlaw]

  package init(_ flaws: [ScriptFlaw]) { self.flaws = flaws }

  package var description: String { flaws.map(\.description).joined(separator: "\n") }
}
