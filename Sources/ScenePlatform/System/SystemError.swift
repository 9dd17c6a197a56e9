/// A failed system call and the file that it concerned.
package struct SystemError: Error, Equatable, Sendable {
  /// The call's own name, such as "open".
  package var call: String
  /// The file that the call concerned; nil if the call has no path.
  package var path: String?
  package var code: ErrorCode
  /// Details that the code does not contain, such as the exceeded limit.
  package var note: String?

  package init(call: String, path: String? = nil, code: ErrorCode, note: String? = nil) {
    self.call = call
    self.path = path
    self.code = code
    self.note = note
  }

  /// The last failed call of this thread.
  init(_ call: String, _ path: String? = nil) {
    self.init(call: call, path: path, code: .last)
  }
}

extension SystemError {
  package var isNotFound: Bool { code.isNotFound }
  package var isFull: Bool { code.isFull }
  package var isWouldBlock: Bool { code.isWouldBlock }
  package var isDenied: Bool { code.isDenied }
  package var isOutOfDescriptors: Bool { code.isOutOfDescriptors }
  package var isUnsupported: Bool { code.isUnsupported }
}

extension SystemError: CustomStringConvertible {
  /// For example "open /x/y: No such file or directory".
  package var description: String {
    var text = call
    if let path { text += " \(path)" }
    text += ": \(code)"
    if let note { text += " (\(note))" }
    return text
  }
}
