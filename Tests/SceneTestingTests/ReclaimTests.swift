import SceneTesting
import Testing

@Test func aReclaimedSceneComesBackWhereItWas() async throws {
  try await withBroker { broker in
    let packing = try await broker.client("packing")
    try await packing.type(#"activity com.example.note {"line": 42}"#)
    try await broker.scenectl("background", "packing")
    try await broker.scenectl("reclaim", "packing")
    try await broker.expect("packing unattached disconnect.reason=reclaimed")
    try await broker.scenectl("activate", "packing")
    try await packing.expectTrace(
      "willConnect isNew=false reason=activation activity.userInfo.line=42", "...")
  }
}
