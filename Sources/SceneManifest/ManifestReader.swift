import SceneCommandLine
import SceneModel

/// Reads a manifest from its values, and collects all diagnostics.
struct ManifestReader {
  /// Whether the members have UIKit's names. A property list has many members for other readers, so
  /// the reader ignores unknown members.
  let isPropertyList: Bool
  let variables: ManifestVariables
  private(set) var flaws: [ManifestDiagnostic] = []
  /// Warnings about the parts that the reader changed or left out to use the rest.
  private(set) var warnings: [ManifestDiagnostic] = []
  /// The bytes of all texts. Values of variables can need much more memory than the file.
  private(set) var textByteCount = 0

  func name(of key: ManifestKey) -> String { isPropertyList ? key.inPropertyList : key.rawValue }

  /// Keeps a diagnostic; the one about the length of all texts once. A property list is for other
  /// readers too, so a value that UIKit defines is never an error of the list.
  mutating func note(_ error: any Error) {
    guard let flaw = error as? ManifestDiagnostic else { return }
    if isPropertyList, flaw.isAboutUIKit {
      return warn(flaw.with("; the broker ignores this value"))
    }
    if flaw != .tooLong || !flaws.contains(flaw) { flaws.append(flaw) }
  }

  /// The result of `read`; nil if it throws a diagnostic, which is kept.
  mutating func noting<Value>(_ read: (inout ManifestReader) throws -> Value) -> Value? {
    do { return try read(&self) } catch { note(error) }
    return nil
  }

  mutating func warn(_ flaw: ManifestDiagnostic) { warnings.append(flaw) }

  // MARK: - The whole

  /// The manifest; valid only without diagnostics.
  mutating func manifest(_ place: ManifestLocation) -> Manifest {
    var manifest = Manifest(roles: [])
    var hasConfigurations = false
    var members: [ManifestMember] = [
      (.supportsMultipleScenes, { manifest.supportsMultipleScenes = try $0.bool($1) }),
      (.preferredDefaultRole, { manifest.defaultRole = Role(rawValue: try $0.text($1)) }),
      (
        .configurations,
        {
          hasConfigurations = true
          manifest.roles = $0.roles($1)
        }
      ),
      (.policies, { manifest.policies = $0.policies($1) }),
      (.budgets, { manifest.budgets = $0.budgets($1) }),
      (.topics, { manifest.topics = $0.topics($1) }),
      (.applicationDelegate, { manifest.applicationDelegate = try $0.choice($1) }),
      (.classic, { manifest.isClassic = try $0.bool($1) }),
      (.updateEnvironment, { manifest.updateEnvironment = try $0.exactVariables($1) }),
    ]
    if !isPropertyList {
      members.append((.bundleName, { manifest.bundleName = try $0.text($1) }))
      members.append((.bundleVersion, { manifest.bundleVersion = try $0.text($1) }))
    }
    each(place, members)
    if manifest.isClassic, manifest.supportsMultipleScenes {
      let problem =
        "a classic application has one window; remove this or supportsMultipleScenes"
      let classic = ManifestKey.classic.rawValue
      let offset = place.node.member(classic)?.offset
      note(ManifestDiagnostic(place.path(to: classic), problem, at: offset))
    }
    // A SwiftUI project's property list has no configurations, or an empty object.
    if !hasConfigurations || isPropertyList && manifest.roles.isEmpty {
      manifest.roles = [.standard]
    }
    return manifest
  }

  /// Warns about members that are valid only inside the scene manifest.
  mutating func noteStrays(beside place: ManifestLocation) {
    let names = ManifestKey.ofManifest.map(\.inPropertyList)
    for (name, place) in place.members ?? [] where names.contains(name) {
      note(place.flaw("is allowed only inside \(ManifestKey.sceneManifest); move it there"))
    }
  }

  // MARK: - Objects

  /// A member with a known name, and the code that reads its value.
  typealias ManifestMember = (
    key: ManifestKey, read: (inout ManifestReader, ManifestLocation) throws -> Void
  )

  /// Reads each known member, and reports the others.
  mutating func each(_ place: ManifestLocation, _ members: [ManifestMember]) {
    eachNamed(place) { reader, name, place in
      let names = members.map { reader.name(of: $0.key) }
      if let index = names.firstIndex(of: name) {
        try members[index].read(&reader, place)
      } else {
        let suggestion = suggestion(for: name, among: names)
        guard !reader.isPropertyList || !suggestion.isEmpty else { return }
        throw place.flaw(
          "unknown key; expected one of \(names.joined(separator: ", "))\(suggestion)")
      }
    }
  }

