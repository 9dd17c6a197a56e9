import CommandLine
import SceneModel

/// Reads a manifest from its values, and gathers everything that is wrong with it.
struct ManifestReader {
  let dialect: ManifestDialect
  let variables: ManifestVariables
  private(set) var flaws: [ManifestFlaw] = []

  init(_ dialect: ManifestDialect, _ variables: ManifestVariables) {
    self.dialect = dialect
    self.variables = variables
  }

  mutating func note(_ flaw: ManifestFlaw) { flaws.append(flaw) }

  // MARK: - The whole

  /// What could be read; it counts only if there are no flaws.
  mutating func manifest(_ place: ManifestPlace) -> Manifest {
    var manifest = Manifest(roles: [])
    var hasConfigurations = false
    each(place, ManifestKey.ofManifest) { reader, key, place in
      switch key {
      case .supportsMultipleScenes:
        manifest.supportsMultipleScenes = reader.bool(place) ?? false
      case .configurations:
        hasConfigurations = true
        manifest.roles = reader.roles(place)
      case .policies: manifest.policies = reader.policies(place)
      case .budgets: manifest.budgets = reader.budgets(place)
      case .topics: manifest.topics = reader.topics(place)
      case .applicationDelegate:
        manifest.applicationDelegate = reader.choice(place) ?? .builtIn
      default: manifest.isClassic = reader.bool(place) ?? false
      }
    }
    if manifest.isClassic, manifest.supportsMultipleScenes {
      let problem =
        "before scenes an application had one window; say this or supportsMultipleScenes"
      note(ManifestFlaw(place.path(to: ManifestKey.classic.short), problem))
    }
    // Who says nothing of configurations has something else to say. In a property list it means
    // that the application's code has them, as in UIKit.
    if !hasConfigurations, dialect == .short { manifest.roles = [.standard] }
    return manifest
  }

  /// What stands beside a scene manifest, and would mean something only in it.
  mutating func noteStrays(beside place: ManifestPlace) {
    let names = ManifestKey.ofManifest.map(\.inPropertyList)
    for (name, place) in place.members ?? [] where names.contains(name) {
      note(place.flaw("means something only inside \(ManifestKey.sceneManifest); move it there"))
    }
  }

  // MARK: - What objects are made of

  /// Reads each member that is known, and notes the others.
  mutating func each(
    _ place: ManifestPlace, _ keys: [ManifestKey],
    _ read: (inout ManifestReader, ManifestKey, ManifestPlace) -> Void
  ) {
    eachNamed(place) { reader, name, place in
      let dialect = reader.dialect
      if let key = keys.first(where: { dialect.name($0) == name }) {
        read(&reader, key, place)
      } else {
        let names = keys.map(dialect.name)
        let suggestion = suggestion(for: name, among: names)
        guard !dialect.allowsUnknownMembers || !suggestion.isEmpty else { return }
        reader.note(
          place.flaw(
            "means nothing here\(suggestion); there are " + names.joined(separator: ", ")))
      }
    }
  }

  /// Reads each member of an object whose names are the manifest's own.
  mutating func eachNamed(
    _ place: ManifestPlace,
    _ read: (inout ManifestReader, String, ManifestPlace) -> Void
  ) {
    guard let members = place.members else { return note(place.expected("an object")) }
    var seen: Set<String> = []
    for (name, place) in members {
      if seen.insert(name).inserted {
        read(&self, name, place)
      } else {
        note(place.flaw("stands here twice"))
      }
    }
  }

  // MARK: - Values

  mutating func bool(_ place: ManifestPlace) -> Bool? {
    if case .bool(let value) = place.node { return value }
    note(place.expected("true or false"))
    return nil
  }

  /// A text with its variables resolved, which is not empty and not too long.
  mutating func text(
    _ place: ManifestPlace, limit: Int = SceneConfiguration.textByteLimit
  ) -> String? {
    guard case .string(let raw) = place.node else {
      note(place.expected("a string"))
      return nil
    }
    do throws(ManifestFlaw) {
      let text = try variables.resolve(raw)
      if text.isEmpty { throw place.flaw("must not be empty") }
      if text.utf8.contains(0) { throw place.flaw("must not contain a zero byte") }
      if text.utf8.count > limit {
        throw place.flaw("has \(text.utf8.count) bytes, and may have \(limit)")
      }
      return text
    } catch {
      note(place.flaw(error.problem))
      return nil
    }
  }

  mutating func texts(_ place: ManifestPlace, limit: Int) -> [String]? {
    guard let elements = place.elements else {
      note(place.expected("an array of strings"))
      return nil
    }
    return elements.compactMap { text($0, limit: limit) }
  }

  mutating func integer(_ place: ManifestPlace, in range: ClosedRange<Int64>) -> Int? {
    let what = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard case .integer(let number) = place.node else {
      note(place.expected(what))
      return nil
    }
    guard range.contains(number) else {
      note(place.flaw("expected \(what), found \(number)"))
      return nil
    }
    return Int(number)
  }

  /// A time in seconds, at least a millisecond.
  mutating func seconds(_ place: ManifestPlace) -> Interval? {
    let seconds: Double
    switch place.node {
    case .integer(let number): seconds = Double(number)
    case .number(let number): seconds = number
    default:
      note(place.expected("a number of seconds"))
      return nil
    }
    guard let time = Interval(seconds: seconds), time >= .milliseconds(1) else {
      note(
        place.flaw(
          "expected seconds, from 0.001 to \(Int(Interval.year.seconds)); found \(seconds)"))
      return nil
    }
    return time
  }

  /// One of a set of words.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ place: ManifestPlace, or other: String? = nil
  ) -> Choice? {
    guard let text = text(place) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let words = Choice.allCases.map(\.rawValue)
    let expected = words.joined(separator: ", ") + (other.map { ", and not \($0)" } ?? "")
    note(
      place.flaw(
        "\"\(text)\" is none of \(expected)"
          + suggestion(for: text, among: words)))
    return nil
  }
}
