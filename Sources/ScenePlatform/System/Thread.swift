/// A thread of the operating system.
package struct Thread: ~Copyable {
  private let handle: pthread_t

  /// Starts a thread with a name for debuggers. Linux keeps the first 15 bytes of the name.
  ///
  /// A thread that is not joined is detached.
  package init(_ name: String, body: @escaping @Sendable () -> Void) throws(SystemError) {
    let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var handle = NewThread()
    let code = pthread_create(&handle, nil, runThread, start.toOpaque())
    guard code == 0, let handle = handle as pthread_t? else {
      start.release()
      throw SystemError(call: "pthread_create", code: ErrorCode(rawValue: code))
    }
    self.handle = handle
  }

  deinit {
    pthread_detach(handle)
  }

  /// Waits until the thread's body has returned.
  package consuming func join() {
    pthread_join(handle, nil)
    discard self
  }

  /// Lets the threads run that wait for the processor of the calling thread.
  package static func yield() { sched_yield() }
}

private final class ThreadStart: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}

private func runThread(_ argument: ThreadArgument) -> UnsafeMutableRawPointer? {
  let pointer: UnsafeMutableRawPointer? = argument
  guard let pointer else { return nil }
  let start = Unmanaged<ThreadStart>.fromOpaque(pointer).takeRetainedValue()
  nameThread(start.name)
  start.body()
  return nil
}

/// The identity of a running thread. A later thread may get the identity of an ended one.
package struct ThreadIdentity: Equatable, Sendable {
  private let bits: UInt

  /// The calling thread.
  package static var current: ThreadIdentity {
    ThreadIdentity(bits: UInt(bitPattern: pthread_self()))
  }
}
