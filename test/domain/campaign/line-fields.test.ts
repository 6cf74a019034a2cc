import { describe, expect, test } from "bun:test"
import { checkLine, type TypedLine } from "../../../src/domain/campaign/line-fields.ts"

describe("a line as it was typed", () => {
  const typed: TypedLine = {
    name: "Pre-roll",
    pricingBasis: "impressions",
    flightStart: "2026-11-01",
    flightEnd: "2026-11-30",
    booked: "500000",
    rate: "12.5",
    currency: "EUR",
    externalId: "LI-1",
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
    expect(downloads.ok && downloads.line.booked).toBe(5_000)
  })
  test.each([
    ["name", "  "],
    ["pricingBasis", "clicks"],
    ["flightStart", "2026-02-30"],
    ["flightEnd", "2026-10-31"],
    ["booked", "5.5"],
    ["booked", "0x10"],
    ["rate", "5,000"],
    ["rate", "-1"],
    ["currency", "Euro"],
    ["currency", ""],
  ] as const)("is refused for its %s", (field, text) => {
    const checked = checkLine({ ...typed, [field]: text })
    expect(checked.ok ? [] : Object.keys(checked.errors)).toEqual([field])
  })
  test.each(["1", "0", "500,000", "many"])("is refused for %s booked at a flat rate", (booked) => {
    const checked = checkLine({ ...typed, pricingBasis: "flat_rate", booked })
    expect(checked.ok ? {} : checked.errors).toEqual({ booked: "A flat rate has no quantity. Leave this empty." })
    expect(checkLine({ ...typed, pricingBasis: "flat_rate", booked: "" }).ok).toBe(true)
  })
})
