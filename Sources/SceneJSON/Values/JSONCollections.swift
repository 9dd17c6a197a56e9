/// The elements of an array, in their order.
@usableFromInline
package struct JSONElements: Sequence, IteratorProtocol {
  @usableFromInline let document: DocumentReference
  @usableFromInline var place: Int
  @usableFromInline let end: Int

  @inlinable
  init(of value: JSONValue, _ tag: TapeTag) {
    document = value.document
    let entry = value.entry
    place = value.index + 1
    end = entry.tag == tag ? Int(entry.next) : 0
  }

  @inlinable
  package mutating func next() -> JSONValue? {
    guard place < end else { return nil }
    let value = JSONValue(document, at: place)
    place = Int(value.entry.next)
    return value
  }
}

/// The members of an object, in their order. A name may repeat.
@usableFromInline
package struct JSONMembers: Sequence, IteratorProtocol {
  @usableFromInline var values: JSONElements

  @inlinable
  init(of value: JSONValue) {
    values = JSONElements(of: value, .object)
  }

  @inlinable
  package mutating func next() -> (name: JSONValue, value: JSONValue)? {
    // Names and values alternate on the tape.
    guard let name = values.next(), let value = values.next() else { return nil }
    return (name, value)
  }
}

extension JSONValue {
  /// The elements of an array; empty for another kind.
  @inlinable
  package var elements: JSONElements { JSONElements(of: self, .array) }

  /// The members of an object; empty for another kind.
  @inlinable
  package var members: JSONMembers { JSONMembers(of: self) }

  /// Visits the places of each member's name and value. Places are faster than values. Visits
  /// nothing for another kind.
  @inlinable
  package func forEachMember(_ body: (_ name: Int, _ value: Int) -> Void) {
    let object = entry
    guard object.tag == .object else { return }
    var place = index + 1
    while place < Int(object.next) {
      body(place, place + 1)
      place = Int(document[place + 1].next)
    }
  }

  /// The number of elements or members; 0 for a scalar. Takes linear time.
  package var count: Int {
    switch entry.tag {
    case .array: elements.reduce(0) { count, _ in count + 1 }
    case .object: members.reduce(0) { count, _ in count + 1 }
    case .null, .false, .true, .number, .string: 0
    }
  }

  /// The first member value with this name; nil if there is none, or if the value is no object.
  @inlinable
  package subscript(name: StaticString) -> JSONValue? {
    let place = name.withUTF8Buffer { unsafe document.place(ofMember: $0, in: index) }
    return place.map { JSONValue(document, at: $0) }
  }

  /// The first member value with this name; nil if there is none, or if the value is no object.
  @inlinable
  package func member(named name: String) -> JSONValue? {
    let place = unsafe withUTF8Buffer(of: name) { unsafe document.place(ofMember: $0, in: index) }
    return place.map { JSONValue(document, at: $0) }
  }
}
