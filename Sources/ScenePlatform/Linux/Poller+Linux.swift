import CScenePlatform

/// Waits for any of many descriptors, level-triggered.
///
/// Remove a descriptor before you close it if a duplicate stays open, for example in a child.
/// Only one thread uses the poller; other threads interrupt it with a ``Wakeup``.
package final class Poller {
  private let epoll: FileDescriptor
  /// Whether the last wait reported every ready descriptor.
  @exclusivity(unchecked)
  package private(set) var isComplete = true
  private let buffer: UnsafeMutableBufferPointer<epoll_event>
  /// Files that epoll rejects because they never block: regular files and /dev/null.
  @exclusivity(unchecked)
  private var alwaysReady: [(descriptor: Int32, token: UInt64, interest: PollInterest)] = []
  @exclusivity(unchecked)
  private var interests = PollInterests()

  /// A wait reports at most `capacity` events; the next wait reports the others.
  package init(capacity: Int = 512) throws(SystemError) {
    epoll = FileDescriptor(
      adopting: try check("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    buffer = .allocate(capacity: max(capacity, 1))
  }

  deinit {
    buffer.deallocate()
  }

  package func add(
    _ descriptor: Int32, token: UInt64, interest: PollInterest
  ) throws(SystemError) {
    if control(EPOLL_CTL_ADD, descriptor, token, interest) != 0 {
      guard ErrorCode.last == .notPermitted, interest != .priority else {
        throw SystemError("epoll_ctl")
      }
      alwaysReady.append((descriptor, token, interest))
    }
    interests[descriptor] = interest
  }

  /// Does nothing if the interest is the same. A descriptor keeps its token.
  package func modify(
    _ descriptor: Int32, token: UInt64, interest: PollInterest
  ) throws(SystemError) {
    guard interests[descriptor] != interest else { return }
    if let index = alwaysReady.firstIndex(where: { $0.descriptor == descriptor }) {
      alwaysReady[index].interest = interest
    } else if control(EPOLL_CTL_MOD, descriptor, token, interest) != 0 {
      throw SystemError("epoll_ctl")
    }
    interests[descriptor] = interest
  }

  package func remove(_ descriptor: Int32) throws(SystemError) {
    if let index = alwaysReady.firstIndex(where: { $0.descriptor == descriptor }) {
      alwaysReady.remove(at: index)
    } else if control(EPOLL_CTL_DEL, descriptor, 0, []) != 0 {
      throw SystemError("epoll_ctl")
    }
  }

  /// Replaces `events` with the ready descriptors. Waits at most `nanoseconds`; nil waits without
  /// limit.
  ///
  /// `events` is empty after the timeout, and also after an interruption such as a stop of the
  /// process.
  package func wait(
    nanoseconds: Int64?, into events: inout ContiguousArray<PollEvent>
  ) throws(SystemError) {
    events.removeAll(keepingCapacity: true)
    for file in alwaysReady where !file.interest.isEmpty {
      events.append(
        PollEvent(
          token: file.token, readable: file.interest.contains(.readable),
          writable: file.interest.contains(.writable), hungUp: false))
    }
    let timeout = events.isEmpty ? milliseconds(nanoseconds) : 0
    let count = epoll_wait(epoll.number, buffer.baseAddress, Int32(buffer.count), timeout)
    isComplete = count < Int32(buffer.count)
    if count < 0 {
      if ErrorCode.last == .interrupted { return }
      throw SystemError("epoll_wait")
    }
    for index in 0..<Int(count) { events.append(PollEvent(buffer[index])) }
  }

  private func control(
    _ operation: Int32, _ descriptor: Int32, _ token: UInt64, _ interest: PollInterest
  ) -> Int32 {
    platform_epoll_control(epoll.number, operation, descriptor, interest.epollBits, token)
  }
}

extension PollInterest {
  /// Only readers request EPOLLRDHUP. The event is level-triggered and would wake other users
  /// endlessly.
  fileprivate var epollBits: UInt32 {
    var bits: UInt32 = 0
    if contains(.readable) { bits |= EPOLLIN.rawValue | EPOLLRDHUP.rawValue }
    if contains(.writable) { bits |= EPOLLOUT.rawValue }
    if contains(.priority) { bits |= EPOLLPRI.rawValue }
    return bits
  }
}

extension PollEvent {
  fileprivate init(_ event: epoll_event) {
    let bits = event.events
    let end = EPOLLHUP.rawValue | EPOLLERR.rawValue
    self.init(
      token: event.data.u64, readable: bits & (EPOLLIN.rawValue | EPOLLPRI.rawValue) != 0,
      writable: bits & EPOLLOUT.rawValue != 0, hungUp: bits & (end | EPOLLRDHUP.rawValue) != 0,
      isGone: bits & end != 0)
  }
}
