import SceneModel
import ScenePlatform

extension SceneApplication {
  /// Observes the events that any client posts to a topic from now on. The observation continues
  /// with the next broker. Like a request, it begins to connect.
  ///
  /// - Parameters:
  ///   - type: the type of the events.
  ///   - onGap: called before the next event if events before it are no longer stored; read the
  ///     data again then.
  /// - Returns: The stream of events, for one reader. A slow reader gets the newest 1,000 events,
  ///   after a call of `onGap`. The stream ends if the broker refuses it. The broker handles the
  ///   observation before each later request of this application, so data read with such a request
  ///   misses no event. Without a connection, the observation begins with the connection.
  public func events<Event: UpdateEvent>(
    of type: Event.Type, onGap: @escaping @Sendable () -> Void = {}
  ) -> some AsyncSequence<Event, Never> & Sendable {
    host.events.events(EventSource(topic: Event.topic), try? client, onGap: onGap)
  }
}

extension Scene {
  /// Observes the events that any client posts to a topic from now on. While the scene is in the
  /// background, events wait until it enters the foreground or is refreshed. The stream ends with
  /// the scene.
  ///
  /// - Parameters:
  ///   - type: the type of the events.
  ///   - onGap: called before the next event if events before it are no longer stored; read the
  ///     data again then.
  /// - Returns: The stream of events, for one reader. A slow reader gets the newest 1,000 events,
  ///   after a call of `onGap`. The stream ends if the broker refuses it. The broker handles the
  ///   observation before each later request of this application, so data read with such a request
  ///   misses no event. Without a connection, the observation begins with the connection.
  public func events<Event: UpdateEvent>(
    of type: Event.Type, onGap: @escaping @Sendable () -> Void = {}
  ) -> some AsyncSequence<Event, Never> & Sendable {
    (host?.events ?? EventStreams()).events(
      EventSource(topic: Event.topic, session: identifier), client, onGap: onGap)
  }

  /// Passes the events of a topic to the delegate, until the scene ends.
  ///
  /// The delegate gets the events as it gets its other calls: one at a time and in order. Events
  /// that are posted while the scene is in the background follow when the scene enters the
  /// foreground or is refreshed. The broker handles the observation before each later request of
  /// this application, so data read with such a request misses no event.
  ///
  /// ```swift
  /// scene.observe(ChatEvent.self, as: ChatDelegate.self, onGap: { $0.reload() }) {
  ///   delegate, event in delegate.show(event)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type of the events.
  ///   - delegate: the class of the scene's delegate. Another class is a precondition failure.
  ///   - onGap: called before the next event if events before it are no longer stored; read the
  ///     data again then.
  ///   - body: called with the delegate and each event of a known kind.
  public func observe<Event: UpdateEvent, Delegate: SceneDelegate>(
    _ type: Event.Type, as delegate: Delegate.Type,
    onGap: @escaping @Sendable (Delegate) -> Void = { _ in },
    _ body: @escaping @Sendable (Delegate, Event) -> Void
  ) {
    let gaps = ConditionMutex(GapDetector())
    let source = EventSource(topic: Event.topic, session: identifier)
    host?.events.add(to: source, client) { [weak self] update in
      let (isGap, posted) = gaps.withLock { $0.take(update) }
      let event = posted.flatMap { Event($0) }
      guard let self, isGap || event != nil else { return }
      // The updates of a scene run on its queue, like its other calls.
      host?.perform(on: self) { delegate in
        let delegate = delegate.cast(to: Delegate.self)
        if isGap { onGap(delegate) }
        if let event { body(delegate, event) }
      }
    }
  }
}

extension EventStreams {
  /// The events of a topic. A slow reader gets the newest 1,000 events, after a call of `onGap`.
  fileprivate func events<Event: UpdateEvent>(
    _ source: EventSource, _ client: Client?, onGap: @escaping @Sendable () -> Void
  ) -> some AsyncSequence<Event, Never> & Sendable {
    let gaps = ConditionMutex(GapDetector())
    return open(source, client).compactMap { update -> Event? in
      let (isGap, posted) = gaps.withLock { $0.take(update) }
      if isGap { onGap() }
      return posted.flatMap { Event($0) }
    }
  }
}
