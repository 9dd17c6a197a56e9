#if FUZZING
  import Glibc

  /// The fuzzer of the toolchain, which only the build of `scripts/fuzz` links.
  enum LibFuzzer {
    nonisolated(unsafe) private static var body: ([UInt8]) throws -> Void = { _ in }

    /// Runs the fuzzer with its arguments, the program first, and ends the process.
    static func run(_ arguments: [String], _ body: @escaping ([UInt8]) throws -> Void) -> Never {
      self.body = body
      var words = arguments.map { strdup($0) }
      words.append(nil)
      let status = words.withUnsafeMutableBufferPointer { words in
        var count = Int32(arguments.count)
        var first = words.baseAddress
        return runDriver(&count, &first) { bytes, count in
          do {
            try LibFuzzer.body(Array(UnsafeBufferPointer(start: bytes, count: count)))
          } catch {
            fatalError("\(error)")
          }
          return 0
        }
      }
      exit(status)
    }

    @_silgen_name("LLVMFuzzerRunDriver")
    private static func runDriver(
      _ count: UnsafeMutablePointer<Int32>,
      _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
      _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
    ) -> Int32
  }
#endif
