/// Which way a frame went, for those who are shown frames.
package enum FrameDirection: Sendable {
  case sent, received
}
