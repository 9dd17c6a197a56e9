package import ScenePlatform

/// The pipes for the standard input, output and errors of a process.
package final class ProcessPipes {
  private var input: FileDescriptor.Pair
  private var output: FileDescriptor.Pair
  private var errors: FileDescriptor.Pair
  private var childInput: FileDescriptor?
  private var childOutput: FileDescriptor?
  private var childErrors: FileDescriptor?

  package init() throws(SystemError) {
    input = try FileDescriptor.pipe()
    output = try FileDescriptor.pipe()
    errors = try FileDescriptor.pipe()
    childInput = input.takeFirst()
    childOutput = output.takeSecond()
    childErrors = errors.takeSecond()
  }

  /// The descriptors that the process inherits.
  package var childEnds: [Int32: Int32] {
    guard let input = childInput?.number, let output = childOutput?.number,
      let errors = childErrors?.number
    else { return [:] }
    return [0: input, 1: output, 2: errors]
  }

  /// Closes the child's ends and returns ours. Call this once, after the process has started.
  package func takeParentEnds() throws(SystemError) -> (
    input: ProcessInput, output: LineBuffer, errors: LineBuffer
  ) {
    childInput = nil
    childOutput = nil
    childErrors = nil
    return (
      ProcessInput(input.takeSecond()), try LineBuffer(output.takeFirst()),
      try LineBuffer(errors.takeFirst())
    )
  }
}
