package import ScenePlatform

/// The pipes to a process that is spoken to: standard input, output and errors.
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

  /// What the process is started with.
  package var theirs: [Int32: Int32] {
    guard let input = childInput?.number, let output = childOutput?.number,
      let errors = childErrors?.number
    else { return [:] }
    return [0: input, 1: output, 2: errors]
  }

  /// The process has been started: what is left is ours, and is taken once.
  package func ours() throws(SystemError) -> (
    input: ProcessInput, output: SaidLines, errors: SaidLines
  ) {
    childInput = nil
    childOutput = nil
    childErrors = nil
    return (
      ProcessInput(input.takeSecond()), try SaidLines(output.takeFirst()),
      try SaidLines(errors.takeFirst())
    )
  }
}
