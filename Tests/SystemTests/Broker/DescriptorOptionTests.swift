import ScenePlatform
import SceneTestSupport
import Testing

/// Descriptors that the caller opens for a broker.
struct DescriptorOptionTests {
  @Test(
    "the error for a descriptor that is not open names it, and no file is changed",
    arguments: [("ready-fd", ">"), ("leash-fd", "<")])
  func notOpen(option: String, redirection: String) throws {
    let workplace = try Workplace()
    let outcome = try workplace.scened("--\(option)", "99")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("--\(option): descriptor 99 is not open"))
    #expect(outcome.errors.contains("99\(redirection)"))
    #expect(try Directory.list(workplace.path).isEmpty)
  }

  @Test("--keep-fd is refused without a command")
  func nothingToKeepItFor() throws {
    let workplace = try Workplace()
    let outcome = try workplace.scened("--keep-fd", "99")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("--keep-fd: no COMMAND is given; put one at the end, after --"))
    #expect(try Directory.list(workplace.path).isEmpty)
  }

  @Test("the error for a descriptor that cannot be written names it")
  func notWritable() throws {
    let workplace = try Workplace()
    var pipe = try FileDescriptor.pipe()
    let reading = pipe.takeFirst()
    let outcome = try workplace.startScened("--ready-fd", "9", descriptors: [9: reading.number])
    #expect(
      try outcome.everythingOnErrors().contains("--ready-fd: cannot write to descriptor 9"))
    #expect(try outcome.reap() == .exited(78))
    withExtendedLifetime(pipe) {}
  }

  @Test("a lifetime descriptor that cannot be read counts as ended")
  func notReadable() throws {
    let workplace = try Workplace()
    var pipe = try FileDescriptor.pipe()
    let writing = pipe.takeSecond()
    let daemon = try workplace.startScened("--leash-fd", "9", descriptors: [9: writing.number])
    // The pipe has no reader any more, which the kernel reports as an error.
    pipe.takeFirst().close()
    #expect(try daemon.reap().isSuccess)
    try daemon.errorLine(containing: "the descriptor of --leash-fd reached its end")
  }
}
