#if canImport(Darwin)
  /// Waits for any of many descriptors, level-triggered.
  ///
  /// Remove a descriptor before you close it if a duplicate stays open, for example in a child.
  /// Only one thread uses the poller; other threads interrupt it with a ``Wakeup``.
  package final class Poller {
    private let queue: FileDescriptor
    /// Whether the last wait reported every ready descriptor.
    package private(set) var isComplete = true
    private let buffer: UnsafeMutableBufferPointer<kevent64_s>
    /// Regular files, which a kqueue stops reporting at their end.
    private var alwaysReady: [(descriptor: Int32, token: UInt64, interest: PollInterest)] = []
    private var interests = PollInterests()

    /// A wait reports at most `capacity` events; the next wait reports the others.
    package init(capacity: Int = 512) throws(SystemError) {
      queue = FileDescriptor(adopting: try check("kqueue") { kqueue() })
      try queue.setCloseOnExec()
      buffer = .allocate(capacity: max(capacity, 1))
    }

    deinit {
      buffer.deallocate()
    }

    package func add(
      _ descriptor: Int32, token: UInt64, interest: PollInterest
    ) throws(SystemError) {
      var raw = stat()
      try check("fstat") { fstat(descriptor, &raw) }
      if raw.st_mode & S_IFMT == S_IFREG {
        alwaysReady.append((descriptor, token, interest))
      } else {
        try set(interest, of: descriptor, token)
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
      } else {
        try set(interest, of: descriptor, token)
      }
      interests[descriptor] = interest
    }

    private func set(
      _ interest: PollInterest, of descriptor: Int32, _ token: UInt64
    ) throws(SystemError) {
      try set(EVFILT_READ, descriptor, token, wanted: interest.contains(.readable))
      try set(EVFILT_WRITE, descriptor, token, wanted: interest.contains(.writable))
    }

    package func remove(_ descriptor: Int32) throws(SystemError) {
      if let index = alwaysReady.firstIndex(where: { $0.descriptor == descriptor }) {
        alwaysReady.remove(at: index)
        return
      }
      try set(EVFILT_READ, descriptor, 0, wanted: false)
      try set(EVFILT_WRITE, descriptor, 0, wanted: false)
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
      let count = collect(nanoseconds: events.isEmpty ? nanoseconds : 0)
      isComplete = count < Int32(buffer.count)
      if count < 0 {
        if ErrorCode.last == .interrupted { return }
        throw SystemError("kevent")
      }
      // A kqueue reports reading and writing separately; merge them into one event for each token.
      var places: [UInt64: Int] = [:]
      for index in 0..<Int(count) {
        let event = PollEvent(buffer[index])
        if let place = places[event.token] {
          events[place].merge(event)
        } else {
          places[event.token] = events.count
          events.append(event)
        }
      }
    }

    private func collect(nanoseconds: Int64?) -> Int32 {
      guard let nanoseconds else {
        return kevent64(queue.number, nil, 0, buffer.baseAddress, Int32(buffer.count), 0, nil)
      }
      var time = timespec(nanoseconds: max(0, nanoseconds))
      return kevent64(queue.number, nil, 0, buffer.baseAddress, Int32(buffer.count), 0, &time)
    }

    private func set(
      _ filter: Int32, _ descriptor: Int32, _ token: UInt64, wanted: Bool
    ) throws(SystemError) {
      var change = kevent64_s()
      change.ident = UInt64(descriptor)
      change.filter = Int16(filter)
      change.flags = UInt16(wanted ? EV_ADD : EV_DELETE)
      change.udata = token
      let number = queue.number
      if retrying({ kevent64(number, &change, 1, nil, 0, 0, nil) }) == 0 { return }
      // The filter was never added.
      if !wanted && ErrorCode.last == .notFound { return }
      throw SystemError("kevent")
    }
  }

  extension PollEvent {
    fileprivate init(_ event: kevent64_s) {
      let isReading = event.filter == Int16(EVFILT_READ)
      let hungUp = event.flags & UInt16(EV_EOF | EV_ERROR) != 0
      self.init(
        token: event.udata, readable: isReading, writable: !isReading, hungUp: hungUp,
        isGone: hungUp)
    }

    fileprivate mutating func merge(_ other: PollEvent) {
      readable = readable || other.readable
      writable = writable || other.writable
      hungUp = hungUp || other.hungUp
      isGone = isGone || other.isGone
    }
  }
#endif
