/// The elements of an array, in their order.
@usableFromInline
package struct JSONElements: Sequence {
  @usableFromInline let document: DocumentReference
  @usableFromInline let places: Range<Int>

  @inlinable
  init(of value: JSONValue, _ tag: TapeTag) {
    document = value.document
    let entry = value.entry
    places = entry.tag == tag ? value.index + 1..<Int(entry.next) : 0..<0
  }

  @inlinable
  package func makeIterator() -> Iterator { Iterator(document, places) }

  @usableFromInline
  package struct Iterator: IteratorProtocol {
    @usableFromInline let document: DocumentReference
    @usableFromInline var place: Int
    @usableFromInline let end: Int

    @inlinable
    init(_ document: DocumentReference, _ places: Range<Int>) {
      self.document = document
      place = places.lowerBound
      end = places.upperBound
    }

    @inlinable
    package mutating func next() -> JSONValue? {
      guard place < end else { return nil }
      let value = JSONValue(document, at: place)
      place = Int(value.entry.next)
      return value
    }
  }
}

/// The members of an object, in their order. A name may repeat.
@usableFromInline
package struct JSONMembers: Sequence {
  @usableFromInline let values: JSONElements

  @inlinable
  init(of value: JSONValue) {
    values = JSONElements(of: value, .object)
  }

  @inlinable
  package func makeIterator() -> Iterator { Iterator(values.makeIterator()) }

  @usableFromInline
  package struct Iterator: IteratorProtocol {
    @usableFromInline var values: JSONElements.Iterator

    @inlinable
    init(_ values: JSONElements.Iterator) {
      self.values = values
    }

    @inlinable
    package mutating func next() -> (name: JSONValue, value: JSONValue)? {
      // Names and values alternate on the tape.
      guard let name = values.next(), let value = values.next() else { return nil }
      return (name, value)
    }
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
