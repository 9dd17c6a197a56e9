/// A line and a column of a text. Both count from 1; columns count bytes.
package struct TextLocation: Equatable, Sendable, CustomStringConvertible {
  package let line: Int
  package let column: Int

  init(of offset: Int, in text: ContiguousArray<UInt8>) {
    let before = text.prefix(offset)
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    column = offset - (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1)
  }

  package var description: String { "line \(line), column \(column)" }
}
