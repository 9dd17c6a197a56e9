extension JSONWriter {
  /// The object with the members that the body writes.
  package static func object(_ members: (inout JSONWriter) -> Void) -> RawJSON {
    var writer = JSONWriter()
    writer.object(members)
    return RawJSON(unchecked: writer.bytes)
  }

  /// Writes an object with the members that the body writes.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    beginObject()
    members(&self)
    endObject()
  }

  package mutating func member(_ name: String, _ value: String) {
    self.name(name)
    string(value)
  }

  package mutating func member(_ name: String, _ value: some BinaryInteger) {
    self.name(name)
    integer(value)
  }

  package mutating func member(_ name: String, _ value: Bool) {
    self.name(name)
    bool(value)
  }

  package mutating func member(_ name: String, _ value: RawJSON) {
    self.name(name)
    raw(value)
  }
}
