import ScenePlatform

/// A pipe that every process of a stage is given, and hands on to those that it starts: it is at
/// its end when the last of them is.
final class Lifeline {
  private final class End {
    let descriptor: FileDescriptor
    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }

  /// The processes' number for it, which nobody else is likely to want.
  static let number: Int32 = 60

  private let ours: FileDescriptor
  private var theirs: End?

  init() throws(SystemError) {
    var pipe = try FileDescriptor.pipe()
    ours = pipe.takeFirst()
    theirs = End(pipe.takeSecond())
  }

  /// What processes are started with.
  var descriptors: [Int32: Int32] { theirs.map { [Self.number: $0.descriptor.number] } ?? [:] }

  /// Those that have it, but for the processes that are on their way to their own program.
  func leftovers() -> [LeftoverProcess] {
    theirs = nil
    return LeftoverProcess.all(holding: ours, as: Self.number)
  }

  /// Whether everybody is gone, after so much time at most. Nobody can be started any more.
  func isOver(within nanoseconds: Int64) -> Bool {
    theirs = nil
    return (try? ours.waitReadable(nanoseconds: nanoseconds)) == true
  }
}
