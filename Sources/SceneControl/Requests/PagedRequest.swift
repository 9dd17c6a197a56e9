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
