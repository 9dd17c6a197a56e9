import SceneJSON

/// The matches between the lines of a block and the callbacks. Each callback is parsed once.
struct TraceMatches {
  /// A number for each name.
  private var names: [String: Int] = [:]
  private(set) var patternNames: [Int] = []
  private(set) var observedNames: [Int] = []
  /// By callback, then by line of the block.
  private let matches: [[Bool]]

  init(_ expected: [TracePattern], _ observed: [ObservedCallback]) {
    matches = observed.map { observed in
      let document = JSONDocument()
      let isRead = (try? document.read(observed.json.bytes.span)) != nil
      return expected.map { isRead && $0.matches(observed.name, document.root) }
    }
    patternNames = expected.map { number(of: $0.name ?? "") }
    observedNames = observed.map { number(of: $0.name) }
  }

  private mutating func number(of name: String) -> Int {
    if let number = names[name] { return number }
    names[name] = names.count
    return names.count - 1
  }

  var nameCount: Int { names.count }

  func matches(_ pattern: Int, _ callback: Int) -> Bool { matches[callback][pattern] }

  func names(_ pattern: Int, _ callback: Int) -> Bool {
    patternNames[pattern] == observedNames[callback]
  }
}
