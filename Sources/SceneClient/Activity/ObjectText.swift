import SceneJSON

/// The text of a JSON object. Single members can be read and changed; all others keep their bytes.
struct ObjectText: Sendable {
  private(set) var json: RawJSON

  static let empty = ObjectText(.emptyObject)

  /// For bytes that are a valid object.
  init(_ json: RawJSON) { self.json = json }

  subscript(name: String) -> RawJSON? {
    get { read { $0.member(named: name)?.raw } }
    set { set(name, to: newValue) }
  }

  /// The value of a string member; nil if there is none.
  func string(_ name: String) -> String? {
    read { $0.member(named: name)?.string }
  }

  /// The member `userInfo`; nil if it is empty.
  var userInfo: UserInfo? {
    self["userInfo"].map(UserInfo.init(unchecked:)).flatMap { $0.isEmpty ? nil : $0 }
  }

  var isEmpty: Bool { json == .emptyObject || names.isEmpty }

  private var names: [String] {
    read { object in object.members.compactMap { $0.name.string } }
  }

  private func read<Result>(_ body: (JSONValue) -> Result) -> Result {
    let document = JSONDocument()
    // A value that cannot be read counts as null, without members.
    try? document.read(json.bytes.span)
    return body(document.root)
  }

  private mutating func set(_ name: String, to value: RawJSON?) {
    json = read { object in
      JSONWriter.object { writer in
        var value = value
        for member in object.members {
          let isSought = member.name.equals(name)
          guard !isSought || value != nil else { continue }
          writer.name(member.name)
          if isSought, let new = value {
            writer.raw(new)
            value = nil
          } else {
            writer.raw(member.value)
          }
        }
        if let value { writer.member(name, value) }
      }
    }
  }
}

extension ObjectText: Hashable {
  /// Whether the members have equal values, in any order.
  static func == (one: Self, other: Self) -> Bool {
    one.json == other.json || one.read { own in other.read { own.isSameValue(as: $0) } }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(Set(names)) }
}

extension RawJSON {
  /// A string with quotes.
  init(string: String) {
    var writer = JSONWriter()
    writer.string(string)
    self.init(unchecked: writer.bytes)
  }
}
