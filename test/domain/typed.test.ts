import { describe, expect, test } from "bun:test"
import { checkLine, type TypedLine } from "../../src/domain/campaign/line-fields.ts"
import { freeSlug, slugOf } from "../../src/domain/campaign/slug.ts"
import { AFFILIATE_METRICS_CSV, DELIVERY_CSV, missingColumns, rowValue } from "../../src/domain/import/csv-rows.ts"
import { failureCounts } from "../../src/domain/people/sign-in-throttle.ts"

test("a row of a file leaves out empty cells and unknown columns", () => {
  expect(rowValue(DELIVERY_CSV, { package_id: " x ", impressions: "5", downloads: "", note: "no" })).toEqual({
    package_id: "x",
    impressions: 5,
  })
  expect(missingColumns(AFFILIATE_METRICS_CSV, ["code", "clicks"])).toEqual(["date"])
})

describe("a line as it was typed", () => {
  const typed: TypedLine = {
    name: "Pre-roll",
    pricingBasis: "impressions",
    flightStart: "2026-11-01",
    flightEnd: "2026-11-30",
    booked: "500000",
    rate: "12.5",
    currency: "EUR",
  }
  test("is understood, and what is left empty is null", () => {
    const checked = checkLine({ ...typed, flightEnd: "", booked: "", rate: "", currency: "" })
    expect(checked.ok && checked.line).toMatchObject({ flightEnd: null, booked: null, rate: null, currency: null })
    expect(checkLine(typed).ok).toBe(true)
  })
  test("has its figures read as people write them", () => {
    const checked = checkLine({ ...typed, booked: "500,000", rate: "€12,50" })
    expect(checked.ok && checked.line).toMatchObject({ booked: 500_000, rate: 12.5 })
    const downloads = checkLine({ ...typed, pricingBasis: "downloads", booked: "5,000" })
    expect(!downloads.ok && downloads.errors.booked).toBe("5,000 can mean 5000 or 5. Write 5000 or 5.")
  })
  test.each([
    ["name", "  "],
    ["pricingBasis", "clicks"],
    ["flightStart", "2026-02-30"],
    ["flightEnd", "2026-10-31"],
    ["booked", "5.000"],
    ["booked", "0x10"],
    ["rate", "5,000"],
    ["rate", "-1"],
    ["currency", "Euro"],
  ] as const)("is refused for its %s", (field, text) => {
    const checked = checkLine({ ...typed, [field]: text })
    expect(checked.ok ? [] : Object.keys(checked.errors)).toEqual([field])
  })
})

test("a short name is made of letters and digits, and made free with a number", () => {
  expect(slugOf("Früher Herbst 2026!")).toBe("fruher-herbst-2026")
  expect(slugOf("日本")).toBe("unnamed")
  expect(slugOf("x".repeat(300)).length).toBeLessThanOrEqual(64)
  expect(freeSlug("autumn", new Set(["autumn", "autumn-2"]))).toBe("autumn-3")
})

describe("the pace of sign-ins", () => {
  const SECOND = 1_000_000
  test("is free for five failures, then doubles the wait up to a quarter of an hour", () => {
    const pace = failureCounts(7)
    const waits: number[] = []
    let now = 0
    for (let i = 0; i < 18; i++) {
      pace.failed("somebody", now)
      waits.push(pace.waitSeconds("somebody", now))
      now += (waits.at(-1) ?? 0) * SECOND
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
  })
  test("does not count a failure that is taken back, not even its time", () => {
    const pace = failureCounts(7)
    for (let i = 0; i < 6; i++) pace.failed("somebody", 0)
    const counted = pace.failed("somebody", 2 * SECOND)
    expect(pace.waitSeconds("somebody", 2 * SECOND)).toBe(4)
    pace.takeBack(counted)
    expect(pace.waitSeconds("somebody", 2 * SECOND)).toBe(0)
    pace.failed("somebody", 2 * SECOND)
    expect(pace.waitSeconds("somebody", 2 * SECOND)).toBe(4)
  })
  test("is forgotten after an hour of peace, or at once after success", () => {
    const pace = failureCounts(7)
    for (let i = 0; i < 9; i++) pace.failed("somebody", 0)
    expect(pace.waitSeconds("somebody", 0)).toBe(16)
    pace.failed("somebody", 3_601 * SECOND)
    expect(pace.waitSeconds("somebody", 3_601 * SECOND)).toBe(0)
    for (let i = 0; i < 9; i++) pace.failed("somebody", 4_000 * SECOND)
    pace.succeeded("somebody")
    expect(pace.waitSeconds("somebody", 4_000 * SECOND)).toBe(0)
  })
})
