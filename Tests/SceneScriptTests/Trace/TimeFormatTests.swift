import Testing

@testable import SceneScript

@Suite("Formatted times")
struct TimeFormatTests {
  @Test(
    "a date is in UTC",
    arguments: [
      (0, "1970-01-01 00:00:00 UTC"), (951_782_399_999, "2000-02-28 23:59:59 UTC"),
      (951_782_400_000, "2000-02-29 00:00:00 UTC"), (951_868_800_000, "2000-03-01 00:00:00 UTC"),
      (1_700_000_000_000, "2023-11-14 22:13:20 UTC"),
      (4_107_542_400_000, "2100-03-01 00:00:00 UTC"),
      (-5, "1970-01-01 00:00:00 UTC"),
    ] as [(Int64, String)])
  func date(milliseconds: Int64, text: String) {
    #expect(TimeFormat.date(milliseconds) == text)
  }

  @Test(
    "a duration has at most two units",
    arguments: [
      (0, "0.000 s"), (999, "0.000 s"), (59_999_999, "59.999 s"), (60_000_000, "1 min 0 s"),
      (3_599_999_999, "59 min 59 s"), (7_800_000_000, "2 h 10 min"),
      (360_000_000_000, "100 h 0 min"),
    ] as [(Int64, String)])
  func length(microseconds: Int64, text: String) {
    #expect(TimeFormat.length(microseconds) == text)
  }
}
