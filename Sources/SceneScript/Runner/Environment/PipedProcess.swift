package import ScenePlatform

/// A process with pipes for its standard input, output and errors.
package struct PipedProcess: Sendable {
  package let process: ManagedProcess
  package let input: ProcessInput
  package let output: LineBuffer
  package let errors: LineBuffer

  /// Starts the process with `start`, which gets the descriptors that the process inherits.
  package init(
    _ start: (_ descriptors: [Int32: Int32]) throws(SystemError) -> ManagedProcess
  ) throws(SystemError) {
    var input = try FileDescriptor.pipe()
    var output = try FileDescriptor.pipe()
    var errors = try FileDescriptor.pipe()
    let childInput = input.takeFirst()
    let childOutput = output.takeSecond()
    let childErrors = errors.takeSecond()
    process = try start([0: childInput.number, 1: childOutput.number, 2: childErrors.number])
    self.input = ProcessInput(input.takeSecond())
    self.output = try LineBuffer(output.takeFirst())
    self.errors = try LineBuffer(errors.takeFirst())
  }
}
