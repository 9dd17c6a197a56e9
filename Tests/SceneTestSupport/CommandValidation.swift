package import SceneCommandLine

extension Command {
  /// Mistakes in the declaration.
  ///
  /// Every example that starts with the program's name must be a command line that parses.
  package func flaws() -> [String] {
    var flaws = flaws(below: [])
    for example in allExamples {
      guard let words = try? ShellWords.split(example) else {
        flaws.append("example cannot be split: \(example)")
        continue
      }
      // Skip examples with operators of the shell.
      guard words.first == name, !words.contains(where: { $0.hasSuffix(";") || $0 == "|" }) else {
        continue
      }
      do {
        _ = try parse(Array(words.dropFirst()))
      } catch {
        flaws.append("example does not parse: \(example): \(error.message)")
      }
    }
    return flaws
  }

  private var allExamples: [String] {
    examples.map { $0.key } + verbs.flatMap { $0.allExamples }
  }

  private func flaws(below parents: [Command]) -> [String] {
    let chain = parents + [self]
    let path = chain.map { $0.name }.joined(separator: " ")
    var flaws: [String] = []
    let options = chain.flatMap { $0.options }
    for name in repetitions(options.map { $0.name }) {
      flaws.append("\(path): the option --\(name) is defined twice")
    }
    for letter in repetitions(options.compactMap { $0.short.map { String($0) } }) {
      flaws.append("\(path): the option -\(letter) is defined twice")
    }
    for name in repetitions(verbs.map { $0.name }) {
      flaws.append("\(path): the verb \(name) is defined twice")
    }
    for option in options {
      if let value = option.defaultValue, let complaint = option.kind.complaint(about: value) {
        flaws.append("\(path): the default of --\(option.name): \(complaint)")
      }
    }
    for name in exclusive.joined() where !options.contains(where: { $0.name == name }) {
      flaws.append("\(path): the excluded option --\(name) is not defined")
    }
    if let defaultVerb, verb(defaultVerb) == nil {
      flaws.append("\(path): the default verb \(defaultVerb) is not defined")
    }
    if !groups.isEmpty, !arguments.isEmpty || trailing != nil {
      flaws.append("\(path): a command with verbs cannot take arguments")
    }
    if arguments.dropLast().contains(where: { $0.takesSeveral }) {
      flaws.append("\(path): only the last argument can be repeated")
    }
    if zip(arguments, arguments.dropFirst()).contains(where: { !$0.isRequired && $1.isRequired }) {
      flaws.append("\(path): a required argument follows an optional one")
    }
    return flaws + verbs.flatMap { $0.flaws(below: chain) }
  }
}

private func repetitions(_ names: [String]) -> [String] {
  var seen: Set<String> = []
  return names.filter { !seen.insert($0).inserted }
}
