package import SceneJSON
package import SceneModel

/// A request whose reply is one page of a list.
package protocol PagedRequest: RequestMessage where Reply: Page {
  /// The position behind which the page starts.
  var after: Reply.Position? { get set }
  var limit: Int? { get set }
  /// Entries on a page: few enough for the longest to fit a frame.
  static var pageSize: Int? { get }
}

/// One page of a list.
package protocol Page: JSONCodable {
  associatedtype Position: Equatable
  /// The `after` of the next page; nil on the last page.
  var next: Position? { get }
}

extension SessionList: PagedRequest {
  package static var pageSize: Int? { 200 }
}

extension SessionList.Reply: Page {}

extension TopicList: PagedRequest {
  /// The broker chooses the size.
  package static var pageSize: Int? { nil }
}

extension TopicList.Reply: Page {}

extension ControlConnection {
  /// Passes each page of a list to the body, also as the broker sent it.
  package func forEachPage<List: PagedRequest>(
    of list: List, until deadline: Int64? = nil, _ body: (List.Reply, RawJSON) -> Void
  ) throws(ControlError) {
    var request = list
    request.limit = List.pageSize
    repeat {
      let json = try result(of: post(request), until: deadline)
      let page = try Self.read(List.Reply.self, from: json)
      body(page, json)
      request.after = page.next
    } while request.after != nil
  }
}

extension ControlConnection {
  /// How many clients observe the topic.
  package func observers(
    of topic: String, until deadline: Int64? = nil
  ) throws(ControlError) -> Int {
    var request = TopicList()
    // The list has no filter: no name in use is between this one and the topic's.
    if let last = topic.unicodeScalars.last, let lower = Unicode.Scalar(last.value - 1) {
      request.after = String(topic.dropLast()) + "\(lower)\u{10FFFF}"
    }
    request.limit = 1
    let found = try self.request(request, until: deadline).topics.first
    return found?.topic == topic ? found?.observers ?? 0 : 0
  }

  /// Whether `scenehandoff` moves the sessions of this broker.
  package func hasHandoffAgent(until deadline: Int64? = nil) throws(ControlError) -> Bool {
    try observers(of: SessionAway.agentTopic, until: deadline) > 0
  }
}