  /// Reads each member of an object whose names the manifest chooses.
  mutating func eachNamed(
    _ place: ManifestLocation,
    _ read: (inout ManifestReader, String, ManifestLocation) throws -> Void
  ) {
    guard let members = place.members else { return note(place.expected("an object")) }
    var seen: Set<String> = []
    for (name, place) in members {
      if seen.insert(name).inserted {
        _ = noting { try read(&$0, name, place) }
      } else {
        note(place.flaw("duplicate key"))
      }
    }
  }

  // MARK: - Values

  func bool(_ place: ManifestLocation) throws -> Bool {
    switch place.node.value {
    case .bool(let value): return value
    case .string("YES") where isPropertyList: return true
    case .string("NO") where isPropertyList: return false
    default: throw place.expected("true or false")
    }
  }

  /// A text with resolved variables, which is not empty and not too long. Only a property list has
  /// variables in braces.
  mutating func text(
    _ place: ManifestLocation, limit: Int = SceneConfiguration.textByteLimit,
    readsBraces: Bool = true
  ) throws -> String {
    if textByteCount > ManifestFile.printedByteLimit { throw ManifestDiagnostic.tooLong }
    let text = try resolved(place, limit: limit, readsBraces: readsBraces)
    textByteCount += text.utf8.count
    if textByteCount > ManifestFile.printedByteLimit { throw ManifestDiagnostic.tooLong }
    return text
  }

  private func resolved(
    _ place: ManifestLocation, limit: Int = SceneConfiguration.textByteLimit,
    readsBraces: Bool = true
  ) throws(ManifestDiagnostic) -> String {
    guard case .string(let raw) = place.node.value else { throw place.expected("a string") }
    let text: String
    do throws(ManifestDiagnostic) {
      text = try variables.resolve(raw, readsBraces: readsBraces && isPropertyList)
    } catch {
      throw place.flaw(error.problem)
    }
    if text.isEmpty { throw place.flaw("must not be empty") }
    if text.utf8.contains(0) { throw place.flaw("must not contain a zero byte") }
    if text.utf8.count > limit {
      throw place.flaw("has \(text.utf8.count) bytes; the limit is \(limit)")
    }
    return text
  }

  /// A text that a property list also has for other readers. Ignores an unusable text with a
  /// warning.
  mutating func optionalText(_ whole: ManifestLocation, _ key: ManifestKey) -> String? {
    let name = key.inPropertyList
    guard let node = whole.node.member(name), !variables.isXcodeSetting(node) else { return nil }
    let place = ManifestLocation(node: node, path: whole.path(to: name))
    do throws(ManifestDiagnostic) {
      return try resolved(place)
    } catch {
      warn(error.with("; the broker ignores this value"))
      return nil
    }
  }

  func integer(_ place: ManifestLocation, in range: ClosedRange<Int64>) throws -> Int {
    let what = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard case .integer(let number) = place.node.value else { throw place.expected(what) }
    guard range.contains(number) else { throw place.flaw("expected \(what), found \(number)") }
    return Int(number)
  }

  /// A time in seconds, ≥ 1 ms, or also 0.
  func seconds(_ place: ManifestLocation, orZero: Bool = false) throws -> Interval {
    let seconds: Double
    switch place.node.value {
    case .integer(let number): seconds = Double(number)
    case .number(let number): seconds = number
    default: throw place.expected("a number of seconds")
    }
    guard let time = Interval(seconds: seconds),
      time >= .milliseconds(1) || orZero && seconds == 0
    else {
      let range = "from 0.001 to \(Int(Interval.year.seconds))"
      throw place.flaw(
        "expected \(orZero ? "0 or " : "")seconds, \(range); found \(seconds)")
    }
    return time
  }

  /// One of a set of words.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ place: ManifestLocation, or other: String? = nil
  ) throws -> Choice {
    let text = try text(place)
    if let choice = Choice(rawValue: text) { return choice }
    throw place.flaw(complaint(text, isNoneOf: Choice.self, or: other))
  }

  func complaint<Choice: RawRepresentable<String> & CaseIterable>(
    _ text: String, isNoneOf choice: Choice.Type, or other: String? = nil,
    consequence: String = ""
  ) -> String {
    let words = Choice.allCases.map(\.rawValue)
    let expected = words.joined(separator: ", ") + (other.map { " or \($0)" } ?? "")
    return "unknown value \"\(text)\"; expected one of \(expected)" + consequence
      + suggestion(for: text, among: words)
  }
}
